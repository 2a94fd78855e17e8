"""Keys wired one to a pin of the board."""

from collections.abc import Mapping, Sequence
from typing import Literal

from drivers.contract.base import DeviceEvent, Pins, Signals
from drivers.contract.errors import DriverConfigError
from drivers.panels.keys import HOLD_SECONDS, STUCK_SECONDS, Keys
from drivers.pins.header import check_pins


class KeyPanel:
    """A panel of keys, each between its pin and ground (or, with `pressed_level` "high", the 3.3 V supply).

    `keys` names each key's BCM pin; `hold` the keys that must be held for `hold_seconds` to count; a key down for
    `stuck_seconds` is stuck. The board's own pull resistors are used.
    """

    def __init__(
        self,
        name: str,
        *,
        keys: Mapping[str, int],
        pressed_level: Literal["low", "high"] = "low",
        hold: Sequence[str] = (),
        hold_seconds: float = HOLD_SECONDS,
        stuck_seconds: float = STUCK_SECONDS,
    ) -> None:
        if not keys:
            raise DriverConfigError(name, "keys", "a panel needs at least one key: name = BCM pin")
        check_pins(name, {f"keys.{key}": pin for key, pin in keys.items()})
        self.name = name
        self._pins = dict(keys)
        self._pressed = pressed_level == "high"
        self._keys = Keys(name, tuple(keys), hold=hold, hold_seconds=hold_seconds, stuck_seconds=stuck_seconds)

    def pins_used(self) -> dict[str, int]:
        """Return the pin of every key."""
        return {f"key {key}": pin for key, pin in self._pins.items()}

    def start(self, pins: Pins) -> None:
        """Make every pin an input, pulled away from the pressed level."""
        for pin in self._pins.values():
            pins.setup_input(pin, pull_up=not self._pressed)

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Look at every key."""
        return self._keys.sampled({key: pins.read(pin) == self._pressed for key, pin in self._pins.items()}, now)

    def perform(self, signals: Signals, pins: Pins) -> None:
        """Do nothing: the keys have no lamps."""

    def stop(self, pins: Pins) -> None:
        """Do nothing: inputs are safe as they are."""
