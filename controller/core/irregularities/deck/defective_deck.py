"""The deck is not as it should be: jokers, duplicates, foreign backs, too few or too many cards."""

from controller.core.irregularities.common.fouled_hand import kill_fouled_hand
from controller.core.irregularities.common.misdeal_status import is_misdeal_window_closed
from controller.core.irregularities.common.reported_card import find_last_card, is_gathering_cards
from controller.core.irregularities.remedies import plan_edits, scrapped_cards
from controller.core.model.hand import Hand
from controller.core.model.known_cards import find_known_duplicate, is_duplicate, is_name_taken
from controller.core.model.table_state import TableState
from controller.core.play.dealing import step_execution
from controller.core.play.game_flow import hand_start
from controller.core.protocol.events import CardDealt, Report
from controller.core.protocol.steps import BoardStep, CardStep, DealStep, Face
from controller.core.protocol.table_display import Phase
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import CardPlace, ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.cards.boxed_rules import DefectConsequence
from controller.core.rules.questions.cards.deck_rules import JokerConsequence
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.cards import build_deck
from controller.core.values.piles import ASIDE, BOARD, PlacedCard, hand_place, seat_of_place
from controller.core.values.value import replace

DEFECT_SENTENCES = {
    ReportKind.JOKER.value: said.JOKER_FOUND,
    ReportKind.DUPLICATE.value: said.SAME_CARD_TWICE,
    ReportKind.FOREIGN_BACK.value: said.OTHER_BACK,
    ReportKind.MISSING_CARD.value: said.DECK_SHORT,
    ReportKind.DECK_DEFECTIVE.value: said.DECK_DEFECTIVE,
    "count-mismatch": said.DECK_LONG,
}


def find_card_defect(hand: Hand, event: CardDealt) -> str | None:
    """The finding about a card that the deck cannot hold, as the shoe read it; `None` for a sound one."""
    if event.is_foreign:
        return ReportKind.FOREIGN_BACK.value
    if event.card == "joker" and not hand.setup.has_joker:
        return ReportKind.JOKER.value
    if event.is_duplicate or (event.card is not None and _is_out(hand, event.card, event)):
        return ReportKind.DUPLICATE.value
    return "count-mismatch" if is_stripped_card(hand, event.card) or not hand.cards.piles.stub_count else None


def _is_out(hand: Hand, card: str, event: CardDealt) -> bool:
    """Whether the name of a card that left the shoe is out already, as far as the table may compare it."""
    if event.is_named:
        return is_name_taken(hand, card)
    return is_duplicate(hand, card, is_open=event.face_up or step_execution.is_dealt_open(hand.plan.next_step))


def is_stripped_card(hand: Hand, card: str | None) -> bool:
    """Whether it is a card that was taken out of the deck for this game."""
    return hand.setup.deck_size != 52 and card not in (
        None,
        "joker",
        *build_deck(hand.setup.deck_size, hand.setup.has_joker),
    )


def rule_on_strange_card(state: TableState, event: CardDealt, finding: str) -> tuple[Ruling, ...]:
    """Such a card has left the shoe: it lies where the plan sends it, or aside, and is ruled on at once."""
    hand = state.hand_in_play
    book = hand.setup.rulebook.deck
    own = CardDealt(event.card, face_up=event.face_up, is_foreign=True, is_named=event.is_named)
    step = step_execution.lay(hand, own) if hand.plan.next_step_if(CardStep) else None
    if step is None:
        piles = hand.cards.piles.deal_card(ASIDE, own.card, up=event.face_up, strange=True, named=own.is_named)
        hand.cards = replace(hand.cards, piles=piles)
    serial = hand.cards.piles.dealt_count
    seat = step.seat if isinstance(step, DealStep) else None
    lacking = finding == "count-mismatch" and is_stripped_card(hand, event.card)
    as_joker = finding == ReportKind.JOKER.value or (lacking and book.joker.value is JokerConsequence.MISDEAL_IN_TIME)
    if not as_joker:
        rules = {ReportKind.FOREIGN_BACK.value: book.foreign, ReportKind.DUPLICATE.value: book.duplicate}
        return (
            rule_on_defect(
                state, finding, rules.get(finding, book.surplus), seat, said.STRIPPED_CARD if lacking else None
            ),
        )
    late = book.joker.value is JokerConsequence.MISDEAL_IN_TIME and is_misdeal_window_closed(hand)
    if book.joker.value is not JokerConsequence.SCRAP and not late:
        return (
            _declare_misdeal(
                state, finding, Verdict.MISDEAL, book.joker, seat, said.STRIPPED_CARD if lacking else None
            ),
        )
    if step is not None:
        hand.plan = hand.plan.repeat_step(step)
        plan_edits.scrap_card(hand, serial, "joker", book.joker_to.value, seat)
    return (_scrap(hand, book.joker_acted if late else book.joker, seat, step is not None, finding),)


