"""The journal: every event is on the disk before the table handles it.

Three append-only tables (triggers refuse UPDATE and DELETE):

* `session`: one set-up of the table. Its header names the configuration file, the rulebook, the game and the
  program, each with version or hash, so that a journal explains itself.
* `run`, `run_end`: one start of the program, and its clean end. A run without an end was cut short.
* `entry`: one event, as the line of the table script that says it; `result`: what the table answered, as a digest of
  its output line, or the code of its refusal. The result of an entry is written with the next entry, in the same
  commit: it is a proof for later, not needed to go on, and must not cost a second wait for the disk.

Entries number on without a gap over all sessions. The first entry of a session is its `table` line.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from controller.runtime.database import DatabaseError, open_database, reading

APPLICATION_ID = 0x7443_4A31
"""Marks the file as a journal of this program ("tCJ1")."""

NOT_STARTED = "not started"
"""Why a run ended whose table was never shown: its page or its pins could not be had, for instance."""

_SCHEMA = (
    """
    CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        begun TEXT NOT NULL,
        header TEXT NOT NULL
    ) STRICT;
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        begun TEXT NOT NULL,
        boot TEXT NOT NULL,
        program TEXT NOT NULL
    ) STRICT;
    CREATE TABLE run_end (
        run INTEGER PRIMARY KEY REFERENCES run,
        ended TEXT NOT NULL,
        why TEXT NOT NULL
    ) STRICT;
    CREATE TABLE entry (
        sequence INTEGER PRIMARY KEY,
        session INTEGER NOT NULL REFERENCES session,
        run INTEGER NOT NULL REFERENCES run,
        wall TEXT NOT NULL,
        source TEXT NOT NULL,
        line TEXT NOT NULL
    ) STRICT;
    CREATE INDEX entry_of_session ON entry (session, sequence);
    CREATE TABLE result (
        sequence INTEGER PRIMARY KEY REFERENCES entry,
        digest TEXT NOT NULL,
        refused TEXT
    ) STRICT;
    """
    + "".join(
        f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;\n"
        for table in ("session", "run", "run_end", "entry", "result")
        for verb in ("UPDATE", "DELETE")
    ),
)


@dataclass(frozen=True, slots=True)
class Session:
    """One set-up of the table; `header` explains the journal to whoever finds it."""

    number: int
    begun: str
    header: Mapping[str, str]


@dataclass(frozen=True, slots=True, repr=False)
class Entry:
    """One event as it was written; `digest` and `refused` are `None` where no result was recorded.

    Its line may name cards that lie face down, so the class has no `repr` that shows it.
    """

    sequence: int
    session: int
    run: int
    wall: str
    source: str
    line: str
    digest: str | None
    refused: str | None

    def __repr__(self) -> str:
        """Name the entry without what it says."""
        return f"<Entry {self.sequence}>"


def digest(output: Mapping[str, object]) -> str:
    """Fingerprint an output line, leaving out its `line` number, so that a part replays to the same."""
    content = {key: value for key, value in output.items() if key != "line"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Journal:
    """The append-only record of one table. Used by one thread; other processes may read the file meanwhile.

    After a failed write (`DatabaseError`) nothing more is taken: the table must stop rather than act unrecorded.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open or create the file at `path`; raises `DatabaseError`."""
        self.path = path
        self._db = open_database(path, APPLICATION_ID, _SCHEMA, create=create)
        self._run: int | None = None
        self._session: int | None = None
        self._unwritten: list[tuple[int, str, str | None]] = []
        try:
            with reading(path):
                row = self._db.execute("SELECT max(sequence) FROM entry").fetchone()
        except DatabaseError:
            self._db.close()
            raise
        self._last = int(row[0] or 0)

    @property
    def last(self) -> int:
        """Number of the newest entry, 0 in an empty journal."""
        return self._last

    def begin_run(self, boot: str, program: str) -> bool:
        """Record that the program started; return whether the run before it was cut short.

        A run that never got as far as showing the table does not hide the one before it.
        """
        with reading(self.path):
            before = self._db.execute(
                "SELECT why FROM run LEFT JOIN run_end ON run_end.run = run.id"
                " WHERE why IS NULL OR why <> ? ORDER BY id DESC LIMIT 1",
                (NOT_STARTED,),
            ).fetchone()
        self._run = self._insert("INSERT INTO run (begun, boot, program) VALUES (?, ?, ?)", (_wall(), boot, program))
        return before is not None and before[0] is None

    def begin_session(self, header: Mapping[str, str]) -> Session:
        """Open a new set-up of the table; its `table` line must be the next entry."""
        begun = _wall()
        text = json.dumps(dict(header), sort_keys=True, ensure_ascii=False)
        self._session = self._insert("INSERT INTO session (begun, header) VALUES (?, ?)", (begun, text))
        return Session(self._session, begun, dict(header))

    def continue_session(self, session: Session) -> None:
        """Append to a session that an earlier run began."""
        self._session = session.number

    def append(self, line: Mapping[str, object], source: str) -> int:
        """Write one event, and every result not yet written, durably; return its sequence number."""
        if self._run is None or self._session is None:
            raise DatabaseError("the journal takes entries only within a run and a session")
        sequence = self._last + 1
        text = json.dumps(line, separators=(",", ":"), ensure_ascii=False)
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._write_results()
            self._db.execute(
                "INSERT INTO entry (sequence, session, run, wall, source, line) VALUES (?, ?, ?, ?, ?, ?)",
                (sequence, self._session, self._run, _wall(), source, text),
            )
            self._db.execute("COMMIT")
        except sqlite3.Error as why:
            raise self._failed(why) from why
        self._unwritten.clear()
        self._last = sequence
        return sequence

    def settle(self, sequence: int, outcome_digest: str, refused: str | None) -> None:
        """Keep the result of entry `sequence`; it reaches the disk with the next entry, or when the run ends."""
        self._unwritten.append((sequence, outcome_digest, refused))

    def end_run(self, why: str) -> None:
        """Record a clean end with the last result."""
        if self._run is None:
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._write_results()
            self._db.execute("INSERT INTO run_end (run, ended, why) VALUES (?, ?, ?)", (self._run, _wall(), why))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._failed(error) from error
        self._unwritten.clear()
        self._run = None

    def sessions(self) -> list[Session]:
        """Every session, oldest first."""
        with reading(self.path):
            rows = self._db.execute("SELECT id, begun, header FROM session ORDER BY id").fetchall()
            return [Session(int(number), str(begun), json.loads(header)) for number, begun, header in rows]

    def count(self, session: Session) -> int:
        """Count the entries of a session."""
        with reading(self.path):
            row = self._db.execute("SELECT count(*) FROM entry WHERE session = ?", (session.number,)).fetchone()
        return int(row[0])

    def entries(self, session: Session) -> Iterator[Entry]:
        """Read the entries of a session in order."""
        with reading(self.path):
            rows = self._db.execute(
                "SELECT e.sequence, e.session, e.run, e.wall, e.source, e.line, r.digest, r.refused"
                " FROM entry e LEFT JOIN result r USING (sequence) WHERE e.session = ? ORDER BY e.sequence",
                (session.number,),
            )
        while True:
            with reading(self.path):
                row = rows.fetchone()
            if row is None:
                return
            yield Entry(*row)

    def close(self) -> None:
        """Close the file; results not yet written are lost, the events are not."""
        self._db.close()

    def _write_results(self) -> None:
        self._db.executemany("INSERT INTO result (sequence, digest, refused) VALUES (?, ?, ?)", self._unwritten)

    def _insert(self, statement: str, values: tuple[str, ...]) -> int:
        try:
            number = self._db.execute(statement, values).lastrowid
        except sqlite3.Error as why:
            raise self._failed(why) from why
        if number is None:
            raise DatabaseError(f"{self.path}: a row was written without a number")
        return number

    def _failed(self, why: sqlite3.Error) -> DatabaseError:
        self._run = None
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        return DatabaseError(f"{self.path}: the journal cannot be written: {why}")


def _wall() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
