"""What an antenna reads at a seat, the board or the muck: it confirms a place, names an unread card, or disagrees."""

from controller.core.irregularities.hands.misread_card import correct_card_name
from controller.core.irregularities.hands.wrong_count import rule_on_extra_card
from controller.core.irregularities.hands.wrong_seat import rule_on_misplaced_card, rule_on_unentitled_seat
from controller.core.model.hand import Hand
from controller.core.model.known_cards import name_read_by_sensor
from controller.core.model.table_state import TableState
from controller.core.play.betting import round_tracking
from controller.core.play.dealing import step_execution
from controller.core.play.refusal_messages import not_now_refusal
from controller.core.play.showdown import unknown_discards
from controller.core.protocol.events import CardDetected, Report
from controller.core.protocol.events import PlayerActed as ActEvent
from controller.core.protocol.steps import (
    ActStep,
    AwardStep,
    BettingRoundStep,
    CollectStep,
    CutStep,
    MoveStep,
    QuestionStep,
    ReturnStep,
    ShowStep,
    ShuffleStep,
)
from controller.core.protocol.vocabulary import ActionType, ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Ruling, build_ask_ruling
from controller.core.values.piles import ALL, BOARD, BURN, MUCK, PlacedCard, hand_place, seat_of_place
from controller.core.values.value import replace

FINDING = "card-elsewhere"


def apply_antenna_read(state: TableState, event: CardDetected) -> tuple[Ruling, ...]:
    """A card lies in an antenna's field; raises `Refused` (`not-now`)."""
    hand = state.hand
    if hand is None:
        raise not_now_refusal(state, f"seen at {event.place}")
    if not hand.plan or _is_outdated(hand, event):
        return ()
    if any(name_read_by_sensor(hand, lying) is None for lying in hand.cards.piles.cards_at(event.place)):
        unknown_discards.clear_redealt_identity(hand, event)
    found = _find_named_card(hand, event.card)
    if (found is None or found[0] != event.place) and unknown_discards.relocate_believed_card(
        hand, event, found and found[1]
    ):
        return ()
    if found is None:
        return _identify_unread_card(state, hand, event)
    place, lying = found
    if place == event.place:
        unknown_discards.confirm_discard(hand, lying)
        return ()
    if event.place == MUCK:
        seat, bet = seat_of_place(place), hand.plan.next_step_if(BettingRoundStep)
        if bet is not None and seat in bet.seats:
            round_tracking.record_round_action(hand, ActEvent(seat, ActionType.FOLD))
            hand.plan = hand.plan.drop_first()
            return ()
        _note_card_in_muck(hand, seat, lying)
    if _confirm_step(hand, lying, event.place) or (event.place == MUCK and _can_be_mucked(hand, place)):
        return ()
    return _rule_on_card_elsewhere(state, hand, lying, place, event.place)


def _is_outdated(hand: Hand, event: CardDetected) -> bool:
    """Whether the antenna speaks of what was before: cards being gathered, or a hand that has left its seat."""
    gathered = any(step.source == ALL for step in hand.plan.steps_of_type(ReturnStep))
    mixed = bool(hand.plan.next_step_if(ShuffleStep) or hand.plan.next_step_if(CutStep))
    seat = seat_of_place(event.place)
    gone = seat is not None and not hand.cards.piles.cards_at(event.place) and _can_lie_in(hand, event.card, MUCK)
    before = (
        (event.place, event.card) in hand.cards.previous_hand_cards
        and not hand.betting.acted_seats
        and not hand.cards.piles.has_card(event.card)
    )
    return gathered or mixed or not hand.cards.piles.dealt_count or gone or before


def _can_lie_in(hand: Hand, card: str, place: str) -> bool:
    return any(name_read_by_sensor(hand, lying) in (card, None) for lying in hand.cards.piles.cards_at(place))


def _find_named_card(hand: Hand, card: str) -> tuple[str, PlacedCard] | None:
    """Where the card of this name lies outside the stub: the deck's own, or a strange one that left in this deal."""
    found = (
        (place, lying)
        for place, pile in hand.cards.piles.cards_by_place.items()
        for lying in pile
        if name_read_by_sensor(hand, lying) == card and lying.serial > 0
    )
    return min(found, key=lambda each: each[1].is_foreign, default=None)


def _confirm_step(hand: Hand, lying: PlacedCard, at: str) -> bool:
    """The card has gone where the first step sends it: the step is done."""
    step = hand.plan.next_step_if(ReturnStep) or hand.plan.next_step_if(MoveStep)
    if step is None or step.serials != (lying.serial,) or step.destination != at:
        return False
    step_execution.carry_out(hand, step)
    hand.plan = hand.plan.drop_first()
    return True


def _identify_unread_card(state: TableState, hand: Hand, event: CardDetected) -> tuple[Ruling, ...]:
    """A card that nothing has read yet: an unread one of that place, or the last one that went there instead.

    While the cards are dealt, and in the muck, it may be one that an antenna still reads from the hand before.
    """
    unread = [lying for lying in hand.cards.piles.cards_at(event.place) if name_read_by_sensor(hand, lying) is None]
    if unread:
        return correct_card_name(state, hand, unread[0].serial, event.card)
    last = hand.cards.piles.dealt_count
    place = hand.cards.piles.find_place(last)
    if place is not None and place != event.place:
        lying = hand.cards.piles.get_card(last)
        if name_read_by_sensor(hand, lying) is None:
            piles = hand.cards.piles.identify_card(last, event.card, named=False)
            hand.cards = replace(hand.cards, piles=piles)
            return _rule_on_card_elsewhere(state, hand, lying, place, event.place)
    if event.place == MUCK or not hand.betting.acted_seats or not hand.cards.piles.cards_at(event.place):
        return ()
    return _ask_dealer(
        hand, (ReportKind.MISREAD, ReportKind.EXTRA_CARD, ReportKind.DUPLICATE, ReportKind.DECK_DEFECTIVE), event.place
    )


