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

from controller.runtime.journal.database import DatabaseError, open_to_read, reading
from controller.runtime.journal.proof.chain import ORIGIN, BadRecord, Record, chain_of
from controller.runtime.journal.tail_file import bytes_of, records_of

APPLICATION_ID = 0x7443_4A32
"""Marks the file as a journal of this program, format 2 ("tCJ2")."""

FIRST_FORMAT = 0x7443_4A31
"""The mark of format 1."""

_WITH_TAIL = """
    PRAGMA temp_store=MEMORY;
    CREATE TEMP TABLE tail (number INTEGER PRIMARY KEY, kind TEXT, body TEXT, chain BLOB);
    CREATE TEMP VIEW record AS SELECT number, kind, body, chain FROM main.record UNION ALL
        SELECT number, kind, body, chain FROM tail WHERE number > (SELECT max(number) FROM main.record);
"""
"""What reads the newest records together with the file; its name stands before that of the table."""


@dataclass(frozen=True, slots=True)
class Session:
    """One set-up of the table; `header` explains the journal to whoever finds it.

    `record` is the number of its first record, `before` that of the last entry before it. `kept`: the table from which
    it goes on, where it does not begin with the stacks of its `table` line.
    """

    number: int
    begun: str
    header: Mapping[str, str]
    record: int = 0
    before: int = 0
    kept: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Entry:
    """One event as it was written; `digest` and `refused` are `None` where no result was recorded.

    `mono`: milliseconds since the machine started. `clock`: the wall clock was known to be right. `by`: who of the
    house signed it. Its line may name cards, so the class has no `repr` that shows it.
    """

    sequence: int
    session: int
    run: int
    wall: str
    source: str
    line: str
    digest: str | None
    refused: str | None
    mono: int = 0
    clock: bool = False
    by: Mapping[str, Any] | None = None
    record: int = 0

    def __repr__(self) -> str:
        """Name the entry without what it says."""
        return f"<Entry {self.sequence}>"


@dataclass(frozen=True, slots=True)
class Counts:
    """Which journal it is, by its random name, and how many runs, sessions, keys of hands and entries it has."""

    table: str
    run: int = 0
    session: int = 0
    hand: int = 0
    entries: int = 0


