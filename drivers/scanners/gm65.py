"""Scan engines of the GM65 family (GM65, GM805, GM812, GM861, EM1365): plain lines, and answers to commands among them.

Facts from the maker's manuals. An answer can stand glued to a scanned text; it is cut out. Out of the box an engine
pauses for a second between two reads, and a dealer gives three cards meanwhile: the pause is taken away when the port
opens, for as long as the engine has power. Every `POLL_INTERVAL_S` it is asked for that pause, which shows that it is
alive and was not started anew. Only the answer that belongs to a question counts. The text carries no check.
"""

import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from drivers.contract.driver_interface import DeviceEvent, EventsMissed, Signals
from drivers.readers.framing import NEED_DATA, DroppedBytes, Frame, FrameDecoder, NeedData, Noise, SilenceDetector
from drivers.readers.poll_session import PollSession, Request
from drivers.scanners.line_splitter import LineSplitter, translate_lines
from drivers.scanners.scanner_keys import require_scanner_keys

POLL_INTERVAL_S = 5.0
LINE_TIMEOUT_S = 0.3
DEFAULT_SAME_CODE_S = 0.5

READ_ZONE, WRITE_ZONE, SAVE = 7, 8, 9
"""Types of commands."""

ANSWER_START = 0x02
MAX_ANSWER_DATA_BYTES = 2
"""Bytes of the longest answer to a question asked here: the baud rate."""

CONSTANT_TAIL = b"\x33\x31"
"""What clones are said to send in place of each answer's CRC (Amperstrand/gm65-scanner)."""

BANNER_START = "<{"
"""What the text begins with that an engine sends when it starts (kluzzebass/gm65-serial-node)."""

RESTART_DURATION_S = 1.0
"""Start-up texts that come closer to each other are those of one start."""

RESTART_WINDOW_S = 30.0
"""Seconds within which `MAX_RESTARTS` starts are a breakdown, and which the engine must then stay up to be ready."""

MAX_RESTARTS = 3

MAX_WRONG_ANSWERS = 3
"""How many questions in a row may be answered with something else before the engine is lost."""

UNPRINTABLE_BYTE = b"\x01"


def build_command(kind: int, address: int, data: bytes) -> bytes:
    """Make a command with its CRC; to read a zone, `data` is how many bytes are wanted."""
    body = bytes((kind, len(data))) + address.to_bytes(2, "big") + data
    return b"\x7e\x00" + body + binascii.crc_hqx(body, 0).to_bytes(2, "big")


BAUDRATES = (1200, 4800, 9600, 14400, 19200, 38400, 57600, 115200)
BAUD_CLOCK_HZ = 3_000_000
"""Zone 002A holds it, divided by the speed: 39 01 at 9600 (GM65 manual, zone 002A)."""

ASK_BAUD = build_command(READ_ZONE, 0x002A, b"\x02")

TAKE_INTERVAL_AWAY = build_command(WRITE_ZONE, 0x0005, b"\x00")
"""No pause between two reads in continuous mode; 1.0 s out of the box (GM65 manual p35)."""

TAKE_STABILISATION_AWAY = build_command(WRITE_ZONE, 0x0004, b"\x00")
"""No rest before a read in sensor mode; 0.4 s out of the box (GM65 manual p35)."""

ASK_INTERVAL = build_command(READ_ZONE, 0x0005, b"\x01")


@dataclass(frozen=True, slots=True)
class SuspectAnswer:
    """The first byte of an answer whose check is wrong: what it says is not believed."""


def parse_frame(data: bytes) -> Frame[bytes | int | SuspectAnswer] | Noise | NeedData:
    """Judge what may be an answer, whose data comes back; any other byte comes back by itself."""
    if data[0] != ANSWER_START:
        return Frame(1, data[0])
    if data[1:3] != b"\0\0"[: len(data) - 1] or (len(data) > 3 and data[3] > MAX_ANSWER_DATA_BYTES):
        return Noise("no answer")
    if len(data) < 4 or len(data) < 6 + data[3]:
        return NEED_DATA
    end = 4 + data[3]
    check = data[end : end + 2]
    if check not in (binascii.crc_hqx(data[2:end], 0).to_bytes(2, "big"), CONSTANT_TAIL):
        return Frame(1, SuspectAnswer())
    return Frame(end + 2, data[4:end])


def is_wanted_answer(request: bytes, data: bytes) -> bool:
    """Whether it is what an engine answers that does as it is told: the divisor of a speed that it has, or 00.

    Any such speed: `tablectl doctor` looks for an engine with the port at other speeds than the driver's.
    """
    if request != ASK_BAUD:
        return data == b"\0"
    divisor = int.from_bytes(data, "little")
    return len(data) == 2 and any(abs(divisor - BAUD_CLOCK_HZ / baudrate) < 1 for baudrate in BAUDRATES)


