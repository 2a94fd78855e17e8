"""What somebody hands over to be copied or unpacked: opened as a plain file or not at all, and there must be room.

A folder, a pipe or a device is named before it is opened: a pipe would be waited at without end, and a device may have
no end. The journal lies on the same card as what is unpacked, so that some of it stays free whatever comes.
"""

import errno
import io
import os
import shutil
import stat
from pathlib import Path
from typing import BinaryIO

RESERVED_BYTES = 200_000_000
"""Bytes of a disk that nothing which is copied or unpacked may take: the journal may lie there."""

COPY_CHUNK_BYTES = 1 << 16

_KIND_TESTS = {
    stat.S_ISDIR: "a folder",
    stat.S_ISFIFO: "a pipe",
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a disk",
    stat.S_ISSOCK: "a socket",
}


def open_plain_file(path: Path) -> io.BufferedReader:
    """Open a file to read. Raises `OSError`, whose words also say what else it is that was named."""
    _require_plain(path, os.stat(path).st_mode)
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        _require_plain(path, os.fstat(handle).st_mode)  # it may have been put there since
        return open(handle, "rb")
    except OSError:
        os.close(handle)
        raise


def find_space_problem(folder: Path, wanted_bytes: int) -> str | None:
    """Return why `wanted_bytes` more do not fit on the disk of `folder`, if they do not. Raises `OSError`."""
    free = shutil.disk_usage(folder).free
    if free >= wanted_bytes + RESERVED_BYTES:
        return None
    return (
        f"the disk of {folder} has {format_megabytes(free)} free; {format_megabytes(wanted_bytes)} are wanted, and "
        f"{format_megabytes(RESERVED_BYTES)} stay free: make room"
    )


def copy_bytes(source: BinaryIO, target: BinaryIO, size: int) -> None:
    """Copy at most `size` bytes: what has grown since it was looked at is not followed. Raises `OSError`."""
    while size > 0 and (piece := source.read(min(size, COPY_CHUNK_BYTES))):
        target.write(piece)
        size -= len(piece)


def measure_folder(folder: Path) -> int:
    """Return how many bytes the files of a folder have, all folders in it too.

    Raises `OSError` for anything that is no plain file and no folder; a link counts as what it is.
    """
    total = 0
    for path in folder.rglob("*"):
        now = path.lstat()
        if stat.S_ISLNK(now.st_mode):
            raise OSError(errno.EINVAL, "it is a link, and a plain file is wanted", str(path))
        if not stat.S_ISDIR(now.st_mode):
            _require_plain(path, now.st_mode)
            total += now.st_size
    return total


def format_megabytes(size: int) -> str:
    """Say a number of bytes in megabytes."""
    return f"{size / 1e6:.0f} MB"


def _require_plain(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((name for test, name in _KIND_TESTS.items() if test(mode)), "no file")
        raise OSError(errno.EINVAL, f"it is {kind}, and a plain file is wanted", str(path))
