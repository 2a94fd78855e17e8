"""The room's list of staff, as the room signs it and a table keeps it (docs/room.md, "One staff list").

A list is the whole list: who does not stand on it is out. Its number grows with each change, so that an older one that
comes late, or is sent again, is refused. Of each person it has what a table's own file has: role, public key, and the
signing key locked up under the PIN; whoever reads a list can do with it what a reader of that file can, and no more.

On the wire it is `{"list": TEXT, "signature": HEX}`: Ed25519 of the room's key over `DOMAIN` and the text as it stands.
"""

import base64
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from controller.runtime.staff.admission import Code, NotAdmitted
from controller.runtime.staff.authority import Role
from controller.runtime.staff.names import check_name, key_of
from controller.runtime.staff.pin_codes import Cost, Lock

DOMAIN = b"table-controller room staff 1\n"
"""Comes before what is signed, so that no other signature of the room's key can pass for a list's."""

MOST = 500
"""People on one list."""

LONGEST = 512 * 1024
"""Bytes of a list on the wire; one person takes some 450."""

COSTLIEST = Cost(10, 256 << 20)
"""No lock on a list takes more work: it is done at each sign-in, on the table's machine."""

SCHEMA = (
    "ALTER TABLE staff ADD COLUMN room INTEGER;"
    " CREATE TABLE room_list (only INTEGER PRIMARY KEY CHECK (only = 1), room BLOB NOT NULL, number INTEGER NOT NULL);"
)
"""`staff.room`: the number of the room's list on which a person came; null for people of the table itself."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One person on a list; times are wall-clock seconds."""

    name: str
    role: Role
    public_key: bytes
    lock: Lock = field(repr=False)
    enrolled: float
    enrolled_by: str
    pin_set: float
    key_since: float


@dataclass(frozen=True, slots=True)
class RoomList:
    """Everybody whom the room has enrolled, as list number `number`."""

    number: int
    people: Sequence[Listed]

    def signed(self, key: SigningKey) -> dict[str, str]:
        """Write the list as it goes over the wire."""
        people = [_written(person) for person in self.people]
        text = json.dumps({"format": 1, "number": self.number, "people": people}, ensure_ascii=False)
        return {"list": text, "signature": key.sign(DOMAIN + text.encode()).signature.hex()}

    @classmethod
    def read(cls, sent: Mapping[str, Any], room: VerifyKey) -> "RoomList":
        """Read what `signed` wrote; raises `NotAdmitted` for what the room did not sign, or could not mean."""
        match sent:
            case {"list": str(text), "signature": str(signature), **rest} if not rest:
                pass
            case _:
                raise NotAdmitted(Code.FORM, 'Want {"list": …, "signature": …}, both as text.')
        try:
            room.verify(DOMAIN + text.encode(), bytes.fromhex(signature))
        except (BadSignatureError, ValueError):
            raise NotAdmitted(Code.UNSIGNED, "The list is not signed with the key of this table's room.") from None
        try:
            body = json.loads(text)
            people = [_read(person) for person in body["people"]]
            number = body["number"]
            known = body["format"] == 1 and type(number) is int and 0 < number < 1 << 53
        except (ValueError, KeyError, TypeError, AttributeError, NotAdmitted):
            known = False
        if not known or len(people) > MOST or len({key_of(person.name) for person in people}) != len(people):
            raise NotAdmitted(
                Code.FORM, f"The list is signed, but none that this program knows: {MOST} people at most, each once."
            )
        return cls(number, people)


def take(db: sqlite3.Connection, room: VerifyKey, found: RoomList, now: float) -> list[str]:
    """Put a list in the place of the one that stands, within the caller's transaction; return whom it cannot enrol.

    Those are names that people of the table itself have: a room takes nobody's place. Whoever was removed at the table
    stays out. Raises `NotAdmitted` for a list that is older than the one that stands.
    """
    standing = number_of(db)
    if found.number < standing:
        raise NotAdmitted(Code.OLDER, f"This is list {found.number} of the room; the table has list {standing}.")
    db.execute("INSERT OR REPLACE INTO room_list VALUES (1, ?, ?)", (bytes(room), found.number))
    own = []
    for person in found.people:
        key = key_of(person.name)
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
                *(key, person.name, person.role.value, person.lock.salt, person.lock.cost.passes),
                *(person.lock.cost.memory, person.lock.hash, person.lock.enciphered, person.public_key),
                *(person.enrolled, person.enrolled_by, person.pin_set, found.number),
            ),
        )
        db.execute(
            "INSERT OR IGNORE INTO signing_key (public_key, key, since, given_by) VALUES (?, ?, ?, ?)",
            (person.public_key, key, person.key_since, person.enrolled_by),
        )
    _dismiss(db, found.number, now)
    return own


def number_of(db: sqlite3.Connection) -> int:
    """Return the number of the list that stands, 0 where none does."""
    row = db.execute("SELECT number FROM room_list").fetchone()
    return 0 if row is None else int(row[0])


def trust(db: sqlite3.Connection, room: VerifyKey | None, now: float) -> None:
    """Let nobody in any more whom another room than `room` enrolled; its lists begin anew."""
    row = db.execute("SELECT room FROM room_list").fetchone()
    if row is not None and (room is None or row[0] != bytes(room)):
        db.execute("DELETE FROM room_list")
        _dismiss(db, -1, now)


def _dismiss(db: sqlite3.Connection, listed: int, now: float) -> None:
    """End the enrolment of everybody of a room who does not stand on list `listed`; no name says who did it."""
    db.execute(
        "UPDATE staff SET removed = ?, enciphered = x'', pin_hash = x'' WHERE removed IS NULL AND room IS NOT NULL"
        " AND room != ?",
        (now, listed),
    )


def _written(person: Listed) -> Mapping[str, object]:
    return {
        "name": person.name, "role": person.role.value, "key": _text(person.public_key),
        "salt": _text(person.lock.salt), "passes": person.lock.cost.passes, "memory": person.lock.cost.memory,
        "hash": _text(person.lock.hash), "enciphered": _text(person.lock.enciphered), "enrolled": person.enrolled,
        "enrolled_by": person.enrolled_by, "pin_set": person.pin_set, "key_since": person.key_since,
    }  # fmt: skip


def _read(body: Mapping[str, Any]) -> Listed:
    """Read one person; raises `ValueError` and whatever a body of another shape brings."""
    cost = Cost(int(body["passes"]), int(body["memory"]))
    lock = Lock(_bytes(body["salt"]), cost, _bytes(body["hash"]), _bytes(body["enciphered"]))
    if not (1 <= cost.passes <= COSTLIEST.passes and 8192 <= cost.memory <= COSTLIEST.memory and len(lock.salt) == 16):
        raise ValueError
    if check_name(body["name"]) != body["name"] or len(key := _bytes(body["key"])) != 32:
        raise ValueError
    return Listed(
        body["name"], Role(body["role"]), key, lock, float(body["enrolled"]), str(body["enrolled_by"]),
        float(body["pin_set"]), float(body["key_since"]),
    )  # fmt: skip


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
