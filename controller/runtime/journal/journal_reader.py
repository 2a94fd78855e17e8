"""Reads the journal of a table: the file in use and the closed ones before it, as one sequence of records.

Reading changes nothing and creates no file, also on a read-only medium and while the table writes (`docs/journal.md`).
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from controller.runtime.journal.proof.chain import ORIGIN, BadRecordError, JournalRecord, compute_chain
from controller.runtime.journal.proof.head_file import HEAD_FILE, find_unreadable_heads, read_known_head
from controller.runtime.journal.write_ahead_log import parse_records, read_bytes
from controller.runtime.storage.sqlite_database import (
    PUT_BACK_REMEDY,
    DatabaseError,
    describe_error,
    open_read_only,
    translate_read_errors,
)

APPLICATION_ID = 0x7443_4A32
"""Marks the file as a journal of this program, format 2 ("tCJ2")."""

FORMAT_1_APPLICATION_ID = 0x7443_4A31
"""The mark of format 1."""

_TAIL_VIEW_SQL = """
    PRAGMA temp_store=MEMORY;
    CREATE TEMP TABLE tail (number INTEGER PRIMARY KEY, kind TEXT, body TEXT, chain BLOB);
    CREATE TEMP VIEW record AS SELECT number, kind, body, chain FROM main.record UNION ALL
        SELECT number, kind, body, chain FROM tail WHERE number > (SELECT max(number) FROM main.record);
