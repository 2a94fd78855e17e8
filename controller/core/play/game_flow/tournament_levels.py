"""The tournament's levels, breaks and colour-ups at this table, and the timer that brings them.

A level can be entered by hand, or be brought by the timer: then whoever runs the table asks `next_timer_event` as time
passes and enters what it says. What it says follows from the state alone, so that nothing is lost or comes twice,
whatever was taken back or begun again meanwhile.
"""

from controller.core.model.table_state import TableState
from controller.core.play.game_flow.table_machine import TABLE_MACHINE
from controller.core.protocol import events, vocabulary
from controller.core.protocol.table_display import Phase
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.house.tournament_rules import OddChipExchange
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.tournament.colour_up import ColourUpError, colour_up_stacks, count_odd_chips, race_deal_order
from controller.core.tournament.schedule import ColourOutPart, Schedule, ScheduledBreak
from controller.core.tournament.tournament_clock import ClockError, ClockStage, TournamentClock
from controller.core.values.value import replace

CHIPS_BY_PART = {
    ColourOutPart.ALL: said.COLOURS_ALL,
    ColourOutPart.MOST: said.COLOURS_MOST,
    ColourOutPart.HALF: said.COLOURS_HALF,
    ColourOutPart.SOME: said.COLOURS_SOME,
    ColourOutPart.AS_MANY_AS_POSSIBLE: said.COLOURS_AS_MANY,
}
NAMED_CHIPS_BY_PART = {
    ColourOutPart.ALL: said.COLOURS_ALL_NAMED,
    ColourOutPart.MOST: said.COLOURS_MOST_NAMED,
    ColourOutPart.HALF: said.COLOURS_HALF_NAMED,
    ColourOutPart.SOME: said.COLOURS_SOME_NAMED,
    ColourOutPart.AS_MANY_AS_POSSIBLE: said.COLOURS_AS_MANY_NAMED,
}
"""Which chips leave at a break, where the schedule says their value and where it leaves it to the director."""


def _require_schedule(state: TableState) -> Schedule:
    if state.setup.schedule is None:
        raise Refused("no-schedule", "this table has no schedule of levels; name one in `house` as `schedule`.")
    return state.setup.schedule


def advance_level(state: TableState, event: events.LevelAdvanced) -> tuple[Ruling, ...]:
    """The clock moves to the next level; a hand that is on keeps its stakes [R7-15.tourn.9, FC-10.play.1].

    A person who enters it sets the timer, too: the level begins now.

    Raises `Refused` (`last-level`, `no-schedule`).
    """
    levels = _require_schedule(state).levels
    if state.tournament.level_index + 1 >= len(levels):
        raise Refused("last-level", f"the schedule ends with level {len(levels)}; its stakes stay.")
    was_on_break = state.tournament.is_on_break
    state.tournament = replace(state.tournament, level_index=state.tournament.level_index + 1, is_on_break=False)
    if was_on_break:
        TABLE_MACHINE.move(state, "end_break")
    if state.tournament.timer is not None and not event.is_by_timer:
        state.tournament = replace(
            state.tournament, timer=state.tournament.timer.set_to_level(state.tournament.level_index, state.time.time_s)
        )
    return ()


def set_timer(state: TableState, event: events.TimerChanged) -> tuple[Ruling, ...]:
    """The timer is started, stands still, goes on [FC-10.moving.1#a, FC-10.final#b].

    Raises `Refused` (`set_timer`, `no-schedule`).
    """
    clock = state.tournament.timer or TournamentClock(_require_schedule(state))
    try:
        match event.command:
            case vocabulary.TimerCommand.START:
                clock = clock.start(state.time.time_s)
                state.tournament = replace(
                    state.tournament,
                    timer=clock.set_to_level(state.tournament.level_index, state.time.time_s)
                    if state.tournament.level_index
                    else clock,
                )
            case vocabulary.TimerCommand.PAUSE:
                state.tournament = replace(state.tournament, timer=clock.pause(state.time.time_s))
            case vocabulary.TimerCommand.RESUME:
                state.tournament = replace(state.tournament, timer=clock.resume(state.time.time_s))
    except ClockError as error:
        raise Refused("timer", str(error)) from error
    return ()


