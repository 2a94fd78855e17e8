"""The RC522 on SPI: its driver, the chip that is simulated register by register, and the port between them.

Sources: NXP's data sheet MFRC522 Rev. 3.9 ("DS"), ISO/IEC 14443-3, and Linux' drivers/spi/spidev.c.
"""

import ctypes
import errno
import os
import threading
from itertools import pairwise
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from drivers.conformance.port_checks import DriverHarness
from drivers.contract.device_errors import DriverConfigError, PortLostError, PortMissingError, PortUnsuitableError
from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady, EventsMissed, NoiseDropped, TagRead
from drivers.contract.transfers import (
    MAX_WAITING_BYTES,
    RequestDecoder,
    Transfer,
    TransferRequest,
    decode_request,
    encode_answer,
    encode_request,
)
from drivers.ports.byte_port import open_port
from drivers.ports.handlers.protocol_spiexchange import TRANSFER_STRUCT, make_message_number
from drivers.readers.poll_session import MAX_GREETING_PAUSE_S
from drivers.readers.rc522 import Rc522, append_crc, make_select_frame
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.readers.iso14443a_tag import Bits, Iso14443aTag, split_uid, to_bits, to_bytes
from drivers.simulators.readers.rc522_chip import Command, Rc522Chip, Register
from drivers.simulators.readers.rc522_simulator import Rc522Simulator
from tests.drivers.device_vectors import DeviceVector, load_vectors
from tests.drivers.serving import list_tags

CLASSIC, OTHER_CLASSIC = "11223344", "11223345"
NTAG, OTHER_NTAG, THIRD_NTAG = "04A035B2BC2B00", "04A035B2BC2B01", "04A035B2BC2B0F"
TRIPLE, OTHER_TRIPLE = "04112233445566778899", "04112233445566778898"


def read(chip: Rc522Chip, *registers: int, now: float = 1.0) -> list[int]:
    return list(chip.transfer(bytes((*(0x80 | register << 1 for register in registers), 0)), now)[1:])


def write(chip: Rc522Chip, register: int, *values: int, now: float = 1.0) -> None:
    chip.transfer(bytes((register << 1, *values)), now)


def awake(version: int = 0x92) -> Rc522Chip:
    chip = Rc522Chip(version)
    read(chip, Register.VERSION, now=0.9)
    return chip


# The chip: what the data sheet says of it.


def test_values_after_a_reset() -> None:
    """DS 9.3: Command 20, Mode 3F, TxControl 80 (antenna off), TxASK 00, RFCfg 48; SoftReset as well."""
    chip = awake()
    names = (Register.COMMAND, Register.MODE, Register.TX_CONTROL, Register.TX_ASK, Register.RF_CFG, Register.VERSION)
    assert read(chip, *names) == [0x20, 0x3F, 0x80, 0x00, 0x48, 0x92]
    for register, value in ((Register.MODE, 0x3D), (Register.TX_CONTROL, 0x83), (Register.RF_CFG, 0x78)):
        write(chip, register, value)
        assert read(chip, register) == [value]
    write(chip, Register.COMMAND, Command.SOFT_RESET)
    assert read(chip, Register.COMMAND)[0] & 0x10, "PowerDown reads 1 until the oscillator runs (DS 9.3.1.2)"
    assert read(chip, *names[1:], now=1.1) == [0x3F, 0x80, 0x00, 0x48, 0x92]


def test_spi_reads_several_registers_and_writes_several_bytes() -> None:
    """DS 8.1.2.1 and 8.1.2.2: the next address goes out while a value comes in; data follow one write address."""
    chip = awake()
    assert chip.transfer(bytes((0xEE, 0x82, 0xA2, 0x00)), 1.0)[1:] == bytes((0x92, 0x20, 0x3F))
    write(chip, Register.FIFO_DATA, 1, 2, 3)
    assert read(chip, Register.FIFO_LEVEL, Register.FIFO_DATA, Register.FIFO_DATA, Register.FIFO_LEVEL) == [3, 1, 2, 1]


def test_fifo_holds_64_bytes_and_tells_when_more_came() -> None:
    """DS 8.3: 64 bytes; BufferOvfl is bit 4 of ErrorReg (9.3.1.7), FlushBuffer clears both (9.3.1.11)."""
    chip = awake()
    write(chip, Register.FIFO_DATA, *range(65))
    assert read(chip, Register.FIFO_LEVEL, Register.ERROR) == [64, 0x10]
    write(chip, Register.FIFO_LEVEL, 0x80)
    assert read(chip, Register.FIFO_LEVEL, Register.ERROR) == [0, 0]


