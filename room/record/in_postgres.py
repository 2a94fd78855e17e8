"""The room's record in PostgreSQL: a line is on the disk before anybody is told of it."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from typing import Any, TypeVar

import psycopg
from psycopg.rows import TupleRow

from room.record.lines import Line, Overtaken

T = TypeVar("T")

SCHEMA_LOCK = 0x726F6F6D
"""The number under which programs wait for each other."""

SCHEMA = files("room.record").joinpath("schema.sql")

MADE = re.compile(rb"(?m)^CREATE (?:TABLE|INDEX|UNIQUE INDEX) IF NOT EXISTS (\w+)")
"""What a schema makes: nothing else stands in one."""


def connected(where: str) -> psycopg.Connection[TupleRow]:
    """Open the database and make its tables; `where` as libpq has it. What fails is a `ConnectionError`."""
    try:
        connection = psycopg.connect(where, autocommit=True, connect_timeout=5)
        make_tables(connection, SCHEMA.read_bytes())
    except psycopg.Error as why:
        raise ConnectionError(f"the room's database does not answer: {str(why).strip()}") from why
    return connection


def make_tables(connection: psycopg.Connection[TupleRow], schema: bytes) -> None:
    """Make the tables of a schema that are not there; of two programs that start at once one waits for the other.

    `CREATE TABLE IF NOT EXISTS` alone fails where two do it at the same time, and of an index it waits for whoever
    writes the table, who may wait for another of these tables: so where all is there nothing is made.
    Raises `psycopg.Error`.
    """
    names = [name.decode() for name in MADE.findall(schema)]
    lacking = connection.execute(
        "SELECT FROM unnest(%s::text[]) AS name WHERE to_regclass(name) IS NULL LIMIT 1", (names,)
    ).fetchone()
    if lacking is None:
        return
    connection.execute(b"SELECT pg_advisory_xact_lock(%d);\n" % SCHEMA_LOCK + schema)


class InPostgres:
    """Lines in the table `line`. Used by one thread."""

    def __init__(self, connection: psycopg.Connection[TupleRow]) -> None:
        self._db = connection

    def append(self, stream: str, after: int, at: float, by: str, what: Mapping[str, Any]) -> Line:
        """Write line `after` + 1; raises `Overtaken`."""
        try:
            with self._db.transaction():
                row = self._db.execute("SELECT max(number) FROM line WHERE stream = %s", (stream,)).fetchone()
                if row is None or (row[0] or 0) != after:
                    raise Overtaken
                self._db.execute(
                    "INSERT INTO line VALUES (%s, %s, %s, %s, %s)",
                    (stream, after + 1, at, by, json.dumps(what, ensure_ascii=False)),
                )
        except psycopg.errors.UniqueViolation as why:
            raise Overtaken from why
        except psycopg.Error as why:
            raise ConnectionError(f"the room's database does not answer ({type(why).__name__})") from why
        return Line(stream, after + 1, at, by, dict(what))

    def lines(self, stream: str, after: int = 0) -> Iterator[Line]:
        """Read the lines of a stream after number `after`, in order."""
        rows = self._all("SELECT number, at, by, what FROM line WHERE stream = %s AND number > %s ORDER BY number",
                         (stream, after))  # fmt: skip
        return (Line(stream, number, at, by, what) for number, at, by, what in rows)

    def between(self, stream: str, since: float, until: float) -> Iterator[Line]:
        """Read the lines of a stream that were entered from `since` to before `until`, Unix seconds, in order."""
        rows = self._all("SELECT number, at, by, what FROM line WHERE stream = %s AND at >= %s AND at < %s"
                         " ORDER BY number", (stream, since, until))  # fmt: skip
        return (Line(stream, number, at, by, what) for number, at, by, what in rows)

    def streams(self, prefix: str, without: str = "") -> list[str]:
        """Name the streams that begin so, in order; none that has a line whose `do` is `without`."""
        return [name for (name,) in self._all(
            "SELECT DISTINCT stream FROM line WHERE starts_with(stream, %s) AND NOT EXISTS (SELECT FROM line AS last"
            " WHERE last.stream = line.stream AND last.what->>'do' = %s) ORDER BY stream", (prefix, without)
        )]  # fmt: skip

    def _all(self, query: str, values: tuple[object, ...]) -> list[TupleRow]:
        try:
            return self._db.execute(query.encode(), values).fetchall()
        except psycopg.Error as why:
            raise ConnectionError(f"the room's database does not answer ({type(why).__name__})") from why


class Reopened:
    """Lines in PostgreSQL, whose database is opened when it is wanted and anew after it was lost."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[TupleRow] | None = None

    def append(self, stream: str, after: int, at: float, by: str, what: Mapping[str, Any]) -> Line:
        """Write line `after` + 1; raises `Overtaken`."""
        return self._with(lambda record: record.append(stream, after, at, by, what))

    def lines(self, stream: str, after: int = 0) -> Iterator[Line]:
        """Read the lines of a stream after number `after`, in order."""
        return self._with(lambda record: record.lines(stream, after))

    def between(self, stream: str, since: float, until: float) -> Iterator[Line]:
        """Read the lines of a stream that were entered from `since` to before `until`, Unix seconds, in order."""
        return self._with(lambda record: record.between(stream, since, until))

    def streams(self, prefix: str, without: str = "") -> list[str]:
        """Name the streams that begin so, in order; none that has a line whose `do` is `without`."""
        return self._with(lambda record: record.streams(prefix, without))

    def _with(self, do: Callable[[InPostgres], T]) -> T:
        with self._lock:
            if self._connection is None or self._connection.closed:
                self._connection = connected(self._where)
            try:
                return do(InPostgres(self._connection))
            except ConnectionError:
                self._connection.close()
                raise
