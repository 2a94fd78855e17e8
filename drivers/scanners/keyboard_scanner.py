"""Scanners of printed codes that present themselves as a keyboard: kernel events of keys, as a US keyboard has them.

The port is `evdev:///dev/input/by-id/…-event-kbd`, which grabs the device. An event is the `struct input_event` of
linux/input.h as this machine has it. Where the kernel says that it lost events, the code under way is dropped.
"""

import struct
from collections.abc import Sequence

from drivers.contract.driver_interface import DeviceEvent, Signals
from drivers.readers.framing import NEED_DATA, Frame, FrameReceiver, NeedData, Noise, SilenceDetector, translate_frames
from drivers.scanners.line_splitter import LineSplitter, translate_lines
from drivers.scanners.scanner_keys import require_scanner_keys

EVENT_STRUCT = struct.Struct("@llHHi")
"""Seconds, microseconds, type, code, value."""

EV_SYN, EV_KEY, EV_MAX = 0x00, 0x01, 0x1F
SYN_DROPPED = 3
RELEASED, PRESSED = 0, 1
SHIFT_KEY_CODES = (42, 54)
LINE_END_BY_KEY_CODE = {15: "\t", 28: "\r", 96: "\r"}
"""Tab, Enter, and Enter of the number block."""

LOST_CHARACTER = b"\x01"
"""Stands in a line for something that is no character of a code."""


def _build_key_row(first: int, plain: str, shifted: str) -> dict[int, str]:
    return {first + n: plain[n] + shifted[n] for n in range(len(plain))}


CHARACTERS_BY_KEY_CODE = (
    _build_key_row(2, "1234567890-=", "!@#$%^&*()_+")
    | _build_key_row(16, "qwertyuiop[]", "QWERTYUIOP{}")
    | _build_key_row(30, "asdfghjkl;'`", 'ASDFGHJKL:"~')
    | _build_key_row(43, "\\zxcvbnm,./", "|ZXCVBNM<>?")
    | _build_key_row(71, "789-456+1230.", "789-456+1230.")
    | {55: "**", 57: "  ", 98: "//"}
)
"""Key code -> its character without and with shift (linux/input-event-codes.h, US layout)."""

LINE_TIMEOUT_S = 0.5
DEFAULT_SAME_CODE_S = 0.5


def parse_event(data: bytes) -> Frame[tuple[int, int, int]] | Noise | NeedData:
    """Judge what may be an event; what comes back is type, code and value."""
    if len(data) < EVENT_STRUCT.size:
        return NEED_DATA
    _, microseconds, kind, code, value = EVENT_STRUCT.unpack_from(data)
    if not 0 <= microseconds < 1_000_000 or kind > EV_MAX:
        return Noise("no event")
    return Frame(EVENT_STRUCT.size, (kind, code, value))


class KeyboardScanner:
    """A scanner that types; set it to a US keyboard and to end a code with Enter or Tab. An AIM prefix is taken off.

    With `length` a code of any other length is noise. `same_code_seconds` is how long a code must stay unread before it
    is another card.
    """

    baudrate = 9600
    parity = "N"
    stopbits = 1.0

    def __init__(self, name: str, *, length: int | None = None, same_code_seconds: float = DEFAULT_SAME_CODE_S) -> None:
        require_scanner_keys(name, same_code_seconds=same_code_seconds, length=length)
        self.name = name
        self.absence_timeout_s = same_code_seconds
        self._length = length
        self._receiver = FrameReceiver(name, parse_event, LINE_TIMEOUT_S)
        self._line_splitter = LineSplitter()
        self._shift_down = False
        self._silence_detector = SilenceDetector(LINE_TIMEOUT_S)

    def on_port_opened(self) -> bytes:
        """Return nothing: the scanner only speaks. A code that was begun is forgotten."""
        self._receiver = FrameReceiver(self.name, parse_event, LINE_TIMEOUT_S)
        self._line_splitter.discard_line()
        self._shift_down = False
        return b""

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate kernel events."""
        events = self._discard_line() if self._silence_detector.is_after_silence(data, now) else []
        return events + translate_frames(self._receiver.receive_data(data, now), self._handle_key_event)

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Notice a code that was broken off."""
        events = translate_frames(self._receiver.check_silence(now), self._handle_key_event)
        return b"", events + (self._discard_line() if self._silence_detector.is_silent(now) else [])

    def show_signals(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _discard_line(self) -> list[DeviceEvent]:
        return translate_lines(self.name, self._line_splitter.discard_line(), self._length)

    def _handle_key_event(self, event: tuple[int, int, int]) -> list[DeviceEvent]:
        kind, code, value = event
        if kind == EV_SYN and code == SYN_DROPPED:
            self._shift_down = False
            return self._feed_line(LOST_CHARACTER)
        if kind != EV_KEY:
            return []
        if code in SHIFT_KEY_CODES:
            self._shift_down = value != RELEASED
        elif value == PRESSED:
            if code in LINE_END_BY_KEY_CODE:
                return self._feed_line(LINE_END_BY_KEY_CODE[code].encode("ascii"))
            return self._feed_line(
                CHARACTERS_BY_KEY_CODE[code][self._shift_down].encode("ascii")
                if code in CHARACTERS_BY_KEY_CODE
                else LOST_CHARACTER
            )
        return []

    def _feed_line(self, data: bytes) -> list[DeviceEvent]:
        return translate_lines(self.name, self._line_splitter.feed(data), self._length)