def resume_timer(state: TableState) -> None:
    """With the next hand a paused timer runs again where the book says so [FC-10.moving.1#a, FC-10.final#b]."""
    clock = state.tournament.timer
    if state.tournament.is_hand_for_hand:
        return
    if clock is not None and clock.running_since_s is None and state.setup.rulebook.tournament.deal_resumes_timer.value:
        state.tournament = replace(state.tournament, timer=clock.resume(state.time.time_s))


def begin_break(state: TableState, event: events.BreakStarted) -> tuple[Ruling, ...]:
    """The level is over and a break begins; the hand that is on is finished, none begins until the next level.

    A person who enters it sets the timer, too: the break begins now.

    Raises `Refused` (`no-break`, `no-schedule`).
    """
    pause = _require_schedule(state).levels[state.tournament.level_index].following_break
    if (
        pause is None
        or state.tournament.is_on_break
        or state.tournament.level_index + 1 >= len(_require_schedule(state).levels)
    ):
        after = [
            str(number)
            for number, one in enumerate(state.setup.levels[:-1], start=1)
            if one.following_break is not None
        ]
        raise Refused("no-break", f"no break begins now; the schedule has one after level {', '.join(after) or '-'}.")
    state.tournament = replace(state.tournament, is_on_break=True)
    TABLE_MACHINE.move(state, "begin_break")
    if state.tournament.timer is not None and not event.is_by_timer:
        state.tournament = replace(
            state.tournament,
            timer=state.tournament.timer.set_to_level(state.tournament.level_index, state.time.time_s, pause=True),
        )
    chips = " and ".join(_describe_colour_out(pause))
    if not chips:
        return ()
    rule = state.setup.rulebook.tournament.odd_chips
    return (build_ruling("colour-up", Verdict.PLAY_ON, rule, said.COLOUR_OUT.format(coloured=chips)),)


def _describe_colour_out(pause: ScheduledBreak) -> list[str]:
    """The chips of a break, in words."""
    return [
        NAMED_CHIPS_BY_PART[out.part]
        if out.chip_value is None
        else CHIPS_BY_PART[out.part].format(chips=f"{out.chip_value:,}")
        for out in pause.colour_out
    ]


def refuse_in_break(state: TableState) -> None:
    """No hand begins during a break; raises `Refused` (`break`)."""
    if state.tournament.is_on_break:
        raise Refused("break", "it is break: a hand begins when the next level (`level`) does.")


def colour_up(state: TableState, event: events.ChipsColouredUp) -> tuple[Ruling, ...]:
    """Chips of a value leave the table; every stack is a multiple of the new one [R7-15.tourn.10, FC-10.play.2].

    Raises `Refused` (`untracked`, `value`, `race`).
    """
    rule = state.setup.rulebook.tournament.odd_chips
    if not state.setup.tracks_amounts:
        raise Refused("untracked", "this table does not track amounts; chips are coloured up without it.")
    if rule.value is OddChipExchange.ROUND_UP and event.cards:
        raise Refused("value", f"odd chips are rounded up here, without `cards` ({rule.source}).")
    stacks = {seat: chair.stack or 0 for seat, chair in sorted(state.seating.state_by_seat.items())}
    try:
        odd = count_odd_chips(stacks, event.old_chip, event.new_chip)
        if rule.value is not OddChipExchange.ROUND_UP and len(event.cards) != sum(odd.values()):
            raise Refused("race", f"the race wants {_describe_race(odd)} ({rule.source}).")
        found = colour_up_stacks(rule.value, stacks, event.old_chip, event.new_chip, event.cards)
    except ColourUpError as error:
        raise Refused("value", str(error)) from error
    state.seating = replace(
        state.seating,
        state_by_seat={
            seat: replace(chair, stack=found.stack_by_seat[seat]) for seat, chair in state.seating.state_by_seat.items()
        },
    )
    state.tournament = replace(
        state.tournament, coloured_out_chips=state.tournament.coloured_out_chips | {event.old_chip}
    )
    gained = [
        f"seat {seat} {found.stack_by_seat[seat]:,}"
        for seat in found.stack_by_seat
        if found.stack_by_seat[seat] != stacks[seat]
    ]
    sentence = (said.COLOURED_UP_STACKS if gained else said.COLOURED_UP).format(
        old=f"{event.old_chip:,}", new=f"{event.new_chip:,}", stacks=", ".join(gained)
    )
    return (build_ruling("colour-up", Verdict.CORRECT, rule, sentence),)


