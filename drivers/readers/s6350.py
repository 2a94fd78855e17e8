"""The TI S6350 reader (Series 6000): ISO 15693 cards, up to sixteen in one inventory.

Facts from the reader's reference guide 11-06-21-700. Frames end with the exclusive or of all bytes before, and its
complement: a weak check, so a tag counts at its second mention. The answer to an inventory has two bitmaps of time
slots (tags, collisions) and ten bytes a tag. The request is built from the guide's layout.
"""

from collections.abc import Iterator
from functools import reduce
from operator import xor

from drivers.contract.base import DeviceEvent, TagRead
from drivers.readers.dialogue import Dialogue, Question
from drivers.readers.framing import MORE, Junk, More, Receiver, Repeats, Whole
from drivers.readers.iso15693 import uid_of
from drivers.readers.polled import PolledReader

START = 0x01
ISO15693 = 0x60
"""The command that passes ISO 15693 requests on."""

CONFIGURATION = 0x11
"""100 % modulation, data coding 1 out of 4 (guide, page 27)."""

INVENTORY = bytes((CONFIGURATION, 0x06, 0x01, 0x00))
"""Sixteen slots, high data rate, no mask."""

HEAD = 7
LONGEST = HEAD + 4 + 16 * 10 + 2

BROKEN_AFTER = 0.15
GONE_AFTER = 0.6


def frame(data: bytes) -> bytes:
    """Wrap ISO 15693 data in a frame; requests and answers look alike."""
    body = bytes((START,)) + (HEAD + len(data) + 2).to_bytes(2, "little") + bytes((0, 0, 0, ISO15693)) + data
    check = reduce(xor, body)
    return body + bytes((check, check ^ 0xFF))


def judge(data: bytes) -> Whole[bytes] | Junk | More:
    """Judge what may be an answer; what comes back is its data."""
    if data[0] != START:
        return Junk("no frame start")
    if len(data) < HEAD:
        return MORE if data[3:5] == b"\0\0"[: max(len(data) - 3, 0)] else Junk("no node address")
    size = int.from_bytes(data[1:3], "little")
    if not HEAD + 2 < size <= LONGEST:
        return Junk("no frame length")
    if data[3:5] != b"\0\0" or data[6] != ISO15693:
        return Junk("no answer of this reader")
    if len(data) < size:
        return MORE
    check = reduce(xor, data[: size - 2])
    if data[size - 2 : size] != bytes((check, check ^ 0xFF)):
        return Junk("wrong checksum")
    return Whole(size, data[HEAD : size - 2])


def tags(data: bytes) -> Iterator[str]:
    """Yield the tags of an inventory's data; nothing where bitmap and length do not agree."""
    if len(data) < 4:
        return
    slots = int.from_bytes(data[:2], "little").bit_count()
    if len(data) != 4 + 10 * slots:
        return
    for at in range(4, len(data), 10):
        tag = uid_of(data[at + 2 : at + 10][::-1])
        if tag is not None:
            yield tag


class S6350(PolledReader[bytes]):
    """A TI S6350; reports every tag in its field, again with each poll. `baudrate` is as its jumpers are set."""

    parity = "N"
    stopbits = 1.0
    gone_after = GONE_AFTER

    def __init__(self, name: str, *, baudrate: int = 57600) -> None:
        self.baudrate = baudrate
        ask = Question(frame(INVENTORY), seconds=0.4)
        super().__init__(name, Dialogue(name, [ask], lambda: ask), Receiver(name, judge, BROKEN_AFTER))
        self._repeats = Repeats(2, GONE_AFTER)

    def _meant(self, data: bytes) -> list[DeviceEvent]:
        if self._dialogue.open_question is None:
            return []
        events = self._dialogue.answered(self._now)
        return events + [TagRead(self.name, tag) for tag in tags(data) if self._repeats.counts(tag, self._now)]
