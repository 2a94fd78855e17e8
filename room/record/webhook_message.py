"""What the lines of the room's record are to those outside whom a webhook tells. Pure.

A message has what its type names here and no more: of a tabled hand cards that lay face up, and nothing of a session.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from controller.wall_clock import to_wall_time
from room.record.room_record import RecordLine

TYPE_AND_KEYS_BY_KIND: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        "event register": ("event.registered", ("player",)),
        "event withdraw": ("event.withdrawn", ("player",)),
        "event late-entry": ("event.late-entry", ("player", "seat")),
        "event re-entry": ("event.re-entry", ("player", "seat")),
        "event rebuy": ("event.rebuy", ("player", "amount", "seat")),
        "event add-on": ("event.add-on", ("player", "amount", "chips")),
        "event eliminate": ("event.eliminated", ("player", "hand", "stack", "knocked_by", "shares", "disqualified")),
        "event knockout": ("event.knockout", ("player", "knocked_by", "shares")),
        "event reinstate": ("event.reinstated", ("player", "seat")),
        "event pay": ("event.paid", ("player", "prize")),
        "high-hands confirm": ("high-hand.confirmed", ("promotion", "table", "hand", "seat", "player", "own", "board")),
        "calls called": ("call.made", ("call", "table")),
        "calls take": ("call.taken", ("call", "table")),
        "calls done": ("call.done", ("call", "table")),
        "calls came": ("call.done", ("call", "table")),
        "waiting open": ("table.opened", ("table", "list", "main")),
        "waiting close": ("table.closed", ("table",)),
    }
)
"""The kind of a stream and the word of its line -> the message's type, and what of the line it tells."""

MESSAGE_TYPES = tuple(dict.fromkeys(name for name, _ in TYPE_AND_KEYS_BY_KIND.values()))
"""What a webhook may be told."""


@dataclass(frozen=True, slots=True)
class WebhookMessage:
    """What a line is to those outside; the identity is the line's, and so the same at every attempt."""

    line: RecordLine
    type: str
    data: Mapping[str, Any]

    @property
    def identity(self) -> str:
        """Stream and number of the line."""
        return f"{self.line.stream}:{self.line.number}"

    def to_json(self, room: str) -> Mapping[str, Any]:
        """What is posted, as JSON has it; `room` is the room's name."""
        at = to_wall_time(self.line.entered_at).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        data = {"by": self.line.entered_by, **self.data}
        return {"id": self.identity, "type": self.type, "timestamp": at, "data": {"room": room, **data}}


ReferenceFinder = Callable[[RecordLine], Mapping[str, Any] | None]
"""Finds what a line means by a number, or a table by its word: the call, the tabled hand; `None`: nothing any more."""


def line_kind(line: RecordLine) -> str:
    """The kind of its stream and its word, by which `TYPE_AND_KEYS_BY_KIND` knows a line."""
    return f"{line.stream.partition(':')[0]} {line.content.get('do')}"


def make_message(line: RecordLine, wanted: frozenset[str], meant: ReferenceFinder) -> WebhookMessage | None:
    """Make the message of a line; `None` where it is none, or of no type that is `wanted`."""
    name, keys = TYPE_AND_KEYS_BY_KIND.get(line_kind(line), ("", ()))
    if name not in wanted:
        return None
    what = line.content
    if line.stream.startswith(("calls", "high-hands")):
        found = meant(line)
        if found is None:
            return None
        what = {**found, **what}
    told = {key: what[key] for key in keys if what.get(key) is not None}
    if isinstance(seat := told.get("seat"), list) and len(seat) == 2:  # of an event's line
        told["table"], told["seat"] = seat
    if line.stream.startswith("event:"):
        told["event"] = line.stream.removeprefix("event:")
    return WebhookMessage(line, name, told)
