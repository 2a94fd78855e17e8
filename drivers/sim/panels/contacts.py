"""What simulated panels have in common: keys that bounce and a finger that knows how long to stay."""

import random
from bisect import bisect_right
from collections.abc import Iterable

from drivers.sim.bench.twin import Clock

BOUNCE_SECONDS = 0.004
"""How long a contact bounces; most settle in less than 5 ms."""

BOUNCES = 6
"""How many times it opens and closes meanwhile; even, so that it ends where it was moved."""

REMEMBERED = 32
"""So many of its changes a contact remembers: those of two taps."""

TAP_SECONDS = 0.1
"""How long a finger stays on a key."""


class Contact:
    """One contact: the moments at which it changes, from open on; replaced whole, so that any thread may look."""

    def __init__(self) -> None:
        """Start open."""
        self._moments: tuple[float, ...] = ()

    def move(self, close: bool, at: float, chance: random.Random, bounces: int = BOUNCES) -> None:
        """Close or open it at `at`, bouncing for a while; what was to come after `at` does not."""
        past = bisect_right(self._moments, at)
        moments = self._moments[max(0, past - REMEMBERED) // 2 * 2 : past]  # two less are as open as before
        if len(moments) % 2 != close:
            moments += (at, *sorted(at + chance.uniform(0, BOUNCE_SECONDS) for _ in range(bounces)))
        self._moments = moments

    def closed(self, now: float) -> bool:
        """Whether it is closed at `now`."""
        return bisect_right(self._moments, now) % 2 == 1


class Fingers:
    """Named keys that can be pressed; a press or release bounces, each time differently, by a seed."""

    def __init__(self, clock: Clock, keys: Iterable[str], hold: Iterable[str], hold_seconds: float) -> None:
        """Start with no key pressed."""
        self._clock = clock
        self._contacts = {key: Contact() for key in keys}
        self._chance = random.Random(len(self._contacts))
        self._seconds = {key: TAP_SECONDS + (hold_seconds if key in hold else 0) for key in self._contacts}

    def press(self, key: str) -> None:
        """Press a key."""
        self._contacts[key].move(True, self._clock(), self._chance)

    def release(self, key: str) -> None:
        """Let a key go."""
        self._contacts[key].move(False, self._clock(), self._chance)

    def tap(self, key: str, seconds: float | None = None) -> None:
        """Press a key now and let it go `seconds` later, or as late as this key needs."""
        now = self._clock()
        self._contacts[key].move(True, now, self._chance)
        self._contacts[key].move(False, now + (self._seconds[key] if seconds is None else seconds), self._chance)

    def is_down(self, key: str) -> bool:
        """Whether the contact is closed at this moment, bounces and all."""
        return self._contacts[key].closed(self._clock())
