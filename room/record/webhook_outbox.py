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

from room.record.room_record import RecordLine
from room.record.webhook_message import TYPE_AND_KEYS_BY_KIND, WebhookMessage, make_message

LINES_PER_READ = 200
"""Lines of a stream that are read at a time."""

MAX_WAITING_MESSAGES = 10_000
"""Messages that wait for one webhook; of more the oldest are given up."""

MAX_SET_ASIDE = 100
"""Messages of one webhook that are set aside; a further one that is refused holds up what follows it."""

MAX_AGE_S = 3 * 86400.0
"""Seconds after which a message is given up."""

SENDER_LOCK_ID = 0x686F6F6B
"""The number under which, with a webhook's own, its senders wait for each other."""

MAX_SHOWN_REFUSALS = 5
"""Messages set aside that are named with why they are."""

STREAMS_SQL = """WITH RECURSIVE named AS (
    SELECT min(stream) AS stream FROM line
    UNION ALL SELECT (SELECT min(stream) FROM line WHERE stream > named.stream) FROM named
    WHERE named.stream IS NOT NULL
), told AS (
    SELECT named.stream, coalesce(w.number, 0) AS number FROM named
    LEFT JOIN webhook_told w ON w.stream = named.stream AND w.name = %(name)s
    WHERE split_part(named.stream, ':', 1) = ANY(%(kinds)s)
) """
"""Each stream that a webhook may be told of, and how far it is; it goes from name to name, and reads no lines."""

WRITE_POSITION_SQL = """INSERT INTO webhook_told VALUES (%s, %s, %s)
ON CONFLICT (name, stream) DO UPDATE SET number = greatest(webhook_told.number, excluded.number)"""


@dataclass(frozen=True, slots=True)
class WebhookStatus:
    """How a webhook stands; `failure`: why it is not told now, empty where it is.

    `has_ended`: its receiver wants no more.
    `waiting_count`: messages that it has still to be told, as far as its sender has counted; `set_aside_count`: those
    that were refused, the newest of them in `refusals` with why; `abandoned_count`: those that nobody will tell it.
    `last_delivered_at`: when it took one, in Unix seconds.
    """

    name: str
    failure: str = ""
    has_ended: bool = False
    waiting_count: int = 0
    abandoned_count: int = 0
    last_delivered_at: float | None = None
    set_aside_count: int = 0
    refusals: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {
            "name": self.name,
            "failing": self.failure,
            "ended": self.has_ended,
            "waiting": self.waiting_count,
            "given_up": self.abandoned_count,
            "last": self.last_delivered_at,
            "aside": self.set_aside_count,
            "refused": self.refusals,
        }

    @property
    def needs_attention(self) -> bool:
        """Whether something of it is told no more until a person has looked."""
        return self.has_ended or self.set_aside_count > 0 or self.abandoned_count > 0


