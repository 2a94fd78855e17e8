"""Scanners of printed codes that send plain lines: the text and CR, LF, TAB, or nothing but a pause."""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.base import DeviceEvent, Signals
from drivers.readers.framing import Silence
from drivers.scanners.codes import Lines, told

SILENCE = 0.05
"""Seconds of silence that end a line without a suffix."""

BROKEN_AFTER = 0.3
"""Seconds of silence after which a line that should have a suffix was broken off."""

SAME_CODE_SECONDS = 0.5


class Barcode:
    """A scanner that sends plain lines; an AIM prefix is taken off. The text carries no check.

    `ends` says what ends a line: a suffix (CR, LF or TAB), or a silence of 50 ms. With `length` a code of any other
    length is noise. `same_code_seconds` is how long a code must stay unread before it is another card; a scanner in
    presentation mode repeats what lies before it.
    """

    stopbits = 1.0

    def __init__(
        self,
        name: str,
        *,
        baudrate: int = 9600,
        parity: Literal["N", "E", "O"] = "N",
        ends: Literal["suffix", "silence"] = "suffix",
        length: int | None = None,
        same_code_seconds: float = SAME_CODE_SECONDS,
    ) -> None:
        self.name = name
        self.baudrate = baudrate
        self.parity: str = parity
        self.gone_after = same_code_seconds
        self._silence_ends = ends == "silence"
        self._length = length
        self._lines = Lines()
        self._silence = Silence(SILENCE if ends == "silence" else BROKEN_AFTER)

    def hello(self) -> bytes:
        """Return nothing: the scanner is set up by the codes in its manual."""
        return b""

    def received(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate lines."""
        events = self._ended() if self._silence.before(data, now) else []
        return events + told(self.name, self._lines.feed(data), self._length)

    def tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Notice the end of a line that has no suffix, or that was broken off."""
        return b"", self._ended() if self._silence.lasts(now) else []

    def perform(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _ended(self) -> list[DeviceEvent]:
        """Say what the line is that a silence has ended."""
        lines = self._lines.end() if self._silence_ends else self._lines.break_off()
        return told(self.name, lines, self._length)
