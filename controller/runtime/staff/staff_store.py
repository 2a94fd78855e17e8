"""The staff of a table: who is enrolled, in which role, with which PIN and signing key.

Nobody is enrolled at first and there is no PIN that every table has: as long as nobody is, `make_one_time_code` makes a
code that is shown in the terminal and the log where the table starts, and whoever types it on the page or into
`tablectl staff add` enrols the first person. After that a technician enrols the others.

A name is one person for ever: somebody who leaves stays on record with the public keys that their signatures in the
journal need. A reset gives a new PIN and a new signing key, because the old one is locked up under the old PIN.

Times are wall-clock seconds and are handed in by `now`. Used by several threads: one works on PINs at a time, because a
try takes 64 MiB and a tenth of a second or more.
"""

import hmac
import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from nacl import utils
from nacl.signing import SigningKey, VerifyKey

from controller.runtime.staff import pin_codes, rate_limit, room_staff_list
from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.permissions import ENROLLING_ROLES, Role
from controller.runtime.staff.person_names import fold_name, normalize_name
from controller.runtime.staff.pin_codes import DEFAULT_HASH_COST, HashCost, PinLock
from controller.runtime.staff.room_staff_list import ListedPerson, RoomStaffList
from controller.runtime.staff.staff_continuity import STAFF_APPLICATION_ID, STAFF_TABLES, KnownStaff
from controller.runtime.storage.revision_counter import accept_file, ensure_revision
from controller.runtime.storage.row_digest import change_rows, ensure_row_digest
from controller.runtime.storage.sqlite_database import (
    DatabaseError,
    describe_error,
    describe_error_kind,
    open_database,
    translate_read_errors,
)

APPLICATION_ID = STAFF_APPLICATION_ID

CODE_DIGITS = 8
MAX_CODE_TRIES = 10
"""Wrong tries after which a one-time code is void: one chance in ten million to guess it."""
CODE_VALIDITY_S = 24 * 3600.0
DEFAULT_CODE_ROLE = Role.TECHNICIAN
"""Whom a code enrols that was made for nobody in particular: the first person of a table, who enrols the others."""
MAX_OPEN_CODES = 8
"""One-time codes that are open at one time; with one more the oldest is void, and whoever makes it is told."""

MAX_PIN_AGE_S = 91 * 86400.0
"""How old a PIN is when its owner is asked for a new one: a quarter of a year (R33)."""

SIGN_IN_QUEUE_TIMEOUT_S = 3.0
"""How long somebody who signs in waits for others who do."""