def test_marked_interrupt_bits_are_cleared_or_set() -> None:
    """DS 9.3.1.5: Set1 says whether the marked bits are set."""
    chip = awake()
    write(chip, Register.COM_IRQ, 0x7F)
    assert read(chip, Register.COM_IRQ) == [0]
    write(chip, Register.COM_IRQ, 0x80 | 0x21)
    write(chip, Register.COM_IRQ, 0x01)
    assert read(chip, Register.COM_IRQ) == [0x20]


@pytest.mark.parametrize(("data", "crc"), [("0000", "A01E"), ("1234", "26CF"), ("5000", "57CD")])
def test_crc_a(data: str, crc: str) -> None:
    """ISO 14443-3 annex B has the first two; 50 00 57 CD is HLTA as every reader sends it."""
    assert append_crc(bytes.fromhex(data)).hex().upper() == data + crc
    chip = awake()
    write(chip, Register.MODE, 0x3D)
    write(chip, Register.FIFO_DATA, *bytes.fromhex(data))
    write(chip, Register.COMMAND, Command.CALC_CRC)
    assert read(chip, Register.DIV_IRQ)[0] & 0x04
    assert bytes(read(chip, Register.CRC_RESULT_L, Register.CRC_RESULT_H)).hex().upper() == crc


def send(chip: Rc522Chip, data: bytes, now: float, last_bits: int = 0, align: int = 0) -> None:
    write(chip, Register.COMMAND, Command.IDLE, now=now)
    write(chip, Register.COM_IRQ, 0x7F, now=now)
    write(chip, Register.FIFO_LEVEL, 0x80, now=now)
    write(chip, Register.FIFO_DATA, *data, now=now)
    write(chip, Register.COMMAND, Command.TRANSCEIVE, now=now)
    write(chip, Register.BIT_FRAMING, 0x80 | align << 4 | last_bits, now=now)


def make_field(*tags: str) -> Rc522Chip:
    chip = awake()
    for register, value in ((Register.TX_ASK, 0x40), (Register.COLL, 0x00), (Register.TX_CONTROL, 0x83)):
        write(chip, register, value)
    for tag in tags:
        chip.present(tag, 1.0)
    return chip


def test_timer_ends_a_wait_for_nobody() -> None:
    """DS 8.5: (2 * 169 + 1) * (1000 + 1) clocks of 13.56 MHz are 25.0 ms; TAuto starts it at the end of sending."""
    chip = make_field()
    for register, value in ((0x2A, 0x80), (0x2B, 0xA9), (0x2C, 0x03), (0x2D, 0xE8)):
        write(chip, register, value)
    send(chip, b"\x26", 2.0, last_bits=7)
    assert read(chip, Register.COM_IRQ, now=2.0249)[0] & 0x61 == 0x40
    assert read(chip, Register.COM_IRQ, now=2.0253)[0] & 0x61 == 0x41


def test_answer_is_there_when_it_has_gone_through_the_air() -> None:
    """ISO 14443-3, 6.2.1: 7 bits, 91 us, then 16 bits and their parities at 106 kbit/s; ATQA low byte first."""
    chip = make_field(NTAG)
    send(chip, b"\x26", 2.0, last_bits=7)
    assert not read(chip, Register.COM_IRQ, now=2.0003)[0] & 0x20
    assert read(chip, Register.COM_IRQ, now=2.0004)[0] & 0x20
    assert read(chip, Register.FIFO_LEVEL, *[Register.FIFO_DATA] * 2, now=2.0004) == [2, 0x44, 0x00]


def test_without_antenna_and_in_a_new_field_no_tag_answers() -> None:
    chip = make_field(NTAG)
    write(chip, Register.TX_CONTROL, 0x80, now=2.0)
    send(chip, b"\x26", 2.1, last_bits=7)
    assert read(chip, Register.FIFO_LEVEL, now=2.11) == [0]
    write(chip, Register.TX_CONTROL, 0x83, now=2.2)
    send(chip, b"\x26", 2.201, last_bits=7)
    assert read(chip, Register.FIFO_LEVEL, now=2.204) == [0]
    for now in (2.21, 2.31):
        send(chip, b"\x26", now, last_bits=7)
        assert read(chip, Register.FIFO_LEVEL, now=now + 0.01) == [2]
        write(chip, Register.TX_CONTROL, 0x80, now=now + 0.02)  # it would be ready, and only fall back
        write(chip, Register.TX_CONTROL, 0x83, now=now + 0.03)


