"""Opens the SQLite files of a table: durable before it returns, one schema version, nothing guessed.

WAL with `synchronous=FULL`: every commit is one append and one `fdatasync`, and what was committed survives a cut of
the power (https://www.sqlite.org/pragma.html#pragma_synchronous: NORMAL would lose the last commits, EXTRA adds nothing
in WAL mode). Readers never block the writer, so that a journal can be exported while the table is in play.
"""

import fcntl
import logging
import os
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.runtime.storage.storage_trouble import BESIDE_ENDINGS, describe_trouble, find_trouble

PAGE_BYTES = 4096
"""Bytes of a page in a new file: ten records of the journal; some hundred are written at once (`write_ahead_log`)."""

WAL_CHECKPOINT_PAGES = 1000
"""So many pages make some 4 MB of `-wal` before SQLite copies them into the file, within some commit."""

MAX_CACHE_KIB = 256
"""So much of a file stays in memory: a journal is appended to, and SQLite's 2 MB would fill within an evening."""

OPEN_TIMEOUT_S, BUSY_TIMEOUT_MS = 2.0, 5_000
"""So long the opening of a file waits for whoever holds it before that is said, and so long what is done with it then.
Nothing of this program holds a file for longer than it takes to write some records."""

_SHARED_LOCK_OFFSET, _SHARED_LOCK_BYTES = 0x4000_0002, 510
"""The bytes that whoever reads a database holds (https://www.sqlite.org/fileformat2.html#the_lock_byte_page)."""


OWNER_ONLY_MODE = 0o600

log = logging.getLogger(__name__)


SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises on a file: the second where it quotes a damaged schema that is no text."""

_CLOSED_SQLITE_CODES = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)

OPEN_UP_REMEDY = "let the table's user read and write it (its owner, chmod 600), or put its last copy in its place"
PUT_BACK_REMEDY = "keep it for the technician and put its last copy in its place"


class DatabaseError(Exception):
    """The file cannot be used as this table's database; the message says why and what to do."""


class DamagedDatabaseError(DatabaseError):
    """What lies there is no database that this program has written, or not any more; waiting does not help."""


