"""Scanners against bytes of makers' manuals and independent libraries (`tests/drivers/vectors.jsonl`, with sources)."""

from typing import Any

import pytest

from controller.app.diagnostics.device_checks import LISTEN_DURATION_S
from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import (
    ByteDriver,
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    EventsMissed,
    NoiseDropped,
    TagRead,
)
from drivers.contract.driver_registry import build_driver
from drivers.ports.byte_port import open_port
from drivers.readers.framing import FrameDecoder
from drivers.scanners import gm65, ssi
from drivers.scanners.barcode_scanner import BarcodeScanner
from drivers.scanners.de2120 import ENABLE_CONTINUOUS, De2120
from drivers.scanners.gm65 import Gm65
from drivers.scanners.ssi import Ssi
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.scanners.de2120_simulator import De2120Simulator
from drivers.simulators.scanners.gm65_simulator import Gm65Simulator
from drivers.simulators.scanners.ssi_simulator import SsiSimulator
from tests.drivers.device_vectors import load_vectors
from tests.drivers.scanners.conversation import Conversation
from tests.drivers.scanners.ssi_line import (
    ASK,
    PACKETS_OFF,
    PACKETS_ON,
    SET_FOR_GOOD,
    SET_FOR_NOW,
    SsiLine,
    with_resend_bit,
)
from tests.drivers.serving import list_tags, serve


def list_vectors(device: str, direction: str) -> list[Any]:
    """The vectors of a device in one direction, named by what they mean."""
    return [
        pytest.param(vector.data, id=vector.meaning[:40])
        for vector in load_vectors(device)
        if vector.is_from_device is (direction == "device->host")
    ]


# SSI.

HANDSHAKE_WRONG_SUM = bytes.fromhex("04 D1 00 06 FF 20")
"""A constant of public firmware whose checksum is not that of its bytes (04 D1 00 06 has FF 25)."""


@pytest.mark.parametrize("wanted", list_vectors("ssi", "host->device"))
def test_ssi_packets_of_a_host(wanted: bytes) -> None:
    assert ssi.build_packet(wanted[1], wanted[4:-2], source=wanted[2], status=wanted[3]) == wanted


@pytest.mark.parametrize("sent", list_vectors("ssi", "device->host"))
def test_ssi_packets_of_a_scanner(sent: bytes) -> None:
    found = FrameDecoder(ssi.parse_packet).feed(sent)
    assert (found == [sent[:-2]]) == (sent != HANDSHAKE_WRONG_SUM)


def test_ssi_suffix_in_the_packet_is_no_part_of_the_code() -> None:
    """Symbol SE-923 guide p6-15: the data of a decode are "including prefix and suffix"."""
    driver = Ssi("shoe")
    assert list_tags(driver.receive_data(bytes.fromhex("08 F3 00 00 03 41 53 0D FE 61"), 1.0)) == ["AS"]
    for suffix in (b"\r\n", b"\t", b"\n"):
        packet = ssi.build_packet(ssi.DECODE_DATA, b"\x03AS" + suffix, source=ssi.FROM_DECODER)
        assert list_tags(driver.receive_data(packet, 2.0)) == ["AS"]
    inside = ssi.build_packet(ssi.DECODE_DATA, b"\x03A\rS", source=ssi.FROM_DECODER)
    assert not list_tags(driver.receive_data(inside, 3.0))


def test_ssi_scanner_is_woken_before_each_packet() -> None:
    """Zebra: WAKEUP before all other communication; M5Stack waits 50 ms after it."""
    line = SsiLine()
    line.run(10.0)
    assert line.sent[0][1] == b"\0"
    for (woken_at, wake), (sent_at, packet) in zip(line.sent[::2], line.sent[1::2], strict=False):
        assert wake == b"\0"
        assert len(packet) > 1
        assert 0.05 <= sent_at - woken_at < 0.08


def test_ssi_setting_is_read_before_it_is_written() -> None:
    """CR6080: frequent changes shorten the life of the non-volatile memory."""
    line = SsiLine()
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_ON)
    assert (line.packets(), line.events) == ([ASK], [DeviceReady("shoe")])
    line.run(4.0)
    assert line.packets() == [ASK]
    line.open_port()  # the second time
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_OFF)
    line.run(0.1)
    assert line.packets() == [ASK, SET_FOR_GOOD]
    assert line.events == []
    line.answer(ssi.CMD_ACK)
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_ON)
    assert line.events == [DeviceReady("shoe")]


