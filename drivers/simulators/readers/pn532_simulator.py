"""The far end of a PN532."""

import threading

from drivers.readers.framing import NEED_DATA, Frame, FrameDecoder, NeedData, Noise, Padding
from drivers.simulators.bench.simulator_interfaces import Clock

ACK = bytes.fromhex("0000FF00FF00")
NACK = bytes.fromhex("0000FFFF0000")
SYNTAX_ERROR = bytes.fromhex("0000FF01FF7F8100")

ACK_DELAY_S = 0.001
ANSWER_DELAY_S = 0.004
INVENTORY_DELAY_S = 0.022
"""How long looking for tags takes. Libelium's guide to its PN532 module on a UART of 115200 baud (RFID/NFC 13.56 MHz
Networking Guide v7.0, 9) gives 25 to 30 ms for a UID; the shorter is meant, with the 3 ms of its bytes on the line."""

RETRY_DELAY_S = 0.005
"""How much longer each further try takes where no tag answers."""

RETRY_FOR_EVER = 0xFF
"""Number of tries after which the chip never says that there is no tag; so it is at power-on."""

WAKE_UP_PREAMBLES = (b"\x55\x55", bytes(8))
"""What wakes the chip: any long preamble, such as the ten zeros of nfcpy."""

BAUD_RATE_CODES = range(9)
"""Operands of SetSerialBaudrate (UM0701-02, 7.2.5): 9600 to 1288000."""


def build_response(code: int, data: bytes) -> bytes:
    """Wrap a response of the chip in a normal frame."""
    body = bytes((0xD5, code)) + data
    return bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))


def build_target(number: int, uid: str) -> bytes:
    """Return the entry of one tag: an NTAG with a seven-byte UID, else a MIFARE Classic."""
    raw = bytes.fromhex(uid)
    answer, selected = ((0x00, 0x44), 0x00) if len(raw) == 7 else ((0x00, 0x04), 0x08)
    return bytes((number, *answer, selected, len(raw))) + raw


class Pn532Simulator:
    """Sleeps until woken, finds no tag before SAMConfiguration, and waits for a tag unless told how often to try.

    In its field up to two tags; with more it finds two. Told to try once only, it finds nothing every second time, as
    the last poll left the tag active. `two_tags` is what it does when asked for two: `steady`, or `alternating` as some
    chips of firmware 1.6 (all that are there, one less, …, no response at all, and again).
    """

    baudrate = 115200
    parity = "N"

    def __init__(
        self, clock: Clock, *, two_tags: str = "steady", inventory_seconds: str = str(INVENTORY_DELAY_S)
    ) -> None:
        if two_tags not in ("steady", "alternating"):
            raise ValueError(f"there is no two_tags {two_tags!r}; there are steady, alternating")
        self._clock = clock
        self._inventory_delay_s = float(inventory_seconds)
        self._alternates = two_tags == "alternating"
        self._frame_decoder = FrameDecoder(_parse_command)
        self._awake = self._configured = self._is_tag_active = False
        self._retries = RETRY_FOR_EVER
        self._next_tag_count: int | None = None
        self._field: list[str] = []
        self._waiting_for: int | None = None
        self._queued_frames: list[tuple[float, bytes]] = []
        self._lock = threading.Lock()

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return the UID of an NTAG213: seven bytes, the first that of NXP."""
        return f"04{0xA035B2BC2B00 + number:012X}"

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag into the field: four or seven bytes in upper-case hexadecimal."""
        if len(bytes.fromhex(tag)) not in (4, 7) or tag != tag.upper():
            raise ValueError("a tag of this reader has four or seven bytes in upper-case hexadecimal")
        with self._lock:
            if tag not in self._field:
                self._field.append(tag)
            if self._waiting_for is not None:
                self._answer_inventory(self._waiting_for)

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag, or all, out of the field."""
        with self._lock:
            self._field = [] if tag is None else [other for other in self._field if other != tag]

    def receive_data(self, data: bytes) -> None:
        """Obey commands."""
        with self._lock:
            if any(preamble in data for preamble in WAKE_UP_PREAMBLES):
                self._awake = True
            for command in self._frame_decoder.feed(data):
                if isinstance(command, bytes) and self._awake:
                    self._waiting_for = None
                    self._queue_frame(ACK, ACK_DELAY_S)
                    self._handle_command(command)

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the frames sent by now."""
        with self._lock:
            now = self._clock()
            out = [item for item in self._queued_frames if item[0] <= now]
            self._queued_frames = [item for item in self._queued_frames if item[0] > now]
            return out

    def _handle_command(self, command: bytes) -> None:
        match command[0]:
            case 0x14:
                self._configured = True
                self._queue_frame(build_response(0x15, b""), ANSWER_DELAY_S)
            case 0x02:
                self._queue_frame(build_response(0x03, bytes.fromhex("32010607")), ANSWER_DELAY_S)
            case 0x10 if command[1:] and command[1] in BAUD_RATE_CODES:
                self._queue_frame(build_response(0x11, b""), ANSWER_DELAY_S)
            case _ if not self._configured:
                return
            case 0x32:
                if command[1] == 5:
                    self._retries = command[4]
                self._queue_frame(build_response(0x33, b""), ANSWER_DELAY_S)
            case 0x4A:
                self._look_for_tags(command[1])
            case _:
                self._queue_frame(SYNTAX_ERROR, ANSWER_DELAY_S)

    def _look_for_tags(self, most: int) -> None:
        """Answer at once, after the last try, or when a tag comes."""
        is_missed = self._is_tag_active and self._retries == 0
        if self._field and not is_missed:
            self._answer_inventory(most)
        elif self._retries != RETRY_FOR_EVER:
            self._is_tag_active = False
            self._next_tag_count = None
            self._queue_frame(build_response(0x4B, b"\0"), self._inventory_delay_s + self._retries * RETRY_DELAY_S)
        else:
            self._waiting_for = most

    def _answer_inventory(self, most: int) -> None:
        self._waiting_for = None
        tags = self._field[: min(most, 2)]
        if most == 2 and self._alternates:
            count = len(tags) if self._next_tag_count is None else min(self._next_tag_count, len(tags))
            self._next_tag_count = count - 1 if count else None
            if not count:
                return
            tags = tags[:count]
        self._is_tag_active = True
        entries = b"".join(build_target(number, tag) for number, tag in enumerate(tags, 1))
        self._queue_frame(build_response(0x4B, bytes((len(tags),)) + entries), self._inventory_delay_s)

    def _queue_frame(self, data: bytes, after: float) -> None:
        self._queued_frames.append((self._clock() + after, data))


def _parse_command(data: bytes) -> Frame[bytes] | Padding | Noise | NeedData:
    """Judge what may be a command for the chip; the frame is command code and data."""
    if data[0] != 0 or data[1:2] not in (b"", b"\xff"):
        return Padding(1)
    if len(data) < 4 or len(data) < 5 + data[2]:
        return NEED_DATA
    body = data[4 : 5 + data[2]]
    if (data[2] + data[3]) & 0xFF or sum(body) & 0xFF or body[0] != 0xD4:
        return Padding(1)
    return Frame(5 + data[2], body[1:-1])
