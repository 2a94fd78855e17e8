"""What simulated panels have in common: keys that bounce and a finger that knows how long to stay."""

import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from drivers.simulators.bench.simulator_interfaces import Clock

BOUNCE_DURATION_S = 0.004
"""How long a contact bounces; most settle in less than 5 ms."""

BOUNCE_COUNT = 6
"""How many times it opens and closes meanwhile; even, so that it ends where it was moved."""

MAX_REMEMBERED_CHANGES = 32
"""So many of its changes a contact remembers: those of two taps."""

TAP_DURATION_S = 0.1
"""How long a finger stays on a key."""


class Contact:
    """One contact: the moments at which it changes, from open on; replaced whole, so that any thread may look."""

    def __init__(self) -> None:
        """Start open."""
        self._moments: tuple[float, ...] = ()

    def move(self, close: bool, at: float, chance: random.Random, bounces: int = BOUNCE_COUNT) -> None:
        """Close or open it at `at`, bouncing for a while; what was to come after `at` does not."""
        past = bisect_right(self._moments, at)
        moments = self._moments[max(0, past - MAX_REMEMBERED_CHANGES) // 2 * 2 : past]  # two less are as open as before
        if len(moments) % 2 != close:
            moments += (at, *sorted(at + chance.uniform(0, BOUNCE_DURATION_S) for _ in range(bounces)))
        self._moments = moments

    def is_closed(self, now: float) -> bool:
        """Whether it is closed at `now`."""
        return bisect_right(self._moments, now) % 2 == 1

    def list_changes(self, since: float, until: float) -> list[tuple[float, bool]]:
        """Every change from `since` until before `until`: the moment, and whether it is closed from then on."""
        moments = self._moments
        first, end = bisect_left(moments, since), bisect_left(moments, until)
        return [(moments[n], n % 2 == 0) for n in range(first, end)]


class SimulatedKeys:
    """Named keys that can be pressed; a press or release bounces, each time differently, by a seed."""

    def __init__(self, clock: Clock, keys: Iterable[str], hold: Iterable[str], hold_seconds: float) -> None:
        """Start with no key pressed."""
        self._clock = clock
        self._contact_by_key = {key: Contact() for key in keys}
        self._random = random.Random(len(self._contact_by_key))
        self._tap_s_by_key = {
            key: TAP_DURATION_S + (hold_seconds if key in hold else 0) for key in self._contact_by_key
        }

    def press(self, key: str) -> None:
        """Press a key."""
        self._contact_by_key[key].move(True, self._clock(), self._random)

    def release(self, key: str) -> None:
        """Let a key go."""
        self._contact_by_key[key].move(False, self._clock(), self._random)

    def tap(self, key: str, seconds: float | None = None) -> None:
        """Press a key now and let it go `seconds` later, or as late as this key needs."""
        now = self._clock()
        self._contact_by_key[key].move(True, now, self._random)
        self._contact_by_key[key].move(
            False, now + (self._tap_s_by_key[key] if seconds is None else seconds), self._random
        )

    def is_down(self, key: str) -> bool:
        """Whether the contact is closed at this moment, bounces and all."""
        return self._contact_by_key[key].is_closed(self._clock())
