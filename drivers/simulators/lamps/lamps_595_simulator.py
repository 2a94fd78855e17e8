"""The far end of a lamp chain: 74HC595 registers that shift and latch on the edges of the pins, and their lamps."""

import random
from collections.abc import Mapping

from drivers.simulators.simulated_pins import SimulatedPins

OUTPUTS_PER_CHIP = 8


class Lamps595Simulator:
    """A chain of shift registers with a pull-up resistor on OE; after power-on it holds bits of chance.

    Datasheet: SRCLK rising shifts SER into the first stage, RCLK rising copies all stages to the outputs, OE low lets
    the outputs drive.
    """

    def __init__(
        self,
        pins: SimulatedPins,
        *,
        data_pin: int,
        clock_pin: int,
        latch_pin: int,
        enable_pin: int | None = None,
        chips: int,
        outputs: Mapping[str, Mapping[str, int]],
    ) -> None:
        self._pins = pins
        self._data_pin = data_pin
        self._enable_pin = enable_pin
        self._outputs_by_role = {
            role: {int(seat): output for seat, output in seats.items()} for role, seats in outputs.items()
        }
        chance = random.Random(chips)
        self._stages = [chance.random() < 0.5 for _ in range(chips * OUTPUTS_PER_CHIP)]
        self._latched = list(self._stages)
        pins.watch(clock_pin, self._on_clock)
        pins.watch(latch_pin, self._on_latch)

    def output_levels(self) -> tuple[bool, ...]:
        """Return whether each output drives its lamp, output 0 (QA of the nearest chip) first."""
        enabled = self._enable_pin is None or self._pins.get_driven_level(self._enable_pin) is False
        return tuple(enabled and level for level in self._latched)

    def lit_seats(self) -> dict[str, tuple[int, ...]]:
        """Return the seats whose lamp of each role is alight at this moment."""
        alight = self.output_levels()
        return {
            role: tuple(sorted(seat for seat, output in seats.items() if alight[output]))
            for role, seats in self._outputs_by_role.items()
        }

    def flip_latch(self, output: int) -> None:
        """Flip a latch, as static electricity does."""
        self._latched[output] = not self._latched[output]

    def _on_clock(self, pin: int, level: bool) -> None:
        if level:
            self._stages = [bool(self._pins.get_driven_level(self._data_pin)), *self._stages[:-1]]

    def _on_latch(self, pin: int, level: bool) -> None:
        if level:
            self._latched = list(self._stages)
