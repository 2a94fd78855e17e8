"""Finding frames in a stream of bytes, however split and whatever stands between them.

A protocol gives one function that looks at the front of what is there and says what it is: a whole frame, bytes of no
account, junk, or not enough yet. It decides by the frame's own bytes alone, as early as it can: a wrong length byte
must not make it wait for bytes that never come, and it never wants more than its longest frame.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from drivers.contract.base import DeviceEvent, Noise

Frame = TypeVar("Frame")
Frame_co = TypeVar("Frame_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Whole(Generic[Frame_co]):
    """The first `size` bytes are a good frame."""

    size: int
    frame: Frame_co


@dataclass(frozen=True, slots=True)
class Skip:
    """The first `size` bytes belong to the protocol and say nothing: idle bytes, preambles."""

    size: int


@dataclass(frozen=True, slots=True)
class Junk:
    """The first byte begins no good frame, because of `why`."""

    why: str


@dataclass(frozen=True, slots=True)
class More:
    """What is there can be the beginning of a good frame."""


MORE = More()

Judge = Callable[[bytes], Whole[Frame] | Skip | Junk | More]
"""Looks at the front of what is there, which is at least one byte."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Bytes that belong to no frame."""

    count: int
    why: str


class Frames(Generic[Frame]):
    """Cuts a stream into frames; holds back at most the beginning of one.

    `idle` are bytes that mean nothing where no frame follows, such as the zeros after a frame.
    """

    def __init__(self, judge: Judge[Frame], idle: bytes = b"") -> None:
        """Start with nothing received."""
        self._judge = judge
        self._idle = idle
        self._held = b""

    def feed(self, data: bytes) -> list[Frame | Dropped]:
        """Take bytes; return good frames and what had to be dropped, in order."""
        found: list[Frame | Dropped] = []
        stream, at = self._held + data, 0
        while at < len(stream):
            match self._judge(stream[at:]):
                case Whole(size, frame):
                    found.append(frame)
                    at += size
                case Skip(size):
                    at += size
                case Junk(why):
                    _add(found, 1, why)
                    at += 1
                case More():
                    break
        self._held = stream[at:]
        return found

    def give_up(self) -> list[Frame | Dropped]:
        """Drop the beginning of a frame that will not be finished; a good frame may have stood in its way."""
        found: list[Frame | Dropped] = []
        while self._held.strip(self._idle):
            _add(found, 1, "frame broken off")
            rest, self._held = self._held[1:], b""
            for item in self.feed(rest):
                if isinstance(item, Dropped):
                    _add(found, item.count, item.why)
                else:
                    found.append(item)
        self._held = b""
        return found


def _add(found: list[Frame | Dropped], count: int, why: str) -> None:
    """Report dropped bytes, those of one stretch together under their first reason."""
    last = found[-1] if found else None
    if isinstance(last, Dropped):
        found[-1] = Dropped(last.count + count, last.why)
    else:
        found.append(Dropped(count, why))


class Silence:
    """Knows when nothing came for so many `seconds` that what was begun will not be finished.

    Between two pieces of data their own times tell. A mere look at the clock is believed only the second time: when
    the program was held up, the next bytes may wait behind the first ones, and the clock is already past both.
    """

    def __init__(self, seconds: float) -> None:
        """Start with nothing heard."""
        self._seconds = seconds
        self._heard_at = float("-inf")
        self._looks = 0

    def before(self, data: bytes, now: float) -> bool:
        """Whether a silence lay before `data`, which came at `now`."""
        quiet = now - self._heard_at > self._seconds
        if data:
            self._heard_at, self._looks = now, 0
        return quiet

    def lasts(self, now: float) -> bool:
        """Whether there is a silence at `now`."""
        self._looks += 1
        return self._looks > 1 and now - self._heard_at > self._seconds


class Receiver(Generic[Frame]):
    """Frames of one device, with the silence that ends a broken one; what is no frame becomes `Noise`.

    `broken_after` is how many seconds of silence end a frame: longer than the device ever pauses inside one. `idle` is
    as for `Frames`.
    """

    def __init__(self, device: str, judge: Judge[Frame], broken_after: float, idle: bytes = b"") -> None:
        """Start with nothing received."""
        self._device = device
        self._frames = Frames(judge, idle)
        self._silence = Silence(broken_after)

    def received(self, data: bytes, now: float) -> list[Frame | Noise]:
        """Take bytes that came at `now`."""
        found = self._frames.give_up() if self._silence.before(data, now) else []
        return self._told(found + self._frames.feed(data))

    def silent(self, now: float) -> list[Frame | Noise]:
        """Notice at `now` that a frame was broken off."""
        return self._told(self._frames.give_up()) if self._silence.lasts(now) else []

    def _told(self, found: list[Frame | Dropped]) -> list[Frame | Noise]:
        return [Noise(self._device, item.count, item.why) if isinstance(item, Dropped) else item for item in found]


class Repeats:
    """Tells a tag that was said often enough, for readers whose checksum alone is too weak.

    A tag counts at its `wanted`-th mention, each within `within` seconds of the one before, and at every one after.
    """

    def __init__(self, wanted: int, within: float) -> None:
        """Start with nothing heard."""
        self._wanted = wanted
        self._within = within
        self._said: dict[str, tuple[int, float]] = {}

    def counts(self, tag: str, now: float) -> bool:
        """Whether this mention of `tag` counts."""
        self._said = {other: said for other, said in self._said.items() if now - said[1] <= self._within}
        times = self._said.get(tag, (0, now))[0] + 1
        self._said[tag] = (times, now)
        return times >= self._wanted


def noise_or_events(found: list[Frame | Noise], meant: Callable[[Frame], list[DeviceEvent]]) -> list[DeviceEvent]:
    """Pass noise on and let `meant` say what each frame means."""
    events: list[DeviceEvent] = []
    for item in found:
        events += [item] if isinstance(item, Noise) else meant(item)
    return events