def test_two_tags_collide_where_their_uids_differ() -> None:
    """DS 9.3.1.15: CollPos counts from 1; ValuesAfterColl = 0 clears what follows. Bit 1 of 44 and 45 is bit 25."""
    chip = make_field(CLASSIC, OTHER_CLASSIC)
    send(chip, b"\x52", 2.0, last_bits=7)
    assert read(chip, Register.ERROR, now=2.01) == [0], "two equal ATQAs do not collide"
    send(chip, b"\x93\x20", 2.1)
    error, level, place, *data = read(
        chip, Register.ERROR, Register.FIFO_LEVEL, Register.COLL, *[Register.FIFO_DATA] * 5, now=2.11
    )
    assert (error & 0x08, level, place & 0x3F, bytes(data).hex()) == (0x08, 5, 25, "1122330000")
    send(chip, b"\x93\x51\x11\x22\x33\x01", 2.2, last_bits=1, align=1)
    error, level, *data = read(chip, Register.ERROR, Register.FIFO_LEVEL, *[Register.FIFO_DATA] * 2, now=2.21)
    assert (error, level, data[0] | 1) == (0, 2, 0x45)


# Tags: states of ISO 14443-3, 6.2.


def ask(tag: Iso14443aTag, data: bytes, bit_count: int | None = None) -> bytes:
    return to_bytes(tag.answer(to_bits(data, bit_count)))


def select_whole(tag: Iso14443aTag) -> bytes:
    said = b""
    for level in range(3):
        part = ask(tag, bytes(((0x93, 0x95, 0x97)[level], 0x20)))
        said = ask(tag, make_select_frame(level, part[:4]))
        if not said[0] & 0x04:
            return said
    raise AssertionError("no last level")


@pytest.mark.parametrize(
    ("uid", "parts"),
    [
        (CLASSIC, ["1122334444"]),
        (NTAG, ["8804A03519", "B2BC2B0025"]),
        (TRIPLE, ["88041122BF", "88334455AA", "6677889900"]),
    ],
)
def test_cascade_levels(uid: str, parts: list[str]) -> None:
    """ISO 14443-3, 6.5.4: the cascade tag 88 and three bytes, the last level four, each with their exclusive or."""
    assert [part.hex().upper() for part in split_uid(bytes.fromhex(uid))] == parts


@pytest.mark.parametrize("uid", [CLASSIC, NTAG, TRIPLE])
def test_halted_tag_wakes_by_wupa_alone(uid: str) -> None:
    tag = Iso14443aTag(uid)
    assert ask(tag, b"\x26", 7)
    assert select_whole(tag) == append_crc(b"\x08" if uid == CLASSIC else b"\x00")
    assert ask(tag, append_crc(b"\x50\x00")) == b""
    assert ask(tag, b"\x26", 7) == b""
    assert ask(tag, b"\x52", 7)


def test_active_tag_answers_no_request_and_falls_back() -> None:
    """ISO 14443-3, 6.2: a card left active by the last look answers neither REQA nor WUPA, and the next one it does."""
    tag = Iso14443aTag(NTAG)
    ask(tag, b"\x26", 7)
    select_whole(tag)
    assert ask(tag, b"\x52", 7) == b""
    assert ask(tag, b"\x52", 7) == b"\x44\x00"


def test_select_of_another_uid_sends_a_tag_back() -> None:
    tag = Iso14443aTag(CLASSIC)
    ask(tag, b"\x26", 7)
    assert ask(tag, make_select_frame(0, bytes.fromhex(OTHER_CLASSIC))) == b""
    assert ask(tag, b"\x93\x20") == b""
    assert ask(tag, b"\x26", 7)


def test_tags_show_no_uid() -> None:
    assert NTAG not in repr(Iso14443aTag(NTAG))


# Driver and chip together.


class Line:
    """A driver, its port and the chip at its end."""

    def __init__(self, bench: Bench, clock: ManualClock, driver: Rc522, query: str = "") -> None:
        self.harness = DriverHarness(driver, f"sim://rc522/seat4{query}", clock)
        self.simulator = bench.find_simulator("seat4", Rc522Simulator)
        self.clock = clock

    def run(self, seconds: float) -> list[DeviceEvent]:
        return self.harness.run(seconds)

    def read_tags(self, seconds: float) -> list[str]:
        return list_tags(self.run(seconds))


@pytest.fixture
def line(bench: Bench, clock: ManualClock) -> Line:
    """A driver that looks for one tag, and has been told that its chip is there."""
    line = Line(bench, clock, Rc522("seat4"))
    assert line.run(0.5) == [DeviceReady("seat4", "MFRC522 2.0")]
    return line


# Cards that others have recorded.

TRACES = ("MIFARE 1K 847681DD", "DESFire 08E238F6125342", "Ultralight EV1 044AE45A734D81")


def list_trace(card: str) -> list[DeviceVector]:
    return [vector for vector in load_vectors("rc522") if vector.meaning.startswith(card)]


