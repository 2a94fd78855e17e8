"""Readers that speak FEIG's OBID protocol: ISO 15693 and 14443A, many tags at once.

The i-scan, classic-pro and CPR readers do, and Siemens' RF290R.

Facts from the system manuals (ID ISC.MR/PR101, LR200, CPR30). The line has even parity by default. Requests are
standard frames; answers are standard or, where they are long, advanced frames. A reader does not answer a damaged
request at all. It must not be in scan mode or buffered read mode, in which it answers no inventory.

An answer that does not hold all tags says that there is more; the rest is fetched before tags are looked for again, so
no tag is lost between polls.
"""

from collections.abc import Iterator

from drivers.contract.base import DeviceEvent, TagRead
from drivers.contract.errors import DriverConfigError
from drivers.readers.dialogue import Dialogue, Question
from drivers.readers.framing import MORE, Junk, More, Receiver, Whole
from drivers.readers.iso15693 import crc16, uid_of
from drivers.readers.polled import PolledReader

ADVANCED = 0x02
"""First byte of an advanced frame; a standard frame is never shorter than 6."""

INVENTORY, VERSION, RF_RESET = 0xB0, 0x65, 0x69
COMMANDS = frozenset((0x52, 0x63, VERSION, 0x66, RF_RESET, 0x6A, 0x80, 0x81, INVENTORY))

OK, NO_TAG, MORE_DATA = 0x00, 0x01, 0x94
WITH_DATA = frozenset((OK, 0x83, 0x84, 0x93, MORE_DATA, 0x95))
"""Status bytes after which the data is valid."""

ISO15693, ISO14443A = 0x03, 0x04
"""TR-TYPE of a tag."""

LONGEST_ADVANCED = 2048

BROKEN_AFTER = 0.25
"""Longer than the pause of 100 ms that some converters make inside a frame."""

GONE_AFTER = 0.5


def request(address: int, command: int, data: bytes = b"") -> bytes:
    """Make a standard frame for a reader."""
    body = bytes((5 + len(data), address, command)) + data
    return body + crc16(body).to_bytes(2, "little")


def judge(data: bytes) -> Whole[bytes] | Junk | More:
    """Judge what may be an answer; what comes back is command, status and data."""
    head = 3 if data[0] == ADVANCED else 1
    if len(data) < head:
        return MORE
    size = int.from_bytes(data[1:3], "big") if head == 3 else data[0]
    if not head + 5 <= size <= (LONGEST_ADVANCED if head == 3 else 0xFF):
        return Junk("no frame length")
    if data[head + 1 : head + 2] and data[head + 1] not in COMMANDS:
        return Junk("no answer of a reader")
    if len(data) < size:
        return MORE
    if crc16(data[:size]):
        return Junk("wrong checksum")
    return Whole(size, data[head + 1 : size - 2])


def tags(data: bytes) -> Iterator[str]:
    """Yield the tags of an inventory's data, from its count on; stops at a kind of tag it cannot measure."""
    at = 1
    for _ in range(data[0] if data else 0):
        kind = data[at] if at < len(data) else None
        if kind == ISO15693:
            tag, at = uid_of(data[at + 2 : at + 10]), at + 10
        elif kind == ISO14443A and at + 2 < len(data):
            size = 10 if data[at + 1] & 0x04 else 7
            raw, at = data[at + 3 : at + 3 + size], at + 3 + size
            tag = raw.hex().upper() if len(raw) == size else None
        else:
            return
        if tag is not None:
            yield tag


class Feig(PolledReader[bytes]):
    """A reader of FEIG's OBID family; reports every tag in its field, again with each poll.

    `address` is its bus address (255 speaks to any). `baudrate` is as the reader is set.
    """

    parity = "E"
    stopbits = 1.0
    gone_after = GONE_AFTER

    def __init__(self, name: str, *, address: int = 255, baudrate: int = 38400) -> None:
        if not 0 <= address <= 255:
            raise DriverConfigError(name, "address", f"it must be 0 to 255, not {address}")
        self.baudrate = baudrate
        self._look = Question(request(address, INVENTORY, b"\x01\x00"), seconds=0.5)
        self._fetch = Question(request(address, INVENTORY, b"\x01\x80"), seconds=0.5)
        self._more = False
        greeting = [Question(request(address, VERSION), seconds=0.5)]
        super().__init__(name, Dialogue(name, greeting, self._next), Receiver(name, judge, BROKEN_AFTER))

    def hello(self) -> bytes:
        """Begin anew; the first question comes with the next tick."""
        self._more = False
        return super().hello()

    def _next(self) -> Question:
        return self._fetch if self._more else self._look

    def _meant(self, answer: bytes) -> list[DeviceEvent]:
        asked = self._dialogue.open_question
        command, status, data = answer[0], answer[1], answer[2:]
        if asked is None or asked[2] != command:
            return []
        if status not in WITH_DATA and status != NO_TAG:
            why = f"it refuses command {command:02X} with status {status:02X}; is scan mode or buffered read mode on?"
            return self._dialogue.refused(why, self._now)
        events = self._dialogue.answered(self._now)
        if command == INVENTORY:
            self._more = status == MORE_DATA
            events += [TagRead(self.name, tag) for tag in (tags(data) if status in WITH_DATA else ())]
        return events
