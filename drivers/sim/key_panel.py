"""The far end of a key panel: contacts that bounce."""

import random
import threading
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

from drivers.keys import HOLD_SECONDS, STUCK_SECONDS
from drivers.sim.pins import SimPins

BOUNCE_SECONDS = 0.004
"""How long a contact bounces; most settle in less than 5 ms."""

BOUNCES = 6
"""How many times it opens and closes meanwhile."""

TAP_SECONDS = 0.1
"""How long a finger stays on a key."""


class KeyPanelTwin:
    """Keys wired to pins; a press or release bounces first, each time differently, by the seed."""

    def __init__(
        self,
        pins: SimPins,
        *,
        keys: Mapping[str, int],
        pressed_level: Literal["low", "high"] = "low",
        hold: Sequence[str] = (),
        hold_seconds: float = HOLD_SECONDS,
        stuck_seconds: float = STUCK_SECONDS,
    ) -> None:
        del stuck_seconds
        self._finger = {key: TAP_SECONDS + (hold_seconds if key in hold else 0) for key in keys}
        self._clock = pins.clock
        self._chance = random.Random(len(keys))
        self._contacts = {key: Contact() for key in keys}
        for key, pin in keys.items():
            pins.drive(pin, partial(self._level, key, pressed_level == "high"))

    def press(self, key: str) -> None:
        """Press a key."""
        self._contacts[key].move(True, self._clock(), self._chance)

    def release(self, key: str) -> None:
        """Let a key go."""
        self._contacts[key].move(False, self._clock(), self._chance)

    def tap(self, key: str, seconds: float | None = None) -> None:
        """Press a key now and let it go `seconds` later, or as late as this key needs."""
        now = self._clock()
        seconds = self._finger[key] if seconds is None else seconds
        self._contacts[key].move(True, now, self._chance)
        self._contacts[key].move(False, now + seconds, self._chance)

    def is_down(self, key: str) -> bool:
        """Whether the contact is closed at this moment, bounces and all."""
        return self._contacts[key].closed(self._clock())

    def _level(self, key: str, pressed: bool) -> bool:
        return self.is_down(key) == pressed


class Contact:
    """One contact: a list of the moments at which it changes."""

    def __init__(self) -> None:
        self._moments: list[float] = []
        self._lock = threading.Lock()

    def move(self, close: bool, at: float, chance: random.Random) -> None:
        """Close or open it at `at`, bouncing for a while; what was to come after `at` does not."""
        with self._lock:
            del self._moments[bisect_right(self._moments, at) :]
            if len(self._moments) % 2 == close:
                return
            self._moments += [at, *sorted(at + chance.uniform(0, BOUNCE_SECONDS) for _ in range(2 * (BOUNCES // 2)))]

    def closed(self, now: float) -> bool:
        """Whether it is closed at `now`."""
        with self._lock:
            return bisect_right(self._moments, now) % 2 == 1
