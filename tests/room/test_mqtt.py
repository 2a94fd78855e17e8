"""The room's MQTT listener, by a real client: who follows the tables hears them and says nothing; a table has none."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from controller.room_contract.subjects import TableTopic
from tests.room.real_parts import HERE, RealRoom, describe_missing_parts, listens, wait_until

pytestmark = pytest.mark.skipif(bool(describe_missing_parts()), reason=describe_missing_parts())

HEARD = [f"room/table-07/{what.value}" for what in (TableTopic.STATE, TableTopic.HEALTH, TableTopic.CALL)]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealRoom]:
    with RealRoom(tmp_path_factory.mktemp("mqtt")) as room:
        room.start_nats()
        wait_until(lambda: listens(room.nodes[0].mqtt_port), "MQTT is listened to")
        for table in ("table-07", "table-08"):
            room.enrol(table)
        yield room


class Follower:
    """A client of MQTT 3.1.1 with somebody's certificate, and what became of it."""

    def __init__(self, room: RealRoom, certificate: Path, key: Path, topics: list[str]) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.granted: list[int] = []
        self.connected: bool | None = None
        self.lost = False
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv311)
        trust = ssl.create_default_context(cafile=str(room.set_up / "ca.crt"))
        trust.load_cert_chain(str(certificate), str(key))
        self.client.tls_set_context(trust)

        def on_connect(client: mqtt.Client, _data: object, _flags: object, code: Any, _more: object) -> None:  # noqa: ANN401
            self.connected = not code.is_failure
            client.subscribe([(topic, 1) for topic in topics])

        def on_subscribe(_client: object, _data: object, _mid: int, codes: list[Any], _more: object) -> None:
            self.granted = [code.value for code in codes]

        def on_message(_client: object, _data: object, message: mqtt.MQTTMessage) -> None:
            self.heard.append((message.topic, bytes(message.payload)))

        def on_disconnect(*_all: object) -> None:
            self.lost = True

        self.client.on_connect = on_connect
        self.client.on_subscribe = on_subscribe
        self.client.on_message = on_message
        self.client.on_disconnect = on_disconnect
        self.client.connect(HERE, room.nodes[0].mqtt_port)


@contextmanager
def follower(room: RealRoom, certificate: Path, key: Path, *topics: str) -> Iterator[Follower]:
    found = Follower(room, certificate, key, list(topics))
    found.client.loop_start()
    try:
        yield found
    finally:
        found.client.disconnect()
        found.client.loop_stop()


def say(room: RealRoom, *words: tuple[str, bytes]) -> None:
    import asyncio

    from tests.room.fake_tables import connect

    async def publish_words() -> None:
        client = await connect(room, "table-07")
        for subject, body in words:
            await client.publish(subject, body)
        await client.flush()
        await client.close()

    asyncio.run(publish_words())


def test_who_follows_the_tables_hears_what_they_tell_and_no_journal(room: RealRoom) -> None:
    listener = (room.set_up / "mqtt.crt", room.set_up / "mqtt.key")
    with follower(room, *listener, "room/+/state", "room/+/health", "room/+/call", "room/+/journal", "#") as found:
        wait_until(lambda: found.granted, "it has subscribed")
        assert found.granted == [1, 1, 1, 128, 128], "three topics of all tables, and nothing else"
        say(room, ("room.table-07.journal", b"none"), *((topic.replace("/", "."), b"told") for topic in HEARD))
        wait_until(lambda: len(found.heard) >= len(HEARD), "it hears the table")
        assert sorted(found.heard) == sorted((topic, b"told") for topic in HEARD)


def test_who_follows_the_tables_says_nothing(room: RealRoom) -> None:
    listener = (room.set_up / "mqtt.crt", room.set_up / "mqtt.key")
    with (
        follower(room, *listener, "room/+/state") as other,
        follower(room, *listener, "room/+/state") as found,
    ):
        wait_until(lambda: other.granted and found.granted, "both have subscribed")
        for topic in ("room/table-07/state", "room/do/table-07/enter", "room/archive/table-07/head"):
            for retain in (False, True):
                found.client.publish(topic, b"forged", qos=1, retain=retain)
        say(room, ("room.table-07.state", b"the table's own"))
        wait_until(lambda: other.heard, "what the table says is heard")
        assert other.heard == [("room/table-07/state", b"the table's own")]
    with follower(room, *listener, "room/+/state") as later:
        wait_until(lambda: later.granted, "it has subscribed")
        say(room, ("room.table-07.state", b"the next"))
        wait_until(lambda: later.heard, "it hears the table")
        assert later.heard == [("room/table-07/state", b"the next")], "and nothing that was retained"


def test_a_table_has_no_mqtt_at_all(room: RealRoom) -> None:
    there = room.folder / "table-08"
    with follower(room, there / "uplink.crt", there / "uplink.key", "room/table-07/state", "room/+/state") as found:
        wait_until(lambda: found.connected is False or found.lost, "it is turned away")
        say(room, ("room.table-07.state", b"told"))
        assert (found.granted, found.heard) == ([], [])
