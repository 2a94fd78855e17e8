"""The far end of a CR95HF."""

from functools import reduce
from operator import xor

from drivers.readers.framing import MORE, Frames, More, Skip, Whole
from drivers.readers.iso15693 import air_crc
from drivers.sim.bench.twin import Clock
from drivers.sim.readers.polled import PolledTwin

ANSWER_SECONDS = 0.002
FIELD_SECONDS = 0.01
NOTHING_ANSWERED, COLLISION = bytes.fromhex("8700"), bytes.fromhex("8A00")
IDENTITY = bytes.fromhex("000F4E4643204653324A41535434002ACE")
END_OF_TYPE_A = bytes.fromhex("280000")


def inventory_answer(tag: str) -> bytes:
    """Make the answer to an ISO 15693 inventory: flags, DSFID, UID lowest byte first, air CRC, status."""
    air = b"\0\0" + bytes.fromhex(tag)[::-1]
    data = air + air_crc(air).to_bytes(2, "little") + b"\0"
    return bytes((0x80, len(data))) + data


class Cr95HfTwin(PolledTwin):
    """Wakes at the first byte; reads one tag of the protocol it was set to, and two tags not at all."""

    baudrate = 57600
    parity = "N"

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._frames = Frames(_judge)
        self._awake = False
        self._protocol = 0
        self._selected = False

    def heard(self, data: bytes) -> None:
        """Answer commands."""
        with self._lock:
            if not self._awake:
                self._awake = bool(data)
                data = data[1:]
            for command in self._frames.feed(data):
                if isinstance(command, bytes):
                    self._obey(command)

    def _refuse(self, tag: str) -> None:
        if len(tag) not in (8, 14):
            super()._refuse(tag)

    def _obey(self, command: bytes) -> None:
        match command[0]:
            case 0x55:
                self._say(b"\x55", ANSWER_SECONDS)
            case 0x01:
                self._say(IDENTITY, ANSWER_SECONDS)
            case 0x02:
                self._protocol, self._selected = command[2], False
                self._say(b"\0\0", ANSWER_SECONDS)
            case _:
                self._say(self._on_air(command[2:]), FIELD_SECONDS)

    def _on_air(self, request: bytes) -> bytes:
        there = [tag for tag in self._field if (len(tag) == 16) == (self._protocol == 1)]
        if not there:
            return NOTHING_ANSWERED
        if len(there) > 1:
            return COLLISION
        if self._protocol == 1:
            return inventory_answer(there[0]) if request == b"\x26\x01\x00" else NOTHING_ANSWERED
        return self._type_a(bytes.fromhex(there[0]), request)

    def _type_a(self, uid: bytes, request: bytes) -> bytes:
        first = b"\x88" + uid[:3] if len(uid) == 7 else uid
        match request[:2]:
            case b"\x26\x07":
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


def _judge(data: bytes) -> Whole[bytes] | Skip | More:
    """Judge what may be a command."""
    if data[0] == 0x55:
        return Whole(1, data[:1])
    if data[0] not in (0x01, 0x02, 0x04):
        return Skip(1)
    if len(data) < 2 or len(data) < 2 + data[1]:
        return MORE
    return Whole(2 + data[1], data[: 2 + data[1]])
