"""Scanners of printed codes that present themselves as a keyboard: kernel events of keys, as a US keyboard has them.

The port is `evdev:///dev/input/by-id/…-event-kbd`, which grabs the device. An event is the `struct input_event` of
linux/input.h as this machine has it. Where the kernel says that it lost events, the code under way is dropped.
"""

import struct
from collections.abc import Sequence

from drivers.contract.base import DeviceEvent, Signals
from drivers.readers.framing import MORE, Junk, More, Receiver, Silence, Whole, noise_or_events
from drivers.scanners.codes import Lines, told

EVENT = struct.Struct("@llHHi")
"""Seconds, microseconds, type, code, value."""

EV_SYN, EV_KEY, EV_MAX = 0x00, 0x01, 0x1F
SYN_DROPPED = 3
RELEASED, PRESSED = 0, 1
SHIFTS = (42, 54)
ENDS = {15: "\t", 28: "\r", 96: "\r"}
"""Tab, Enter, and Enter of the number block."""

LOST = b"\x01"
"""Stands in a line for something that is no character of a code."""


def _row(first: int, plain: str, shifted: str) -> dict[int, str]:
    return {first + n: plain[n] + shifted[n] for n in range(len(plain))}


KEYS = (
    _row(2, "1234567890-=", "!@#$%^&*()_+")
    | _row(16, "qwertyuiop[]", "QWERTYUIOP{}")
    | _row(30, "asdfghjkl;'`", 'ASDFGHJKL:"~')
    | _row(43, "\\zxcvbnm,./", "|ZXCVBNM<>?")
    | _row(71, "789-456+1230.", "789-456+1230.")
    | {55: "**", 57: "  ", 98: "//"}
)
"""Key code -> its character without and with shift (linux/input-event-codes.h, US layout)."""

BROKEN_AFTER = 0.5
SAME_CODE_SECONDS = 0.5


def judge(data: bytes) -> Whole[tuple[int, int, int]] | Junk | More:
    """Judge what may be an event; what comes back is type, code and value."""
    if len(data) < EVENT.size:
        return MORE
    _, microseconds, kind, code, value = EVENT.unpack_from(data)
    if not 0 <= microseconds < 1_000_000 or kind > EV_MAX:
        return Junk("no event")
    return Whole(EVENT.size, (kind, code, value))


class KeyboardScanner:
    """A scanner that types; set it to a US keyboard and to end a code with Enter or Tab. An AIM prefix is taken off.

    With `length` a code of any other length is noise. `same_code_seconds` is how long a code must stay unread before it
    is another card.
    """

    baudrate = 9600
    parity = "N"
    stopbits = 1.0

    def __init__(self, name: str, *, length: int | None = None, same_code_seconds: float = SAME_CODE_SECONDS) -> None:
        self.name = name
        self.gone_after = same_code_seconds
        self._length = length
        self._receiver = Receiver(name, judge, BROKEN_AFTER)
        self._lines = Lines()
        self._shift = False
        self._silence = Silence(BROKEN_AFTER)

    def hello(self) -> bytes:
        """Return nothing: the scanner only speaks."""
        self._shift = False
        return b""

    def received(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate kernel events."""
        events = self._broken_off() if self._silence.before(data, now) else []
        return events + noise_or_events(self._receiver.received(data, now), self._typed)

    def tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Notice a code that was broken off."""
        events = noise_or_events(self._receiver.silent(now), self._typed)
        return b"", events + (self._broken_off() if self._silence.lasts(now) else [])

    def perform(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _broken_off(self) -> list[DeviceEvent]:
        return told(self.name, self._lines.break_off(), self._length)

    def _typed(self, event: tuple[int, int, int]) -> list[DeviceEvent]:
        kind, code, value = event
        if kind == EV_SYN and code == SYN_DROPPED:
            self._shift = False
            return self._line(LOST)
        if kind != EV_KEY:
            return []
        if code in SHIFTS:
            self._shift = value != RELEASED
        elif value == PRESSED:
            if code in ENDS:
                return self._line(ENDS[code].encode("ascii"))
            return self._line(KEYS[code][self._shift].encode("ascii") if code in KEYS else LOST)
        return []

    def _line(self, data: bytes) -> list[DeviceEvent]:
        return told(self.name, self._lines.feed(data), self._length)
