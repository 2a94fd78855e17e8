"""The far end of a key panel: contacts that bounce, one at each pin."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

from drivers.panels.key_tracker import DEFAULT_HOLD_S, DEFAULT_STUCK_S
from drivers.simulators.panels.contacts import SimulatedKeys
from drivers.simulators.simulated_pins import SimulatedPins


class KeyPanelSimulator(SimulatedKeys):
    """Keys wired to pins."""

    def __init__(
        self,
        pins: SimulatedPins,
        *,
        keys: Mapping[str, int],
        pressed_level: Literal["low", "high"] = "low",
        hold: Sequence[str] = (),
        hold_seconds: float = DEFAULT_HOLD_S,
        stuck_seconds: float = DEFAULT_STUCK_S,
    ) -> None:
        del stuck_seconds
        super().__init__(pins.clock, keys, hold, hold_seconds)
        for key, pin in keys.items():
            pins.drive(pin, partial(self._get_level, key, pressed_level == "high"))

    def _get_level(self, key: str, pressed: bool) -> bool:
        return self._contact_by_key[key].is_closed(self._clock()) == pressed
