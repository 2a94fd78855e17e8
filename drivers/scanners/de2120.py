"""The SparkFun DE2120 scanner: plain lines that end with CR, and commands of text answered with ACK or NACK.

When the port opens it is told to read on its own, and told again every `POLL_INTERVAL_S` without a card: the
acknowledgement shows that it is alive. SparkFun's library asks for the version instead (DSPYFW), which writes nothing
to the scanner's memory. But the answer is a plain line, as a card's is, and a version that is taken for a card is a
card of no deck. The text carries no check.
"""

from collections.abc import Sequence
from typing import Final, Literal

from drivers.contract.driver_interface import DeviceEvent, Signals, TagRead
from drivers.readers.framing import DroppedBytes, SilenceDetector
from drivers.readers.poll_session import PollSession, Request
from drivers.scanners.line_splitter import LineSplitter, translate_lines
from drivers.scanners.scanner_keys import require_scanner_keys

ACK, NACK = 0x06, 0x15

DEFAULT_BAUDRATE: Final = 115200
"""Out of the box; the libraries of SparkFun and Soldered set the scanner to 9600, which it remembers."""

POLL_INTERVAL_S = 5.0
ANSWER_TIMEOUT_S = 0.8
"""Seconds that a command may take, as SparkFun's library waits."""

MAX_REFUSALS = 3
"""How often in a row a command is refused before it is believed: a damaged command is refused too."""

LINE_TIMEOUT_S = 0.3
DEFAULT_SAME_CODE_S = 0.5


def build_command(code: str) -> bytes:
    """Make a command."""
    return f"^_^{code}.".encode("ascii")


ENABLE_CONTINUOUS = build_command("SCMCNT")
"""Read whatever comes before the window."""


class De2120:
    """A DE2120, set to continuous reading when the port opens; an AIM prefix is taken off.

    `baudrate` is as the scanner is set. With `length` a code of any other length is noise. `same_code_seconds` is how
    long a code must stay unread before it is another card.
    """

    parity = "N"
    stopbits = 1.0

    def __init__(
        self,
        name: str,
        *,
        baudrate: Literal[1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200] = DEFAULT_BAUDRATE,
        length: int | None = None,
        same_code_seconds: float = DEFAULT_SAME_CODE_S,
    ) -> None:
        require_scanner_keys(name, same_code_seconds=same_code_seconds, length=length)
        self.name = name
        self.baudrate: int = baudrate
        self.absence_timeout_s = same_code_seconds
        self._length = length
        self._line_splitter = LineSplitter()
        self._silence_detector = SilenceDetector(LINE_TIMEOUT_S)
        self._session = PollSession(
            name,
            [Request(ENABLE_CONTINUOUS, ANSWER_TIMEOUT_S)],
            lambda: Request(ENABLE_CONTINUOUS, ANSWER_TIMEOUT_S, pause_s=POLL_INTERVAL_S),
        )
        self._refusal_count = 0
        self._last_card_at = float("-inf")

    def on_port_opened(self) -> bytes:
        """Begin anew; the first command comes with the next tick."""
        self._session.open()
        self._line_splitter.discard_line()
        self._refusal_count = 0
        self._last_card_at = float("-inf")
        return b""

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate lines and answers."""
        events = self._discard_line() if self._silence_detector.is_after_silence(data, now) else []
        for byte in data:
            if byte == ACK:
                events += self._handle_ack(now)
            elif byte == NACK:
                events += self._handle_nack(now)
            else:
                events += self._handle_lines(self._line_splitter.feed(bytes((byte,))), now)
        return events

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Ask whether the scanner is there, where no card has shown it."""
        events = self._discard_line() if self._silence_detector.is_silent(now) else []
        is_asking = self._session.pending_request is not None or not self._session.is_ready
        if not is_asking and now < self._last_card_at + POLL_INTERVAL_S:
            return b"", events
        data, lost = self._session.next_request(now)
        return data, events + lost

    def show_signals(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _handle_ack(self, now: float) -> list[DeviceEvent]:
        if self._session.pending_request is None:
            return []
        self._refusal_count = 0
        return self._session.on_response(now)

    def _handle_nack(self, now: float) -> list[DeviceEvent]:
        """Let a refused command be sent again, and believe it the last time."""
        if self._session.pending_request is None:
            return []
        self._refusal_count += 1
        if self._refusal_count < MAX_REFUSALS:
            return []
        self._refusal_count = 0
        return self._session.on_refusal("it refuses what it is told; is it a DE2120, set to serial output?", now)

    def _handle_lines(self, lines: list[str | DroppedBytes], now: float) -> list[DeviceEvent]:
        events = translate_lines(self.name, lines, self._length)
        if any(isinstance(event, TagRead) for event in events):
            self._last_card_at = now
        return events

    def _discard_line(self) -> list[DeviceEvent]:
        return translate_lines(self.name, self._line_splitter.discard_line(), self._length)