def _describe_race(odd: dict[int, int]) -> str:
    """The cards of the race: how many, and to whom in which order."""
    seats = [f"{odd[seat]} to seat {seat}" for seat in dict.fromkeys(race_deal_order(odd))]
    return f"one of the `cards` for each odd chip: {', '.join(seats)}" if seats else "no cards, as no chip is odd"


def next_timer_event(state: TableState, now: float) -> events.Event | None:
    """What the timer brings at a time: the next level, a break, or what a break's colour-up makes of the stacks.

    A race has to be dealt, so that a person enters it; so is what the schedule leaves to the director.
    """
    if state.tournament.timer is None:
        return None
    reading = state.tournament.timer.read(now)
    if reading.level_index > state.tournament.level_index:
        return events.LevelAdvanced(is_by_timer=True)
    if (
        reading.stage is ClockStage.BREAK
        and reading.level_index == state.tournament.level_index
        and not state.tournament.is_on_break
    ):
        return events.BreakStarted(is_by_timer=True)
    if state.tournament.is_on_break and state.planned_phase is Phase.IDLE:
        return _due_colour_up(state)
    return None


def _due_colour_up(state: TableState) -> events.ChipsColouredUp | None:
    """The smallest chips, once no level needs them any more, where they are rounded up [FC-10.play.2]."""
    setup = state.setup
    pause, new = (
        setup.levels[state.tournament.level_index].following_break,
        setup.levels[state.tournament.level_index + 1].smallest_chip,
    )
    if (
        pause is None
        or not new
        or not setup.tracks_amounts
        or setup.rulebook.tournament.odd_chips.value is not OddChipExchange.ROUND_UP
    ):
        return None
    for out in pause.colour_out:
        if (
            out.chip_value is None
            or out.part is not ColourOutPart.ALL
            or out.chip_value in state.tournament.coloured_out_chips
            or out.chip_value >= new
        ):
            continue
        stacks = [chair.stack or 0 for chair in state.seating.state_by_seat.values()]
        if new % out.chip_value == 0 and all(stack % out.chip_value == 0 for stack in stacks):
            return events.ChipsColouredUp(out.chip_value, new, is_by_timer=True)
    return None


def render_timer(state: TableState) -> dict[str, object] | None:
    """What the timer shows at the table's time; `None` where none was started. Times in seconds."""
    if state.tournament.timer is None:
        return None
    reading = state.tournament.timer.read(state.time.time_s)
    now = state.tournament.timer.schedule.levels[reading.level_index]
    following = state.tournament.timer.schedule.levels[reading.level_index + 1 : reading.level_index + 2]
    found: dict[str, object] = {
        "stage": reading.stage.value,
        "level": reading.level_index + 1,
        "stakes": [*now.blinds, now.ante],
        "left": round(reading.left_s, 3),
        "to_break": None if reading.to_break_s is None else round(reading.to_break_s, 3),
        "running": reading.is_running,
    }
    if following:
        found["then"] = [*following[0].blinds, following[0].ante]
    if reading.current_break is not None:
        found["colour_out"] = _describe_colour_out(reading.current_break)
    return found
