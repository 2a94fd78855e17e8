"""The gate of the shoe, on one pin.

What the pin does without power, a booting board or a dead program decides whether a card can slip out, so the
configuration must say both what opens the gate and where the mechanics rest. The driver leaves the resting level
only while the table wants the other position.
"""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, Pins, Signals
from drivers.pins.gpio_header import check_pins, get_power_on_level


class ShoeGate:
    """A gate that lets cards out of the shoe, or not.

    `pin` is its BCM pin; `open_level` the level that opens it; `fail_safe` the position it takes without power, which
    is the position at the start, at the end and whenever nothing is known.
    """

    def __init__(
        self, name: str, *, pin: int, open_level: Literal["high", "low"], fail_safe: Literal["locked", "open"]
    ) -> None:
        safe_level = (open_level == "high") == (fail_safe == "open")
        check_pins(name, {"pin": pin})
        if get_power_on_level(pin) != safe_level:
            pulled, others = ("up", "9 to 27") if get_power_on_level(pin) else ("down", "2 to 8")
            text = (
                f"pin {pin} is pulled {pulled} while the board boots, which is not the fail-safe level; take {others}"
            )
            raise DriverConfigError(name, "pin", text)
        self.name = name
        self._pin = pin
        self._open_level = open_level == "high"
        self._safe_level = safe_level

    def pins_used(self) -> dict[str, int]:
        """Return the one pin."""
        return {"gate": self._pin}

    def start(self, pins: Pins) -> None:
        """Take the fail-safe position."""
        pins.setup_output(self._pin, self._safe_level)

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Return nothing: the gate senses nothing."""
        return ()

    def show_signals(self, signals: Signals, pins: Pins) -> None:
        """Open or lock as the table says."""
        pins.write(self._pin, self._open_level == signals.gate_open)

    def stop(self, pins: Pins) -> None:
        """Take the fail-safe position again."""
        pins.write(self._pin, self._safe_level)
