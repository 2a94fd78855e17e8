"""Tells the service manager how the program is, by its notification protocol (sd_notify(3)).

The manager names a socket in `NOTIFY_SOCKET`; each message is one datagram of `NAME=value` lines. Without that variable
nobody wants to know, and every call does nothing.
"""

import logging
import os
import socket
from collections.abc import Callable, Mapping
from time import monotonic

READY, STOPPING, WATCHDOG_ALIVE = "READY=1", "STOPPING=1", "WATCHDOG=1"

MAX_STATUS_LENGTH = 200
"""Characters of the status line; `systemctl status` shows one line of it."""


PROGRESS_INTERVAL_S = 1.0
"""Seconds from one word about a start to the next."""

START_EXTENSION_S = 60
"""Seconds that a start asks for each time, from then on: what the unit gives it at first."""

log = logging.getLogger(__name__)


class SystemdNotifier:
    """The way to the service manager, from the variables that it gave this process."""

    def __init__(self, environment: Mapping[str, str] = os.environ, *, process: int | None = None) -> None:
        """Find the socket and the watchdog's time. Raises `OSError` when the named socket cannot be reached.

        `process` is this process's number; the watchdog may be meant for another (`WATCHDOG_PID`).
        """
        self.watchdog_interval_s = _read_watchdog_interval(environment, os.getpid() if process is None else process)
        """After so long without `WATCHDOG_ALIVE` the manager ends the process; `None`: it does not watch."""
        self._socket: socket.socket | None = None
        address = environment.get("NOTIFY_SOCKET")
        if not address:
            return
        # Not blocking: a manager that is too busy to read must not hold up the table.
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)
        try:
            self._socket.connect(f"\0{address[1:]}" if address.startswith("@") else address)
        except OSError:
            self._socket.close()
            raise

    @property
    def is_connected(self) -> bool:
        """Whether there is a service manager that asked to be told."""
        return self._socket is not None

    def send(self, *lines: str) -> bool:
        """Send lines in one message; return whether it went out. What did not is to be said again later."""
        if self._socket is None:
            return True
        try:
            self._socket.send("\n".join(lines).encode())
        except OSError:  # its queue is full, or it is being executed anew; the watchdog judges, not this call
            return False
        return True

    def close(self) -> None:
        """Give the socket back."""
        if self._socket is not None:
            self._socket.close()


class StartProgress:
    """Says how far a start is that takes long, and asks the manager for more time while it gets on."""

    def __init__(self, notifier: SystemdNotifier, clock: Callable[[], float] = monotonic) -> None:
        self._notifier = notifier
        self._clock = clock
        self._last_report_at = clock()

    def __call__(self, played: int, last: int) -> None:
        """Take how many entries of the journal were played again, and the number of the last."""
        now = self._clock()
        if now - self._last_report_at < PROGRESS_INTERVAL_S:
            return
        self._last_report_at = now
        text = f"starting: entry {played} of {last} of the journal played again"
        log.info(text)
        self._notifier.send(f"EXTEND_TIMEOUT_USEC={START_EXTENSION_S * 1_000_000}", format_status(text))


def format_status(text: str) -> str:
    """Write the status line; control characters would end it."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return f"STATUS={printable[:MAX_STATUS_LENGTH]}"


def format_watchdog_interval(seconds: float) -> str:
    """Write after how long without `WATCHDOG_ALIVE` the manager ends the process from now on."""
    return f"WATCHDOG_USEC={round(seconds * 1e6)}"


def _read_watchdog_interval(environment: Mapping[str, str], process: int) -> float | None:
    for_whom = environment.get("WATCHDOG_PID", "")
    if for_whom and for_whom != str(process):
        return None
    microseconds = environment.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1e6 if microseconds.isascii() and microseconds.isdecimal() else None
