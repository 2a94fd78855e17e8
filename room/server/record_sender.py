"""Tells a webhook what the room entered: in order, and as the room's one sender.

410 ends the webhook. 400 to 499 but for `TEMPORARY_STATUSES` refuses the message, which is set aside after `MAX_TRIES`.
Whatever else is no delivery holds up what follows and is tried again.
"""

import json
import logging
import time
from collections.abc import Callable
from contextlib import suppress

import psycopg
from psycopg.rows import TupleRow

from config.announcer_file import WebhookSection
from controller.webhooks.webhook_sender import HTTP_GONE, WebhookSender
from room.record.postgres_record import connect_database
from room.record.webhook_message import WebhookMessage
from room.record.webhook_outbox import MAX_SET_ASIDE, WebhookOutbox
from room.server.room_context import describe_failure

MIN_POLL_INTERVAL_S, MAX_POLL_INTERVAL_S = 1.0, 10.0
"""Between two looks for what is new; more where a look takes long, as it does with many streams."""

POLL_REST_FACTOR = 50
"""How many times as long as a look took the next one waits: so of a processor no more than a part goes into looking."""

RETRY_DELAYS_S = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 600.0)

MAX_TRIES = 4
"""Of a message that is refused; with the waits between them a quarter of a minute."""

ENDED_MESSAGE = "its receiver wants no more (410)"
TEMPORARY_STATUSES = (408, 425, 429)
"""Answers that refuse a message for the moment only: too slow, too early, too many."""

COUNT_INTERVAL_S = 60.0
"""Between two counts of what waits for a webhook that has ended."""

log = logging.getLogger(__name__)


class RecordSender(WebhookSender):
    """One webhook of a room; `database` is as libpq has it. `failure`: why it is not told; empty: it is."""

    response_timeout_s = 10.0

    def __init__(self, section: WebhookSection, key: bytes, room: str, database: str, now: Callable[[], float]) -> None:
        super().__init__(section, key, now, RETRY_DELAYS_S)
        self.failure = ""
        self.is_sender = False
        self._room_name, self._conninfo = room, database
        self._connection: psycopg.Connection[TupleRow] | None = None
        self._outbox: WebhookOutbox | None = None
        self._failure_count = 0
        self._last_refusal = ("", 0)
        self._counted_at = 0.0
        self._poll_duration_s = 0.0
        self._written_failure: str | None = None

    def run(self) -> None:
        """Deliver until `stop`, and leave it to another server."""
        super().run()
        self.close()

    def close(self) -> None:
        """Close the database, so that another server may be the sender."""
        connection, self._connection, self._outbox, self.is_sender = self._connection, None, None, False
        if connection is not None:
            connection.close()

    def deliver_waiting(self) -> float:
        """Tell what waits, up to what fails; return in how many seconds to look again."""
        try:
            outbox = self._outbox or self._open_outbox()
            if not self._ensure_claimed(outbox):
                return MIN_POLL_INTERVAL_S
            if outbox.has_ended():
                return self._wait_while_ended(outbox)
            why = self._send_waiting(outbox)
            if why or why != self._written_failure:
                outbox.write_status(why)
                self._written_failure = why
        except Exception as failure:  # whatever it is, this thread goes on, and says so
            with suppress(psycopg.Error):
                self.close()
            why = f"what it is to be told cannot be read: {describe_failure(failure)}"
        self._log_failure_change(why)
        self._failure_count = self._failure_count + 1 if why else 0
        if not why:
            return max(MIN_POLL_INTERVAL_S, min(POLL_REST_FACTOR * self._poll_duration_s, MAX_POLL_INTERVAL_S))
        return self._find_retry_delay(self._failure_count)

    def _open_outbox(self) -> WebhookOutbox:
        self._connection = connect_database(self._conninfo)
        self._outbox = WebhookOutbox(self._connection, self.section.name, self.section.events)
        return self._outbox

    def _ensure_claimed(self, outbox: WebhookOutbox) -> bool:
        if not self.is_sender:
            self.failure = ""
            self.is_sender = outbox.claim()
            if self.is_sender:
                self._written_failure = None
                log.info("%s is told by this server", self.name)
        return self.is_sender

    def _wait_while_ended(self, outbox: WebhookOutbox) -> float:
        """Tell nothing, but for how much that is."""
        if not 0 <= self._wall_clock() - self._counted_at < COUNT_INTERVAL_S:
            self._counted_at = self._wall_clock()
            self._abandon_old(outbox)
            outbox.write_status(ENDED_MESSAGE)
        return MIN_POLL_INTERVAL_S

    def _log_failure_change(self, why: str) -> None:
        if why and why != self.failure:
            log.warning("%s is not told: %s", self.name, why)
        elif self.failure and not why:
            log.info("%s is told", self.name)
        self.failure = why

    def _abandon_old(self, outbox: WebhookOutbox) -> int:
        lost = outbox.abandon_old(self._wall_clock())
        if lost:
            log.error("%s: %d messages were given up, too old or too many", self.name, lost)
        return lost

    def _send_waiting(self, outbox: WebhookOutbox) -> str:
        """Tell what waits; return why it did not go on, empty where all was taken."""
        began = time.monotonic()
        messages = outbox.read_next_messages()
        self._poll_duration_s = time.monotonic() - began
        if messages and self._abandon_old(outbox):
            messages = outbox.read_next_messages()
        for message in messages:
            if self._is_stopping:
                break
            at = self._wall_clock()
            body = json.dumps(message.to_json(self._room_name), separators=(",", ":")).encode()
            status, reason = self._attempt(message.identity, body)
            if not reason:
                outbox.record_delivered(message, at)
            elif status == HTTP_GONE:
                outbox.mark_ended()
                log.error("%s has ended until somebody has it told again", self.name)
                return ENDED_MESSAGE
            elif not 400 <= status < 500 or status in TEMPORARY_STATUSES:
                return reason
            elif why := self._count_refusal(outbox, message, status):
                return why
            self._failure_count = 0
        return ""

    def _count_refusal(self, outbox: WebhookOutbox, message: WebhookMessage, status: int) -> str:
        """Count a refusal; return why to wait, empty where the message is set aside."""
        refused, times = self._last_refusal
        times = times + 1 if refused == message.identity else 1
        self._last_refusal = (message.identity, times)
        if times < MAX_TRIES:
            return f"it refuses {message.identity}, answering {status}"
        if not outbox.set_aside(message, f"it answered {status}"):
            return f"it has refused {MAX_SET_ASIDE} messages and refuses {message.identity}, answering {status}"
        self._last_refusal = ("", 0)
        log.error("%s refuses %s, answering %d: it is set aside", self.name, message.identity, status)
        return ""
