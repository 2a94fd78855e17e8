"""The room's list of staff, as the room signs it and a table keeps it (docs/room.md, "One staff list").

A list is the whole list: who does not stand on it is out. Its number grows with each change, so that an older one that
comes late, or is sent again, is refused. Of each person it has what a table's own file has: role, public key, and the
signing key locked up under the PIN; whoever reads a list can do with it what a reader of that file can, and no more.

On the wire it is `{"list": TEXT, "signature": HEX}`: Ed25519 of the room's key over `SIGNATURE_DOMAIN` and the text as
it stands.
"""

import base64
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.person_names import fold_name, normalize_name
from controller.runtime.staff.pin_codes import HashCost, PinLock
from controller.strict_json import parse_json

SIGNATURE_DOMAIN = b"table-controller room staff 1\n"
"""Comes before what is signed, so that no other signature of the room's key can pass for a list's."""

MAX_PEOPLE = 500
"""People on one list."""

MAX_LIST_BYTES = 512 * 1024
"""Bytes of a list on the wire; one person takes some 450."""

MAX_HASH_COST = HashCost(10, 256 << 20)
"""No lock on a list takes more work: it is done at each sign-in, on the table's machine."""

SCHEMA = (
    "ALTER TABLE staff ADD COLUMN room INTEGER;"
    " CREATE TABLE room_list (only INTEGER PRIMARY KEY CHECK (only = 1), room BLOB NOT NULL, number INTEGER NOT NULL);"
)
"""`staff.room`: the number of the room's list on which a person came; null for people of the table itself."""


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """One person on a list; times are wall-clock seconds."""

    name: str
    role: Role
    public_key: bytes
    pin_lock: PinLock = field(repr=False)
    enrolled_at: float
    enrolled_by: str
    pin_set_at: float
    key_since: float


@dataclass(frozen=True, slots=True)
class RoomStaffList:
    """Everybody whom the room has enrolled, as list number `number`."""

    number: int
    people: Sequence[ListedPerson]

    def sign(self, key: SigningKey) -> dict[str, str]:
        """Write the list as it goes over the wire."""
        people = [_render_person(person) for person in self.people]
        text = json.dumps({"format": 1, "number": self.number, "people": people}, ensure_ascii=False)
        return {"list": text, "signature": key.sign(SIGNATURE_DOMAIN + text.encode()).signature.hex()}

    @classmethod
    def parse(cls, sent: Mapping[str, Any], room: VerifyKey) -> "RoomStaffList":
        """Read what `sign` wrote; raises `AdmissionError` for what the room did not sign, or could not mean."""
        match sent:
            case {"list": str(text), "signature": str(signature), **rest} if not rest:
                pass
            case _:
                raise AdmissionError(RefusalCode.NOT_UNDERSTOOD, 'Want {"list": …, "signature": …}, both as text.')
        try:
            room.verify(SIGNATURE_DOMAIN + text.encode(), bytes.fromhex(signature))
        except (BadSignatureError, ValueError):
            raise AdmissionError(
                RefusalCode.UNSIGNED, "The list is not signed with the key of this table's room."
            ) from None
        try:
            body = parse_json(text)
            people = [_parse_person(person) for person in body["people"]]
            number = body["number"]
            known = body["format"] == 1 and type(number) is int and 0 < number < 1 << 53
        except (ValueError, KeyError, TypeError, AttributeError, AdmissionError):
            known = False
        if not known or len(people) > MAX_PEOPLE or len({fold_name(person.name) for person in people}) != len(people):
            raise AdmissionError(
                RefusalCode.NOT_UNDERSTOOD,
                f"The list is signed, but none that this program knows: {MAX_PEOPLE} people at most, each once.",
            )
        return cls(number, people)


