"""The tournament clock: which level it is, when the next break begins, and the events that it gives to the table.

A clock is a value: when it ran and when it stood still. Time is handed in, in seconds of the caller's clock; the same
commands at the same times give the same clock, so that replaying them after a restart loses nothing.
"""

from collections.abc import Iterator
from enum import Enum, unique

from controller.core.tournament.schedule import Break, Schedule
from controller.core.values.value import Value, replace


class ClockError(ValueError):
    """A command that makes no sense as the clock stands; the message says what would."""


@unique
class Stage(Enum):
    """What the clock is in."""

    WAITING = "waiting"
    LEVEL = "level"
    BREAK = "break"
    OVER = "over"


class Reading(Value):
    """What a clock shows: the stage, the level (index from 0) it is or comes after, and seconds.

    `left`: until the stage ends; `to_break`: of level time until the next break begins, `None` when there is none.
    `elapsed`: since the start, pauses not counted.
    """

    stage: Stage
    level: int
    left: float
    to_break: float | None
    elapsed: float
    running: bool
    pause: Break | None = None


class Span(Value):
    """A level or a break and the seconds, since the start, that it lasts from and until."""

    level: int
    begins: float
    ends: float
    pause: Break | None = None


class Clock(Value):
    """A schedule and how long it has run: `ran` seconds until `since`, from when on it has run; `None` while paused."""

    schedule: Schedule
    started: bool = False
    ran: float = 0.0
    since: float | None = None

    def start(self, now: float) -> "Clock":
        """Begin with level 1; raises `ClockError`."""
        if self.started:
            raise ClockError("the clock was started already; `resume` goes on after a pause.")
        return replace(self, started=True, since=now)

    def pause(self, now: float) -> "Clock":
        """Stand still, as when a table is balanced or the final table is formed [FC-10.moving.1#a, FC-10.final#b].

        Raises `ClockError`.
        """
        if self.since is None:
            raise ClockError("the clock does not run; there is nothing to pause.")
        return replace(self, ran=self.elapsed(now), since=None)

    def resume(self, now: float) -> "Clock":
        """Go on after a pause; raises `ClockError`."""
        if not self.started or self.since is not None:
            raise ClockError("the clock is not paused; `start` begins it.")
        return replace(self, since=now)

    def run_off(self, seconds: float) -> "Clock":
        """So much of the level's time is over, however long it took [TDA-RP-8-B]."""
        return replace(self, ran=self.ran + seconds)

    def elapsed(self, now: float) -> float:
        """Seconds that it has run; time that goes backwards counts as none."""
        return self.ran + (max(0.0, now - self.since) if self.since is not None else 0.0)

    def read(self, now: float) -> Reading:
        """What it shows at a time."""
        elapsed, last = self.elapsed(now), len(self.schedule.levels) - 1
        if not self.started:
            first = self.schedule.levels[0]
            return Reading(Stage.WAITING, 0, 60.0 * first.minutes, self._to_break(0.0), 0.0, False)
        for span in spans(self.schedule):
            if elapsed < span.ends:
                stage = Stage.LEVEL if span.pause is None else Stage.BREAK
                to_break = self._to_break(elapsed) if span.pause is None else None
                left = span.ends - elapsed
                return Reading(stage, span.level, left, to_break, elapsed, self.since is not None, span.pause)
        return Reading(Stage.OVER, last, 0.0, None, elapsed, self.since is not None)

    def _to_break(self, elapsed: float) -> float | None:
        begins = (span.begins for span in spans(self.schedule) if span.pause is not None and span.begins >= elapsed)
        return next((begin - elapsed for begin in begins), None)

    def due(self, now: float, level: int) -> int:
        """How many levels a table that is on `level` (index from 0) must be told of by now.

        A level begins when the one before and the break after it are over; its limits count from the next riffle on
        [R7-15.tourn.9, FC-10.play.1]. During a break the table is still on the level before.
        """
        return max(0, self.read(now).level - level)

    def set_to(self, level: int, now: float, *, pause: bool = False) -> "Clock":
        """The clock at the beginning of a level, or of the break after it; running or not as it was."""
        found = (span for span in spans(self.schedule) if span.level == level and (span.pause is not None) == pause)
        begins = next(found).begins
        return replace(self, ran=begins, since=None if self.since is None else now)


def spans(schedule: Schedule) -> Iterator[Span]:
    """The levels and breaks in order, with when each begins and ends."""
    at = 0.0
    for index, level in enumerate(schedule.levels):
        yield Span(index, at, at + 60.0 * level.minutes)
        at += 60.0 * level.minutes
        if level.then is not None and index + 1 < len(schedule.levels):
            yield Span(index, at, at + 60.0 * level.then.minutes, level.then)
            at += 60.0 * level.then.minutes
