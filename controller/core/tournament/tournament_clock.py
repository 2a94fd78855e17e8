"""The tournament clock: which level it is, when the next break begins, and the events that it gives to the table.

A clock is a value: when it ran and when it stood still. Time is handed in, in seconds of the caller's clock; the same
commands at the same times give the same clock, so that replaying them after a restart loses nothing.
"""

from collections.abc import Iterator
from enum import Enum, unique

from controller.core.tournament.schedule import Schedule, ScheduledBreak
from controller.core.values.value import Value, replace


class ClockError(ValueError):
    """A command that makes no sense as the clock stands; the message says what would."""


@unique
class ClockStage(Enum):
    """What the clock is in."""

    WAITING = "waiting"
    LEVEL = "level"
    BREAK = "break"
    OVER = "over"


class ClockReading(Value):
    """What a clock shows: the stage, the level (index from 0) it is or comes after, and seconds.

    `left_s`: until the stage ends; `to_break_s`: of level time until the next break begins, `None` when there is none.
    `elapsed_s`: since the start, pauses not counted.
    """

    stage: ClockStage
    level_index: int
    left_s: float
    to_break_s: float | None
    elapsed_s: float
    is_running: bool
    current_break: ScheduledBreak | None = None


class ScheduleSpan(Value):
    """A level or a break and the seconds, since the start, that it lasts from and until."""

    level_index: int
    begins_at_s: float
    ends_at_s: float
    scheduled_break: ScheduledBreak | None = None


class TournamentClock(Value):
    """A schedule and how long it has run: `ran_s` seconds until `running_since_s`, from when on it has run.

    `None` while paused.
    """

    schedule: Schedule
    is_started: bool = False
    ran_s: float = 0.0
    running_since_s: float | None = None

    def start(self, now: float) -> "TournamentClock":
        """Begin with level 1; raises `ClockError`."""
        if self.is_started:
            raise ClockError("the clock was started already; `resume` goes on after a pause.")
        return replace(self, is_started=True, running_since_s=now)

    def pause(self, now: float) -> "TournamentClock":
        """Stand still, as when a table is balanced or the final table is formed [FC-10.moving.1#a, FC-10.final#b].

        Raises `ClockError`.
        """
        if self.running_since_s is None:
            raise ClockError("the clock does not run; there is nothing to pause.")
        return replace(self, ran_s=self.elapsed_s(now), running_since_s=None)

    def resume(self, now: float) -> "TournamentClock":
        """Go on after a pause; raises `ClockError`."""
        if not self.is_started or self.running_since_s is not None:
            raise ClockError("the clock is not paused; `start` begins it.")
        return replace(self, running_since_s=now)

    def skip_time(self, seconds: float) -> "TournamentClock":
        """So much of the level's time is over, however long it took [TDA-RP-8-B]."""
        return replace(self, ran_s=self.ran_s + seconds)

    def elapsed_s(self, now: float) -> float:
        """Seconds that it has run; time that goes backwards counts as none."""
        return self.ran_s + (max(0.0, now - self.running_since_s) if self.running_since_s is not None else 0.0)

    def read(self, now: float) -> ClockReading:
        """What it shows at a time."""
        elapsed, last = self.elapsed_s(now), len(self.schedule.levels) - 1
        if not self.is_started:
            first = self.schedule.levels[0]
            return ClockReading(ClockStage.WAITING, 0, 60.0 * first.minutes, self._seconds_to_break(0.0), 0.0, False)
        for span in schedule_spans(self.schedule):
            if elapsed < span.ends_at_s:
                stage = ClockStage.LEVEL if span.scheduled_break is None else ClockStage.BREAK
                to_break = self._seconds_to_break(elapsed) if span.scheduled_break is None else None
                left = span.ends_at_s - elapsed
                return ClockReading(
                    stage,
                    span.level_index,
                    left,
                    to_break,
                    elapsed,
                    self.running_since_s is not None,
                    span.scheduled_break,
                )
        return ClockReading(ClockStage.OVER, last, 0.0, None, elapsed, self.running_since_s is not None)

    def _seconds_to_break(self, elapsed: float) -> float | None:
        begins = (
            span.begins_at_s
            for span in schedule_spans(self.schedule)
            if span.scheduled_break is not None and span.begins_at_s >= elapsed
        )
        return next((begin - elapsed for begin in begins), None)

    def count_due_levels(self, now: float, level: int) -> int:
        """How many levels a table that is on `level` (index from 0) must be told of by now.

        A level begins when the one before and the break after it are over; its limits count from the next riffle on
        [R7-15.tourn.9, FC-10.play.1]. During a break the table is still on the level before.
        """
        return max(0, self.read(now).level_index - level)

    def set_to_level(self, level: int, now: float, *, pause: bool = False) -> "TournamentClock":
        """The clock at the beginning of a level, or of the break after it; running or not as it was."""
        found = (
            span
            for span in schedule_spans(self.schedule)
            if span.level_index == level and (span.scheduled_break is not None) == pause
        )
        begins = next(found).begins_at_s
        return replace(self, ran_s=begins, running_since_s=None if self.running_since_s is None else now)


def schedule_spans(schedule: Schedule) -> Iterator[ScheduleSpan]:
    """The levels and breaks in order, with when each begins and ends."""
    at = 0.0
    for index, level in enumerate(schedule.levels):
        yield ScheduleSpan(index, at, at + 60.0 * level.minutes)
        at += 60.0 * level.minutes
        if level.following_break is not None and index + 1 < len(schedule.levels):
            yield ScheduleSpan(index, at, at + 60.0 * level.following_break.minutes, level.following_break)
            at += 60.0 * level.following_break.minutes