class Archive:
    """A journal as it can be read; `alone`: without the closed files before it. Used by one thread."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, alone: bool = False) -> None:
        self.path = path
        self._alone = alone
        self._db = connection
        self._tail_read = b""
        """What was in the tail when it was read last."""

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the journal at `path` to read; raises `DatabaseError`."""
        refuse_first_format(path)
        return cls(path, open_to_read(path, APPLICATION_ID))

    @property
    def last(self) -> int:
        """Number of the newest entry, 0 in an empty journal."""
        return self._newest_entry()

    def _newest_entry(self) -> int:
        for record in self.newest("file", "entry"):
            body = _body(self.path, record)
            with reading(self.path):
                return int(body["entry"] if record.kind == "entry" else body["entries"])
        return 0

    def head(self) -> tuple[int, str]:
        """Number and chain of the newest record; 0 in an empty file."""
        with reading(self.path):
            row = self.whole().execute("SELECT number, chain FROM record ORDER BY number DESC LIMIT 1").fetchone()
            return (0, ORIGIN) if row is None else (int(row[0]), bytes(row[1]).hex())

    def counts(self) -> Counts:
        """Find which journal this is, and how much of everything it has."""
        found: dict[str, int] = {}
        for record in self.newest("file", "run", "session", "hand-key"):
            body = _body(self.path, record)
            with reading(self.path):
                of_kind = {"run": ("run",), "session": ("session",), "hand-key": ("hand",)}
                for name in of_kind.get(record.kind, ("run", "session", "hand")):
                    found.setdefault(name, int(body[name]))
                if record.kind == "file":
                    return Counts(
                        table=str(body["table"]),
                        run=found["run"],
                        session=found["session"],
                        hand=found["hand"],
                        entries=self._newest_entry(),
                    )
        return Counts("")

    def files(self) -> list[Path]:
        """Every file of the journal, oldest first."""
        return [*closed_files(self.path).values(), self.path]

    def records(self, start: int = 1, *, linked: bool = True) -> Iterator[Record]:
        """Read the records from number `start` on, in order.

        With `linked` each must fit to the one before it; raises `DatabaseError` at the first that does not.
        """
        before = (self.chain_at(start - 1) or ORIGIN) if linked else None
        for connection in self._connections(start):
            with reading(self.path):
                rows = connection.execute(
                    "SELECT number, kind, body, chain FROM record WHERE number >= ? ORDER BY number", (start,)
                )
            while True:
                with reading(self.path):
                    row = rows.fetchone()
                    if row is None:
                        break
                    record = _record(row)
                if before is not None:
                    if record.chain != chain_of(record, before):
                        raise changed(self.path, record)
                    before = record.chain
                yield record

    def newest(self, *kinds: str) -> Iterator[Record]:
        """Read the records of some kinds, the newest first."""
        marks = ",".join("?" * len(kinds))
        indexed = "" if "entry" in kinds else "kind <> 'entry' AND"  # the words that the index was made with
        for connection in self._connections_newest_first():
            with reading(self.path):
                rows = connection.execute(
                    f"SELECT number, kind, body, chain FROM record WHERE {indexed} kind IN ({marks})"
                    " ORDER BY number DESC",
                    kinds,
                )
            while True:
                with reading(self.path):
                    row = rows.fetchone()
                    if row is None:
                        break
                    record = _record(row)
                yield record

    def sessions(self) -> list[Session]:
        """Every session, oldest first."""
        found: dict[int, Session] = {}
        for record in self.newest("session"):
            session = self._session_of(record)
            found[session.number] = session
        return [found[number] for number in sorted(found)]

    def last_session(self) -> Session | None:
        """The newest session."""
        return next((self._session_of(record) for record in self.newest("session")), None)

    def _session_of(self, record: Record) -> Session:
        body = _body(self.path, record)
        with reading(self.path):
            first, before = int(body.get("first", record.number)), int(body["entries"])
            return Session(
                int(body["session"]), str(body["begun"]), dict(body["header"]), first, before, body.get("kept")
            )

    def count(self, session: Session) -> int:
        """Count the entries of a session."""
        following = [later.before for later in self.sessions() if later.number == session.number + 1]
        return (following[0] if following else self.last) - session.before

    def entries(self, session: Session, start: int = 0) -> Iterator[Entry]:
        """Read the entries of a session in order, from record `start` on."""
        return (item for item in self.walk(session, start) if isinstance(item, Entry))

    def walk(self, session: Session, start: int = 0) -> Iterator[Entry | Record]:
        """Read the entries of a session in order, and between them the records about its hidden cards."""
        held: Entry | None = None
        for record in self.records(max(start, session.record)):
            body = _body(self.path, record)
            following: Entry | None = None
            with reading(self.path):
                if held is not None:
                    held = with_result(held, body.get("result"))
                if record.kind == "session" and int(body["session"]) != session.number:
                    break
                if record.kind == "entry" and int(body["session"]) != session.number:
                    break
                if record.kind == "entry":
                    following = entry_of(record, body)
            if held is not None:
                yield held
            held = following
            if record.kind in ("hand-key", "disclosed"):
                yield record
        if held is not None:
            yield held

    def entries_with(self, session: Session, words: str) -> Iterator[Entry]:
        """Read the entries of a session whose line holds some words, in order and without their results.

        The database looks for them: an evening of a million entries takes a second.
        """
        for connection in self._connections(session.record):
            with reading(self.path):
                rows = connection.execute(
                    "SELECT number, kind, body, chain FROM record"
                    " WHERE number >= ? AND kind = 'entry' AND instr(body, ?) ORDER BY number",
                    (session.record, words),
                )
            while True:
                with reading(self.path):
                    row = rows.fetchone()
                    if row is None:
                        break
                    record = _record(row)
                entry = entry_of(record, _body(self.path, record))
                if entry.session != session.number:
                    return
                yield entry

    def signed_after(self, record: int) -> Record | None:
        """The first signature of the table that covers a record; `None` where there is none yet."""
        for connection in self._connections(record):
            with reading(self.path):
                row = connection.execute(
                    "SELECT number, kind, body, chain FROM record WHERE kind <> 'entry' AND kind = 'signed'"
                    " AND number > ? ORDER BY number LIMIT 1",
                    (record,),
                ).fetchone()
                if row is not None:
                    return _record(row)
        return None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _connections(self, start: int) -> Iterator[sqlite3.Connection]:
        """Open the files that hold records from number `start` on, oldest first, and one closed file at a time.

        A file for each day of years may lie here, and a process may have so many open.
        """
        closed = {} if self._alone else closed_files(self.path)
        firsts = sorted(closed)
        for index, first in enumerate(firsts):
            following = firsts[index + 1] if index + 1 < len(firsts) else self._first()
            if following <= start:
                continue
            with closing(open_to_read(closed[first], APPLICATION_ID)) as connection:
                yield connection
        yield self.whole()

    def _connections_newest_first(self) -> Iterator[sqlite3.Connection]:
        yield self.whole()
        closed = {} if self._alone else closed_files(self.path)
        for first in sorted(closed, reverse=True):
            with closing(open_to_read(closed[first], APPLICATION_ID)) as connection:
                yield connection

    def _first(self) -> int:
        with reading(self.path):
            row = self._db.execute("SELECT min(number) FROM main.record").fetchone()
        return int(row[0] or 0)

    def whole(self) -> sqlite3.Connection:
        """The file in use, whose `record` has what is still in `journal.tail` as well. Raises `DatabaseError`."""
        path = tail_of(self.path)
        try:
            data = bytes_of(path)
        except OSError as why:
            raise DatabaseError(f"{path}: cannot be read: {why.strerror}") from why
        if data != self._tail_read:
            with reading(self.path):
                self._take_in(data)
        return self._db

    def _take_in(self, tail: bytes) -> None:
        """Add what the tail has; what was added before stays, as somebody may be half through it."""
        found = map(row_of, records_of(tail, self._chain_in_file))
        self._db.execute("PRAGMA query_only=OFF")
        if not self._tail_read:
            self._db.executescript(_WITH_TAIL)
        self._db.executemany("INSERT OR IGNORE INTO tail VALUES (?, ?, ?, ?)", found)
        self._db.execute("PRAGMA query_only=ON")
        self._tail_read = tail

    def _chain_in_file(self, number: int) -> str | None:
        """The chain of a record in the file in use itself."""
        row = self._db.execute("SELECT chain FROM main.record WHERE number = ?", (number,)).fetchone()
        return None if row is None else bytes(row[0]).hex()

    def chain_at(self, number: int) -> str | None:
        """The chain of a record; `None` where there is no such record."""
        for connection in self._connections(number):
            with reading(self.path):
                row = connection.execute("SELECT chain FROM record WHERE number = ?", (number,)).fetchone()
                if row is not None:
                    return bytes(row[0]).hex()
        return None


