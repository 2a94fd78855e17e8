"""The staff of a table: who is enrolled, in which role, with which PIN and signing key.

Nobody is enrolled at first and there is no PIN that every table has: as long as nobody is, `one_time_code` makes a code
that is shown in the terminal and the log where the table starts, and whoever types it on the page or into `tablectl
staff add` enrols the first person. After that a technician enrols the others.

A name is one person for ever: somebody who leaves stays on record with the public keys that their signatures in the
journal need. A reset gives a new PIN and a new signing key, because the old one is locked up under the old PIN.

Times are wall-clock seconds and are handed in by `now`. Used by several threads: one works on PINs at a time, because a
try takes 64 MiB and a tenth of a second or more.
"""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from nacl import utils
from nacl.signing import SigningKey, VerifyKey

from controller.runtime.journal.database import DatabaseError, open_database
from controller.runtime.staff import pin_codes, room_list, tries
from controller.runtime.staff.admission import Code, NotAdmitted
from controller.runtime.staff.authority import ENROLS, Role
from controller.runtime.staff.names import check_name, key_of
from controller.runtime.staff.pin_codes import COST, Cost, Lock
from controller.runtime.staff.room_list import Listed, RoomList

APPLICATION_ID = 0x7443_5331
"""Marks the file as the staff of a table ("tCS1")."""

CODE_DIGITS = 8
CODE_TRIES = 10
"""Wrong tries after which a one-time code is void: one chance in ten million to guess it."""
CODE_SECONDS = 24 * 3600.0

RENEW_SECONDS = 91 * 86400.0
"""How old a PIN is when its owner is asked for a new one: a quarter of a year (R33)."""

QUEUE_SECONDS = 3.0
"""How long somebody who signs in waits for others who do."""

log = logging.getLogger(__name__)

_SCHEMA = (
    f"""
    CREATE TABLE staff (
        key TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        role TEXT NOT NULL,
        salt BLOB NOT NULL,
        passes INTEGER NOT NULL,
        memory INTEGER NOT NULL,
        pin_hash BLOB NOT NULL,
        enciphered BLOB NOT NULL,
        public_key BLOB NOT NULL,
        enrolled REAL NOT NULL,
        enrolled_by TEXT NOT NULL,
        pin_set REAL NOT NULL,
        removed REAL,
        removed_by TEXT
    ) STRICT;
    CREATE TABLE signing_key (
        public_key BLOB PRIMARY KEY,
        key TEXT NOT NULL REFERENCES staff,
        since REAL NOT NULL
    ) STRICT;
    CREATE TABLE code (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        salt BLOB NOT NULL,
        hash BLOB NOT NULL,
        passes INTEGER NOT NULL,
        memory INTEGER NOT NULL,
        made REAL NOT NULL,
        wrong INTEGER NOT NULL
    ) STRICT;
    {tries.SCHEMA};
    """,
    "ALTER TABLE code ADD COLUMN role TEXT;",
    "ALTER TABLE code ADD COLUMN made_by TEXT; ALTER TABLE signing_key ADD COLUMN given_by TEXT;",
    room_list.SCHEMA,
)


@dataclass(frozen=True, slots=True)
class Person:
    """A member of the staff; times are wall-clock seconds."""

    name: str
    role: Role
    public_key: bytes
    enrolled: float
    enrolled_by: str
    pin_set: float
    locked_out: bool
    key_since: float = 0.0
    key_by: str = ""
    """Who gave the person the key to sign with, at the enrolment or with a new PIN, as `Warrant.by`."""
    of_room: bool = False
    """Enrolled by the room, on its list."""


