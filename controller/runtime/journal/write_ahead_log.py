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

from controller.runtime.journal.proof.chain import BadRecordError, JournalRecord, compute_chain, parse_export_line
from controller.runtime.storage.atomic_file import sync_folder, write_at_offset

GROWTH_STEP_BYTES = 1 << 18
"""Bytes by which the file grows: the records of some 25 hands, and it seldom needs more."""

ChainFinder = Callable[[int], str | None]
"""The chain of a record that lies elsewhere, by its number; `None` where there is no such record."""


class WriteAheadLog:
    """`journal.tail`, as its writer has it. Raises `OSError`."""

    def __init__(self, path: Path, mode: int = 0o600) -> None:
        self.path = path
        self._mode = mode
        self.used_bytes = 0
        """How many bytes hold records of this round."""
        self.sync_file: Callable[[int], None] = os.fdatasync
        self._handle = -1
        self._length = 0

    def read_records(self, chain_at: ChainFinder) -> list[JournalRecord]:
        """What an earlier run has left, as `parse_records`."""
        return parse_records(read_bytes(self.path), chain_at)

    def open(self) -> None:
        """Begin a round: what the file holds lies where it belongs, durably."""
        self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.fchmod(self._handle, self._mode)
        self._length = os.fstat(self._handle).st_size
        self._extend_to(GROWTH_STEP_BYTES)
        sync_folder(self.path.parent)

    def append(self, records: Sequence[JournalRecord]) -> None:
        """Write the records of one commit; they are on the disk when it returns."""
        data = (",\n".join(record.export_line for record in records) + "\n").encode("ascii")
        self._extend_to(self.used_bytes + len(data))
        write_at_offset(self._handle, data, self.used_bytes)
        self.sync_file(self._handle)
        self.used_bytes += len(data)

    def reset(self) -> None:
        """Begin the next round, once what this one has written lies where it belongs."""
        self.used_bytes = 0

    def close(self) -> None:
        """Close the file."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _extend_to(self, length: int) -> None:
        """Make the file as long as is needed, once in its life."""
        if self._length < length:
            until = -(-length // GROWTH_STEP_BYTES) * GROWTH_STEP_BYTES
            write_at_offset(self._handle, bytes(until - self._length), self._length)
            os.fsync(self._handle)
            self._length = until


def read_bytes(path: Path) -> bytes:
    """The file as it lies there; nothing where there is none. Raises `OSError`."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def parse_records(data: bytes, chain_at: ChainFinder) -> list[JournalRecord]:
    """Read from the bytes of a tail what goes on from a record that lies elsewhere."""
    return [record for commit in _iter_commits(data, chain_at) for record in commit]


def _iter_commits(data: bytes, chain_at: ChainFinder) -> Iterator[list[JournalRecord]]:
    """Read commit by commit, each whole, up to the first that does not fit."""
    commit: list[JournalRecord] = []
    before: JournalRecord | None = None
    with suppress(BadRecordError, UnicodeDecodeError):
        for line in data.split(b"\n"):
            record = parse_export_line(line.removesuffix(b",").decode("ascii"), 0)
            chain = chain_at(record.number - 1) if before is None else before.chain
            follows = before is None or record.number == before.number + 1
            if chain is None or not follows or record.chain != compute_chain(record, chain):
                return
            before = record
            commit.append(record)
            if not line.endswith(b","):
                yield commit
                commit = []