class WebhookOutbox:
    """What waits for one webhook, which wants the types `wanted`. Used by one thread; raises `psycopg.Error`."""

    def __init__(self, connection: psycopg.Connection[TupleRow], name: str, wanted: frozenset[str]) -> None:
        self._db = connection
        self._name = name
        self._message_types = wanted
        kinds = sorted({kind.split()[0] for kind in TYPE_AND_KEYS_BY_KIND})
        self._line_kinds = [kind for kind, (told, _) in TYPE_AND_KEYS_BY_KIND.items() if told in wanted]
        self._query_values = {
            "name": name, "kinds": kinds, "words": self._line_kinds, "at_a_time": LINES_PER_READ,
            "most": MAX_WAITING_MESSAGES,
            "most_aside": MAX_SET_ASIDE, "lock": SENDER_LOCK_ID,
        }  # fmt: skip
        with self._db.transaction():
            made = self._db.execute("INSERT INTO webhook (name) VALUES (%s) ON CONFLICT DO NOTHING", (name,)).rowcount
            if made:  # it begins now
                self._db.execute(
                    STREAMS_SQL.encode() + b"INSERT INTO webhook_told SELECT %(name)s, t.stream, m.number FROM told t,"
                    b" LATERAL (SELECT max(number) AS number FROM line WHERE stream = t.stream) m", self._query_values,
                )  # fmt: skip

    def claim(self) -> bool:
        """Become the one sender of this webhook; `False` while another is. It ends with the connection."""
        row = self._db.execute(
            "SELECT pg_try_advisory_lock(%(lock)s, place) FROM webhook WHERE name = %(name)s", self._query_values
        ).fetchone()
        return row is not None and bool(row[0])

    def read_next_messages(self) -> Sequence[WebhookMessage]:
        """Read what is to be told next: first what is told again, then of each stream by number, of all by time."""
        return self._read_retries() or self._read_new()

    def _read_retries(self) -> Sequence[WebhookMessage]:
        rows = self._db.execute(
            "SELECT l.stream, l.number, l.at, l.by, l.what FROM webhook_aside a JOIN line l USING (stream, number)"
            " WHERE a.name = %(name)s AND a.again ORDER BY l.at, l.stream, l.number", self._query_values,
        ).fetchall()  # fmt: skip
        found = []
        for line in (RecordLine(*row) for row in rows):
            message = make_message(line, self._message_types, self._find_reference)
            if message is None:  # it is no more among what is wanted
                self._remove_set_aside(line)
            else:
                found.append(message)
        return found

    def _read_new(self) -> Sequence[WebhookMessage]:
        rows = self._db.execute(
            STREAMS_SQL.encode() + b"SELECT l.stream, l.number, l.at, l.by, l.what FROM told t, LATERAL (SELECT * "
                b"FROM line"
            b" WHERE stream = t.stream AND number > t.number ORDER BY number LIMIT %(at_a_time)s) l"
            b" ORDER BY l.stream, l.number", self._query_values,
        ).fetchall()  # fmt: skip
        lines = [RecordLine(*row) for row in rows]
        found: list[tuple[float, str, int, WebhookMessage]] = []
        until = float("inf")
        for stream, group in groupby(lines, lambda line: line.stream):
            read, at, before = list(group), 0.0, len(found)
            for line in read:
                at = max(at, line.entered_at)  # a clock that is put back changes no order within a stream
                message = make_message(line, self._message_types, self._find_reference)
                if message is not None:
                    found.append((at, stream, line.number, message))
            if len(read) == LINES_PER_READ:  # the rest of it may be older than what others have
                until = min(until, at)
            if len(found) == before:
                self._write_position(stream, read[-1].number)
        return [message for at, _, _, message in sorted(found, key=lambda one: one[:3]) if at <= until]

    def record_delivered(self, message: WebhookMessage, at: float) -> None:
        """It was delivered, at `at`, and with it what came before it in its stream."""
        with self._db.transaction():
            self._write_position(message.line.stream, message.line.number)
            self._remove_set_aside(message.line)
            self._db.execute("UPDATE webhook SET last = %s WHERE name = %s", (at, self._name))

    def set_aside(self, message: WebhookMessage, why: str) -> bool:
        """Go on without it until somebody has it told again; `False`: too many are set aside already."""
        with self._db.transaction():
            done = self._db.execute(
                "INSERT INTO webhook_aside SELECT %(name)s, %(stream)s, %(number)s, %(why)s, false"
                " WHERE (SELECT count(*) FROM webhook_aside WHERE name = %(name)s"
                " AND (stream, number) <> (%(stream)s, %(number)s)) < %(most_aside)s"
                " ON CONFLICT (name, stream, number) DO UPDATE SET why = excluded.why, again = false",
                {**self._query_values, "stream": message.line.stream, "number": message.line.number, "why": why},
            ).rowcount  # fmt: skip
            if done:
                self._write_position(message.line.stream, message.line.number)
        return done > 0

    def write_status(self, failing: str) -> None:
        """Keep why it is not told, for whoever looks, and count what waits."""
        self._db.execute(
            STREAMS_SQL.encode() + b", waiting AS (SELECT count(*) AS number FROM (SELECT"
            b" FROM told t, LATERAL (SELECT what FROM line"
            b" WHERE stream = t.stream AND number > t.number OFFSET 0) l"
            b" WHERE split_part(stream, ':', 1) || ' ' || (what->>'do') = ANY(%(words)s) LIMIT %(most)s) w)"
            b" UPDATE webhook SET failing = %(failing)s, waiting = waiting.number FROM waiting"
            b" WHERE name = %(name)s", {**self._query_values, "failing": failing},
        )  # fmt: skip

    def mark_ended(self) -> None:
        """Its receiver wants no more."""
        self._db.execute("UPDATE webhook SET ended = true WHERE name = %s", (self._name,))

    def has_ended(self) -> bool:
        """Whether its receiver wants no more, and nobody has said since that it is to be told again."""
        row = self._db.execute("SELECT ended FROM webhook WHERE name = %s", (self._name,)).fetchone()
        return row is not None and bool(row[0])

    def abandon_old(self, now: float) -> int:
        """Pass over what is too old or too much; return how much it was."""
        with self._db.transaction():
            rows = self._db.execute(
                STREAMS_SQL.encode() + b", waiting AS (SELECT stream, l.number, at,"
                b" row_number() OVER (ORDER BY at DESC, stream DESC, l.number DESC) AS place"
                b" FROM told t JOIN line l USING (stream) WHERE l.number > t.number"
                b" AND split_part(stream, ':', 1) || ' ' || (what->>'do') = ANY(%(words)s))"
                b" SELECT stream, max(number), count(*) FROM waiting WHERE at < %(oldest)s OR place > %(most)s"
                b" GROUP BY stream", {**self._query_values, "oldest": now - MAX_AGE_S},
            ).fetchall()  # fmt: skip
            for stream, number, _ in rows:
                self._write_position(stream, number)
            lost = sum(int(count) for _, _, count in rows)
            if lost:
                self._db.execute("UPDATE webhook SET given_up = given_up + %s WHERE name = %s", (lost, self._name))
        return lost

    def _remove_set_aside(self, line: RecordLine) -> None:
        self._db.execute(
            "DELETE FROM webhook_aside WHERE name = %s AND stream = %s AND number = %s",
            (self._name, line.stream, line.number),
        )

    def _write_position(self, stream: str, number: int) -> None:
        self._db.execute(WRITE_POSITION_SQL, (self._name, stream, number))

    def _find_reference(self, line: RecordLine) -> Mapping[str, Any] | None:
        match line.content:
            case {"do": "called"}:
                return {"call": line.number}
            case {"do": "came", "table": str(table)}:
                return self._find_open_call(line, table)
            case {"call": int(number)} | {"number": int(number)}:
                row = self._find_line(b"AND number = %s", line, number)
                return None if row is None else row[1]
            case _:
                return None

    def _find_open_call(self, line: RecordLine, table: str) -> Mapping[str, Any] | None:
        """The call of a table that was not done when its table said that the floor had come."""
        row = self._find_line(
            b"AND number < %s AND what->>'table' = %s ORDER BY number DESC LIMIT 1", line, line.number, table
        )
        if row is None or row[1]["do"] != "called":
            return None
        over = self._find_line(
            b"AND number > %s AND number < %s AND what->>'do' = 'done' AND what->>'call' = %s LIMIT 1",
            line, row[0], line.number, str(row[0]),
        )  # fmt: skip
        return None if over is not None else {"call": row[0]}

    def _find_line(self, where: bytes, line: RecordLine, *values: object) -> tuple[int, Mapping[str, Any]] | None:
        row = self._db.execute(
            b"SELECT number, what FROM line WHERE stream = %s " + where, (line.stream, *values)
        ).fetchone()
        return None if row is None else (int(row[0]), row[1])