def open_database(
    path: Path, application_id: int, schema: Sequence[str], *, create: bool = True, mode: int = OWNER_ONLY_MODE
) -> sqlite3.Connection:
    """Open `path`, creating it or bringing its schema up to date; `schema[n]` leads from version n to n + 1.

    `mode`: who may do what with the file, and with those that SQLite makes beside it. Raises `DatabaseError` for a file
    that is missing (unless `create`), belongs to something else, was written by a newer program, or is damaged.
    """
    if not create and not path.exists():
        raise _make_missing_error(path)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _create_with_mode(path, mode)
        connection = sqlite3.connect(path, timeout=OPEN_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    except (OSError, *SQLITE_ERRORS) as why:
        raise _make_open_error(f"{path}: cannot be opened: {describe_error(why, path)}", why, path) from why
    try:
        _prepare(connection, path, application_id, schema)
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    except SQLITE_ERRORS as why:
        _close_keeping_wal(connection, path)
        raise _make_open_error(f"{path}: {describe_error(why, path)}", why, path) from why
    except DatabaseError:
        connection.close()
        raise
    return connection


def _make_missing_error(path: Path) -> DatabaseError:
    place = "name another directory (section [state], or --state)"
    return DatabaseError(f"{path}: there is no such file; put its last copy there, or {place}")


def _make_open_error(message: str, error: Exception, path: Path) -> DatabaseError:
    return (DamagedDatabaseError if find_trouble(error, path.parent) is None else DatabaseError)(message)


def describe_error(error: Exception, path: Path) -> str:
    """Say what an error on the file `path` means and what to do, where that is known; else its own words."""
    trouble = find_trouble(error, path.parent)
    if trouble is not None:
        return describe_trouble(trouble, path)
    if (folder := _describe_folder_beside(path)) is not None:
        return folder
    said = str(error.strerror) if isinstance(error, OSError) else str(error)
    is_closed = isinstance(error, PermissionError) or (
        isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _CLOSED_SQLITE_CODES
    )
    return f"{said}; {OPEN_UP_REMEDY if is_closed else PUT_BACK_REMEDY}"


def _describe_folder_beside(path: Path) -> str | None:
    """Say which folder lies where SQLite has a file beside `path`, and what to do; `None` where none does."""
    for beside in (path.with_name(f"{path.name}{end}") for end in BESIDE_ENDINGS):
        if beside.is_dir():
            return f"{beside.name} beside it is a directory; move that away, and put the last copy of both files back"
    return None


def find_error_name(error: Exception) -> str:
    """Name what SQLite says of a file; what it reads there otherwise has no name that helps anybody."""
    return str(getattr(error, "sqlite_errorname", "what it holds is not right"))


def describe_error_kind(error: Exception, path: Path) -> str:
    """Say it in a word, for whoever is at a page; more than that is for the log, which names who holds the file."""
    trouble = find_trouble(error, path.parent)
    if trouble is None:
        return find_error_name(error)
    log.error("%s: %s", path, describe_trouble(trouble, path))
    return trouble.value


def _create_with_mode(path: Path, mode: int) -> None:
    """Let nobody else read a file that may name cards, staff or tags; what SQLite makes beside it is kept likewise."""
    handle = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY_MODE)
    try:
        with suppress(OSError):  # it is of another user, or of a medium that is only read
            os.fchmod(handle, mode)
    finally:
        os.close(handle)
    for left in (path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(OSError):  # there is none, mostly
            os.chmod(left, mode)


def _close_keeping_wal(connection: sqlite3.Connection, path: Path) -> None:
    """Close a database that could not be opened, and leave its `-wal` as it is.

    SQLite's last connection checkpoints the `-wal` and removes it. Where it has failed to set up the `-shm` and may
    then only read it, it takes the locks it cannot have for a reader's, copies nothing and removes the `-wal` all the
    same, with everything that was committed in it (seen with 3.40.1). While another reads, it does neither.
    """
    handle = None
    with suppress(OSError):  # there is no file, or another process has it for itself, and then this one cannot
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        # Of the open file, not of the process, whose own locks never stand in its way.
        lock = struct.pack("hhqqi0q", fcntl.F_RDLCK, os.SEEK_SET, _SHARED_LOCK_OFFSET, _SHARED_LOCK_BYTES, 0)
        fcntl.fcntl(handle, fcntl.F_OFD_SETLK, lock)
    connection.close()
    if handle is not None:
        os.close(handle)


def open_read_only(path: Path, application_id: int, *, timeout_s: float = OPEN_TIMEOUT_S) -> sqlite3.Connection:
    """Open `path` to read, whoever writes it meanwhile, and without a trace: no file is made beside it.

    SQLite makes a `-shm` beside a file in WAL mode. Where there is none, nobody writes: the file is taken as it is, and
    together with a `-wal` that a cut of the power left, as a copy in the directory for temporary files.
    `timeout_s`: how long whoever holds it is waited for. Raises `DatabaseError`.
    """
    if not path.is_file():
        raise _make_missing_error(path)
    wal, shm = path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")
    try:
        if shm.exists():
            connection = _connect_read_only(f"{path.absolute().as_uri()}?mode=ro", timeout_s)
        elif not wal.exists() or not wal.stat().st_size:
            connection = _connect_read_only(f"{path.absolute().as_uri()}?mode=ro&immutable=1", timeout_s)
        else:
            connection = _connect_to_copy(path, wal)
    except (OSError, *SQLITE_ERRORS) as why:
        raise DatabaseError(f"{path}: cannot be read: {describe_error(why, path)}") from None
    try:
        with translate_read_errors(path):
            found = int(connection.execute("PRAGMA application_id").fetchone()[0])
            connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        if found != application_id:
            raise DatabaseError(
                f"{path}: is a database of something else (application id {found:#010x}); {PUT_BACK_REMEDY}"
            )
    except DatabaseError:
        connection.close()
        raise
    return connection


def _connect_read_only(uri: str, timeout_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, timeout=timeout_s, isolation_level=None, uri=True)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA query_only=ON")
    return connection


def _connect_to_copy(path: Path, wal: Path) -> sqlite3.Connection:
    """Read a copy into memory, so that it is gone with the connection."""
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        shutil.copyfile(wal, copy.with_name(f"{path.name}-wal"))
        whole = sqlite3.connect(copy, isolation_level=None)
        try:
            whole.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            whole.execute("PRAGMA journal_mode=DELETE")
            application = int(whole.execute("PRAGMA application_id").fetchone()[0])
            memory = sqlite3.connect(":memory:", isolation_level=None)
            whole.backup(memory)
        finally:
            whole.close()
    memory.execute(f"PRAGMA application_id={application}")
    memory.execute("PRAGMA query_only=ON")
    return memory


@contextmanager
def translate_read_errors(path: Path) -> Iterator[None]:
    """Turn what reading a damaged file raises into a `DatabaseError`.

    `sqlite3` quotes the row that it could not read, and a row may name a card that lies face down; so neither its
    words nor the error itself go any further.
    """
    try:
        yield
    except (sqlite3.Error, ValueError, KeyError, TypeError) as why:
        trouble = find_trouble(why, path.parent)
        if trouble is not None:
            raise DatabaseError(f"{path}: cannot be read: {describe_trouble(trouble, path)}") from None
        if (folder := _describe_folder_beside(path)) is not None:
            raise DamagedDatabaseError(f"{path}: cannot be read: {folder}") from None
        raise DamagedDatabaseError(
            f"{path}: the file is damaged and cannot be read ({find_error_name(why)}); keep it for the technician and "
            "put the last copy in its place, or give the table another directory (section [state], or --state)"
        ) from None


def _prepare(connection: sqlite3.Connection, path: Path, application_id: int, schema: Sequence[str]) -> None:
    connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA cache_size={-MAX_CACHE_KIB}")
    connection.execute(f"PRAGMA wal_autocheckpoint={WAL_CHECKPOINT_PAGES}")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA trusted_schema=OFF")
    found = int(connection.execute("PRAGMA application_id").fetchone()[0])
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    empty = not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if found != application_id and not (empty and found == 0):
        raise DamagedDatabaseError(
            f"{path}: is a database of something else (application id {found:#010x}); {PUT_BACK_REMEDY}"
        )
    if version > len(schema):
        raise DatabaseError(
            f"{path}: was written by a newer program (schema {version}, this one knows {len(schema)}); "
            "start the newer program, or give this one a directory of its own"
        )
    for number in range(version, len(schema)):
        # One transaction a version: a cut in the middle leaves the old version whole.
        connection.executescript(
            f"BEGIN IMMEDIATE; {schema[number]}; PRAGMA application_id={application_id};"
            f" PRAGMA user_version={number + 1}; COMMIT;"
        )
