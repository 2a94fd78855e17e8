"""Takes the connections to the page, and never more than the process can bear.

The page shares its process with the table, and each connection is an open file. Whoever may open none any more cannot
write the next `hand.key` either, so the limit is kept where connections are taken, before any byte is read: asyncio's
own listener takes all that wait at once, and hands over one under TLS only after its handshake. What is not taken waits
with the kernel, where it costs the table nothing.
"""

import asyncio
import errno
import ipaddress
import logging
import os
import resource
import socket
import ssl
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from controller.runtime.service.crash_log import describe_failure
from controller.web.serving.host_addresses import make_own_host_name

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "::1")

MAX_CONNECTIONS = 256
"""How many connections the page has at one time, where the process may open files enough."""

ADDRESS_SHARE_DIVISOR = 8
"""One address has an eighth of them, so that one machine of the network cannot shut everybody out; an eighth is kept
for the table itself, whose own display must always get through."""

RESERVED_FILES = 64
"""Files that the table may still want to open: its ports, its journal, the key of a hand."""

FILES_PER_CONNECTION = 2
"""The connection, and a file that is sent through it."""

MIN_CONNECTIONS = ADDRESS_SHARE_DIVISOR
"""With fewer the page is no use to anybody."""

REQUEST_TIMEOUT_S = 10.0
"""How long a request, or the handshake before it, may take to come in whole; an answer may take as long as it likes."""

FULL_RETRY_DELAY_S = 0.05
"""How often a full page looks whether somebody has gone."""

REFUSED_DELAY_S = 0.005
"""How long is waited after a connection that was not taken: 200 a second cost the table nothing."""

MAX_PORTS_TRIED = 100
"""How many ports behind one that is in use are tried, to name one that is free."""

ACCEPT_FAILURE_DELAY_S = 1.0
"""How long is waited when the system gives no connection."""

log = logging.getLogger(__name__)


class PageError(Exception):
    """The page cannot be served; the message says where and why."""


def listen(host: str, port: int) -> socket.socket:
    """Bind the page's socket before any thread starts, so that a port in use is said at once. Raises `PageError`."""
    with ExitStack() as failing:
        try:
            bound = failing.enter_context(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET))
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            # Every connection has it from here; without, a second event within 40 ms waits for the browser's receipt.
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            bound.bind((host, port))
            bound.listen()
        except (OSError, OverflowError, UnicodeError) as why:  # the latter two: what no port and no host name can be
            text = getattr(why, "strerror", None) or why
            free = _find_free_port(host, port) if getattr(why, "errno", None) == errno.EADDRINUSE else None
            remedy = "" if free is None else f"; {free} is free: say --port {free} (`make run PORT={free}`)"
            raise PageError(f"the page cannot be served at {host}, port {port}: {text}{remedy}") from why
        failing.pop_all()
    return bound


def _find_free_port(host: str, taken: int) -> int | None:
    """Find the next port that nobody uses, some hundred on at most."""
    for port in range(taken + 1, min(taken + MAX_PORTS_TRIED, 65_535) + 1):
        with suppress(OSError), socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
            tried.bind((host, port))
            return port
    return None


def list_host_names(bound: socket.socket, further: tuple[str, ...]) -> tuple[str, ...]:
    """Return the host names under which the page of a socket may be asked for."""
    address = str(bound.getsockname()[0])
    if ipaddress.ip_address(address).is_loopback:
        return (*LOOPBACK_NAMES, *further)
    own = [make_own_host_name()] if ipaddress.ip_address(address).is_unspecified else [address]
    return (*own, *LOOPBACK_NAMES, *further)


def compute_max_connections() -> int:
    """Say how many connections this process can bear beside what the table needs. Raises `PageError`."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    free = allowed - len(os.listdir(Path("/proc/self/fd"))) - RESERVED_FILES
    most = min(MAX_CONNECTIONS, free // FILES_PER_CONNECTION)
    if most < MIN_CONNECTIONS:
        wanted = allowed - free + FILES_PER_CONNECTION * MIN_CONNECTIONS
        raise PageError(f"this process may open {allowed} files and needs {wanted}; raise LimitNOFILE, or ulimit -n")
    return most


def can_accept(origin: str, others: Sequence[str], most: int = MAX_CONNECTIONS) -> bool:
    """Whether one more connection of the address `origin` is taken beside those of `others`."""
    own = ipaddress.ip_address(origin).is_loopback
    share = most // ADDRESS_SHARE_DIVISOR
    return len(others) < (most if own else most - share) and others.count(origin) < share


class Listener:
    """Takes the connections of `bound`, at most `most` at a time; used in the page's thread alone.

    A connection counts from when it is taken until its socket is closed, whoever closes it: also in a handshake.
    """

    def __init__(self, bound: socket.socket, most: int) -> None:
        self._socket = bound
        self._max_connections = most
        self._origin_by_connection: dict[socket.socket, str] = {}
        self._handshakes = set[asyncio.Task[object]]()

    async def run(self, protocol: Callable[[], asyncio.Protocol], tls: ssl.SSLContext | None) -> None:
        """Take connections until cancelled."""
        loop = asyncio.get_running_loop()
        self._socket.setblocking(False)
        while True:
            while len(self._list_origins()) >= self._max_connections:
                await asyncio.sleep(FULL_RETRY_DELAY_S)
            try:
                connection, address = await loop.sock_accept(self._socket)
            except ConnectionError:  # it has gone before it was taken
                continue
            except OSError as why:
                log.warning("no connection can be taken: %s", why.strerror)
                await asyncio.sleep(ACCEPT_FAILURE_DELAY_S)
                continue
            origin = str(address[0])
            if not can_accept(origin, self._list_origins(), self._max_connections):
                connection.close()
                await asyncio.sleep(REFUSED_DELAY_S)
                continue
            self._origin_by_connection[connection] = origin
            self._start_handshake(connection, protocol, tls)

    def _list_origins(self) -> list[str]:
        for connection in [one for one in self._origin_by_connection if one.fileno() < 0]:
            del self._origin_by_connection[connection]
        return list(self._origin_by_connection.values())

    def _start_handshake(
        self, connection: socket.socket, protocol: Callable[[], asyncio.Protocol], tls: ssl.SSLContext | None
    ) -> None:
        seconds = None if tls is None else REQUEST_TIMEOUT_S
        beginning: asyncio.Task[object] = asyncio.get_running_loop().create_task(
            asyncio.get_running_loop().connect_accepted_socket(
                protocol, connection, ssl=tls, ssl_handshake_timeout=seconds, ssl_shutdown_timeout=seconds
            )
        )
        self._handshakes.add(beginning)
        beginning.add_done_callback(self._on_handshake_done)

    def _on_handshake_done(self, beginning: "asyncio.Task[object]") -> None:
        self._handshakes.discard(beginning)
        failure = None if beginning.cancelled() else beginning.exception()
        if failure is not None and not isinstance(failure, OSError):  # that one is theirs: no handshake, or gone again
            log.error("a connection failed: %s", describe_failure(failure))
