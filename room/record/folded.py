"""A stream of the room's record and what its lines amount to: how the room's people change anything."""

import threading
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from room.record.lines import Line, Overtaken, RoomRecord

S = TypeVar("S")

TRIES = 8
"""How often a decision is made anew because somebody else was quicker."""


class Folded(Generic[S]):
    """What a stream's lines amount to, read on from where it was. `fold` is pure; a state is a value.

    Used by several threads: one reads or writes at a time, and `state` may be looked at by any.
    """

    def __init__(self, record: RoomRecord, stream: str, empty: S, fold: Callable[[S, Line], S]) -> None:
        self.stream = stream
        self.state = empty
        self.number = 0
        self._record = record
        self._fold = fold
        self._lock = threading.Lock()

    def read(self) -> S:
        """Read on, whoever wrote; raises `OSError`."""
        with self._lock:
            return self._read()

    def enter(self, at: float, by: str, decide: Callable[[S], Mapping[str, Any] | None]) -> Line | None:
        """Write what `decide` makes of the state as it is, `None` for nothing; raises what it raises, and `OSError`.

        Who was overtaken decides anew on what is then true.
        """
        with self._lock:
            for _ in range(TRIES):
                what = decide(self.state)
                if what is None:
                    return None
                try:
                    line = self._record.append(self.stream, self.number, at, by, what)
                except Overtaken:
                    self._read()
                    continue
                self._take(line)
                return line
        raise ConnectionError(f"the stream {self.stream} is written by somebody else without a pause")

    def _read(self) -> S:
        for line in self._record.lines(self.stream, self.number):
            self._take(line)
        return self.state

    def _take(self, line: Line) -> None:
        self.state = self._fold(self.state, line)
        self.number = line.number
