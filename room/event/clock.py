"""One clock of the event, and the tables' own timers beside it: who is ahead or behind, and what brings them together.

A table's timer runs on by itself when the link is lost. A level cannot be taken back at a table: whoever is behind is
brought to the level of the event, and whoever is ahead stands still until the event has come up.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.core.tournament.clock import Clock, Stage, spans
from controller.core.values.counted import counted
from room.event.model import Event
from room.event.standing import TableStanding, TableTimer

TOLERANCE = 3.0
"""Seconds that a timer may differ, which messages need."""


@dataclass(frozen=True, slots=True)
class Apart:
    """A table whose timer does not agree: `ahead` in seconds, below 0 behind; `lines` bring it nearer, if any can."""

    table: str
    ahead: float
    text: str
    lines: tuple[Mapping[str, Any], ...] = ()


def shown(timer: TableTimer, clock: Clock) -> float | None:
    """Seconds since the start by a table's timer; `None` where it shows a level that the event does not have."""
    for span in spans(clock.schedule):
        if span.level == timer.level - 1 and (span.pause is not None) == (timer.stage == Stage.BREAK.value):
            return span.ends - timer.left
    return None


def apart(event: Event, now: float, standings: Mapping[str, TableStanding]) -> tuple[Apart, ...]:
    """The tables whose timers do not agree with the event's clock at a time, in the tables' order."""
    tournament = event.tournament
    if tournament is None or event.rounds is not None or event.over or event.closed_by:
        return ()
    pending = {duty.table for duty in event.duties.values() if duty.word in ("level", "timer", "break")}
    seats = event.by_table()
    found = (
        _apart(tournament.clock, now, table, standings[table])
        for table in event.tables
        if table in standings and table not in pending and seats[table]
    )
    return tuple(one for one in found if one is not None)


def _apart(clock: Clock, now: float, table: str, standing: TableStanding) -> Apart | None:
    reading, timer = clock.read(now), standing.timer
    if timer is None:
        text = f"table {table} keeps no time: its timer has not been started"
        lines: tuple[Mapping[str, Any], ...] = ({"ev": "timer", "set": "start"},) if reading.running else ()
        return Apart(table, -reading.elapsed, text, lines)
    elapsed = shown(timer, clock)
    if elapsed is None or timer.stage == Stage.OVER.value or reading.stage is Stage.OVER:
        return None
    if timer.running:
        elapsed += max(0.0, now - standing.at) if standing.at else 0.0
    ahead = elapsed - reading.elapsed
    theirs = _stage(timer.level, timer.stage == Stage.BREAK.value)
    own = _stage(reading.level + 1, reading.stage is Stage.BREAK)
    if ahead > TOLERANCE:
        return _ahead(table, ahead, timer, reading.running, theirs)
    if ahead < -TOLERANCE:
        return _behind(clock, table, ahead, timer, (reading.level, reading.stage is Stage.BREAK), own)
    if timer.running != reading.running:
        word = "resume" if reading.running else "pause"
        still = "stands still" if not timer.running else "runs"
        return Apart(table, ahead, f"the timer of table {table} {still}", ({"ev": "timer", "set": word},))
    return None


def _stage(level: int, pause: bool) -> str:
    return f"the break after level {level}" if pause else f"level {level}"


def _ahead(table: str, ahead: float, timer: TableTimer, running: bool, theirs: str) -> Apart:
    text = f"table {table} is {counted(round(ahead), 'second')} ahead, in {theirs}"
    if timer.running:
        return Apart(table, ahead, f"{text}: it waits until the event has come up", ({"ev": "timer", "set": "pause"},))
    return Apart(table, ahead, f"{text}, and waits" if running else text)


def _behind(clock: Clock, table: str, ahead: float, timer: TableTimer, event_at: tuple[int, bool], own: str) -> Apart:
    at = (timer.level - 1, timer.stage == Stage.BREAK.value)
    text = f"table {table} is {counted(round(-ahead), 'second')} behind"
    between = [span for span in spans(clock.schedule) if at < (span.level, span.pause is not None) <= event_at]
    if between:
        lines = tuple({"ev": "break"} if span.pause is not None else {"ev": "level"} for span in between)
        # a level ends the break before it, and a break that is over need not begin
        lines = tuple(line for line, span in zip(lines, between, strict=True)
                      if span.pause is None or (span.level, True) == event_at)  # fmt: skip
        return Apart(table, ahead, f"{text}, before {own}: it is brought there", lines)
    word = () if timer.running else ({"ev": "timer", "set": "resume"},)
    return Apart(table, ahead, f"{text}: the next level brings it up", word)
