"""What goes wrong on a cable, on demand and by a seed, so that a bad day can be had again."""

import random
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_BUFFER_BYTES = 4096
"""How many unread bytes a port keeps before the oldest are lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFaults:
    """The faults of one cable, as a `sim://` URL gives them.

    The first five are probabilities from 0 to 1; times are in seconds. `unplug` counts from the first opening of the
    port, `replug` from the unplugging.
    """

    flip: float = 0.0
    """For each byte: one of its bits arrives wrong."""
    drop: float = 0.0
    """For each byte: it is lost."""
    double: float = 0.0
    """For each byte: it arrives twice."""
    burst: float = 0.0
    """For each frame: up to sixteen bytes of chance come before it."""
    repeat: float = 0.0
    """For each frame: it arrives twice."""
    split: int = 0
    """If not 0: no read returns more than this many bytes."""
    delay: float = 0.0
    """How much later everything arrives."""
    first: float = 0.0
    """How long the first data after each opening are held back: up to 1 s at a ttyUSB of a Raspberry Pi (nfcpy)."""
    unplug: float | None = None
    """When the cable is pulled."""
    replug: float | None = None
    """How long after that it is put back; never when not given."""
    seed: int = 0
    """Where chance begins."""
    needs_dtr: int = 0
    """If not 0: the device has USB of its own, and what it says while DTR is low is lost."""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "LinkFaults":
        """Read the faults from a URL's query. Raises `ValueError` with what would be accepted."""
        values: dict[str, Any] = {}
        for key, text in query.items():
            try:
                values[key] = KEYS[key](text)
            except KeyError:
                raise ValueError(f"there is no fault {key!r}; there are {', '.join(KEYS)}") from None
            except ValueError:
                raise ValueError(f"fault {key!r} wants a number, not {text!r}") from None
            if values[key] < 0 or (key in PROBABILITY_FAULTS and values[key] > 1):
                raise ValueError(
                    f"fault {key!r} wants {'0 to 1' if key in PROBABILITY_FAULTS else '0 or more'}, not {text}"
                )
        return cls(
            flip=values.get("flip", 0.0),
            drop=values.get("drop", 0.0),
            double=values.get("double", 0.0),
            burst=values.get("burst", 0.0),
            repeat=values.get("repeat", 0.0),
            split=values.get("split", 0),
            delay=values.get("delay", 0.0),
            first=values.get("first", 0.0),
            unplug=values.get("unplug"),
            replug=values.get("replug"),
            seed=values.get("seed", 0),
            needs_dtr=values.get("needs_dtr", 0),
        )

    @property
    def is_damaging(self) -> bool:
        """Whether bytes can arrive wrong, or not at all, or too often."""
        return any((self.flip, self.drop, self.double, self.burst, self.repeat))


PROBABILITY_FAULTS = ("flip", "drop", "double", "burst", "repeat")
"""The faults that are probabilities."""

KEYS: Mapping[str, type[int] | type[float]] = {
    **dict.fromkeys(PROBABILITY_FAULTS, float), "split": int, "delay": float, "first": float, "unplug": float,
    "replug": float, "seed": int, "needs_dtr": int,
}  # fmt: skip
"""What the keys of a `sim://` URL hold."""


class SimulatedLink:
    """One direction of a serial line: bytes go in with a time and come out later, paced, split and damaged."""

    def __init__(self, faults: LinkFaults, baudrate: int) -> None:
        """Lay a cable with `faults` on which a byte takes ten bits' time."""
        self._faults = faults
        self._random = random.Random(faults.seed)
        self._byte_seconds = 10 / baudrate
        self._in_flight: deque[tuple[float, int]] = deque()
        self._busy_until = 0.0
        self._held_until: float | None = None

    def restart(self) -> None:
        """Begin anew, as the port was opened."""
        self._held_until = None
        self.clear()

    def set_speed(self, baudrate: float) -> None:
        """Take ten bits' time at `baudrate` for each byte from now on."""
        self._byte_seconds = 10 / baudrate

    def push(self, frame: bytes, at: float) -> None:
        """Put a frame on the line at time `at`."""
        chance, faults = self._random, self._faults
        if self._held_until is None:
            self._held_until = at + faults.first
        at = max(at, self._held_until)
        if chance.random() < faults.burst:
            self._schedule(chance.randbytes(chance.randint(1, 16)), at)
        self._schedule(self._damage(frame), at)
        if chance.random() < faults.repeat:
            self._schedule(self._damage(frame), at)

    def pull(self, size: int, now: float) -> bytes:
        """Take at most `size` bytes that have arrived by `now`."""
        limit = min(size, self._faults.split or size)
        data = bytearray()
        while self._in_flight and len(data) < limit and self._in_flight[0][0] <= now:
            data.append(self._in_flight.popleft()[1])
        return bytes(data)

    def count_waiting(self, now: float) -> int:
        """How many bytes have arrived by `now` and were not taken."""
        return sum(1 for due, _ in self._in_flight if due <= now)

    def clear(self) -> None:
        """Lose everything under way."""
        self._in_flight.clear()

    def _damage(self, frame: bytes) -> bytes:
        chance, faults = self._random, self._faults
        out = bytearray()
        for byte in frame:
            if chance.random() < faults.drop:
                continue
            flipped = byte ^ (1 << chance.randrange(8)) if chance.random() < faults.flip else byte
            out.append(flipped)
            if chance.random() < faults.double:
                out.append(flipped)
        return bytes(out)

    def _schedule(self, data: bytes, at: float) -> None:
        due = max(self._busy_until, at + self._faults.delay)
        for byte in data:
            due += self._byte_seconds
            self._in_flight.append((due, byte))
        self._busy_until = due
        while len(self._in_flight) > MAX_BUFFER_BYTES:
            self._in_flight.popleft()
