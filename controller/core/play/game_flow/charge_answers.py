"""A player pays the time charge or declines it: what is taken, and who is dealt out [AU-8.2(c), R7-2.proc.2]."""

from controller.core.model.table_state import TableState
from controller.core.play.game_flow import hand_start
from controller.core.play.game_flow.house_collection import count_stack, decline, store_chair, take_chips
from controller.core.play.seating.attendance import require_seat_state
from controller.core.protocol.collection_terms import CollectionKind
from controller.core.protocol.events import TimeCharged
from controller.core.protocol.facts import ChipsCollected
from controller.core.protocol.steps import CollectStep
from controller.core.protocol.table_error import Refused
from controller.core.rules.questions.house.collection_rules import UnwillingPlayer
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.seat_state import ChargeStanding, SeatState
from controller.core.values.value import replace


def answer_charge(state: TableState, event: TimeCharged) -> tuple[Ruling, ...]:
    """A seat pays or declines: its step goes off the plan; who was dealt out comes in again.

    Raises `Refused` (`nothing-due`, `must-pay`).
    """
    chair = require_seat_state(state, event.seat)
    step = next((each for each in state.plan.steps_of_type(CollectStep) if each.seat == event.seat), None)
    if step is None and (not event.is_paid or chair.charge is ChargeStanding.SETTLED):
        raise Refused("nothing-due", f"seat {event.seat} owes no time charge now.")
    if event.is_paid:
        return take_charge(state, event.seat)
    book = state.setup.rulebook.collection
    rule = book.unwilling if state.setup.game.has_button else book.unwilling_stud
    most = book.most_waiting
    if event.waiting_count > most.value and rule.value is not UnwillingPlayer.DEALT_OUT:
        raise Refused(
            "must-pay",
            f"{event.waiting_count} wait for a seat: everyone must pay ({most.source}); `leave` gives it up.",
        )
    hand = state.hand_in_play
    hand.plan = hand.plan.drop_steps(step) if step is not None else hand.plan
    out = rule.value is UnwillingPlayer.DEALT_OUT or (
        rule.value is UnwillingPlayer.UNTIL_THE_BLIND and event.seat in hand.positions.big_blinds
    )
    store_chair(state, decline(chair, out=out), before=True)
    if out:
        _deal_anew(state, event.seat)
    does = "is dealt out until it pays" if out else "plays until the big blind reaches it"
    if rule.value is UnwillingPlayer.ONE_HAND:
        does = "plays this one hand"
    sentence = f"seat {event.seat} does not pay the time charge: it {does}"
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
        _deal_anew(state, seat)
    if paid == terms.fee:
        return ()
    rule = state.setup.rulebook.collection.charges_absent
    sentence = f"seat {seat} pays {paid} of the time charge of {terms.fee}, all that it has"
    return (build_ruling("time-charge", Verdict.PLAY_ON, rule, sentence, seat),)


def _let_in(chair: SeatState) -> SeatState:
    """Who pays after it was dealt out comes in like one who was away."""
    waits = chair.owes_big_blind or chair.owes_small_blind or chair.waits_for_big_blind
    return replace(chair, is_away=False, away_since_s=None, waits_for_big_blind=waits)


def _deal_anew(state: TableState, seat: int) -> None:
    """No card is out: the hand is laid out again without a seat, and the charges still to come stay first."""
    rest = tuple(step for step in state.plan.steps_of_type(CollectStep) if step.seat != seat)
    hand_start.redeal(state, None)
    state.hand_in_play.plan = state.hand_in_play.plan.prepend(*rest)
