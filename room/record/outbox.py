"""What a webhook of the room has still to be told: the record's lines after those that it took, in PostgreSQL.

A line is in the record before it counts, so that the record itself is the outbox, and all that is kept for a webhook is
a number for each stream. A webhook that is new begins with what is entered from now on.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any

import psycopg
from psycopg.rows import TupleRow

from room.record.lines import Line
from room.record.messages import KINDS, Message, kind_of, message_of

AT_A_TIME = 200
"""Lines of a stream that are read at a time."""

MOST = 10_000
"""Messages that wait for one webhook; of more the oldest are given up."""

OLDEST = 3 * 86400.0
"""Seconds after which a message is given up."""

STREAMS = """WITH RECURSIVE named AS (
    SELECT min(stream) AS stream FROM line
    UNION ALL SELECT (SELECT min(stream) FROM line WHERE stream > named.stream) FROM named
    WHERE named.stream IS NOT NULL
), told AS (
    SELECT named.stream, coalesce(w.number, 0) AS number FROM named
    LEFT JOIN webhook_told w ON w.stream = named.stream AND w.name = %(name)s
    WHERE split_part(named.stream, ':', 1) = ANY(%(kinds)s)
) """
"""Each stream that a webhook may be told of, and how far it is; it goes from name to name, and reads no lines."""

WRITE = """INSERT INTO webhook_told VALUES (%s, %s, %s)
ON CONFLICT (name, stream) DO UPDATE SET number = greatest(webhook_told.number, excluded.number)"""


class Outbox:
    """What waits for one webhook, which wants the types `wanted`. Used by one thread; raises `psycopg.Error`."""

    def __init__(self, connection: psycopg.Connection[TupleRow], name: str, wanted: frozenset[str]) -> None:
        self._db = connection
        self._name = name
        self._wanted = wanted
        kinds = sorted({kind.split()[0] for kind in KINDS})
        self._words = [kind for kind, (told, _) in KINDS.items() if told in wanted]
        self._values = {"name": name, "kinds": kinds, "words": self._words, "at_a_time": AT_A_TIME, "most": MOST}
        with self._db.transaction():
            made = self._db.execute("INSERT INTO webhook VALUES (%s) ON CONFLICT DO NOTHING", (name,)).rowcount
            if made:  # it begins now
                self._db.execute(
                    STREAMS.encode() + b"INSERT INTO webhook_told SELECT %(name)s, t.stream, m.number FROM told t,"
                    b" LATERAL (SELECT max(number) AS number FROM line WHERE stream = t.stream) m", self._values,
                )  # fmt: skip

    def next(self, now: float) -> Sequence[Message]:
        """Read what is to be told next, in order: of each stream by number, of all by when it was entered.

        What is too old, or too much, is given up before.
        """
        rows = self._db.execute(
            STREAMS.encode() + b"SELECT l.stream, l.number, l.at, l.by, l.what FROM told t, LATERAL (SELECT * FROM line"
            b" WHERE stream = t.stream AND number > t.number ORDER BY number LIMIT %(at_a_time)s) l"
            b" ORDER BY l.stream, l.number", self._values,
        ).fetchall()  # fmt: skip
        lines = [Line(*row) for row in rows]
        if any(kind_of(line) in self._words for line in lines) and self._give_up(now):
            return self.next(now)
        found: list[tuple[float, str, int, Message]] = []
        until = float("inf")
        for stream, group in groupby(lines, lambda line: line.stream):
            read, at, before = list(group), 0.0, len(found)
            for line in read:
                at = max(at, line.at)  # a clock that is put back changes no order within a stream
                message = message_of(line, self._wanted, self._meant)
                if message is not None:
                    found.append((at, stream, line.number, message))
            if len(read) == AT_A_TIME:  # the rest of it may be older than what others have
                until = min(until, at)
            if len(found) == before:
                self._took(stream, read[-1].number)
        return [message for at, _, _, message in sorted(found, key=lambda one: one[:3]) if at <= until]

    def took(self, message: Message) -> None:
        """It was delivered, and with it what came before it in its stream."""
        self._took(message.line.stream, message.line.number)

    def given_up(self) -> int:
        """How many messages were given up since the webhook is known."""
        row = self._db.execute("SELECT given_up FROM webhook WHERE name = %s", (self._name,)).fetchone()
        return 0 if row is None else int(row[0])

    def _give_up(self, now: float) -> int:
        """Pass over what is too old or too much; return how much it was."""
        with self._db.transaction():
            rows = self._db.execute(
                STREAMS.encode() + b", waiting AS (SELECT stream, l.number, at,"
                b" row_number() OVER (ORDER BY at DESC, stream DESC, l.number DESC) AS place"
                b" FROM told t JOIN line l USING (stream) WHERE l.number > t.number"
                b" AND split_part(stream, ':', 1) || ' ' || (what->>'do') = ANY(%(words)s))"
                b" SELECT stream, max(number), count(*) FROM waiting WHERE at < %(oldest)s OR place > %(most)s"
                b" GROUP BY stream", {**self._values, "oldest": now - OLDEST},
            ).fetchall()  # fmt: skip
            for stream, number, _ in rows:
                self._took(stream, number)
            lost = sum(int(count) for _, _, count in rows)
            if lost:
                self._db.execute("UPDATE webhook SET given_up = given_up + %s WHERE name = %s", (lost, self._name))
        return lost

    def _took(self, stream: str, number: int) -> None:
        self._db.execute(WRITE, (self._name, stream, number))

    def _meant(self, line: Line) -> Mapping[str, Any] | None:
        match line.what:
            case {"do": "called"}:
                return {"call": line.number}
            case {"do": "came", "table": str(table)}:
                return self._open_call(line, table)
            case {"call": int(number)} | {"number": int(number)}:
                row = self._what(b"AND number = %s", line, number)
                return None if row is None else row[1]
            case _:
                return None

    def _open_call(self, line: Line, table: str) -> Mapping[str, Any] | None:
        """The call of a table that was not done when its table said that the floor had come."""
        row = self._what(
            b"AND number < %s AND what->>'table' = %s ORDER BY number DESC LIMIT 1", line, line.number, table
        )
        if row is None or row[1]["do"] != "called":
            return None
        over = self._what(
            b"AND number > %s AND number < %s AND what->>'do' = 'done' AND what->>'call' = %s LIMIT 1",
            line, row[0], line.number, str(row[0]),
        )  # fmt: skip
        return None if over is not None else {"call": row[0]}

    def _what(self, where: bytes, line: Line, *values: object) -> tuple[int, Mapping[str, Any]] | None:
        row = self._db.execute(
            b"SELECT number, what FROM line WHERE stream = %s " + where, (line.stream, *values)
        ).fetchone()
        return None if row is None else (int(row[0]), row[1])


def forget(connection: psycopg.Connection[TupleRow], names: Collection[str]) -> None:
    """Keep nothing of webhooks but of those `names`; raises `psycopg.Error`."""
    connection.execute("DELETE FROM webhook WHERE NOT name = ANY(%s)", (list(names),))
