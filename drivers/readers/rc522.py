"""An RC522 board: the chip NXP MFRC522, or a clone of it, on an SPI bus. Cards and tags of ISO 14443A.

Facts from NXP's data sheet MFRC522 Rev. 3.9: SPI in 8.1.2, registers in section 9, commands in section 10; what goes
through the air from ISO 14443-3. The chip only sends and receives frames: waking tags, telling them apart and selecting
one is done here, one request of the port for each step. A request is a list of transfers with the waits between them,
so that nobody but the port waits. The next step is sent as soon as the last was answered; a UID of four bytes takes
two, one of seven bytes three.

Nothing on the bus is checked, and yet a UID is right at its first mention: the tag is sent its own UID with a CRC, and
only the one that has it answers, with a CRC. Every request asks the chip for its version and its settings as well: a
bus without a chip reads all 00 or all FF, and a chip that was reset by a dip of its supply has its antenna off.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import (
    TICK_INTERVAL_S,
    DeviceEvent,
    EventsMissed,
    NoiseDropped,
    TagRead,
)
from drivers.contract.transfers import Transfer, TransferRequest, decode_request, encode_request
from drivers.readers.framing import NEED_DATA, Frame, FrameReceiver, NeedData, Noise
from drivers.readers.iso15693 import crc16_mcrf4xx
from drivers.readers.poll_session import PollSession, Request
from drivers.readers.polled_reader import PolledReader


class Register(IntEnum):
    """Addresses of the registers that are used (table 20)."""

    COMMAND = 0x01
    COM_IRQ = 0x04
    ERROR = 0x06
    FIFO_DATA = 0x09
    FIFO_LEVEL = 0x0A
    BIT_FRAMING = 0x0D
    COLL = 0x0E
    MODE = 0x11
    TX_MODE = 0x12
    RX_MODE = 0x13
    TX_CONTROL = 0x14
    TX_ASK = 0x15
    RF_CFG = 0x26
    VERSION = 0x37


IDLE, TRANSCEIVE, SOFT_RESET = 0x00, 0x0C, 0x0F
START_SEND = 0x80
COLLISION_ERROR, RECEIVE_ERRORS = 0x08, 0x13
"""Bits of ErrorReg: a collision; FIFO overflow, parity and protocol (9.3.1.7)."""

COLLISION_PLACE_INVALID = 0x20

RESET_PAUSE_S = 0.05
"""What the chip gets for its reset: how long its crystal takes is not in the data sheet (8.8.2), and
miguelbalboa/rfid waits this long."""

STARTUP_REQUESTS = 2

REQUEST_TIMEOUT_S = 0.3
FRAME_TIMEOUT_S = 0.25

RF_CFG_BY_GAIN = {18: 0x08, 23: 0x18, 33: 0x48, 38: 0x58, 43: 0x68, 48: 0x78}
"""Gain of the receiver in dB -> RFCfgReg (table 98); its lower bits are reserved and stay as at a reset."""

WAKE_UP, REQUEST = 0x52, 0x26
"""WUPA wakes halted tags too, REQA only those that were not halted (ISO 14443-3, 6.4.1)."""

SELECT_CODES = (0x93, 0x95, 0x97)
CASCADE_TAG, CASCADE_BIT = 0x88, 0x04
CRC_A_PRESET = 0x6363

WAKE_DELAY_US, ANTICOLLISION_DELAY_US, SELECT_DELAY_US, HALT_DELAY_US = 600, 1000, 1500, 1500
"""Waits for answers: at 106 kbit/s a request is 0.09 ms, an answer is there after 0.36, 0.72 and 1.14 ms, and a halted
tag says nothing for 1 ms."""

MAX_ANSWER_BYTES = 5
"""The longest answer: a UID's four bytes and their exclusive or."""

MAX_BAD_ANSWERS = 3
"""So many answers in a row with a wrong version or wrong settings are no slip of the bus."""

