"""Calls for the floor as a queue: who calls since when, who has taken it, when it was done. A fold of `calls`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from room.record.lines import Line

STREAM = "calls"

MOST_DONE = 200
"""Calls that are over and still in memory, the newest; the record has all."""

MOST_OPEN = 400
"""A table calls once at a time, so that there are never more than tables."""


class NoSuchCall(Exception):
    """The call is not there, or not as the person saw it; the message says how it is."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call. `number`: of its line; times in Unix seconds. `by` and `done_by`: persons, or the table that said so."""

    number: int
    table: str
    called: float
    taken: float | None = None
    by: str = ""
    done: float | None = None
    done_by: str = ""

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {
            "number": self.number,
            "table": self.table,
            "called": self.called,
            "taken": self.taken,
            "by": self.by,
            "done": self.done,
            "done_by": self.done_by,
        }

    @property
    def seconds_to_take(self) -> float | None:
        """How long it waited until somebody took it, or came without a word; `None` while it waits."""
        answered = self.taken if self.taken is not None else self.done
        return None if answered is None else max(0.0, answered - self.called)

    def is_late(self, now: float, after: float) -> bool:
        """Whether nobody has taken it for longer than the room allows: it is everybody's then."""
        return self.taken is None and self.done is None and now - self.called >= after


@dataclass(frozen=True, slots=True)
class Calls:
    """The queue: `open` in the order of calling, `done` the newest last.

    `lit`: tables that still show the call though a person of the room has said that it is done: their word for wanting
    the floor is the old one, until they have taken it back.
    """

    open: tuple[Call, ...] = ()
    done: tuple[Call, ...] = ()
    lit: frozenset[str] = frozenset()

    def of(self, table: str) -> Call | None:
        """The call of a table that is not done."""
        return next((call for call in self.open if call.table == table), None)

    def heard(self, table: str, *, wanted: bool) -> Mapping[str, Any] | None:
        """What a table's word makes: a line, or nothing where it says what is known."""
        call = self.of(table)
        if wanted and call is None and table not in self.lit and len(self.open) < MOST_OPEN:
            return {"do": "called", "table": table}
        if not wanted and (call is not None or table in self.lit):
            return {"do": "came", "table": table}
        return None

    def take(self, number: int) -> Mapping[str, Any]:
        """A person takes a call, also from somebody else; raises `NoSuchCall`."""
        return {"do": "take", "call": self._open(number).number}

    def finish(self, number: int) -> Mapping[str, Any]:
        """A person says that it is done; raises `NoSuchCall`."""
        return {"do": "done", "call": self._open(number).number}

    def _open(self, number: int) -> Call:
        for call in self.open:
            if call.number == number:
                return call
        over = next((call for call in self.done if call.number == number), None)
        if over is None:
            raise NoSuchCall(f"There is no call {number}.")
        raise NoSuchCall(f"The call of {over.table} is done; {over.done_by} said so.")


def fold(calls: Calls, line: Line) -> Calls:
    """Take a line; one that a newer program wrote is passed over."""
    match line.what:
        case {"do": "called", "table": str(table)} if calls.of(table) is None:
            return replace(calls, open=(*calls.open, Call(line.number, table, line.at)), lit=calls.lit - {table})
        case {"do": "take", "call": int(number)}:
            taken = (
                replace(call, taken=call.taken or line.at, by=line.by) if call.number == number else call
                for call in calls.open
            )
            return replace(calls, open=tuple(taken))
        case {"do": "done", "call": int(number)}:
            return _over(calls, next((call for call in calls.open if call.number == number), None), line, lit=True)
        case {"do": "came", "table": str(table)}:
            calls = replace(calls, lit=calls.lit - {table})
            return _over(calls, calls.of(table), line, lit=False)
        case _:
            return calls


def _over(calls: Calls, call: Call | None, line: Line, *, lit: bool) -> Calls:
    if call is None:
        return calls
    done = replace(call, done=line.at, done_by=line.by)
    return Calls(
        tuple(other for other in calls.open if other is not call),
        (*calls.done, done)[-MOST_DONE:],
        calls.lit | {call.table} if lit else calls.lit,
    )


@dataclass(frozen=True, slots=True)
class Times:
    """How calls were answered, in seconds; `None` where nothing was answered. `late`: not taken in time."""

    calls: int
    median: float | None
    longest: float | None
    late: int


def times_of(calls: Sequence[Call], after: float) -> Times:
    """Sum calls up; `after`: seconds after which one was everybody's."""
    waits = sorted(wait for call in calls if (wait := call.seconds_to_take) is not None)
    if not waits:
        return Times(len(calls), None, None, 0)
    return Times(len(calls), waits[len(waits) // 2], waits[-1], sum(wait >= after for wait in waits))
