"""A broker that takes nothing, or dies half-way: what stands in the end is the newest, and nothing piles up."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from config.announcer_file import MqttSection, TableSection
from controller.announcer import mqtt_client
from controller.announcer.home_assistant import MqttTopics
from controller.announcer.mqtt_client import MAX_PACKET_BYTES, MqttClient
from tests.announcer.room import PATIENCE, Log

CONNECT, PUBLISH = 1, 3
DISCONNECT = b"\xe0\x00"
CONNACK, PUBACK = b"\x20\x02\x00\x00", b"\x40\x02"


class Wire:
    """The broker's end of a connection, packet by packet (MQTT 3.1.1, section 2)."""

    def __init__(self, listening: socket.socket) -> None:
        self._socket, _ = listening.accept()
        self._socket.settimeout(PATIENCE)
        assert self._packet()[0] == CONNECT
        self._socket.sendall(CONNACK)

    def receive_publish(self) -> tuple[bytes, bytes]:
        """The next message: its number as it came, and what it says."""
        kind, content = self._packet()
        assert kind == PUBLISH
        topic = int.from_bytes(content[:2], "big") + 2
        return content[topic : topic + 2], content[topic + 2 :]

    def take(self, number: bytes) -> None:
        self._socket.sendall(PUBACK + number)

    def has_news(self) -> bool:
        """Whether anything has come that was not read."""
        self._socket.settimeout(0)
        try:
            return bool(self._socket.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return False
        finally:
            self._socket.settimeout(PATIENCE)

    def say(self, packet: bytes) -> None:
        self._socket.sendall(packet)

    def is_cut(self) -> bool:
        """Wait until the announcer has closed the connection; whether it did not say so, so that its will stands."""
        said = b""
        with suppress(ConnectionResetError):
            while more := self._socket.recv(100):
                said += more
        return DISCONNECT not in said

    def cut(self) -> None:
        self._socket.close()

    def _packet(self) -> tuple[int, bytes]:
        kind, length, place = self._receive_exactly(1)[0] >> 4, 0, 0
        while True:
            byte = self._receive_exactly(1)[0]
            length |= (byte & 0x7F) << place
            place += 7
            if byte < 0x80:
                return kind, self._receive_exactly(length)

    def _receive_exactly(self, count: int) -> bytes:
        content = b""
        while len(content) < count:
            more = self._socket.recv(count - len(content))
            assert more, "the announcer closed the connection"
            content += more
        return content


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE)
        yield server


@pytest.fixture
def broker(listening: socket.socket) -> Iterator[MqttClient]:
    section = MqttSection("127.0.0.1", listening.getsockname()[1])
    table = TableSection("http://127.0.0.1:8080", Path("token"), "table-3", "Table 3", None)
    broker = MqttClient(section, MqttTopics(table, section), "test", None, lambda _: None, 0.01)
    yield broker
    broker.stop()


def test_a_topic_waits_until_its_message_is_taken(listening: socket.socket, broker: MqttClient) -> None:
    broker.publish_value("a", "1")
    broker.start()
    wire = Wire(listening)
    first, _ = wire.receive_publish()
    for hand in range(2, 1000):
        broker.publish_value("a", str(hand))
    broker.publish_value("b", "of another topic")
    number, said = wire.receive_publish()
    assert said == b"of another topic"
    assert not wire.has_news()
    assert len(broker._client._out_messages) == 2
    wire.take(number)
    wire.take(first)
    number, said = wire.receive_publish()
    assert said == b"999", "what was between is nobody's news"
    wire.take(number)
    wire.cut()


def test_what_a_reconnection_sends_again_never_comes_after_what_is_newer(
    listening: socket.socket, broker: MqttClient
) -> None:
    broker.publish_value("a", "old")
    broker.start()
    wire = Wire(listening)
    assert wire.receive_publish()[1] == b"old"
    wire.cut()
    broker.publish_value("a", "new")
    wire = Wire(listening)
    said = b""
    while said != b"new":
        assert said in (b"", b"old")
        number, said = wire.receive_publish()
        wire.take(number)
    broker.publish_value("a", "newest")
    assert wire.receive_publish()[1] == b"newest", "and nothing old in between"
    wire.cut()


HUGE = b"\x31\x80\x80\xc0\x47"
"""The head of a retained message that announces 150 MB."""

QOS_2 = b"\x34\x06\x00\x01a\x00\x01x"


@pytest.mark.parametrize(
    ("packet", "words"),
    [
        (HUGE + b"x" * 10_000, f"it sends a packet of 149946368 bytes, and {MAX_PACKET_BYTES} are the most"),
        (b"\x31\x81\x20", f"it sends a packet of {MAX_PACKET_BYTES + 1} bytes"),
        (QOS_2 * 2, "it sends with QoS 2, which was not asked for"),
        (b"\x30\x05\x00\x02\xff\xfex", "it sends what is no packet of MQTT (UnicodeDecodeError)"),
    ],
)
def test_a_broker_that_fills_the_memory_or_sends_no_packet_is_left_and_asked_again_later(
    listening: socket.socket, broker: MqttClient, packet: bytes, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(broker._stop_requested, "wait", waits.append)
    with Log() as log:
        broker.start()
        for _ in range(4):
            wire = Wire(listening)
            wire.say(packet)
            assert wire.is_cut()
            wire.cut()
            log.wait_for_line(words)
        Wire(listening).cut()
    assert waits[:4] == [0.02, 0.04, 0.08, 0.16], "being let in does not make the wait short again"
    # Of the next connection its answer, two bytes, may have come already.
    assert len(broker._client._in_packet["packet"]) <= 2
    assert sum(words in line for line in log.said) == 4, "once each time"


def test_a_broker_that_ends_each_connection_at_once_is_asked_later_each_time(
    listening: socket.socket, broker: MqttClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(broker._stop_requested, "wait", waits.append)
    with Log() as log:
        broker.start()
        for _ in range(4):
            wire = Wire(listening)
            log.wait_for_line("is there")
            wire.cut()
            log.wait_for_line("is another client there that calls itself test?")
        wire = Wire(listening)  # so that the fourth wait is reckoned
        monkeypatch.setattr(mqtt_client, "STEADY_CONNECTION_S", 0.0)
        log.wait_for_line("is there")
        wire.cut()
        Wire(listening).cut()
    assert waits[:5] == [0.02, 0.04, 0.08, 0.16, 0.01], "and after one that lasted, soon again"


def test_a_long_packet_within_the_bound_is_taken_and_left(listening: socket.socket, broker: MqttClient) -> None:
    with Log() as log:
        broker.start()
        wire = Wire(listening)
        wire.say(b"\x31\x80\x20" + b"\x00\x05a\x1b[2J" + b"x" * (MAX_PACKET_BYTES - 7))
        log.wait_for_line("a [2J was sent something that is no press; it is left")
        broker.publish_value("a", "1")
        assert wire.receive_publish()[1] == b"1"
    wire.cut()
