"""Scanners against bytes of makers' manuals and independent libraries (`tests/drivers/vectors.jsonl`, with sources)."""

import json
from pathlib import Path
from typing import Any

import pytest

from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady, NoiseDropped, TagRead
from drivers.readers.framing import FrameDecoder
from drivers.scanners import ssi
from drivers.scanners.ssi import Ssi
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.scanners.ssi_simulator import SsiSimulator

VECTORS = Path(__file__).parents[1] / "vectors.jsonl"


def list_vectors(device: str, direction: str) -> list[Any]:
    """The vectors of a device in one direction, named by what they mean."""
    found = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]
    return [
        pytest.param(bytes.fromhex(each["hex"]), id=each["meaning"][:40])
        for each in found
        if (each["device"], each["direction"]) == (device, direction)
    ]


def list_codes(events: list[DeviceEvent]) -> list[str]:
    return [event.tag for event in events if isinstance(event, TagRead)]


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
    assert list_codes(list(driver.receive_data(bytes.fromhex("08 F3 00 00 03 41 53 0D FE 61"), 1.0))) == ["AS"]
    for suffix in (b"\r\n", b"\t", b"\n"):
        packet = ssi.build_packet(ssi.DECODE_DATA, b"\x03AS" + suffix, source=ssi.FROM_DECODER)
        assert list_codes(list(driver.receive_data(packet, 2.0))) == ["AS"]
    inside = ssi.build_packet(ssi.DECODE_DATA, b"\x03A\rS", source=ssi.FROM_DECODER)
    assert not list_codes(list(driver.receive_data(inside, 3.0)))


class SsiLine:
    """A driver whose far end is played by hand: what it sends, with the time of each piece."""

    def __init__(self) -> None:
        self.driver = Ssi("shoe")
        self.now = 100.0
        self.sent: list[tuple[float, bytes]] = []
        self.events: list[DeviceEvent] = []
        self.open_port()

    def open_port(self) -> None:
        self.sent = [(self.now, self.driver.on_port_opened())]
        self.events = []

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.01)):
            data, events = self.driver.on_tick(self.now)
            self.events += events
            if data:
                self.sent.append((self.now, data))
            self.now += 0.01

    def receive(self, packet: bytes) -> None:
        self.events += self.driver.receive_data(packet, self.now)
        self.run(0.02)

    def answer(self, opcode: int, data: bytes = b"") -> None:
        self.receive(ssi.build_packet(opcode, data, source=ssi.FROM_DECODER))

    def packets(self) -> list[bytes]:
        return [data for _, data in self.sent if data != b"\0"]


ASK = bytes.fromhex("05 C7 04 00 EE FE 42")
SET_FOR_GOOD = bytes.fromhex("07 C6 04 08 FF EE 01 FD 39")
SET_FOR_NOW = bytes.fromhex("07 C6 04 00 FF EE 01 FD 41")
PACKETS_OFF, PACKETS_ON = b"\xff\xee\x00", b"\xff\xee\x01"


def with_resend_bit(packet: bytes) -> bytes:
    return ssi.build_packet(packet[1], packet[4:-2], status=packet[3] | 1)


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
    line.run(600.0)
    assert line.packets() == [ASK]
    line.open_port()  # the second time
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_OFF)
    line.run(0.1)
    assert line.packets() == [ASK, SET_FOR_GOOD]
    assert line.events == []
    line.answer(ssi.CMD_ACK)
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


def test_ssi_silent_scanner_is_lost_while_doctor_listens() -> None:
    line = SsiLine()
    line.run(2.9)
    assert [type(event) for event in line.events] == [DeviceLost]


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
    line.run(5.0)
    assert line.events == [DeviceReady("shoe")]


def test_ssi_scanner_that_lost_its_setting_is_asked_again() -> None:
    """Its power was away, the port was not: it sends bare text, which is noise."""
    line = SsiLine()
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_ON)
    line.run(10.0)
    line.receive(b"D07-31\rD07-32\r")
    line.run(0.1)
    assert line.packets() == [ASK, ASK]
    line.answer(ssi.PARAM_SEND, PACKETS_OFF)
    line.run(0.1)
    line.answer(ssi.CMD_ACK)
    assert line.packets()[-1] == SET_FOR_GOOD
    assert [event for event in line.events if not isinstance(event, NoiseDropped)] == [DeviceReady("shoe")]


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
