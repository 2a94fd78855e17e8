"""People: who sits, leaves, is away, comes back; chips between hands."""

from controller.core.model.table_state import TableState
from controller.core.play.posting import forced_bets, kill_pots
from controller.core.play.seating import seat_taking
from controller.core.protocol.events import (
    AntesWaived,
    PlayerLeft,
    PlayerReturned,
    PlayerSeated,
    PlayerWentAway,
    StackChanged,
)
from controller.core.protocol.steps import CollectStep
from controller.core.protocol.table_display import Phase
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.seat_state import ChargeStanding, SeatState
from controller.core.values.value import replace


def require_seat_state(state: TableState, seat: int) -> SeatState:
    """The chair of a player who sits there; raises `Refused` (`empty-chair`)."""
    if seat not in state.seating.state_by_seat:
        taken = ", ".join(map(str, sorted(state.seating.state_by_seat))) or "none"
        raise Refused("empty-chair", f"nobody sits at seat {seat}; taken seats: {taken}.")
    return state.seating.state_by_seat[seat]


def _store_seat_state(state: TableState, chair: SeatState) -> tuple[Ruling, ...]:
    state.seating = replace(state.seating, state_by_seat={**state.seating.state_by_seat, chair.seat: chair})
    return ()


def is_in_hand(state: TableState, seat: int) -> bool:
    """Whether a seat holds a live hand."""
    return state.planned_phase is not Phase.IDLE and state.hand is not None and seat in state.hand.betting.live_seats


def is_dealt_in(state: TableState, seat: int) -> bool:
    """Whether a seat was dealt into the hand that is on, live or not."""
    return state.planned_phase is not Phase.IDLE and state.hand is not None and seat in state.hand.dealing_order


def sit(state: TableState, event: PlayerSeated) -> tuple[Ruling, ...]:
    """A player takes a chair: a newcomer, one who buys in again, changes seats or plays over.

    Raises `Refused` (`no-such-seat`, `in-hand`, `chair-taken`).
    """
    setup = state.setup
    if not 1 <= event.seat <= setup.seat_count:
        raise Refused("no-such-seat", f"this table has seats 1 to {setup.seat_count}, not {event.seat}.")
    if event.plays_over:
        if is_dealt_in(state, event.seat):
            raise Refused("in-hand", f"seat {event.seat} was dealt in; somebody plays over from the next hand on.")
        owner = require_seat_state(state, event.seat)
        chair = seat_taking.play_over(state, event, owner)
        kill_pots.release_kill(state, owner)
        _move_time_charge(state, event.seat, None)
    elif event.seat in state.seating.state_by_seat:
        raise Refused("chair-taken", f"{state.seating.state_by_seat[event.seat].player} sits at seat {event.seat}.")
    elif event.previous_seat is not None:
        return _change_seat(state, event, event.previous_seat)
    else:
        seat_taking.refuse_if_table_full(state)
        if not event.came_from_table:
            _refuse_late_registration(state)
        chair = seat_taking.rebuy_seat(state, event) or seat_taking.seat_newcomer(state, event)
    chair = kill_pots.settle_owed_kill(state, chair, event.pledges_kill and event.posts_blinds)
    said = seat_taking.check_buy_in(state, event, chair.player)
    state.seating = replace(
        state.seating,
        busted_by_seat={seat: gone for seat, gone in state.seating.busted_by_seat.items() if seat != event.seat},
    )
    _store_seat_state(state, replace(chair, seated_after_hands=state.hand_count))
    return said


def _refuse_late_registration(state: TableState) -> None:
    """Nobody registers late once the last hands are counted; raises `Refused` (`last-hand`) [WSOP-T-125]."""
    if state.tournament.hands_left is not None:
        rule = state.setup.rulebook.tournament.last_hands
        raise Refused("last-hand", f"the last hands of the day are on: nobody enters until then ({rule.source}).")


