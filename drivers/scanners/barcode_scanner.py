"""Scanners of printed codes that send plain lines: the text and CR, LF, TAB, or nothing but a pause."""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, Signals
from drivers.readers.framing import SilenceDetector
from drivers.scanners.line_splitter import LineSplitter, translate_lines
from drivers.scanners.scanner_keys import require_scanner_keys

LINE_END_SILENCE_S = 0.05
"""Seconds of silence that end a line without a suffix."""

LINE_TIMEOUT_S = 0.3
"""Seconds of silence after which a line that should have a suffix was broken off."""

DEFAULT_SAME_CODE_S = 0.5

MIN_BAUDRATE, MAX_BAUDRATE = 300, 2_000_000


class BarcodeScanner:
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
        same_code_seconds: float = DEFAULT_SAME_CODE_S,
    ) -> None:
        if not MIN_BAUDRATE <= baudrate <= MAX_BAUDRATE:
            raise DriverConfigError(name, "baudrate", f"it must be {MIN_BAUDRATE} to {MAX_BAUDRATE}, not {baudrate}")
        require_scanner_keys(name, same_code_seconds=same_code_seconds, length=length)
        self.name = name
        self.baudrate = baudrate
        self.parity: str = parity
        self.absence_timeout_s = same_code_seconds
        self._ends_by_silence = ends == "silence"
        self._length = length
        self._line_splitter = LineSplitter()
        self._silence_detector = SilenceDetector(LINE_END_SILENCE_S if ends == "silence" else LINE_TIMEOUT_S)

    def on_port_opened(self) -> bytes:
        """Return nothing: the scanner is set up by the codes in its manual. A line that was begun is forgotten."""
        self._line_splitter.discard_line()
        return b""

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate lines."""
        events = self._finish_line() if self._silence_detector.is_after_silence(data, now) else []
        return events + translate_lines(self.name, self._line_splitter.feed(data), self._length)

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Notice the end of a line that has no suffix, or that was broken off."""
        return b"", self._finish_line() if self._silence_detector.is_silent(now) else []

    def show_signals(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _finish_line(self) -> list[DeviceEvent]:
        """Say what the line is that a silence has ended."""
        lines = self._line_splitter.finish_line() if self._ends_by_silence else self._line_splitter.discard_line()
        return translate_lines(self.name, lines, self._length)
