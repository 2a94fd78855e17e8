"""Scan engines of the GM65 family (GM65, GM805, GM812, GM861, EM1365): plain lines, and answers to commands among them.

Facts from the maker's manuals. An answer can stand glued to a scanned text; it is cut out. The engine is asked for its
baud rate every `ASK_SECONDS`, which shows that it is alive. The text carries no check.
"""

import binascii
from collections.abc import Sequence

from drivers.contract.base import DeviceEvent, Signals
from drivers.readers.dialogue import Dialogue, Question
from drivers.readers.framing import MORE, Dropped, Frames, Junk, More, Silence, Whole
from drivers.scanners.codes import Lines, told

ASK_SECONDS = 5.0
BROKEN_AFTER = 0.3
SAME_CODE_SECONDS = 0.5

READ_ZONE, WRITE_ZONE, SAVE = 7, 8, 9
"""Types of commands."""

ANSWER = 0x02
NOT_PRINTABLE = b"\x01"


def command(kind: int, address: int, data: bytes) -> bytes:
    """Make a command with its CRC; to read a zone, `data` is how many bytes are wanted."""
    body = bytes((kind, len(data))) + address.to_bytes(2, "big") + data
    return b"\x7e\x00" + body + binascii.crc_hqx(body, 0).to_bytes(2, "big")


ASK_BAUD = command(READ_ZONE, 0x002A, b"\x02")


def judge(data: bytes) -> Whole[bytes | int] | Junk | More:
    """Judge what may be an answer, whose data comes back; any other byte comes back by itself."""
    if data[0] != ANSWER:
        return Whole(1, data[0])
    if data[1:3] != b"\0\0"[: len(data) - 1]:
        return Junk("no answer")
    if len(data) < 4 or len(data) < 6 + data[3]:
        return MORE
    end = 4 + data[3]
    if binascii.crc_hqx(data[2:end], 0) != int.from_bytes(data[end : end + 2], "big"):
        return Junk("wrong checksum")
    return Whole(end + 2, data[4:end])


class Gm65:
    """A scan engine of the GM65 family at 9600 baud, in continuous or sensor mode; an AIM prefix is taken off.

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
        self._frames = Frames(judge)
        self._lines = Lines()
        self._silence = Silence(BROKEN_AFTER)
        self._dialogue = Dialogue(name, [Question(ASK_BAUD, 0.5)], lambda: Question(ASK_BAUD, 0.5, pause=ASK_SECONDS))

    def hello(self) -> bytes:
        """Begin anew; the first question comes with the next tick."""
        self._dialogue.begin()
        return b""

    def received(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate lines and answers."""
        events = self._broken_off(now) if self._silence.before(data, now) else []
        return events + self._events(self._frames.feed(data), now)

    def tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Ask whether the engine is there."""
        events = self._broken_off(now) if self._silence.lasts(now) else []
        data, lost = self._dialogue.due(now)
        return data, events + lost

    def perform(self, signals: Signals) -> bytes:
        """Return nothing: the scanner shows nothing."""
        return b""

    def _broken_off(self, now: float) -> list[DeviceEvent]:
        events = self._events(self._frames.give_up(), now)
        return events + told(self.name, self._lines.break_off(), self._length)

    def _events(self, found: list[bytes | int | Dropped], now: float) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for item in found:
            if isinstance(item, bytes):
                events += self._dialogue.answered(now)
                continue
            data = NOT_PRINTABLE * item.count if isinstance(item, Dropped) else bytes((item,))
            events += told(self.name, self._lines.feed(data), self._length)
        return events