def _scrap(
    hand: Hand, rule: Rule[object], seat: int | None, empty: bool = True, finding: str = ReportKind.JOKER.value
) -> Ruling:
    hand.cards = replace(hand.cards, has_wrong_count=True)
    scrap = said.JOKER_IS_SCRAP if finding == ReportKind.JOKER.value else said.STRIPPED_IS_SCRAP
    sentence = said.join_sentences(scrap, said.NEXT_CARD_REPLACES if empty else said.NO_CARD_REPLACES)
    return build_ruling(finding, Verdict.SCRAP, rule, sentence, seat)


STUB_SENTENCES = {
    ReportKind.JOKER.value: said.JOKER_IN_STUB,
    ReportKind.FOREIGN_BACK.value: said.OTHER_BACK_IN_STUB,
}
"""What is said of a card that was found in the stub and changes nothing."""


def rule_on_defect(
    state: TableState, finding: str, rule: Rule[DefectConsequence], seat: int | None = None, what: str | None = None
) -> Ruling:
    """What the book makes of a defect of the deck. `what`: how it is said, where not as the finding is."""
    if rule.value is DefectConsequence.STANDS:
        if state.hand is not None:
            state.hand.cards = replace(state.hand.cards, has_wrong_count=True)
        found = STUB_SENTENCES.get(finding, DEFECT_SENTENCES[finding])
        stands = said.join_sentences(found, said.CHANGE_DECK)
        return build_ruling(finding, Verdict.PLAY_ON, rule, stands, seat)
    verdict = Verdict.VOID_HAND if rule.value is DefectConsequence.VOID else Verdict.MISDEAL
    return _declare_misdeal(state, finding, verdict, rule, seat, what)


def _declare_misdeal(
    state: TableState, finding: str, verdict: Verdict, rule: Rule[object], seat: int | None, what: str | None = None
) -> Ruling:
    plan_edits.void_and_redeal(state)
    state.hand_in_play.cards = replace(state.hand_in_play.cards, needs_new_deck=True)
    again = said.VOID_OTHER_DECK if verdict is Verdict.VOID_HAND else said.MISDEAL_OTHER_DECK
    sentence = said.join_sentences(what or DEFECT_SENTENCES[finding], again)
    return build_ruling(finding, verdict, rule, sentence, seat)


def remind_to_count_deck(state: TableState) -> tuple[Ruling, ...]:
    """Before a deal: the last hand has shown that the deck has a card too few or too many."""
    rule = state.setup.rulebook.deck.counted
    if not rule.value or state.hand is None or not state.hand.cards.has_wrong_count:
        return ()
    return (build_ruling("count-mismatch", Verdict.PLAY_ON, rule, said.COUNT_DECK),)