MAX_RESETS, RESET_WINDOW_S = 3, 30.0
"""So many resets of the chip within so many seconds are no dip of its supply, but a fault."""

MAX_POLL_S = 1.0

EMPTY_LOOK_S = 0.005
"""What a look that finds nothing takes, with the program's own time: 2.2 ms on a bus of 1 MHz. The pause after it makes
up the rest, so that the bus and the processor are not kept busy without an end, and three slips of a bus
(`MAX_BAD_ANSWERS`) are never those of one moment."""

CHIP_BY_VERSION = {
    0x12: "RC522 clone", 0x82: "FM17522", 0x88: "FM17522", 0x90: "MFRC522 0.0", 0x91: "MFRC522 1.0",
    0x92: "MFRC522 2.0", 0xB2: "FM17522",
}  # fmt: skip
"""VersionReg -> what it is (9.3.4.8; clones as the library miguelbalboa/rfid and its issues have them)."""


@dataclass(frozen=True, slots=True)
class AirAnswer:
    """What came back through the air: whole bytes, and the bit (from 1) at which several tags first disagreed."""

    data: bytes = field(repr=False)
    has_collision: bool
    collision_bit: int | None
    is_damaged: bool


def append_crc(data: bytes) -> bytes:
    """Return a frame with its CRC_A (ISO 14443-3, annex B)."""
    return data + crc16_mcrf4xx(data, CRC_A_PRESET).to_bytes(2, "little")


def write_register(register: Register, *values: int) -> Transfer:
    """Write bytes to one register (8.1.2.2)."""
    return Transfer(bytes((register << 1, *values)))


def read_registers(*registers: Register, delay_us: int = 0) -> Transfer:
    """Read registers, each while the next one's address is sent (8.1.2.1)."""
    return Transfer(bytes((*(0x80 | register << 1 for register in registers), 0)), delay_us)


AIR_REGISTERS = (
    Register.ERROR,
    Register.FIFO_LEVEL,
    Register.COLL,
    *[Register.FIFO_DATA] * MAX_ANSWER_BYTES,
)


def send_through_air(data: bytes, delay_us: int, last_bits: int = 0, align: int = 0) -> tuple[Transfer, ...]:
    """Send a frame, wait, and read what tags answered; the last byte has `last_bits`, 0 for all.

    `align` is where in its first byte the answer begins.
    """
    framing = align << 4 | last_bits
    return (
        write_register(Register.COMMAND, IDLE),
        write_register(Register.COM_IRQ, 0x7F),
        write_register(Register.FIFO_LEVEL, 0x80),
        write_register(Register.FIFO_DATA, *data),
        write_register(Register.COMMAND, TRANSCEIVE),
        write_register(Register.BIT_FRAMING, START_SEND | framing),
        read_registers(Register.COM_IRQ, delay_us=delay_us),
        read_registers(*AIR_REGISTERS),
    )


AIR_TRANSFERS = len(send_through_air(b"", 0))


def parse_air_answer(received: bytes) -> AirAnswer:
    """Read what the last of the transfers of `send_through_air` brought."""
    error, level, place = received[1:4]
    data = received[4 : 4 + level] if level <= MAX_ANSWER_BYTES else b""
    return AirAnswer(
        data,
        bool(error & COLLISION_ERROR),
        None if place & COLLISION_PLACE_INVALID else (place & 0x1F) or 32,
        bool(error & RECEIVE_ERRORS) or level > MAX_ANSWER_BYTES,
    )


@dataclass(frozen=True, slots=True)
class Search:
    """How far the search for a tag has come: its UID so far, and the known bits at this cascade level."""

    level: int = 0
    uid: bytes = field(default=b"", repr=False)
    known: tuple[int, ...] = field(default=(), repr=False)
    selected: bytes | None = field(default=None, repr=False)
    """The four bytes that are all known at this level, and can be selected."""


