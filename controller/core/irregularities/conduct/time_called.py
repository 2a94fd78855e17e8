"""Time called on a player, and what becomes of one who lets it pass."""

from controller.core.irregularities.conduct import out_of_turn
from controller.core.irregularities.remedies import plan_edits
from controller.core.model.setup import Structure
from controller.core.model.state import RunningClock, State
from controller.core.play.betting.legal_actions import options_of
from controller.core.play.refusals import waits_for
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Act as ActEvent
from controller.core.protocol.events import Clock, Event, Motion
from controller.core.protocol.steps import Act, Turn
from controller.core.protocol.vocabulary import Do
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.counted import counted
from controller.core.values.value import replace

CLOCK_EXPIRED = "clock-expired"
LIMIT = (Structure.FIXED_LIMIT, Structure.SPREAD_LIMIT)


def called(state: State, event: Clock) -> tuple[Ruling, ...]:
    """Time is called on the seat that is to act; raises `Refused` (`not-your-turn`, `clock-runs`, `no-extension`)."""
    if event.extend:
        return _extended(state, event.seat)
    if not waited_for(state, event.seat):
        raise Refused("not-your-turn", f"time can be called on the seat that is to act: {waits_for(state)}.")
    if state.time.clock is not None:
        raise Refused(
            "clock-runs", f"the clock runs on seat {event.seat} already, until second {state.time.clock.until:g}."
        )
    book = state.setup.rulebook.clock
    given = book.seconds.value if event.seconds is None else event.seconds + book.warning.value
    state.time = replace(state.time, clock=RunningClock(event.seat, state.time.t + given))
    return ()


def _extended(state: State, seat: int) -> tuple[Ruling, ...]:
    """The seat spends a time extension [WSOP-T-80, TDA-RP-19]."""
    shot, clock, rule = state.setup.shot_clock, state.time.clock, state.setup.rulebook.clock.shot
    if shot is None or clock is None or clock.seat != seat:
        raise Refused("no-extension", f"no shot clock runs on seat {seat} that could be extended.")
    player, seated = state.seating.chairs[seat].player, {chair.player for chair in state.seating.chairs.values()}
    spent = state.time.extended.get(player, 0)
    if spent >= shot.extensions:
        raise Refused("no-extension", f"seat {seat} has spent its {counted(shot.extensions, 'time extension')}.")
    kept = {name: count for name, count in state.time.extended.items() if name in seated}
    state.time = replace(
        state.time, clock=RunningClock(seat, clock.until + shot.seconds), extended={**kept, player: spent + 1}
    )
    left = shot.extensions - spent - 1
    return (ruled("clock", Verdict.PLAY_ON, rule, f"seat {seat} takes {shot.seconds} s more; {left} left", seat),)


def shot_clock(state: State) -> None:
    """Where there is a shot clock it begins with every decision [WSOP-T-80]."""
    shot, turn = state.setup.shot_clock, state.plan.due(Act)
    if shot is not None and turn is not None and state.time.clock is None and not state.down:
        state.time = replace(state.time, clock=RunningClock(turn.seat, state.time.t + shot.seconds))


def waited_for(state: State, seat: int) -> bool:
    """Whether the table waits for nothing but an act of the seat."""
    turn = state.plan.due(Turn)
    return turn is not None and seat in turn.asks and not state.down


def runs_out(state: State, event: Event) -> bool:
    """Whether the clock has run out when the event happens; an act of the seat itself may come in the last instant."""
    if state.time.clock is None or event.t is None or not waited_for(state, state.time.clock.seat):
        return False
    seat, until = state.time.clock
    return event.t > until if isinstance(event, (ActEvent, Motion)) and event.seat == seat else event.t >= until


def passed(state: State, t: float) -> tuple[Ruling, ...]:
    """Time has come to `t`. It does not count against a seat that cannot act, because something else is due first."""
    elapsed = t - state.time.t
    state.time = replace(state.time, t=t)
    if state.time.clock is None:
        return ()
    seat, until = state.time.clock
    if state.hand is None or not state.plan or seat not in state.hand.betting.live:
        state.time = replace(state.time, clock=None)
    elif not waited_for(state, seat):
        state.time = replace(state.time, clock=RunningClock(seat, until + elapsed))
    return ()


def expired(state: State) -> tuple[Ruling, ...]:
    """The time of the seat on whom it was called is over: it is dead facing a bet, else it may be checked."""
    assert state.time.clock is not None
    hand, (seat, _) = state.hand_in_play, state.time.clock
    state.time = replace(state.time, clock=None)
    book = hand.setup.rulebook.clock
    rule = book.kills_limit if hand.setup.betting.structure in LIMIT else book.kills_big_bet
    facing = hand.round is not None and hand.round.high > hand.chips.bets.get(seat, 0)
    turn = hand.plan.due(Act)
    if not facing and book.checks.value and turn is not None and Do.CHECK.value in options_of(hand, seat).words:
        noted = ruled(
            CLOCK_EXPIRED, Verdict.BIND, book.checks, f"the time of seat {seat} is over: it has checked", seat
        )
        return (noted, *out_of_turn.in_turn(state, ActEvent(seat, Do.CHECK)))
    if not facing or not rule.value:
        sentence = f"the time of seat {seat} is over, but it faces no bet: its hand lives, it is still to act"
        return (ruled(CLOCK_EXPIRED, Verdict.PLAY_ON, rule, sentence, seat),)
    plan_edits.dead_hand(hand, seat)
    sentence = f"seat {seat} faced a bet and let its time pass: its hand is dead"
    return (ruled(CLOCK_EXPIRED, Verdict.DEAD_HAND, rule, sentence, seat),)
