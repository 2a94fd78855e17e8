"""The far end of the gate's pin: a coil, a spring, and the resistor that holds the pin while nobody drives it."""

from typing import Literal

from drivers.simulators.simulated_pins import SimulatedPins

MAX_OVERTIME_S = 1.0


class ShoeGateSimulator:
    """A gate wired to one pin; where the pin floats the resistor keeps it at its fail-safe level.

    `max_on_seconds` and `rest_seconds` are what its coil is made for: it takes the one to get hot, and the other to
    cool. Without them it bears being on all the time.
    """

    def __init__(
        self,
        pins: SimulatedPins,
        *,
        pin: int,
        open_level: Literal["high", "low"],
        fail_safe: Literal["locked", "open"],
        max_on_seconds: float | None = None,
        rest_seconds: float | None = None,
        continuous_duty: bool = False,
    ) -> None:
        self._pins = pins
        self._pin = pin
        self._open_level = open_level == "high"
        self._rests_open = fail_safe == "open"
        self._max_on_s = None if continuous_duty else max_on_seconds
        self._cooling_rate = 0.0 if max_on_seconds is None else max_on_seconds / (rest_seconds or max_on_seconds)
        self._heat_s, self._max_heat_s, self._changed_at, self._is_on = 0.0, 0.0, pins.clock(), False
        pins.watch(pin, lambda _pin, _level: self._follow_coil())

    def is_open(self) -> bool:
        """Whether a card can leave the shoe."""
        level = self._pins.get_driven_level(self._pin)
        return self._rests_open if level is None else level == self._open_level

    def is_overheated(self) -> bool:
        """Whether the coil was ever on for longer than it bears; a second over is nothing to it."""
        self._follow_coil()
        return self._max_on_s is not None and self._max_heat_s > self._max_on_s + MAX_OVERTIME_S

    def _follow_coil(self) -> None:
        """Heat or cool the coil for the time since its last change."""
        now = self._pins.clock()
        passed_s, self._changed_at = now - self._changed_at, now
        self._heat_s = max(0.0, self._heat_s + (passed_s if self._is_on else -passed_s * self._cooling_rate))
        self._max_heat_s = max(self._max_heat_s, self._heat_s)
        self._is_on = self.is_open() != self._rests_open