def read_statuses(connection: psycopg.Connection[TupleRow], names: Collection[str]) -> dict[str, WebhookStatus]:
    """How the webhooks of those `names` stand, whichever server tells them; raises `psycopg.Error`."""
    found = {}
    for name, failing, ended, waiting, given_up, last in connection.execute(
        "SELECT name, failing, ended, waiting, given_up, last FROM webhook WHERE name = ANY(%s)", (list(names),)
    ).fetchall():
        aside = connection.execute(
            "SELECT stream || ':' || number, why FROM webhook_aside JOIN line USING (stream, number) WHERE name = %s"
            " ORDER BY at DESC, stream DESC, number DESC", (name,),
        ).fetchall()  # fmt: skip
        refused = tuple((str(identity), str(why)) for identity, why in aside[:MAX_SHOWN_REFUSALS])
        found[name] = WebhookStatus(name, failing, ended, waiting, given_up, last, len(aside), refused)
    return found


def retry_webhook(connection: psycopg.Connection[TupleRow], name: str) -> bool:
    """Have what was set aside told, and one that has ended begin again; `False`: there is none of that name.

    What was given up is counted anew. Raises `psycopg.Error`.
    """
    with connection.transaction():
        connection.execute("UPDATE webhook_aside SET again = true WHERE name = %s", (name,))
        return connection.execute(
            "UPDATE webhook SET ended = false, given_up = 0 WHERE name = %s", (name,)
        ).rowcount > 0  # fmt: skip


def delete_other_webhooks(connection: psycopg.Connection[TupleRow], names: Collection[str]) -> None:
    """Keep nothing of webhooks but of those `names`, and of those that another server tells; raises `psycopg.Error`."""
    connection.execute(
        "DELETE FROM webhook WHERE NOT name = ANY(%s) AND pg_try_advisory_xact_lock(%s, place)",
        (list(names), SENDER_LOCK_ID),
    )
