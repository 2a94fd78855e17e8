"""The deck is not as it should be: jokers, duplicates, foreign backs, too few or too many cards."""

from controller.core.irregularities.common.misdeal_window import closed
from controller.core.irregularities.common.subject import gathered, last
from controller.core.irregularities.common.wrong_card_count import killed
from controller.core.irregularities.remedies import plan_edits, scrapped_cards
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.play.deal import fulfil, start_hand
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Card, Report
from controller.core.protocol.steps import Board, Deal, Face, FromShoe
from controller.core.protocol.vocabulary import What, Where
from controller.core.rules.questions.cards.boxed import Defect
from controller.core.rules.questions.cards.deck import Joker
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.cards import deck
from controller.core.values.piles import ASIDE, BOARD, Lying, hand_of, seat_of
from controller.core.values.value import replace

SENTENCES = {
    What.JOKER.value: "a joker makes the deck defective",
    What.DUPLICATE.value: "two cards of the same rank and suit are out",
    What.FOREIGN_BACK.value: "a card with another back is in play",
    What.MISSING_CARD.value: "the deck has not all its cards",
    What.DECK_DEFECTIVE.value: "the deck is defective",
    "count-mismatch": "more cards have left the shoe than the deck has",
}


LACKING = "a card that the game does not have is in the deck"


def strange(hand: Hand, event: Card) -> str | None:
    """The finding about a card that the deck cannot hold, as the shoe read it; `None` for a sound one."""
    if event.foreign:
        return What.FOREIGN_BACK.value
    if event.card == "joker" and not hand.setup.joker:
        return What.JOKER.value
    if event.card is not None and hand.cards.piles.holds(event.card):
        return What.DUPLICATE.value
    return "count-mismatch" if stripped(hand, event.card) or not hand.cards.piles.stub else None


def stripped(hand: Hand, card: str | None) -> bool:
    """Whether it is a card that was taken out of the deck for this game."""
    return hand.setup.deck != 52 and card not in (None, "joker", *deck(hand.setup.deck, hand.setup.joker))


def left(state: State, event: Card, finding: str) -> tuple[Ruling, ...]:
    """Such a card has left the shoe: it lies where the plan sends it, or aside, and is ruled on at once."""
    hand = state.hand_in_play
    book = hand.setup.rulebook.deck
    own = Card(event.card, face_up=event.face_up, foreign=True)
    step = fulfil.lay(hand, own) if hand.plan.due(FromShoe) else None
    if step is None:
        hand.cards = replace(hand.cards, piles=hand.cards.piles.dealt(ASIDE, own.card, up=event.face_up, strange=True))
    serial = hand.cards.piles.left
    seat = step.seat if isinstance(step, Deal) else None
    lacking = finding == "count-mismatch" and stripped(hand, event.card)
    as_joker = finding == What.JOKER.value or (lacking and book.joker.value is Joker.MISDEAL_IN_TIME)
    if not as_joker:
        rules = {What.FOREIGN_BACK.value: book.foreign, What.DUPLICATE.value: book.duplicate}
        return (defect(state, finding, rules.get(finding, book.surplus), seat, LACKING if lacking else None),)
    late = book.joker.value is Joker.MISDEAL_IN_TIME and closed(hand)
    if book.joker.value is not Joker.SCRAP and not late:
        return (_misdeal(state, finding, Verdict.MISDEAL, book.joker, seat, LACKING if lacking else None),)
    if step is not None:
        hand.plan = hand.plan.once_more(step)
        plan_edits.scrapped(hand, serial, "joker", book.joker_to.value, seat)
    return (_scrap(hand, book.joker_acted if late else book.joker, seat, step is not None, finding),)


def _scrap(
    hand: Hand, rule: Rule[object], seat: int | None, empty: bool = True, finding: str = What.JOKER.value
) -> Ruling:
    hand.cards = replace(hand.cards, miscounted=True)
    comes = "the next card takes its place" if empty else "no card comes for it"
    card = "a joker" if finding == What.JOKER.value else "a card that the game does not have"
    sentence = f"{card} is a scrap of paper here: take it out of play, {comes}"
    return ruled(finding, Verdict.SCRAP, rule, sentence, seat)


STUB_SENTENCES = {
    What.JOKER.value: "a joker in the stub is a scrap of paper here",
    What.FOREIGN_BACK.value: "a card with another back is in the stub",
}
"""What is said of a card that was found in the stub and changes nothing."""


def defect(state: State, finding: str, rule: Rule[Defect], seat: int | None = None, what: str | None = None) -> Ruling:
    """What the book makes of a defect of the deck. `what`: how it is said, where not as the finding is."""
    if rule.value is Defect.STANDS:
        if state.hand is not None:
            state.hand.cards = replace(state.hand.cards, miscounted=True)
        found = STUB_SENTENCES.get(finding, SENTENCES[finding])
        stands = f"{found}: all action stands; change the deck before the next deal"
        return ruled(finding, Verdict.PLAY_ON, rule, stands, seat)
    verdict = Verdict.VOID_HAND if rule.value is Defect.VOID else Verdict.MISDEAL
    return _misdeal(state, finding, verdict, rule, seat, what)


