"""A player pays the time charge or declines it: what is taken, and who is dealt out [AU-8.2(c), R7-2.proc.2]."""

from controller.core.model.table_state import TableState
from controller.core.play.game_flow import hand_start, house_collection
from controller.core.play.game_flow.house_collection import count_stack, decline, store_chair, take_chips
from controller.core.play.seating.attendance import require_seat_state
from controller.core.protocol.collection_terms import CollectionKind
from controller.core.protocol.events import TimeCharged
from controller.core.protocol.facts import ChipsCollected
from controller.core.protocol.steps import CollectStep
from controller.core.protocol.table_display import Phase
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.house.collection_rules import UnwillingPlayer
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.seat_state import ChargeStanding, SeatState
from controller.core.values.value import replace


def answer_charge(state: TableState, event: TimeCharged) -> tuple[Ruling, ...]:
    """A seat pays or declines: its step goes off the plan; who was dealt out comes in again.

    Raises `Refused` (`nothing-due`, `not-now`, `must-pay`).
    """
    chair = require_seat_state(state, event.seat)
    step = next((each for each in state.plan.steps_of_type(CollectStep) if each.seat == event.seat), None)
    if step is None and (not event.is_paid or chair.charge is ChargeStanding.SETTLED):
        raise Refused("nothing-due", f"seat {event.seat} owes no time charge now.")
    _require_time_to_answer(state, event.seat, step)
    if event.is_paid:
        return take_charge(state, event.seat)
    book = state.setup.rulebook.collection
    rule = book.unwilling if state.setup.game.has_button else book.unwilling_stud
    most = book.most_waiting
    if event.waiting_count > most.value and rule.value is not UnwillingPlayer.DEALT_OUT:
        raise Refused(
            "must-pay",
            f"{event.waiting_count} wait for a seat: everyone must pay ({most.source}).",
        )
    hand = state.hand_in_play
    hand.plan = hand.plan.drop_steps(step) if step is not None else hand.plan
    out = UnwillingPlayer.DEALT_OUT is rule.value or chair.charge is ChargeStanding.DEALT_OUT
    if rule.value is UnwillingPlayer.UNTIL_THE_BLIND:
        out = out or house_collection.is_big_blind_due(state, event.seat)
    store_chair(state, decline(chair, out=out), before=True)
    if out and event.seat in hand.dealing_order:
        hand_start.redeal(state, None)
    template = said.UNPAID_ONE_HAND if rule.value is UnwillingPlayer.ONE_HAND else said.UNPAID_UNTIL_BLIND
    sentence = (said.UNPAID_DEALT_OUT if out else template).format(seat=event.seat)
    return (build_ruling("time-charge", Verdict.PLAY_ON, rule, sentence, event.seat),)


def take_charge(state: TableState, seat: int) -> tuple[Ruling, ...]:
    """The seat's time charge is in the house's money; a smaller stack gives what it has."""
    terms, account, chair = state.setup.collection, state.collection, require_seat_state(state, seat)
    assert account is not None
    step = next((each for each in state.plan.steps_of_type(CollectStep) if each.seat == seat), None)
    if step is not None:
        state.hand_in_play.plan = state.plan.drop_steps(step)
    settled = _let_in(chair) if chair.charge is ChargeStanding.DEALT_OUT else chair
    store_chair(state, replace(settled, charge=ChargeStanding.SETTLED), before=True)
    if terms is None or terms.kind is not CollectionKind.TIME or not state.setup.tracks_amounts:
        return ()
    paid = min(terms.fee, count_stack(state, chair))
    take_chips(state, seat, paid)
    state.collection = replace(account, charge_chips=account.charge_chips + paid)
    if state.hand is not None:
        state.hand.tell(ChipsCollected(paid, seat=seat))
    has_bet = state.is_hand_on and state.hand_in_play.chips.bet_by_seat.get(seat, 0)
    if state.is_hand_on and seat in state.hand_in_play.dealing_order and not count_stack(state, chair) and not has_bet:
        hand_start.redeal(state, None)
    if paid == terms.fee:
        return ()
    rule = state.setup.rulebook.collection.charges_absent
    sentence = (said.PAYS_PART if paid else said.PAYS_NOTHING).format(seat=seat, amount=paid, fee=terms.fee)
    return (build_ruling("time-charge", Verdict.PLAY_ON, rule, sentence, seat),)


def _require_time_to_answer(state: TableState, seat: int, step: CollectStep | None) -> None:
    """Refuse (`not-now`) where a remedy comes first, and of a seat whose cards are out: it plays with what it has."""
    if not state.is_hand_on:
        return
    hand, is_first = state.hand_in_play, isinstance(state.plan.next_step, CollectStep)
    if step is None and seat in hand.dealing_order and (hand.cards.piles.dealt_count or state.phase is not Phase.DEAL):
        raise Refused("not-now", f"seat {seat} plays this hand; it pays the time charge when the hand is over.")
    if step is not None and not is_first:
        raise Refused("not-now", f"the time charge of seat {seat} comes later: carry out the steps before it first.")


def _let_in(chair: SeatState) -> SeatState:
    """Who pays after it was dealt out comes in like one who was away."""
    waits = chair.owes_blinds or chair.waits_for_big_blind
    return replace(chair, is_away=False, away_since_s=None, waits_for_big_blind=waits)