class Rc522(PolledReader[tuple[bytes, ...]]):
    """An RC522; reports every tag in its field, again with each poll.

    `tags` is how many tags it looks for at once: two lie on each other at a seat. `gain` is that of its receiver in dB.
    `poll_seconds` is the time between two looks into an empty field; looks that find tags take longer by their steps.
    """

    baudrate = 1_000_000
    parity = "N"
    stopbits = 1.0
    is_full_duplex = True

    def __init__(
        self,
        name: str,
        *,
        tags: Literal[1, 2] = 2,
        gain: Literal[18, 23, 33, 38, 43, 48] = 33,
        poll_seconds: float = TICK_INTERVAL_S,
    ) -> None:
        if not TICK_INTERVAL_S <= poll_seconds <= MAX_POLL_S:
            text = f"it must be seconds from {TICK_INTERVAL_S:g} to {MAX_POLL_S:g}, not {poll_seconds:g}"
            raise DriverConfigError(name, "poll_seconds", text)
        self.absence_timeout_s = 0.2 + 0.1 * tags + 2 * poll_seconds
        self._tags = tags
        self._pause_s = poll_seconds - EMPTY_LOOK_S
        self._settings = {
            Register.TX_MODE: 0x00,  # 106 kbit/s, no CRC of the chip's own
            Register.RX_MODE: 0x00,
            Register.TX_ASK: 0x40,  # 100 % modulation
            Register.MODE: 0x3D,
            Register.RF_CFG: RF_CFG_BY_GAIN[gain],
            Register.TX_CONTROL: 0x83,  # antenna on; last, as tags begin to live with it
        }
        self._watch = read_registers(Register.VERSION, *self._settings)
        self._number = STARTUP_REQUESTS
        """Number of the last request; each cycle counts anew, so that a record that is played finds its way back."""
        self._is_sent = False
        self._bad_answers = self._lapses = 0
        self._reset_times: list[float] = []
        self._version: int | None = None
        self._prefers_one = True
        self._found_count = 0
        self._search: Search | None = None
        self._request = self._make_wake_request()
        session = PollSession(name, self._make_startup_requests(), self._choose_request)
        super().__init__(name, session, FrameReceiver(name, self._parse_answer, FRAME_TIMEOUT_S))

    def on_port_opened(self) -> bytes:
        """Begin anew, with a reset of the chip."""
        self._bad_answers = self._lapses = 0
        self._reset_times = []
        self._begin_cycle()
        return super().on_port_opened()

    def _make_startup_requests(self) -> tuple[Request, ...]:
        reset = TransferRequest(1, (write_register(Register.COMMAND, SOFT_RESET),))
        settings = [write_register(register, value) for register, value in self._settings.items()]
        set_up = TransferRequest(STARTUP_REQUESTS, (*settings, self._watch))
        return (
            Request(encode_request(reset), REQUEST_TIMEOUT_S),
            Request(encode_request(set_up), REQUEST_TIMEOUT_S, RESET_PAUSE_S),
        )

    # What is sent.

    def _make_request(self, *blocks: tuple[Transfer, ...], pause_s: float = 0.0) -> Request:
        self._number += 1
        self._is_sent = False
        transfers = (self._watch, *(transfer for block in blocks for transfer in block))
        return Request(encode_request(TransferRequest(self._number, transfers)), REQUEST_TIMEOUT_S, pause_s)

    def _make_wake_request(self) -> Request:
        wake = send_through_air(bytes((WAKE_UP,)), WAKE_DELAY_US, last_bits=7)
        return self._make_request(wake, ask_for_uid(0), pause_s=self._pause_s)

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Send the next step."""
        data, events = super().on_tick(now)
        self._is_sent = self._is_sent or bool(data)
        return data, events

    def _choose_request(self) -> Request:
        """Return the next step; the first one where a step was not answered."""
        if self._is_sent:
            self._begin_cycle()
        return self._request

    def _begin_cycle(self) -> None:
        """Look into the field anew."""
        self._search, self._found_count, self._number = None, 0, STARTUP_REQUESTS
        self._prefers_one = not self._prefers_one
        self._request = self._make_wake_request()

    def _continue_search(self, search: Search) -> None:
        """Send the next step of a search."""
        self._search = search
        if search.selected is None:
            self._request = self._make_request(ask_for_uid(search.level, search.known))
            return
        select = send_through_air(make_select_frame(search.level, search.selected), SELECT_DELAY_US)
        if search.selected[0] == CASCADE_TAG:
            self._request = self._make_request(select, ask_for_uid(search.level + 1))
            return
        blocks = [select, send_through_air(append_crc(b"\x50\x00"), HALT_DELAY_US)]
        if self._found_count + 1 < self._tags:
            blocks += [send_through_air(bytes((REQUEST,)), WAKE_DELAY_US, last_bits=7), ask_for_uid(0)]
        self._request = self._make_request(*blocks)

    # What comes back.

    def _parse_answer(self, data: bytes) -> Frame[tuple[bytes, ...]] | Noise | NeedData:
        """Judge by the request that is open: an answer has its number and its lengths."""
        asked = self._session.pending_request
        open_request = None if asked is None else decode_request(asked)
        if open_request is None:
            return Noise("nothing was asked")
        request, _ = open_request
        if data[0] != request.number:
            return Noise("not the number of the request")
        received: list[bytes] = []
        at = 1
        for transfer in request.transfers:
            if at >= len(data):
                return NEED_DATA
            if data[at] != len(transfer.data):
                return Noise("not the length of the request")
            received.append(data[at + 1 : at + 1 + len(transfer.data)])
            at += 1 + len(transfer.data)
        return Frame(at, tuple(received)) if len(data) >= at else NEED_DATA

    def _handle_response(self, answer: tuple[bytes, ...]) -> list[DeviceEvent]:
        if not self._session.is_ready:
            return self._handle_startup(answer)
        version, *settings = answer[0][1:]
        if version != self._version:
            return self._handle_wrong_version(version, len(answer[0]))
        self._bad_answers = 0
        if settings != list(self._settings.values()):
            return self._handle_lapse(len(answer[0]))
        self._lapses = 0
        events = self._session.on_response(self._now)
        return [*events, *self._handle_step(answer[1:])]

    def _handle_startup(self, answer: tuple[bytes, ...]) -> list[DeviceEvent]:
        if len(answer) == 1:
            return self._session.on_response(self._now)
        version, *settings = answer[-1][1:]
        if settings != list(self._settings.values()):
            return self._session.on_refusal(describe_wrong_version(version), self._now)
        self._version = version
        self._session.firmware = CHIP_BY_VERSION.get(version, f"unknown chip, version {version:02X}")
        self._begin_cycle()
        return self._session.on_response(self._now)

    def _handle_wrong_version(self, version: int, byte_count: int) -> list[DeviceEvent]:
        """Take a slip of the bus for noise, and several in a row for a reader that is gone."""
        self._begin_cycle()
        self._bad_answers += 1
        if self._bad_answers < MAX_BAD_ANSWERS:
            return [NoiseDropped(self.name, byte_count, "wrong version"), *self._session.on_response(self._now)]
        self._bad_answers = 0
        return self._session.on_refusal(describe_wrong_version(version), self._now)

    def _handle_lapse(self, byte_count: int) -> list[DeviceEvent]:
        """Set the chip up anew where it has lost its settings for good; one that does so again and again is lost."""
        self._begin_cycle()
        self._lapses += 1
        if self._lapses < 2:
            return [NoiseDropped(self.name, byte_count, "wrong settings"), *self._session.on_response(self._now)]
        self._lapses = 0
        self._reset_times = [*self._reset_times, self._now][-MAX_RESETS:]
        if len(self._reset_times) == MAX_RESETS and self._now - self._reset_times[0] < RESET_WINDOW_S:
            return self._session.on_refusal("its chip is reset again and again; does its 3.3 V dip?", self._now)
        self._session.restart()
        return [EventsMissed(self.name, "its chip was reset and is set up anew; does its 3.3 V dip?")]

    def _handle_step(self, blocks: tuple[bytes, ...]) -> list[DeviceEvent]:
        """Go on by what each frame through the air brought."""
        answers = [parse_air_answer(blocks[end]) for end in range(AIR_TRANSFERS - 1, len(blocks), AIR_TRANSFERS)]
        search = self._search
        if search is None:
            self._follow_uid(Search(), answers[-1])
            return []
        if search.selected is None:
            self._follow_uid(search, answers[-1])
            return []
        sak = answers[0].data
        whole = len(sak) == 3 and sak == append_crc(sak[:1]) and not answers[0].is_damaged
        goes_on = search.selected[0] == CASCADE_TAG
        if not whole or bool(sak[0] & CASCADE_BIT) != goes_on:
            self._begin_cycle()
            return []
        if goes_on:
            self._follow_uid(Search(search.level + 1, search.uid + search.selected[1:]), answers[-1])
            return []
        self._found_count += 1
        if self._found_count < self._tags:
            self._follow_uid(Search(), answers[-1])
        else:
            self._begin_cycle()
        return [TagRead(self.name, (search.uid + search.selected).hex().upper())]

    def _follow_uid(self, search: Search, answer: AirAnswer) -> None:
        """Select the tag that said its UID; where several did, ask some of them only; begin anew where none did."""
        if search.level == len(SELECT_CODES) or (answer.is_damaged and not answer.has_collision):
            self._begin_cycle()
            return
        bits = [byte >> n & 1 for byte in answer.data for n in range(8)]
        known = len(search.known)
        told = [*search.known, *bits[known % 8 :]]
        if not answer.has_collision:
            part = bytes(sum(bit << n for n, bit in enumerate(told[at : at + 8])) for at in range(0, len(told), 8))
            if len(part) != 5 or part[0] ^ part[1] ^ part[2] ^ part[3] != part[4]:
                self._begin_cycle()
                return
            self._continue_search(Search(search.level, search.uid, (), part[:4]))
            return
        if known:
            # The data sheet does not say how the place of a collision counts in an answer that begins within a byte:
            # one bit more. Before the collision it is as received, and at the collision either will do.
            branch = told[: known + 1]
        else:
            common = 32 if answer.collision_bit is None else answer.collision_bit - 1
            branch = [*told[:common], int(self._prefers_one)]
        if len(branch) <= known or len(branch) > min(32, len(told)):
            self._begin_cycle()
            return
        self._continue_search(Search(search.level, search.uid, tuple(branch)))


def ask_for_uid(level: int, known: tuple[int, ...] = ()) -> tuple[Transfer, ...]:
    """Ask for the rest of the UID those tags of which the first bits are known (ISO 14443-3, 6.5.3)."""
    count = len(known)
    data = bytes(sum(bit << n for n, bit in enumerate(known[at : at + 8])) for at in range(0, count, 8))
    valid = (2 + count // 8) << 4 | count % 8
    return send_through_air(
        bytes((SELECT_CODES[min(level, 2)], valid)) + data, ANTICOLLISION_DELAY_US, count % 8, count % 8
    )


def make_select_frame(level: int, part: bytes) -> bytes:
    """Select the tag that has these four bytes at a cascade level."""
    return append_crc(bytes((SELECT_CODES[level], 0x70)) + part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],)))


def describe_wrong_version(version: int) -> str:
    """Say what a bus looks like that is not that of an RC522."""
    if version == 0xFF:
        return "its bus reads all FF; is the reader plugged in, and at this chip select?"
    if version == 0x00:
        return "its bus reads all 00; are its 3.3V and its RST at 3.3 V, and MISO and MOSI the right way round?"
    return (
        "it does not keep what is written to it; is it an RC522, and are its wires short? ?hz=250000 slows the bus down"
    )
