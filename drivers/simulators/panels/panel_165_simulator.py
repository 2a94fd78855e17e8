"""The far end of a panel on shift registers: keys, and 74HC165s that load and shift on the edges of the pins."""

from collections.abc import Mapping, Sequence
from typing import Literal

from drivers.panels.key_tracker import DEFAULT_HOLD_S, DEFAULT_STUCK_S
from drivers.simulators.panels.contacts import SimulatedKeys
from drivers.simulators.simulated_pins import SimulatedPins

INPUTS_PER_CHIP = 8


class Panel165Simulator(SimulatedKeys):
    """Datasheet: SH/LD low copies the inputs into the stages, CLK rising shifts them towards QH while SH/LD is high.

    The first chip's H stands at QH; the second chip shifts into the first's A.
    """

    def __init__(
        self,
        pins: SimulatedPins,
        *,
        load_pin: int,
        clock_pin: int,
        data_pin: int,
        chips: int,
        keys: Mapping[str, int],
        pressed_level: Literal["low", "high"] = "low",
        hold: Sequence[str] = (),
        hold_seconds: float = DEFAULT_HOLD_S,
        stuck_seconds: float = DEFAULT_STUCK_S,
    ) -> None:
        del stuck_seconds
        super().__init__(pins.clock, keys, hold, hold_seconds)
        self._pins = pins
        self._load_pin = load_pin
        self._pressed_level = pressed_level == "high"
        self._key_by_input = {at: key for key, at in keys.items()}
        self._stages = [False] * (chips * INPUTS_PER_CHIP)
        """Stage n is what has n more clocks to go to QH."""
        pins.watch(load_pin, self._on_load)
        pins.watch(clock_pin, self._on_clock)
        pins.drive(data_pin, lambda: self._stages[0])

    def _on_load(self, pin: int, level: bool) -> None:
        if not level:
            for stage in range(len(self._stages)):
                chip, letter = divmod(stage, INPUTS_PER_CHIP)
                key = self._key_by_input.get(chip * INPUTS_PER_CHIP + INPUTS_PER_CHIP - 1 - letter)
                self._stages[stage] = (key is not None and self.is_down(key)) == self._pressed_level

    def _on_clock(self, pin: int, level: bool) -> None:
        if level and self._pins.get_driven_level(self._load_pin):
            self._stages = [*self._stages[1:], False]
