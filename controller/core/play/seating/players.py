"""People: who sits, leaves, is away, comes back; chips between hands."""

from controller.core.model.state import State
from controller.core.play.posting import blinds, kill_pots
from controller.core.play.seating import seats
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import (
    Away,
    Back,
    Leave,
    Sit,
    Stack,
    WaiveAntes,
)
from controller.core.rules.questions.house.table import Mode
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.chair import Chair
from controller.core.values.counted import counted
from controller.core.values.value import replace


def chair_of(state: State, seat: int) -> Chair:
    """The chair of a player who sits there; raises `Refused` (`empty-chair`)."""
    if seat not in state.seating.chairs:
        taken = ", ".join(map(str, sorted(state.seating.chairs))) or "none"
        raise Refused("empty-chair", f"nobody sits at seat {seat}; taken seats: {taken}.")
    return state.seating.chairs[seat]


def _keep(state: State, chair: Chair) -> tuple[Ruling, ...]:
    state.seating = replace(state.seating, chairs={**state.seating.chairs, chair.seat: chair})
    return ()


def in_hand(state: State, seat: int) -> bool:
    """Whether a seat holds a live hand."""
    return state.planned_phase is not Phase.IDLE and state.hand is not None and seat in state.hand.betting.live


def dealt_in(state: State, seat: int) -> bool:
    """Whether a seat was dealt into the hand that is on, live or not."""
    return state.planned_phase is not Phase.IDLE and state.hand is not None and seat in state.hand.order


def sit(state: State, event: Sit) -> tuple[Ruling, ...]:
    """A player takes a chair: a newcomer, one who buys in again, changes seats or plays over.

    Raises `Refused` (`no-such-seat`, `in-hand`, `chair-taken`).
    """
    setup = state.setup
    if not 1 <= event.seat <= setup.places:
        raise Refused("no-such-seat", f"this table has seats 1 to {setup.places}, not {event.seat}.")
    if event.over:
        if dealt_in(state, event.seat):
            raise Refused("in-hand", f"seat {event.seat} was dealt in; somebody plays over from the next hand on.")
        chair = seats.played_over(state, event, chair_of(state, event.seat))
    elif event.seat in state.seating.chairs:
        raise Refused("chair-taken", f"{state.seating.chairs[event.seat].player} sits at seat {event.seat}.")
    elif event.came_from is not None:
        return _change(state, event, event.came_from)
    else:
        seats.room_for_one_more(state)
        if not event.moved:
            _not_late(state)
        chair = seats.bought_again(state, event) or seats.newcomer(state, event)
    chair = kill_pots.made_good(state, chair, event.kill and event.post)
    said = seats.bought_in(state, event, chair.player)
    state.seating = replace(
        state.seating, gone={seat: gone for seat, gone in state.seating.gone.items() if seat != event.seat}
    )
    _keep(state, chair)
    return said


def _not_late(state: State) -> None:
    """Nobody registers late once the last hands are counted; raises `Refused` (`last-hand`) [WSOP-T-125]."""
    if state.tournament.hands_left is not None:
        rule = state.setup.rulebook.tournament.last_hands
        raise Refused("last-hand", f"the last hands of the day are on: nobody enters until then ({rule.source}).")


def _change(state: State, event: Sit, old: int) -> tuple[Ruling, ...]:
    chair = chair_of(state, old)
    if dealt_in(state, old):
        raise Refused("in-hand", f"seat {old} was dealt in; its player changes seats when the hand is over.")
    changed, said = seats.changed(state, event, chair)
    kill_pots.moved(state, old, changed.seat)
    state.seating = replace(
        state.seating,
        chairs={seat: other for seat, other in state.seating.chairs.items() if seat != old},
        gone={seat: gone for seat, gone in state.seating.gone.items() if seat != event.seat},
    )
    _keep(state, changed)
    return said