class Gm65:
    """A scan engine of the GM65 family, in continuous or sensor mode; an AIM prefix is taken off.

    `baudrate` is as the engine is set. With `length` a code of any other length is noise. `same_code_seconds` is how
    long a code must stay unread before it is another card.
    """

    parity = "N"
    stopbits = 1.0

    def __init__(
        self,
        name: str,
        *,
        baudrate: Literal[1200, 4800, 9600, 14400, 19200, 38400, 57600, 115200] = 9600,
        length: int | None = None,
        same_code_seconds: float = DEFAULT_SAME_CODE_S,
    ) -> None:
        require_scanner_keys(name, same_code_seconds=same_code_seconds, length=length)
        self.name = name
        self.baudrate: int = baudrate
        self.absence_timeout_s = same_code_seconds
        self._length = length
        self._frame_decoder = FrameDecoder(parse_frame)
        self._line_splitter = LineSplitter()
        self._silence_detector = SilenceDetector(LINE_TIMEOUT_S)
        greeting = (ASK_BAUD, TAKE_INTERVAL_AWAY, TAKE_STABILISATION_AWAY, ASK_INTERVAL)
        self._wrong_answer_count = 0
        self._is_answer_wrong = False
        self._restart_times: list[float] = []
        self._steady_at = float("-inf")
        self._session = PollSession(
            name,
            [Request(command, 0.5) for command in greeting],
            lambda: Request(ASK_INTERVAL, 0.5, pause_s=POLL_INTERVAL_S),
        )

    def on_port_opened(self) -> bytes:
        """Begin anew; the first question comes with the next tick."""
        self._frame_decoder = FrameDecoder(parse_frame)
        self._line_splitter.discard_line()
        self._wrong_answer_count, self._is_answer_wrong = 0, False
        self._restart_times, self._steady_at = [], float("-inf")
        self._session.open()
        return b""

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate lines and answers."""
        events = self._discard_partial(now) if self._silence_detector.is_after_silence(data, now) else []
        return events + self._translate_frames(self._frame_decoder.feed(data), now)

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Ask whether the engine is there, unless it broke down a short while ago."""
        events = self._discard_partial(now) if self._silence_detector.is_silent(now) else []
        if now < self._steady_at:
            return b"", events
        data, lost = self._session.next_request(now)
        self._is_answer_wrong = self._is_answer_wrong and not data
        return data, events + lost

    def show_signals(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _discard_partial(self, now: float) -> list[DeviceEvent]:
        events = self._translate_frames(self._frame_decoder.discard_partial(), now)
        return events + translate_lines(self.name, self._line_splitter.discard_line(), self._length)

    def _translate_frames(
        self, found: list[bytes | int | SuspectAnswer | DroppedBytes], now: float
    ) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for item in found:
            match item:
                case bytes():
                    events += self._handle_answer(item, now)
                case SuspectAnswer():
                    events += self._handle_answer(None, now) + self._feed_line(UNPRINTABLE_BYTE, now)
                case DroppedBytes(count):
                    events += self._feed_line(UNPRINTABLE_BYTE * count, now)
                case int():
                    events += self._feed_line(bytes((item,)), now)
        return events

    def _handle_answer(self, data: bytes | None, now: float) -> list[DeviceEvent]:
        """Take an answer; `None` is one whose check is wrong."""
        request = self._session.pending_request
        if request is None:
            return []
        if data is not None and is_wanted_answer(request, data):
            self._wrong_answer_count = 0
            return self._session.on_response(now)
        if request == ASK_INTERVAL and data is not None and len(data) == 1:
            return self._on_interval_kept(now)
        if self._is_answer_wrong:
            return []
        self._is_answer_wrong = True
        self._wrong_answer_count += 1
        if self._wrong_answer_count < MAX_WRONG_ANSWERS:
            return []
        self._wrong_answer_count = 0
        text = "it answers something else than it is asked; is it of the GM65 family, and its cable sound?"
        return self._session.on_refusal(text, now)

    def _on_interval_kept(self, now: float) -> list[DeviceEvent]:
        if self._session.is_ready:  # it was started anew meanwhile, and has its own pause again
            return self._on_restart(now)
        return self._session.on_refusal(
            "it keeps its pause between two reads; set the reading interval to none by the code in its manual", now
        )

    def _on_restart(self, now: float) -> list[DeviceEvent]:
        """Greet an engine anew that has started: what it was told is forgotten."""
        was_ready = self._session.is_ready
        if not self._restart_times or now - self._restart_times[-1] >= RESTART_DURATION_S:
            self._restart_times = [*self._restart_times, now][-MAX_RESTARTS:]
        is_frequent = len(self._restart_times) == MAX_RESTARTS and now - self._restart_times[0] < RESTART_WINDOW_S
        if is_frequent or now < self._steady_at + RESTART_WINDOW_S:
            self._steady_at = now + RESTART_WINDOW_S
            text = "it starts again and again; is its supply strong enough, and its plug tight?"
            return self._session.on_refusal(text, now)
        self._session.restart(lost=self._session.is_lost)
        return [EventsMissed(self.name, "the engine has started anew")] if was_ready else []

    def _feed_line(self, data: bytes, now: float) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        lines: list[str | DroppedBytes] = []
        for line in self._line_splitter.feed(data):
            if isinstance(line, str) and line.startswith(BANNER_START):
                events += self._on_restart(now)
                lines.append(DroppedBytes(len(line), "start-up text of the engine"))
            else:
                lines.append(line)
        return events + translate_lines(self.name, lines, self._length)
