"""The table's journal as what is still to be sent: short looks at its files, which end before anything is waited for.

While a file is open the table does not close it at the end of the day; so each look opens it and lets it go again.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import time

from controller.runtime.journal.archive import Archive, tail_of
from controller.runtime.journal.database import DatabaseError
from controller.runtime.journal.proof.chain import BadRecord, Record
from controller.runtime.state_directory import JOURNAL_FILE
from room.contract.batch import MOST_RECORDS, BadBatch, Batch, Head, batches

HAND_OVER = ("hand", "file")
"""Why the table signed, where no hand was on; a run may end in the middle of one."""


TICK_SECONDS = 0.1
"""The kernel's clock of files stands still for some milliseconds: what was written just now may be again, unseen."""

_Marks = tuple[tuple[int, int, int] | None, ...] | None


class Unreadable(Exception):
    """The journal cannot be read now; the message says why."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a journal goes: `last`, its newest record; `settled`, the last of a hand that is over."""

    journal: str
    last: int
    settled: int


class Outbox:
    """The journal in the state directory `state`, which another process writes."""

    def __init__(self, state: Path) -> None:
        self._path = state / JOURNAL_FILE
        self._seen: _Marks = None
        self._reach: Reach | None = None

    def reach(self) -> Reach | None:
        """Look how far the journal goes; `None` before its first record. Raises `Unreadable`."""
        seen = self._marks()
        if seen != self._seen or seen is None:
            at = time()
            self._reach = self._read_reach()
            newest = max((mark[2] for mark in seen or () if mark), default=0)
            self._seen = seen if at - newest / 1e9 > TICK_SECONDS else None
        return self._reach

    def after(self, head: Head | None, upto: int) -> Batch | None:
        """Read the batch that follows on `head`, to record `upto` at most; raises `Unreadable`.

        `None` as head: the archive has nothing of this journal, which is sent from the first record that is here.
        """
        reach = self._reach
        if reach is None or (head is not None and head.number >= upto):
            return None
        with _opened(self._path) as archive:
            start = head.number + 1 if head is not None else _first(archive)
            wanted = (record for record in archive.records(start, linked=head is not None) if record.number <= upto)
            found = batches(reach.journal, islice(_to(wanted, upto), MOST_RECORDS))
        if not found:
            return None
        try:
            fault = found[0].fits(head if head is not None else found[0].origin())
        except BadBatch as why:
            raise Unreadable(str(why)) from None
        if fault:
            raise Unreadable(f"the room's archive has another journal under this name: {fault}")
        return found[0]

    def _marks(self) -> "_Marks":
        """What changes when the journal does: a look is spared where nothing was written."""
        marks: list[tuple[int, int, int] | None] = []
        for path in (self._path, self._path.with_name(f"{self._path.name}-wal"), tail_of(self._path)):
            try:
                found = os.stat(path)
            except OSError:
                marks.append(None)
                continue
            marks.append((found.st_ino, found.st_size, found.st_mtime_ns))
        return tuple(marks) if any(marks) else None

    def _read_reach(self) -> Reach | None:
        if not self._path.exists():
            return None
        with _opened(self._path) as archive:
            newest = next(archive.newest("file"), None)
            if newest is None:
                return None
            last = archive.head()[0]
            return Reach(str(newest.read()["table"]), last, next(_hands_over(archive), 0))


class _opened:  # noqa: N801 - it is used as a function
    """Open the journal for one look; what fails is `Unreadable`, and quotes nothing of it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Archive:
        try:
            self._archive = Archive.open(self._path)
        except (DatabaseError, OSError) as why:
            raise Unreadable(str(why)) from None
        return self._archive

    def __exit__(self, kind: object, failure: BaseException | None, _: object) -> None:
        self._archive.close()
        if isinstance(failure, DatabaseError | BadRecord | OSError):
            raise Unreadable(str(failure)) from None


def _hands_over(archive: Archive) -> Iterator[int]:
    for record in archive.newest("signed"):
        if record.read().get("why") in HAND_OVER:
            yield record.number


def _first(archive: Archive) -> int:
    return next((record.number for record in archive.records(1, linked=False)), 1)


def _to(records: Iterator[Record], upto: int) -> Iterator[Record]:
    for record in records:
        yield record
        if record.number == upto:
            return