@pytest.mark.parametrize("answer", [(ssi.PARAM_SEND, b"\xff"), (ssi.PARAM_SEND, b""), (ssi.CMD_NAK, b"\x06"), None])
def test_ssi_scanner_that_does_not_tell_its_setting_is_set_for_now(answer: tuple[int, bytes] | None) -> None:
    """SE-923 p6-25: of parameters it has not, a scanner sends nothing back. Its memory is not worn at each opening."""
    line = SsiLine()
    line.run(0.1)
    if answer is not None:
        line.answer(*answer)
    line.run(0.7)
    assert SET_FOR_NOW in line.packets()
    line.answer(ssi.CMD_ACK)
    assert line.events == [DeviceReady("shoe")]


def test_ssi_setting_is_sent_three_times_and_then_the_scanner_is_lost() -> None:
    line = SsiLine()
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_OFF)
    line.run(2.3)
    again = with_resend_bit(SET_FOR_GOOD)
    assert line.packets()[:4] == [ASK, SET_FOR_GOOD, again, again]
    assert [type(event) for event in line.events] == [DeviceLost]
    line.run(60.0)
    assert [type(event) for event in line.events] == [DeviceLost]
    assert line.packets().count(ASK) > 10, "it is tried on and on"
    while line.packets()[-1] != ASK:
        line.run(0.01)
    line.answer(ssi.PARAM_SEND, PACKETS_ON)
    assert line.events[1:] == [DeviceReady("shoe")]


def test_ssi_scanner_that_sends_packets_is_there_whatever_it_answers() -> None:
    """Set by a code in its manual, it may still refuse to tell or to take the parameter (GM67: not verified)."""
    line = SsiLine()
    line.run(60.0)
    assert [type(event) for event in line.events] == [DeviceLost]
    line.answer(ssi.DECODE_DATA, b"\x03AS")
    assert line.events[1:] == [DeviceReady("shoe"), TagRead("shoe", "AS")]
    sent = len(line.sent)
    line.run(60.0)
    assert len(line.sent) == sent
    assert len(line.events) == 3


def test_ssi_nak_is_obeyed() -> None:
    line = SsiLine()
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_OFF)
    line.run(0.1)
    line.answer(ssi.CMD_NAK, b"\x01")
    line.run(0.1)
    assert line.packets() == [ASK, SET_FOR_GOOD, with_resend_bit(SET_FOR_GOOD)], "RESEND: at once, with its bit"
    line.answer(ssi.CMD_NAK, b"\x06")
    (lost,) = line.events
    assert isinstance(lost, DeviceLost)
    assert "refuses" in lost.reason
    line.run(0.5)
    assert len(line.packets()) == 3, "one that refuses is left alone for a while"
    line.run(30.0)
    assert line.packets().count(ASK) > 1


def test_ssi_acknowledgement_of_something_else_is_no_readiness() -> None:
    line = SsiLine()
    line.run(0.1)
    line.answer(ssi.CMD_ACK)
    line.answer(ssi.PARAM_SEND, b"\xff\x8a\x04")
    assert line.events == []


def test_ssi_late_acknowledgement_counts() -> None:
    """SE-923 p6-25: storing parameters may take longer than the time-out, and that is no error."""
    line = SsiLine()
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_OFF)
    line.run(0.69)
    line.answer(ssi.CMD_ACK)
    line.answer(ssi.CMD_ACK)
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_ON)
    line.run(4.0)
    assert line.events == [DeviceReady("shoe")]


def test_ssi_scanner_that_lost_its_setting_is_asked_again() -> None:
    """Its power was away, the port was not: it sends bare text, which is noise."""
    line = SsiLine()
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_ON)
    line.run(4.0)
    line.answer(ssi.DECODE_DATA, b"\x03AS")
    line.run(1.5)
    line.receive(b"D07-31\rD07-32\r")
    line.run(0.1)
    assert [packet for packet in line.packets() if packet[1] != ssi.CMD_ACK] == [ASK, ASK]
    line.answer(ssi.PARAM_SEND, PACKETS_OFF)
    line.run(0.1)
    assert line.packets()[-1] == SET_FOR_GOOD
    line.answer(ssi.CMD_ACK)
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_ON)
    assert [type(event) for event in line.events if not isinstance(event, NoiseDropped)] == [
        DeviceReady,
        TagRead,
        EventsMissed,
    ]


