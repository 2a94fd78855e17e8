"""A network and a room that lie: a server without TLS, greetings that are none, messages without end."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from ssl import PROTOCOL_TLS_CLIENT, SSLContext

import pytest
from nats.errors import Error as NatsError

from controller.uplink import room_connection
from controller.uplink.room_connection import MAX_MESSAGE_BYTES, NO_TLS_MESSAGE, RoomConnection, connect_to_room
from room.archive import brokers
from room.room_file import BrokersSection
from tests.room.real_parts import run_story

PATIENCE = 30.0
GREETING = json.dumps({"server_id": "x", "version": "2.10.0", "max_payload": 1 << 20, "headers": True})
GARBLED_GREETINGS = (
    "[1]",
    "1",
    "null",
    "{",
    "{" * 10_000,
    '{"a":' * 5_000 + "1" + "}" * 5_000,
    '{"x":"' + "y" * 200_000 + '"}',
    '{"max_payload":"much"}',
    '{"connect_urls":[1]}',
    '{"connect_urls":["[::1"]}',
    '{"connect_urls":5}',
)


@dataclass
class PlainServer:
    """Whoever stands between: greets each connection with the next of `greetings`, the last one for ever."""

    greetings: Sequence[str]
    after: bytes = b""
    """What is said to each that was answered."""
    received: list[bytes] = field(default_factory=list)
    """What each connection has said."""
    port: int = 0

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = len(self.received)
        self.received.append(b"")
        greeting = self.greetings[min(number, len(self.greetings) - 1)]
        with suppress(OSError):
            writer.write(f"INFO {greeting}\r\n".encode())
            while data := await reader.read(1 << 16):
                self.received[number] += data
                if b"PING\r\n" in data:
                    writer.write(b"PONG\r\n" + self.after)
                    await writer.drain()
                if number < len(self.greetings) - 1:
                    break
        writer.close()

    async def wait_for_connections(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(self.received) < count:
                await asyncio.sleep(0.01)


@asynccontextmanager
async def stand_between(*greetings: str, after: bytes = b"") -> AsyncIterator[PlainServer]:
    between = PlainServer(greetings, after)
    async with await asyncio.start_server(between.serve, "127.0.0.1", 0) as server:
        between.port = server.sockets[0].getsockname()[1]
        yield between


@pytest.mark.parametrize("greeting", [GREETING, GREETING[:-1] + ', "tls_required": false}', "{}"])
@pytest.mark.parametrize("way", ["a context", "an address"])
def test_a_server_without_tls_is_told_nothing(greeting: str, way: str) -> None:
    async def story() -> None:
        async with stand_between(greeting) as between:
            tls = SSLContext(PROTOCOL_TLS_CLIENT) if way == "a context" else None
            url = between.url if way == "a context" else between.url.replace("nats:", "tls:")
            with pytest.raises(NatsError, match=NO_TLS_MESSAGE):
                await connect_to_room([url], tls=tls, allow_reconnect=False)
            assert between.received == [b""]

    run_story(story)


def test_the_rooms_own_programs_tell_a_server_without_tls_nothing() -> None:
    async def story() -> None:
        async with stand_between(GREETING) as between:
            section = BrokersSection((between.url.replace("nats:", "tls:"),))
            connecting = asyncio.ensure_future(brokers.connect(section, "hall"))
            await between.wait_for_connections(2)
            assert not connecting.done()
            assert set(between.received) == {b""}
            connecting.cancel()
            await asyncio.gather(connecting, return_exceptions=True)

    run_story(story)


def test_who_gives_up_is_let_go_though_a_cancel_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cancel that meets an answer is lost before Python 3.12; the next one is not."""
    lost = 0

    async def lose_one_cancel(*_: object, **_options: object) -> None:
        nonlocal lost
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if lost:
                    raise
                lost += 1

    monkeypatch.setattr(RoomConnection, "connect", lose_one_cancel)
    monkeypatch.setattr(room_connection, "CANCEL_INTERVAL_S", 0.01)

    async def story() -> None:
        connecting = asyncio.ensure_future(connect_to_room(["nats://nowhere"], tls=None))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        connecting.cancel()
        await asyncio.wait([connecting], timeout=PATIENCE)
        assert connecting.cancelled()

    run_story(story)
    assert lost == 1


@pytest.mark.parametrize("garbled", GARBLED_GREETINGS, ids=range(len(GARBLED_GREETINGS)))
def test_after_a_greeting_that_is_none_the_room_is_asked_again(garbled: str) -> None:
    async def story() -> None:
        async with stand_between(GREETING, garbled, garbled, GREETING) as between:
            back = asyncio.Event()

            async def on_reconnected() -> None:
                back.set()

            async def on_failure(why: Exception) -> None:
                del why

            connection = await connect_to_room(
                [between.url], tls=None, reconnected_cb=on_reconnected, error_cb=on_failure,
                reconnect_time_wait=0, max_reconnect_attempts=-1,
            )  # fmt: skip
            await asyncio.wait_for(back.wait(), PATIENCE)
            assert [str(server.netloc) for server in connection.servers] == [f"127.0.0.1:{between.port}"]
            await connection.close()

    run_story(story)


@pytest.mark.parametrize(
    "flood",
    [
        b"MSG a 1 1000000000\r\n" + bytes(2 * MAX_MESSAGE_BYTES),
        b"HMSG a 1 12 1000000000\r\n" + bytes(2 * MAX_MESSAGE_BYTES),
        b"MSG " + b"a" * 3 * MAX_MESSAGE_BYTES,
        b'INFO {"a":' + b"[" * 3 * MAX_MESSAGE_BYTES,
        b"INFO [1]\r\n",
        b"MSG a 1 " + b"9" * 5000 + b"\r\n",
        b"-ERR '\xff\xfe'\r\n",
    ],
    ids=["message", "headers", "subject", "greeting", "no greeting", "length", "error"],
)
def test_what_would_fill_the_memory_or_is_nothing_ends_the_connection(flood: bytes) -> None:
    async def story() -> None:
        async with stand_between(GREETING, after=flood) as between:
            left = asyncio.Event()

            async def on_disconnected() -> None:
                left.set()

            connection = await connect_to_room([between.url], tls=None, disconnected_cb=on_disconnected)
            await asyncio.wait_for(left.wait(), PATIENCE)
            assert len(connection._ps.buf) <= MAX_MESSAGE_BYTES
            await connection.close()

    run_story(story)
