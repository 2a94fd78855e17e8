"""A stream of the room's record and what its lines amount to: how the room's people change anything."""

import threading
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from room.record.room_record import RecordLine, RoomRecord, StreamConflictError

S = TypeVar("S")

MAX_TRIES = 8
"""How often a decision is made anew because somebody else was quicker."""


class FoldedStream(Generic[S]):
    """What a stream's lines amount to, read on from where it was. `fold` is pure; a state is a value.

    Used by several threads: one reads or writes at a time, and `state` may be looked at by any.
    """

    def __init__(self, record: RoomRecord, stream: str, empty: S, fold: Callable[[S, RecordLine], S]) -> None:
        self.stream = stream
        self.state = empty
        self.last_number = 0
        self._record = record
        self._apply_line = fold
        self._lock = threading.Lock()

    def read(self) -> S:
        """Read on, whoever wrote; raises `OSError`."""
        with self._lock:
            return self._read()

    def enter(self, at: float, by: str, decide: Callable[[S], Mapping[str, Any] | None]) -> RecordLine | None:
        """Write what `decide` makes of the state as it is, `None` for nothing; raises what it raises, and `OSError`.

        Who was overtaken decides anew on what is then true.
        """
        with self._lock:
            for _ in range(MAX_TRIES):
                what = decide(self.state)
                if what is None:
                    return None
                try:
                    line = self._record.append(self.stream, self.last_number, at, by, what)
                except StreamConflictError:
                    self._read()
                    continue
                self._apply(line)
                return line
        raise ConnectionError(f"the stream {self.stream} is written by somebody else without a pause")

    def _read(self) -> S:
        for line in self._record.read_lines(self.stream, self.last_number):
            self._apply(line)
        return self.state

    def _apply(self, line: RecordLine) -> None:
        self.state = self._apply_line(self.state, line)
        self.last_number = line.number
