"""One clock of the event, and the tables' own timers beside it: who is ahead or behind, and what brings them together.

A table's timer runs on by itself when the link is lost. A level cannot be taken back at a table: whoever is behind is
brought to the level of the event, and whoever is ahead stands still until the event has come up.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.core.tournament.tournament_clock import ClockStage, TournamentClock, schedule_spans
from controller.core.values.plurals import pluralize
from room.tournament.tournament_state import RoomTournament
from room.tournament.tournament_table_view import TableTimer, TournamentTableView

CLOCK_TOLERANCE_S = 3.0
"""Seconds that a timer may differ, which messages need."""


@dataclass(frozen=True, slots=True)
class ClockDeviation:
    """A table whose timer does not agree: `ahead_s` in seconds, below 0 behind.

    `script_lines` bring it nearer, if any can.
    """

    table: str
    ahead_s: float
    text: str
    script_lines: tuple[Mapping[str, Any], ...] = ()


def compute_timer_elapsed(timer: TableTimer, clock: TournamentClock) -> float | None:
    """Seconds since the start by a table's timer; `None` where it shows a level that the event does not have."""
    for span in schedule_spans(clock.schedule):
        if span.level_index == timer.level - 1 and (span.scheduled_break is not None) == (
            timer.stage == ClockStage.BREAK.value
        ):
            return span.ends_at_s - timer.left_s
    return None


def find_deviations(
    event: RoomTournament, now: float, standings: Mapping[str, TournamentTableView]
) -> tuple[ClockDeviation, ...]:
    """The tables whose timers do not agree with the event's clock at a time, in the tables' order."""
    tournament = event.progress
    if tournament is None or event.current_round is not None or event.is_over or event.closed_by or event.seating_by:
        return ()
    pending = {
        duty.table for duty in event.instruction_by_number.values() if duty.event_name in ("level", "timer", "break")
    }
    seats = event.seating_by_table()
    found = (
        _find_deviation(tournament.clock, now, table, standings[table])
        for table in event.seat_count_by_table
        if table in standings and table not in pending and seats[table]
    )
    return tuple(one for one in found if one is not None)


def _find_deviation(
    clock: TournamentClock, now: float, table: str, standing: TournamentTableView
) -> ClockDeviation | None:
    reading, timer = clock.read(now), standing.timer
    if timer is None:
        text = f"table {table} keeps no time: its timer has not been started"
        lines: tuple[Mapping[str, Any], ...] = ({"ev": "timer", "set": "start"},) if reading.is_running else ()
        return ClockDeviation(table, -reading.elapsed_s, text, lines)
    elapsed = compute_timer_elapsed(timer, clock)
    if elapsed is None or timer.stage == ClockStage.OVER.value or reading.stage is ClockStage.OVER:
        return None
    if timer.is_running:
        elapsed += max(0.0, now - standing.seen_at) if standing.seen_at else 0.0
    ahead = elapsed - reading.elapsed_s
    theirs = _format_stage(timer.level, timer.stage == ClockStage.BREAK.value)
    own = _format_stage(reading.level_index + 1, reading.stage is ClockStage.BREAK)
    if ahead > CLOCK_TOLERANCE_S:
        return _make_ahead_deviation(table, ahead, timer, reading.is_running, theirs)
    if ahead < -CLOCK_TOLERANCE_S:
        return _make_behind_deviation(
            clock, table, ahead, timer, (reading.level_index, reading.stage is ClockStage.BREAK), own
        )
    if timer.is_running != reading.is_running:
        word = "resume" if reading.is_running else "pause"
        still = "stands still" if not timer.is_running else "runs"
        return ClockDeviation(table, ahead, f"the timer of table {table} {still}", ({"ev": "timer", "set": word},))
    return None


def _format_stage(level: int, pause: bool) -> str:
    return f"the break after level {level}" if pause else f"level {level}"


def _make_ahead_deviation(table: str, ahead: float, timer: TableTimer, running: bool, theirs: str) -> ClockDeviation:
    text = f"table {table} is {pluralize(round(ahead), 'second')} ahead, in {theirs}"
    if timer.is_running:
        return ClockDeviation(
            table, ahead, f"{text}: it waits until the event has come up", ({"ev": "timer", "set": "pause"},)
        )
    return ClockDeviation(table, ahead, f"{text}, and waits" if running else text)


def _make_behind_deviation(
    clock: TournamentClock, table: str, ahead: float, timer: TableTimer, event_at: tuple[int, bool], own: str
) -> ClockDeviation:
    at = (timer.level - 1, timer.stage == ClockStage.BREAK.value)
    text = f"table {table} is {pluralize(round(-ahead), 'second')} behind"
    between = [
        span
        for span in schedule_spans(clock.schedule)
        if at < (span.level_index, span.scheduled_break is not None) <= event_at
    ]
    if between:
        lines = tuple({"ev": "break"} if span.scheduled_break is not None else {"ev": "level"} for span in between)
        # a level ends the break before it, and a break that is over need not begin
        lines = tuple(line for line, span in zip(lines, between, strict=True)
                      if span.scheduled_break is None or (span.level_index, True) == event_at)  # fmt: skip
        return ClockDeviation(table, ahead, f"{text}, before {own}: it is brought there", lines)
    word = () if timer.is_running else ({"ev": "timer", "set": "resume"},)
    return ClockDeviation(table, ahead, f"{text}: the next level brings it up", word)
