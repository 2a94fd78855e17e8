"""People: who sits, leaves, is away, comes back; chips between hands; levels."""

from controller.core.errors import Refused
from controller.core.events import Away, Back, Leave, Level, Sit, Stack
from controller.core.outcome import Phase, Ruling
from controller.core.rules.table import Mode
from controller.core.state import Chair, State


def chair_of(state: State, seat: int) -> Chair:
    """The chair of a player who sits there."""
    if seat not in state.chairs:
        taken = ", ".join(map(str, sorted(state.chairs))) or "none"
        raise Refused("empty-chair", f"nobody sits at seat {seat}; taken seats: {taken}.")
    return state.chairs[seat]


def _keep(state: State, chair: Chair) -> tuple[Ruling, ...]:
    state.chairs = {**state.chairs, chair.seat: chair}
    return ()


def sit(state: State, event: Sit) -> tuple[Ruling, ...]:
    """A player takes an empty chair; between hands of a running game as a newcomer who posts or waits."""
    setup = state.setup
    if not 1 <= event.seat <= setup.places:
        raise Refused("no-such-seat", f"this table has seats 1 to {setup.places}, not {event.seat}.")
    if event.seat in state.chairs:
        raise Refused("chair-taken", f"{state.chairs[event.seat].player} sits at seat {event.seat}.")
    if setup.tracked and not event.stack:
        raise Refused("stack-missing", "amounts are tracked here: `sit` needs a `stack` above 0.")
    stack = event.stack if setup.tracked else None
    started = state.positions is not None and setup.game.button
    waits = started and not event.moved and setup.mode is Mode.CASH
    player = event.player or f"seat {event.seat}"
    chair = Chair(event.seat, player, stack, waits=waits, posts=event.post, moved=event.moved, fresh=waits)
    return _keep(state, chair)


def leave(state: State, event: Leave) -> tuple[Ruling, ...]:
    """A player leaves for good; a hand that is on goes on without the chair changing."""
    chair_of(state, event.seat)
    if state.planned_phase is not Phase.IDLE and state.hand is not None and event.seat in state.hand.live:
        raise Refused("in-hand", f"seat {event.seat} holds a live hand; it folds first (`act`).")
    state.chairs = {seat: chair for seat, chair in state.chairs.items() if seat != event.seat}
    return ()


def away(state: State, event: Away) -> tuple[Ruling, ...]:
    """A player misses hands from the next deal on."""
    chair = chair_of(state, event.seat)
    if chair.away:
        raise Refused("already-away", f"seat {event.seat} is away already; `back` brings it back.")
    return _keep(state, chair.with_(away=True))


def back(state: State, event: Back) -> tuple[Ruling, ...]:
    """A player returns: posts what was missed, or waits for the big blind."""
    chair = chair_of(state, event.seat)
    if not chair.away:
        raise Refused("not-away", f"seat {event.seat} is not away; `away` says that it misses hands.")
    owing = chair.owes_small or chair.owes_big
    return _keep(state, chair.with_(away=False, waits=owing, posts=event.post))


def stack(state: State, event: Stack) -> tuple[Ruling, ...]:
    """A player's chips changed between hands."""
    chair = chair_of(state, event.seat)
    if not state.setup.tracked:
        raise Refused("untracked", "this table does not track amounts; leave `stack` out.")
    if event.stack < 0:
        raise Refused("amount", f"a stack is 0 or more, not {event.stack}.")
    return _keep(state, chair.with_(stack=event.stack))


def level(state: State, event: Level) -> tuple[Ruling, ...]:  # noqa: ARG001 (one signature for all entries)
    """The clock moves to the next level; a hand that is on keeps its stakes [R7-15.tourn.9, FC-10.play.1]."""
    levels = state.setup.levels
    if not levels:
        raise Refused("no-schedule", "this table has no schedule of levels; name one in `house` as `schedule`.")
    if state.level + 1 >= len(levels):
        raise Refused("last-level", f"the schedule ends with level {len(levels)}; its stakes stay.")
    state.level += 1
    return ()
