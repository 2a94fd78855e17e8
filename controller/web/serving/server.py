"""Serves the page in a thread of its own, so that no browser can hold up the table."""

import asyncio
import ipaddress
import socket
import threading
from collections.abc import Sequence
from contextlib import ExitStack

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from controller.runtime.service.watchdog import Pulse
from controller.web.serving.hub import Hub
from controller.web.serving.tls import Tls

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")

MOST_CONNECTIONS = 256
"""How many connections the page has at one time: a quarter of the files that a process may usually open."""

MOST_FROM_ONE = 32
"""How many of them one address has, so that one machine of the network cannot shut everybody out."""

KEPT_FOR_ITSELF = 32
"""How many are kept for the table itself, whose own display must always get through."""

REQUEST_SECONDS = 10.0
"""How long a request may take to come in whole; an answer may take as long as it likes."""

CLOSING_SECONDS = 2
"""How long open requests may take when the program ends."""

STARTING_SECONDS = 0.02
PULSE_SECONDS = 1.0
"""How often the page's thread says that it turns."""

ROUND_SECONDS = 10.0
"""How long a round of it may take, with many browsers on a slow machine."""


class PageError(Exception):
    """The page cannot be served; the message says where and why."""


def listen(host: str, port: int) -> socket.socket:
    """Bind the page's socket before any thread starts, so that a port in use is said at once. Raises `PageError`."""
    with ExitStack() as failing:
        try:
            bound = failing.enter_context(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET))
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind((host, port))
            bound.listen()
        except (OSError, OverflowError, UnicodeError) as why:  # the latter two: what no port and no host name can be
            text = getattr(why, "strerror", None) or why
            raise PageError(f"the page cannot be served at {host}, port {port}: {text}") from why
        failing.pop_all()
    return bound


def names_of(bound: socket.socket, further: tuple[str, ...]) -> tuple[str, ...]:
    """Return the host names under which the page of a socket may be asked for."""
    address = str(bound.getsockname()[0])
    own = LOOPBACK_NAMES if ipaddress.ip_address(address).is_loopback else (address, *LOOPBACK_NAMES)
    return (*own, *further)


def has_room(origin: str, others: Sequence[str]) -> bool:
    """Whether one more connection of the address `origin` is taken beside those of `others`."""
    own = ipaddress.ip_address(origin).is_loopback
    most = MOST_CONNECTIONS if own else MOST_CONNECTIONS - KEPT_FOR_ITSELF
    return len(others) < most and others.count(origin) < MOST_FROM_ONE


class _Connection(H11Protocol):
    """A connection to the page; one more than the most is closed at once.

    Without a limit those who connect and say nothing would use up the files that this process may open; then no
    device's port could be opened again, and every look at the full socket would be a page of log. With one alone they
    would shut everybody else out, so whoever does not come to the end of a request is sent away.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self.origin = str(transport.get_extra_info("peername")[0])
        others = [other.origin for other in self.connections if isinstance(other, _Connection) and other is not self]
        if not has_room(self.origin, others):
            transport.abort()
        else:
            self.loop.call_later(REQUEST_SECONDS, self._look, self.cycle)

    def _look(self, before: object) -> None:
        """Close the connection if no request has come in whole since the look before, when the last was `before`."""
        if self.transport.is_closing():
            return
        if self.cycle is before and self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self.transport.abort()
        else:
            self.loop.call_later(REQUEST_SECONDS, self._look, self.cycle)


class PageServer(threading.Thread):
    """Runs the ASGI server until `end`."""

    def __init__(self, app: ASGIApp, bound: socket.socket, hub: Hub, tls: Tls | None = None) -> None:
        super().__init__(name="page", daemon=True)
        self.pulse = Pulse("the page", ROUND_SECONDS)
        self._hub = hub
        self._scheme = "http" if tls is None else "https"
        self._socket = bound
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                loop="asyncio",
                http=_Connection,
                ws="none",
                ssl_certfile=None if tls is None else tls.certificate,
                ssl_keyfile=None if tls is None else str(tls.key),
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=CLOSING_SECONDS,
            )
        )

    @property
    def url(self) -> str:
        """Where the page is."""
        host, port = self._socket.getsockname()[:2]
        return f"{self._scheme}://[{host}]:{port}/" if ":" in host else f"{self._scheme}://{host}:{port}/"

    def run(self) -> None:
        """Serve."""
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        pulse = asyncio.create_task(self._beat())
        try:
            await self._server.serve(sockets=[self._socket])
        finally:
            pulse.cancel()

    async def _beat(self) -> None:
        """Say that this thread turns, from when it takes connections."""
        while not self._server.started:
            await asyncio.sleep(STARTING_SECONDS)
        while True:
            self.pulse.beat()
            await asyncio.sleep(PULSE_SECONDS)

    def end(self) -> None:
        """Close every stream and stop serving; returns when the thread has ended."""
        self._hub.close()
        self._server.should_exit = True
        if self.is_alive():
            self.join(2 * CLOSING_SECONDS)
        self._socket.close()