@dataclass(frozen=True, slots=True)
class KeyOnRecord:
    """A public key that a person signs with, or once did."""

    name: str
    role: Role
    public_key: bytes
    since: float


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Somebody whose PIN was right; `renew`: the PIN is due to be changed."""

    name: str
    role: Role
    key: SigningKey = field(repr=False)
    renew: bool = False

    @property
    def public_key(self) -> bytes:
        """The key that tells their signatures."""
        return bytes(self.key.verify_key)


@dataclass(frozen=True, slots=True)
class Warrant:
    """The authority to enrol, reset or remove staff, and on whose word; `once`: a one-time code, used up by it.

    `role`: it enrols somebody of that role and does nothing else.
    """

    by: str
    once: bool = False
    role: Role | None = None


class Staff:
    """The staff's file of one table."""

    def __init__(self, path: Path, *, cost: Cost = COST, now: Callable[[], float] = time.time) -> None:
        """Open or create the file; raises `controller.runtime.journal.database.DatabaseError`."""
        self.path = path
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
        except OSError as why:
            raise DatabaseError(f"{path}: cannot be opened: {why.strerror}") from why
        self._db = open_database(path, APPLICATION_ID, _SCHEMA)
        self._cost = cost
        self._now = now
        self._decoy = pin_codes.decoy(cost)
        self._working = threading.Lock()
        self._lock = threading.RLock()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def people(self) -> list[Person]:
        """Everybody who is enrolled now, by name."""
        with self._file():
            rows = self._db.execute(
                "SELECT s.key, name, role, s.public_key, enrolled, enrolled_by, pin_set, since,"
                " coalesce(given_by, enrolled_by), room FROM staff s JOIN signing_key k ON k.public_key = s.public_key"
                " WHERE removed IS NULL ORDER BY s.key"
            ).fetchall()
            return [
                Person(
                    name,
                    Role(role),
                    public,
                    enrolled,
                    by,
                    pin_set,
                    tries.is_locked(self._db, key),
                    since,
                    key_by,
                    room is not None,
                )
                for key, name, role, public, enrolled, by, pin_set, since, key_by, room in rows
            ]

    def keys_on_record(self) -> list[KeyOnRecord]:
        """Every public key that anybody here ever signed with, the oldest first."""
        with self._file():
            rows = self._db.execute(
                "SELECT s.name, s.role, k.public_key, k.since FROM signing_key k JOIN staff s USING (key)"
                " ORDER BY k.rowid"
            ).fetchall()
            return [KeyOnRecord(name, Role(role), public, since) for name, role, public, since in rows]

    def stands(self, signed_in: SignedIn) -> bool:
        """Whether somebody who signed in is still enrolled, with the same role and key."""
        with self._file():
            row = self._db.execute(
                "SELECT role, public_key FROM staff WHERE key = ? AND removed IS NULL", (key_of(signed_in.name),)
            ).fetchone()
        return row is not None and (row[0], row[1]) == (signed_in.role.value, signed_in.public_key)

    def sign_in(self, name: str, pin: str) -> SignedIn:
        """Return who that is; raises `NotAdmitted`. An unknown name takes the work of a wrong PIN."""
        with self._work():
            with self._file():
                row = self._db.execute(
                    "SELECT name, role, salt, passes, memory, pin_hash, enciphered, pin_set FROM staff"
                    " WHERE key = ? AND removed IS NULL",
                    (key_of(name),),
                ).fetchone()
                who = tries.NOBODY if row is None else key_of(name)
                tries.count(self._db, who, self._now())
            locked = self._decoy if row is None else Lock(row[2], Cost(row[3], row[4]), row[5], row[6])
            key = pin_codes.unlock(pin, locked)
            if row is None or key is None:  # an unknown name is not logged: it may be a PIN that was typed there
                log.warning("wrong PIN for %s", "a name that nobody has" if row is None else row[0])
                raise NotAdmitted(Code.PIN, "Name and PIN do not belong together.")
            with self._file():
                tries.clear(self._db, who)
                age = self._now() - float(row[7])
            log.info("%s is admitted as %s", row[0], row[1])
            return SignedIn(str(row[0]), Role(row[1]), key, renew=age >= RENEW_SECONDS)

    def change_pin(self, name: str, old: str, new: str) -> SignedIn:
        """Give a person another PIN, who knows the old one; the signing key stays. Raises `NotAdmitted`."""
        pin_codes.check_fit(new)
        if old == new:
            raise NotAdmitted(Code.PIN_UNFIT, "The new PIN is the old one.")
        self._own(name)
        signed_in = self.sign_in(name, old)
        locked = pin_codes.lock(new, signed_in.key, self._cost)
        with self._file():
            self._db.execute(
                "UPDATE staff SET salt = ?, passes = ?, memory = ?, pin_hash = ?, enciphered = ?, pin_set = ?"
                " WHERE key = ?",
                (*_columns(locked), self._now(), key_of(name)),
            )
        return SignedIn(signed_in.name, signed_in.role, signed_in.key)

    def one_time_code(self, role: Role | None = None, by: str | None = None) -> str:
        """Make a code that enrols one person of `role`, in place of any made before; it is kept as a hash only.

        Without a role it does all that a technician may do to the staff: for the table's own terminal. `by`: who makes
        it, where that is known; whoever enrols with it is enrolled by them.
        """
        digits = "".join(str(byte % 10) for byte in utils.random(64) if byte < 250)[:CODE_DIGITS]
        locked = pin_codes.lock(digits, SigningKey(bytes(32)), self._cost)
        with self._file():
            self._db.execute(
                "INSERT OR REPLACE INTO code (only, salt, hash, passes, memory, made, wrong, role, made_by)"
                " VALUES (1, ?, ?, ?, ?, ?, 0, ?, ?)",
                (
                    *(locked.salt, locked.hash, locked.cost.passes, locked.cost.memory, self._now()),
                    *(role and role.value, by),
                ),
            )
        return digits

    def code_stands(self) -> bool:
        """Whether there is a one-time code that somebody may use."""
        return self.code_made() is not None

    def code_made(self) -> float | None:
        """When the one-time code that somebody may use was made; `None` where there is none."""
        with self._file():
            row = self._db.execute("SELECT made, wrong FROM code").fetchone()
        stands = row is not None and row[1] < CODE_TRIES and 0 <= self._now() - row[0] < CODE_SECONDS
        return float(row[0]) if stands else None

    def warrant_by_code(self, code: str) -> Warrant:
        """Take a one-time code, spaces and dashes aside; raises `NotAdmitted`. It is used up by what it serves for."""
        typed = code.replace("-", "").replace(" ", "")
        with self._work():
            if not self.code_stands():
                raise NotAdmitted(
                    Code.CODE,
                    "No one-time code is valid now; `tablectl staff code` at the table makes one.",
                )
            with self._file():
                self._db.execute("UPDATE code SET wrong = wrong + 1")
                row = self._db.execute("SELECT salt, passes, memory, hash, role, made_by FROM code").fetchone()
            if not pin_codes.is_same(typed, row[0], Cost(row[1], row[2]), row[3]):
                raise NotAdmitted(Code.CODE, f"The one-time code is wrong; after {CODE_TRIES} wrong tries it is void.")
            with self._file():
                self._db.execute("UPDATE code SET wrong = wrong - 1")
        return Warrant(row[5] or "one-time code", once=True, role=None if row[4] is None else Role(row[4]))

    def warrant_of(self, signed_in: SignedIn) -> Warrant:
        """Let somebody act who may enrol staff; raises `NotAdmitted`."""
        if signed_in.role not in ENROLS:
            may = " or ".join(sorted(role.value for role in ENROLS))
            raise NotAdmitted(Code.ROLE, f"A {signed_in.role.value} does not enrol staff; a {may} does.")
        return Warrant(signed_in.name)

    def enrol(self, name: str, role: Role, pin: str, warrant: Warrant) -> None:
        """Enrol somebody; raises `NotAdmitted`."""
        shown = check_name(name)
        pin_codes.check_fit(pin)
        if warrant.role not in (None, role):
            raise NotAdmitted(Code.CODE, f"This one-time code enrols a {warrant.role.value} and nobody else.")
        warrant = replace(warrant, role=None)
        key = SigningKey.generate()
        locked = pin_codes.lock(pin, key, self._cost)
        with self._changing(warrant):
            row = self._db.execute("SELECT name FROM staff WHERE key = ?", (key_of(shown),)).fetchone()
            if row is not None:
                raise NotAdmitted(Code.NAME_TAKEN, f"{row[0]} is, or was, enrolled here; a name is never given twice.")
            self._db.execute(
                "INSERT INTO staff (key, name, role, salt, passes, memory, pin_hash, enciphered, public_key, enrolled,"
                " enrolled_by, pin_set) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(key_of(shown), shown, role.value),
                    *(*_columns(locked), bytes(key.verify_key), self._now(), warrant.by, self._now()),
                ),
            )
            self._keep_key(shown, key, warrant)

    def reset(self, name: str, pin: str, warrant: Warrant) -> None:
        """Give a person a new PIN and a new signing key, and end a lock-out; raises `NotAdmitted`."""
        pin_codes.check_fit(pin)
        key = SigningKey.generate()
        locked = pin_codes.lock(pin, key, self._cost)
        self._own(name)
        with self._changing(warrant):
            self._there(name)
            self._db.execute(
                "UPDATE staff SET salt = ?, passes = ?, memory = ?, pin_hash = ?, enciphered = ?, public_key = ?,"
                " pin_set = ? WHERE key = ?",
                (*_columns(locked), bytes(key.verify_key), self._now(), key_of(name)),
            )
            self._keep_key(name, key, warrant)
            tries.clear(self._db, key_of(name))

    def remove(self, name: str, warrant: Warrant) -> None:
        """End somebody's enrolment; name and public keys stay on record. Raises `NotAdmitted`."""
        with self._changing(warrant):
            role = self._there(name)
            others = [
                person for person in self.people() if person.role in ENROLS and key_of(person.name) != key_of(name)
            ]
            if role in ENROLS and not others:
                raise NotAdmitted(Code.LAST, "Nobody else here may enrol staff; enrol another technician first.")
            self._db.execute(
                "UPDATE staff SET removed = ?, removed_by = ?, enciphered = x'', pin_hash = x'' WHERE key = ?",
                (self._now(), warrant.by, key_of(name)),
            )

    def listed(self) -> list[Listed]:
        """Everybody who is enrolled now, as the room's list has them: this file is the room's own."""
        with self._file():
            rows = self._db.execute(
                "SELECT name, role, s.public_key, salt, passes, memory, pin_hash, enciphered, enrolled, enrolled_by,"
                " pin_set, since FROM staff s JOIN signing_key k ON k.public_key = s.public_key"
                " WHERE removed IS NULL ORDER BY s.key"
            ).fetchall()
        return [
            Listed(row[0], Role(row[1]), row[2], Lock(row[3], Cost(row[4], row[5]), row[6], row[7]), *row[8:])
            for row in rows
        ]

    def take_list(self, found: RoomList, room: VerifyKey) -> list[str]:
        """Let in whom the room's list names, and nobody else of the room; return whose names the table has given.

        Raises `NotAdmitted`, also for a list that is older than the one that stands.
        """
        with self._transaction():
            return room_list.take(self._db, room, found, self._now())

    def trust_room(self, room: VerifyKey | None) -> None:
        """Let nobody in any more whom another room enrolled; raises `NotAdmitted`."""
        with self._transaction():
            room_list.trust(self._db, room, self._now())

    def room_list_number(self) -> int:
        """Return the number of the room's list that stands, 0 where none does."""
        with self._file():
            return room_list.number_of(self._db)

    def _own(self, name: str) -> None:
        """Refuse to change the PIN of somebody whom the room enrolled: its next list would bring the old one back."""
        with self._file():
            row = self._db.execute("SELECT room FROM staff WHERE key = ?", (key_of(name),)).fetchone()
        if row is not None and row[0] is not None:
            raise NotAdmitted(Code.ROOM_HAS, "The room has enrolled this person: the PIN is changed there.")

    def _there(self, name: str) -> Role:
        row = self._db.execute("SELECT role FROM staff WHERE key = ? AND removed IS NULL", (key_of(name),)).fetchone()
        if row is None:
            there = ", ".join(person.name for person in self.people()) or "nobody"
            raise NotAdmitted(Code.UNKNOWN, f"Nobody of that name is enrolled; enrolled: {there}.")
        return Role(row[0])

    def _keep_key(self, name: str, key: SigningKey, warrant: Warrant) -> None:
        self._db.execute(
            "INSERT INTO signing_key (public_key, key, since, given_by) VALUES (?, ?, ?, ?)",
            (bytes(key.verify_key), key_of(name), self._now(), warrant.by),
        )

    @contextmanager
    def _changing(self, warrant: Warrant) -> Iterator[None]:
        """Change the staff in one transaction; a one-time code is used up with it."""
        if warrant.role is not None:
            raise NotAdmitted(Code.CODE, f"This one-time code enrols a {warrant.role.value} and does nothing else.")
        with self._transaction():
            if warrant.once and self._db.execute("DELETE FROM code").rowcount != 1:
                raise NotAdmitted(Code.CODE, "The one-time code has been used meanwhile.")
            yield

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._file():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    @contextmanager
    def _work(self) -> Iterator[None]:
        if not self._working.acquire(timeout=QUEUE_SECONDS):
            raise NotAdmitted(Code.BUSY, "Others are signing in; try again.", wait=QUEUE_SECONDS)
        try:
            yield
        finally:
            self._working.release()

    @contextmanager
    def _file(self) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except (sqlite3.Error, ValueError) as why:
            kind = getattr(why, "sqlite_errorname", type(why).__name__)
            raise NotAdmitted(
                Code.RECORDS, f"The staff's file {self.path.name} cannot be used ({kind}); call the technician."
            ) from None


def readable(code: str) -> str:
    """Write a one-time code so that it is easy to type: `"4821-7730"`."""
    return f"{code[: CODE_DIGITS // 2]}-{code[CODE_DIGITS // 2 :]}"


def _columns(locked: Lock) -> tuple[bytes, int, int, bytes, bytes]:
    return locked.salt, locked.cost.passes, locked.cost.memory, locked.hash, locked.enciphered
