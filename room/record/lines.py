"""A line of the room's record, and who keeps them.

Everything that the room decides is a line of a stream (`calls`, `waiting`, `event:1` …), written before it counts. What
the room knows is a fold: the same lines give the same calls, lists and tournaments, on every start and in newer
versions.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was entered: the `number` within its stream, from 1; `at`: Unix seconds; `by`: whose word it is.

    `what` has `do` and what the word needs.
    """

    stream: str
    number: int
    at: float
    by: str
    what: Mapping[str, Any]


class Overtaken(Exception):
    """Somebody else wrote the line that was to be next; read on, and decide again."""


class RoomRecord(Protocol):
    """Where lines are kept; one writer a stream at a time. What cannot be kept is an `OSError`."""

    def append(self, stream: str, after: int, at: float, by: str, what: Mapping[str, Any]) -> Line:
        """Write line `after` + 1; raises `Overtaken`."""
        ...

    def lines(self, stream: str, after: int = 0) -> Iterator[Line]:
        """Read the lines of a stream after number `after`, in order."""
        ...

    def between(self, stream: str, since: float, until: float) -> Iterator[Line]:
        """Read the lines of a stream that were entered from `since` to before `until`, Unix seconds, in order."""
        ...

    def streams(self, prefix: str, without: str = "") -> list[str]:
        """Name the streams that begin so, in order; none that has a line whose `do` is `without`."""
        ...


@dataclass
class InMemory:
    """Lines that end with the program: for tests and trials."""

    kept: dict[str, list[Line]] = field(default_factory=dict)

    def append(self, stream: str, after: int, at: float, by: str, what: Mapping[str, Any]) -> Line:
        """Write line `after` + 1; raises `Overtaken`."""
        lines = self.kept.setdefault(stream, [])
        if len(lines) != after:
            raise Overtaken
        lines.append(Line(stream, after + 1, at, by, dict(what)))
        return lines[-1]

    def lines(self, stream: str, after: int = 0) -> Iterator[Line]:
        """Read the lines of a stream after number `after`, in order."""
        return iter(self.kept.get(stream, ())[after:])

    def between(self, stream: str, since: float, until: float) -> Iterator[Line]:
        """Read the lines of a stream that were entered from `since` to before `until`, Unix seconds, in order."""
        return (line for line in self.kept.get(stream, ()) if since <= line.at < until)

    def streams(self, prefix: str, without: str = "") -> list[str]:
        """Name the streams that begin so, in order; none that has a line whose `do` is `without`."""
        return sorted(
            stream
            for stream, lines in self.kept.items()
            if stream.startswith(prefix) and not (without and any(line.what.get("do") == without for line in lines))
        )