TERMINAL_VOUCHER, ROOM_VOUCHER = "=terminal", "=room"
"""Whoever stands at the table's terminal, and whoever keeps the room's list: no name of a person has such a sign."""

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
    {rate_limit.SCHEMA};
    """,
    "ALTER TABLE code ADD COLUMN role TEXT;",
    "ALTER TABLE code ADD COLUMN made_by TEXT; ALTER TABLE signing_key ADD COLUMN given_by TEXT;",
    room_staff_list.SCHEMA,
    """
    CREATE TABLE one_time_code (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        salt BLOB NOT NULL,
        hash BLOB NOT NULL,
        passes INTEGER NOT NULL,
        memory INTEGER NOT NULL,
        made REAL NOT NULL,
        wrong INTEGER NOT NULL,
        role TEXT,
        made_by TEXT
    ) STRICT;
    INSERT INTO one_time_code (salt, hash, passes, memory, made, wrong, role, made_by)
        SELECT salt, hash, passes, memory, made, wrong, role, made_by FROM code;
    DROP TABLE code;
    """,
)


@dataclass(frozen=True, slots=True)
class Person:
    """A member of the staff; times are wall-clock seconds."""

    name: str
    role: Role
    public_key: bytes
    enrolled_at: float
    enrolled_by: str
    pin_set_at: float
    is_locked_out: bool
    key_since: float = 0.0
    key_given_by: str = ""
    """Who gave the person the key to sign with, at the enrolment or with a new PIN, as `Warrant.granted_by`."""
    is_of_room: bool = False
    """Enrolled by the room, on its list."""


@dataclass(frozen=True, slots=True)
class SigningKeyRecord:
    """A public key that a person signs with, or once did."""

    name: str
    role: Role
    public_key: bytes
    since: float


@dataclass(frozen=True, slots=True)
class AuthenticatedPerson:
    """Somebody whose PIN was right; `needs_new_pin`: the PIN is due to be changed.

    `pin_salt` tells the PIN from every other that the person ever has, and nothing about it.
    """

    name: str
    role: Role
    signing_key: SigningKey = field(repr=False)
    needs_new_pin: bool = False
    pin_salt: bytes = field(default=b"", repr=False)

    @property
    def public_key(self) -> bytes:
        """The key that tells their signatures."""
        return bytes(self.signing_key.verify_key)


@dataclass(frozen=True, slots=True)
class Warrant:
    """The authority to enrol, reset or remove staff, and on whose word; `is_one_time`: a one-time code, used up by it.

    `role`: it enrols somebody of that role and does nothing else. `code_number` is the row of the code.
    """

    granted_by: str
    is_one_time: bool = False
    role: Role | None = None
    code_number: int = 0


@dataclass(frozen=True, slots=True)
class OpenCode:
    """A one-time code that somebody may use: for whom, made when and by whom; a `role` of `None` may do more."""

    number: int
    role: Role | None
    made_at: float
    made_by: str | None
    hash_lock: tuple[bytes, HashCost] = field(repr=False)
    code_hash: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class IssuedCode:
    """A code that was just made; `voided` is the open one that it took the place of."""

    digits: str = field(repr=False)
    role: Role | None
    voided: OpenCode | None = None


class StaffStore:
    """The staff's file of one table."""

    def __init__(self, path: Path, *, cost: HashCost = DEFAULT_HASH_COST, now: Callable[[], float] = time.time) -> None:
        """Open or create the file; raises `controller.runtime.storage.sqlite_database.DatabaseError`."""
        self.path = path
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
        except OSError as why:
            raise DatabaseError(f"{path}: cannot be opened: {describe_error(why, path)}") from why
        self._db = open_database(path, APPLICATION_ID, _SCHEMA)
        with translate_read_errors(path):
            ensure_revision(self._db, STAFF_TABLES)
            ensure_row_digest(self._db, STAFF_TABLES)
        self.find_trouble: Callable[[], str | None] = lambda: None
        """Says why this file is not the one that the journal knows; then nobody is let in by it."""
        self._hash_cost = cost
        self._wall_clock = now
        self._decoy_lock = pin_codes.make_decoy_lock(cost)
        self._pin_work_lock = threading.Lock()
        self._lock = threading.RLock()

    def close(self) -> None:
        """Close the file."""
        with self._lock:  # not under a thread that still reads
            self._db.close()

    def list_people(self) -> list[Person]:
        """Everybody who is enrolled now, by name."""
        with self._use_database():
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
                    rate_limit.is_locked(self._db, key),
                    since,
                    key_by,
                    room is not None,
                )
                for key, name, role, public, enrolled, by, pin_set, since, key_by, room in rows
            ]

    def list_signing_keys(self) -> list[SigningKeyRecord]:
        """Every public key that anybody here ever signed with, the oldest first."""
        with self._use_database():
            rows = self._db.execute(
                "SELECT s.name, s.role, k.public_key, k.since FROM signing_key k JOIN staff s USING (key)"
                " ORDER BY k.rowid"
            ).fetchall()
            return [SigningKeyRecord(name, Role(role), public, since) for name, role, public, since in rows]

    def list_key_givers(self) -> Mapping[str, frozenset[str]]:
        """Who ever enrolled each person of this file, or gave them a PIN; those who have left stand in it, too.

        Names are folded. Whose word leads to nobody here is `TERMINAL_VOUCHER`'s; the room's people are its list's.
        """
        with self._use_database():
            rows = self._db.execute(
                "SELECT s.key, enrolled_by, given_by, room FROM staff s JOIN signing_key USING (key)"
            ).fetchall()
        found: dict[str, set[str]] = {key: set() for key, *_ in rows}
        for key, enrolled_by, given_by, room in rows:
            names = {fold_name(name) for name in (enrolled_by, given_by or enrolled_by)}
            found[key] |= names & found.keys()
            if room is not None or not names <= found.keys():
                found[key].add(TERMINAL_VOUCHER if room is None else ROOM_VOUCHER)
        return {key: frozenset(givers) for key, givers in found.items()}

    def is_still_enrolled(self, signed_in: AuthenticatedPerson) -> bool:
        """Whether somebody who signed in is still enrolled, with the same role, key and PIN."""
        with self._use_database():
            row = self._db.execute(
                "SELECT role, public_key, salt FROM staff WHERE key = ? AND removed IS NULL",
                (fold_name(signed_in.name),),
            ).fetchone()
        return row is not None and tuple(row) == (signed_in.role.value, signed_in.public_key, signed_in.pin_salt)

    def sign_in(self, name: str, pin: str) -> AuthenticatedPerson:
        """Return who that is; raises `AdmissionError`. An unknown name takes the work of a wrong PIN."""
        self.require_known_file()
        with self._hold_pin_work_lock():
            with self._use_database():
                row = self._db.execute(
                    "SELECT name, role, salt, passes, memory, pin_hash, enciphered, pin_set FROM staff"
                    " WHERE key = ? AND removed IS NULL",
                    (fold_name(name),),
                ).fetchone()
                who = rate_limit.UNKNOWN_NAME_KEY if row is None else fold_name(name)
                rate_limit.count_try(self._db, who, self._wall_clock())
            locked = self._decoy_lock if row is None else PinLock(row[2], HashCost(row[3], row[4]), row[5], row[6])
            key = pin_codes.unlock_key(pin, locked)
            if row is None or key is None:  # an unknown name is not logged: it may be a PIN that was typed there
                log.warning("wrong PIN for %s", "a name that nobody has" if row is None else row[0])
                raise AdmissionError(RefusalCode.WRONG_PIN, "Name and PIN do not belong together.")
            with self._use_database():
                rate_limit.clear_tries(self._db, who)
                age = self._wall_clock() - float(row[7])
            log.info("%s is admitted as %s", row[0], row[1])
            return AuthenticatedPerson(
                str(row[0]), Role(row[1]), key, needs_new_pin=age >= MAX_PIN_AGE_S, pin_salt=locked.salt
            )

    def change_pin(
        self, name: str, old: str, new: str, changed: Callable[[AuthenticatedPerson], None] = lambda _person: None
    ) -> AuthenticatedPerson:
        """Give a person another PIN, who knows the old one; the signing key stays. Raises `AdmissionError`.

        Whoever signed in with the old one is enrolled no longer; `changed` is told who is, before anybody can ask.
        """
        pin_codes.check_pin(new)
        if old == new:
            raise AdmissionError(RefusalCode.PIN_UNFIT, "The new PIN is the old one.")
        self._refuse_room_person(name)
        signed_in = self.sign_in(name, old)
        locked = pin_codes.lock_key(new, signed_in.signing_key, self._hash_cost)
        with self._run_transaction():
            self._db.execute(
                "UPDATE staff SET salt = ?, passes = ?, memory = ?, pin_hash = ?, enciphered = ?, pin_set = ?"
                " WHERE key = ?",
                (*_to_columns(locked), self._wall_clock(), fold_name(name)),
            )
            after = replace(signed_in, needs_new_pin=False, pin_salt=locked.salt)
            changed(after)
        return after

    def make_one_time_code(self, role: Role | None = None, by: str | None = None) -> str:
        """Make a code as `issue_code` does, and return its digits."""
        return self.issue_code(role, by).digits

    def issue_code(self, role: Role | None = None, by: str | None = None) -> IssuedCode:
        """Make a code that enrols one person of `role`, beside those that are open; it is kept as a hash only.

        Without a role it does all that a technician may do to the staff: for the table's own terminal. There is one
        such code at a time, and `MAX_OPEN_CODES` of all. `by`: who makes it, where that is known; whoever enrols with
        it is enrolled by them.
        """
        self.require_known_file()
        with self._hold_pin_work_lock():
            open_codes = self.list_open_codes()
            digits, salt, cost, hashed = self._make_fresh_code(open_codes)
            in_its_way = [code for code in open_codes if role is None and code.role is None]
            in_its_way = in_its_way or open_codes[: max(0, len(open_codes) - MAX_OPEN_CODES + 1)]
            with self._use_database():
                kept = [code.number for code in open_codes if code not in in_its_way]
                self._db.execute(
                    "DELETE FROM one_time_code WHERE number NOT IN (SELECT value FROM json_each(?))",
                    (json.dumps(kept),),
                )
                self._db.execute(
                    "INSERT INTO one_time_code (salt, hash, passes, memory, made, wrong, role, made_by)"
                    " VALUES (?, ?, ?, ?, ?, 0, ?, ?)",
                    (salt, hashed, cost.passes, cost.memory_bytes, self._wall_clock(), role and role.value, by),
                )
        return IssuedCode(digits, role, in_its_way[0] if in_its_way else None)

    def _make_fresh_code(self, open_codes: Sequence[OpenCode]) -> tuple[str, bytes, HashCost, bytes]:
        """Make digits that no open code has. All are hashed with one salt, so that one try looks at all of them."""
        salt, cost = open_codes[-1].hash_lock if open_codes else (pin_codes.make_salt(), self._hash_cost)
        while True:
            digits = "".join(str(byte % 10) for byte in utils.random(64) if byte < 250)[:CODE_DIGITS]
            hashed = pin_codes.hash_secret(digits, salt, cost)
            if all(hashed != code.code_hash for code in open_codes):
                return digits, salt, cost, hashed

    def void_codes(self) -> None:
        """Make every open code worth nothing; raises `AdmissionError`."""
        with self._use_database():
            self._db.execute("DELETE FROM one_time_code")

    def list_open_codes(self) -> list[OpenCode]:
        """The one-time codes that somebody may use, the oldest first.

        One that a person has made ends with their right to make it.
        """
        now = self._wall_clock()
        with self._use_database():
            rows = self._db.execute(
                "SELECT number, role, made, made_by, salt, passes, memory, hash FROM one_time_code"
                " WHERE wrong < ? ORDER BY number",
                (MAX_CODE_TRIES,),
            ).fetchall()
            enrolling = {fold_name(person.name) for person in self.list_people() if person.role in ENROLLING_ROLES}
        return [
            OpenCode(number, None if role is None else Role(role), made, by, (salt, HashCost(passes, memory)), hashed)
            for number, role, made, by, salt, passes, memory, hashed in rows
            if 0 <= now - made < CODE_VALIDITY_S and (by is None or fold_name(by) in enrolling)
        ]

    def is_code_valid(self) -> bool:
        """Whether there is a one-time code that somebody may use."""
        return bool(self.list_open_codes())

    def find_code_time(self) -> float | None:
        """When the one-time code for the terminal was made that somebody may use; `None` where there is none."""
        return next((code.made_at for code in self.list_open_codes() if code.role is None), None)

    def find_code_role(self, code: str) -> Role:
        """Say what role a one-time code enrols where nobody names one; a wrong code is counted, and refused."""
        return self.redeem_code(code).role or DEFAULT_CODE_ROLE

    def redeem_code(self, code: str) -> Warrant:
        """Take a one-time code, spaces and dashes aside; raises `AdmissionError`. Its first use is its last.

        A wrong one counts against every code that is open: nobody can tell which of them was meant.
        """
        self.require_known_file()
        typed = code.replace("-", "").replace(" ", "")
        with self._hold_pin_work_lock():
            if not self.is_code_valid():
                raise AdmissionError(
                    RefusalCode.WRONG_CODE,
                    "No one-time code is valid now; `tablectl staff code` at the table makes one.",
                )
            with self._use_database():
                open_codes = self.list_open_codes()
                self._db.execute("UPDATE one_time_code SET wrong = wrong + 1")
            locks = dict.fromkeys(each.hash_lock for each in open_codes)
            hash_by_lock = {lock: pin_codes.hash_secret(typed, *lock) for lock in locks}
            found = [each for each in open_codes if hmac.compare_digest(hash_by_lock[each.hash_lock], each.code_hash)]
            if not found:
                raise AdmissionError(
                    RefusalCode.WRONG_CODE,
                    f"The one-time code is wrong; after {MAX_CODE_TRIES} wrong tries it is void.",
                )
            with self._use_database():
                self._db.execute("UPDATE one_time_code SET wrong = wrong - 1")
        granted_by = found[0].made_by or "one-time code"
        return Warrant(granted_by, is_one_time=True, role=found[0].role, code_number=found[0].number)

    def make_warrant(self, signed_in: AuthenticatedPerson) -> Warrant:
        """Let somebody act who may enrol staff; raises `AdmissionError`."""
        if signed_in.role not in ENROLLING_ROLES:
            may = " or ".join(sorted(role.value for role in ENROLLING_ROLES))
            raise AdmissionError(
                RefusalCode.WRONG_ROLE, f"A {signed_in.role.value} does not enrol staff; a {may} does."
            )
        return Warrant(signed_in.name)

    def enrol(self, name: str, role: Role, pin: str, warrant: Warrant) -> None:
        """Enrol somebody; raises `AdmissionError`."""
        shown = normalize_name(name)
        pin_codes.check_pin(pin)
        if warrant.role not in (None, role):
            raise AdmissionError(
                RefusalCode.WRONG_CODE, f"This one-time code enrols a {warrant.role.value} and nobody else."
            )
        warrant = replace(warrant, role=None)
        key = SigningKey.generate()
        locked = pin_codes.lock_key(pin, key, self._hash_cost)
        with self._change_staff(warrant):
            row = self._db.execute("SELECT name FROM staff WHERE key = ?", (fold_name(shown),)).fetchone()
            if row is not None:
                raise AdmissionError(
                    RefusalCode.NAME_TAKEN, f"{row[0]} is, or was, enrolled here; a name is never given twice."
                )
            self._db.execute(
                "INSERT INTO staff (key, name, role, salt, passes, memory, pin_hash, enciphered, public_key, enrolled,"
                " enrolled_by, pin_set) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(fold_name(shown), shown, role.value),
                    *(
                        *_to_columns(locked),
                        bytes(key.verify_key),
                        self._wall_clock(),
                        warrant.granted_by,
                        self._wall_clock(),
                    ),
                ),
            )
            self._insert_key(shown, key, warrant)

    def reset_pin(self, name: str, pin: str, warrant: Warrant) -> None:
        """Give a person a new PIN and a new signing key, and end a lock-out; raises `AdmissionError`."""
        pin_codes.check_pin(pin)
        key = SigningKey.generate()
        locked = pin_codes.lock_key(pin, key, self._hash_cost)
        self._refuse_room_person(name)
        with self._change_staff(warrant):
            self._find_role(name)
            self._db.execute(
                "UPDATE staff SET salt = ?, passes = ?, memory = ?, pin_hash = ?, enciphered = ?, public_key = ?,"
                " pin_set = ? WHERE key = ?",
                (*_to_columns(locked), bytes(key.verify_key), self._wall_clock(), fold_name(name)),
            )
            self._insert_key(name, key, warrant)
            rate_limit.clear_tries(self._db, fold_name(name))

    def remove(self, name: str, warrant: Warrant) -> None:
        """End somebody's enrolment; name and public keys stay on record. Raises `AdmissionError`."""
        with self._change_staff(warrant):
            role = self._find_role(name)
            others = [
                person
                for person in self.list_people()
                if person.role in ENROLLING_ROLES and fold_name(person.name) != fold_name(name)
            ]
            if role in ENROLLING_ROLES and not others:
                raise AdmissionError(
                    RefusalCode.LAST_WHO_ENROLS, "Nobody else here may enrol staff; enrol another technician first."
                )
            self._db.execute(
                "UPDATE staff SET removed = ?, removed_by = ?, enciphered = x'', pin_hash = x'' WHERE key = ?",
                (self._wall_clock(), warrant.granted_by, fold_name(name)),
            )

    def list_for_room(self) -> list[ListedPerson]:
        """Everybody who is enrolled now, as the room's list has them: this file is the room's own."""
        with self._use_database():
            rows = self._db.execute(
                "SELECT name, role, s.public_key, salt, passes, memory, pin_hash, enciphered, enrolled, enrolled_by,"
                " pin_set, since FROM staff s JOIN signing_key k ON k.public_key = s.public_key"
                " WHERE removed IS NULL ORDER BY s.key"
            ).fetchall()
        return [
            ListedPerson(
                row[0], Role(row[1]), row[2], PinLock(row[3], HashCost(row[4], row[5]), row[6], row[7]), *row[8:]
            )
            for row in rows
        ]

    def apply_room_list(self, found: RoomStaffList, room: VerifyKey) -> list[str]:
        """Let in whom the room's list names, and nobody else of the room; return whose names the table has given.

        Raises `AdmissionError`, also for a list that is older than the one that stands.
        """
        self.require_known_file()
        with self._run_transaction():
            return room_staff_list.apply_list(self._db, room, found, self._wall_clock())

    def trust_room(self, room: VerifyKey | None) -> None:
        """Let nobody in any more whom another room enrolled; raises `AdmissionError`."""
        with self._run_transaction():
            room_staff_list.trust_room(self._db, room, self._wall_clock())

    def require_known_file(self) -> None:
        """Raise `AdmissionError` where this file is not the one that the journal knows."""
        trouble = self.find_trouble()
        if trouble is not None:
            raise AdmissionError(
                RefusalCode.STAFF_FILE_REPLACED,
                f"The staff's file {self.path.name} {trouble.partition(':')[0]}; call the technician.",
            )

    def accept_in_place_of(self, known: KnownStaff | None) -> None:
        """Take this file as it is in the place of the one that the journal knows; raises `AdmissionError`.

        No list of the room that is older than the one known there is taken by it.
        """
        with self._run_transaction(accepts_damage=True):
            if known is None:
                return
            accept_file(self._db, known.mark)
            if known.room and room_staff_list.find_list_number(self._db) < known.list_number:
                self._db.execute(
                    "INSERT OR REPLACE INTO room_list VALUES (1, ?, ?)", (bytes.fromhex(known.room), known.list_number)
                )

    def find_room_list_number(self) -> int:
        """Return the number of the room's list that stands, 0 where none does."""
        with self._use_database():
            return room_staff_list.find_list_number(self._db)

    def _refuse_room_person(self, name: str) -> None:
        """Refuse to change the PIN of somebody whom the room enrolled: its next list would bring the old one back."""
        with self._use_database():
            row = self._db.execute("SELECT room FROM staff WHERE key = ?", (fold_name(name),)).fetchone()
        if row is not None and row[0] is not None:
            raise AdmissionError(
                RefusalCode.KEPT_BY_ROOM, "The room has enrolled this person: the PIN is changed there."
            )

    def _find_role(self, name: str) -> Role:
        row = self._db.execute(
            "SELECT role FROM staff WHERE key = ? AND removed IS NULL", (fold_name(name),)
        ).fetchone()
        if row is None:
            there = ", ".join(person.name for person in self.list_people()) or "nobody"
            raise AdmissionError(RefusalCode.UNKNOWN_PERSON, f"Nobody of that name is enrolled; enrolled: {there}.")
        return Role(row[0])

    def _insert_key(self, name: str, key: SigningKey, warrant: Warrant) -> None:
        self._db.execute(
            "INSERT INTO signing_key (public_key, key, since, given_by) VALUES (?, ?, ?, ?)",
            (bytes(key.verify_key), fold_name(name), self._wall_clock(), warrant.granted_by),
        )

    @contextmanager
    def _change_staff(self, warrant: Warrant) -> Iterator[None]:
        """Change the staff in one transaction; a one-time code is used up with it."""
        if warrant.role is not None:
            raise AdmissionError(
                RefusalCode.WRONG_CODE, f"This one-time code enrols a {warrant.role.value} and does nothing else."
            )
        with self._run_transaction():
            if warrant.is_one_time and self._use_code_up(warrant) != 1:
                raise AdmissionError(RefusalCode.WRONG_CODE, "The one-time code has been used meanwhile.")
            yield

    def _use_code_up(self, warrant: Warrant) -> int:
        return self._db.execute("DELETE FROM one_time_code WHERE number = ?", (warrant.code_number,)).rowcount

    @contextmanager
    def _run_transaction(self, *, accepts_damage: bool = False) -> Iterator[None]:
        with self._use_database(), change_rows(self._db, STAFF_TABLES, accepts_damage=accepts_damage):
            yield

    @contextmanager
    def _hold_pin_work_lock(self) -> Iterator[None]:
        if not self._pin_work_lock.acquire(timeout=SIGN_IN_QUEUE_TIMEOUT_S):
            raise AdmissionError(
                RefusalCode.SIGN_IN_BUSY, "Others are signing in; try again.", wait=SIGN_IN_QUEUE_TIMEOUT_S
            )
        try:
            yield
        finally:
            self._pin_work_lock.release()

    @contextmanager
    def _use_database(self) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except (sqlite3.Error, ValueError) as why:
            kind = describe_error_kind(why, self.path)
            raise AdmissionError(
                RefusalCode.STAFF_FILE_UNUSABLE,
                f"The staff's file {self.path.name} cannot be used ({kind}); call the technician.",
            ) from None


def format_code(code: str) -> str:
    """Write a one-time code so that it is easy to type: `"4821-7730"`."""
    return f"{code[: CODE_DIGITS // 2]}-{code[CODE_DIGITS // 2 :]}"


def _to_columns(locked: PinLock) -> tuple[bytes, int, int, bytes, bytes]:
    return locked.salt, locked.cost.passes, locked.cost.memory_bytes, locked.pin_hash, locked.encrypted_key
