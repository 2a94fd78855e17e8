"""Readers of 125 kHz tags that send text frames: RDM6300, and ID-12LA and ID-20LA.

One parser takes both: STX, ten hexadecimal digits of tag, two of check (the exclusive or of the five tag bytes), with
or without CR LF, ETX. Some boards sold as RDM6300 send the check as one raw byte instead, 13 bytes in all (captures in
esphome/issues #3610). The check is weak: two flipped bits in one column of the sum pass it. An RDM6300 repeats its
frame about every 65 ms while the tag is in the field, so a tag counts when two good frames running say the same. An
ID-12LA speaks once for each arrival, and its single frame must do. docs/decisions/0005 has the figures. A frame with a
raw check is never believed alone: one of 14 bytes that lost a digit can pass for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import xor
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, TagRead
from drivers.readers.framing import NEED_DATA, Frame, NeedData, Noise, SilenceDetector
from drivers.readers.speaking_reader import SpeakingReader

Model = Literal["rdm6300", "id-12la", "id-20la"]

STX = 0x02
HEX_DIGITS = frozenset(b"0123456789ABCDEF")
"""Lower-case digits are refused: no such reader sends them, and one flipped bit makes them."""

TAG_DIGITS = 10
BODY_DIGITS = TAG_DIGITS + 2
RAW_CHECKSUM_FRAME_BYTES = 1 + TAG_DIGITS + 2
MIN_FRAME_BYTES, MAX_FRAME_BYTES = RAW_CHECKSUM_FRAME_BYTES, 1 + BODY_DIGITS + 3

ABSENCE_TIMEOUT_S = 0.4
"""Seconds without a frame after which a tag has left the field of a repeating reader (six missed frames)."""

MIN_RAW_CHECKSUM_FRAMES = 2
"""Like frames running that make a read where the check is one raw byte, whatever `confirm_frames` says."""

MAX_CONFIRM_FRAMES = 10
"""Two thirds of a second: no card lies at the mouth of a shoe for so long."""

FRAME_TIMEOUT_S = 0.25
"""Seconds of silence after which a begun frame will not be finished; a frame takes 17 ms."""


@dataclass(frozen=True, slots=True)
class TagFrame:
    """A good frame: its tag, and whether its check was one raw byte."""

    tag: str = field(repr=False)
    has_raw_checksum: bool = False


def parse_frame(data: bytes, *, takes_raw_checksum: bool = True) -> Frame[TagFrame] | Noise | NeedData:
    """Judge what may be a frame. `takes_raw_checksum` allows the frames of 13 bytes too."""
    if data[0] != STX:
        return Noise("no frame start")
    body, tail = data[1 : BODY_DIGITS + 1], data[BODY_DIGITS + 1 : MAX_FRAME_BYTES]
    if takes_raw_checksum and (judged := _parse_raw_checksum(data)) is not None:
        return judged
    if not HEX_DIGITS.issuperset(body):
        return Noise("not a hexadecimal digit")
    if len(body) < BODY_DIGITS:
        return NEED_DATA
    if reduce(xor, bytes.fromhex(body.decode("ascii"))) != 0:
        return Noise("wrong checksum")
    for end in (b"\x03", b"\r\n\x03"):
        if tail.startswith(end):
            return Frame(1 + BODY_DIGITS + len(end), TagFrame(body[:TAG_DIGITS].decode("ascii")))
    return NEED_DATA if b"\r\n\x03".startswith(tail) else Noise("no frame end")


def _parse_raw_checksum(data: bytes) -> Frame[TagFrame] | NeedData | None:
    """Judge a frame whose check is one raw byte; `None` where it is none.

    The raw byte may look like a digit, so the byte behind it tells: ETX here, another digit in a frame of 14 bytes.
    """
    digits, check = data[1 : TAG_DIGITS + 1], data[TAG_DIGITS + 1 : RAW_CHECKSUM_FRAME_BYTES]
    if not check or not HEX_DIGITS.issuperset(digits):
        return None
    if reduce(xor, bytes.fromhex(digits.decode("ascii"))) != check[0] or check[1:] not in (b"", b"\x03"):
        return None
    if not check[1:]:
        return NEED_DATA
    return Frame(RAW_CHECKSUM_FRAME_BYTES, TagFrame(digits.decode("ascii"), has_raw_checksum=True))


class Rdm6300(SpeakingReader[TagFrame]):
    """An RDM6300, ID-12LA or ID-20LA; reports every read.

    `model` says whether the reader repeats (RDM6300) or speaks once for each tag (the others). `confirm_frames` is how
    many like frames running make a read: 2 for a reader that repeats, 1 for one that does not, unless given; with a raw
    check at least 2.
    """

    baudrate = 9600

    def __init__(self, name: str, *, model: Model = "rdm6300", confirm_frames: int | None = None) -> None:
        repeats = model == "rdm6300"
        wanted = confirm_frames if confirm_frames is not None else (2 if repeats else 1)
        if not 1 <= wanted <= MAX_CONFIRM_FRAMES:
            raise DriverConfigError(name, "confirm_frames", f"it must be 1 to {MAX_CONFIRM_FRAMES}, not {wanted}")
        if wanted > 1 and not repeats:
            raise DriverConfigError(name, "confirm_frames", f"it must be 1 with {model}, which sends a tag only once")
        super().__init__(name, FRAME_TIMEOUT_S)
        self.absence_timeout_s = ABSENCE_TIMEOUT_S if repeats else 0.0
        self._required_frames = wanted
        self._repeats = self._takes_raw_checksum = repeats
        self._last_digits_tag: str | None = None
        self._absence_detector = SilenceDetector(ABSENCE_TIMEOUT_S)
        self._last_tag: str | None = None
        self._matching_frames = 0

    def on_port_opened(self) -> bytes:
        """Return nothing. Another board may have been plugged in."""
        self._takes_raw_checksum, self._last_digits_tag = self._repeats, None
        self._last_tag, self._matching_frames = None, 0
        return super().on_port_opened()

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate what the reader sent; behind a silence a frame is the first of its tag again."""
        if self._absence_detector.is_after_silence(data, now):
            self._last_tag, self._matching_frames = None, 0
        return super().receive_data(data, now)

    def _parse_frame(self, data: bytes) -> Frame[TagFrame] | Noise | NeedData:
        """Judge a frame; after two like ones with a check of two digits the board is one that sends no other.

        A frame of 14 bytes that lost a digit has 13, and its last digit can then pass for the raw check of another tag.
        """
        found = parse_frame(data, takes_raw_checksum=self._takes_raw_checksum)
        if isinstance(found, Frame) and not found.content.has_raw_checksum and self._takes_raw_checksum:
            self._takes_raw_checksum = found.content.tag != self._last_digits_tag
            self._last_digits_tag = found.content.tag
        return found

    def _handle_frame(self, frame: TagFrame) -> list[DeviceEvent]:
        self._matching_frames = self._matching_frames + 1 if frame.tag == self._last_tag else 1
        self._last_tag = frame.tag
        wanted = (
            max(self._required_frames, MIN_RAW_CHECKSUM_FRAMES) if frame.has_raw_checksum else self._required_frames
        )
        return [TagRead(self.name, frame.tag)] if self._matching_frames >= wanted else []
