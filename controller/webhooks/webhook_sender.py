"""Tells a webhook what waits for it, in a thread of its own: at least once, each attempt signed anew.

What waits, in which order, and what a failure means for it say the two kinds of outbox: an announcer's tries each
announcement by itself, the record of a room holds up what follows.
"""

import http.client
import io
import socket
import ssl
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from typing import ClassVar
from urllib.parse import urlsplit

from config.announcer_file import WebhookSection
from controller.webhooks.webhook_signature import build_headers

HTTP_GONE = 410
"""The receiver wants no more (Standard Webhooks, "Disabling endpoints")."""

RETRY_JITTER = 0.1
"""The part of a wait by which identities differ, so that tables of a room do not come back in one moment."""

MAX_REASON_LENGTH = 200
"""Characters of a reason; a receiver, or a broker, may have words of any length in it."""


class WebhookSender(threading.Thread, ABC):
    """One webhook; `now`: Unix seconds. `retry_delays_s`: the wait after each failure, the last after all others."""

    response_timeout_s: ClassVar[float]

    def __init__(
        self, section: WebhookSection, key: bytes, now: Callable[[], float], retry_delays_s: tuple[float, ...]
    ) -> None:
        super().__init__(name=f"webhook {section.name}", daemon=True)
        self.section = section
        self._key, self._wall_clock, self._retry_delays_s = key, now, retry_delays_s
        self._user_agent = f"table-controller/{version('table-controller')}"
        self._is_stopping = False
        self._wake_event = threading.Event()

    @abstractmethod
    def deliver_waiting(self) -> float:
        """Attempt what waits, up to what holds it up; return in how many seconds to look again."""

    def run(self) -> None:
        """Deliver until `stop`."""
        while not self._is_stopping:
            self._wake_event.clear()
            self._wake_event.wait(self.deliver_waiting())

    def wake(self) -> None:
        """Look for what waits, and wait no longer for what failed. May be called from any thread."""
        self._wake_event.set()

    def stop(self) -> None:
        """Begin no further attempt. May be called from any thread."""
        self._is_stopping = True
        self._wake_event.set()

    def _attempt(self, identity: str, body: bytes) -> tuple[int, str]:
        """Return the status of the answer, 0 where none came, and in words why it is no delivery (empty: it is one)."""
        at = int(self._wall_clock())
        try:
            status = post_event(
                self.section.url, self._key, identity, body, at, self._user_agent, self.response_timeout_s
            )
        except OSError as why:
            return 0, make_printable(str(why)) or type(why).__name__
        return status, "" if 200 <= status < 300 else f"it answered {status}"

    def _find_retry_delay(self, failure_count: int, identity: str = "") -> float:
        """How long to wait after so many failures, from 1 on; all with one `identity`, or of no message alone."""
        part = sum(identity.encode()) % 100 / 100
        return self._retry_delays_s[min(failure_count, len(self._retry_delays_s)) - 1] * (1 + RETRY_JITTER * part)


def make_printable(text: str) -> str:
    """What a stranger said, as it may stand in a log and in a terminal: one short line, without control characters."""
    return "".join(character if character.isprintable() else " " for character in text[:MAX_REASON_LENGTH]).strip()


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
