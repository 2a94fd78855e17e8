"""What a webhook of the room has still to be told: the record's lines after those that it took, in PostgreSQL.

A line is in the record before it counts, so that the record itself is the outbox, and all that is kept for a webhook is
a number for each stream, and which lines its receiver refused. One that is new begins with what is entered from now on.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import psycopg
from psycopg.rows import TupleRow

from room.record.lines import Line
from room.record.messages import KINDS, Message, message_of

AT_A_TIME = 200
"""Lines of a stream that are read at a time."""

MOST = 10_000
"""Messages that wait for one webhook; of more the oldest are given up."""

MOST_ASIDE = 100
"""Messages of one webhook that are set aside; a further one that is refused holds up what follows it."""

OLDEST = 3 * 86400.0
"""Seconds after which a message is given up."""

LOCK = 0x686F6F6B
"""The number under which, with a webhook's own, its senders wait for each other."""

REASONS = 5
"""Messages set aside that are named with why they are."""

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


@dataclass(frozen=True, slots=True)
class WebhookStanding:
    """How a webhook stands; `failing`: why it is not told now, empty where it is. `ended`: its receiver wants no more.

    `waiting`: messages that it has still to be told, as far as its sender has counted; `aside`: those that were
    refused, the newest of them in `refused` with why; `given_up`: those that nobody will tell it. `last`: when it took
    one, in Unix seconds.
    """

    name: str
    failing: str = ""
    ended: bool = False
    waiting: int = 0
    given_up: int = 0
    last: float | None = None
    aside: int = 0
    refused: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {
            "name": self.name,
            "failing": self.failing,
            "ended": self.ended,
            "waiting": self.waiting,
            "given_up": self.given_up,
            "last": self.last,
            "aside": self.aside,
            "refused": self.refused,
        }

    @property
    def wants_somebody(self) -> bool:
        """Whether something of it is told no more until a person has looked."""
        return self.ended or self.aside > 0 or self.given_up > 0


