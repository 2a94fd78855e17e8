"""The far end of a key panel: contacts that bounce, one at each pin."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

from drivers.panels.keys import HOLD_SECONDS, STUCK_SECONDS
from drivers.sim.panels.contacts import Fingers
from drivers.sim.pins import SimPins


class KeyPanelTwin(Fingers):
    """Keys wired to pins."""

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
        super().__init__(pins.clock, keys, hold, hold_seconds)
        for key, pin in keys.items():
            pins.drive(pin, partial(self._level, key, pressed_level == "high"))

    def _level(self, key: str, pressed: bool) -> bool:
        return self._contacts[key].closed(self._clock()) == pressed