def test_ssi_simulator_sleeps_until_woken() -> None:
    clock = ManualClock()
    scanner = SsiSimulator(clock)
    scanner.receive_data(b"\0" + ASK)
    clock.advance(0.5)
    assert scanner.take_frames() == [], "in one go, as before: the packet was lost while it woke"
    scanner.receive_data(ASK)
    clock.advance(0.5)
    assert [data for _, data in scanner.take_frames()] == [
        ssi.build_packet(ssi.PARAM_SEND, PACKETS_OFF, source=ssi.FROM_DECODER)
    ]
    clock.advance(60.0)
    scanner.receive_data(ASK)
    clock.advance(0.5)
    assert scanner.take_frames() == [], "it slept again"


# GM65.

NO_CRC = bytes.fromhex("AB CD")
NO_INTERVAL = bytes.fromhex("7E 00 08 01 00 05 00 8B 6C")
NO_STABILISATION = bytes.fromhex("7E 00 08 01 00 04 00 B8 5D")
WRITTEN = bytes.fromhex("02 00 00 01 00 33 31")
AT_9600 = bytes.fromhex("02 00 00 02 39 01 C1 4C")


def answer_gm65(asked: bytes) -> bytes:
    """What an engine that does as it is told answers."""
    return AT_9600 if asked == gm65.ASK_BAUD else WRITTEN


@pytest.mark.parametrize(
    "wanted",
    [
        *list_vectors("gm65", "host->device"),
        pytest.param(bytes.fromhex("7E 00 08 01 00 0A 3E 4C CF"), id="GM65 manual: write zone 000A"),
        pytest.param(bytes.fromhex("7E 00 08 01 00 00 D6 DF 22"), id="Newland FM30 p34"),
    ],
)
def test_gm65_commands(wanted: bytes) -> None:
    made = gm65.build_command(wanted[2], int.from_bytes(wanted[4:6], "big"), wanted[6:-2])
    assert made[:-2] == wanted[:-2]
    assert wanted[-2:] in (made[-2:], NO_CRC)
    clock = ManualClock()
    engine = Gm65Simulator(clock, banner="")
    clock.advance(1.0)
    engine.receive_data(wanted)
    clock.advance(0.1)
    assert len(engine.take_frames()) == 1, "the simulator knows it"


@pytest.mark.parametrize(
    "sent",
    [
        *list_vectors("gm65", "device->host"),
        pytest.param(bytes.fromhex("02 00 00 01 87 33 31"), id="clones: a constant tail (Amperstrand/gm65-scanner)"),
    ],
)
def test_gm65_answers(sent: bytes) -> None:
    assert FrameDecoder(gm65.parse_frame).feed(sent) == [sent[4:-2]]
    driver = Gm65("shoe")
    assert driver.receive_data(sent + b"D07-31\r", 1.0) == [TagRead("shoe", "D07-31")]


def test_gm65_engine_is_set_to_read_without_a_pause() -> None:
    """GM65 manual p35: 1.0 s between two reads (zone 0005) and 0.4 s of rest (zone 0004) out of the box."""
    driver = Gm65("shoe")
    driver.on_port_opened()
    asked = []
    events: list[DeviceEvent] = []
    for n in range(4):
        asked.append(driver.on_tick(1.0 + n * 0.1)[0])
        assert events == []
        events += driver.receive_data(answer_gm65(asked[-1]), 1.05 + n * 0.1)
    assert asked == [gm65.ASK_BAUD, NO_INTERVAL, NO_STABILISATION, gm65.ASK_INTERVAL]
    assert events == [DeviceReady("shoe")]


def test_gm65_engine_that_keeps_its_pause_is_not_ready() -> None:
    driver = Gm65("shoe")
    driver.on_port_opened()
    events: list[DeviceEvent] = []
    for n in range(600):
        now = 1.0 + n * 0.02
        data, more = driver.on_tick(now)
        events += more
        if data:
            events += driver.receive_data(gm65_answer(b"\x0a") if data == gm65.ASK_INTERVAL else answer_gm65(data), now)
    (lost,) = events
    assert isinstance(lost, DeviceLost)
    assert "interval" in lost.reason


