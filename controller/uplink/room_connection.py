"""The connection to a server of NATS, of a table's uplink and of the room's programs: who is not known is not heard.

A server greets in plain text, and says there whether TLS is to follow. So somebody between the two could say that it is
not, be believed without a certificate, and hear and say everything. Here a greeting without TLS ends the connection
before a byte is sent. What else no server of a room says (a greeting that is none, a message without end, other
servers than the file names) ends the connection too, or is left; the client then asks again.
"""

import asyncio
from ssl import SSLContext
from typing import Any

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import ProtocolError
from nats.protocol.parser import AWAITING_CONTROL_LINE, Parser

MAX_MESSAGE_BYTES = 4 << 20
"""Bytes of one message, twice what a room's servers let through (`max_payload`); the client alone knows no bound."""

MAX_LINE_BYTES = 64 << 10
"""Bytes of a line that says what follows, or of a greeting; a room's have some hundred."""

CANCEL_INTERVAL_S = 1.0
"""After so long who is still connecting is told once more to let it be."""

NO_TLS_MESSAGE = "the server asks for no TLS, so that anybody could be it; nothing was sent"


class RoomConnection(Client):
    """A client of NATS; `needs_tls`: it speaks to nobody without."""

    def __init__(self, *, needs_tls: bool) -> None:
        super().__init__()
        self._needs_tls = needs_tls
        self._ps = _BoundedParser(self)

    async def _process_connect_init(self) -> None:
        """Greet; whatever is wrong with the greeting is a failure after which the client asks again."""
        try:
            await super()._process_connect_init()
        except Exception as why:
            if self._transport is not None:
                self._transport.close()  # type: ignore[no-untyped-call]
            if isinstance(why, NatsError | OSError | TimeoutError):
                raise
            raise NatsError(f"the server's greeting is none ({type(why).__name__})") from why

    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:
        """Take what a server says of itself, at first before anything is sent to it."""
        if initial_connection and self._needs_tls and info.get("tls_required") is not True:
            raise NatsError(NO_TLS_MESSAGE)
        if type(info.get("max_payload", 1)) is not int:
            raise NatsError("the server's greeting is none (max_payload)")
        known = {key: value for key, value in info.items() if key != "connect_urls"}  # the file says which servers
        await super()._process_info(known, initial_connection)


class _BoundedParser(Parser):
    """Reads what the server sends; what is nothing, or longer than it may be, is a `ProtocolError`."""

    async def parse(self, data: bytes = b"") -> None:
        try:
            await super().parse(data)
        except ProtocolError:
            raise
        except Exception as why:
            raise ProtocolError from why
        is_line = self.state == AWAITING_CONTROL_LINE
        if (len(self.buf) if is_line else self.needed) > (MAX_LINE_BYTES if is_line else MAX_MESSAGE_BYTES):
            raise ProtocolError


async def connect_to_room(servers: list[str], *, tls: SSLContext | None, **options: Any) -> RoomConnection:  # noqa: ANN401
    """Connect to one of `servers`, as `nats.connect` does; with `tls`, or to an address `tls://`, to nobody without."""
    connection = RoomConnection(needs_tls=tls is not None or any(server.startswith("tls:") for server in servers))
    connecting = asyncio.ensure_future(connection.connect(servers, tls=tls, **options))
    try:
        await asyncio.shield(connecting)
    except asyncio.CancelledError:
        await _cancel_until_done(connecting)
        if not connecting.cancelled() and connecting.exception() is None:
            await connection.close()
        raise
    return connection


async def _cancel_until_done(connecting: asyncio.Future[None]) -> None:
    """Cancel as often as it takes.

    Before Python 3.12 `asyncio.wait_for` loses a cancel that comes with its answer, and the client asks on for ever.
    """
    while not connecting.done():
        connecting.cancel()
        await asyncio.wait([connecting], timeout=CANCEL_INTERVAL_S)
