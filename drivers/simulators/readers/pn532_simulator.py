"""The far end of a PN532."""

import threading
from itertools import pairwise

from drivers.readers.framing import NEED_DATA, Frame, FrameDecoder, NeedData, Noise, Padding
from drivers.simulators.bench.simulator_interfaces import Clock

ACK = bytes.fromhex("0000FF00FF00")
SYNTAX_ERROR = bytes.fromhex("0000FF01FF7F8100")

ACK_DELAY_S = 0.001
ANSWER_DELAY_S = 0.004
INVENTORY_DELAY_S = 0.025
"""How long looking for tags takes. Libelium's guide to its PN532 module on a UART of 115200 baud (RFID/NFC 13.56 MHz
Networking Guide v7.0, 9) gives 25 to 30 ms for a UID; the shorter is taken as the chip's own time, and the 3 ms of its
bytes on the line come on top."""

REPEAT_DELAY_S = 0.001
"""How long the chip takes to say its last answer again: no time of it is documented, and it has nothing to do but to
send, as with an ACK."""

RETRY_DELAY_S = 0.005
"""How much longer each further try takes where no tag answers."""

RETRY_FOR_EVER = 0xFF
"""Number of tries after which the chip never says that there is no tag; so it is at power-on."""

WAKE_UP_EDGES = 5
"""At which rising edge on its serial line the chip wakes (UM0701-02, 6.3.2.3)."""

TYPICAL_WAKE_UP_S = 0.0004
"""How long its oscillator takes to start: a few 100 µs, up to 2 ms (UM0701-02, 6.3.2.3); what comes then is lost."""

BAUDRATES = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000)
"""In the order of the operands of SetSerialBaudrate (UM0701-02, 7.2.8)."""

MAX_COMMAND_BYTES = 7 + 265
"""Head and body of the longest extended frame."""

ABORT = b""
"""What stands for an ACK frame of the host, which has no code."""

FIFO_REGISTER, SENSE_REQUEST = 0x6339, 0x26
"""Where an SENS_REQ still stands that no tag answered; nfcpy looks there."""


def build_response(code: int, data: bytes) -> bytes:
    """Wrap a response of the chip in a normal frame, or in an extended one where it is too long."""
    body = bytes((0xD5, code)) + data
    size = bytes((len(body),)) if len(body) < 256 else b"\xff\xff" + len(body).to_bytes(2, "big")
    return b"\0\0\xff" + size + bytes((-sum(size[-2:]) & 0xFF,)) + body + bytes((-sum(body) & 0xFF, 0))


def count_rising_edges(byte: int) -> int:
    """Count the rising edges of a byte on the line: 55 has five, 00 has one."""
    levels = [0, *(byte >> n & 1 for n in range(8)), 1]
    return sum(before < after for before, after in pairwise(levels))


def build_target(number: int, uid: str) -> bytes:
    """Return the entry of one tag: an NTAG with a seven-byte UID, else a MIFARE Classic."""
    raw = bytes.fromhex(uid)
    answer, selected = ((0x00, 0x44), 0x00) if len(raw) == 7 else ((0x00, 0x04), 0x08)
    return bytes((number, *answer, selected, len(raw))) + raw