def _change_seat(state: TableState, event: PlayerSeated, old: int) -> tuple[Ruling, ...]:
    chair = require_seat_state(state, old)
    if is_dealt_in(state, old):
        raise Refused("in-hand", f"seat {old} was dealt in; its player changes seats when the hand is over.")
    changed, said = seat_taking.change_seat(state, event, chair)
    kill_pots.move_kill(state, old, changed.seat)
    _move_time_charge(state, old, changed.seat)
    state.seating = replace(
        state.seating,
        state_by_seat={seat: other for seat, other in state.seating.state_by_seat.items() if seat != old},
        busted_by_seat={seat: gone for seat, gone in state.seating.busted_by_seat.items() if seat != event.seat},
    )
    _store_seat_state(state, replace(changed, seated_after_hands=state.hand_count))
    _take_last_stack_along(state, chair, changed)
    return said


def _take_last_stack_along(state: TableState, chair: SeatState, changed: SeatState) -> None:
    """Who changes seats has, at the new one, the chips before the last hand, should that be dealt again."""
    before = state.state_before_last_hand
    had = None if before is None else before.seating.state_by_seat.get(chair.seat)
    if before is None or had is None:
        return
    chairs = {seat: other for seat, other in before.seating.state_by_seat.items() if seat != chair.seat}
    seating = replace(before.seating, state_by_seat={**chairs, changed.seat: replace(changed, stack=had.stack)})
    state.state_before_last_hand = replace(before, seating=seating)
    _store_seat_state(state, changed)


def leave(state: TableState, event: PlayerLeft) -> tuple[Ruling, ...]:
    """A player leaves for good; a hand that is on goes on without. Who was played over has the chair again.

    Raises `Refused` (`in-hand`).
    """
    chair = require_seat_state(state, event.seat)
    if is_in_hand(state, event.seat):
        raise Refused("in-hand", f"seat {event.seat} holds a live hand; it folds first (`act`).")
    seat_taking.remember_cash_out(state, chair, event.time_s)
    if state.hand is not None and event.seat in state.hand.chips.stack_by_seat:
        chips = state.hand.chips
        taken = {**chips.stack_at_leaving_by_seat, event.seat: chips.stack_by_seat[event.seat]}
        state.hand.chips = replace(
            chips,
            stack_by_seat={seat: stack for seat, stack in chips.stack_by_seat.items() if seat != event.seat},
            stack_at_leaving_by_seat=taken,
        )
    if state.hand is not None and event.seat in state.hand.folds.folded_hand_by_seat:  # nobody is there to have it back
        state.hand.folds = replace(
            state.hand.folds,
            folded_hand_by_seat={
                seat: how for seat, how in state.hand.folds.folded_hand_by_seat.items() if seat != event.seat
            },
        )
    state.seating = replace(
        state.seating,
        state_by_seat={seat: other for seat, other in state.seating.state_by_seat.items() if seat != event.seat},
    )
    kill_pots.release_kill(state, chair)
    _move_time_charge(state, event.seat, None)
    state.carried_pot = replace(
        state.carried_pot,
        ante_by_seat={seat: anted for seat, anted in state.carried_pot.ante_by_seat.items() if seat != event.seat},
    )
    if chair.absent_owner is not None:
        _store_seat_state(state, chair.absent_owner)
        kill_pots.resume_owed_kill(state, chair.absent_owner)
    return _announce_remaining_penalty(state, chair)


def _move_time_charge(state: TableState, seat: int, to: int | None) -> None:
    """The time charge that a player has yet to answer goes along to another seat, and falls away with its player."""
    step = next((each for each in state.plan.steps_of_type(CollectStep) if each.seat == seat), None)
    if step is not None:
        moved = () if to is None else (replace(step, seat=to),)
        state.hand_in_play.plan = state.hand_in_play.plan.replace_step(step, *moved)