def leave(state: State, event: Leave) -> tuple[Ruling, ...]:
    """A player leaves for good; a hand that is on goes on without. Who was played over has the chair again.

    Raises `Refused` (`in-hand`).
    """
    chair = chair_of(state, event.seat)
    if in_hand(state, event.seat):
        raise Refused("in-hand", f"seat {event.seat} holds a live hand; it folds first (`act`).")
    if state.hand is not None and event.seat in state.hand.chips.stacks:
        state.hand.chips = replace(
            state.hand.chips,
            stacks={seat: stack for seat, stack in state.hand.chips.stacks.items() if seat != event.seat},
        )
    if state.hand is not None and event.seat in state.hand.given_up.folded:  # nobody is there to have it back
        state.hand.given_up = replace(
            state.hand.given_up,
            folded={seat: how for seat, how in state.hand.given_up.folded.items() if seat != event.seat},
        )
    state.seating = replace(
        state.seating, chairs={seat: other for seat, other in state.seating.chairs.items() if seat != event.seat}
    )
    kill_pots.left(state, chair)
    state.carried_pot = replace(
        state.carried_pot,
        matched={seat: anted for seat, anted in state.carried_pot.matched.items() if seat != event.seat},
    )
    if chair.owner is not None:
        _keep(state, chair.owner)
    return _penalty_goes_along(state, chair)


def _penalty_goes_along(state: State, chair: Chair) -> tuple[Ruling, ...]:
    """The hands of a penalty are counted when it is given; what is left of them is missed wherever its player sits.

    No table knows another, so that the number is entered there, as a penalty of so many hands [TDA-71-A].
    """
    if not chair.penalty:
        return ()
    left = counted(chair.penalty, "hand")
    sentence = f"the penalty of {chair.player} goes along: {left} more (`penalty` with `hands` at its next table)"
    return (ruled("penalty", Verdict.PLAY_ON, state.setup.rulebook.tournament.penalised, sentence, chair.seat),)


def away(state: State, event: Away) -> tuple[Ruling, ...]:
    """A player misses hands from the next deal on; in a tournament the hand that is on may be dead for it.

    Raises `Refused` (`already-away`).
    """
    chair = chair_of(state, event.seat)
    if chair.away:
        raise Refused("already-away", f"seat {event.seat} is away already; `back` brings it back.")
    return _keep(state, replace(chair, away=True, away_since=state.time.t))


def back(state: State, event: Back) -> tuple[Ruling, ...]:
    """A player returns: posts what was missed, or waits for the big blind [R7-4.blinds.10, HR-blinds.9].

    Raises `Refused` (`not-away`, `value`).
    """
    chair = chair_of(state, event.seat)
    if not chair.away:
        raise Refused("not-away", f"seat {event.seat} is not away; `away` says that it misses hands.")
    owing = chair.owes_small or chair.owes_big
    waits = owing or chair.fresh or bool(chair.hold) or bool(chair.free)
    posts = (event.post and waits) or chair.posts
    if event.straddle:
        _may_straddle_in(state)
    straddles = event.straddle and owing and not chair.fresh
    return _keep(state, replace(chair, away=False, away_since=None, waits=waits, posts=posts, straddles=straddles))


def _may_straddle_in(state: State) -> None:
    """Whoever missed blinds may come back as the live straddle [WSOP-L-156]; raises `Refused` (`value`)."""
    rule = state.setup.rulebook.people.straddles_in
    if not rule.value or state.setup.mode is Mode.TOURNAMENT or not blinds.straddles_allowed(state.setup).value:
        raise Refused("value", f"nobody comes back as a straddle here ({rule.source}); leave `straddle` out.")


def stack(state: State, event: Stack) -> tuple[Ruling, ...]:
    """A player's chips changed between hands, which is no buy-in [R7-3.buyin.2, HR-buyin.3].

    Raises `Refused` (`untracked`, `amount`).
    """
    chair = chair_of(state, event.seat)
    if not state.setup.tracked:
        raise Refused("untracked", "this table does not track amounts; leave `stack` out.")
    if event.stack < 0:
        raise Refused("amount", f"a stack is 0 or more, not {event.stack}.")
    if chair.stack is not None and event.stack > chair.stack:
        seats.not_too_many(state, event.stack)
    return _keep(state, replace(chair, stack=event.stack))


def waive_antes(state: State, event: WaiveAntes) -> tuple[Ruling, ...]:  # noqa: ARG001 (one signature for all entries)
    """The last two players agree to play without antes from the next hand on [FC-10.sched.note].

    Raises `Refused` (`antes`).
    """
    rule = state.setup.rulebook.tournament.antes_waived
    if not rule.value or state.setup.mode is not Mode.TOURNAMENT or len(state.seating.chairs) != 2:
        raise Refused("antes", f"antes are waived by the last two players of a tournament only ({rule.source}).")
    state.tournament = replace(state.tournament, no_antes=True)
    return ()