class RecordedTag(Iso14443aTag):
    """Says what the recorded card said to the same bytes; what nobody has recorded, as any card."""

    def __init__(self, card: str) -> None:
        super().__init__(card.rsplit(maxsplit=1)[-1])
        trace = list_trace(card)
        self.answer_by_request = {
            sent.data: heard.data
            for sent, heard in pairwise(trace)
            if heard.is_from_device and not sent.is_from_device and len(sent.data) > 1
        }
        self.heard: list[bytes] = []

    def answer(self, bits: Bits) -> Bits:
        said, sent = super().answer(bits), to_bytes(bits)
        self.heard.append(sent)
        recorded = self.answer_by_request.get(sent)
        return to_bits(recorded) if said and recorded else said


@pytest.mark.parametrize("card", TRACES)
def test_simulated_tag_says_what_the_recorded_one_said(card: str) -> None:
    """But for ATQA and SAK, which tell what kind of card it is."""
    tag = RecordedTag(card)
    plain = Iso14443aTag(tag.uid)
    ask(plain, b"\x26", 7)
    for sent, recorded in tag.answer_by_request.items():
        said = ask(plain, sent)
        if sent[1] == 0x70:
            assert (said[0] & 0x04, len(said)) == (recorded[0] & 0x04, 3)
            assert recorded == append_crc(recorded[:1])
        else:
            assert said == recorded
        if card.startswith("Ultralight"):
            ask(plain, make_select_frame(0, said[:4]))  # the trace has its answer, not the whole of it


@pytest.mark.parametrize("card", TRACES)
def test_recorded_card_is_read_with_the_recorded_bytes(line: Line, clock: ManualClock, card: str) -> None:
    tag = RecordedTag(card)
    line.simulator.chip.add_tag(tag, clock())
    assert set(line.read_tags(0.5)) == {tag.uid}
    sent = {vector.data for vector in list_trace(card) if not vector.is_from_device}
    assert sent <= set(tag.heard)


@pytest.mark.parametrize(
    ("request_bytes", "periods"), [(b"\x52", 4484), (b"\x93\x20", 16404 - 7040), (b"select", 34180 - 19072)]
)
def test_air_takes_as_long_as_in_the_trace(request_bytes: bytes, periods: int) -> None:
    """Of the DESFire, in periods of 13.56 MHz; the simulated one is never quicker, and the driver waits for longer."""
    chip = make_field("08E238F6125342")
    for data in (b"\x52", b"\x93\x20", make_select_frame(0, bytes.fromhex("8808E238"))):
        began = 2.0 + len(data) / 100
        send(chip, data, began, last_bits=7 if len(data) == 1 else 0)
        if data == request_bytes or (request_bytes == b"select" and len(data) == 9):
            early, late = began + periods / 13.56e6, began + periods * 1.08 / 13.56e6
            assert not read(chip, Register.COM_IRQ, now=early)[0] & 0x20
            assert read(chip, Register.COM_IRQ, now=late)[0] & 0x20
            return
        read(chip, Register.COM_IRQ, now=began + 0.005)
    raise AssertionError("never sent")


@pytest.mark.parametrize(
    ("version", "chip"),
    [("91", "MFRC522 1.0"), ("92", "MFRC522 2.0"), ("12", "RC522 clone"), ("88", "FM17522"), ("B2", "FM17522")],
)
def test_ready_with_each_version(bench: Bench, clock: ManualClock, version: str, chip: str) -> None:
    line = Line(bench, clock, Rc522("seat4"), f"?version={version}")
    assert line.run(0.5) == [DeviceReady("seat4", chip)]


def test_version_that_nobody_knows_is_no_hindrance(bench: Bench, clock: ManualClock) -> None:
    """Clones read as they like; what keeps its settings and finds tags is good enough."""
    line = Line(bench, clock, Rc522("seat4"), "?version=37")
    assert line.run(0.5) == [DeviceReady("seat4", "unknown chip, version 37")]
    line.simulator.present(NTAG)
    assert set(line.read_tags(0.3)) == {NTAG}


@pytest.mark.parametrize("uid", [CLASSIC, NTAG, TRIPLE])
@pytest.mark.parametrize("tags", [1, 2])
def test_one_tag_twice_in_a_row(bench: Bench, clock: ManualClock, uid: str, tags: int) -> None:
    line = Line(bench, clock, Rc522("seat4", tags=tags))  # type: ignore[arg-type]
    line.run(0.5)
    for _ in range(2):
        line.simulator.present(uid)
        assert set(line.read_tags(0.5)) == {uid}
        line.simulator.remove()
        line.run(0.05)  # an answer may be under way
        assert line.read_tags(0.5) == []


