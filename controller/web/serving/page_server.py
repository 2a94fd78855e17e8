"""Serves the page in a thread of its own, so that no browser can hold up the table."""

import asyncio
import socket
import threading
from typing import Protocol

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from controller.runtime.service.watchdog import Pulse
from controller.web.serving.host_addresses import choose_url_host
from controller.web.serving.listener import REQUEST_TIMEOUT_S, Listener, compute_max_connections
from controller.web.serving.tls import Tls

SHUTDOWN_TIMEOUT_S = 2
"""How long open requests may take when the program ends."""

START_POLL_INTERVAL_S = 0.02
PULSE_INTERVAL_S = 1.0
"""How often the page's thread says that it turns."""

PULSE_TIMEOUT_S = 10.0
"""How long a round of it may take, with many browsers on a slow machine."""


WRITE_STALL_TIMEOUT_S = 30.0
"""How long somebody may take nothing of what is sent: a stream that nobody reads is cut off."""


class _Connection(H11Protocol):
    """A connection to the page; who does not come to the end of a request, or takes nothing more, is sent away."""

    _write_state_changes = 0
    """Counts how often more waited to be taken than the system keeps; even: it does not now."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self.loop.call_later(REQUEST_TIMEOUT_S, self._abort_if_no_request, self.cycle)

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing of a WebSocket that somebody asks for: the page answers. Uvicorn would advise a library."""

    def pause_writing(self) -> None:
        """Begin to wait for whoever does not take what is sent."""
        super().pause_writing()
        self._write_state_changes += 1
        self.loop.call_later(WRITE_STALL_TIMEOUT_S, self._abort_if_stalled, self._write_state_changes)

    def resume_writing(self) -> None:
        """Go on: what was sent has been taken."""
        super().resume_writing()
        self._write_state_changes += 1

    def _abort_if_stalled(self, since: int) -> None:
        if self._write_state_changes == since:
            self.transport.abort()

    def _abort_if_no_request(self, before: object) -> None:
        """Close the connection if no request has come in whole since the look before, when the last was `before`."""
        if self.transport.is_closing():
            return
        if self.cycle is before and self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self.transport.abort()
        else:
            self.loop.call_later(REQUEST_TIMEOUT_S, self._abort_if_no_request, self.cycle)


class _Server(uvicorn.Server):
    """Uvicorn with our own listener."""

    def __init__(self, config: uvicorn.Config, listener: Listener) -> None:
        super().__init__(config)
        self._listener = listener

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:  # noqa: ARG002 - as uvicorn has it
        """Begin to take connections."""
        await self.lifespan.startup()
        self.servers = []
        self._listen_task = asyncio.create_task(self._listener.run(self._make_connection, self.config.ssl))
        self.started = True

    async def on_tick(self, counter: int) -> bool:
        """Go on for as long as connections are taken: a page that takes none any more must not look alive."""
        if self._listen_task.done():
            self._listen_task.result()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, and end those there are."""
        self._listen_task.cancel()
        await super().shutdown(sockets)

    def _make_connection(self) -> asyncio.Protocol:
        return _Connection(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)


class Streams(Protocol):
    """What goes on being sent until it is closed."""

    def close(self) -> None:
        """End every stream."""
        ...


class PageServer(threading.Thread):
    """Runs the ASGI server until `end`."""

    def __init__(self, app: ASGIApp, bound: socket.socket, hub: Streams, tls: Tls | None = None) -> None:
        super().__init__(name="page", daemon=True)
        self.pulse = Pulse("the page", PULSE_TIMEOUT_S)
        self._streams = hub
        self._scheme = "http" if tls is None else "https"
        self._socket = bound
        self._server = _Server(
            uvicorn.Config(
                app,
                loop="asyncio",
                http=_Connection,
                ws="none",
                ssl_certfile=None if tls is None else tls.certificate_path,
                ssl_keyfile=None if tls is None else str(tls.key_path),
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
            ),
            Listener(bound, compute_max_connections()),
        )

    @property
    def url(self) -> str:
        """Where the page is."""
        host, port = self._socket.getsockname()[:2]
        return f"{self._scheme}://{choose_url_host(host)}:{port}/"

    def run(self) -> None:
        """Serve."""
        asyncio.run(self.serve())

    async def serve(self) -> None:
        """Serve in the loop of whoever waits for it, who starts no thread."""
        pulse = asyncio.create_task(self._beat())
        try:
            await self._server.serve(sockets=[self._socket])
        finally:
            pulse.cancel()

    async def _beat(self) -> None:
        """Say that this thread turns, from when it takes connections."""
        while not self._server.started:
            await asyncio.sleep(START_POLL_INTERVAL_S)
        while True:
            self.pulse.beat()
            await asyncio.sleep(PULSE_INTERVAL_S)

    def end(self) -> None:
        """Close every stream and stop serving; returns when the thread has ended."""
        self._streams.close()
        self._server.should_exit = True
        if self.is_alive():
            self.join(2 * SHUTDOWN_TIMEOUT_S)
        self._socket.close()
