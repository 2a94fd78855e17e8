"""Tells a webhook what the room entered, in a thread of its own: in order, at least once, and as the room's one sender.

An answer of 200 to 299 is a delivery. 410 ends the webhook (Standard Webhooks, "Disabling endpoints"). 400 to 499 but
for `FOR_NOW` refuses the message, which is set aside after `TRIES`. Whatever else comes, or does not, holds up what
follows and is tried again.
"""

import json
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version

import psycopg
from psycopg.rows import TupleRow

from config.announcer_file import WebhookSection
from controller.announcer.outbox import printable
from controller.announcer.webhooks import post
from room.record.in_postgres import connected
from room.record.messages import Message
from room.record.outbox import MOST_ASIDE, Outbox
from room.server.room import where

LOOK_SECONDS, LONGEST_LOOK_SECONDS = 1.0, 10.0
"""Between two looks for what is new; more where a look takes long, as it does with many streams."""

RESTS = 50
"""How many times as long as a look took the next one waits: so of a processor no more than a part goes into looking."""

FIRST_WAIT, LONGEST_WAIT = 2.0, 600.0
"""Seconds after a failure; twice as many after each further one."""

TRIES = 4
"""Of a message that is refused; with the waits between them a quarter of a minute."""

GONE = 410
WANTS_NO_MORE = "its receiver wants no more (410)"
FOR_NOW = (408, 425, 429)
"""Answers that refuse a message for the moment only: too slow, too early, too many."""

ANSWER_SECONDS = 10.0
COUNT_SECONDS = 60.0
"""Between two counts of what waits for a webhook that has ended."""

log = logging.getLogger(__name__)


class Webhook(threading.Thread):
    """One webhook; `database` is as libpq has it, `now`: Unix seconds. `failing`: why it is not told; empty: it is."""

    def __init__(self, section: WebhookSection, key: bytes, room: str, database: str, now: Callable[[], float]) -> None:
        super().__init__(name=f"webhook {section.name}", daemon=True)
        self.failing = ""
        self.is_sender = False
        self._section, self._key, self._room, self._database, self._now = section, key, room, database, now
        self._agent = f"table-controller/{version('table-controller')}"
        self._connection: psycopg.Connection[TupleRow] | None = None
        self._outbox: Outbox | None = None
        self._failures = 0
        self._refused = ("", 0)
        self._counted = 0.0
        self._took_looking = 0.0
        self._kept: str | None = None
        self._is_over = False
        self._news = threading.Event()

    def run(self) -> None:
        """Tell it until `end`."""
        while not self._is_over:
            self._news.clear()
            self._news.wait(self.step())
        self.close()

    def wake(self) -> None:
        """Wait no longer for what failed. May be called from any thread."""
        self._news.set()

    def end(self) -> None:
        """Begin no further attempt. May be called from any thread."""
        self._is_over = True
        self._news.set()

    def close(self) -> None:
        """Close the database, so that another server may be the sender."""
        connection, self._connection, self._outbox, self.is_sender = self._connection, None, None, False
        if connection is not None:
            connection.close()

    def step(self) -> float:
        """Tell what waits, up to what fails; return in how many seconds to look again."""
        try:
            outbox = self._outbox or self._opened()
            if not self._is_mine(outbox):
                return LOOK_SECONDS
            if outbox.has_ended():
                return self._rests(outbox)
            why = self._tell(outbox)
            if why or why != self._kept:
                outbox.stands(why)
                self._kept = why
        except Exception as failure:  # whatever it is, this thread goes on, and says so
            with suppress(psycopg.Error):
                self.close()
            why = f"what it is to be told cannot be read: {where(failure)}"
        self._say(why)
        self._failures = self._failures + 1 if why else 0
        if not why:
            return max(LOOK_SECONDS, min(RESTS * self._took_looking, LONGEST_LOOK_SECONDS))
        return min(FIRST_WAIT * 2.0 ** min(self._failures - 1, 20), LONGEST_WAIT)

    def _opened(self) -> Outbox:
        self._connection = connected(self._database)
        self._outbox = Outbox(self._connection, self._section.name, self._section.events)
        return self._outbox

    def _is_mine(self, outbox: Outbox) -> bool:
        if not self.is_sender:
            self.failing = ""
            self.is_sender = outbox.is_mine()
            if self.is_sender:
                self._kept = None
                log.info("%s is told by this server", self.name)
        return self.is_sender

    def _rests(self, outbox: Outbox) -> float:
        """Tell nothing, but for how much that is."""
        if not 0 <= self._now() - self._counted < COUNT_SECONDS:
            self._counted = self._now()
            self._give_up(outbox)
            outbox.stands(WANTS_NO_MORE)
        return LOOK_SECONDS

    def _say(self, why: str) -> None:
        if why and why != self.failing:
            log.warning("%s is not told: %s", self.name, why)
        elif self.failing and not why:
            log.info("%s is told", self.name)
        self.failing = why

    def _give_up(self, outbox: Outbox) -> int:
        lost = outbox.give_up(self._now())
        if lost:
            log.error("%s: %d messages were given up, too old or too many", self.name, lost)
        return lost

    def _tell(self, outbox: Outbox) -> str:
        """Tell what waits; return why it did not go on, empty where all was taken."""
        began = time.monotonic()
        messages = outbox.next()
        self._took_looking = time.monotonic() - began
        if messages and self._give_up(outbox):
            messages = outbox.next()
        for message in messages:
            if self._is_over:
                break
            at = self._now()
            body = json.dumps(message.body(self._room), separators=(",", ":")).encode()
            url, identity = self._section.url, message.identity
            try:
                status = post(url, self._key, identity, body, int(at), self._agent, ANSWER_SECONDS)
            except OSError as failure:
                return printable(str(failure)) or type(failure).__name__
            if 200 <= status < 300:
                outbox.took(message, at)
            elif status == GONE:
                outbox.end()
                log.error("%s has ended until somebody has it told again", self.name)
                return WANTS_NO_MORE
            elif not 400 <= status < 500 or status in FOR_NOW:
                return f"it answered {status}"
            elif why := self._refuses(outbox, message, status):
                return why
            self._failures = 0
        return ""

    def _refuses(self, outbox: Outbox, message: Message, status: int) -> str:
        """Count a refusal; return why to wait, empty where the message is set aside."""
        refused, times = self._refused
        times = times + 1 if refused == message.identity else 1
        self._refused = (message.identity, times)
        if times < TRIES:
            return f"it refuses {message.identity}, answering {status}"
        if not outbox.set_aside(message, f"it answered {status}"):
            return f"it has refused {MOST_ASIDE} messages and refuses {message.identity}, answering {status}"
        self._refused = ("", 0)
        log.error("%s refuses %s, answering %d: it is set aside", self.name, message.identity, status)
        return ""
