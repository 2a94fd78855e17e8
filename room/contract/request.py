"""What a room asks of a table, and the table's answer: an entry's number, or a refusal in words."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, unique
from typing import Any, Self


@unique
class Verb(Enum):
    """What a table may be asked for. Each is off until the table's own file allows it."""

    ENTER = "enter"
    """A line of the table script, signed by a person of the room: `line`, `by` as in an entry of the journal."""
    STAFF = "staff"
    """The room's list of staff, signed by the room."""
    FETCH = "fetch"
    """A technician's word that a release is to come (`parcel.Parcel`)."""
    PIECE = "piece"
    """A piece of it (`parcel.Piece`); the uplink's own affair, of which the table hears nothing."""
    RELEASE = "release"
    """A signed release that was fetched, to be installed between hands; or to go back."""
    FILE = "file"
    """The table's file as it stands, for a technician to change."""
    SET_UP = "set-up"
    """A table's file: checked by the table, taken between hands."""
    ANNOUNCE = "announce"
    """A sentence for the dealer's page."""
    STANDING = "standing"
    """Where the table is: what an entry is signed for (journal, session, entry), and which list of staff it has."""


LONGEST_MESSAGE = 500
"""Signs of a table's refusal that are kept; a table's own are shorter."""

LONGEST_CODE = 40

HIGHEST = 1 << 53
"""No entry, session or list has such a number: beyond it a browser counts no more."""


class BadRequest(ValueError):
    """A request or an answer that this program does not understand; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the table said: `taken`, then `entry` numbers the entry of its journal, if there is one; else why not.

    `told`: what was asked for besides.
    """

    taken: bool
    entry: int | None = None
    code: str = ""
    message: str = ""
    told: Mapping[str, Any] = field(default_factory=dict)

    def written(self) -> bytes:
        """Write it as JSON."""
        body = {"taken": self.taken, "entry": self.entry, "code": self.code, "message": self.message}
        return json.dumps(body | ({"told": dict(self.told)} if self.told else {})).encode()

    @classmethod
    def read(cls, text: bytes) -> Self:
        """Read what `written` wrote; raises `BadRequest`."""
        match object_of(text):
            case {
                "taken": bool(taken),
                "entry": None | int() as entry,
                "code": str(code),
                "message": str(message),
                **rest,
            } if isinstance(told := rest.get("told", {}), dict) and 0 <= (entry or 0) < HIGHEST:
                return cls(taken, entry, code[:LONGEST_CODE], message[:LONGEST_MESSAGE], told)
            case _:
                raise BadRequest("an answer has taken, entry, code and message.")


def object_of(text: bytes) -> Mapping[str, Any]:
    """Read a JSON object that can be kept and passed on; raises `BadRequest`.

    Half a sign (a lone surrogate) and what is no number can stand in no database and on no page.
    """
    try:
        body = json.loads(text, parse_constant=_no_number)
        json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as why:
        raise BadRequest("want a JSON object.") from why
    if not isinstance(body, dict):
        raise BadRequest("want a JSON object.")
    return body


def _no_number(word: str) -> object:
    raise BadRequest(f"{word} is no number.")