def tail_of(path: Path) -> Path:
    """Where the newest records of the journal at `path` are."""
    return path.with_suffix(".tail")


def closed_files(path: Path) -> dict[int, Path]:
    """Find the closed files of the journal at `path` by the number of their first record."""
    found: dict[int, Path] = {}
    for beside in path.parent.glob(f"{path.stem}-*{path.suffix}"):
        number = beside.name[len(path.stem) + 1 : -len(path.suffix)]
        if number.isdecimal():
            found[int(number)] = beside
    return dict(sorted(found.items()))


def entry_of(record: Record, body: Mapping[str, Any]) -> Entry:
    """Read an entry; its line is text again, as it is in the table script."""
    return Entry(
        sequence=int(body["entry"]),
        session=int(body["session"]),
        run=int(body["run"]),
        wall=str(body["wall"]),
        source=str(body["source"]),
        line=json.dumps(body["line"], separators=(",", ":"), ensure_ascii=False),
        digest=None,
        refused=None,
        mono=int(body["mono"]),
        clock=bool(body["clock"]),
        by=body.get("by"),
        record=record.number,
    )


def with_result(entry: Entry, result: object) -> Entry:
    """Add the result of an entry, when it is that of this one."""
    if not isinstance(result, dict) or result["entry"] != entry.sequence:
        return entry
    return replace(entry, digest=str(result["digest"]), refused=result.get("refused"))


def refuse_first_format(path: Path) -> None:
    """Raise `DatabaseError` for a journal that an older program wrote."""
    if not path.is_file():
        return
    with open(path, "rb") as file:
        head = file.read(72)
    if int.from_bytes(head[68:72], "big") == FIRST_FORMAT:
        raise DatabaseError(
            f"{path}: is a journal of format 1, which has no chain and is not gone on with; export it with the program "
            "that wrote it, then move it away or give the table another directory (section [state], or --state)"
        )


def changed(path: Path, record: Record) -> DatabaseError:
    """Say that a record does not fit to the one before it."""
    return DatabaseError(
        f"{path}: record {record.number} of the journal was changed, or the one before it is another "
        "(`tablectl journal verify` says more); keep it for the technician and start with --new-session"
    )


def row_of(record: Record) -> tuple[int, str, str, bytes]:
    """A record as it lies in the file."""
    return record.number, record.kind, record.body, bytes.fromhex(record.chain)


def _record(row: Sequence[Any]) -> Record:
    number, kind, body, chain = row
    return Record(int(number), str(kind), str(body), bytes(chain).hex())


def _body(path: Path, record: Record) -> dict[str, Any]:
    try:
        return record.read()
    except BadRecord:
        raise changed(path, record) from None
