"""Finding frames in a stream of bytes, however split and whatever stands between them.

A protocol gives one function that looks at the front of what is there and says what it is: a whole frame, bytes of no
account, junk, or not enough yet. It decides by the frame's own bytes alone, as early as it can: a wrong length byte
must not make it wait for bytes that never come, and it never wants more than its longest frame.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from drivers.contract.driver_interface import DeviceEvent, NoiseDropped

FrameT = TypeVar("FrameT")
FrameT_co = TypeVar("FrameT_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Frame(Generic[FrameT_co]):
    """The first `size` bytes are a good frame."""

    size: int
    content: FrameT_co = field(repr=False)
    """Hidden: it is a card's."""


@dataclass(frozen=True, slots=True)
class Padding:
    """The first `size` bytes belong to the protocol and say nothing: idle bytes, preambles."""

    size: int


@dataclass(frozen=True, slots=True)
class Noise:
    """The first byte begins no good frame, because of `reason`."""

    reason: str


@dataclass(frozen=True, slots=True)
class NeedData:
    """What is there can be the beginning of a good frame."""


NEED_DATA = NeedData()

FrameParser = Callable[[bytes], Frame[FrameT] | Padding | Noise | NeedData]
"""Looks at the front of what is there, which is at least one byte."""


@dataclass(frozen=True, slots=True)
class DroppedBytes:
    """Bytes that belong to no frame."""

    count: int
    reason: str


class FrameDecoder(Generic[FrameT]):
    """Cuts a stream into frames; holds back at most the beginning of one.

    `idle` are bytes that mean nothing where no frame follows, such as the zeros after a frame.
    """

    def __init__(self, judge: FrameParser[FrameT], idle: bytes = b"") -> None:
        """Start with nothing received."""
        self._parse_frame = judge
        self._idle_bytes = idle
        self._pending = b""

    def feed(self, data: bytes) -> list[FrameT | DroppedBytes]:
        """Take bytes; return good frames and what had to be dropped, in order."""
        found: list[FrameT | DroppedBytes] = []
        stream, at = self._pending + data, 0
        while at < len(stream):
            match self._parse_frame(stream[at:]):
                case Frame(size, frame):
                    found.append(frame)
                    at += size
                case Padding(size):
                    at += size
                case Noise(why):
                    _add_dropped(found, 1, why)
                    at += 1
                case NeedData():
                    break
        self._pending = stream[at:]
        return found

    def discard_partial(self) -> list[FrameT | DroppedBytes]:
        """Drop the beginning of a frame that will not be finished; a good frame may have stood in its way."""
        found: list[FrameT | DroppedBytes] = []
        while self._pending.strip(self._idle_bytes):
            _add_dropped(found, 1, "frame broken off")
            rest, self._pending = self._pending[1:], b""
            for item in self.feed(rest):
                if isinstance(item, DroppedBytes):
                    _add_dropped(found, item.count, item.reason)
                else:
                    found.append(item)
        self._pending = b""
        return found

    def has_partial(self) -> bool:
        """Whether something is held back that may be the beginning of a frame."""
        return bool(self._pending.strip(self._idle_bytes))


def _add_dropped(found: list[FrameT | DroppedBytes], count: int, why: str) -> None:
    """Report dropped bytes, those of one stretch together under their first reason."""
    last = found[-1] if found else None
    if isinstance(last, DroppedBytes):
        found[-1] = DroppedBytes(last.count + count, last.reason)
    else:
        found.append(DroppedBytes(count, why))


