"""A downcard was seen before its player had it."""

from controller.core.irregularities.common.misdeal_window import closed, looked
from controller.core.irregularities.common.seen_cards import last_downcards
from controller.core.irregularities.common.subject import Subject, subject
from controller.core.irregularities.draw import exposed_on_draw
from controller.core.irregularities.remedies import plan_edits, scrapped_cards
from controller.core.irregularities.stud import stud_deal
from controller.core.model.state import State
from controller.core.protocol.events import Report
from controller.core.protocol.vocabulary import By, What
from controller.core.rules.questions.irregularities.exposed import ExposedRules, OneExposed
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import hand_of
from controller.core.values.value import replace


def exposed(state: State, event: Report) -> tuple[Ruling, ...]:
    """A card was exposed, flashed or dealt off the table; with `count` the last so many, of the hand or of the seat."""
    hand = state.hand_in_play
    if event.seat is None and event.came_from is not None:
        event = replace(event, seat=event.came_from)
    if (event.count or 1) > 1:
        return _one_by_one(state, event, last_downcards(hand, event))
    rulings = _seen(state, event)
    if event.what is not What.OFF_TABLE:
        return rulings
    also = hand.setup.rulebook.exposed[hand.setup.game.form].off_table.cite
    return tuple(replace(ruling, cite=tuple(dict.fromkeys((*ruling.cite, *also)))) for ruling in rulings)


def _seen(state: State, event: Report) -> tuple[Ruling, ...]:
    """One card was."""
    hand = state.hand_in_play
    found = subject(hand, event)
    seat, book = scrapped_cards.owner(hand, found.lying.serial), hand.setup.rulebook.exposed[hand.setup.game.form]
    finding = event.what.value
    if seat is None or found.lying.up or len(hand.betting.live) == 1:
        sentence = "the card lies where every player may see it or where nobody needs it: nothing to do"
        return (ruled(finding, Verdict.PLAY_ON, book.one, sentence),)
    if event.by is By.PLAYER:
        return (kept(finding, book.by_player, seat, "its own player exposed it: the card plays"),)
    if event.what is What.OFF_TABLE and not book.off_table.value:
        return (kept(finding, book.off_table, seat, "a card that fell off the table plays"),)
    if exposed_on_draw.on_the_draw(hand, found):
        return (exposed_on_draw.exposed_on_draw(hand, event, found),)
    if found.nth <= len(hand.setup.game.streets[0].deal) and looked(hand, seat):
        if closed(hand):
            return (kept(finding, hand.setup.rulebook.misdeal.window, seat, "too late: the hand is played as it is"),)
        if book.looked.value:
            return (kept(finding, book.looked, seat, "its player has looked before saying so: the card plays"),)
    if book.one.value is OneExposed.BY_STREET:
        return stud_deal.downcard_up(state, event, found, book.one)
    hand.cards = replace(
        hand.cards,
        piles=hand.cards.piles.known(found.lying.serial, found.lying.card, up=True),
        exposed=tuple(dict.fromkeys((*hand.cards.exposed, found.lying.serial))),
    )
    return _by_dealer(state, event, book, found, seat)


def _one_by_one(state: State, event: Report, cards: tuple[tuple[int, int], ...]) -> tuple[Ruling, ...]:
    """Rule on each card in the order in which they left the shoe; a misdeal, or a hand left alone, settles the rest."""
    hand = state.hand
    assert hand is not None
    if hand.setup.rulebook.exposed[hand.setup.game.form].one.value is OneExposed.BY_RANK and event.by is By.DEALER:
        # So many may be a misdeal, whatever their ranks, which nothing need have read.
        serials = (hand.cards.piles.at(hand_of(seat))[nth - 1].serial for seat, nth in cards if not looked(hand, seat))
        hand.cards = replace(hand.cards, exposed=tuple(dict.fromkeys((*hand.cards.exposed, *serials))))
    rulings: tuple[Ruling, ...] = ()
    for seat, nth in cards:
        found = exposed(state, replace(event, seat=seat, nth=nth, count=None))
        if state.hand is not hand:
            return found
        rulings = (*rulings, *found)
        if len(hand.betting.live) == 1:
            break
    return rulings


def _by_dealer(state: State, event: Report, book: ExposedRules, found: Subject, seat: int) -> tuple[Ruling, ...]:
    """The dealer exposed it: a misdeal by its place or number, else one card's remedy."""
    hand, finding, serial = state.hand, event.what.value, found.lying.serial
    assert hand is not None
    if not closed(hand):
        nth = scrapped_cards.number(hand, serial)
        if nth <= book.first_cards.value and seat in hand.order[: book.first_cards.value]:
            plan_edits.deal_again(state)
            sentence = f"card {nth} of the deal was exposed: misdeal"
            return (ruled(finding, Verdict.MISDEAL, book.first_cards, sentence, seat),)
        if book.several.value and len(hand.cards.exposed) >= book.several.value:
            plan_edits.deal_again(state)
            sentence = f"{len(hand.cards.exposed)} cards were exposed: misdeal"
            return (ruled(finding, Verdict.MISDEAL, book.several, sentence, seat),)
    if book.one.value is OneExposed.KEPT:
        return (kept(finding, book.one, seat, "the card must be kept"),)
    rule: Rule[object] = book.one
    if book.one.value is OneExposed.BY_RANK:
        taken, rule = exposed_on_draw.taken_by_rank(hand, event, found)
        if taken:
            return (kept(finding, rule, seat, "a card of this rank must be taken"),)
    goes = "is the next burn" if plan_edits.replaced_as_burn(hand, seat, serial) else "goes to the muck"
    sentence = (
        f"seat {seat} may not keep the card: finish the deal, then the top card replaces it; the exposed card {goes}"
    )
    return (ruled(finding, Verdict.REPLACE, rule, sentence, seat),)


def kept(finding: str, rule: Rule[object], seat: int, sentence: str) -> Ruling:
    """The card plays."""
    return ruled(finding, Verdict.MUST_KEEP, rule, sentence, seat)
