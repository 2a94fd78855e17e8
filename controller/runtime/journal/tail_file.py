"""The newest records, in a file of their own: one write and one wait for the disk make them durable.

SQLite writes a page for each row that it changes, up to three for a record, and twice: to its `-wal`, and later to the
file. So records go to `journal.tail` first, as lines of an export, and between two hands, some hundred at a time, into
`journal.sqlite`. The file has its length from the beginning, written full of zeros: a write inside it changes these
bytes and nothing else, where one at its end has the file system record the new length as well.

Records of one commit stand together, with a comma behind each but the last. Nothing marks the end: what does not go on
from the record before it, by number and chain, is torn, or of an earlier round.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from controller.runtime.journal.proof.chain import BadRecord, Record, chain_of, read_line
from controller.runtime.journal.whole_file import sync_folder, write_at

STEP = 1 << 18
"""Bytes by which the file grows: the records of some 25 hands, and it seldom needs more."""

ChainAt = Callable[[int], str | None]
"""The chain of a record that lies elsewhere, by its number; `None` where there is no such record."""


class TailFile:
    """`journal.tail`, as its writer has it. Raises `OSError`."""

    def __init__(self, path: Path, mode: int = 0o600) -> None:
        self.path = path
        self._mode = mode
        self.used = 0
        """How many bytes hold records of this round."""
        self.wait: Callable[[int], None] = os.fdatasync
        self._handle = -1
        self._length = 0

    def read(self, chain_at: ChainAt) -> list[Record]:
        """What an earlier run has left, as `records_of`."""
        return records_of(bytes_of(self.path), chain_at)

    def open(self) -> None:
        """Begin a round: what the file holds lies where it belongs, durably."""
        self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.fchmod(self._handle, self._mode)
        self._length = os.fstat(self._handle).st_size
        self._reach(STEP)
        sync_folder(self.path.parent)

    def append(self, records: Sequence[Record]) -> None:
        """Write the records of one commit; they are on the disk when it returns."""
        data = (",\n".join(record.line for record in records) + "\n").encode("ascii")
        self._reach(self.used + len(data))
        write_at(self._handle, data, self.used)
        self.wait(self._handle)
        self.used += len(data)

    def begin_anew(self) -> None:
        """Begin the next round, once what this one has written lies where it belongs."""
        self.used = 0

    def close(self) -> None:
        """Close the file."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _reach(self, length: int) -> None:
        """Make the file as long as is needed, once in its life."""
        if self._length < length:
            until = -(-length // STEP) * STEP
            write_at(self._handle, bytes(until - self._length), self._length)
            os.fsync(self._handle)
            self._length = until


def bytes_of(path: Path) -> bytes:
    """The file as it lies there; nothing where there is none. Raises `OSError`."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def records_of(data: bytes, chain_at: ChainAt) -> list[Record]:
    """Read from the bytes of a tail what goes on from a record that lies elsewhere."""
    return [record for commit in _commits(data, chain_at) for record in commit]


def _commits(data: bytes, chain_at: ChainAt) -> Iterator[list[Record]]:
    """Read commit by commit, each whole, up to the first that does not fit."""
    commit: list[Record] = []
    before: Record | None = None
    with suppress(BadRecord, UnicodeDecodeError):
        for line in data.split(b"\n"):
            record = read_line(line.removesuffix(b",").decode("ascii"), 0)
            chain = chain_at(record.number - 1) if before is None else before.chain
            follows = before is None or record.number == before.number + 1
            if chain is None or not follows or record.chain != chain_of(record, chain):
                return
            before = record
            commit.append(record)
            if not line.endswith(b","):
                yield commit
                commit = []