class Pn532Simulator:
    """Sleeps until woken, finds no tag before SAMConfiguration, and waits for a tag unless told how often to try.

    `wake_up_ms` is how long it takes to wake.

    In its field up to two tags; with more it finds two. Told to try once only, it finds nothing every second time, as
    the last poll left the tag active. `two_tags` is what it does when asked for two: `steady`, or `alternating` as some
    chips of firmware 1.6 (all that are there, one less, …, no response at all, and again). `nack` is what it does when
    it hears one: `repeat`, it says its last response once more (UM0701-02, 6.2.1.4), or `silent`.
    """

    baudrate = 115200
    parity = "N"

    def __init__(
        self,
        clock: Clock,
        *,
        two_tags: str = "steady",
        wake_up_ms: str = "",
        inventory_seconds: str = str(INVENTORY_DELAY_S),
        nack: str = "repeat",
    ) -> None:
        if two_tags not in ("steady", "alternating"):
            raise ValueError(f"there is no two_tags {two_tags!r}; there are steady, alternating")
        if nack not in ("repeat", "silent"):
            raise ValueError(f"there is no nack {nack!r}; there are repeat, silent")
        self._clock = clock
        self._repeats_when_asked = nack == "repeat"
        self._inventory_delay_s = float(inventory_seconds)
        self._alternates = two_tags == "alternating"
        self._frame_decoder = FrameDecoder(_parse_command)
        self._wake_up_s = float(wake_up_ms) / 1000 if wake_up_ms else TYPICAL_WAKE_UP_S
        self._awake_from: float | None = None
        self._edges = 0
        self._line_busy_until = 0.0
        self._next_baudrate: int | None = None
        self._configured = self._is_tag_active = False
        self._retries = RETRY_FOR_EVER
        self._next_tag_count: int | None = None
        self._field: list[str] = []
        self._waiting_for: int | None = None
        self._queued_frames: list[tuple[float, bytes]] = []
        self._last_response = b""
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
            for command in self._frame_decoder.feed(self._take_what_is_heard(data)):
                if command == ABORT:
                    self._abort()
                elif command is None:
                    self._repeat_response()
                elif isinstance(command, bytes):
                    self._drop_unsent()
                    self._queue_frame(ACK, ACK_DELAY_S)
                    self._handle_command(command)

    def _take_what_is_heard(self, data: bytes) -> bytes:
        """Return the bytes that come when it is awake; each takes its time on the line, behind those before it."""
        begin, byte_s = max(self._clock(), self._line_busy_until), 10 / self.baudrate
        self._line_busy_until = begin + len(data) * byte_s
        for n, byte in enumerate(data):
            at = begin + n * byte_s
            if self._awake_from is not None and at >= self._awake_from:
                return data[n:]
            self._edges += count_rising_edges(byte)
            if self._awake_from is None and self._edges >= WAKE_UP_EDGES:
                self._awake_from = at + self._wake_up_s
        return b""

    def _abort(self) -> None:
        """Give up what was asked, and take the speed that was asked for (nfcpy, `pn532.py`: it acknowledges first)."""
        self._drop_unsent()
        self.baudrate, self._next_baudrate = self._next_baudrate or self.baudrate, None

    def _drop_unsent(self) -> None:
        """Give up what was asked before: another command does so as well (UM0701-02, 6.2.2)."""
        self._waiting_for = None
        self._note_sent()
        self._queued_frames = [item for item in self._queued_frames if item[0] <= self._clock()]

    def _note_sent(self) -> None:
        sent = [data for at, data in self._queued_frames if at <= self._clock() and data != ACK]
        self._last_response = sent[-1] if sent else self._last_response

    def _repeat_response(self) -> None:
        """Say the last response that was sent once more; what it is at goes on."""
        self._note_sent()
        if self._repeats_when_asked and self._last_response:
            self._queue_frame(self._last_response, REPEAT_DELAY_S)

    def _fall_asleep(self) -> None:
        self._awake_from, self._edges = None, 0

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the frames sent by now."""
        with self._lock:
            now = self._clock()
            self._note_sent()
            out = [item for item in self._queued_frames if item[0] <= now]
            self._queued_frames = [item for item in self._queued_frames if item[0] > now]
            return out

    def _handle_command(self, command: bytes) -> None:
        match command[0]:
            case 0x14:
                self._configured = True
                self._queue_frame(build_response(0x15, b""), ANSWER_DELAY_S)
            case 0x00 if command[1:2] == b"\0":
                self._queue_frame(build_response(0x01, command[1:]), ANSWER_DELAY_S)
            case 0x02:
                self._queue_frame(build_response(0x03, bytes.fromhex("32010607")), ANSWER_DELAY_S)
            case 0x10 if command[1:] and command[1] < len(BAUDRATES):
                self._next_baudrate = BAUDRATES[command[1]]
                self._queue_frame(build_response(0x11, b""), ANSWER_DELAY_S)
            case _ if not self._configured:
                return
            case 0x06:
                addresses = (int.from_bytes(command[n : n + 2], "big") for n in range(1, len(command), 2))
                values = bytes(0 if self._field or each != FIFO_REGISTER else SENSE_REQUEST for each in addresses)
                self._queue_frame(build_response(0x07, values), ANSWER_DELAY_S)
            case 0x08 | 0x12:
                self._queue_frame(build_response(command[0] + 1, b""), ANSWER_DELAY_S)
            case 0x16:
                self._queue_frame(build_response(0x17, b"\0"), ANSWER_DELAY_S)
                self._fall_asleep()
            case 0x32:
                if command[1] == 5:
                    self._retries = command[4]
                elif command[1] == 1 and not command[2] & 1:
                    self._is_tag_active = False
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


def _parse_command(data: bytes) -> Frame[bytes | None] | Padding | Noise | NeedData:
    """Judge what may be a command for the chip; the frame is command code and data, `ABORT`, or `None` for a NACK."""
    if data[0] != 0 or data[1:2] not in (b"", b"\xff"):
        return Padding(1)
    if len(data) < 4:
        return NEED_DATA
    if data[2:4] == b"\x00\xff":
        return Frame(4, ABORT)
    if data[2:4] == b"\xff\x00":
        return Frame(4, None)
    head, size = (7, data[4:6]) if data[2:4] == b"\xff\xff" else (4, data[2:3])
    end = head + int.from_bytes(size, "big")
    if len(data) < head or (end <= MAX_COMMAND_BYTES and len(data) <= end):
        return NEED_DATA
    body = data[head : end + 1]
    if end > MAX_COMMAND_BYTES or (sum(size) + data[head - 1]) & 0xFF or sum(body) & 0xFF or body[0] != 0xD4:
        return Padding(1)
    return Frame(end + 1, body[1:-1])
