"""The far end of a FEIG OBID reader."""

from drivers.readers.framing import MORE, Frames, More, Skip, Whole
from drivers.readers.iso15693 import crc16
from drivers.sim.bench.twin import Clock
from drivers.sim.readers.polled import PolledTwin

ANSWER_SECONDS = 0.005
FIELD_SECONDS = 0.04
TAGS_A_FRAME = 4
"""How many tags this reader puts into one answer before it says that there is more."""

OK, NO_TAG, UNKNOWN_COMMAND, MORE_DATA = 0x00, 0x01, 0x80, 0x94


def answer(command: int, status: int, data: bytes = b"") -> bytes:
    """Make a standard frame of a reader with address 0."""
    body = bytes((6 + len(data), 0, command, status)) + data
    return body + crc16(body).to_bytes(2, "little")


def tag_record(tag: str) -> bytes:
    """Return the entry of an ISO 15693 tag: type, DSFID, UID highest byte first."""
    return b"\x03\x00" + bytes.fromhex(tag)


class FeigTwin(PolledTwin):
    """Answers inventories, four tags at a time; says nothing to a damaged request."""

    baudrate = 38400
    parity = "E"

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._frames = Frames(_judge)
        self._rest: list[str] = []

    def heard(self, data: bytes) -> None:
        """Answer requests."""
        with self._lock:
            for body in self._frames.feed(data):
                if isinstance(body, bytes):
                    self._obey(body[0], body[1:])

    def _obey(self, command: int, data: bytes) -> None:
        match command, data:
            case 0x65, _:
                self._say(answer(command, OK, bytes.fromhex("0303004453 0D30")), ANSWER_SECONDS)
            case 0x69, _:
                self._say(answer(command, OK), ANSWER_SECONDS)
            case 0xB0, b"\x01\x00":
                self._rest = list(self._field)
                self._inventory()
            case 0xB0, b"\x01\x80":
                self._inventory()
            case _:
                self._say(answer(command, UNKNOWN_COMMAND), ANSWER_SECONDS)

    def _inventory(self) -> None:
        said, self._rest = self._rest[:TAGS_A_FRAME], self._rest[TAGS_A_FRAME:]
        if not said:
            self._say(answer(0xB0, NO_TAG), FIELD_SECONDS)
            return
        data = bytes((len(said),)) + b"".join(tag_record(tag) for tag in said)
        self._say(answer(0xB0, MORE_DATA if self._rest else OK, data), FIELD_SECONDS)


def _judge(data: bytes) -> Whole[bytes] | Skip | More:
    """Judge what may be a request."""
    if not 5 <= data[0] <= 16:
        return Skip(1)
    if len(data) < data[0]:
        return MORE
    return Skip(1) if crc16(data[: data[0]]) else Whole(data[0], data[2 : data[0] - 2])
