"""The SparkFun DE2120 scanner: plain lines that end with CR, and commands of text answered with ACK or NACK.

It is told every `ASK_SECONDS` to read on its own, and its acknowledgement shows that it is alive. The text carries no
check.
"""

from collections.abc import Sequence

from drivers.contract.base import DeviceEvent, Signals
from drivers.readers.dialogue import Dialogue, Question
from drivers.readers.framing import Silence
from drivers.scanners.codes import Lines, told

ACK, NACK = 0x06, 0x15

ASK_SECONDS = 5.0
BROKEN_AFTER = 0.3
SAME_CODE_SECONDS = 0.5


def command(code: str) -> bytes:
    """Make a command."""
    return f"^_^{code}.".encode("ascii")


ENABLE_CONTINUOUS = command("SCMCNT")
"""Read whatever comes before the window."""


class De2120:
    """A DE2120 at 115200 baud, set to continuous reading when the port opens; an AIM prefix is taken off.

    With `length` a code of any other length is noise. `same_code_seconds` is how long a code must stay unread before it
    is another card.
    """

    baudrate = 115200
    parity = "N"
    stopbits = 1.0

    def __init__(self, name: str, *, length: int | None = None, same_code_seconds: float = SAME_CODE_SECONDS) -> None:
        self.name = name
        self.gone_after = same_code_seconds
        self._length = length
        self._lines = Lines()
        self._silence = Silence(BROKEN_AFTER)
        ask = Question(ENABLE_CONTINUOUS, 1.0)
        self._dialogue = Dialogue(name, [ask], lambda: Question(ENABLE_CONTINUOUS, 1.0, pause=ASK_SECONDS))

    def hello(self) -> bytes:
        """Begin anew; the first command comes with the next tick."""
        self._dialogue.begin()
        return b""

    def received(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate lines and answers."""
        events = self._broken_off() if self._silence.before(data, now) else []
        for byte in data:
            if byte in (ACK, NACK):
                events += self._dialogue.answered(now) if self._dialogue.open_question else []
            else:
                events += told(self.name, self._lines.feed(bytes((byte,))), self._length)
        return events

    def tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Ask whether the scanner is there."""
        events = self._broken_off() if self._silence.lasts(now) else []
        data, lost = self._dialogue.due(now)
        return data, events + lost

    def perform(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _broken_off(self) -> list[DeviceEvent]:
        return told(self.name, self._lines.break_off(), self._length)