@pytest.mark.parametrize(
    "uids",
    [
        (CLASSIC, OTHER_CLASSIC),
        (CLASSIC, "112233C4"),
        (NTAG, OTHER_NTAG),
        (CLASSIC, NTAG),
        (TRIPLE, OTHER_TRIPLE),
        (CLASSIC, TRIPLE),
    ],
    ids=["level 1", "last bit", "level 2", "4 and 7", "level 3", "4 and 10"],
)
def test_two_tags_that_lie_on_each_other(bench: Bench, clock: ManualClock, uids: tuple[str, str]) -> None:
    driver = Rc522("seat4", tags=2)
    line = Line(bench, clock, driver)
    line.run(0.5)
    for uid in uids:
        line.simulator.present(uid)
    times: dict[str, list[float]] = {uid: [] for uid in uids}
    for _ in range(600):
        for tag in line.read_tags(0.005):
            times[tag].append(clock())
    for at in times.values():
        assert max(later - earlier for earlier, later in pairwise(at)) < driver.absence_timeout_s
    line.simulator.remove(uids[0])
    line.run(0.2)
    assert set(line.read_tags(0.5)) == {uids[1]}


def test_three_tags_are_read_one_by_one_at_least(bench: Bench, clock: ManualClock) -> None:
    """Of more than it looks for it reads some; none that is not there."""
    line = Line(bench, clock, Rc522("seat4", tags=2))
    line.run(0.5)
    present = {NTAG, OTHER_NTAG, THIRD_NTAG}
    for uid in present:
        line.simulator.present(uid)
    read_tags = set(line.read_tags(3.0))
    assert len(read_tags) >= 2
    assert read_tags <= present


@pytest.mark.parametrize(("uid", "dwell_s"), [(CLASSIC, 0.05), (NTAG, 0.07)])
def test_time_that_a_tag_must_lie_there(line: Line, uid: str, dwell_s: float) -> None:
    """What docs/devices.md says, on the grid of 5 ms on which the harness looks."""
    for phase in range(8):
        line.run(0.1 + phase * 0.005)
        line.simulator.present(uid)
        during = line.read_tags(dwell_s)
        line.simulator.remove()
        assert uid in during + line.read_tags(0.04)


class LyingTag(Iso14443aTag):
    """Says a UID and answers its selection, but with a bit wrong."""

    def __init__(self, uid: str, what: str) -> None:
        super().__init__(uid)
        self.what = what

    def answer(self, bits: Bits) -> Bits:
        said, sent = bytearray(to_bytes(super().answer(bits))), to_bytes(bits)
        if self.what == "UID" and len(said) == 5:
            said[4] ^= 0x01
        if len(sent) == 9:
            said = bytearray(append_crc(b"\x08"))
            if self.what == "CRC":
                said[2] ^= 0x01
            if self.what == "cascade":
                said = bytearray(append_crc(b"\x04"))
        return to_bits(said)


@pytest.mark.parametrize(("what", "is_read"), [("nothing", True), ("UID", False), ("CRC", False), ("cascade", False)])
def test_damaged_answer_is_no_tag(line: Line, clock: ManualClock, what: str, is_read: bool) -> None:
    """The UID has its exclusive or, the SAK its CRC and the word that the UID goes on."""
    line.simulator.chip.add_tag(LyingTag(CLASSIC, what), clock())
    assert bool(line.read_tags(1.0)) == is_read


def test_three_tags_of_which_two_are_alike_to_the_last_bit(line: Line) -> None:
    """It goes on bit by bit, through zeros as well."""
    for uid in ("10000000", "11000000", "11000080"):
        line.simulator.present(uid)
    assert set(line.read_tags(4.0)) == {"10000000", "11000000", "11000080"}


class Wiretap:
    """Requests as they come to the simulator, with their times; `swallows` is how many the next ones get lost."""

    def __init__(self, line: Line) -> None:
        self.requests: list[tuple[float, TransferRequest]] = []
        self.swallows = 0
        self._receive, self._clock = line.simulator.receive_data, line.clock
        line.simulator.receive_data = self._listen  # type: ignore[method-assign]

    def _listen(self, data: bytes) -> None:
        self.requests += [(self._clock(), request) for request in RequestDecoder().receive_data(data)]
        if self.swallows and data:
            self.swallows -= 1
        else:
            self._receive(data)


def test_chip_gets_time_for_its_reset(bench: Bench, clock: ManualClock) -> None:
    line = Line(bench, clock, Rc522("seat4"))
    tap = Wiretap(line)
    line.run(0.5)
    assert [request.number for _, request in tap.requests[:3]] == [1, 2, 3]
    assert tap.requests[1][0] - tap.requests[0][0] >= 0.05