def rule_on_duplicate(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """Two cards of the same rank and suit were found; raises `Refused` (`no-card`, `no-hand`)."""
    if state.planned_phase is Phase.IDLE:
        rule = state.setup.rulebook.deck.duplicate_late
        if rule.value is DefectConsequence.STANDS or state.state_before_last_hand is None:
            return _rule_after_pot_pushed(state, event, rule)
        hand_start.reopen_last_hand(state)
        return (rule_on_defect(state, event.kind.value, rule, event.seat),)
    _refuse_empty_place(state, event)
    return (rule_on_defect(state, event.kind.value, state.setup.rulebook.deck.duplicate, event.seat),)


def rule_on_foreign_back(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """A card with another back was found; raises `Refused` (`no-card`, `no-hand`)."""
    book = state.setup.rulebook.deck
    if state.planned_phase is Phase.IDLE:
        return _rule_after_pot_pushed(state, event, book.foreign)
    _refuse_empty_place(state, event)
    stub = book.foreign_stub if is_misdeal_window_closed(state.hand_in_play) else book.foreign_stub_early
    rule = stub if event.card_place is CardPlace.STUB else book.foreign
    return (rule_on_defect(state, event.kind.value, rule, event.seat),)


def rule_on_missing_card(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The deck proves to be short; once the pot has been pushed the hand stands under every book.

    Raises `Refused` (`no-hand`).
    """
    rule = state.setup.rulebook.deck.missing
    if state.planned_phase is Phase.IDLE:
        return _rule_after_pot_pushed(state, event, rule)
    return (rule_on_defect(state, event.kind.value, rule, event.seat),)


def _rule_after_pot_pushed(state: TableState, event: Report, rule: Rule[object]) -> tuple[Ruling, ...]:
    """The pot has been pushed when the defect is found: nothing is void any more, but no hand is dealt from that deck.

    Refused before the first hand, when there is no result that it could touch.
    """
    if not state.hand_count:
        raise Refused("no-hand", "no hand has been dealt yet: change the deck, or complete it, then `start`.")
    if state.hand is not None:
        state.hand.cards = replace(state.hand.cards, has_wrong_count=True)
    is_short = event.kind is ReportKind.MISSING_CARD
    sentence = said.COMPLETE_DECK_AFTER_POT if is_short else said.CHANGE_DECK_AFTER_POT
    return (build_ruling(event.kind.value, Verdict.PLAY_ON, rule, sentence),)


def rule_on_defective_deck(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """Anything else is wrong with the deck: marked, damaged, faulty cards; raises `Refused` (`no-hand`)."""
    if state.planned_phase is Phase.IDLE:
        return _rule_after_pot_pushed(state, event, state.setup.rulebook.deck.defective)
    return (rule_on_defect(state, event.kind.value, state.setup.rulebook.deck.defective, event.seat),)


def _refuse_empty_place(state: TableState, event: Report) -> None:
    """Refuse a report about a place where no card lies."""
    hand = state.hand_in_play
    if event.card_place is CardPlace.STUB:
        return
    if event.seat is not None and not hand.cards.piles.cards_at(hand_place(event.seat)):
        raise Refused("no-card", f"no card lies at seat {event.seat}; leave `seat` out for one in the muck.")
    if event.card_place is CardPlace.BOARD and not hand.cards.piles.cards_at(BOARD):
        raise Refused("no-card", "no card lies on the board.")
    if not any(hand.cards.piles.cards_by_place.values()):
        raise Refused(
            "no-card", f"`{event.kind.value}` speaks of cards that were dealt; none has been. Or `where` stub?"
        )


def rule_on_joker(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """A joker was found in a game without one.

    Raises `Refused` (`joker-in-use`, `no-card`, `key-missing`, `no-hand`).
    """
    if state.setup.has_joker:
        raise Refused("joker-in-use", "the joker belongs to this deck: it is a card like any other.")
    book = state.setup.rulebook.deck
    if state.planned_phase is Phase.IDLE:
        return _rule_after_pot_pushed(state, event, book.joker)
    hand = state.hand_in_play
    if event.card_place is CardPlace.STUB or is_gathering_cards(hand):
        return (rule_on_defect(state, event.kind.value, book.joker_stub),)
    place, lying = _find_joker(hand, event)
    scrapped_cards.refuse_if_scrapped(hand, lying.serial)
    return _rule_on_dealt_joker(state, place, lying, "joker")


def rule_on_stripped_card(state: TableState, place: str, lying: PlacedCard, card: str) -> tuple[Ruling, ...]:
    """A card that was dealt proves to be one that the game does not have: where the book says so, as a joker is."""
    book = state.hand_in_play.setup.rulebook.deck
    if book.joker.value is not JokerConsequence.MISDEAL_IN_TIME:
        return (rule_on_defect(state, "count-mismatch", book.surplus, seat_of_place(place), said.STRIPPED_CARD),)
    return _rule_on_dealt_joker(state, place, lying, card)


def _rule_on_dealt_joker(state: TableState, place: str, lying: PlacedCard, card: str) -> tuple[Ruling, ...]:
    """A joker, or a card that the game does not have, lies in a hand or on the board."""
    hand = state.hand_in_play
    book, seat = hand.setup.rulebook.deck, seat_of_place(place)
    finding, what = (ReportKind.JOKER.value, None) if card == "joker" else ("count-mismatch", said.STRIPPED_CARD)
    acted = seat is not None and _has_acted_since_card(hand, seat, lying.serial)
    if book.joker.value is JokerConsequence.DEFECT:
        rule = book.joker_acted if acted else book.joker
        return (_declare_misdeal(state, finding, Verdict.MISDEAL, rule, seat, what),)
    ground: Rule[object] = book.joker
    if book.joker.value is JokerConsequence.MISDEAL_IN_TIME:
        if not is_misdeal_window_closed(hand):
            return (_declare_misdeal(state, finding, Verdict.MISDEAL, book.joker, seat, what),)
        ground = book.joker_acted
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.identify_card(lying.serial, card).mark_foreign(lying.serial)
    )
    if lying.serial in hand.cards.unexpected_serials:
        hand.cards = hand.cards.explain_cards((lying.serial,))
        return (_scrap(hand, ground, None, False, finding),)
    if seat is not None and acted:
        return (kill_fouled_hand(state, finding, seat, book.joker_acted),)
    belongs, empty = scrapped_cards.card_owner(hand, lying.serial), scrapped_cards.cancel_remedies(hand, lying.serial)
    if empty:
        _add_replacement(hand, lying.serial, place, belongs)
    plan_edits.scrap_card(hand, lying.serial, "joker", book.joker_to.value, seat)
    return (_scrap(hand, ground, seat, empty, finding),)


def _has_acted_since_card(hand: Hand, seat: int, serial: int) -> bool:
    """Whether the seat has acted since it got the card; on one of the draw, since the draw."""
    street, acted = hand.streets.planned_street, hand.betting.acted_seats
    drawn = next((draw for draw in hand.draw.draws if draw.street == street), None)
    is_of_draw = drawn is not None and serial > drawn.last_serial_before
    return seat in acted[hand.betting.acted_count_by_street.get(street, len(acted)) if is_of_draw else 0 :]


def _find_joker(hand: Hand, event: Report) -> tuple[str, PlacedCard]:
    """Where the joker lies, and which card it is: the one named, else the one that nothing read, else the last."""
    if event.card_place is CardPlace.BOARD:
        place = BOARD
    elif event.seat is not None:
        place = hand_place(event.seat)
    elif event.card_place is not CardPlace.HAND or hand.cards.unexpected_serials:
        place = find_last_card(hand, event).place
    elif hand.cards.last_dealt is not None and isinstance(hand.cards.last_dealt.step, DealStep):
        place = hand_place(hand.cards.last_dealt.step.seat)
    else:
        raise Refused("key-missing", "the last card went to no hand: name the `seat` that holds the joker.")
    pile = hand.cards.piles.cards_at(place)
    if event.nth is not None and event.nth > len(pile):
        raise Refused("no-card", f"cards there: {len(pile)}; `nth` is 1 to {len(pile)}.")
    if not pile:
        raise Refused("no-card", f"no card lies there ({place}).")
    if event.nth is not None:
        return place, pile[event.nth - 1]
    unread = [lying for lying in pile if lying.card is None]
    return place, (unread or list(pile))[-1]


def _add_replacement(hand: Hand, serial: int, place: str, seat: int | None) -> None:
    """The next card takes the joker's place: at once when it was the last one, else when the round is dealt.

    A card that went aside, or to the burns before a street long dealt, has no place to fill.
    """
    if hand.cards.last_dealt is not None and hand.cards.last_dealt.serial == serial:
        hand.plan = hand.plan.repeat_step(hand.cards.last_dealt.step)
    elif seat is not None:
        face: Face = "up" if hand.cards.piles.get_card(serial).is_face_up else "down"
        plan_edits.insert_after_dealing_round(
            hand, DealStep(seat, face, "replacement", is_ruled=True, concerned_seat=seat)
        )
    elif place == BOARD:
        hand.plan = hand.plan.prepend(BoardStep(_street_of(hand, serial), 1, is_ruled=True))


def _street_of(hand: Hand, serial: int) -> str:
    """The street of a board card, by its place on the board."""
    index = [lying.serial for lying in hand.cards.piles.cards_at(BOARD)].index(serial)
    counted = 0
    for street in hand.setup.game.streets:
        counted += street.board_count
        if index < counted:
            return street.name
    return hand.setup.game.streets[-1].name


def rule_on_known_duplicate(state: TableState) -> tuple[Ruling, ...]:
    """Two cards of one name are known by now, which nobody could compare while one of them lay face down."""
    if state.hand is None or find_known_duplicate(state.hand) is None:
        return ()
    return rule_on_duplicate(state, Report(ReportKind.DUPLICATE))