class Outbox:
    """What waits for one webhook, which wants the types `wanted`. Used by one thread; raises `psycopg.Error`."""

    def __init__(self, connection: psycopg.Connection[TupleRow], name: str, wanted: frozenset[str]) -> None:
        self._db = connection
        self._name = name
        self._wanted = wanted
        kinds = sorted({kind.split()[0] for kind in KINDS})
        self._words = [kind for kind, (told, _) in KINDS.items() if told in wanted]
        self._values = {
            "name": name, "kinds": kinds, "words": self._words, "at_a_time": AT_A_TIME, "most": MOST,
            "most_aside": MOST_ASIDE, "lock": LOCK,
        }  # fmt: skip
        with self._db.transaction():
            made = self._db.execute("INSERT INTO webhook (name) VALUES (%s) ON CONFLICT DO NOTHING", (name,)).rowcount
            if made:  # it begins now
                self._db.execute(
                    STREAMS.encode() + b"INSERT INTO webhook_told SELECT %(name)s, t.stream, m.number FROM told t,"
                    b" LATERAL (SELECT max(number) AS number FROM line WHERE stream = t.stream) m", self._values,
                )  # fmt: skip

    def is_mine(self) -> bool:
        """Become the one sender of this webhook; `False` while another is. It ends with the connection."""
        row = self._db.execute(
            "SELECT pg_try_advisory_lock(%(lock)s, place) FROM webhook WHERE name = %(name)s", self._values
        ).fetchone()
        return row is not None and bool(row[0])

    def next(self) -> Sequence[Message]:
        """Read what is to be told next: first what is told again, then of each stream by number, of all by time."""
        return self._again() or self._new()

    def _again(self) -> Sequence[Message]:
        rows = self._db.execute(
            "SELECT l.stream, l.number, l.at, l.by, l.what FROM webhook_aside a JOIN line l USING (stream, number)"
            " WHERE a.name = %(name)s AND a.again ORDER BY l.at, l.stream, l.number", self._values,
        ).fetchall()  # fmt: skip
        found = []
        for line in (Line(*row) for row in rows):
            message = message_of(line, self._wanted, self._meant)
            if message is None:  # it is no more among what is wanted
                self._leave(line)
            else:
                found.append(message)
        return found

    def _new(self) -> Sequence[Message]:
        rows = self._db.execute(
            STREAMS.encode() + b"SELECT l.stream, l.number, l.at, l.by, l.what FROM told t, LATERAL (SELECT * FROM line"
            b" WHERE stream = t.stream AND number > t.number ORDER BY number LIMIT %(at_a_time)s) l"
            b" ORDER BY l.stream, l.number", self._values,
        ).fetchall()  # fmt: skip
        lines = [Line(*row) for row in rows]
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

    def took(self, message: Message, at: float) -> None:
        """It was delivered, at `at`, and with it what came before it in its stream."""
        with self._db.transaction():
            self._took(message.line.stream, message.line.number)
            self._leave(message.line)
            self._db.execute("UPDATE webhook SET last = %s WHERE name = %s", (at, self._name))

    def set_aside(self, message: Message, why: str) -> bool:
        """Go on without it until somebody has it told again; `False`: too many are set aside already."""
        with self._db.transaction():
            done = self._db.execute(
                "INSERT INTO webhook_aside SELECT %(name)s, %(stream)s, %(number)s, %(why)s, false"
                " WHERE (SELECT count(*) FROM webhook_aside WHERE name = %(name)s"
                " AND (stream, number) <> (%(stream)s, %(number)s)) < %(most_aside)s"
                " ON CONFLICT (name, stream, number) DO UPDATE SET why = excluded.why, again = false",
                {**self._values, "stream": message.line.stream, "number": message.line.number, "why": why},
            ).rowcount  # fmt: skip
            if done:
                self._took(message.line.stream, message.line.number)
        return done > 0

    def stands(self, failing: str) -> None:
        """Keep why it is not told, for whoever looks, and count what waits."""
        self._db.execute(
            STREAMS.encode() + b", waiting AS (SELECT count(*) AS number FROM (SELECT"
            b" FROM told t, LATERAL (SELECT what FROM line"
            b" WHERE stream = t.stream AND number > t.number OFFSET 0) l"
            b" WHERE split_part(stream, ':', 1) || ' ' || (what->>'do') = ANY(%(words)s) LIMIT %(most)s) w)"
            b" UPDATE webhook SET failing = %(failing)s, waiting = waiting.number FROM waiting"
            b" WHERE name = %(name)s", {**self._values, "failing": failing},
        )  # fmt: skip

    def end(self) -> None:
        """Its receiver wants no more."""
        self._db.execute("UPDATE webhook SET ended = true WHERE name = %s", (self._name,))

    def has_ended(self) -> bool:
        """Whether its receiver wants no more, and nobody has said since that it is to be told again."""
        row = self._db.execute("SELECT ended FROM webhook WHERE name = %s", (self._name,)).fetchone()
        return row is not None and bool(row[0])

    def give_up(self, now: float) -> int:
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

    def _leave(self, line: Line) -> None:
        self._db.execute(
            "DELETE FROM webhook_aside WHERE name = %s AND stream = %s AND number = %s",
            (self._name, line.stream, line.number),
        )

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


def standings(connection: psycopg.Connection[TupleRow], names: Collection[str]) -> dict[str, WebhookStanding]:
    """How the webhooks of those `names` stand, whichever server tells them; raises `psycopg.Error`."""
    found = {}
    for name, failing, ended, waiting, given_up, last in connection.execute(
        "SELECT name, failing, ended, waiting, given_up, last FROM webhook WHERE name = ANY(%s)", (list(names),)
    ).fetchall():
        aside = connection.execute(
            "SELECT stream || ':' || number, why FROM webhook_aside JOIN line USING (stream, number) WHERE name = %s"
            " ORDER BY at DESC, stream DESC, number DESC", (name,),
        ).fetchall()  # fmt: skip
        refused = tuple((str(identity), str(why)) for identity, why in aside[:REASONS])
        found[name] = WebhookStanding(name, failing, ended, waiting, given_up, last, len(aside), refused)
    return found


def tell_again(connection: psycopg.Connection[TupleRow], name: str) -> bool:
    """Have what was set aside told, and one that has ended begin again; `False`: there is none of that name.

    What was given up is counted anew. Raises `psycopg.Error`.
    """
    with connection.transaction():
        connection.execute("UPDATE webhook_aside SET again = true WHERE name = %s", (name,))
        return connection.execute(
            "UPDATE webhook SET ended = false, given_up = 0 WHERE name = %s", (name,)
        ).rowcount > 0  # fmt: skip


def forget(connection: psycopg.Connection[TupleRow], names: Collection[str]) -> None:
    """Keep nothing of webhooks but of those `names`, and of those that another server tells; raises `psycopg.Error`."""
    connection.execute(
        "DELETE FROM webhook WHERE NOT name = ANY(%s) AND pg_try_advisory_xact_lock(%s, place)", (list(names), LOCK)
    )
