"""The far end of a panel on shift registers: keys, and 74HC165s that load and shift on the edges of the pins."""

from collections.abc import Mapping, Sequence
from typing import Literal

from drivers.panels.keys import HOLD_SECONDS, STUCK_SECONDS
from drivers.sim.panels.contacts import Fingers
from drivers.sim.pins import SimPins

INPUTS_PER_CHIP = 8


class Panel165Twin(Fingers):
    """Datasheet: SH/LD low copies the inputs into the stages, CLK rising shifts them towards QH while SH/LD is high.

    The first chip's H stands at QH; the second chip shifts into the first's A.
    """

    def __init__(
        self,
        pins: SimPins,
        *,
        load_pin: int,
        clock_pin: int,
        data_pin: int,
        chips: int,
        keys: Mapping[str, int],
        pressed_level: Literal["low", "high"] = "low",
        hold: Sequence[str] = (),
        hold_seconds: float = HOLD_SECONDS,
        stuck_seconds: float = STUCK_SECONDS,
    ) -> None:
        del stuck_seconds
        super().__init__(pins.clock, keys, hold, hold_seconds)
        self._pins = pins
        self._load_pin = load_pin
        self._pressed = pressed_level == "high"
        self._inputs = {at: key for key, at in keys.items()}
        self._stages = [False] * (chips * INPUTS_PER_CHIP)
        """Stage n is what has n more clocks to go to QH."""
        pins.watch(load_pin, self._load)
        pins.watch(clock_pin, self._shift)
        pins.drive(data_pin, lambda: self._stages[0])

    def _load(self, pin: int, level: bool) -> None:
        if not level:
            for stage in range(len(self._stages)):
                chip, letter = divmod(stage, INPUTS_PER_CHIP)
                key = self._inputs.get(chip * INPUTS_PER_CHIP + INPUTS_PER_CHIP - 1 - letter)
                self._stages[stage] = (key is not None and self.is_down(key)) == self._pressed

    def _shift(self, pin: int, level: bool) -> None:
        if level and self._pins.driven(self._load_pin):
            self._stages = [*self._stages[1:], False]
