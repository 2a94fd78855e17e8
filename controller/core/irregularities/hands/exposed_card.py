"""A downcard was seen before its player had it."""

from controller.core.irregularities.common.exposed_downcards import last_downcards
from controller.core.irregularities.common.misdeal_status import has_looked, is_misdeal_window_closed
from controller.core.irregularities.common.reported_card import ReportedCard, find_reported_card
from controller.core.irregularities.draw import draw_irregularities
from controller.core.irregularities.remedies import plan_edits, scrapped_cards
from controller.core.irregularities.stud import stud_upcards
from controller.core.model.table_state import TableState
from controller.core.protocol.events import Report
from controller.core.protocol.vocabulary import ExposedBy, ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.irregularities.exposed_rules import ExposedCardRemedy, ExposedRules
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import hand_place
from controller.core.values.value import replace


def rule_on_exposed_cards(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """A card was exposed, flashed or dealt off the table; with `count` the last so many, of the hand or of the seat."""
    hand = state.hand_in_play
    if event.seat is None and event.intended_seat is not None:
        event = replace(event, seat=event.intended_seat)
    if (event.count or 1) > 1:
        return _rule_on_each_card(state, event, last_downcards(hand, event))
    rulings = _rule_on_one_card(state, event)
    if event.kind is not ReportKind.OFF_TABLE:
        return rulings
    also = hand.setup.rulebook.exposed[hand.setup.game.rules_form].off_table.cite
    return tuple(replace(ruling, cite=tuple(dict.fromkeys((*ruling.cite, *also)))) for ruling in rulings)


def _rule_on_one_card(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """One card was."""
    hand = state.hand_in_play
    found = find_reported_card(hand, event)
    seat, book = (
        scrapped_cards.card_owner(hand, found.placed_card.serial),
        hand.setup.rulebook.exposed[hand.setup.game.rules_form],
    )
    finding = event.kind.value
    if seat is None or found.placed_card.is_face_up or len(hand.betting.live_seats) == 1:
        return (build_ruling(finding, Verdict.PLAY_ON, book.one, said.NOTHING_EXPOSED),)
    if event.exposed_by is ExposedBy.PLAYER:
        return (kept_card_ruling(finding, book.by_player, seat, said.EXPOSED_BY_PLAYER),)
    if event.kind is ReportKind.OFF_TABLE and not book.off_table.value:
        return (kept_card_ruling(finding, book.off_table, seat, said.OFF_TABLE_PLAYS),)
    if draw_irregularities.is_draw_card(hand, found):
        return (draw_irregularities.rule_on_exposed_draw_card(hand, event, found),)
    if found.nth <= len(hand.setup.game.streets[0].deal_faces) and has_looked(hand, seat):
        if is_misdeal_window_closed(hand):
            return (kept_card_ruling(finding, hand.setup.rulebook.misdeal.window, seat, said.TOO_LATE_AS_IT_IS),)
        if book.looked.value:
            return (kept_card_ruling(finding, book.looked, seat, said.LOOKED_BEFORE_SAYING),)
    if book.one.value is ExposedCardRemedy.BY_STREET:
        return stud_upcards.rule_on_exposed_downcard(state, event, found, book.one)
    hand.cards = replace(
        hand.cards,
        piles=hand.cards.piles.identify_card(found.placed_card.serial, found.placed_card.card, up=True),
        exposed_serials=tuple(dict.fromkeys((*hand.cards.exposed_serials, found.placed_card.serial))),
    )
    return _rule_on_dealer_exposure(state, event, book, found, seat)


def _rule_on_each_card(state: TableState, event: Report, cards: tuple[tuple[int, int], ...]) -> tuple[Ruling, ...]:
    """Rule on each card in the order in which they left the shoe; a misdeal, or a hand left alone, settles the rest."""
    hand = state.hand
    assert hand is not None
    if (
        hand.setup.rulebook.exposed[hand.setup.game.rules_form].one.value is ExposedCardRemedy.BY_RANK
        and event.exposed_by is ExposedBy.DEALER
    ):
        # So many may be a misdeal, whatever their ranks, which nothing need have read.
        serials = (
            hand.cards.piles.cards_at(hand_place(seat))[nth - 1].serial
            for seat, nth in cards
            if not has_looked(hand, seat)
        )
        hand.cards = replace(hand.cards, exposed_serials=tuple(dict.fromkeys((*hand.cards.exposed_serials, *serials))))
    rulings: tuple[Ruling, ...] = ()
    for seat, nth in cards:
        found = rule_on_exposed_cards(state, replace(event, seat=seat, nth=nth, count=None))
        if state.hand is not hand:
            return found
        rulings = (*rulings, *found)
        if len(hand.betting.live_seats) == 1:
            break
    return rulings


def _rule_on_dealer_exposure(
    state: TableState, event: Report, book: ExposedRules, found: ReportedCard, seat: int
) -> tuple[Ruling, ...]:
    """The dealer exposed it: a misdeal by its place or number, else one card's remedy."""
    hand, finding, serial = state.hand, event.kind.value, found.placed_card.serial
    assert hand is not None
    if not is_misdeal_window_closed(hand):
        nth = scrapped_cards.card_number(hand, serial)
        if nth <= book.first_cards.value and seat in hand.dealing_order[: book.first_cards.value]:
            why = said.CARD_EXPOSED.format(nth=nth)
            return (plan_edits.call_misdeal(state, finding, book.first_cards, why, seat),)
        if book.several.value and len(hand.cards.exposed_serials) >= book.several.value:
            why = said.CARDS_EXPOSED.format(count=len(hand.cards.exposed_serials))
            return (plan_edits.call_misdeal(state, finding, book.several, why, seat),)
    if book.one.value is ExposedCardRemedy.KEPT:
        return (kept_card_ruling(finding, book.one, seat, said.MUST_KEEP.format(seat=seat)),)
    rule: Rule[object] = book.one
    if book.one.value is ExposedCardRemedy.BY_RANK:
        taken, rule = draw_irregularities.decide_by_rank(hand, event, found)
        if taken:
            return (kept_card_ruling(finding, rule, seat, said.RANK_MUST_BE_TAKEN),)
    is_burn = plan_edits.replace_as_burn(hand, seat, serial)
    sentence = (said.EXPOSED_IS_BURN if is_burn else said.EXPOSED_TO_MUCK).format(seat=seat)
    return (build_ruling(finding, Verdict.REPLACE, rule, sentence, seat),)


def kept_card_ruling(finding: str, rule: Rule[object], seat: int, sentence: str) -> Ruling:
    """The card plays."""
    return build_ruling(finding, Verdict.MUST_KEEP, rule, sentence, seat)
