"""The far end of a CR95HF."""

from functools import reduce
from operator import xor

from drivers.readers.framing import NEED_DATA, Frame, FrameDecoder, NeedData, Padding
from drivers.readers.iso15693 import crc16_x25
from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.readers.polled_reader_simulator import PolledReaderSimulator

ANSWER_DELAY_S = 0.002
INVENTORY_DELAY_S = 0.01
"""How long a word to a tag and its answer take; longer than in the air, where the longest, an inventory of one slot,
takes 5.9 ms (ISO/IEC 15693-3: 5 bytes of 302 us, 12 of 302 us, 0.32 ms between them, starts and ends)."""

NOTHING_ANSWERED, COLLISION = bytes.fromhex("8700"), bytes.fromhex("8A00")
INVALID_LENGTH = bytes.fromhex("8200")
"""What comes back to a command with fewer parameters than it needs (data sheet, error codes of ProtocolSelect)."""

IDENTITY = bytes.fromhex("000F4E4643204653324A41535434002ACE")
BROKEN_BYTE = bytes.fromhex("9005001E250000")
"""What two answers at a time look like to the reader (ST community 37117)."""

GUARD_TIME_S = 0.005
"""How long a tag takes to wake after the protocol was selected (ST's firmware waits as long)."""

END_OF_TYPE_A = bytes.fromhex("280000")


def build_inventory_answer(tag: str) -> bytes:
    """Make the answer to an ISO 15693 inventory: flags, DSFID, UID lowest byte first, air CRC, status."""
    air = b"\0\0" + bytes.fromhex(tag)[::-1]
    data = air + crc16_x25(air).to_bytes(2, "little") + b"\0"
    return bytes((0x80, len(data))) + data


class Cr95HfSimulator(PolledReaderSimulator):
    """Wakes at the first byte; reads one tag of the protocol it was set to, and two tags not at all.

    A tag hears nothing for 5 ms after the protocol was selected, and one of type A that was read does not answer the
    next request. Registers can be written, and are as at power-on whenever the protocol is selected.
    """

    baudrate = 57600
    parity = "N"

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._frame_decoder = FrameDecoder(_parse_command)
        self._awake = False
        self._protocol = 0
        self._selected = self._is_tag_active = False
        self._awake_from = 0.0
        self.registers: dict[int, bytes] = {}
        """What was written since the protocol was selected, each without its flag."""

    def receive_data(self, data: bytes) -> None:
        """Answer commands."""
        with self._lock:
            if not self._awake:
                self._awake = bool(data)
                data = data[1:]
            for command in self._frame_decoder.feed(data):
                if isinstance(command, bytes):
                    self._handle_command(command)

    def _check_tag(self, tag: str) -> None:
        if len(tag) not in (8, 14):
            super()._check_tag(tag)

    def _handle_command(self, command: bytes) -> None:
        match command[0]:
            case 0x55:
                self._queue_frame(b"\x55", ANSWER_DELAY_S)
            case 0x01:
                self._queue_frame(IDENTITY, ANSWER_DELAY_S)
            case 0x02 if len(command) > 2:
                self._protocol, self._selected, self._is_tag_active = command[2], False, False
                self._awake_from = self._clock() + GUARD_TIME_S
                self.registers.clear()
                self._queue_frame(b"\0\0", ANSWER_DELAY_S)
            case 0x08 if len(command) > 2:
                self._queue_frame(b"\0\x01" + self.registers.get(command[2], b"\0")[-1:], ANSWER_DELAY_S)
            case 0x09 if len(command) > 4:
                self.registers[command[2]] = command[4:]
                self._queue_frame(b"\0\0", ANSWER_DELAY_S)
            case 0x02 | 0x08 | 0x09:
                self._queue_frame(INVALID_LENGTH, ANSWER_DELAY_S)
            case _:
                self._queue_frame(self._answer_air_request(command[2:]), INVENTORY_DELAY_S)

    def _answer_air_request(self, request: bytes) -> bytes:
        there = [tag for tag in self._field if (len(tag) == 16) == (self._protocol == 1)]
        if not there or self._clock() < self._awake_from:
            return NOTHING_ANSWERED
        if len(there) > 1:
            return COLLISION if self._protocol == 1 else BROKEN_BYTE
        if self._protocol == 1:
            return build_inventory_answer(there[0]) if request == b"\x26\x01\x00" else NOTHING_ANSWERED
        return self._answer_type_a(bytes.fromhex(there[0]), request)

    def _answer_type_a(self, uid: bytes, request: bytes) -> bytes:
        first = b"\x88" + uid[:3] if len(uid) == 7 else uid
        match request[:2]:
            case b"\x26\x07" if self._is_tag_active:
                self._is_tag_active = False
                return NOTHING_ANSWERED
            case b"\x26\x07":
                self._is_tag_active = True
                data = b"\x44\x00" if len(uid) == 7 else b"\x04\x00"
            case b"\x93\x20":
                data = first + bytes((reduce(xor, first),))
            case b"\x93\x70":
                self._selected = True
                data = b"\x04\xda\x17"
            case b"\x95\x20" if self._selected and len(uid) == 7:
                data = uid[3:] + bytes((reduce(xor, uid[3:]),))
            case _:
                return NOTHING_ANSWERED
        return bytes((0x80, len(data) + 3)) + data + END_OF_TYPE_A


def _parse_command(data: bytes) -> Frame[bytes] | Padding | NeedData:
    """Judge what may be a command."""
    if data[0] == 0x55:
        return Frame(1, data[:1])
    if data[0] not in (0x01, 0x02, 0x04, 0x08, 0x09):
        return Padding(1)
    if len(data) < 2 or len(data) < 2 + data[1]:
        return NEED_DATA
    return Frame(2 + data[1], data[: 2 + data[1]])
