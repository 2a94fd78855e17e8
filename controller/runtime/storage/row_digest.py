"""Tells whether a small database holds what was written into it: a digest of its rows, kept in it beside them.

SQLite has no sum of its pages: a row in which a bit was flipped is a row like any other. Whoever changes rows writes
the digest anew in the same transaction. An older program writes none, and then its changes, which are counted all the
same (`revision_counter`), are ahead of the digest: it is written anew.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS row_digest (only INTEGER PRIMARY KEY CHECK (only = 1), number INTEGER NOT NULL,"
    " digest BLOB NOT NULL) STRICT"
)

_BROKEN = b""
"""The digest of rows that were damaged before they were changed."""


def ensure_row_digest(db: sqlite3.Connection, tables: Sequence[str]) -> None:
    """Write the digest of some tables where there is none yet, or an older program has changed them since.

    Their changes are counted already.
    """
    if _find_digest(db) is not None:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute(_SCHEMA)
        if _find_digest(db) is None:
            _write_digest(db, _compute_digest(db, tables))
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


@contextmanager
def change_rows(db: sqlite3.Connection, tables: Sequence[str], *, accepts_damage: bool = False) -> Iterator[None]:
    """Change rows of some tables in one transaction, and their digest with them.

    Rows that were damaged before stay damaged, unless somebody accepts them as they are. Raises `sqlite3.Error`, also
    where they are accepted and the file cannot hold them.
    """
    db.execute("BEGIN IMMEDIATE")
    try:
        if accepts_damage:
            db.execute("REINDEX")
        was_damaged = not accepts_damage and has_damaged_rows(db, tables)
        yield
        _write_digest(db, _BROKEN if was_damaged else _compute_digest(db, tables))
        if accepts_damage and has_damaged_rows(db, tables):
            raise sqlite3.DatabaseError
    except BaseException:
        if db.in_transaction:  # SQLite ends it by itself where the file cannot be used
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


@contextmanager
def read_at_once(db: sqlite3.Connection) -> Iterator[None]:
    """Read rows and what is said of them as they stand at one moment, whoever changes them meanwhile."""
    db.execute("BEGIN")
    try:
        yield
    finally:
        db.execute("ROLLBACK")


def has_damaged_rows(db: sqlite3.Connection, tables: Sequence[str]) -> bool:
    """Whether the rows of some tables, or what leads to them, are not as they were written; within a transaction."""
    if db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        return True
    digest = _find_digest(db)
    return digest is not None and digest != _compute_digest(db, tables)


def _find_digest(db: sqlite3.Connection) -> bytes | None:
    """The digest of the rows as they were changed last; `None` where none was written then."""
    if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'row_digest'").fetchone() is None:
        return None
    row = db.execute("SELECT digest FROM row_digest JOIN revision USING (number)").fetchone()
    return None if row is None else bytes(row[0])


def _write_digest(db: sqlite3.Connection, digest: bytes) -> None:
    db.execute("INSERT OR REPLACE INTO row_digest SELECT 1, number, ? FROM revision", (digest,))


def _compute_digest(db: sqlite3.Connection, tables: Sequence[str]) -> bytes:
    """Digest rows by what they hold, however they lie; a column that a later program has added holds nothing yet."""
    digest = hashlib.sha256()
    for table in tables:
        cursor = db.execute(f"SELECT * FROM {table} NOT INDEXED")
        names = [column[0] for column in cursor.description]
        named = (zip(names, row, strict=True) for row in cursor)
        rows = sorted(repr(sorted((name, cell) for name, cell in row if cell is not None)) for row in named)
        digest.update(repr((table, rows)).encode("utf-8", "surrogateescape"))
    return digest.digest()
