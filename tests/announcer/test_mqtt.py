"""The table at a real broker: what stands there, over losses of either, and what its buttons take."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import paho.mqtt.client as paho
import pytest

from config.announcer_file import MqttSection, TableSection
from controller.announcer.button_presses import MIN_PRESS_INTERVAL_S, ButtonPresses
from controller.announcer.home_assistant import OFFLINE_PAYLOAD, ONLINE_PAYLOAD, Button, MqttTopics
from controller.announcer.mqtt_client import MqttClient
from tests.announcer.room import (
    MOSQUITTO,
    PATIENCE,
    Listener,
    Log,
    Mosquitto,
    StoodTable,
    announcing,
    secret,
    standing,
    write_announcer_file,
)
from tests.web.test_tls import certificate

pytestmark = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed: apt install mosquitto")

DISCOVERY = "homeassistant/device/table-3/config"
STATE, AVAILABILITY = "table/table-3/state", "table/table-3/availability"
CALL, LAMPS = "table/table-3/call", "table/table-3/lamps"


def section(broker: Mosquitto, *lines: str) -> str:
    return "\n".join(["[mqtt]", 'host = "127.0.0.1"', f"port = {broker.port}", "buttons = true", *lines])


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path) as broker:
        yield broker


@pytest.fixture
def stood_table() -> StoodTable:
    return StoodTable()


def test_the_table_stands_at_the_broker_and_is_kept_there(
    tmp_path: Path, broker: Mosquitto, stood_table: StoodTable
) -> None:
    with announcing(write_announcer_file(tmp_path, section(broker)), stood_table):
        stood_table.show_state(hand=12)
        with Listener(broker.port) as now:
            now.wait_for_message(DISCOVERY)
            standing(now, STATE, hand=12, phase="deal", seats_taken=3, next_step="Card to seat 3", fault=False)
            now.wait_for_message(AVAILABILITY, ONLINE_PAYLOAD.__eq__)
            stood_table.show_state(hand=13, faults=[{"code": "reader-lost", "stops": "play"}])
            standing(now, STATE, hand=13, fault=True, faults=["reader-lost"])
        with Listener(broker.port) as later:
            found = {message.topic: message for message in (later.heard.get(timeout=PATIENCE) for _ in range(3))}
            assert set(found) == {DISCOVERY, STATE, AVAILABILITY}
            assert all(message.retain and message.qos == 1 for message in found.values())
    with Listener(broker.port) as after:
        after.wait_for_message(AVAILABILITY, OFFLINE_PAYLOAD.__eq__)


def test_a_table_that_does_not_answer_is_offline_and_comes_back(
    tmp_path: Path, broker: Mosquitto, stood_table: StoodTable
) -> None:
    with announcing(write_announcer_file(tmp_path, section(broker)), stood_table), Listener(broker.port) as room:
        stood_table.show_state()
        room.wait_for_message(AVAILABILITY, ONLINE_PAYLOAD.__eq__)
        stood_table.stop_answering()
        room.wait_for_message(AVAILABILITY, OFFLINE_PAYLOAD.__eq__)
        stood_table.show_state()
        room.wait_for_message(AVAILABILITY, ONLINE_PAYLOAD.__eq__)


ANNOUNCER = """
import sys
from pathlib import Path
from config.announcer_file import load_announcer_file
from controller.announcer.announcer import Announcer
from tests.announcer.room import StoodTable
table = StoodTable()
table.show_state()
Announcer(load_announcer_file(Path(sys.argv[1])), table).run()
"""


def test_whoever_kills_the_announcer_sees_the_table_offline_by_its_last_will(tmp_path: Path, broker: Mosquitto) -> None:
    file = write_announcer_file(tmp_path, section(broker))
    with Listener(broker.port) as room:
        process = subprocess.Popen((sys.executable, "-c", ANNOUNCER, str(file.path)), cwd=Path(__file__).parents[2])
        try:
            room.wait_for_message(AVAILABILITY, ONLINE_PAYLOAD.__eq__)
            os.kill(process.pid, signal.SIGKILL)
            room.wait_for_message(AVAILABILITY, OFFLINE_PAYLOAD.__eq__)
        finally:
            process.kill()
            process.wait(PATIENCE)


def test_a_broker_that_begins_anew_is_told_everything_again(
    tmp_path: Path, broker: Mosquitto, stood_table: StoodTable
) -> None:
    with announcing(write_announcer_file(tmp_path, section(broker)), stood_table):
        stood_table.show_state(hand=1)
        with Listener(broker.port) as room:
            standing(room, STATE, hand=1)
        broker.stop()
        for hand in range(2, 500):
            stood_table.show_state(hand=hand)
        broker.start()
        with Listener(broker.port) as room:
            standing(room, STATE, hand=499)
            assert all(message.topic != STATE for message in drain_messages(room)), "what was between is nobody's news"
        with Listener(broker.port) as later:
            assert {later.heard.get(timeout=PATIENCE).topic for _ in range(3)} == {DISCOVERY, STATE, AVAILABILITY}


def drain_messages(room: Listener) -> list[paho.MQTTMessage]:
    room.say("test/end", b"end")
    found = []
    while (message := room.heard.get(timeout=PATIENCE)).topic != "test/end":
        found.append(message)
    return found


def test_memory_is_bounded_while_the_broker_is_away() -> None:
    broker = MqttClient(MqttSection("127.0.0.1", 1), TOPICS, "test", None, lambda _: None, 0.01)
    broker.start()
    try:
        for hand in range(20_000):
            broker.publish_value(TOPICS.state, f"{hand} {'x' * 1000}")
        assert len(broker._payload_by_topic) == len(broker._due_topics) == 1
        assert broker._topic_by_message_id == {}
        assert broker._client._out_messages == {}
    finally:
        broker.stop()


def test_whoever_publishes_after_the_end_is_not_hurt() -> None:
    broker = MqttClient(MqttSection("127.0.0.1", 1), TOPICS, "test", None, lambda _: None, 0.01)
    broker.start()
    broker.stop()
    broker.publish_value(TOPICS.state, "too late")
    broker.stop()


TOPICS = MqttTopics(
    TableSection("http://127.0.0.1:8080", Path("token"), "table-3", "Table 3", None), MqttSection("127.0.0.1", 1)
)


def test_a_press_calls_the_floor_and_garbage_does_nothing(
    tmp_path: Path, broker: Mosquitto, stood_table: StoodTable
) -> None:
    with Listener(broker.port) as room:
        room.say(CALL, "PRESS", retain=True)  # somebody has misconfigured their switch
        with announcing(write_announcer_file(tmp_path, section(broker)), stood_table):
            stood_table.show_state()
            room.wait_for_message(AVAILABILITY, ONLINE_PAYLOAD.__eq__)
            for garbage in (b"", b"press", b"\xff\xfe", b"PRESS ", b'{"wanted": true}', b"x" * 100_000):
                room.say(CALL, garbage)
            room.wait_for_message(
                AVAILABILITY, OFFLINE_PAYLOAD.__eq__
            )  # so long a packet ends the connection, and what comes meanwhile
            room.wait_for_message(AVAILABILITY, ONLINE_PAYLOAD.__eq__)  # is nobody's press later
            room.say("table/table-3/undo", "PRESS")
            room.say(LAMPS, "PRESS")
            assert stood_table.asked.get(timeout=PATIENCE) == "lamps", "neither garbage nor what was retained"
            room.say(CALL, "PRESS")
            assert stood_table.asked.get(timeout=PATIENCE) == "floor"
            assert stood_table.asked.empty()


def test_a_flood_of_presses_is_one_and_the_state_goes_on(
    tmp_path: Path, broker: Mosquitto, stood_table: StoodTable
) -> None:
    with (
        announcing(write_announcer_file(tmp_path, section(broker)), stood_table) as announcer,
        Listener(broker.port) as room,
    ):
        stood_table.show_state(hand=1)
        standing(room, STATE, hand=1)
        for _ in range(500):
            room.client.publish(CALL, "PRESS", qos=0)
        room.say(LAMPS, "PRESS")
        stood_table.show_state(hand=2)
        standing(room, STATE, hand=2)
        assert {stood_table.asked.get(timeout=PATIENCE) for _ in range(2)} == {"floor", "lamps"}
        assert stood_table.asked.empty()
        assert announcer.button_presses.ignored_count > 0


def test_without_buttons_nothing_is_listened_to(tmp_path: Path, broker: Mosquitto, stood_table: StoodTable) -> None:
    silent = section(broker).replace("buttons = true", "")
    with announcing(write_announcer_file(tmp_path, silent), stood_table), Listener(broker.port) as room:
        stood_table.show_state(hand=1)
        standing(room, STATE, hand=1)
        room.say(CALL, "PRESS")
        stood_table.show_state(hand=2)
        standing(room, STATE, hand=2)
        assert stood_table.asked.empty()


def test_user_and_password_let_in_and_a_wrong_one_is_said_and_tried_again(
    tmp_path: Path, stood_table: StoodTable
) -> None:
    passwords = tmp_path / "passwords"
    subprocess.run(("mosquitto_passwd", "-b", "-c", str(passwords), "table", "right word"), check=True)
    passwords.chmod(0o644)
    secret(tmp_path / "password", "wrong word")
    named = ('user = "table"', 'password_file = "password"')
    with Log() as log, Mosquitto(tmp_path, "allow_anonymous false", f"password_file {passwords}") as broker:
        file = write_announcer_file(tmp_path, section(broker, *named))
        with announcing(file, stood_table):
            for _ in range(2):
                log.wait_for_line("does not let the announcer in: Not authorized")
        secret(tmp_path / "password", "right word")
        with announcing(file, StoodTable()):
            log.wait_for_line("is there")
            with Listener(broker.port, user="table", password="right word") as room:
                room.wait_for_message(AVAILABILITY, OFFLINE_PAYLOAD.__eq__)
    assert not any("word" in line for line in log.said)


@pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")  # the client's own, where TLS fails
@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_over_tls_a_broker_is_believed_by_its_certificate_alone(tmp_path: Path, stood_table: StoodTable) -> None:
    for name in ("own", "other"):
        (tmp_path / name).mkdir()
    own, other = certificate(tmp_path / "own"), certificate(tmp_path / "other")
    broker = Mosquitto(tmp_path, f"certfile {own.certificate_path}", f"keyfile {own.key_path}")
    tls = section(broker, "tls = true").replace("127.0.0.1", "localhost")
    with Log() as log, broker:
        with announcing(write_announcer_file(tmp_path, tls, f'certificate = "{other.certificate_path}"'), stood_table):
            log.wait_for_line("cannot be reached: [SSL: CERTIFICATE_VERIFY_FAILED]")
        stood_table = StoodTable()
        with announcing(
            write_announcer_file(tmp_path, tls, f'certificate = "{own.certificate_path}"'), stood_table
        ) as announcer:
            log.wait_for_line("is there")
            stood_table.show_state()
            assert announcer.mqtt_client is not None
            assert announcer.mqtt_client.is_connected


def test_presses_come_no_faster_than_people_press() -> None:
    at = 0.0
    done: list[str] = []
    presses = ButtonPresses({Button.CALL_FLOOR: lambda: done.append("floor")}, clock=lambda: at)
    for _ in range(1000):
        presses.press(Button.CALL_FLOOR)
    at += MIN_PRESS_INTERVAL_S
    presses.press(Button.CALL_FLOOR)
    presses.stop()
    presses.run()
    assert done == ["floor", "floor"]
    assert presses.ignored_count == 999


def test_what_the_table_refuses_is_said_and_the_next_press_is_heard(caplog: pytest.LogCaptureFixture) -> None:
    def refuses() -> None:
        raise OSError("not-now: take the table out of service first")

    done: list[str] = []
    presses = ButtonPresses({Button.TEST_LAMPS: refuses, Button.CALL_FLOOR: lambda: done.append("floor")})
    presses.press(Button.TEST_LAMPS)
    presses.press(Button.CALL_FLOOR)
    presses.stop()
    presses.run()
    assert done == ["floor"]
    assert "take the table out of service first" in caplog.text
