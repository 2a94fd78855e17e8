"""What a room asks of a table, and the table's answer: an entry's number, or a refusal in words."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import Any, Self

from controller.strict_json import RepeatedKeyError, parse_json


@unique
class RequestKind(Enum):
    """What a table may be asked for. Each is off until the table's own file allows it."""

    ENTER = "enter"
    """A line of the table script, signed by a person of the room: `line`, `by` as in an entry of the journal."""
    STAFF = "staff"
    """The room's list of staff, signed by the room."""
    FETCH = "fetch"
    """A technician's word that a release is to come (`artifact.Artifact`)."""
    CHUNK = "piece"
    """A piece of it (`artifact.Chunk`); the uplink's own affair, of which the table hears nothing."""
    RELEASE = "release"
    """A signed release that was fetched, to be installed between hands; or to go back."""
    READ_FILE = "file"
    """The table's file as it stands, for a technician to change."""
    REPLACE_FILE = "set-up"
    """A table's file: checked by the table, taken between hands."""
    ANNOUNCE = "announce"
    """A sentence for the dealer's page."""
    POSITION = "standing"
    """Where the table is: what an entry is signed for (journal, session, entry), and which list of staff it has."""


MAX_MESSAGE_LENGTH = 500
"""Signs of a table's refusal that are kept; a table's own are shorter."""

MAX_CODE_LENGTH = 40

MAX_NUMBER = 1 << 53
"""No entry, session or list has such a number: beyond it a browser counts no more."""


class MessageFormatError(ValueError):
    """A request or an answer that this program does not understand; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class TableReply:
    """What the table said: `is_accepted`, then `entry_number` numbers the entry of its journal, if there is one.

    Else why not.
    `content`: what was asked for besides.
    """

    is_accepted: bool
    entry_number: int | None = None
    code: str = ""
    message: str = ""
    content: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> bytes:
        """Write it as JSON."""
        body = {"taken": self.is_accepted, "entry": self.entry_number, "code": self.code, "message": self.message}
        return json.dumps(body | ({"told": dict(self.content)} if self.content else {})).encode()

    @classmethod
    def from_json(cls, text: bytes) -> Self:
        """Read what `to_json` wrote; raises `MessageFormatError`."""
        match parse_json_object(text):
            case {
                "taken": bool(taken),
                "entry": None | int() as entry,
                "code": str(code),
                "message": str(message),
                **rest,
            } if isinstance(told := rest.get("told", {}), dict) and 0 <= (entry or 0) < MAX_NUMBER:
                return cls(taken, entry, code[:MAX_CODE_LENGTH], message[:MAX_MESSAGE_LENGTH], told)
            case _:
                raise MessageFormatError("an answer has taken, entry, code and message.")


def parse_json_object(text: bytes) -> Mapping[str, Any]:
    """Read a JSON object that can be kept and passed on; raises `MessageFormatError`.

    Half a sign (a lone surrogate) and what is no number can stand in no database and on no page.
    """
    try:
        body = parse_json(text, parse_constant=_refuse_constant)
        json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except RepeatedKeyError as why:
        raise MessageFormatError(f"{why}.") from why
    except (ValueError, RecursionError) as why:
        raise MessageFormatError("want a JSON object.") from why
    if not isinstance(body, dict):
        raise MessageFormatError("want a JSON object.")
    return body


def _refuse_constant(word: str) -> object:
    raise MessageFormatError(f"{word} is no number.")
