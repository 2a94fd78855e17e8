"""Tells a webhook what the room entered, in a thread of its own: in order, and at least once."""

import http.client
import json
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any

import psycopg
from psycopg.rows import TupleRow

from config.announcer_file import WebhookSection
from controller.announcer.outbox import printable
from controller.announcer.webhooks import post
from room.record.in_postgres import connected
from room.record.outbox import Outbox
from room.server.room import where

LOOK_SECONDS = 1.0
"""Between two looks for what is new."""

FIRST_WAIT, LONGEST_WAIT = 2.0, 600.0
"""Seconds after a failure; twice as many after each further one."""

ANSWER_SECONDS = 10.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WebhookStanding:
    """How a webhook stands; `failing`: why it is not told now, empty where it is. `given_up`: never told."""

    name: str
    failing: str = ""
    given_up: int = 0
    last: float | None = None


class Webhook(threading.Thread):
    """One webhook; `database` is as libpq has it, `now`: Unix seconds."""

    def __init__(self, section: WebhookSection, key: bytes, room: str, database: str, now: Callable[[], float]) -> None:
        super().__init__(name=f"webhook {section.name}", daemon=True)
        self.standing = WebhookStanding(section.name)
        self._section, self._key, self._room, self._database, self._now = section, key, room, database, now
        self._agent = f"table-controller/{version('table-controller')}"
        self._connection: psycopg.Connection[TupleRow] | None = None
        self._outbox: Outbox | None = None
        self._failures = 0
        self._ended = threading.Event()

    def run(self) -> None:
        """Tell it until `end`."""
        while not self._ended.is_set():
            self._ended.wait(self.step())
        self.close()

    def end(self) -> None:
        """Begin no further attempt. May be called from any thread."""
        self._ended.set()

    def close(self) -> None:
        """Close the database."""
        if self._connection is not None:
            self._connection.close()
        self._connection = self._outbox = None

    def step(self) -> float:
        """Tell what waits, up to what fails; return in how many seconds to look again."""
        try:
            why = self._tell()
        except Exception as failure:  # whatever it is, this thread goes on, and says so
            with suppress(psycopg.Error):
                self.close()
            why = f"what it is to be told cannot be read: {where(failure)}"
        if why and why != self.standing.failing:
            log.warning("%s is not told: %s", self.name, why)
        elif self.standing.failing and not why:
            log.info("%s is told again", self.name)
        self._stands(failing=why)
        self._failures = self._failures + 1 if why else 0
        return min(FIRST_WAIT * 2 ** min(self._failures - 1, 20), LONGEST_WAIT) if why else LOOK_SECONDS

    def _tell(self) -> str:
        """Tell what waits; return why it did not go on, empty where all was taken."""
        if self._outbox is None:
            self._connection = connected(self._database)
            self._outbox = Outbox(self._connection, self._section.name, self._section.events)
            self._stands(given_up=self._outbox.given_up())
        messages = self._outbox.next(self._now())
        if (lost := self._outbox.given_up()) != self.standing.given_up:
            log.error("%s: %d messages were given up, too old or too many; %d since it is known",
                      self.name, lost - self.standing.given_up, lost)  # fmt: skip
            self._stands(given_up=lost)
        for message in messages:
            if self._ended.is_set():
                break
            body = json.dumps(message.body(self._room), separators=(",", ":"), ensure_ascii=False).encode()
            url, at = self._section.url, self._now()
            try:
                status = post(url, self._key, message.identity, body, int(at), self._agent, ANSWER_SECONDS)
            except (OSError, http.client.HTTPException) as why:
                return printable(str(why)) or type(why).__name__
            if not 200 <= status < 300:
                return f"it answered {status}"
            self._outbox.took(message)
            self._failures = 0
            self._stands(last=at)
        return ""

    def _stands(self, **changed: Any) -> None:  # noqa: ANN401 - a field's
        self.standing = replace(self.standing, **changed)
