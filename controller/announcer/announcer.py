"""Holds the table against what was told of it, and tells the broker and the webhooks what is new."""

import json
import logging
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from config.announcer_file import AnnouncerFile, is_loopback_host
from controller.announcer.announcement_outbox import OUTBOX_FILE, AnnouncementOutbox
from controller.announcer.announcement_sender import RETRY_DELAYS_S, AnnouncementSender
from controller.announcer.announcements import Announcement, AnnouncerMark, announce_loss, find_announcements
from controller.announcer.button_presses import ButtonPresses
from controller.announcer.home_assistant import (
    OFFLINE_PAYLOAD,
    ONLINE_PAYLOAD,
    Button,
    MqttTopics,
    build_discovery,
    build_state,
)
from controller.announcer.observed_table import ObservedTable, parse_table
from controller.announcer.table_source import TableSource
from controller.wall_clock import to_wall_time

if TYPE_CHECKING:
    from controller.announcer.mqtt_client import MqttClient

MIN_RETRY_DELAY_S, MAX_RETRY_DELAY_S = 1.0, 60.0
"""Seconds until a table that does not answer is asked again; each wait is twice the one before."""

log = logging.getLogger(__name__)


class Announcer:
    """Everything of one announcer. `first_wait` and `waits` are what it waits before it tries again, in seconds."""

    def __init__(
        self,
        file: AnnouncerFile,
        table: TableSource,
        *,
        now: Callable[[], float] = time.time,
        first_wait: float = MIN_RETRY_DELAY_S,
        waits: tuple[float, ...] = RETRY_DELAYS_S,
    ) -> None:
        """Read the secrets and open the outbox; raises `ConfigError`, and `OSError` where a file cannot be used."""
        self._file = file
        self._table_source = table
        self._wall_clock = now
        self._min_retry_delay_s = first_wait
        self._version = version("table-controller")
        keys = [file.read_signing_key(section) for section in file.webhooks]
        password = file.read_password()
        self.outbox = AnnouncementOutbox(file.state_directory)
        self._mark = self.outbox.read_mark()
        self._stop_requested = threading.Event()
        self.webhooks: Sequence[AnnouncementSender] = [
            AnnouncementSender(section, key, self.outbox, now, waits)
            for section, key in zip(file.webhooks, keys, strict=True)
        ]
        self.button_presses = ButtonPresses({Button.CALL_FLOOR: table.call_floor, Button.TEST_LAMPS: table.test_lamps})
        self.mqtt_client: MqttClient | None = None
        if file.mqtt is not None:
            self._topics = MqttTopics(file.table, file.mqtt)
            name = f"table-controller-{file.table.id}"
            from controller.announcer import mqtt_client  # who tells no broker needs no library for it

            self.mqtt_client = mqtt_client.MqttClient(
                file.mqtt, self._topics, name, password, self.button_presses.press, first_wait
            )
            self.mqtt_client.publish_value(self._topics.availability, OFFLINE_PAYLOAD)
            self.mqtt_client.publish_value(
                self._topics.discovery,
                _render_json(build_discovery(file.table, file.mqtt, self._version, _find_page_url(file))),
            )

    def run(self) -> None:
        """Read and tell until `stop`."""
        # Whoever waits for the table's next word waits in a thread that does not outlast the program.
        reader = threading.Thread(target=self._follow_table, name="table", daemon=True)
        for thread in (
            *self.webhooks,
            self.button_presses,
            *([] if self.mqtt_client is None else [self.mqtt_client]),
            reader,
        ):
            thread.start()
        self._stop_requested.wait()
        self._close()

    def stop(self) -> None:
        """Have `run` end as soon as it can. May be called from a signal's handler."""
        self._stop_requested.set()

    def _follow_table(self) -> None:
        wait = self._min_retry_delay_s
        while not self._stop_requested.is_set():
            wait = self._min_retry_delay_s if self._read_states() else min(2 * wait, MAX_RETRY_DELAY_S)
            self._stop_requested.wait(wait)

    def _read_states(self) -> bool:
        """Follow the table until it no longer answers; return whether it did."""
        answered = False
        try:
            for table in self._table_source.iter_states():
                if self._stop_requested.is_set():
                    return True
                self._on_table_observed(parse_table(table))
                if not answered:
                    log.info("%s answers", self._file.table.url)
                answered = True
            why = "the connection ended"
        except (OSError, ValueError) as failure:
            why = str(failure) or type(failure).__name__
        log.warning("%s does not answer: %s", self._file.table.url, why)
        self._queue_announcements(*announce_loss(self._mark))
        if self.mqtt_client is not None:
            self.mqtt_client.publish_value(self._topics.availability, OFFLINE_PAYLOAD)
        return answered

    def _on_table_observed(self, look: ObservedTable) -> None:
        self._queue_announcements(*find_announcements(self._mark, look))
        if self.mqtt_client is not None:
            self.mqtt_client.publish_value(self._topics.state, _render_json(build_state(look)))
            self.mqtt_client.publish_value(self._topics.availability, ONLINE_PAYLOAD)

    def _queue_announcements(self, mark: AnnouncerMark, told: Sequence[Announcement]) -> None:
        """Put what is told into the outbox, for each webhook that wants it, with the mark from now on.

        Where the disk does not take it the old mark stands, and the next look tells it again.
        """
        if not self.webhooks or mark == self._mark or self._stop_requested.is_set():
            return
        deliveries = []
        for announcement in told:
            identity, body = f"msg_{secrets.token_hex(16)}", self._render_body(announcement)
            wanting = [hook for hook in self._file.webhooks if announcement.kind in hook.events]
            deliveries += [(hook.name, identity, body) for hook in wanting]
        try:
            self.outbox.add_deliveries(mark, deliveries, self._wall_clock())
        except sqlite3.Error as why:
            log.error("%s cannot be written: %s", self._file.state_directory / OUTBOX_FILE, why)
            return
        self._mark = mark
        for webhook in self.webhooks:
            webhook.wake()

    def _render_body(self, announcement: Announcement) -> bytes:
        at = to_wall_time(self._wall_clock()).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        table = {"id": self._file.table.id, "name": self._file.table.name}
        body = {"type": announcement.kind, "timestamp": at, "data": {"table": table, **announcement.data}}
        return _render_json(body).encode()

    def _close(self) -> None:
        self.button_presses.stop()
        for webhook in self.webhooks:
            webhook.stop()
        if self.mqtt_client is not None:
            self.mqtt_client.stop()
        for webhook in self.webhooks:
            webhook.join(1.0)
        if not any(webhook.is_alive() for webhook in self.webhooks):  # who still waits for an answer needs it
            self.outbox.close()


def _find_page_url(file: AnnouncerFile) -> str | None:
    """Where people find the table's page; `None` where only this machine does."""
    return None if is_loopback_host(urlsplit(file.table.url).hostname or "") else file.table.url


def _render_json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
