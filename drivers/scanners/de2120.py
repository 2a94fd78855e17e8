"""The SparkFun DE2120 scanner: plain lines that end with CR, and commands of text answered with ACK or NACK.

It is told every `POLL_INTERVAL_S` to read on its own, and its acknowledgement shows that it is alive. The text carries
no check.
"""

from collections.abc import Sequence

from drivers.contract.driver_interface import DeviceEvent, Signals
from drivers.readers.framing import SilenceDetector
from drivers.readers.poll_session import PollSession, Request
from drivers.scanners.line_splitter import LineSplitter, translate_lines

ACK, NACK = 0x06, 0x15

POLL_INTERVAL_S = 5.0
LINE_TIMEOUT_S = 0.3
DEFAULT_SAME_CODE_S = 0.5


def build_command(code: str) -> bytes:
    """Make a command."""
    return f"^_^{code}.".encode("ascii")


ENABLE_CONTINUOUS = build_command("SCMCNT")
"""Read whatever comes before the window."""


class De2120:
    """A DE2120 at 115200 baud, set to continuous reading when the port opens; an AIM prefix is taken off.

    With `length` a code of any other length is noise. `same_code_seconds` is how long a code must stay unread before it
    is another card.
    """

    baudrate = 115200
    parity = "N"
    stopbits = 1.0

    def __init__(self, name: str, *, length: int | None = None, same_code_seconds: float = DEFAULT_SAME_CODE_S) -> None:
        self.name = name
        self.absence_timeout_s = same_code_seconds
        self._length = length
        self._line_splitter = LineSplitter()
        self._silence_detector = SilenceDetector(LINE_TIMEOUT_S)
        ask = Request(ENABLE_CONTINUOUS, 1.0)
        self._session = PollSession(name, [ask], lambda: Request(ENABLE_CONTINUOUS, 1.0, pause_s=POLL_INTERVAL_S))

    def on_port_opened(self) -> bytes:
        """Begin anew; the first command comes with the next tick."""
        self._session.restart()
        return b""

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate lines and answers."""
        events = self._discard_line() if self._silence_detector.is_after_silence(data, now) else []
        for byte in data:
            if byte in (ACK, NACK):
                events += self._session.on_response(now) if self._session.pending_request else []
            else:
                events += translate_lines(self.name, self._line_splitter.feed(bytes((byte,))), self._length)
        return events

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Ask whether the scanner is there."""
        events = self._discard_line() if self._silence_detector.is_silent(now) else []
        data, lost = self._session.next_request(now)
        return data, events + lost

    def show_signals(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _discard_line(self) -> list[DeviceEvent]:
        return translate_lines(self.name, self._line_splitter.discard_line(), self._length)
