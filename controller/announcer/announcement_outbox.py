"""What is still to be delivered to each webhook, on disk: nothing is told twice under two names, nothing lost in a cut.

The mark (how far the table has been told of) and what is due from it are written together. A webhook keeps at most
`MAX_WAITING_DELIVERIES` deliveries; beyond that its oldest is dropped and counted. Times are wall-clock seconds and
are handed in.
"""

import json
import logging
import sqlite3
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from controller.announcer.announcements import AnnouncerMark
from controller.webhooks.webhook_sender import MAX_REASON_LENGTH, make_printable

OUTBOX_FILE = "announcer.sqlite"
APPLICATION_ID = 0x7443_414E
"""Marks the file as an announcer's ("tCAN")."""

MAX_WAITING_DELIVERIES = 1000
"""Deliveries that wait for one webhook."""

MAX_SHOWN_FAILURES = 50
"""The last deliveries that were given up, of each webhook; older ones are only counted."""

log = logging.getLogger(__name__)

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
CREATE TABLE mark (one INTEGER PRIMARY KEY CHECK (one = 1), value TEXT NOT NULL) STRICT;
CREATE TABLE delivery (
    number INTEGER PRIMARY KEY,
    webhook TEXT NOT NULL,
    identity TEXT NOT NULL,
    body BLOB NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    due REAL NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    UNIQUE (webhook, identity)
) STRICT;
CREATE INDEX due ON delivery (webhook, due);
CREATE TABLE given_up (
    number INTEGER PRIMARY KEY,
    webhook TEXT NOT NULL,
    identity TEXT NOT NULL,
    at REAL NOT NULL,
    reason TEXT NOT NULL
) STRICT;
CREATE TABLE counted (
    webhook TEXT PRIMARY KEY,
    delivered INTEGER NOT NULL DEFAULT 0,
    given_up INTEGER NOT NULL DEFAULT 0,
    dropped INTEGER NOT NULL DEFAULT 0,
    last REAL
) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event on its way to one webhook; `identity` is the event's, the same at every attempt and every webhook."""

    number: int
    webhook: str
    identity: str
    body: bytes
    failure_count: int
    due_at: float


@dataclass(frozen=True, slots=True)
class DeliveryStatus:
    """How a webhook stands: counts since the file began; `last_delivered_at`: when something was delivered, if ever."""

    webhook: str
    waiting_count: int
    delivered_count: int
    abandoned_count: int
    dropped_count: int
    last_delivered_at: float | None
    last_failure: str
    """Why the delivery that has waited longest failed the last time; empty where none did."""
    abandoned_deliveries: tuple[tuple[str, float, str], ...]
    """The last that were given up, the newest first: identity, when and why."""