class SilenceDetector:
    """Knows when nothing came for so many `seconds` that what was begun will not be finished.

    Between two pieces of data their own times tell. A mere look at the clock is believed only the second time: when
    the program was held up, the next bytes may wait behind the first ones, and the clock is already past both.
    """

    def __init__(self, seconds: float) -> None:
        """Start with nothing heard."""
        self._seconds = seconds
        self._last_data_at = float("-inf")
        self._checks = 0

    def is_after_silence(self, data: bytes, now: float) -> bool:
        """Whether a silence lay before `data`, which came at `now`."""
        quiet = now - self._last_data_at > self._seconds
        if data:
            self._last_data_at, self._checks = now, 0
        return quiet

    def silence_start(self) -> float:
        """From when on there is a silence if nothing comes, in monotonic seconds."""
        return self._last_data_at + self._seconds

    def is_silent(self, now: float) -> bool:
        """Whether there is a silence at `now`."""
        self._checks += 1
        return self._checks > 1 and now - self._last_data_at > self._seconds


class FrameReceiver(Generic[FrameT]):
    """Frames of one device, with the silence that ends a broken one; what is no frame becomes `Noise`.

    `broken_after` is how many seconds of silence end a frame: longer than the device ever pauses inside one. `idle` is
    as for `FrameDecoder`.
    """

    def __init__(self, device: str, judge: FrameParser[FrameT], broken_after: float, idle: bytes = b"") -> None:
        """Start with nothing received."""
        self._device = device
        self._decoder = FrameDecoder(judge, idle)
        self._silence_detector = SilenceDetector(broken_after)

    def receive_data(self, data: bytes, now: float) -> list[FrameT | NoiseDropped]:
        """Take bytes that came at `now`."""
        found = self._decoder.discard_partial() if self._silence_detector.is_after_silence(data, now) else []
        return self._convert_dropped(found + self._decoder.feed(data))

    def check_silence(self, now: float) -> list[FrameT | NoiseDropped]:
        """Notice at `now` that a frame was broken off."""
        return self._convert_dropped(self._decoder.discard_partial()) if self._silence_detector.is_silent(now) else []

    def next_check_at(self) -> float | None:
        """When `check_silence` is wanted next, in monotonic seconds; `None` where no frame is begun."""
        return self._silence_detector.silence_start() if self._decoder.has_partial() else None

    def _convert_dropped(self, found: list[FrameT | DroppedBytes]) -> list[FrameT | NoiseDropped]:
        return [
            NoiseDropped(self._device, item.count, item.reason) if isinstance(item, DroppedBytes) else item
            for item in found
        ]


MAX_REMEMBERED_TAGS = 256
"""How many tags a `TagConfirmer` remembers; no reader has as many in its field."""


class TagConfirmer:
    """Tells a tag that was said often enough, for readers whose checksum alone is too weak.

    A tag counts at its `wanted`-th mention, each within `within` seconds of the one before, and at every one after.
    Of more than `MAX_REMEMBERED_TAGS` those said longest ago are forgotten.
    """

    def __init__(self, wanted: int, within: float) -> None:
        """Start with nothing heard."""
        self._required_reads = wanted
        self._within_s = within
        self._reads_by_tag: dict[str, tuple[int, float]] = {}

    def confirm(self, tag: str, now: float) -> bool:
        """Whether this mention of `tag` counts."""
        self._reads_by_tag = {
            other: said for other, said in self._reads_by_tag.items() if now - said[1] <= self._within_s
        }
        times = self._reads_by_tag.pop(tag, (0, now))[0] + 1
        self._reads_by_tag[tag] = (times, now)
        if len(self._reads_by_tag) > MAX_REMEMBERED_TAGS:
            del self._reads_by_tag[next(iter(self._reads_by_tag))]
        return times >= self._required_reads

    def forget_unconfirmed(self, tag: str) -> None:
        """Let the mentions of `tag` not count that were too few yet."""
        if self._reads_by_tag.get(tag, (self._required_reads, 0.0))[0] < self._required_reads:
            del self._reads_by_tag[tag]


def translate_frames(
    found: list[FrameT | NoiseDropped], meant: Callable[[FrameT], list[DeviceEvent]]
) -> list[DeviceEvent]:
    """Pass noise on and let `meant` say what each frame means."""
    events: list[DeviceEvent] = []
    for item in found:
        events += [item] if isinstance(item, NoiseDropped) else meant(item)
    return events