def _misdeal(
    state: State, finding: str, verdict: Verdict, rule: Rule[object], seat: int | None, what: str | None = None
) -> Ruling:
    plan_edits.deal_again(state)
    state.hand_in_play.cards = replace(state.hand_in_play.cards, new_deck=True)
    word = "the hand is void" if verdict is Verdict.VOID_HAND else "misdeal"
    sentence = f"{what or SENTENCES[finding]}: {word}, all money goes back, deal again with a sound deck"
    return ruled(finding, verdict, rule, sentence, seat)


def counted(state: State) -> tuple[Ruling, ...]:
    """Before a deal: the last hand has shown that the deck has a card too few or too many."""
    rule = state.setup.rulebook.deck.counted
    if not rule.value or state.hand is None or not state.hand.cards.miscounted:
        return ()
    sentence = "the last hand showed a wrong number of cards: count the deck, complete it, then deal"
    return (ruled("count-mismatch", Verdict.PLAY_ON, rule, sentence),)


def duplicate(state: State, event: Report) -> tuple[Ruling, ...]:
    """Two cards of the same rank and suit were found; raises `Refused` (`no-card`, `no-hand`)."""
    if state.planned_phase is Phase.IDLE:
        rule = state.setup.rulebook.deck.duplicate_late
        if rule.value is Defect.STANDS or state.over is None:
            return _too_late(state, event, rule)
        start_hand.not_over(state)
        return (defect(state, event.what.value, rule, event.seat),)
    _there(state, event)
    return (defect(state, event.what.value, state.setup.rulebook.deck.duplicate, event.seat),)


def foreign_back(state: State, event: Report) -> tuple[Ruling, ...]:
    """A card with another back was found; raises `Refused` (`no-card`, `no-hand`)."""
    book = state.setup.rulebook.deck
    if state.planned_phase is Phase.IDLE:
        return _too_late(state, event, book.foreign)
    _there(state, event)
    stub = book.foreign_stub if closed(state.hand_in_play) else book.foreign_stub_early
    rule = stub if event.where is Where.STUB else book.foreign
    return (defect(state, event.what.value, rule, event.seat),)


def missing_card(state: State, event: Report) -> tuple[Ruling, ...]:
    """The deck proves to be short; once the pot has been pushed the hand stands under every book.

    Raises `Refused` (`no-hand`).
    """
    rule = state.setup.rulebook.deck.missing
    if state.planned_phase is Phase.IDLE:
        return _too_late(state, event, rule)
    return (defect(state, event.what.value, rule, event.seat),)


def _too_late(state: State, event: Report, rule: Rule[object]) -> tuple[Ruling, ...]:
    """The pot has been pushed when the defect is found: nothing is void any more, but no hand is dealt from that deck.

    Refused before the first hand, when there is no result that it could touch.
    """
    if not state.number:
        raise Refused("no-hand", "no hand has been dealt yet: change the deck, or complete it, then `start`.")
    if state.hand is not None:
        state.hand.cards = replace(state.hand.cards, miscounted=True)
    mend = "complete" if event.what is What.MISSING_CARD else "change"
    sentence = f"the pot has been pushed, its result stands; {mend} the deck before the next deal"
    return (ruled(event.what.value, Verdict.PLAY_ON, rule, sentence),)


def defective(state: State, event: Report) -> tuple[Ruling, ...]:
    """Anything else is wrong with the deck: marked, damaged, faulty cards; raises `Refused` (`no-hand`)."""
    if state.planned_phase is Phase.IDLE:
        return _too_late(state, event, state.setup.rulebook.deck.defective)
    return (defect(state, event.what.value, state.setup.rulebook.deck.defective, event.seat),)


def _there(state: State, event: Report) -> None:
    """Refuse a report about a place where no card lies."""
    hand = state.hand_in_play
    if event.where is Where.STUB:
        return
    if event.seat is not None and not hand.cards.piles.at(hand_of(event.seat)):
        raise Refused("no-card", f"no card lies at seat {event.seat}; leave `seat` out for one in the muck.")
    if event.where is Where.BOARD and not hand.cards.piles.at(BOARD):
        raise Refused("no-card", "no card lies on the board.")
    if not any(hand.cards.piles.out.values()):
        raise Refused(
            "no-card", f"`{event.what.value}` speaks of cards that were dealt; none has been. Or `where` stub?"
        )


def joker(state: State, event: Report) -> tuple[Ruling, ...]:
    """A joker was found in a game without one.

    Raises `Refused` (`joker-in-use`, `no-card`, `key-missing`, `no-hand`).
    """
    if state.setup.joker:
        raise Refused("joker-in-use", "the joker belongs to this deck: it is a card like any other.")
    book = state.setup.rulebook.deck
    if state.planned_phase is Phase.IDLE:
        return _too_late(state, event, book.joker)
    hand = state.hand_in_play
    if event.where is Where.STUB or gathered(hand):
        return (defect(state, event.what.value, book.joker_stub),)
    place, lying = _joker(hand, event)
    scrapped_cards.must_be_new(hand, lying.serial)
    return _out_of_place(state, place, lying, "joker")