def test_slower_looks(bench: Bench, clock: ManualClock) -> None:
    line = Line(bench, clock, Rc522("seat4", poll_seconds=0.5))
    tap = Wiretap(line)
    line.run(10.0)
    assert 18 <= len(tap.requests) <= 22
    assert line.harness.driver.absence_timeout_s > 1.0  # type: ignore[attr-defined]
    line.simulator.present(NTAG)
    assert line.read_tags(1.0)


def test_looks_leave_the_bus_its_rest(line: Line) -> None:
    """Some fifty looks a second into an empty field, however often the driver is ticked; but a step follows a step."""
    tap = Wiretap(line)
    line.run(1.0)
    assert 38 <= len(tap.requests) <= 52
    line.simulator.present(NTAG)
    line.run(0.03)
    assert NTAG in line.read_tags(0.03)


def test_step_without_an_answer_is_followed_by_the_first_one(bench: Bench, clock: ManualClock) -> None:
    line = Line(bench, clock, Rc522("seat4"))
    tap = Wiretap(line)
    line.run(0.5)
    line.simulator.present(NTAG)
    while tap.requests[-1][1].number == 3:
        line.run(0.005)
    tap.requests.clear()
    tap.swallows = 1
    assert NTAG in line.read_tags(0.6)
    assert [request.number for _, request in tap.requests[:2]] == [5, 3]


def test_answer_to_another_request_is_noise() -> None:
    driver = Rc522("seat4")
    driver.on_port_opened()
    data, _ = driver.on_tick(1.0)
    assert data[0] == 1
    late = encode_answer(7, [b"\0\0"])
    assert driver.receive_data(late, 1.01) == [NoiseDropped("seat4", len(late), "not the number of the request")]


def test_slips_of_the_bus_now_and_then_are_no_loss(line: Line) -> None:
    events: list[DeviceEvent] = []
    for _ in range(8):
        line.simulator.bus = "low"
        events += line.run(0.02)
        line.simulator.bus = "chip"
        events += line.run(0.1)
    assert len(events) > 4
    assert all(isinstance(event, NoiseDropped) for event in events)


def test_wrong_settings_once_are_noise(line: Line) -> None:
    """A bit that slipped on the bus; a chip that was reset says so again."""
    transfer, slips = line.simulator.chip.transfer, 1

    def slip(data: bytes, now: float) -> bytes:
        nonlocal slips
        came = transfer(data, now)
        if slips and data[0] == 0xEE:
            slips -= 1
            return came[:-1] + bytes((came[-1] ^ 0x01,))
        return came

    line.simulator.chip.transfer = slip  # type: ignore[method-assign]
    assert line.run(0.5) == [NoiseDropped("seat4", 8, "wrong settings")]


@pytest.mark.parametrize(("bus", "words"), [("low", "all 00"), ("high", "all FF")])
def test_bus_without_a_chip(bench: Bench, clock: ManualClock, bus: str, words: str) -> None:
    line = Line(bench, clock, Rc522("seat4"), f"?bus={bus}")
    (lost,) = line.run(5.0)
    assert isinstance(lost, DeviceLost)
    assert words in lost.reason
    line.simulator.bus = "chip"
    line.simulator.present(NTAG)
    events = line.run(2.0)
    assert events[0] == DeviceReady("seat4", "MFRC522 2.0")
    assert events[1] == TagRead("seat4", NTAG)


@pytest.mark.parametrize("bus", ["low", "high"])
def test_reader_that_is_pulled_out_and_put_back(line: Line, bus: str) -> None:
    for _ in range(2):
        line.simulator.present(NTAG)
        line.run(0.3)
        line.simulator.bus = bus
        events = line.run(0.2)
        assert [event for event in events if isinstance(event, DeviceLost)]
        assert not any(isinstance(event, TagRead) for event in events[-1:])
        line.simulator.chip.reset()
        line.simulator.bus = "chip"
        line.simulator.remove()
        assert DeviceReady("seat4", "MFRC522 2.0") in line.run(2.0)
        line.simulator.present(OTHER_NTAG)
        assert set(line.read_tags(0.3)) == {OTHER_NTAG}
        line.simulator.remove()


def test_chip_that_was_reset_is_found_and_set_up_anew(bench: Bench, clock: ManualClock) -> None:
    line = Line(bench, clock, Rc522("seat4", gain=48))
    line.run(0.5)
    line.simulator.present(NTAG)
    for _ in range(2):
        assert line.read_tags(0.3)
        line.simulator.lose_power()
        events = line.run(0.3)
        assert [type(event) for event in events if not isinstance(event, TagRead | NoiseDropped)] == [
            EventsMissed,
            DeviceReady,
        ]
        assert read(line.simulator.chip, Register.RF_CFG, Register.TX_CONTROL, now=clock()) == [0x78, 0x83]
        assert line.read_tags(0.3)


