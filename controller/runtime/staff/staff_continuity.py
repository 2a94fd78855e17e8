"""Whether the staff's file is the one that the journal knows, and no older: else nobody is let in by it.

The journal has a record `staff` of the file's name and count of changes (`revision_counter`), written while the table
runs; an older journal has sign-ins, whose keys a staff's file never forgets.
"""

import base64
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from controller.runtime.storage.revision_counter import FileRevision, read_revision
from controller.runtime.storage.row_digest import read_at_once
from controller.runtime.storage.sqlite_database import open_read_only, translate_read_errors

READ_TIMEOUT_S = 0.1
"""How long the table's own thread waits for whoever holds the file."""

STAFF_APPLICATION_ID = 0x7443_5331
"""Marks the file as the staff of a table ("tCS1")."""

TOKENS_APPLICATION_ID = 0x7443_5432
"""Marks the file as the tokens of a table ("tCT2")."""

STAFF_TABLES, TOKEN_TABLES = ("staff", "signing_key", "room_list"), ("token",)
"""Whose changes tell an older copy of a file, and whose rows damage; tries and one-time codes are none."""

DAMAGE = "is damaged: what it holds is not what was written into it"

STAFF_RECORD_KIND, SIGN_IN_RECORD_KIND = "staff", "sign-in"


@dataclass(frozen=True, slots=True)
class StaffFileState:
    """What the file at the path is; `keys` are all public keys in it, in base64, `list_number` of the room's list."""

    revision: FileRevision
    people_count: int
    keys: frozenset[str]
    room: str
    list_number: int


@dataclass(frozen=True, slots=True)
class KnownStaff:
    """What the journal knows: the newest record `staff`, or of an older journal who signed in last.

    `file_id` is empty in that case; `room` and `list_number` say which list of which room stood.
    """

    file_id: str
    number: int
    people_count: int
    room: str
    list_number: int
    last_name: str
    last_key: str
    tokens: FileRevision | None = None
    """The tokens' file, where there was one."""

    @property
    def mark(self) -> str:
        """What a file that takes the place of this one carries."""
        return f"{self.file_id}:{self.number}" if self.file_id else f"key:{self.last_key}"


def read_staff_file(path: Path) -> StaffFileState | None:
    """Read the staff's file without waiting; `None` where there is none. Raises `DatabaseError`."""
    if not path.exists() or not path.stat().st_size:
        return None
    with (
        closing(open_read_only(path, STAFF_APPLICATION_ID, timeout_s=READ_TIMEOUT_S)) as db,
        translate_read_errors(path),
        read_at_once(db),
    ):
        people = db.execute("SELECT count(*) FROM staff WHERE removed IS NULL").fetchone()[0]
        keys = db.execute("SELECT public_key FROM signing_key").fetchall()
        has_list = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'room_list'").fetchone() is not None
        row = db.execute("SELECT room, number FROM room_list").fetchone() if has_list else None
        room, number = ("", 0) if row is None else (bytes(row[0]).hex(), int(row[1]))
        encoded = frozenset(base64.b64encode(key).decode() for (key,) in keys)
        tables = STAFF_TABLES if has_list else STAFF_TABLES[:-1]
        return StaffFileState(read_revision(db, tables), int(people), encoded, room, number)


def read_tokens_file(path: Path) -> FileRevision | None:
    """Read which tokens' file that is without waiting; `None` where there is none. Raises `DatabaseError`."""
    if not path.exists() or not path.stat().st_size:
        return None
    connection = open_read_only(path, TOKENS_APPLICATION_ID, timeout_s=READ_TIMEOUT_S)
    with closing(connection) as db, translate_read_errors(path), read_at_once(db):
        return read_revision(db, TOKEN_TABLES)


def find_tokens_trouble(known: KnownStaff | None, found: FileRevision | None) -> str | None:
    """Say why a tokens' file is not the one that the journal knows; `None` where it is, or the journal knows none."""
    if found is not None and found.is_damaged:
        return DAMAGE
    if known is None or known.tokens is None:
        return None
    if found is None:
        return f"is missing or empty, and the journal knows {known.tokens.number} changes of it"
    if found.accepted == make_tokens_mark(known.tokens):
        return None
    if found.file_id != known.tokens.file_id:
        return "is another file than the table had"
    if found.number < known.tokens.number:
        return f"is an older copy: it ends with change {found.number}, and the journal knows {known.tokens.number}"
    return None


def make_tokens_mark(known: FileRevision) -> str:
    """What a tokens' file carries that takes the place of the known one."""
    return f"{known.file_id}:{known.number}"


def find_staff_trouble(known: KnownStaff | None, found: StaffFileState | None) -> str | None:
    """Say why a staff's file is not the one that the journal knows; `None` where it is, or the journal knows none."""
    if found is not None and found.revision.is_damaged:
        return DAMAGE
    if known is None or (found is not None and found.revision.accepted == known.mark):
        return None
    who = f"{known.people_count} people" if known.file_id else "somebody who signed in"
    last = f", the last who signed in was {known.last_name}" if known.last_name else ""
    knows = f"the journal knows {who}{last}"
    if found is None:
        return f"is missing, and {knows}"
    if not known.file_id:
        return None if known.last_key in found.keys else f"is another file than the table had: {knows}, whom it has not"
    if found.revision.file_id != known.file_id:
        return f"is another file than the table had: it has {found.people_count} people, and {knows}"
    if found.revision.number < known.number:
        return f"is an older copy: it ends with change {found.revision.number}, and the journal knows {known.number}"
    return None
