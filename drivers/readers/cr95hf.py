"""ST's CR95HF and ST25R95 on their UART: ISO 15693 or ISO 14443A, one tag at a time.

Facts from ST's datasheet and community captures. The UART frames carry no check. An ISO 15693 answer is passed on with
the CRC of the air, which is checked here and covers the UART too; an ISO 14443A UID has only an exclusive or, so it
counts at its second mention. Two tags in the field collide, and neither is read.
"""

from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import Literal

from drivers.contract.base import DeviceEvent, TagRead
from drivers.readers.dialogue import Dialogue, Question
from drivers.readers.framing import MORE, Junk, More, Receiver, Repeats, Whole, noise_or_events
from drivers.readers.iso15693 import air_crc, uid_of
from drivers.readers.polled import PolledReader

ECHO = b"\x55"
IDENTIFY = b"\x01\x00"
SELECT_15693 = bytes.fromhex("02020109")
"""26 kbit/s, 100 % modulation, single subcarrier, CRC appended."""

SELECT_14443A = bytes.fromhex("02020200")
INVENTORY = bytes.fromhex("0403260100")
"""One slot, high data rate."""

REQA = bytes.fromhex("04022607")
FIRST_HALF, SECOND_HALF = bytes.fromhex("0403932008"), bytes.fromhex("0403952008")
"""Anticollision of cascade levels 1 and 2."""

GOOD, DATA = 0x00, 0x80
ERRORS = frozenset((*range(0x61, 0x72), 0x82, 0x83, *range(0x85, 0x90)))
"""Results that have no data, 87 ("nothing answered") among them."""

LONGEST = 0x20
CASCADE = 0x88

BROKEN_AFTER = 0.1
GONE_AFTER = 0.5

Protocol = Literal["iso15693", "iso14443a"]


def judge(data: bytes) -> Whole[bytes] | Junk | More:
    """Judge what may be an answer; what comes back is `ECHO`, or the result and its data."""
    if data[0] == ECHO[0]:
        return Whole(1, ECHO)
    if data[0] not in ERRORS and data[0] not in (GOOD, DATA):
        return Junk("no result of this reader")
    if len(data) < 2:
        return MORE
    if data[1] > (0 if data[0] in ERRORS else LONGEST):
        return Junk("no answer length")
    size = 2 + data[1]
    return Whole(size, data[:1] + data[2:size]) if len(data) >= size else MORE


def uid_15693(data: bytes) -> str | None:
    """Return the UID of an inventory's data, if the air CRC is right and the status byte says so."""
    if len(data) != 13 or data[0] or data[12] or air_crc(data[:10]) != int.from_bytes(data[10:12], "little"):
        return None
    return uid_of(data[2:10][::-1])


def half_uid(data: bytes) -> bytes | None:
    """Return the four bytes of a cascade level, if their check byte is right."""
    return data[:4] if len(data) == 8 and reduce(xor, data[:5]) == 0 else None


class Cr95Hf(PolledReader[bytes]):
    """A CR95HF or ST25R95; reports the tag in its field again with each poll. `protocol` is what its cards speak."""

    baudrate = 57600
    parity = "N"
    stopbits = 2.0
    gone_after = GONE_AFTER

    def __init__(self, name: str, *, protocol: Protocol = "iso15693") -> None:
        self._type_a = protocol == "iso14443a"
        self._select = SELECT_14443A if self._type_a else SELECT_15693
        greeting = [Question(data) for data in (ECHO, IDENTIFY, self._select)]
        self._next = b""
        self._first_half = b""
        dialogue = Dialogue(name, greeting, lambda: Question(self._next or self._begin()))
        super().__init__(name, dialogue, Receiver(name, judge, BROKEN_AFTER))
        self._repeats = Repeats(2 if self._type_a else 1, GONE_AFTER)

    def hello(self) -> bytes:
        """Begin anew; the first question comes with the next tick."""
        self._next = b""
        return super().hello()

    def tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Ask for a tag."""
        self._now = now
        events = noise_or_events(self._receiver.silent(now), self._meant)
        data, lost = self._dialogue.due(now)
        if lost:
            self._next = b""
        return data, events + lost

    def _begin(self) -> bytes:
        """Return what a poll begins with: for type A the field anew, which brings a selected card back to idle."""
        return self._select if self._type_a else INVENTORY

    def _meant(self, answer: bytes) -> list[DeviceEvent]:
        asked = self._dialogue.open_question
        if asked is None or not _fits(asked, answer):
            return []
        greeted = self._dialogue.greeted
        events = self._dialogue.answered(self._now)
        if not greeted:
            return events
        data = answer[1:]
        tag = self._type_a_step(asked, data) if self._type_a else uid_15693(data)
        if tag is not None and self._repeats.counts(tag, self._now):
            events.append(TagRead(self.name, tag))
        return events

    def _type_a_step(self, asked: bytes, data: bytes) -> str | None:
        """Take one step of the way to a UID: request, first half, its selection, second half."""
        self._next = b""
        if asked == SELECT_14443A:
            self._next = REQA
        elif asked == REQA:
            self._next = FIRST_HALF if len(data) == 5 else b""
        elif asked == FIRST_HALF:
            half = half_uid(data)
            if half is None:
                return None
            if half[0] != CASCADE:
                return half.hex().upper()
            self._first_half = half[1:]
            self._next = bytes.fromhex("04089370") + data[:5] + b"\x28"
        elif asked == SECOND_HALF:
            half = half_uid(data)
            return None if half is None else (self._first_half + half).hex().upper()
        elif data:
            self._next = SECOND_HALF
        return None


def _fits(asked: bytes, answer: bytes) -> bool:
    """Whether an answer can be the answer to what was asked: the UART frames do not say."""
    if asked == ECHO:
        return answer == ECHO
    if asked[0] == 0x04:
        return answer[0] == DATA or answer[0] in ERRORS
    return answer[0] == GOOD and bool(answer[1:]) == (asked == IDENTIFY)
