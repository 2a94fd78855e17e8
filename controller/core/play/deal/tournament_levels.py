"""The tournament's levels, breaks and colour-ups at this table, and the timer that brings them.

A level can be entered by hand, or be brought by the timer: then whoever runs the table asks `due` as time passes and
enters what it says. What it says follows from the state alone, so that nothing is lost or comes twice, whatever was
taken back or begun again meanwhile.
"""

from controller.core.model.state import State
from controller.core.protocol import events, vocabulary
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.rules.questions.house.tournament import OddChips
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.tournament.clock import Clock, ClockError, Stage
from controller.core.tournament.colour_up import ColourUpError, changed_up, dealt_for_race, odd_chips
from controller.core.tournament.schedule import Break, Part, Schedule
from controller.core.values.value import replace


def _schedule(state: State) -> Schedule:
    if state.setup.schedule is None:
        raise Refused("no-schedule", "this table has no schedule of levels; name one in `house` as `schedule`.")
    return state.setup.schedule


def level(state: State, event: events.Level) -> tuple[Ruling, ...]:
    """The clock moves to the next level; a hand that is on keeps its stakes [R7-15.tourn.9, FC-10.play.1].

    A person who enters it sets the timer, too: the level begins now.

    Raises `Refused` (`last-level`, `no-schedule`).
    """
    levels = _schedule(state).levels
    if state.tournament.level + 1 >= len(levels):
        raise Refused("last-level", f"the schedule ends with level {len(levels)}; its stakes stay.")
    state.tournament = replace(state.tournament, level=state.tournament.level + 1, resting=False)
    if state.tournament.timer is not None and not event.due:
        state.tournament = replace(
            state.tournament, timer=state.tournament.timer.set_to(state.tournament.level, state.time.t)
        )
    return ()


def timer(state: State, event: events.Timer) -> tuple[Ruling, ...]:
    """The timer is started, stands still, goes on [FC-10.moving.1#a, FC-10.final#b].

    Raises `Refused` (`timer`, `no-schedule`).
    """
    clock = state.tournament.timer or Clock(_schedule(state))
    try:
        match event.set:
            case vocabulary.Set.START:
                clock = clock.start(state.time.t)
                state.tournament = replace(
                    state.tournament,
                    timer=clock.set_to(state.tournament.level, state.time.t) if state.tournament.level else clock,
                )
            case vocabulary.Set.PAUSE:
                state.tournament = replace(state.tournament, timer=clock.pause(state.time.t))
            case vocabulary.Set.RESUME:
                state.tournament = replace(state.tournament, timer=clock.resume(state.time.t))
    except ClockError as error:
        raise Refused("timer", str(error)) from error
    return ()


def goes_on(state: State) -> None:
    """With the next hand a paused timer runs again where the book says so [FC-10.moving.1#a, FC-10.final#b]."""
    clock = state.tournament.timer
    if state.tournament.hand_for_hand:
        return
    if clock is not None and clock.since is None and state.setup.rulebook.tournament.deal_resumes_timer.value:
        state.tournament = replace(state.tournament, timer=clock.resume(state.time.t))


def rest(state: State, event: events.Break) -> tuple[Ruling, ...]:
    """The level is over and a break begins; the hand that is on is finished, none begins until the next level.

    A person who enters it sets the timer, too: the break begins now.

    Raises `Refused` (`no-break`, `no-schedule`).
    """
    pause = _schedule(state).levels[state.tournament.level].then
    if pause is None or state.tournament.resting or state.tournament.level + 1 >= len(_schedule(state).levels):
        after = [str(number) for number, one in enumerate(state.setup.levels[:-1], start=1) if one.then is not None]
        raise Refused("no-break", f"no break begins now; the schedule has one after level {', '.join(after) or '-'}.")
    state.tournament = replace(state.tournament, resting=True)
    if state.tournament.timer is not None and not event.due:
        state.tournament = replace(
            state.tournament, timer=state.tournament.timer.set_to(state.tournament.level, state.time.t, pause=True)
        )
    chips = " and ".join(_coloured_out(pause))
    if not chips:
        return ()
    rule = state.setup.rulebook.tournament.odd_chips
    return (ruled("colour-up", Verdict.PLAY_ON, rule, f"in this break are coloured out: {chips}"),)


def _coloured_out(pause: Break) -> list[str]:
    """The chips of a break, in words."""
    words = ["chips that the director names" if out.chip is None else f"{out.chip:,}s" for out in pause.colour_out]
    parts = [out.part.value.replace("-", " ") for out in pause.colour_out]
    return [f"{part} {word}" for part, word in zip(parts, words, strict=True)]


