"""Calls for the floor as a queue: who calls since when, who has taken it, when it was done. A fold of `calls`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from room.record.room_record import RecordLine

CALLS_STREAM = "calls"

MAX_DONE_CALLS = 200
"""Calls that are over and still in memory, the newest; the record has all."""

MAX_OPEN_CALLS = 400
"""A table calls once at a time, so that there are never more than tables."""


class CallNotOpenError(Exception):
    """The call is not there, or not as the person saw it; the message says how it is."""


@dataclass(frozen=True, slots=True)
class FloorCall:
    """A call. `number`: of its line; times in Unix seconds.

    `taken_by` and `done_by`: persons, or the table that said so.
    """

    number: int
    table: str
    called_at: float
    taken_at: float | None = None
    taken_by: str = ""
    done_at: float | None = None
    done_by: str = ""

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {
            "number": self.number,
            "table": self.table,
            "called": self.called_at,
            "taken": self.taken_at,
            "by": self.taken_by,
            "done": self.done_at,
            "done_by": self.done_by,
        }

    @property
    def response_time_s(self) -> float | None:
        """How long it waited until somebody took it, or came without a word; `None` while it waits."""
        answered = self.taken_at if self.taken_at is not None else self.done_at
        return None if answered is None else max(0.0, answered - self.called_at)

    def is_late(self, now: float, after: float) -> bool:
        """Whether nobody has taken it for longer than the room allows: it is everybody's then."""
        return self.taken_at is None and self.done_at is None and now - self.called_at >= after


@dataclass(frozen=True, slots=True)
class CallQueue:
    """The queue: `open_calls` in the order of calling, `done_calls` the newest last.

    `lit_tables`: tables that still show the call though a person of the room has said that it is done: their word for
    wanting the floor is the old one, until they have taken it back.
    """

    open_calls: tuple[FloorCall, ...] = ()
    done_calls: tuple[FloorCall, ...] = ()
    lit_tables: frozenset[str] = frozenset()

    def find_open_call(self, table: str) -> FloorCall | None:
        """The call of a table that is not done."""
        return next((call for call in self.open_calls if call.table == table), None)

    def make_table_line(self, table: str, *, wanted: bool) -> Mapping[str, Any] | None:
        """What a table's word makes: a line, or nothing where it says what is known."""
        call = self.find_open_call(table)
        if wanted and call is None and table not in self.lit_tables and len(self.open_calls) < MAX_OPEN_CALLS:
            return {"do": "called", "table": table}
        if not wanted and (call is not None or table in self.lit_tables):
            return {"do": "came", "table": table}
        return None

    def make_take_line(self, number: int) -> Mapping[str, Any]:
        """A person takes a call, also from somebody else; raises `CallNotOpenError`."""
        return {"do": "take", "call": self._require_open_call(number).number}

    def make_done_line(self, number: int) -> Mapping[str, Any]:
        """A person says that it is done; raises `CallNotOpenError`."""
        return {"do": "done", "call": self._require_open_call(number).number}

    def _require_open_call(self, number: int) -> FloorCall:
        for call in self.open_calls:
            if call.number == number:
                return call
        over = next((call for call in self.done_calls if call.number == number), None)
        if over is None:
            raise CallNotOpenError(f"There is no call {number}.")
        raise CallNotOpenError(f"The call of {over.table} is done; {over.done_by} said so.")


def apply_call_line(calls: CallQueue, line: RecordLine) -> CallQueue:
    """Take a line; one that a newer program wrote is passed over."""
    match line.content:
        case {"do": "called", "table": str(table)} if calls.find_open_call(table) is None:
            return replace(
                calls,
                open_calls=(*calls.open_calls, FloorCall(line.number, table, line.entered_at)),
                lit_tables=calls.lit_tables - {table},
            )
        case {"do": "take", "call": int(number)}:
            taken = (
                replace(call, taken_at=call.taken_at or line.entered_at, taken_by=line.entered_by)
                if call.number == number
                else call
                for call in calls.open_calls
            )
            return replace(calls, open_calls=tuple(taken))
        case {"do": "done", "call": int(number)}:
            return _finish_call(
                calls, next((call for call in calls.open_calls if call.number == number), None), line, lit=True
            )
        case {"do": "came", "table": str(table)}:
            calls = replace(calls, lit_tables=calls.lit_tables - {table})
            return _finish_call(calls, calls.find_open_call(table), line, lit=False)
        case _:
            return calls


def _finish_call(calls: CallQueue, call: FloorCall | None, line: RecordLine, *, lit: bool) -> CallQueue:
    if call is None:
        return calls
    done = replace(call, done_at=line.entered_at, done_by=line.entered_by)
    return CallQueue(
        tuple(other for other in calls.open_calls if other is not call),
        (*calls.done_calls, done)[-MAX_DONE_CALLS:],
        calls.lit_tables | {call.table} if lit else calls.lit_tables,
    )


@dataclass(frozen=True, slots=True)
class CallStatistics:
    """How calls were answered, in seconds; `None` where nothing was answered. `late_count`: not taken in time."""

    call_count: int
    median_s: float | None
    longest_s: float | None
    late_count: int


def summarize_calls(calls: Sequence[FloorCall], after: float) -> CallStatistics:
    """Sum calls up; `after`: seconds after which one was everybody's."""
    waits = sorted(wait for call in calls if (wait := call.response_time_s) is not None)
    if not waits:
        return CallStatistics(len(calls), None, None, 0)
    return CallStatistics(len(calls), waits[len(waits) // 2], waits[-1], sum(wait >= after for wait in waits))