def test_chip_that_is_reset_again_and_again_is_lost(line: Line) -> None:
    """Whoever is told ten times a second that cards may have been missed is told nothing, and the log fills up."""
    events: list[DeviceEvent] = []
    for _ in range(600):
        line.simulator.lose_power()
        events += line.run(0.1)
    told = [event for event in events if not isinstance(event, NoiseDropped)]
    assert sum(isinstance(event, EventsMissed) for event in told) <= 2
    lost = next(event for event in told if isinstance(event, DeviceLost))
    assert lost.reason == "its chip is reset again and again; does its 3.3 V dip?"
    assert len(told) <= 2 * 60 / MAX_GREETING_PAUSE_S + 12
    line.simulator.present(NTAG)
    assert NTAG in line.read_tags(2 * MAX_GREETING_PAUSE_S)


def test_slip_of_the_bus_is_noise_and_no_loss(line: Line) -> None:
    line.simulator.bus = "low"
    events = line.run(0.03)
    line.simulator.bus = "chip"
    events += line.run(0.5)
    assert events
    assert all(isinstance(event, NoiseDropped) for event in events)


@pytest.mark.parametrize("tags", [1, 2])
def test_bits_that_arrive_wrong_make_no_other_tag(bench: Bench, clock: ManualClock, tags: int) -> None:
    line = Line(bench, clock, Rc522("seat4", tags=tags), "?flip=0.002")  # type: ignore[arg-type]
    line.run(1.0)
    present = [NTAG, CLASSIC][:tags]
    for uid in present:
        line.simulator.present(uid)
    assert set(line.read_tags(30.0)) == set(present)


def test_port_that_is_lost_and_opened_again(bench: Bench, clock: ManualClock) -> None:
    line = Line(bench, clock, Rc522("seat4"))
    line.simulator.present(NTAG)
    line.run(0.51)
    line.harness.port.close()
    again = DriverHarness(line.harness.driver, "sim://rc522/seat4", clock)
    assert TagRead("seat4", NTAG) in again.run(0.5)


@pytest.mark.parametrize("seconds", [0.0, 0.019, 1.1, float("nan")])
def test_refused_poll(seconds: float) -> None:
    with pytest.raises(DriverConfigError) as caught:
        Rc522("seat4", poll_seconds=seconds)
    assert caught.value.key == "poll_seconds"
    assert "0.02 to 1" in caught.value.message


def test_no_step_waits_longer_than_a_tick_or_says_more_than_a_message(bench: Bench, clock: ManualClock) -> None:
    """One message to the kernel holds 32 short transfers (spidev.c); a request is two at most, and done in 10 ms."""
    line = Line(bench, clock, Rc522("seat4"))
    sent: list[TransferRequest] = []
    receive = line.simulator.receive_data

    def listen(data: bytes) -> None:
        sent.extend(RequestDecoder().receive_data(data))
        receive(data)

    line.simulator.receive_data = listen  # type: ignore[method-assign]
    for uid in (NTAG, OTHER_NTAG, CLASSIC):
        line.simulator.present(uid)
    line.run(2.0)
    assert len(sent) > 50
    assert max(len(request.transfers) for request in sent) <= 64
    waits = [sum(transfer.delay_us for transfer in request.transfers) for request in sent]
    assert 2000 < max(waits) <= 6000


# Requests as bytes.


def test_requests_in_pieces() -> None:
    requests = [
        TransferRequest(3, (Transfer(b"\xee\x00"), Transfer(b"\x12\x01\x02", 1500), Transfer(b""))),
        TransferRequest(4, ()),
    ]
    stream = b"".join(map(encode_request, requests))
    assert stream[:12] == bytes((3, 3, 2, 0, 0, 0xEE, 0x00, 3, 0x05, 0xDC, 0x12, 0x01))
    decoder = RequestDecoder()
    assert [request for at in range(len(stream)) for request in decoder.receive_data(stream[at : at + 1])] == requests
    assert all(decode_request(stream[:at]) is None for at in range(len(encode_request(requests[0]))))


