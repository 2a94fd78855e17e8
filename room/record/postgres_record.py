"""The room's record in PostgreSQL: a line is on the disk before anybody is told of it."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from typing import Any, TypeVar

import psycopg
from psycopg.rows import TupleRow

from room.record.room_record import RecordLine, StreamConflictError

T = TypeVar("T")

SCHEMA_LOCK_ID = 0x726F6F6D
"""The number under which programs wait for each other."""

RECORD_SCHEMA = files("room.record").joinpath("record_schema.sql")

CREATE_PATTERN = re.compile(rb"(?m)^CREATE (?:TABLE|INDEX|UNIQUE INDEX) IF NOT EXISTS (\w+)")
"""What a schema makes: nothing else stands in one."""


def connect_database(where: str) -> psycopg.Connection[TupleRow]:
    """Open the database and make its tables; `where` as libpq has it. What fails is a `ConnectionError`."""
    try:
        connection = psycopg.connect(where, autocommit=True, connect_timeout=5)
        make_tables(connection, RECORD_SCHEMA.read_bytes())
    except psycopg.Error as why:
        raise ConnectionError(f"the room's database does not answer: {str(why).strip()}") from why
    return connection


def make_tables(connection: psycopg.Connection[TupleRow], schema: bytes) -> None:
    """Make the tables of a schema that are not there; of two programs that start at once one waits for the other.

    `CREATE TABLE IF NOT EXISTS` alone fails where two do it at the same time, and of an index it waits for whoever
    writes the table, who may wait for another of these tables: so where all is there nothing is made.
    Raises `psycopg.Error`.
    """
    names = [name.decode() for name in CREATE_PATTERN.findall(schema)]
    lacking = connection.execute(
        "SELECT FROM unnest(%s::text[]) AS name WHERE to_regclass(name) IS NULL LIMIT 1", (names,)
    ).fetchone()
    if lacking is None:
        return
    connection.execute(b"SELECT pg_advisory_xact_lock(%d);\n" % SCHEMA_LOCK_ID + schema)


class ReconnectingDatabase:
    """The database, which is opened when it is wanted and anew after it was lost; `schema`: tables to make besides."""

    def __init__(self, where: str, schema: bytes = b"") -> None:
        self._conninfo, self._schema = where, schema
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[TupleRow] | None = None

    def run(self, do: Callable[[psycopg.Connection[TupleRow]], T]) -> T:
        """Do something in it, one thread at a time; raises `ConnectionError`, after which it is opened anew."""
        with self._lock:
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = connect_database(self._conninfo)
                    make_tables(self._connection, self._schema)
                return do(self._connection)
            except (psycopg.Error, ConnectionError) as why:
                self._close()
                if isinstance(why, ConnectionError):
                    raise
                raise ConnectionError(f"the room's database does not answer ({type(why).__name__})") from why

    def close(self) -> None:
        """Let it go."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()


class PostgresRecord:
    """Lines in the table `line`. Used by one thread."""

    def __init__(self, connection: psycopg.Connection[TupleRow]) -> None:
        self._db = connection

    def append(self, stream: str, after: int, at: float, by: str, what: Mapping[str, Any]) -> RecordLine:
        """Write line `after` + 1; raises `StreamConflictError`."""
        try:
            with self._db.transaction():
                row = self._db.execute("SELECT max(number) FROM line WHERE stream = %s", (stream,)).fetchone()
                if row is None or (row[0] or 0) != after:
                    raise StreamConflictError
                self._db.execute(
                    "INSERT INTO line VALUES (%s, %s, %s, %s, %s)",
                    (stream, after + 1, at, by, json.dumps(what, ensure_ascii=False)),
                )
        except psycopg.errors.UniqueViolation as why:
            raise StreamConflictError from why
        except psycopg.Error as why:
            raise ConnectionError(f"the room's database does not answer ({type(why).__name__})") from why
        return RecordLine(stream, after + 1, at, by, dict(what))

    def read_lines(self, stream: str, after: int = 0) -> Iterator[RecordLine]:
        """Read the lines of a stream after number `after`, in order."""
        rows = self._fetch_all("SELECT number, at, by, what FROM line WHERE stream = %s AND number > %s ORDER BY "
            "number",
                         (stream, after))  # fmt: skip
        return (RecordLine(stream, number, at, by, what) for number, at, by, what in rows)

    def read_lines_between(self, stream: str, since: float, until: float) -> Iterator[RecordLine]:
        """Read the lines of a stream that were entered from `since` to before `until`, Unix seconds, in order."""
        rows = self._fetch_all("SELECT number, at, by, what FROM line WHERE stream = %s AND at >= %s AND at < %s"
                         " ORDER BY number", (stream, since, until))  # fmt: skip
        return (RecordLine(stream, number, at, by, what) for number, at, by, what in rows)

    def list_streams(self, prefix: str, without: str = "") -> list[str]:
        """Name the streams that begin so, in order; none that has a line whose `do` is `without`."""
        return [name for (name,) in self._fetch_all(
            "SELECT DISTINCT stream FROM line WHERE starts_with(stream, %s) AND NOT EXISTS (SELECT FROM line AS last"
            " WHERE last.stream = line.stream AND last.what->>'do' = %s) ORDER BY stream", (prefix, without)
        )]  # fmt: skip

    def _fetch_all(self, query: str, values: tuple[object, ...]) -> list[TupleRow]:
        try:
            return self._db.execute(query.encode(), values).fetchall()
        except psycopg.Error as why:
            raise ConnectionError(f"the room's database does not answer ({type(why).__name__})") from why


class ReconnectingRecord:
    """Lines in PostgreSQL, whose database is opened when it is wanted and anew after it was lost."""

    def __init__(self, where: str) -> None:
        self._database = ReconnectingDatabase(where)

    def append(self, stream: str, after: int, at: float, by: str, what: Mapping[str, Any]) -> RecordLine:
        """Write line `after` + 1; raises `StreamConflictError`."""
        return self._database.run(lambda db: PostgresRecord(db).append(stream, after, at, by, what))

    def read_lines(self, stream: str, after: int = 0) -> Iterator[RecordLine]:
        """Read the lines of a stream after number `after`, in order."""
        return self._database.run(lambda db: PostgresRecord(db).read_lines(stream, after))

    def read_lines_between(self, stream: str, since: float, until: float) -> Iterator[RecordLine]:
        """Read the lines of a stream that were entered from `since` to before `until`, Unix seconds, in order."""
        return self._database.run(lambda db: PostgresRecord(db).read_lines_between(stream, since, until))

    def list_streams(self, prefix: str, without: str = "") -> list[str]:
        """Name the streams that begin so, in order; none that has a line whose `do` is `without`."""
        return self._database.run(lambda db: PostgresRecord(db).list_streams(prefix, without))
