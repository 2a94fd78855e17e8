"""How far the journal is known to go, beside the journal: so that records which are lost are missed.

The newest records are in a file of their own, and SQLite has others in its `-wal`; where one of these is missing or
damaged, what is left is a shorter journal that looks whole. After each commit number and chain of the last record are
written here, without a wait for the disk: a killed program loses nothing of it; a cut of the power at most what the
system had not yet written (about half a minute). At the end of each hand, and of each run, the disk is waited for.
"""

import hashlib
import os
from pathlib import Path

from controller.runtime.storage.atomic_file import write_at_offset

LINE_BYTES = 96
"""Bytes that are written: number, chain and a check take 93. An older program wrote 128, and reads as many."""


class HeadFile:
    """`journal.head`: one line of fixed length, written over in place. Raises `OSError`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None

    def read(self) -> tuple[int, str] | None:
        """Number and chain of the last record that is known to have been written; `None` where nothing is known."""
        try:
            words = self.path.read_bytes().decode("ascii").split()
        except (FileNotFoundError, UnicodeDecodeError):
            return None
        if len(words) != 3 or _compute_check(words[0], words[1]) != words[2] or not words[0].isdecimal():
            return None
        return int(words[0]), words[1]

    def write(self, number: int, chain: str, *, durably: bool) -> None:
        """Keep the head; `durably` waits for the disk."""
        if self._handle is None:
            self._handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        line = f"{number} {chain} {_compute_check(str(number), chain)}"
        write_at_offset(self._handle, line.ljust(LINE_BYTES - 1).encode("ascii") + b"\n", 0)
        if durably:
            os.fdatasync(self._handle)

    def close(self) -> None:
        """Close the file."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _compute_check(number: str, chain: str) -> str:
    return hashlib.sha256(f"{number} {chain}".encode()).hexdigest()[:16]
