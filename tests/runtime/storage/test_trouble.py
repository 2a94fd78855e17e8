"""Which trouble an error tells of, through whatever was raised because of it; and how much room is room."""

import errno
import os
import sqlite3
from functools import partial
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.runtime.storage import storage_trouble
from controller.runtime.storage.sqlite_database import DatabaseError, open_database, open_read_only
from controller.runtime.storage.storage_trouble import (
    MIN_ROOM_BYTES,
    MIN_ROOM_FILES,
    MIN_SHM_BYTES,
    StorageTrouble,
    describe_room,
    describe_trouble,
    find_disk_trouble,
    find_trouble,
    has_room,
)

BLOCK = 4096


def make_sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorcode = code
    return error


def set_disk(mocker: MockerFixture, free: int, *, flag: int = 0, files: int = 1000, free_files: int = 500) -> None:
    found = os.statvfs_result((BLOCK, BLOCK, 10**9, free, free, files, free_files, free_files, flag, 255))
    mocker.patch("os.statvfs", return_value=found)


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (OSError(errno.ENOSPC, ""), StorageTrouble.FULL),
        (OSError(errno.EDQUOT, ""), StorageTrouble.FULL),
        (OSError(errno.EROFS, ""), StorageTrouble.READ_ONLY),
        (OSError(errno.EIO, ""), StorageTrouble.FAILING),
        (OSError(errno.EACCES, ""), None),
        (make_sqlite_error(sqlite3.SQLITE_FULL), StorageTrouble.FULL),
        (make_sqlite_error(sqlite3.SQLITE_BUSY), StorageTrouble.HELD),
        (make_sqlite_error(sqlite3.SQLITE_BUSY | 2 << 8), StorageTrouble.HELD),
        (make_sqlite_error(sqlite3.SQLITE_LOCKED), StorageTrouble.HELD),
        (make_sqlite_error(sqlite3.SQLITE_IOERR), StorageTrouble.FAILING),
        (make_sqlite_error(sqlite3.SQLITE_IOERR | 3 << 8), StorageTrouble.FAILING),
        (make_sqlite_error(sqlite3.SQLITE_CANTOPEN), None),
        (make_sqlite_error(sqlite3.SQLITE_READONLY), None),
        (make_sqlite_error(sqlite3.SQLITE_CORRUPT), None),
        (sqlite3.ProgrammingError("closed"), None),
        (ValueError("?"), None),
    ],
)
def test_an_error_tells_its_trouble_however_deep_it_lies(
    error: Exception, trouble: StorageTrouble | None, tmp_path: Path
) -> None:
    assert find_trouble(error, tmp_path) is trouble
    outer, outermost = RuntimeError("outer"), RuntimeError("outermost")
    outer.__cause__, outermost.__context__ = error, outer
    assert find_trouble(outermost, tmp_path) is trouble
    error.__context__ = outermost  # a ring of causes has an end, too
    assert find_trouble(outermost, tmp_path) is trouble


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
def test_a_folder_in_place_of_a_file_of_sqlite_is_no_failing_disk(tmp_path: Path, ending: str) -> None:
    error = make_sqlite_error(sqlite3.SQLITE_IOERR)
    (tmp_path / f"table.sqlite{ending}.damaged-1").mkdir()
    assert find_trouble(error, tmp_path) is StorageTrouble.FAILING
    (tmp_path / f"table.sqlite{ending}").mkdir()
    assert find_trouble(error, tmp_path) is None, "nobody need wait for it"


@pytest.mark.parametrize("has_shm", [False, True])
def test_a_folder_beside_an_empty_database_is_named_with_what_to_do(tmp_path: Path, *, has_shm: bool) -> None:
    path = tmp_path / "journal.sqlite"
    path.touch()
    (tmp_path / "journal.sqlite-wal").mkdir()
    if has_shm:
        (tmp_path / "journal.sqlite-shm").touch()
    for open_file in (partial(open_database, schema=()), open_read_only):
        with pytest.raises(DatabaseError, match=r"journal\.sqlite-wal beside it is a directory; move that away") as why:
            open_file(path, 1)
        assert find_trouble(why.value, tmp_path) is None


@pytest.mark.parametrize(
    ("free_bytes", "files", "free_files", "flag", "trouble", "is_room"),
    [
        (MIN_ROOM_BYTES, 1000, MIN_ROOM_FILES, 0, None, True),
        (MIN_ROOM_BYTES - BLOCK, 1000, 500, 0, None, False),
        (MIN_ROOM_BYTES, 1000, MIN_ROOM_FILES - 1, 0, None, False),
        (MIN_ROOM_BYTES, 0, 0, 0, None, True),
        (MIN_SHM_BYTES, 1000, 1, 0, None, False),
        (MIN_SHM_BYTES - BLOCK, 1000, 500, 0, StorageTrouble.FULL, False),
        (MIN_ROOM_BYTES, 1000, 0, 0, StorageTrouble.FULL, False),
        (MIN_ROOM_BYTES, 1000, 500, os.ST_RDONLY, StorageTrouble.READ_ONLY, True),
    ],
)
def test_a_disk_has_room_or_says_what_it_lacks(
    free_bytes: int,
    files: int,
    free_files: int,
    flag: int,
    trouble: StorageTrouble | None,
    is_room: bool,
    tmp_path: Path,
    mocker: MockerFixture,
) -> None:
    set_disk(mocker, free_bytes // BLOCK, flag=flag, files=files, free_files=free_files)
    assert (find_disk_trouble(tmp_path), has_room(tmp_path)) == (trouble, is_room)
    assert (find_disk_trouble(tmp_path / "not" / "there"), has_room(tmp_path / "not")) == (trouble, is_room)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fails_when_it_is_tried_out_says_so(tmp_path: Path, mocker: MockerFixture) -> None:
    assert (find_disk_trouble(tmp_path), has_room(tmp_path)) == (None, True)
    for code, trouble in ((errno.EIO, StorageTrouble.FAILING), (errno.EROFS, StorageTrouble.READ_ONLY), (0, None)):
        mocker.patch("os.fsync", side_effect=OSError(code, "?"))
        assert (find_disk_trouble(tmp_path), has_room(tmp_path)) == (trouble, False)
        vague = make_sqlite_error(sqlite3.SQLITE_CANTOPEN)
        assert find_trouble(vague, tmp_path) is trouble
    assert list(tmp_path.iterdir()) == []


def test_each_trouble_says_what_to_do_and_how_much_room_is_left(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch.object(storage_trouble, "describe_holders", return_value="tar 7")
    set_disk(mocker, 30, free_files=12)
    assert describe_room(tmp_path / "none") == "122 kB, 12 new files left"
    assert describe_trouble(StorageTrouble.FULL, tmp_path).startswith("the disk is full (122 kB, 12 new files left): ")
    set_disk(mocker, 30, files=0)
    assert describe_room(tmp_path) == "122 kB left"
    assert "to be read only" in describe_trouble(StorageTrouble.READ_ONLY, tmp_path)
    assert "gives an error" in describe_trouble(StorageTrouble.FAILING, tmp_path)
    assert describe_trouble(StorageTrouble.HELD, tmp_path).startswith("another program holds it (tar 7): ")
