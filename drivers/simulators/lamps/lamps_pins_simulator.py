"""The far end of lamps on pins: LEDs that are lit as the levels of their pins have it."""

from collections.abc import Mapping

from drivers.pins.gpio_header import FIXED_PULL_UP_PINS
from drivers.simulators.simulated_pins import SimulatedPins


class LampsPinsSimulator:
    """An LED and its resistor from each pin to ground, or with `active_low` to 3.3 V.

    A pin that nobody drives leaves its LED dark: the board's own pull of 50 kΩ gives it some 30 µA. Two pins have a
    pull-up of 1.8 kΩ, by which an LED to ground is seen to glow.
    """

    def __init__(
        self, pins: SimulatedPins, *, outputs: Mapping[str, Mapping[str, int]], active_low: bool = False
    ) -> None:
        self._pins = pins
        self._lit_level = not active_low
        self._outputs_by_role = {
            role: {int(seat): pin for seat, pin in seats.items()} for role, seats in outputs.items()
        }

    def lit_seats(self) -> dict[str, tuple[int, ...]]:
        """Return the seats whose lamp of each role is alight at this moment."""
        return {
            role: tuple(sorted(seat for seat, pin in seats.items() if self._is_lit(pin)))
            for role, seats in self._outputs_by_role.items()
        }

    def _is_lit(self, pin: int) -> bool:
        level = self._pins.get_driven_level(pin)
        return self._lit_level and pin in FIXED_PULL_UP_PINS if level is None else level == self._lit_level
