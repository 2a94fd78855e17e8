"""How far the journal is known to go, beside the journal: so that records which are lost are missed.

The newest records are in a file of their own, and SQLite has others in its `-wal`; where one of these is missing or
damaged, what is left is a shorter journal that looks whole. After each commit number and chain of the last record are
written here, without a wait for the disk: a killed program loses nothing of it; a cut of the power at most what the
system had not yet written (about half a minute). At the end of each hand, and of each run, the disk is waited for.

The same stands in a second file: where records are lost together with one of the two, or that is an older copy, the
other still knows of them.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from controller.runtime.storage.atomic_file import write_at_offset

HEAD_FILE, _COPY_SUFFIX = "journal.head", "-copy"
"""Where it stands, and what the second file has behind its name; which of the two goes further is believed."""

LINE_BYTES = 96
"""Bytes that are written: number, chain and a check take 93. An older program wrote 128, and reads as many."""


class HeadFile:
    """`journal.head` and its copy: one line of fixed length, written over in place. Raises `OSError`."""

    def __init__(self, path: Path) -> None:
        """`path`: the first of the two."""
        self.path = path
        self._paths = _list_paths(path)
        self._handles: list[int] = []

    def read(self) -> tuple[int, str] | None:
        """Number and chain of the last record that is known to have been written; `None` where nothing is known."""
        return max(filter(None, map(_read_line, self._paths)), default=None)

    def write(self, number: int, chain: str, *, durably: bool) -> None:
        """Keep the head; `durably` waits for the disk, which need have one of the two."""
        for path in self._paths[len(self._handles) :]:
            self._handles.append(_open_line(path))
        line = f"{number} {chain} {_compute_check(str(number), chain)}".ljust(LINE_BYTES - 1).encode("ascii") + b"\n"
        for handle in self._handles:
            write_at_offset(handle, line, 0)
        if durably:
            os.fdatasync(self._handles[0])

    def close(self) -> None:
        """Close the files."""
        while self._handles:
            os.close(self._handles.pop())


def read_known_head(journal: Path) -> tuple[int, str] | None:
    """What is known of how far the journal at a path goes, for who only reads it.

    As `HeadFile.read`; where one of the two files cannot be read, the other still knows.
    """
    found = list[tuple[int, str] | None]()
    for path in _list_paths(journal.with_suffix(".head")):
        with suppress(OSError):
            found.append(_read_line(path))
    return max(filter(None, found), default=None)


def find_unreadable_heads(journal: Path) -> tuple[Path, ...]:
    """Which of the two files beside a journal say nothing though something stands there, where neither is sound."""
    if read_known_head(journal) is not None:
        return ()
    return tuple(path for path in _list_paths(journal.with_suffix(".head")) if _is_something_there(path))


def _is_something_there(path: Path) -> bool:
    """Say whether a file has bytes, or cannot be looked at; one that the power cut as it was made is empty."""
    try:
        return bool(path.read_bytes())
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _list_paths(path: Path) -> tuple[Path, Path]:
    return path, path.with_name(path.name + _COPY_SUFFIX)


def _open_line(path: Path) -> int:
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as why:
        raise OSError(why.errno, f"{why.strerror}; remove what is there, it is written anew", why.filename) from why


def _read_line(path: Path) -> tuple[int, str] | None:
    try:
        words = path.read_bytes().decode("ascii").split()
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    if len(words) != 3 or _compute_check(words[0], words[1]) != words[2] or not words[0].isdecimal():
        return None
    return int(words[0]), words[1]


def _compute_check(number: str, chain: str) -> str:
    return hashlib.sha256(f"{number} {chain}".encode()).hexdigest()[:16]
