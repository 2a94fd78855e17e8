"""What keeps a file from being written or read that may pass: a full disk, a disk that is only read, somebody else.

An error of the system or of SQLite tells it by its code, also through errors that were raised because of it. Of a disk
without room SQLite may say "disk I/O error" or "unable to open"; there the disk itself is asked.
"""

import errno
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from enum import Enum, unique
from pathlib import Path

from controller.runtime.storage.file_holders import describe_holders

MIN_ROOM_BYTES = 1 << 20
"""Room with which a start is tried again: `journal.tail`, and some pages of each database."""

MIN_SHM_BYTES = 64 << 10
"""With less SQLite fails on what it makes beside a file, and says no more than that the disk gives an error."""

BESIDE_ENDINGS = ("-wal", "-shm", "-journal")
"""How the files end that SQLite makes beside a database."""

MIN_ROOM_FILES = 16
"""New files that a start may make."""


@unique
class StorageTrouble(Enum):
    """What is in the way; the value is a code of the error catalogue, kind `page`."""

    FULL = "disk-full"
    """No room is left, or no new file can be made."""
    READ_ONLY = "disk-read-only"
    """The disk cannot be written; a file system is mounted so after an error."""
    FAILING = "disk-failing"
    """The disk gives an error."""
    HELD = "file-held"
    """Another program holds a file."""


_TROUBLE_BY_ERRNO = {
    errno.ENOSPC: StorageTrouble.FULL,
    errno.EDQUOT: StorageTrouble.FULL,
    errno.EROFS: StorageTrouble.READ_ONLY,
    errno.EIO: StorageTrouble.FAILING,
}

HELD_SQLITE_CODES = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
"""Another program holds the file, which is as it was."""

_TROUBLE_BY_SQLITE_CODE = {
    sqlite3.SQLITE_FULL: StorageTrouble.FULL,
    **dict.fromkeys(HELD_SQLITE_CODES, StorageTrouble.HELD),
}

_VAGUE_SQLITE_CODES = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
"""What SQLite says of a disk without room, among other things."""


def find_trouble(error: BaseException, folder: Path) -> StorageTrouble | None:
    """Which trouble an error on a file in `folder` comes from; `None` for an error that will not pass."""
    for each in _iter_causes(error):
        if isinstance(each, OSError) and each.errno in _TROUBLE_BY_ERRNO:
            return _TROUBLE_BY_ERRNO[each.errno]
        if isinstance(each, sqlite3.Error):
            code = getattr(each, "sqlite_errorcode", 0) & 0xFF
            if code in _TROUBLE_BY_SQLITE_CODE:
                return _TROUBLE_BY_SQLITE_CODE[code]
            if code in _VAGUE_SQLITE_CODES:
                is_disk = code == sqlite3.SQLITE_IOERR and not has_misplaced_folder(folder)
                return find_disk_trouble(folder) or (StorageTrouble.FAILING if is_disk else None)
    return None


def has_misplaced_folder(folder: Path) -> bool:
    """Whether in `folder` a folder has the name of a database, or of what SQLite makes beside one.

    SQLite cannot remove it, and says that the disk gives an error; but waiting does not help.
    """
    return any(each.is_dir() for end in ("", *BESIDE_ENDINGS) for each in folder.glob(f"*.sqlite{end}"))


def find_disk_trouble(folder: Path) -> StorageTrouble | None:
    """What is wrong with the disk of `folder` now, as far as it says so itself, or a file that is tried out does."""
    try:
        there = _find_existing_folder(folder)
        found = os.statvfs(there)
        if found.f_flag & os.ST_RDONLY:
            return StorageTrouble.READ_ONLY
        has_no_file = bool(found.f_files) and not found.f_favail  # some file systems do not count them
        if has_no_file or found.f_bavail * found.f_frsize < MIN_SHM_BYTES:
            return StorageTrouble.FULL
        _try_out(there)
    except OSError as why:
        return _TROUBLE_BY_ERRNO.get(why.errno or 0)
    return None


def describe_trouble(trouble: StorageTrouble, path: Path) -> str:
    """Say of a file or folder what is in the way, and what to do."""
    match trouble:
        case StorageTrouble.FULL:
            return f"the disk is full ({describe_room(path)}): make room, docs/runtime.md says what may go"
        case StorageTrouble.READ_ONLY:
            return "the disk is mounted to be read only: dmesg says why; check it, and mount it to be written"
        case StorageTrouble.FAILING:
            return "the disk gives an error, and dmesg says which: copy what is on it, and put in another"
        case StorageTrouble.HELD:
            return f"another program holds it ({describe_holders(path)}): end it, or wait until it is done"


def describe_room(path: Path) -> str:
    """How many bytes and new files there is room for."""
    try:
        found = os.statvfs(_find_existing_folder(path))
    except OSError as why:
        return str(why.strerror)
    files = f", {found.f_favail} new files" if found.f_files else ""
    return f"{found.f_bavail * found.f_frsize // 1000} kB{files} left"


def has_room(folder: Path) -> bool:
    """Whether `folder` can be written, and has the room that a start may want."""
    try:
        there = _find_existing_folder(folder)
        found = os.statvfs(there)
        if found.f_bavail * found.f_frsize < MIN_ROOM_BYTES or (found.f_files and found.f_favail < MIN_ROOM_FILES):
            return False
        _try_out(there)
    except OSError:
        return False
    return True


def _try_out(folder: Path) -> None:
    """Make a file, have it on the disk and take it away; raises `OSError`."""
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".room-") as file:
        file.write(bytes(4096))
        file.flush()
        os.fsync(file.fileno())


def _iter_causes(error: BaseException) -> Iterator[BaseException]:
    """The error and all that it was raised because of, also where that is not shown."""
    seen = set[int]()
    here: BaseException | None = error
    while here is not None and id(here) not in seen:
        seen.add(id(here))
        yield here
        here = here.__cause__ or here.__context__


def _find_existing_folder(path: Path) -> Path:
    return next(each for each in (path.absolute(), *path.absolute().parents) if each.exists())