class AnnouncementOutbox:
    """The file; any thread may use it."""

    def __init__(self, directory: Path) -> None:
        """Open the file, a new one where there is none; raises `OSError` where it cannot be."""
        self._lock = threading.Lock()
        path = directory / OUTBOX_FILE
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            self._db = _open_database(path)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as why:  # the second: of a schema that is no text
            if isinstance(why, sqlite3.OperationalError):
                raise OSError(f"{path} cannot be used: {why}") from why
            aside = path.with_suffix(".damaged")
            log.error("%s is damaged and put aside as %s; what waited in it is not delivered", path, aside.name)
            path.replace(aside)
            self._db = _open_database(path)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def read_mark(self) -> AnnouncerMark:
        """How far things are told; that of a first start where there is none that this program understands."""
        with self._lock:
            row = self._db.execute("SELECT value FROM mark").fetchone()
        try:
            return AnnouncerMark() if row is None else AnnouncerMark.from_json(json.loads(row[0]))
        except (ValueError, TypeError, KeyError):
            return AnnouncerMark()

    def add_deliveries(self, mark: AnnouncerMark, deliveries: Iterable[tuple[str, str, bytes]], now: float) -> None:
        """Keep the mark, and what is due from it: webhook, identity and body of each."""
        with self._lock, self._db:
            self._db.execute("INSERT OR REPLACE INTO mark VALUES (1, ?)", (json.dumps(mark.to_json()),))
            for webhook, identity, body in deliveries:
                self._db.execute(
                    "INSERT OR IGNORE INTO delivery (webhook, identity, body, due) VALUES (?, ?, ?, ?)",
                    (webhook, identity, body, now),
                )
                dropped = self._db.execute(
                    "DELETE FROM delivery WHERE number IN (SELECT number FROM delivery WHERE webhook = ?"
                    " ORDER BY number DESC LIMIT -1 OFFSET ?)",
                    (webhook, MAX_WAITING_DELIVERIES),
                ).rowcount
                self._add_to_count(webhook, "dropped", dropped)

    def find_next_delivery(self, webhook: str) -> Delivery | None:
        """What is due first for a webhook."""
        with self._lock:
            row = self._db.execute(
                "SELECT number, webhook, identity, body, failures, due FROM delivery WHERE webhook = ?"
                " ORDER BY due, number LIMIT 1",
                (webhook,),
            ).fetchone()
        return None if row is None else Delivery(*row)

    def record_delivered(self, delivery: Delivery, now: float) -> None:
        """Take note that it has arrived."""
        with self._lock, self._db:
            self._db.execute("DELETE FROM delivery WHERE number = ?", (delivery.number,))
            self._add_to_count(delivery.webhook, "delivered", 1)
            self._db.execute("UPDATE counted SET last = ? WHERE webhook = ?", (now, delivery.webhook))

    def record_failed(self, delivery: Delivery, reason: str, again: float) -> None:
        """Take note that it has not, and when it is tried again."""
        with self._lock, self._db:
            self._db.execute(
                "UPDATE delivery SET failures = failures + 1, reason = ?, due = ? WHERE number = ?",
                (reason[:MAX_REASON_LENGTH], again, delivery.number),
            )

    def abandon(self, delivery: Delivery, reason: str, now: float) -> None:
        """Try it no more, and keep that this was so."""
        with self._lock, self._db:
            self._db.execute("DELETE FROM delivery WHERE number = ?", (delivery.number,))
            self._db.execute(
                "INSERT INTO given_up (webhook, identity, at, reason) VALUES (?, ?, ?, ?)",
                (delivery.webhook, delivery.identity, now, reason[:MAX_REASON_LENGTH]),
            )
            self._db.execute(
                "DELETE FROM given_up WHERE number IN (SELECT number FROM given_up WHERE webhook = ?"
                " ORDER BY number DESC LIMIT -1 OFFSET ?)",
                (delivery.webhook, MAX_SHOWN_FAILURES),
            )
            self._add_to_count(delivery.webhook, "given_up", 1)

    def read_status(self, webhook: str) -> DeliveryStatus:
        """How a webhook stands."""
        with self._lock:
            waiting = self._db.execute("SELECT count(*) FROM delivery WHERE webhook = ?", (webhook,)).fetchone()[0]
            counts = self._db.execute(
                "SELECT delivered, given_up, dropped, last FROM counted WHERE webhook = ?", (webhook,)
            ).fetchone() or (0, 0, 0, None)
            reason = self._db.execute(
                "SELECT reason FROM delivery WHERE webhook = ? ORDER BY number LIMIT 1", (webhook,)
            ).fetchone() or ("",)
            lost = self._db.execute(
                "SELECT identity, at, reason FROM given_up WHERE webhook = ? ORDER BY number DESC", (webhook,)
            ).fetchall()
        delivered, given_up, dropped, last = counts
        given_up_for = tuple((identity, at, make_printable(why)) for identity, at, why in lost)
        return DeliveryStatus(
            webhook, waiting, delivered, given_up, dropped, last, make_printable(reason[0]), given_up_for
        )

    def _add_to_count(self, webhook: str, what: str, n: int) -> None:
        if n > 0:
            self._db.execute("INSERT OR IGNORE INTO counted (webhook) VALUES (?)", (webhook,))
            self._db.execute(f"UPDATE counted SET {what} = {what} + ? WHERE webhook = ?", (n, webhook))


def _open_database(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, check_same_thread=False, timeout=10)
    try:
        marked = db.execute("PRAGMA application_id").fetchone()[0]
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            db.executescript(_SCHEMA)
        elif marked != APPLICATION_ID:
            raise sqlite3.DatabaseError("it is no announcer's")
    except BaseException:
        db.close()
        raise
    return db