def refuse_in_break(state: State) -> None:
    """No hand begins during a break; raises `Refused` (`break`)."""
    if state.tournament.resting:
        raise Refused("break", "it is break: a hand begins when the next level (`level`) does.")


def colour_up(state: State, event: events.ColourUp) -> tuple[Ruling, ...]:
    """Chips of a value leave the table; every stack is a multiple of the new one [R7-15.tourn.10, FC-10.play.2].

    Raises `Refused` (`untracked`, `value`, `race`).
    """
    rule = state.setup.rulebook.tournament.odd_chips
    if not state.setup.tracked:
        raise Refused("untracked", "this table does not track amounts; chips are coloured up without it.")
    if rule.value is OddChips.ROUND_UP and event.cards:
        raise Refused("value", f"odd chips are rounded up here, without `cards` ({rule.source}).")
    stacks = {seat: chair.stack or 0 for seat, chair in sorted(state.seating.chairs.items())}
    try:
        odd = odd_chips(stacks, event.chip, event.new)
        if rule.value is not OddChips.ROUND_UP and len(event.cards) != sum(odd.values()):
            raise Refused("race", f"the race wants {_race(odd)} ({rule.source}).")
        found = changed_up(rule.value, stacks, event.chip, event.new, event.cards)
    except ColourUpError as error:
        raise Refused("value", str(error)) from error
    state.seating = replace(
        state.seating,
        chairs={seat: replace(chair, stack=found.stacks[seat]) for seat, chair in state.seating.chairs.items()},
    )
    state.tournament = replace(state.tournament, coloured=state.tournament.coloured | {event.chip})
    gained = [f"seat {seat} {found.stacks[seat]:,}" for seat in found.stacks if found.stacks[seat] != stacks[seat]]
    sentence = f"{event.chip:,}s are changed into {event.new:,}s: {', '.join(gained) or 'every stack stays'}"
    return (ruled("colour-up", Verdict.CORRECT, rule, sentence),)


def _race(odd: dict[int, int]) -> str:
    """The cards of the race: how many, and to whom in which order."""
    seats = [f"{odd[seat]} to seat {seat}" for seat in dict.fromkeys(dealt_for_race(odd))]
    return f"one of the `cards` for each odd chip: {', '.join(seats)}" if seats else "no cards, as no chip is odd"


def due(state: State, now: float) -> events.Event | None:
    """What the timer brings at a time: the next level, a break, or what a break's colour-up makes of the stacks.

    A race has to be dealt, so that a person enters it; so is what the schedule leaves to the director.
    """
    if state.tournament.timer is None:
        return None
    reading = state.tournament.timer.read(now)
    if reading.level > state.tournament.level:
        return events.Level(due=True)
    if reading.stage is Stage.BREAK and reading.level == state.tournament.level and not state.tournament.resting:
        return events.Break(due=True)
    if state.tournament.resting and state.planned_phase is Phase.IDLE:
        return _due_colour_up(state)
    return None


def _due_colour_up(state: State) -> events.ColourUp | None:
    """The smallest chips, once no level needs them any more, where they are rounded up [FC-10.play.2]."""
    setup = state.setup
    pause, new = setup.levels[state.tournament.level].then, setup.levels[state.tournament.level + 1].chip
    if (
        pause is None
        or not new
        or not setup.tracked
        or setup.rulebook.tournament.odd_chips.value is not OddChips.ROUND_UP
    ):
        return None
    for out in pause.colour_out:
        if out.chip is None or out.part is not Part.ALL or out.chip in state.tournament.coloured or out.chip >= new:
            continue
        stacks = [chair.stack or 0 for chair in state.seating.chairs.values()]
        if new % out.chip == 0 and all(stack % out.chip == 0 for stack in stacks):
            return events.ColourUp(out.chip, new, due=True)
    return None


def shown(state: State) -> dict[str, object] | None:
    """What the timer shows at the table's time; `None` where none was started. Times in seconds."""
    if state.tournament.timer is None:
        return None
    reading = state.tournament.timer.read(state.time.t)
    now = state.tournament.timer.schedule.levels[reading.level]
    following = state.tournament.timer.schedule.levels[reading.level + 1 : reading.level + 2]
    found: dict[str, object] = {
        "stage": reading.stage.value,
        "level": reading.level + 1,
        "stakes": [now.small_blind, now.big_blind, now.ante],
        "left": round(reading.left, 3),
        "to_break": None if reading.to_break is None else round(reading.to_break, 3),
        "running": reading.running,
    }
    if following:
        found["then"] = [following[0].small_blind, following[0].big_blind, following[0].ante]
    if reading.pause is not None:
        found["colour_out"] = _coloured_out(reading.pause)
    return found
