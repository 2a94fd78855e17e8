"""Delivers to one webhook, in a thread of its own, what waits for it in the outbox.

At least once, each attempt signed anew with the same identity. An answer of 200 to 299 is a delivery, 410 ends this
one at once (Standard Webhooks: the receiver wants no more of it); anything else, a redirection among them, is tried
again after `RETRY_DELAYS_S`, and given up after the last.
"""

import http.client
import io
import logging
import socket
import sqlite3
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

from config.announcer_file import WebhookSection
from controller.announcer.announcement_outbox import AnnouncementOutbox, Delivery, make_printable
from controller.announcer.webhook_signature import build_headers

RETRY_DELAYS_S = (5.0, 30.0, 120.0, 600.0, 1800.0, 7200.0, 21600.0)
"""Seconds after each failure until the next attempt; after one failure more it is given up, nine hours in."""

RETRY_JITTER = 0.1
"""The part of a wait by which identities differ, so that tables of a room do not come back in one moment."""

RESPONSE_TIMEOUT_S = 15.0
MAX_IDLE_S = 60.0
HTTP_GONE = 410

log = logging.getLogger(__name__)


class AnnouncementSender(threading.Thread):
    """One webhook."""

    def __init__(
        self,
        section: WebhookSection,
        key: bytes,
        outbox: AnnouncementOutbox,
        agent: str,
        now: Callable[[], float] = time.time,
        waits: tuple[float, ...] = RETRY_DELAYS_S,
    ) -> None:
        super().__init__(name=f"webhook {section.name}", daemon=True)
        self.section = section
        self._key = key
        self._outbox = outbox
        self._user_agent = agent
        self._wall_clock = now
        self._retry_delays_s = waits
        self._is_stopping = False
        self._wake_event = threading.Event()

    def wake(self) -> None:
        """Look for what is due."""
        self._wake_event.set()

    def stop(self) -> None:
        """Begin no further attempt."""
        self._is_stopping = True
        self._wake_event.set()

    def run(self) -> None:
        """Deliver until `stop`."""
        while not self._is_stopping:
            self._wake_event.clear()
            try:
                wait = self.deliver_due()
            except sqlite3.Error as why:
                log.error("%s: the outbox cannot be used: %s", self.section.name, why)
                wait = MAX_IDLE_S
            self._wake_event.wait(wait)

    def deliver_due(self) -> float:
        """Attempt everything that is due; return in how many seconds there may be more."""
        while not self._is_stopping:
            delivery = self._outbox.find_next_delivery(self.section.name)
            if delivery is None:
                return MAX_IDLE_S
            left = delivery.due_at - self._wall_clock()
            # A clock that was put back must not hold up for a year what was to be tried again in an hour.
            if 0 < left <= max(self._retry_delays_s, default=0) * (1 + RETRY_JITTER):
                return min(left, MAX_IDLE_S)
            self._attempt_delivery(delivery)
        return 0

    def _attempt_delivery(self, delivery: Delivery) -> None:
        try:
            status = self._post_delivery(delivery)
        except OSError as why:
            status, reason = 0, make_printable(str(why)) or type(why).__name__
        else:
            reason = f"it answered {status}"
        now, name = self._wall_clock(), self.section.name
        if 200 <= status < 300:
            self._outbox.record_delivered(delivery, now)
        elif status == HTTP_GONE or delivery.failure_count >= len(self._retry_delays_s):
            self._outbox.abandon(delivery, reason, now)
            attempts = delivery.failure_count + 1
            log.error("%s: %s is given up after %d attempts: %s", name, delivery.event_id, attempts, reason)
        else:
            wait = self._retry_delays_s[delivery.failure_count] * (
                1 + RETRY_JITTER * _compute_jitter(delivery.event_id)
            )
            self._outbox.record_failed(delivery, reason, now + wait)
            log.warning("%s: not delivered (%s); again in %.0f s", name, reason, wait)

    def _post_delivery(self, delivery: Delivery) -> int:
        now = int(self._wall_clock())
        return post_event(
            self.section.url, self._key, delivery.event_id, delivery.body, now, self._user_agent, RESPONSE_TIMEOUT_S
        )


def post_event(url: str, key: bytes, identity: str, body: bytes, at: int, agent: str, patience: float) -> int:
    """Make one attempt; return the status of the answer. What else it says is nobody's business, and is not read.

    `at`: seconds since 1970; `patience`: seconds for all of it, once the name is looked up. No redirection is followed.
    Raises `OSError`, whose text has nothing that the receiver said.
    """
    parts = urlsplit(url)
    host, target = parts.hostname or "", f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    tls = ssl.create_default_context() if parts.scheme == "https" else None
    connection: http.client.HTTPConnection
    if tls is None:
        connection = http.client.HTTPConnection(host, parts.port or http.client.HTTP_PORT)
    else:
        connection = http.client.HTTPSConnection(host, parts.port or http.client.HTTPS_PORT, context=tls)
    connection.response_class = _CompleteHeaderResponse
    said = {"Content-Type": "application/json", "User-Agent": agent, "Connection": "close"}
    late = threading.Event()
    end = threading.Timer(patience, _hang_up, (connection, late))  # bytes one by one never time out
    end.daemon = True
    end.start()
    try:
        wire = socket.create_connection((host, connection.port), patience)
        connection.sock = wire if tls is None else _wrap_in_tls(wire, tls, host)
        if late.is_set():  # it looked before there was a wire
            raise TimeoutError
        if isinstance(connection.sock, ssl.SSLSocket):
            connection.sock.do_handshake()
        connection.request("POST", target, body, {**build_headers(key, identity, at, body), **said})
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException, UnicodeError) as why:
        if late.is_set() or isinstance(why, TimeoutError):
            raise TimeoutError("timed out") from None
        if isinstance(why, OSError):
            raise
        raise ConnectionError(f"it cannot be spoken to ({type(why).__name__})") from None
    else:
        return status
    finally:
        end.cancel()
        connection.close()


class _LastLineReader(io.BufferedReader):
    last_line = b""

    def readline(self, size: int | None = -1, /) -> bytes:
        self.last_line = super().readline(size)
        return self.last_line


class _CompleteHeaderResponse(http.client.HTTPResponse):
    """An answer whose head came whole: half a head may look like one."""

    def begin(self) -> None:
        lines = self.fp = _LastLineReader(self.fp.detach())
        super().begin()
        if lines.last_line not in (b"\r\n", b"\n"):
            raise http.client.IncompleteRead(b"")


def _wrap_in_tls(wire: socket.socket, tls: ssl.SSLContext, host: str) -> ssl.SSLSocket:
    try:
        return tls.wrap_socket(wire, server_hostname=host, do_handshake_on_connect=False)
    except BaseException:
        wire.close()
        raise


def _hang_up(connection: http.client.HTTPConnection, late: threading.Event) -> None:
    late.set()
    wire: socket.socket | None = connection.sock
    if wire is not None:
        with suppress(OSError):
            socket.socket.shutdown(wire, socket.SHUT_RDWR)  # not TLS's own, which is another thread's at this moment


def _compute_jitter(identity: str) -> float:
    """A number from 0 to 1 that is the identity's own."""
    return sum(identity.encode()) % 100 / 100
