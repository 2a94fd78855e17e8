"""The table's journal as what is still to be sent: short looks at its files, which end before anything is waited for.

While a file is open the table does not close it at the end of the day; so each look opens it and lets it go again.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import time

from controller.room_contract.batch import MAX_BATCH_RECORDS, Batch, BatchError, Head, split_into_batches
from controller.runtime.journal.journal_reader import JournalReader, find_tail_path
from controller.runtime.journal.proof.chain import BadRecordError, JournalRecord
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import JOURNAL_FILE

HAND_OVER_REASONS = ("hand", "file")
"""Why the table signed, where no hand was on; a run may end in the middle of one."""


FILE_CLOCK_TICK_S = 0.1
"""The kernel's clock of files stands still for some milliseconds: what was written just now may be again, unseen."""

_FileMarks = tuple[tuple[int, int, int] | None, ...] | None


class JournalUnreadableError(Exception):
    """The journal cannot be read now; the message says why."""


@dataclass(frozen=True, slots=True)
class SyncPosition:
    """How far a journal goes: `last_record`, its newest record.

    `last_settled_record`, the last of a hand that is over.
    """

    journal: str
    last_record: int
    last_settled_record: int


class UplinkOutbox:
    """The journal in the state directory `state`, which another process writes."""

    def __init__(self, state: Path) -> None:
        self._path = state / JOURNAL_FILE
        self._last_marks: _FileMarks = None
        self._position: SyncPosition | None = None

    def read_position(self) -> SyncPosition | None:
        """Look how far the journal goes; `None` before its first record. Raises `JournalUnreadableError`."""
        seen = self._read_marks()
        if seen != self._last_marks or seen is None:
            at = time()
            self._position = self._read_new_position()
            newest = max((mark[2] for mark in seen or () if mark), default=0)
            self._last_marks = seen if at - newest / 1e9 > FILE_CLOCK_TICK_S else None
        return self._position

    def read_batch_after(self, head: Head | None, upto: int) -> Batch | None:
        """Read the batch that follows on `head`, to record `upto` at most; raises `JournalUnreadableError`.

        `None` as head: the archive has nothing of this journal, which is sent from the first record that is here.
        """
        reach = self._position
        if reach is None or (head is not None and head.number >= upto):
            return None
        with _OpenJournal(self._path) as archive:
            start = head.number + 1 if head is not None else _find_first_record(archive)
            wanted = (
                record for record in archive.read_records(start, linked=head is not None) if record.number <= upto
            )
            found = split_into_batches(reach.journal, islice(_iter_until(wanted, upto), MAX_BATCH_RECORDS))
        if not found:
            return None
        try:
            fault = found[0].find_mismatch(head if head is not None else found[0].find_starting_head())
        except BatchError as why:
            raise JournalUnreadableError(str(why)) from None
        if fault:
            raise JournalUnreadableError(f"the room's archive has another journal under this name: {fault}")
        return found[0]

    def _read_marks(self) -> "_FileMarks":
        """What changes when the journal does: a look is spared where nothing was written."""
        marks: list[tuple[int, int, int] | None] = []
        for path in (self._path, self._path.with_name(f"{self._path.name}-wal"), find_tail_path(self._path)):
            try:
                found = os.stat(path)
            except OSError:
                marks.append(None)
                continue
            marks.append((found.st_ino, found.st_size, found.st_mtime_ns))
        return tuple(marks) if any(marks) else None

    def _read_new_position(self) -> SyncPosition | None:
        if not self._path.exists():
            return None
        with _OpenJournal(self._path) as archive:
            newest = next(archive.read_newest_records("file"), None)
            if newest is None:
                return None
            last = archive.read_head()[0]
            return SyncPosition(str(newest.parse_body()["table"]), last, next(_iter_hand_ends(archive), 0))


class _OpenJournal:
    """Open the journal for one look; what fails is `JournalUnreadableError`, and quotes nothing of it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> JournalReader:
        try:
            self._archive = JournalReader.open(self._path)
        except (DatabaseError, OSError) as why:
            raise JournalUnreadableError(str(why)) from None
        return self._archive

    def __exit__(self, kind: object, failure: BaseException | None, _: object) -> None:
        self._archive.close()
        if isinstance(failure, DatabaseError | BadRecordError | OSError):
            raise JournalUnreadableError(str(failure)) from None


def _iter_hand_ends(archive: JournalReader) -> Iterator[int]:
    for record in archive.read_newest_records("signed"):
        if record.parse_body().get("why") in HAND_OVER_REASONS:
            yield record.number


def _find_first_record(archive: JournalReader) -> int:
    return next((record.number for record in archive.read_records(1, linked=False)), 1)


def _iter_until(records: Iterator[JournalRecord], upto: int) -> Iterator[JournalRecord]:
    for record in records:
        yield record
        if record.number == upto:
            return