def apply_list(db: sqlite3.Connection, room: VerifyKey, found: RoomStaffList, now: float) -> list[str]:
    """Put a list in the place of the one that stands, within the caller's transaction; return whom it cannot enrol.

    Those are names that people of the table itself have: a room takes nobody's place. Whoever was removed at the table
    stays out. Raises `AdmissionError` for a list that is older than the one that stands.
    """
    standing = find_list_number(db)
    if found.number < standing:
        raise AdmissionError(
            RefusalCode.OLDER_LIST, f"This is list {found.number} of the room; the table has list {standing}."
        )
    db.execute("INSERT OR REPLACE INTO room_list VALUES (1, ?, ?)", (bytes(room), found.number))
    own = []
    for person in found.people:
        key = fold_name(person.name)
        row = db.execute("SELECT room FROM staff WHERE key = ?", (key,)).fetchone()
        taken = db.execute("SELECT key FROM signing_key WHERE public_key = ?", (person.public_key,)).fetchone()
        if (row is not None and row[0] is None) or (taken is not None and taken[0] != key):
            own.append(person.name)
            continue
        db.execute(
            "INSERT INTO staff (key, name, role, salt, passes, memory, pin_hash, enciphered, public_key, enrolled,"
            " enrolled_by, pin_set, room) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
            " SET name = excluded.name, role = excluded.role, salt = excluded.salt, passes = excluded.passes,"
            " memory = excluded.memory, pin_hash = excluded.pin_hash, enciphered = excluded.enciphered,"
            " public_key = excluded.public_key, pin_set = excluded.pin_set, room = excluded.room,"
            " removed = CASE WHEN removed_by IS NULL THEN NULL ELSE removed END",
            (
                *(key, person.name, person.role.value, person.pin_lock.salt, person.pin_lock.cost.passes),
                *(
                    person.pin_lock.cost.memory_bytes,
                    person.pin_lock.pin_hash,
                    person.pin_lock.encrypted_key,
                    person.public_key,
                ),
                *(person.enrolled_at, person.enrolled_by, person.pin_set_at, found.number),
            ),
        )
        db.execute(
            "INSERT OR IGNORE INTO signing_key (public_key, key, since, given_by) VALUES (?, ?, ?, ?)",
            (person.public_key, key, person.key_since, person.enrolled_by),
        )
    _remove_unlisted(db, found.number, now)
    return own


def find_list_number(db: sqlite3.Connection) -> int:
    """Return the number of the list that stands, 0 where none does."""
    row = db.execute("SELECT number FROM room_list").fetchone()
    return 0 if row is None else int(row[0])


def trust_room(db: sqlite3.Connection, room: VerifyKey | None, now: float) -> None:
    """Let nobody in any more whom another room than `room` enrolled; its lists begin anew."""
    row = db.execute("SELECT room FROM room_list").fetchone()
    if row is not None and (room is None or row[0] != bytes(room)):
        db.execute("DELETE FROM room_list")
        _remove_unlisted(db, -1, now)


def _remove_unlisted(db: sqlite3.Connection, listed: int, now: float) -> None:
    """End the enrolment of everybody of a room who does not stand on list `listed`; no name says who did it."""
    db.execute(
        "UPDATE staff SET removed = ?, enciphered = x'', pin_hash = x'' WHERE removed IS NULL AND room IS NOT NULL"
        " AND room != ?",
        (now, listed),
    )


def _render_person(person: ListedPerson) -> Mapping[str, object]:
    return {
        "name": person.name, "role": person.role.value, "key": _encode_base64(person.public_key),
        "salt": _encode_base64(person.pin_lock.salt), "passes": person.pin_lock.cost.passes,
        "memory": person.pin_lock.cost.memory_bytes,
        "hash": _encode_base64(person.pin_lock.pin_hash), "enciphered": _encode_base64(person.pin_lock.encrypted_key),
        "enrolled": person.enrolled_at,
        "enrolled_by": person.enrolled_by, "pin_set": person.pin_set_at, "key_since": person.key_since,
    }  # fmt: skip


def _parse_person(body: Mapping[str, Any]) -> ListedPerson:
    """Read one person; raises `ValueError` and whatever a body of another shape brings."""
    cost = HashCost(int(body["passes"]), int(body["memory"]))
    lock = PinLock(_decode_base64(body["salt"]), cost, _decode_base64(body["hash"]), _decode_base64(body["enciphered"]))
    if not (
        1 <= cost.passes <= MAX_HASH_COST.passes
        and 8192 <= cost.memory_bytes <= MAX_HASH_COST.memory_bytes
        and len(lock.salt) == 16
    ):
        raise ValueError
    if normalize_name(body["name"]) != body["name"] or len(key := _decode_base64(body["key"])) != 32:
        raise ValueError
    return ListedPerson(
        body["name"], Role(body["role"]), key, lock, float(body["enrolled"]), str(body["enrolled_by"]),
        float(body["pin_set"]), float(body["key_since"]),
    )  # fmt: skip


def _encode_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decode_base64(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