def _announce_remaining_penalty(state: TableState, chair: SeatState) -> tuple[Ruling, ...]:
    """The hands of a penalty are counted when it is given; what is left of them is missed wherever its player sits.

    No table knows another, so that the number is entered there, as a penalty of so many hands [TDA-71-A].
    """
    if not chair.penalty_hands:
        return ()
    template = said.PENALTY_HAND_GOES_ALONG if chair.penalty_hands == 1 else said.PENALTY_GOES_ALONG
    sentence = template.format(player=chair.player, count=chair.penalty_hands)
    return (build_ruling("penalty", Verdict.PLAY_ON, state.setup.rulebook.tournament.penalised, sentence, chair.seat),)


def mark_away(state: TableState, event: PlayerWentAway) -> tuple[Ruling, ...]:
    """A player misses hands from the next deal on; the hand that is on may be dead for it.

    Raises `Refused` (`already-away`).
    """
    chair = require_seat_state(state, event.seat)
    if chair.is_away:
        raise Refused("already-away", f"seat {event.seat} is away already; `back` brings it back.")
    return _store_seat_state(state, replace(chair, is_away=True, away_since_s=state.time.time_s))


def mark_back(state: TableState, event: PlayerReturned) -> tuple[Ruling, ...]:
    """A player returns: posts what was missed, or waits for the big blind [R7-4.blinds.10, HR-blinds.9].

    Raises `Refused` (`not-away`, `must-pay`, `value`).
    """
    chair = require_seat_state(state, event.seat)
    if not chair.is_away:
        raise Refused("not-away", f"seat {event.seat} is not away; `away` says that it misses hands.")
    if chair.charge is ChargeStanding.DEALT_OUT:
        raise Refused("must-pay", f"seat {event.seat} has not paid the time charge: `collect` says that it has.")
    owing = chair.owes_blinds
    waits = owing or chair.was_never_dealt_in or bool(chair.hands_to_wait) or bool(chair.free_entry)
    posts = (event.posts_blinds and waits) or chair.posts_to_enter
    if event.straddles_in:
        _refuse_straddle_in(state)
    straddles = event.straddles_in and owing and not chair.was_never_dealt_in
    return _store_seat_state(
        state,
        replace(
            chair,
            is_away=False,
            away_since_s=None,
            waits_for_big_blind=waits,
            posts_to_enter=posts,
            straddles_in=straddles,
        ),
    )


def _refuse_straddle_in(state: TableState) -> None:
    """Whoever missed blinds may come back as the live straddle [WSOP-L-156]; raises `Refused` (`value`)."""
    rule = state.setup.rulebook.people.straddles_in
    if (
        not rule.value
        or state.setup.mode is GameMode.TOURNAMENT
        or not forced_bets.max_straddles_rule(state.setup).value
    ):
        raise Refused("value", f"nobody comes back as a straddle here ({rule.source}); leave `straddle` out.")


def set_stack(state: TableState, event: StackChanged) -> tuple[Ruling, ...]:
    """A player's chips changed between hands, which is no buy-in [R7-3.buyin.2, HR-buyin.3].

    Raises `Refused` (`untracked`, `amount`).
    """
    chair = require_seat_state(state, event.seat)
    if not state.setup.tracks_amounts:
        raise Refused("untracked", "this table does not track amounts; leave `stack` out.")
    if event.stack < 0:
        raise Refused("amount", f"a stack is 0 or more, not {event.stack}.")
    if chair.stack is not None and event.stack > chair.stack:
        seat_taking.refuse_stack_above_max(state, event.stack)
    return _store_seat_state(state, replace(chair, stack=event.stack))


def waive_antes(state: TableState, event: AntesWaived) -> tuple[Ruling, ...]:  # noqa: ARG001 (one signature for all entries)
    """The last two players agree to play without antes from the next hand on [FC-10.sched.note].

    Raises `Refused` (`antes`).
    """
    rule = state.setup.rulebook.tournament.antes_waived
    if not rule.value or state.setup.mode is not GameMode.TOURNAMENT or len(state.seating.state_by_seat) != 2:
        raise Refused("antes", f"antes are waived by the last two players of a tournament only ({rule.source}).")
    state.tournament = replace(state.tournament, are_antes_waived=True)
    return ()