def _note_card_in_muck(hand: Hand, seat: int | None, lying: PlacedCard) -> None:
    """A card of the seat that is to act lies in the muck: the seat has folded once all its cards do."""
    turn = hand.plan.next_step_if(ActStep)
    if turn is not None and turn.seat == seat:
        hand.cards = replace(hand.cards, muck_read_serials=hand.cards.muck_read_serials | {lying.serial})


def find_folded_seat(state: TableState) -> int | None:
    """The seat that is to act, where all its cards have been read in the muck."""
    turn = None if state.hand is None else state.hand.plan.next_step_if(ActStep)
    if state.hand is None or turn is None:
        return None
    cards = {lying.serial for lying in state.hand.cards.piles.cards_at(hand_place(turn.seat))}
    return turn.seat if cards and cards <= state.hand.cards.muck_read_serials else None


def _can_be_mucked(hand: Hand, place: str) -> bool:
    """Whether cards that lie at `place` may be in the muck before anybody has entered why.

    The seat whose turn it is has folded, or one out of turn, one that is to show gives its hand up, or the pot is
    being pushed.
    """
    turn, seat = hand.plan.next_step_if(ActStep), seat_of_place(place)
    early = (
        None
        if hand.round is None or seat is None
        else {**hand.round.early_action_by_seat, **hand.round.bound_action_by_seat}.get(seat)
    )
    if early is not None and early.action_name == ActionType.FOLD.value:
        return True
    if turn:
        return turn.seat == seat
    return any(hand.plan.next_step_if(kind) for kind in (ShowStep, AwardStep, CollectStep))


def _rule_on_card_elsewhere(
    state: TableState, hand: Hand, lying: PlacedCard, place: str, at: str
) -> tuple[Ruling, ...]:
    """A card lies in another place than the plan sent it to."""
    belongs, seat = seat_of_place(place), seat_of_place(at)
    if belongs is not None and seat is not None:
        if not hand.betting.acted_seats and _is_free_of_remedies(hand, lying):
            return rule_on_misplaced_card(state, lying.serial, seat)
        return _ask_dealer(hand, (ReportKind.WRONG_SEAT, ReportKind.MISREAD, ReportKind.DUPLICATE), at)
    if hand.cards.unexpected_serials == (lying.serial,) and seat is not None:
        return _rule_on_unexpected_card(state, hand, seat)
    if place == BURN and at == BOARD:
        return _ask_dealer(hand, (ReportKind.NO_BURN, ReportKind.MISREAD), at)
    if place == BOARD and at == MUCK:
        return _ask_dealer(hand, (ReportKind.DOUBLE_BURN, ReportKind.MISREAD), at)
    if lying.serial in hand.cards.unexpected_serials:
        return _ask_dealer(
            hand, (ReportKind.EXTRA_CARD, ReportKind.NOT_ENTITLED, ReportKind.PREMATURE, ReportKind.BOARD_EXTRA), at
        )
    if at == MUCK and belongs is not None:
        if belongs not in hand.betting.live_seats:
            return ()
        return _ask_dealer(hand, (ReportKind.MISREAD, ReportKind.SHORT_HAND, ReportKind.DECK_DEFECTIVE), at, belongs)
    if place == BURN and at == MUCK:
        return ()
    return _ask_dealer(hand, (ReportKind.MISREAD, ReportKind.DUPLICATE, ReportKind.EXTRA_CARD), at)


def _is_free_of_remedies(hand: Hand, lying: PlacedCard) -> bool:
    """Whether no ruling is about to take the card elsewhere."""
    moving = hand.plan.steps_of_type(ReturnStep, MoveStep)
    return all(lying.serial not in step.serials for step in moving) and lying.serial not in hand.cards.exposed_serials


def _rule_on_unexpected_card(state: TableState, hand: Hand, seat: int) -> tuple[Ruling, ...]:
    """The card that left when none was due lies at a seat: nobody needs to be asked."""
    if hand.plan.next_step_if(QuestionStep):
        hand.plan = hand.plan.drop_first()
    if seat in hand.dealing_order:
        return rule_on_extra_card(state, Report(ReportKind.EXTRA_CARD, seat=seat, count=1))
    return rule_on_unentitled_seat(state, Report(ReportKind.NOT_ENTITLED, seat=seat))


def _ask_dealer(hand: Hand, whats: tuple[ReportKind, ...], at: str, folded: int | None = None) -> tuple[Ruling, ...]:
    """Only the dealer can say why; nothing is asked twice at a time. `folded`: a seat that may have done so early."""
    if not hand.plan.next_step_if(QuestionStep):
        hand.plan = hand.plan.prepend(QuestionStep(tuple(what.value for what in whats), concerned_seat=folded))
    template = said.CARD_ELSEWHERE if folded is None else said.CARD_ELSEWHERE_OR_FOLD
    return (build_ask_ruling(FINDING, template.format(place=at, folded=folded)),)
