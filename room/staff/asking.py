"""What a person of the room asks of a table, signed with their own key: entries, releases, files, announcements.

A table takes nothing on the word of whoever carries it. So each request is signed for one table's journal, one session
of it, and the entry that the person saw there (`Standing`), and is worth nothing anywhere else or later.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self

from controller.core.protocol import script
from controller.runtime.staff.authority import FLOOR
from controller.runtime.staff.names import LONGEST_NAME
from controller.runtime.staff.room_list import MOST
from controller.runtime.staff.signature import JournalPosition, signed
from controller.runtime.staff.staff import SignedIn
from controller.web.serving.desk import Answer as Unread
from controller.web.serving.desk import read_line
from room.contract.parcel import Parcel
from room.contract.request import HIGHEST, Answer, BadRequest

LONGEST_JOURNAL = 64

LONGEST_OFFER = 400
MOST_OFFERS = 40
"""What a table may offer the floor at a time; more is left out."""


class NotAsked(ValueError):
    """What is not even sent: the table would not take it. The message says why, `code` as the table's own."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a table is: the place in its journal, the `entry` that it shows, whether it `rests` between two hands.

    `staff`: the number of the room's list that it has; `own`: who is enrolled at the table itself; `offers`: what the
    floor may enter now, each with `line`, `asked` and `why` (`controller.web.serving.offers`).
    """

    place: JournalPosition
    entry: int
    rests: bool
    staff: int
    own: tuple[str, ...]
    offers: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """Read what a table answers to `Verb.STANDING`; raises `BadRequest`."""
        match answer.told:
            case {
                "journal": str(journal), "session": int(session), "entry": int(entry), "rests": bool(rests),
                "staff": int(staff), "own": [*own], **more,
            } if len(journal) <= LONGEST_JOURNAL and all(map(_is_number, (session, entry, staff))):  # fmt: skip
                offers = _offers(more.get("offers"))
                return cls(JournalPosition(journal, session), entry, rests, staff, names_of(own), offers)
            case _:
                raise BadRequest("a table's standing has journal, session, entry, rests, staff and own.")


def names_of(told: Iterable[object]) -> tuple[str, ...]:
    """The names that a table tells, no more and none longer than a list of staff has."""
    return tuple(str(name)[:LONGEST_NAME] for name in islice(told, MOST))


def _is_number(told: int) -> bool:
    return 0 <= told < HIGHEST


def entry(person: SignedIn, line: Mapping[str, object], at: Standing) -> dict[str, Any]:
    """Sign a line of the table script as the table will write it; raises `NotAsked`."""
    event = read_line(line, frozenset({person.role}), person.name)
    if isinstance(event, Unread):
        raise NotAsked(event.code or "", event.message or "")
    written = script.write(event)
    return _sent(person, written, at, {"line": written})


def fetch(person: SignedIn, parcel: Parcel, at: Standing) -> dict[str, Any]:
    """Sign that a release is to come to the table."""
    return _sent(person, {"ev": "room-fetch", **parcel.told()}, at, parcel.written())


def release(person: SignedIn, name: str | None, at: Standing) -> dict[str, Any]:
    """Sign that a fetched release is to be installed, or for `None` the one before to be used again."""
    return _sent(person, {"ev": "room-release", "name": name}, at, {"name": name})


def file(person: SignedIn, at: Standing) -> dict[str, Any]:
    """Sign that the table's file is to be told."""
    return _sent(person, {"ev": "room-file"}, at, {})


def set_up(person: SignedIn, text: str, at: Standing) -> dict[str, Any]:
    """Sign a table's file."""
    line = {"ev": "room-set-up", "sha256": hashlib.sha256(text.encode()).hexdigest()}
    return _sent(person, line, at, {"text": text})


def announcement(person: SignedIn, text: str, at: Standing) -> dict[str, Any]:
    """Sign something that is to be said at the table."""
    return _sent(person, {"ev": "room-announce", "text": text}, at, {"text": text})


def _offers(told: object) -> tuple[Mapping[str, Any], ...]:
    """What a table offers, as far as the floor may enter it: a table is believed no more than that."""
    return tuple(found for one in told[:MOST_OFFERS] if (found := _offer(one))) if isinstance(told, list) else ()


def _offer(told: object) -> Mapping[str, Any] | None:
    match told:
        case {"line": {**line}, "asked": bool(asked), "why": bool(why)} if len(str(line)) <= LONGEST_OFFER:
            event = read_line({str(key): value for key, value in line.items()}, FLOOR, None)
            return None if isinstance(event, Unread) else {"line": script.write(event), "asked": asked, "why": why}
        case _:
            return None


def _sent(person: SignedIn, line: Mapping[str, object], at: Standing, body: Mapping[str, Any]) -> dict[str, Any]:
    by = signed(person.key, person.name, person.role.value, line, at.entry, at.place)
    return {**body, "by": by}
