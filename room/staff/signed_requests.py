"""What a person of the room asks of a table, signed with their own key: entries, releases, files, announcements.

A table takes nothing on the word of whoever carries it. So each request is signed for one table's journal, one session
of it, and the entry that the person saw there (`TablePosition`), and is worth nothing anywhere else or later.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self

from controller.core.protocol import script_lines
from controller.room_contract.artifact import Artifact
from controller.room_contract.table_request import MAX_NUMBER, MessageFormatError, TableReply
from controller.runtime.staff.entry_signature import JournalPosition, sign_entry
from controller.runtime.staff.permissions import FLOOR_ROLES
from controller.runtime.staff.person_names import MAX_NAME_LENGTH
from controller.runtime.staff.room_staff_list import MAX_PEOPLE
from controller.runtime.staff.staff_store import AuthenticatedPerson
from controller.web.entries.entry_endpoint import EntryResponse as Unread
from controller.web.entries.entry_endpoint import parse_entry_line

MAX_JOURNAL_NAME_LENGTH = 64

MAX_OFFER_LENGTH = 400
MAX_OFFERS = 40
"""What a table may offer the floor at a time; more is left out."""


class RequestNotSentError(ValueError):
    """What is not even sent: the table would not take it. The message says why, `code` as the table's own."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class TablePosition:
    """Where a table is: the place in its journal, `shown_entry`: what it shows, and whether it `is_between_hands`.

    `staff_list_number`: the number of the room's list that it has; `own_names`: who is enrolled at the table itself;
    `offers`: what the floor may enter now, each with `line`, `asked` and `why` (`controller.web.entries.floor_offers`).
    """

    journal_position: JournalPosition
    shown_entry: int
    is_between_hands: bool
    staff_list_number: int
    own_names: tuple[str, ...]
    offers: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def from_reply(cls, answer: TableReply) -> Self:
        """Read what a table answers to `RequestKind.POSITION`; raises `MessageFormatError`."""
        match answer.content:
            case {
                "journal": str(journal), "session": int(session), "entry": int(entry), "rests": bool(rests),
                "staff": int(staff), "own": [*own], **more,
            } if len(journal) <= MAX_JOURNAL_NAME_LENGTH and all(map(_is_valid_number, (session, entry,
            staff))):  # fmt: skip
                offers = _parse_offers(more.get("offers"))
                return cls(JournalPosition(journal, session), entry, rests, staff, parse_names(own), offers)
            case _:
                raise MessageFormatError("a table's standing has journal, session, entry, rests, staff and own.")


def parse_names(told: Iterable[object]) -> tuple[str, ...]:
    """The names that a table tells, no more and none longer than a list of staff has."""
    return tuple(str(name)[:MAX_NAME_LENGTH] for name in islice(told, MAX_PEOPLE))


def _is_valid_number(told: int) -> bool:
    return 0 <= told < MAX_NUMBER


def sign_script_line(person: AuthenticatedPerson, line: Mapping[str, object], at: TablePosition) -> dict[str, Any]:
    """Sign a line of the table script as the table will write it; raises `RequestNotSentError`."""
    event = parse_entry_line(line, frozenset({person.role}), person.name)
    if isinstance(event, Unread):
        raise RequestNotSentError(event.code or "", event.message or "")
    written = script_lines.format_line(event)
    return _sign_request(person, written, at, {"line": written})


def sign_fetch(person: AuthenticatedPerson, parcel: Artifact, at: TablePosition) -> dict[str, Any]:
    """Sign that a release is to come to the table."""
    return _sign_request(person, {"ev": "room-fetch", **parcel.to_signed_json()}, at, parcel.to_json())


def sign_release(person: AuthenticatedPerson, name: str | None, at: TablePosition) -> dict[str, Any]:
    """Sign that a fetched release is to be installed, or for `None` the one before to be used again."""
    return _sign_request(person, {"ev": "room-release", "name": name}, at, {"name": name})


def sign_file_read(person: AuthenticatedPerson, at: TablePosition) -> dict[str, Any]:
    """Sign that the table's file is to be told."""
    return _sign_request(person, {"ev": "room-file"}, at, {})


def sign_file_replacement(person: AuthenticatedPerson, text: str, at: TablePosition) -> dict[str, Any]:
    """Sign a table's file."""
    line = {"ev": "room-set-up", "sha256": hashlib.sha256(text.encode()).hexdigest()}
    return _sign_request(person, line, at, {"text": text})


def sign_announcement(person: AuthenticatedPerson, text: str, at: TablePosition) -> dict[str, Any]:
    """Sign something that is to be said at the table."""
    return _sign_request(person, {"ev": "room-announce", "text": text}, at, {"text": text})


def _parse_offers(told: object) -> tuple[Mapping[str, Any], ...]:
    """What a table offers, as far as the floor may enter it: a table is believed no more than that."""
    return tuple(found for one in told[:MAX_OFFERS] if (found := _parse_offer(one))) if isinstance(told, list) else ()


def _parse_offer(told: object) -> Mapping[str, Any] | None:
    match told:
        case {"line": {**line}, "asked": bool(asked), "why": bool(why)} if len(str(line)) <= MAX_OFFER_LENGTH:
            event = parse_entry_line({str(key): value for key, value in line.items()}, FLOOR_ROLES, None)
            return (
                None
                if isinstance(event, Unread)
                else {"line": script_lines.format_line(event), "asked": asked, "why": why}
            )
        case _:
            return None


def _sign_request(
    person: AuthenticatedPerson, line: Mapping[str, object], at: TablePosition, body: Mapping[str, Any]
) -> dict[str, Any]:
    by = sign_entry(person.signing_key, person.name, person.role.value, line, at.shown_entry, at.journal_position)
    return {**body, "by": by}
