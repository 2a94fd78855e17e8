"""Keys wired one to a pin of the board."""

from collections.abc import Mapping, Sequence
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, Pins, Signals
from drivers.panels.key_tracker import DEFAULT_HOLD_S, DEFAULT_STUCK_S, KeyTracker
from drivers.pins.gpio_header import check_pins


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
        hold_seconds: float = DEFAULT_HOLD_S,
        stuck_seconds: float = DEFAULT_STUCK_S,
    ) -> None:
        if not keys:
            raise DriverConfigError(name, "keys", "a panel needs at least one key: name = BCM pin")
        check_pins(name, {f"keys.{key}": pin for key, pin in keys.items()})
        self.name = name
        self._pin_by_key = dict(keys)
        self._pressed_level = pressed_level == "high"
        self._key_tracker = KeyTracker(
            name, tuple(keys), hold=hold, hold_seconds=hold_seconds, stuck_seconds=stuck_seconds
        )

    def pins_used(self) -> dict[str, int]:
        """Return the pin of every key."""
        return {f"key {key}": pin for key, pin in self._pin_by_key.items()}

    def start(self, pins: Pins) -> None:
        """Make every pin an input, pulled away from the pressed level."""
        for pin in self._pin_by_key.values():
            pins.setup_input(pin, pull_up=not self._pressed_level)

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Look at every key."""
        return self._key_tracker.sample(
            {key: pins.read(pin) == self._pressed_level for key, pin in self._pin_by_key.items()}, now
        )

    def show_signals(self, signals: Signals, pins: Pins) -> None:
        """Do nothing: the keys have no lamps."""

    def stop(self, pins: Pins) -> None:
        """Do nothing: inputs are safe as they are."""
