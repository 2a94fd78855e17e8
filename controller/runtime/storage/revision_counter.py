"""Tells whether a database is the one that it was, or an older copy: a random name, and a count of its changes.

Triggers count, so that whatever changes a table is counted, by an older program too; so the schema keeps its version.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from controller.runtime.storage.row_digest import has_damaged_rows

ACCEPT_REMEDY = (
    "put the right file back (the last backup has it), or, where it is lost, `tablectl staff accept` by the technician "
    "at the machine"
)
"""What is done about a staff's file that is not the one that the journal knows."""


@dataclass(frozen=True, slots=True)
class FileRevision:
    """Which file it is, and how often it was changed; `accepted`: in whose place somebody has put it, knowingly."""

    file_id: str
    number: int
    accepted: str | None = None
    is_damaged: bool = False
    """Its rows are not as they were written (`row_digest`)."""


def ensure_revision(db: sqlite3.Connection, tables: Sequence[str]) -> None:
    """Have the changes of some tables counted from now on, where they are not yet."""
    if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'revision'").fetchone() is not None:
        return
    triggers = "".join(
        f"CREATE TRIGGER {table}_{verb.lower()}_counted AFTER {verb} ON {table} BEGIN"
        " UPDATE revision SET number = number + 1; END;"
        for table in tables
        for verb in ("INSERT", "UPDATE", "DELETE")
    )
    db.executescript(
        "BEGIN IMMEDIATE; CREATE TABLE revision (only INTEGER PRIMARY KEY CHECK (only = 1), file TEXT NOT NULL,"
        " number INTEGER NOT NULL, accepted TEXT) STRICT;"
        f" INSERT INTO revision VALUES (1, lower(hex(randomblob(16))), 0, NULL); {triggers} COMMIT;"
    )


def read_revision(db: sqlite3.Connection, tables: Sequence[str]) -> FileRevision:
    """The revision of a database of which some tables are counted; that of one which counts nothing has no name.

    Within a transaction.
    """
    if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'revision'").fetchone() is None:
        return FileRevision("", 0)
    file_id, number, accepted = db.execute("SELECT file, number, accepted FROM revision").fetchone()
    return FileRevision(str(file_id), int(number), accepted, has_damaged_rows(db, tables))


def accept_file(db: sqlite3.Connection, mark: str) -> None:
    """Write down in whose place this file was put."""
    db.execute("UPDATE revision SET accepted = ?", (mark,))
