"""A line of the room's record, and who keeps them.

Everything that the room decides is a line of a stream (`calls`, `waiting`, `event:1` …), written before it counts. What
the room knows is a fold: the same lines give the same calls, lists and tournaments, on every start and in newer
versions.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One thing that was entered: the `number` within its stream, from 1; `entered_at`: Unix seconds.

    `entered_by`: whose word it is.
    `content` has `do` and what the word needs.
    """

    stream: str
    number: int
    entered_at: float
    entered_by: str
    content: Mapping[str, Any]


class StreamConflictError(Exception):
    """Somebody else wrote the line that was to be next; read on, and decide again."""


class RoomRecord(Protocol):
    """Where lines are kept; one writer a stream at a time. What cannot be kept is an `OSError`."""

    def append(self, stream: str, after: int, at: float, by: str, what: Mapping[str, Any]) -> RecordLine:
        """Write line `after` + 1; raises `StreamConflictError`."""
        ...

    def read_lines(self, stream: str, after: int = 0) -> Iterator[RecordLine]:
        """Read the lines of a stream after number `after`, in order."""
        ...

    def read_lines_between(self, stream: str, since: float, until: float) -> Iterator[RecordLine]:
        """Read the lines of a stream that were entered from `since` to before `until`, Unix seconds, in order."""
        ...

    def list_streams(self, prefix: str, without: str = "") -> list[str]:
        """Name the streams that begin so, in order; none that has a line whose `do` is `without`."""
        ...


@dataclass
class InMemoryRecord:
    """Lines that end with the program: for tests and trials."""

    lines_by_stream: dict[str, list[RecordLine]] = field(default_factory=dict)

    def append(self, stream: str, after: int, at: float, by: str, what: Mapping[str, Any]) -> RecordLine:
        """Write line `after` + 1; raises `StreamConflictError`."""
        lines = self.lines_by_stream.setdefault(stream, [])
        if len(lines) != after:
            raise StreamConflictError
        lines.append(RecordLine(stream, after + 1, at, by, dict(what)))
        return lines[-1]

    def read_lines(self, stream: str, after: int = 0) -> Iterator[RecordLine]:
        """Read the lines of a stream after number `after`, in order."""
        return iter(self.lines_by_stream.get(stream, ())[after:])

    def read_lines_between(self, stream: str, since: float, until: float) -> Iterator[RecordLine]:
        """Read the lines of a stream that were entered from `since` to before `until`, Unix seconds, in order."""
        return (line for line in self.lines_by_stream.get(stream, ()) if since <= line.entered_at < until)

    def list_streams(self, prefix: str, without: str = "") -> list[str]:
        """Name the streams that begin so, in order; none that has a line whose `do` is `without`."""
        return sorted(
            stream
            for stream, lines in self.lines_by_stream.items()
            if stream.startswith(prefix) and not (without and any(line.content.get("do") == without for line in lines))
        )