def lacking(state: State, place: str, lying: Lying, card: str) -> tuple[Ruling, ...]:
    """A card that was dealt proves to be one that the game does not have: where the book says so, as a joker is."""
    book = state.hand_in_play.setup.rulebook.deck
    if book.joker.value is not Joker.MISDEAL_IN_TIME:
        return (defect(state, "count-mismatch", book.surplus, seat_of(place), LACKING),)
    return _out_of_place(state, place, lying, card)


def _out_of_place(state: State, place: str, lying: Lying, card: str) -> tuple[Ruling, ...]:
    """A joker, or a card that the game does not have, lies in a hand or on the board."""
    hand = state.hand_in_play
    book, seat = hand.setup.rulebook.deck, seat_of(place)
    finding, what = (What.JOKER.value, None) if card == "joker" else ("count-mismatch", LACKING)
    acted = seat is not None and _has_acted_on(hand, seat, lying.serial)
    if book.joker.value is Joker.DEFECT:
        rule = book.joker_acted if acted else book.joker
        return (_misdeal(state, finding, Verdict.MISDEAL, rule, seat, what),)
    ground: Rule[object] = book.joker
    if book.joker.value is Joker.MISDEAL_IN_TIME:
        if not closed(hand):
            return (_misdeal(state, finding, Verdict.MISDEAL, book.joker, seat, what),)
        ground = book.joker_acted
    hand.cards = replace(hand.cards, piles=hand.cards.piles.known(lying.serial, card).as_strange(lying.serial))
    if lying.serial in hand.cards.undue:
        hand.cards = replace(hand.cards, undue=tuple(serial for serial in hand.cards.undue if serial != lying.serial))
        return (_scrap(hand, ground, None, False, finding),)
    if seat is not None and acted:
        return (killed(state, finding, seat, book.joker_acted),)
    belongs, empty = scrapped_cards.owner(hand, lying.serial), scrapped_cards.ruled_off(hand, lying.serial)
    if empty:
        _replaced(hand, lying.serial, place, belongs)
    plan_edits.scrapped(hand, lying.serial, "joker", book.joker_to.value, seat)
    return (_scrap(hand, ground, seat, empty, finding),)


def _has_acted_on(hand: Hand, seat: int, serial: int) -> bool:
    """Whether the seat has acted since it got the card; on one of the draw, since the draw."""
    drawn = next((draw for draw in hand.draw.draws if draw.street == hand.streets.planned and draw.seat == seat), None)
    since = (
        0
        if drawn is None or serial <= drawn.left
        else hand.betting.acted_before.get(hand.streets.planned, len(hand.betting.acted))
    )
    return seat in hand.betting.acted[since:]


def _joker(hand: Hand, event: Report) -> tuple[str, Lying]:
    """Where the joker lies, and which card it is: the one named, else the one that nothing read, else the last."""
    if event.where is Where.BOARD:
        place = BOARD
    elif event.seat is not None:
        place = hand_of(event.seat)
    elif event.where is not Where.HAND or hand.cards.undue:
        place = last(hand, event).place
    elif hand.cards.last is not None and isinstance(hand.cards.last.step, Deal):
        place = hand_of(hand.cards.last.step.seat)
    else:
        raise Refused("key-missing", "the last card went to no hand: name the `seat` that holds the joker.")
    pile = hand.cards.piles.at(place)
    if event.nth is not None and event.nth > len(pile):
        raise Refused("no-card", f"cards there: {len(pile)}; `nth` is 1 to {len(pile)}.")
    if not pile:
        raise Refused("no-card", f"no card lies there ({place}).")
    if event.nth is not None:
        return place, pile[event.nth - 1]
    unread = [lying for lying in pile if lying.card is None]
    return place, (unread or list(pile))[-1]


def _replaced(hand: Hand, serial: int, place: str, seat: int | None) -> None:
    """The next card takes the joker's place: at once when it was the last one, else when the round is dealt.

    A card that went aside, or to the burns before a street long dealt, has no place to fill.
    """
    if hand.cards.last is not None and hand.cards.last.serial == serial:
        hand.plan = hand.plan.once_more(hand.cards.last.step)
    elif seat is not None:
        face: Face = "up" if hand.cards.piles.card(serial).up else "down"
        plan_edits.after_the_round(hand, Deal(seat, face, "replacement", ruled=True, concerns=seat))
    elif place == BOARD:
        hand.plan = hand.plan.first(Board(_street_of(hand, serial), 1, ruled=True))


def _street_of(hand: Hand, serial: int) -> str:
    """The street of a board card, by its place on the board."""
    index = [lying.serial for lying in hand.cards.piles.at(BOARD)].index(serial)
    counted = 0
    for street in hand.setup.game.streets:
        counted += street.board
        if index < counted:
            return street.name
    return hand.setup.game.streets[-1].name
