"""The far end of a FEIG OBID reader."""

from drivers.readers.framing import NEED_DATA, Frame, FrameDecoder, NeedData, Padding
from drivers.readers.iso15693 import crc16_mcrf4xx
from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.readers.polled_reader_simulator import PolledReaderSimulator

ANSWER_DELAY_S = 0.005
INVENTORY_DELAY_S = 0.04
"""How long looking for tags takes: nobody timed one; the middle of what 16 slots of ISO/IEC 15693-3 take, from 16 ms
with empty slots cut short (100 % modulation) to 74 ms with none (10 %)."""

MAX_TAGS_PER_FRAME = 4
"""How many tags this reader puts into one answer before it says that there is more."""

OK, NO_TAG, UNKNOWN_COMMAND, MORE_DATA = 0x00, 0x01, 0x80, 0x94


def build_answer(command: int, status: int, data: bytes = b"") -> bytes:
    """Make a standard frame of a reader with address 0."""
    body = bytes((6 + len(data), 0, command, status)) + data
    return body + crc16_mcrf4xx(body).to_bytes(2, "little")


def build_tag_record(tag: str) -> bytes:
    """Return the entry of an ISO 15693 tag: type, DSFID, UID highest byte first."""
    return b"\x03\x00" + bytes.fromhex(tag)


class FeigSimulator(PolledReaderSimulator):
    """Answers inventories, four tags at a time; says nothing to a damaged request.

    `stranger` is the entry of a tag that is no card and lies there for ever, in hexadecimal from its TR-TYPE on. It
    comes first in each inventory, as a player's transit card might.
    """

    baudrate = 38400
    parity = "E"

    def __init__(self, clock: Clock, *, baudrate: str = "", stranger: str = "") -> None:
        super().__init__(clock, baudrate)
        self._stranger_record = bytes.fromhex(stranger)
        self._frame_decoder = FrameDecoder(_parse_request)
        self._remaining_tags: list[str] = []

    def receive_data(self, data: bytes) -> None:
        """Answer requests."""
        with self._lock:
            for body in self._frame_decoder.feed(data):
                if isinstance(body, bytes):
                    self._handle_command(body[0], body[1:])

    def _handle_command(self, command: int, data: bytes) -> None:
        match command, data:
            case 0x65, _:
                self._queue_frame(build_answer(command, OK, bytes.fromhex("0303004453 0D30")), ANSWER_DELAY_S)
            case 0x69, _:
                self._queue_frame(build_answer(command, OK), ANSWER_DELAY_S)
            case 0xB0, b"\x01\x00":
                self._remaining_tags = list(self._field)
                self._answer_inventory(self._stranger_record)
            case 0xB0, b"\x01\x80":
                self._answer_inventory(b"")
            case _:
                self._queue_frame(build_answer(command, UNKNOWN_COMMAND), ANSWER_DELAY_S)

    def _answer_inventory(self, stranger: bytes) -> None:
        said, self._remaining_tags = (
            self._remaining_tags[:MAX_TAGS_PER_FRAME],
            self._remaining_tags[MAX_TAGS_PER_FRAME:],
        )
        if not said and not stranger:
            self._queue_frame(build_answer(0xB0, NO_TAG), INVENTORY_DELAY_S)
            return
        records = [stranger] * bool(stranger) + [build_tag_record(tag) for tag in said]
        data = bytes((len(records),)) + b"".join(records)
        self._queue_frame(build_answer(0xB0, MORE_DATA if self._remaining_tags else OK, data), INVENTORY_DELAY_S)


def _parse_request(data: bytes) -> Frame[bytes] | Padding | NeedData:
    """Judge what may be a request."""
    if not 5 <= data[0] <= 16:
        return Padding(1)
    if len(data) < data[0]:
        return NEED_DATA
    return Padding(1) if crc16_mcrf4xx(data[: data[0]]) else Frame(data[0], data[2 : data[0] - 2])
