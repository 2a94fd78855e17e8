"""The SparkFun DE2120 scanner: plain lines that end with CR, and commands of text answered with ACK or NACK.

When the port opens it is told to read on its own. Every `POLL_INTERVAL_S` without a card it is asked for its version,
as SparkFun's library does: the acknowledgement shows that it is alive, and nothing is written to its memory. But it
says its version in a plain line, as it says a card, and a version that is taken for a card is a foreign one. So that is
asked only where the `length` of a card's code tells the two apart; elsewhere it is told again to read on its own. A
version as long as a code is taken for a card all the same: docs/devices.md says to leave `length` out then.
"""

from collections.abc import Sequence
from typing import Final, Literal

from drivers.contract.driver_interface import DeviceEvent, Signals, TagRead
from drivers.readers.framing import DroppedBytes, SilenceDetector
from drivers.readers.poll_session import PollSession, Request
from drivers.scanners.line_splitter import LineSplitter, normalize_code, translate_lines

ACK, NACK = 0x06, 0x15

DEFAULT_BAUDRATE: Final = 115200
"""Out of the box; the libraries of SparkFun and Soldered set the scanner to 9600, which it remembers."""

POLL_INTERVAL_S = 5.0
ANSWER_TIMEOUT_S = 0.8
"""Seconds that a command may take, as SparkFun's library waits; the version takes about 0.43."""

MAX_REFUSALS = 3
"""How often in a row a command is refused before it is believed: a damaged command is refused too."""

VERSION_TIMEOUT_S = 0.3
"""Seconds after the acknowledgement in which the text of the version may still come."""

LINE_TIMEOUT_S = 0.3
DEFAULT_SAME_CODE_S = 0.5


def build_command(code: str) -> bytes:
    """Make a command."""
    return f"^_^{code}.".encode("ascii")


ENABLE_CONTINUOUS = build_command("SCMCNT")
"""Read whatever comes before the window."""

ASK_VERSION = build_command("DSPYFW")


class De2120:
    """A DE2120, set to continuous reading when the port opens; an AIM prefix is taken off.

    `baudrate` is as the scanner is set. With `length` a code of any other length is noise, or the scanner's version.
    `same_code_seconds` is how long a code must stay unread before it is another card.
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
        self.name = name
        self.baudrate: int = baudrate
        self.absence_timeout_s = same_code_seconds
        self._length = length
        self._line_splitter = LineSplitter()
        self._silence_detector = SilenceDetector(LINE_TIMEOUT_S)
        question = ENABLE_CONTINUOUS if length is None else ASK_VERSION
        self._session = PollSession(
            name,
            [Request(ENABLE_CONTINUOUS, ANSWER_TIMEOUT_S), Request(question, ANSWER_TIMEOUT_S)],
            lambda: Request(question, ANSWER_TIMEOUT_S, pause_s=POLL_INTERVAL_S),
        )
        self._refusal_count = 0
        self._last_card_at = self._version_until = float("-inf")

    def on_port_opened(self) -> bytes:
        """Begin anew; the first command comes with the next tick."""
        self._session.restart()
        self._line_splitter.discard_line()
        self._refusal_count = 0
        self._last_card_at = self._version_until = float("-inf")
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
        if data == ASK_VERSION:
            self._version_until = now + ANSWER_TIMEOUT_S
        return data, events + lost

    def show_signals(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _handle_ack(self, now: float) -> list[DeviceEvent]:
        if self._session.pending_request is None:
            return []
        self._refusal_count = 0
        if self._session.pending_request == ASK_VERSION:
            self._version_until = min(self._version_until, now + VERSION_TIMEOUT_S)
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
        cards = [line for line in lines if isinstance(line, DroppedBytes) or not self._is_version(line, now)]
        events = translate_lines(self.name, cards, self._length)
        if any(isinstance(event, TagRead) for event in events):
            self._last_card_at = now
        return events

    def _is_version(self, line: str, now: float) -> bool:
        """Whether a line is the text of the version: the first of another length than a card's after the question."""
        code = normalize_code(line)
        if not code or now > self._version_until or len(code) == self._length:
            return False
        self._version_until = float("-inf")
        return True

    def _discard_line(self) -> list[DeviceEvent]:
        return translate_lines(self.name, self._line_splitter.discard_line(), self._length)
