"""Readers of 125 kHz tags that send text frames: RDM6300, and ID-12LA and ID-20LA.

One parser takes both: STX, ten hexadecimal digits of tag, two of check (the exclusive or of the five tag bytes), with
or without CR LF, ETX. The check is weak: two flipped bits in one column of the sum pass it. An RDM6300 repeats its
frame about every 65 ms while the tag is in the field, so a tag counts when two good frames running say the same. An
ID-12LA speaks once for each arrival, and its single frame must do. docs/decisions/0005 has the figures.
"""

from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import Literal

from drivers.contract.base import DeviceEvent, Signals, TagRead
from drivers.contract.errors import DriverConfigError
from drivers.readers.framing import MORE, Junk, More, Receiver, Silence, Whole, noise_or_events

Model = Literal["rdm6300", "id-12la", "id-20la"]

STX = 0x02
HEX_DIGITS = frozenset(b"0123456789ABCDEF")
"""Lower-case digits are refused: no such reader sends them, and one flipped bit makes them."""

TAG_DIGITS = 10
BODY_DIGITS = TAG_DIGITS + 2
FRAME_MAX = 1 + BODY_DIGITS + 3

GONE_AFTER = 0.4
"""Seconds without a frame after which a tag has left the field of a repeating reader (six missed frames)."""

BROKEN_AFTER = 0.25
"""Seconds of silence after which a begun frame will not be finished; a frame takes 17 ms."""


def judge(data: bytes) -> Whole[str] | Junk | More:
    """Judge what may be a frame; the frame is its tag."""
    if data[0] != STX:
        return Junk("no frame start")
    body, tail = data[1 : BODY_DIGITS + 1], data[BODY_DIGITS + 1 : FRAME_MAX]
    if not HEX_DIGITS.issuperset(body):
        return Junk("not a hexadecimal digit")
    if len(body) < BODY_DIGITS:
        return MORE
    if reduce(xor, bytes.fromhex(body.decode("ascii"))) != 0:
        return Junk("wrong checksum")
    for end in (b"\x03", b"\r\n\x03"):
        if tail.startswith(end):
            return Whole(1 + BODY_DIGITS + len(end), body[:TAG_DIGITS].decode("ascii"))
    return MORE if b"\r\n\x03".startswith(tail) else Junk("no frame end")


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
        self._receiver = Receiver(name, judge, BROKEN_AFTER)
        self._gone = Silence(GONE_AFTER)
        self._tag: str | None = None
        self._alike = 0

    def hello(self) -> bytes:
        """Return nothing: the reader only speaks."""
        return b""

    def received(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate what the reader sent."""
        found = self._receiver.received(data, now)
        if self._gone.before(data, now):
            self._tag, self._alike = None, 0
        return noise_or_events(found, self._read)

    def tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Notice broken-off frames; the reader is asked nothing."""
        return b"", noise_or_events(self._receiver.silent(now), self._read)

    def perform(self, signals: Signals) -> bytes:
        """Return nothing: the reader shows nothing."""
        return b""

    def _read(self, tag: str) -> list[DeviceEvent]:
        self._alike = self._alike + 1 if tag == self._tag else 1
        self._tag = tag
        return [TagRead(self.name, tag)] if self._alike >= self._wanted else []