def test_begun_request_is_bounded() -> None:
    decoder = RequestDecoder()
    for _ in range(MAX_WAITING_BYTES // 100):
        decoder.receive_data(b"\xff" * 200)
    assert len(vars(decoder)["_pending"]) <= MAX_WAITING_BYTES


# The port. A file stands for the bus, and a chip answers where the kernel would.


class Kernel:
    """What the kernel's spidev does with a message: copies each transfer, and refuses what its buffer does not hold."""

    def __init__(self, chip: Rc522Chip) -> None:
        self.chip = chip
        self.now = 1.0
        self.settings: list[tuple[int, bytes]] = []
        self.is_gone = False

    def ioctl(self, fd: int, number: int, argument: bytes) -> int:
        assert os.fstat(fd)
        if self.is_gone:
            raise OSError(errno.ESHUTDOWN, os.strerror(errno.ESHUTDOWN))
        if number in (0x40016B01, 0x40046B04):
            self.settings.append((number, argument))
            return 0
        entries = list(TRANSFER_STRUCT.iter_unpack(argument))
        assert number == make_message_number(len(entries))
        if sum(-(-entry[2] // 128) * 128 for entry in entries) > 4096:
            raise OSError(errno.EMSGSIZE, os.strerror(errno.EMSGSIZE))
        assert [entry[6] for entry in entries] == [1] * (len(entries) - 1) + [0], "it would stay selected"
        for out_at, in_at, size, speed, delay_us, word_bits, _, *_ in entries:
            assert (speed, word_bits) == (0, 0)
            self.now += 20e-6
            ctypes.memmove(in_at, self.chip.transfer(ctypes.string_at(out_at, size), self.now), size)
            self.now += delay_us / 1e6
        return 0


@pytest.fixture
def kernel(mocker: MockerFixture) -> Kernel:
    made = Kernel(Rc522Chip())
    mocker.patch("fcntl.ioctl", made.ioctl)
    return made


@pytest.fixture
def bus(tmp_path: Path) -> str:
    file = tmp_path / "spidev0.0"
    file.touch()
    return f"spi://{file}"


def serve(driver: Rc522, url: str, kernel: Kernel, ticks: int) -> list[DeviceEvent]:
    port = open_port(url, driver, read_seconds=0)
    port.write(driver.on_port_opened())
    events: list[DeviceEvent] = []
    for _ in range(ticks):
        kernel.now += 0.02
        events += driver.receive_data(port.read(), kernel.now)
        data, more = driver.on_tick(kernel.now)
        port.write(data)
        events += more
    port.close()
    return events


def test_tags_come_over_the_kernels_bus(kernel: Kernel, bus: str) -> None:
    driver = Rc522("seat4")
    kernel.chip.present(NTAG, kernel.now)
    kernel.chip.present(CLASSIC, kernel.now)
    for _ in range(2):
        events = serve(driver, bus, kernel, 40)
        assert events[0] == DeviceReady("seat4", "MFRC522 2.0")
        assert {event.tag for event in events if isinstance(event, TagRead)} == {NTAG, CLASSIC}
    assert kernel.settings[:2] == [(0x40016B01, b"\0"), (0x40046B04, (1_000_000).to_bytes(4, "little"))]


def test_slower_bus(kernel: Kernel, bus: str) -> None:
    assert serve(Rc522("seat4"), f"{bus}?hz=250000", kernel, 10)
    assert kernel.settings[1] == (0x40046B04, (250_000).to_bytes(4, "little"))


@pytest.mark.usefixtures("kernel")
def test_waiting_read_ends_by_a_request_or_by_closing(bus: str) -> None:
    """The thread that reads does the exchange; who writes does not wait."""
    port = open_port(bus, Rc522("seat4"), read_seconds=30)
    answers: list[bytes] = []
    reader = threading.Thread(target=lambda: answers.extend(iter(port.read, b"")))
    reader.start()
    port.write(encode_request(TransferRequest(9, (Transfer(b"\xee\x00"),))))
    port.write(encode_request(TransferRequest(10, (Transfer(b"\xee\x00", 100),))))
    while len(b"".join(answers)) < 8 and reader.is_alive():
        reader.join(0.01)
    port.close()
    reader.join(10)
    assert not reader.is_alive()
    assert b"".join(answers) == bytes((9, 2, 0, 0x92, 10, 2, 0, 0x92))


def test_bus_that_fails_and_requests_that_nobody_takes(kernel: Kernel, bus: str) -> None:
    port = open_port(bus, Rc522("seat4"), read_seconds=0)
    request = encode_request(TransferRequest(9, (Transfer(b"\xee\x00"),)))
    kernel.is_gone = True
    port.write(request)
    with pytest.raises(PortLostError, match="exchange failed"):
        port.read()
    for _ in range(16):
        port.write(request)
    with pytest.raises(PortLostError, match="too many requests wait"):
        port.write(request)
    port.close()
    port.close()


def test_wrong_ports() -> None:
    with pytest.raises(PortUnsuitableError, match=r"its port is spi:///dev/spidev0\.0"):
        open_port("/dev/ttyUSB0", Rc522("seat4"))
    with pytest.raises(PortMissingError, match="switch SPI on"):
        open_port("spi:///dev/spidev9.9", Rc522("seat4"))