def gm65_answer(data: bytes) -> bytes:
    return b"\x02\0\0" + bytes((len(data),)) + data + b"\x33\x31"


def test_gm65_banner_is_no_code_and_sets_the_engine_up_again() -> None:
    """The engine's debug text at start begins with "<{" (kluzzebass/gm65-serial-node)."""
    driver = Gm65("shoe")
    (dropped,) = driver.receive_data(b"<{hello}>\r\n", 1.0)
    assert isinstance(dropped, NoiseDropped)
    clock = ManualClock()
    engine = Gm65Simulator(clock)
    line = Conversation(Gm65("shoe"), engine, clock)
    assert TagRead not in [type(event) for event in line.run(2.0)]
    line.sent.clear()
    engine.restart()
    events = line.run(2.0)
    assert NO_INTERVAL in line.sent
    assert [type(event) for event in events] == [EventsMissed, NoiseDropped, DeviceReady]


def test_gm65_engine_that_came_back_without_a_banner_is_set_up_again() -> None:
    clock = ManualClock()
    engine = Gm65Simulator(clock, banner="")
    line = Conversation(Gm65("shoe"), engine, clock)
    line.run(2.0)
    engine.restart()
    line.sent.clear()
    line.run(6.0)
    assert NO_INTERVAL in line.sent
    assert count_read_of_quick_cards(line, engine) == 6


def count_read_of_quick_cards(line: Conversation, engine: Gm65Simulator) -> int:
    """Deal six cards, two and a half a second; how many are read."""
    codes: list[str] = []
    for number in range(6):
        engine.present(engine.nth_tag(number))
        codes += list_tags(line.run(0.3))
        engine.remove()
        codes += list_tags(line.run(0.1))
    return len(codes)


@pytest.mark.parametrize("mode", ["continuous", "sensor"])
def test_gm65_simulator_reads_slowly_until_set_up(mode: str) -> None:
    clock = ManualClock()
    engine = Gm65Simulator(clock, mode=mode)
    line = Conversation(BarcodeScanner("shoe"), engine, clock)
    line.run(1.0)
    assert count_read_of_quick_cards(line, engine) <= 3, "out of the box"
    line = Conversation(Gm65("shoe"), engine, clock)
    line.run(1.0)
    assert count_read_of_quick_cards(line, engine) == 6
    line.open_port()  # the second time
    line.run(1.0)
    assert count_read_of_quick_cards(line, engine) == 6


def test_gm65_speed_is_a_key(bench: Bench, clock: ManualClock) -> None:
    """Other projects leave the engine at 115200 (specter-diy): `7E 00 08 02 00 2A 1A 00 AB CD`."""
    engine = bench.add_port("sim://gm65/shoe")
    assert isinstance(engine, Gm65Simulator)
    clock.advance(1.0)
    engine.receive_data(bytes.fromhex("7E 00 08 02 00 2A 1A 00 AB CD"))
    clock.advance(1.0)
    assert engine.baudrate == 115200
    assert [type(event) for event in run_on_bench(Gm65("shoe"), "gm65", clock)] == [DeviceLost]
    assert [type(event) for event in run_on_bench(Gm65("shoe", baudrate=115200), "gm65", clock)] == [DeviceReady]


def run_on_bench(driver: ByteDriver, kind: str, clock: ManualClock) -> list[DeviceEvent]:
    """Five seconds of a driver on its port; what it says, without noise."""
    port = open_port(f"sim://{kind}/shoe", driver, read_seconds=0)
    port.write(driver.on_port_opened())
    events = serve(driver, port, clock, 5.0)
    port.close()
    return [event for event in events if not isinstance(event, NoiseDropped)]


@pytest.mark.parametrize("driver", [Ssi("shoe"), Gm65("shoe"), De2120("shoe")], ids=["ssi", "gm65", "de2120"])
def test_a_silent_scanner_is_lost_while_doctor_listens(driver: ByteDriver) -> None:
    """`tablectl doctor` tries other speeds only with a device that is lost by then."""
    for _ in range(2):  # the second time: the port was opened again
        driver.on_port_opened()
        events = [
            event for n in range(round((LISTEN_DURATION_S - 0.1) / 0.02)) for event in driver.on_tick(1.0 + n * 0.02)[1]
        ]
        assert [type(event) for event in events] == [DeviceLost]