"""
"""What reads the newest records together with the file; its name stands before that of the table."""


@dataclass(frozen=True, slots=True)
class JournalSession:
    """One set-up of the table; `header` explains the journal to whoever finds it.

    `first_record` is the number of its first record, `last_entry_before` that of the last entry before it.
    `snapshot_text`: the table from which it goes on, where it does not begin with the stacks of its `table` line.
    """

    number: int
    begun_at: str
    header: Mapping[str, str]
    first_record: int = 0
    last_entry_before: int = 0
    snapshot_text: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class JournalEntry:
    """One event as it was written; `digest` and `refusal_code` are `None` where no result was recorded.

    `uptime_ms`: milliseconds since the machine started. `clock_was_set`: the wall clock was known to be right.
    `signer`: who of the house signed it. Its line may name cards, so the class has no `repr` that shows it.
    """

    number: int
    session: int
    run: int
    wall_time: str
    source: str
    script_line: str
    digest: str | None
    refusal_code: str | None
    uptime_ms: int = 0
    clock_was_set: bool = False
    signer: Mapping[str, Any] | None = None
    record_number: int = 0

    def __repr__(self) -> str:
        """Name the entry without what it says."""
        return f"<Entry {self.number}>"


@dataclass(frozen=True, slots=True)
class JournalCounts:
    """Which journal it is, by its random name, and how many runs, sessions, keys of hands and entries it has."""

    journal_name: str
    run_count: int = 0
    session_count: int = 0
    hand_key_count: int = 0
    entry_count: int = 0


class JournalReader:
    """A journal as it can be read; `alone`: without the closed files before it. Used by one thread."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, alone: bool = False) -> None:
        self.path = path
        self._current_file_only = alone
        self._db = connection
        self._last_tail = b""
        """What was in the tail when it was read last."""
        self._known_head: tuple[int, str] | None = None

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the journal at `path` to read; raises `DatabaseError`."""
        refuse_first_format(path)
        known = read_known_head(path)  # before the records, which go on while the table is in play
        reader = cls(path, open_read_only(path, APPLICATION_ID))
        reader._known_head = known
        return reader

    def find_absent_file(self) -> str | None:
        """Name the closed file before the oldest that is here; `None` where the journal is here from its beginning.

        Who keeps the records may have put it elsewhere. Raises `DatabaseError`.
        """
        here = {path.name for path in self.list_files()}
        for record in self.read_newest_records("file"):
            previous = _parse_body(self.path, record).get("previous")
            if previous is not None and previous["file"] not in here:
                return str(previous["file"])
        return None

    def check_closed_file(self) -> None:
        """Raise `DatabaseError` where the newest closed file is not the one that the file in use goes on from."""
        record = next(self.read_newest_records("file"), None)
        previous = None if record is None else _parse_body(self.path, record).get("previous")
        if previous is None:
            return
        with translate_read_errors(self.path):
            path = self.path.with_name(str(previous["file"]))
            number, chain = int(previous["number"]), str(previous["chain"])
        if not path.exists():
            return
        with closing(open_read_only(path, APPLICATION_ID)) as closed, translate_read_errors(path):
            row = closed.execute("SELECT chain FROM record WHERE number = ?", (number,)).fetchone()
            if row is None or bytes(row[0]).hex() != chain:
                raise DatabaseError(f"{path}: is not the file that {self.path.name} goes on from; {PUT_BACK_REMEDY}")

    def check_closed_files(self) -> None:
        """Raise `DatabaseError` where a closed file is not the one that the file after it goes on from."""
        after, wanted = self.path, None
        for path, connection in self._iter_connections_newest_first():
            with translate_read_errors(path):
                if wanted is not None and path.name == str(wanted["file"]):
                    row = connection.execute(
                        "SELECT chain FROM record WHERE number = ?", (int(wanted["number"]),)
                    ).fetchone()
                    if row is None or bytes(row[0]).hex() != str(wanted["chain"]):
                        raise DatabaseError(
                            f"{path}: is not the file that {after.name} goes on from; {PUT_BACK_REMEDY}"
                        )
                row = connection.execute(
                    "SELECT body FROM record WHERE kind <> 'entry' AND kind = 'file' ORDER BY number DESC LIMIT 1"
                ).fetchone()
                after, wanted = path, None if row is None else json.loads(row[0]).get("previous")

    def find_loss(self) -> str | None:
        """Say which records are known to have been written and are not here; `None` where none is missed.

        What was asked of the journal is then what is left of it. Raises `DatabaseError`.
        """
        if self._known_head is None or self.find_chain(self._known_head[0]) == self._known_head[1]:
            return None
        return describe_missing_record(self.path, self._known_head[0])

    def find_doubt(self) -> str | None:
        """Say why nobody knows whether records are missing; `None` where that is known, or was never written down."""
        unreadable = () if self._known_head is not None else find_unreadable_heads(self.path)
        if not unreadable:
            return None
        files = " and ".join(path.name for path in unreadable)
        return (
            f"{self.path} may be longer than what is here: {files} cannot be read, which say how far it goes. Put the "
            "right file back; a start writes them anew"
        )

    @property
    def last_entry_number(self) -> int:
        """Number of the newest entry, 0 in an empty journal."""
        return self._find_last_entry_number()

    def _find_last_entry_number(self) -> int:
        for record in self.read_newest_records("file", "entry"):
            body = _parse_body(self.path, record)
            with translate_read_errors(self.path):
                return int(body["entry"] if record.kind == "entry" else body["entries"])
        return 0

    def read_head(self) -> tuple[int, str]:
        """Number and chain of the newest record; 0 in an empty file."""
        with translate_read_errors(self.path):
            row = self.merge_tail().execute("SELECT number, chain FROM record ORDER BY number DESC LIMIT 1").fetchone()
            return (0, ORIGIN) if row is None else (int(row[0]), bytes(row[1]).hex())

    def read_counts(self) -> JournalCounts:
        """Find which journal this is, and how much of everything it has."""
        found: dict[str, int] = {}
        for record in self.read_newest_records("file", "run", "session", "hand-key"):
            body = _parse_body(self.path, record)
            with translate_read_errors(self.path):
                of_kind = {"run": ("run",), "session": ("session",), "hand-key": ("hand",)}
                for name in of_kind.get(record.kind, ("run", "session", "hand")):
                    found.setdefault(name, int(body[name]))
                if record.kind == "file":
                    return JournalCounts(
                        journal_name=str(body["table"]),
                        run_count=found["run"],
                        session_count=found["session"],
                        hand_key_count=found["hand"],
                        entry_count=self._find_last_entry_number(),
                    )
        return JournalCounts("")

    def list_files(self) -> list[Path]:
        """Every file of the journal, oldest first."""
        return [*find_closed_files(self.path).values(), self.path]

    def read_records(self, start: int = 1, *, linked: bool = True) -> Iterator[JournalRecord]:
        """Read the records from number `start` on, in order.

        With `linked` each must fit to the one before it; raises `DatabaseError` at the first that does not.
        """
        before = (self.find_chain(start - 1) or ORIGIN) if linked else None
        for path, connection in self._iter_connections(start):
            with translate_read_errors(path):
                rows = connection.execute(
                    "SELECT number, kind, body, chain FROM record WHERE number >= ? ORDER BY number", (start,)
                )
            while True:
                with translate_read_errors(path):
                    row = rows.fetchone()
                    if row is None:
                        break
                    record = _from_row(row)
                if before is not None:
                    if record.chain != compute_chain(record, before):
                        self._refuse_other_files(record, start)
                        raise make_changed_record_error(path, record)
                    before = record.chain
                yield record

    def _refuse_other_files(self, first: JournalRecord, wanted: int) -> None:
        """Raise `DatabaseError` where a record fits to none before it because of a closed file.

        The records from number `wanted` on are in one that is not here, or the newest is another table's.
        """
        self.check_closed_file()
        absent = self.find_absent_file() if first.number > wanted else None
        if absent is not None:
            raise DatabaseError(
                f"{self.path.with_name(absent)}: is not here, with the records before {first.number}: put it back"
            )

    def read_newest_records(self, *kinds: str) -> Iterator[JournalRecord]:
        """Read the records of some kinds, the newest first; raises `DatabaseError` at one that is no JSON."""
        marks = ",".join("?" * len(kinds))
        indexed = "" if "entry" in kinds else "kind <> 'entry' AND"  # the words that the index was made with
        for path, connection in self._iter_connections_newest_first():
            with translate_read_errors(path):
                rows = connection.execute(
                    f"SELECT number, kind, body, chain FROM record WHERE {indexed} kind IN ({marks})"
                    " ORDER BY number DESC",
                    kinds,
                )
            while True:
                with translate_read_errors(path):
                    row = rows.fetchone()
                    if row is None:
                        break
                    record = _from_row(row)
                _parse_body(path, record)  # nothing else proves it: the chain is not followed here
                yield record

    def check_newest_record(self, kind: str) -> None:
        """Raise `DatabaseError` where the newest record of a kind does not fit to the one before it."""
        record = next(self.read_newest_records(kind), None)
        before = None if record is None else self.find_chain(record.number - 1)
        if record is not None and before is not None and record.chain != compute_chain(record, before):
            raise make_changed_record_error(self.path, record)

    def list_sessions(self) -> list[JournalSession]:
        """Every session, oldest first."""
        found: dict[int, JournalSession] = {}
        for record in self.read_newest_records("session"):
            session = self._parse_session(record)
            found[session.number] = session
        return [found[number] for number in sorted(found)]

    def find_last_session(self) -> JournalSession | None:
        """The newest session."""
        return next((self._parse_session(record) for record in self.read_newest_records("session")), None)

    def _parse_session(self, record: JournalRecord) -> JournalSession:
        body = _parse_body(self.path, record)
        with translate_read_errors(self.path):
            first, before = int(body.get("first", record.number)), int(body["entries"])
            return JournalSession(
                int(body["session"]), str(body["begun"]), dict(body["header"]), first, before, body.get("kept")
            )

    def count_entries(self, session: JournalSession) -> int:
        """Count the entries of a session."""
        following = [later.last_entry_before for later in self.list_sessions() if later.number == session.number + 1]
        return (following[0] if following else self.last_entry_number) - session.last_entry_before

    def read_entries(self, session: JournalSession, start: int = 0) -> Iterator[JournalEntry]:
        """Read the entries of a session in order, from record `start` on."""
        return (item for item in self.read_entries_and_keys(session, start) if isinstance(item, JournalEntry))

    def read_entries_and_keys(self, session: JournalSession, start: int = 0) -> Iterator[JournalEntry | JournalRecord]:
        """Read the entries of a session in order, and between them the records about its hidden cards."""
        held: JournalEntry | None = None
        for record in self.read_records(max(start, session.first_record)):
            body = _parse_body(self.path, record)
            following: JournalEntry | None = None
            with translate_read_errors(self.path):
                if held is not None:
                    held = add_result(held, body.get("result"))
                if record.kind == "session" and int(body["session"]) != session.number:
                    break
                if record.kind == "entry" and int(body["session"]) != session.number:
                    break
                if record.kind == "entry":
                    following = parse_entry(record, body)
            if held is not None:
                yield held
            held = following
            if record.kind in ("hand-key", "disclosed"):
                yield record
        if held is not None:
            yield held

    def search_entries(self, session: JournalSession, words: str) -> Iterator[JournalEntry]:
        """Read the entries of a session whose line holds some words, in order and without their results.

        The database looks for them: an evening of a million entries takes a second.
        """
        for path, connection in self._iter_connections(session.first_record):
            with translate_read_errors(path):
                rows = connection.execute(
                    "SELECT number, kind, body, chain FROM record"
                    " WHERE number >= ? AND kind = 'entry' AND instr(body, ?) ORDER BY number",
                    (session.first_record, words),
                )
            while True:
                with translate_read_errors(path):
                    row = rows.fetchone()
                    if row is None:
                        break
                    record = _from_row(row)
                entry = parse_entry(record, _parse_body(path, record))
                if entry.session != session.number:
                    return
                yield entry

    def find_signature_after(self, record: int) -> JournalRecord | None:
        """The first signature of the table that covers a record; `None` where there is none yet."""
        for path, connection in self._iter_connections(record):
            with translate_read_errors(path):
                row = connection.execute(
                    "SELECT number, kind, body, chain FROM record WHERE kind <> 'entry' AND kind = 'signed'"
                    " AND number > ? ORDER BY number LIMIT 1",
                    (record,),
                ).fetchone()
                if row is not None:
                    return _from_row(row)
        return None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _iter_connections(self, start: int) -> Iterator[tuple[Path, sqlite3.Connection]]:
        """Open the files that hold records from number `start` on, oldest first, and one closed file at a time.

        A file for each day of years may lie here, and a process may have so many open.
        """
        closed = {} if self._current_file_only else find_closed_files(self.path)
        firsts = sorted(closed)
        for index, first in enumerate(firsts):
            following = firsts[index + 1] if index + 1 < len(firsts) else self._find_first_number()
            if following <= start:
                continue
            with closing(open_read_only(closed[first], APPLICATION_ID)) as connection:
                yield closed[first], connection
        yield self.path, self.merge_tail()

    def _iter_connections_newest_first(self) -> Iterator[tuple[Path, sqlite3.Connection]]:
        yield self.path, self.merge_tail()
        closed = {} if self._current_file_only else find_closed_files(self.path)
        for first in sorted(closed, reverse=True):
            with closing(open_read_only(closed[first], APPLICATION_ID)) as connection:
                yield closed[first], connection

    @property
    def first_number(self) -> int:
        """Number of the first record in the file in use; those before it are in closed files."""
        return self._find_first_number()

    def _find_first_number(self) -> int:
        with translate_read_errors(self.path):
            row = self._db.execute("SELECT min(number) FROM main.record").fetchone()
        return int(row[0] or 0)

    def merge_tail(self) -> sqlite3.Connection:
        """The file in use, whose `record` has what is still in `journal.tail` as well. Raises `DatabaseError`."""
        path = find_tail_path(self.path)
        try:
            data = read_bytes(path)
        except OSError as why:
            raise DatabaseError(f"{path}: cannot be read: {describe_error(why, path)}") from why
        if data != self._last_tail:
            with translate_read_errors(self.path):
                self._add_tail_records(data)
        return self._db

    def _add_tail_records(self, tail: bytes) -> None:
        """Add what the tail has; what was added before stays, as somebody may be half through it."""
        found = map(to_row, parse_records(tail, self._find_chain_in_file))
        self._db.execute("PRAGMA query_only=OFF")
        if not self._last_tail:
            self._db.executescript(_TAIL_VIEW_SQL)
        self._db.executemany("INSERT OR IGNORE INTO tail VALUES (?, ?, ?, ?)", found)
        self._db.execute("PRAGMA query_only=ON")
        self._last_tail = tail

    def _find_chain_in_file(self, number: int) -> str | None:
        """The chain of a record in the file in use itself."""
        row = self._db.execute("SELECT chain FROM main.record WHERE number = ?", (number,)).fetchone()
        return None if row is None else bytes(row[0]).hex()

    def find_chain(self, number: int) -> str | None:
        """The chain of a record; `None` where there is no such record."""
        for path, connection in self._iter_connections(number):
            with translate_read_errors(path):
                row = connection.execute("SELECT chain FROM record WHERE number = ?", (number,)).fetchone()
                if row is not None:
                    return bytes(row[0]).hex()
        return None


def find_tail_path(path: Path) -> Path:
    """Where the newest records of the journal at `path` are."""
    return path.with_suffix(".tail")


def has_other_files(path: Path) -> bool:
    """Whether other files of the journal at `path` are there, also where that is gone."""
    beside = find_tail_path(path), path.with_suffix(".head"), path.with_suffix(".head-copy")
    return any(each.exists() for each in beside) or bool(find_closed_files(path))


def is_in_use(path: Path) -> bool:
    """Whether there is a journal at `path`; raises `DatabaseError` where it is gone and other files of it are there.

    Whoever compares with it would else compare with nothing, as before a table's first start.
    """
    if path.exists():
        return True
    if has_other_files(path):
        raise DatabaseError(f"{path}: is missing, and other files of the journal are there: put it back first")
    return False


def find_closed_files(path: Path) -> dict[int, Path]:
    """Find the closed files of the journal at `path` by the number of their first record."""
    found: dict[int, Path] = {}
    for beside in path.parent.glob(f"{path.stem}-*{path.suffix}"):
        number = beside.name[len(path.stem) + 1 : -len(path.suffix)]
        if number.isdecimal():
            found[int(number)] = beside
    return dict(sorted(found.items()))


def parse_entry(record: JournalRecord, body: Mapping[str, Any]) -> JournalEntry:
    """Read an entry; its line is text again, as it is in the table script."""
    return JournalEntry(
        number=int(body["entry"]),
        session=int(body["session"]),
        run=int(body["run"]),
        wall_time=str(body["wall"]),
        source=str(body["source"]),
        script_line=json.dumps(body["line"], separators=(",", ":"), ensure_ascii=False),
        digest=None,
        refusal_code=None,
        uptime_ms=int(body["mono"]),
        clock_was_set=bool(body["clock"]),
        signer=body.get("by"),
        record_number=record.number,
    )


def add_result(entry: JournalEntry, result: object) -> JournalEntry:
    """Add the result of an entry, when it is that of this one."""
    if not isinstance(result, dict) or result["entry"] != entry.number:
        return entry
    return replace(entry, digest=str(result["digest"]), refusal_code=result.get("refused"))


def refuse_first_format(path: Path) -> None:
    """Raise `DatabaseError` for a journal that an older program wrote."""
    if not path.is_file():
        return
    with open(path, "rb") as file:
        head = file.read(72)
    if int.from_bytes(head[68:72], "big") == FORMAT_1_APPLICATION_ID:
        raise DatabaseError(
            f"{path}: is a journal of format 1, which has no chain and is not gone on with; export it with the program "
            "that wrote it, then move it away or give the table another directory (section [state], or --state)"
        )


def describe_missing_record(path: Path, number: int) -> str:
    """Say that a journal ends before a record that the table has written, and what to put back."""
    return (
        f"{path} has not the record {number} that the table has written, as {HEAD_FILE} or {HEAD_FILE}-copy says: "
        "journal.tail or the -wal is missing or damaged, one of these is an older copy, or another table's. Put the "
        "right files back"
    )


def make_changed_record_error(path: Path, record: JournalRecord) -> DatabaseError:
    """Say that a record does not fit to the one before it."""
    return DatabaseError(
        f"{path}: record {record.number} of the journal was changed, or the one before it is another "
        "(`tablectl journal verify` says more); keep it for the technician and start with --new-session"
    )


def to_row(record: JournalRecord) -> tuple[int, str, str, bytes]:
    """A record as it lies in the file."""
    return record.number, record.kind, record.body, bytes.fromhex(record.chain)


def _from_row(row: Sequence[Any]) -> JournalRecord:
    number, kind, body, chain = row
    return JournalRecord(int(number), str(kind), str(body), bytes(chain).hex())


def _parse_body(path: Path, record: JournalRecord) -> dict[str, Any]:
    try:
        return record.parse_body()
    except BadRecordError:
        raise make_changed_record_error(path, record) from None
