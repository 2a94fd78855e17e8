"""The far end of the gate's pin: a coil, a spring, and the resistor that holds the pin while nobody drives it."""

from typing import Literal

from drivers.simulators.simulated_pins import SimulatedPins


class ShoeGateSimulator:
    """A gate wired to one pin; where the pin floats the resistor keeps it at its fail-safe level."""

    def __init__(
        self, pins: SimulatedPins, *, pin: int, open_level: Literal["high", "low"], fail_safe: Literal["locked", "open"]
    ) -> None:
        self._pins = pins
        self._pin = pin
        self._open_level = open_level == "high"
        self._rests_open = fail_safe == "open"

    def is_open(self) -> bool:
        """Whether a card can leave the shoe."""
        level = self._pins.get_driven_level(self._pin)
        return self._rests_open if level is None else level == self._open_level
