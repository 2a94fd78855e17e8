"""Readers of 125 kHz tags that send text frames: RDM6300, and ID-12LA and ID-20LA.

One parser takes both: STX, ten hexadecimal digits of tag, two of check (the exclusive or of the five tag bytes), with
or without CR LF, ETX. The check is weak: two flipped bits in one column of the sum pass it. An RDM6300 repeats its
frame about every 65 ms while the tag is in the field, so a tag counts when two good frames running say the same. An
ID-12LA speaks once for each arrival, and its single frame must do. docs/decisions/0005 has the figures.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Literal

from controller.core.outcome import Outcome
from drivers.base import DeviceEvent, Noise, TagRead
from drivers.errors import DriverConfigError

Model = Literal["rdm6300", "id-12la", "id-20la"]

STX, ETX, CR, LF = 0x02, 0x03, 0x0D, 0x0A
HEX_DIGITS = frozenset(b"0123456789ABCDEF")
"""Lower-case digits are refused: no such reader sends them, and one flipped bit makes them."""

TAG_DIGITS = 10
BODY_DIGITS = TAG_DIGITS + 2
FRAME_MAX = 1 + BODY_DIGITS + 3

GONE_AFTER = 0.4
"""Seconds without a frame after which a tag has left the field of a repeating reader (six missed frames)."""

BROKEN_AFTER = 0.25
"""Seconds of silence after which a begun frame will not be finished; a frame takes 17 ms."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Bytes that belong to no frame."""

    count: int
    why: str


class TagFrames:
    """Finds frames in a stream of bytes, however split, whatever stands between them; holds at most one frame."""

    def __init__(self) -> None:
        """Start with nothing received."""
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[str | Dropped]:
        """Take bytes; return the tags of good frames and what had to be dropped, in order."""
        found: list[str | Dropped] = []
        for byte in data:
            self._buffer.append(byte)
            self._take(found)
        return found

    def give_up(self) -> list[str | Dropped]:
        """Drop a frame that was begun and not finished."""
        found: list[str | Dropped] = []
        if self._buffer:
            _add(found, len(self._buffer), "frame broken off")
            self._buffer.clear()
        return found

    def _take(self, found: list[str | Dropped]) -> None:
        """Take a whole frame off the buffer, or drop its first byte until what is left can begin one."""
        while self._buffer:
            fault = _fault(self._buffer)
            if fault is not None:
                _add(found, 1, fault)
                del self._buffer[0]
            elif len(self._buffer) > BODY_DIGITS + 1 and self._buffer[-1] == ETX:
                found.append(self._buffer[1 : 1 + TAG_DIGITS].decode("ascii"))
                self._buffer.clear()
            else:
                return


def _fault(frame: bytearray) -> str | None:
    """Say why these bytes cannot begin a frame, or be one; `None` while they can."""
    if frame[0] != STX:
        return "no frame start"
    body, tail = frame[1 : BODY_DIGITS + 1], frame[BODY_DIGITS + 1 :]
    if not HEX_DIGITS.issuperset(body):
        return "not a hexadecimal digit"
    if len(body) == BODY_DIGITS and reduce(xor, bytes.fromhex(body.decode("ascii"))) != 0:
        return "wrong checksum"
    if bytes(tail) not in (b"", b"\x03", b"\x0d", b"\x0d\x0a", b"\x0d\x0a\x03"):
        return "no frame end"
    return None


def _add(found: list[str | Dropped], count: int, why: str) -> None:
    """Report dropped bytes, those of one stretch together under their first reason."""
    last = found[-1] if found else None
    if isinstance(last, Dropped):
        found[-1] = Dropped(last.count + count, last.why)
    else:
        found.append(Dropped(count, why))


class Rdm6300:
    """An RDM6300, ID-12LA or ID-20LA; reports every read.

    `model` says whether the reader repeats (RDM6300) or speaks once for each tag (the others). `confirm_frames` is how
    many like frames running make a read: 2 for a reader that repeats, 1 for one that does not, unless given.
    """

    baudrate = 9600
    parity = "N"
    stopbits = 1.0

    def __init__(self, name: str, *, model: Model = "rdm6300", confirm_frames: int | None = None) -> None:
        repeats = model == "rdm6300"
        wanted = confirm_frames if confirm_frames is not None else (2 if repeats else 1)
        if wanted < 1:
            raise DriverConfigError(name, "confirm_frames", f"it must be 1 or more, not {wanted}")
        if wanted > 1 and not repeats:
            raise DriverConfigError(name, "confirm_frames", f"it must be 1 with {model}, which sends a tag only once")
        self.name = name
        self.gone_after = GONE_AFTER if repeats else 0.0
        self._wanted = wanted
        self._frames = TagFrames()
        self._heard_at = 0.0
        self._tag: str | None = None
        self._alike = 0

    def hello(self) -> bytes:
        """Return nothing: the reader only speaks."""
        return b""

    def received(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate what the reader sent."""
        events = list(self._silence(now))
        if data:
            self._heard_at = now
        return events + self._events(self._frames.feed(data))

    def tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Notice broken-off frames; the reader is asked nothing."""
        return b"", self._silence(now)

    def perform(self, outcome: Outcome) -> bytes:  # noqa: ARG002 - the reader shows nothing
        """Return nothing: the reader shows nothing."""
        return b""

    def _silence(self, now: float) -> list[DeviceEvent]:
        quiet = now - self._heard_at
        if quiet > GONE_AFTER:
            self._tag, self._alike = None, 0
        return self._events(self._frames.give_up()) if quiet > BROKEN_AFTER else []

    def _events(self, found: list[str | Dropped]) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for item in found:
            if isinstance(item, Dropped):
                events.append(Noise(self.name, item.count, item.why))
                continue
            self._alike = self._alike + 1 if item == self._tag else 1
            self._tag = item
            if self._alike >= self._wanted:
                events.append(TagRead(self.name, item))
        return events