@pytest.mark.parametrize("driver", ["ssi", "gm65", "de2120"])
def test_a_speed_that_is_none_is_refused(driver: str) -> None:
    with pytest.raises(DriverConfigError, match=r"'shoe', key 'baudrate': it must be 1200.* not 31250"):
        build_driver(driver, "shoe", {"baudrate": 31250})


# DE2120.

ACK, NACK = b"\x06", b"\x15"


@pytest.mark.parametrize("sent", list_vectors("de2120", "host->device"))
def test_de2120_commands_are_known_to_the_simulator(sent: bytes) -> None:
    clock = ManualClock()
    scanner = De2120Simulator(clock)
    scanner.receive_data(sent)
    clock.advance(1.0)
    assert scanner.take_frames()[0][1][:1] == ACK


def test_de2120_commands_of_the_driver() -> None:
    sent = [vector.values[0] for vector in list_vectors("de2120", "host->device")]
    assert ENABLE_CONTINUOUS in sent


@pytest.mark.parametrize("answer", list_vectors("de2120", "device->host"))
def test_de2120_that_refuses_is_not_ready(answer: bytes) -> None:
    driver = De2120("shoe")
    driver.on_port_opened()
    events: list[DeviceEvent] = []
    for n in range(500):
        now = 1.0 + n * 0.02
        data, more = driver.on_tick(now)
        events += more
        if data:
            events += driver.receive_data(answer, now)
    (lost,) = events
    assert isinstance(lost, DeviceLost)
    assert "refuses" in lost.reason


def test_de2120_refusal_of_one_question_is_asked_again() -> None:
    """A byte of the command was damaged on its way."""
    driver = De2120("shoe")
    for _ in range(2):
        driver.on_tick(1.0)
        driver.receive_data(ACK, 1.0)
    assert driver.on_tick(6.1) == (ENABLE_CONTINUOUS, [])
    assert driver.receive_data(NACK, 6.2) == []
    assert driver.on_tick(7.2) == (ENABLE_CONTINUOUS, [])
    assert driver.receive_data(ACK, 7.3) == []
    for at in (12.4, 13.5, 14.6):
        assert driver.on_tick(at) == (ENABLE_CONTINUOUS, [])
        events = driver.receive_data(NACK, at + 0.1)
    assert [type(event) for event in events] == [DeviceLost]


def test_de2120_cards_show_that_it_is_there() -> None:
    clock = ManualClock()
    scanner = De2120Simulator(clock)
    line = Conversation(De2120("shoe"), scanner, clock)
    line.run(2.0)
    codes = []
    for number in range(40):
        scanner.present(scanner.nth_tag(number))
        codes += list_tags(line.run(0.37))
    assert codes == [scanner.nth_tag(number) for number in range(40)]
    assert line.sent.count(ENABLE_CONTINUOUS) == 1


def test_de2120_stands_at_9600_after_other_programs(bench: Bench, clock: ManualClock) -> None:
    """SparkFun's and Soldered's libraries set it to 9600, which it remembers."""
    bench.add_port("sim://de2120/shoe")
    assert [type(event) for event in run_on_bench(De2120("shoe"), "de2120", clock)] == [DeviceLost]
    assert run_on_bench(De2120("shoe", baudrate=9600), "de2120", clock) == [DeviceReady("shoe")]


def test_de2120_remembers_its_speed() -> None:
    clock = ManualClock()
    scanner = De2120Simulator(clock)
    assert scanner.baudrate == 9600
    scanner.receive_data(b"^_^232BAD9.")
    assert scanner.baudrate == 115200
    scanner.configure({"baudrate": 38400})
    assert scanner.baudrate == 38400
    scanner.configure({})
    assert scanner.baudrate == 115200, "what the driver takes where the file says nothing"


def test_de2120_is_asked_for_no_version() -> None:
    """In plain lines a version is a card, and one of no deck: nothing is asked that is answered so."""
    clock = ManualClock()
    line = Conversation(De2120("shoe"), De2120Simulator(clock), clock)
    assert line.run(60.0) == [DeviceReady("shoe")]
    assert set(line.sent) == {ENABLE_CONTINUOUS}


def test_de2120_half_a_line_does_not_outlast_its_port() -> None:
    driver = De2120("shoe")
    driver.receive_data(b"AH1", 1.0)
    driver.on_port_opened()
    assert list_tags(driver.receive_data(b"AH10043\r", 1.1)) == ["AH10043"]
