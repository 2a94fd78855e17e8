"""Holds the table against what was told of it, and tells the broker and the webhooks what is new."""

import json
import logging
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from urllib.parse import urlsplit

from config.announcer_file import AnnouncerFile, is_here
from controller.announcer.announcements import Announcement, Mark, announcements, loss
from controller.announcer.home_assistant import OFFLINE, ONLINE, Button, Topics, discovery, state
from controller.announcer.mqtt import FIRST_WAIT, Broker
from controller.announcer.observed import Observed, observed
from controller.announcer.outbox import FILE, Outbox
from controller.announcer.presses import Presses
from controller.announcer.source import Table
from controller.announcer.webhooks import WAITS, Webhook

LONGEST_WAIT = 60.0
"""Seconds until a table that does not answer is asked again, at most."""

log = logging.getLogger(__name__)


class Announcer:
    """Everything of one announcer. `first_wait` and `waits` are what it waits before it tries again, in seconds."""

    def __init__(
        self,
        file: AnnouncerFile,
        table: Table,
        *,
        now: Callable[[], float] = time.time,
        first_wait: float = FIRST_WAIT,
        waits: tuple[float, ...] = WAITS,
    ) -> None:
        """Read the secrets and open the outbox; raises `ConfigError`, and `OSError` where a file cannot be used."""
        self._file = file
        self._table = table
        self._now = now
        self._first_wait = first_wait
        self._version = version("table-controller")
        keys = [file.key(section) for section in file.webhooks]
        password = file.password()
        self.outbox = Outbox(file.directory)
        self._mark = self.outbox.mark()
        self._ended = threading.Event()
        self.webhooks: Sequence[Webhook] = [
            Webhook(section, key, self.outbox, f"table-controller/{self._version}", now, waits)
            for section, key in zip(file.webhooks, keys, strict=True)
        ]
        self.presses = Presses({Button.CALL_FLOOR: table.call_floor, Button.TEST_LAMPS: table.test_lamps})
        self.broker: Broker | None = None
        if file.mqtt is not None:
            self._topics = Topics(file.table, file.mqtt)
            name = f"table-controller-{file.table.id}"
            self.broker = Broker(file.mqtt, self._topics, name, password, self.presses.press, first_wait)
            self.broker.show(self._topics.availability, OFFLINE)
            self.broker.show(
                self._topics.discovery, _json(discovery(file.table, file.mqtt, self._version, _page(file)))
            )

    def run(self) -> None:
        """Read and tell until `end`."""
        # Whoever waits for the table's next word waits in a thread that does not outlast the program.
        reader = threading.Thread(target=self._follow, name="table", daemon=True)
        for thread in (*self.webhooks, self.presses, *([] if self.broker is None else [self.broker]), reader):
            thread.start()
        self._ended.wait()
        self._close()

    def end(self) -> None:
        """Have `run` end as soon as it can. May be called from a signal's handler."""
        self._ended.set()

    def _follow(self) -> None:
        wait = self._first_wait
        while not self._ended.is_set():
            wait = self._first_wait if self._read() else min(2 * wait, LONGEST_WAIT)
            self._ended.wait(wait)

    def _read(self) -> bool:
        """Follow the table until it no longer answers; return whether it did."""
        answered = False
        try:
            for table in self._table.states():
                if self._ended.is_set():
                    return True
                self._see(observed(table))
                if not answered:
                    log.info("%s answers", self._file.table.url)
                answered = True
            why = "the connection ended"
        except (OSError, ValueError) as failure:
            why = str(failure) or type(failure).__name__
        log.warning("%s does not answer: %s", self._file.table.url, why)
        self._tell(*loss(self._mark))
        if self.broker is not None:
            self.broker.show(self._topics.availability, OFFLINE)
        return answered

    def _see(self, look: Observed) -> None:
        self._tell(*announcements(self._mark, look))
        if self.broker is not None:
            self.broker.show(self._topics.state, _json(state(look)))
            self.broker.show(self._topics.availability, ONLINE)

    def _tell(self, mark: Mark, told: Sequence[Announcement]) -> None:
        """Put what is told into the outbox, for each webhook that wants it, with the mark from now on.

        Where the disk does not take it the old mark stands, and the next look tells it again.
        """
        if not self.webhooks or mark == self._mark or self._ended.is_set():
            return
        deliveries = []
        for announcement in told:
            identity, body = f"msg_{secrets.token_hex(16)}", self._body(announcement)
            wanting = [hook for hook in self._file.webhooks if announcement.kind in hook.events]
            deliveries += [(hook.name, identity, body) for hook in wanting]
        try:
            self.outbox.put(mark, deliveries, self._now())
        except sqlite3.Error as why:
            log.error("%s cannot be written: %s", self._file.directory / FILE, why)
            return
        self._mark = mark
        for webhook in self.webhooks:
            webhook.wake()

    def _body(self, announcement: Announcement) -> bytes:
        at = datetime.fromtimestamp(self._now(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        table = {"id": self._file.table.id, "name": self._file.table.name}
        body = {"type": announcement.kind, "timestamp": at, "data": {"table": table, **announcement.data}}
        return _json(body).encode()

    def _close(self) -> None:
        self.presses.end()
        for webhook in self.webhooks:
            webhook.end()
        if self.broker is not None:
            self.broker.end()
        for webhook in self.webhooks:
            webhook.join(1.0)
        if not any(webhook.is_alive() for webhook in self.webhooks):  # who still waits for an answer needs it
            self.outbox.close()


def _page(file: AnnouncerFile) -> str | None:
    """Where people find the table's page; `None` where only this machine does."""
    return None if is_here(urlsplit(file.table.url).hostname or "") else file.table.url


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
