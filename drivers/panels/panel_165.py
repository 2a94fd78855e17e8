"""Keys on a chain of 74HC165 shift registers: three pins of the board for any number of keys.

A low pulse on SH/LD takes all keys in at one instant; then input H of the nearest chip stands at QH, and each rising
clock brings the next, down to A and on to H of the chip behind.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, Pins, Signals
from drivers.panels.key_tracker import DEFAULT_HOLD_S, DEFAULT_STUCK_S, KeyTracker
from drivers.pins.gpio_header import check_pins

INPUTS_PER_CHIP = 8


class Panel165:
    """A panel of keys on 74HC165 registers.

    `load_pin` (SH/LD), `clock_pin` (CLK) and `data_pin` (QH of the nearest chip) are BCM pins; `chips` is the length of
    the chain. `keys` names each key's input: 0 is A of the nearest chip, 7 its H, 8 is A of the next. The others are
    those of `drivers.panels.key_panel.KeyPanel`.
    """

    def __init__(
        self,
        name: str,
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
        self.name = name
        self._pins = {"load_pin": load_pin, "clock_pin": clock_pin, "data_pin": data_pin}
        check_pins(name, self._pins)
        if chips < 1:
            raise DriverConfigError(name, "chips", f"a chain has at least one chip, not {chips}")
        self._input_count = chips * INPUTS_PER_CHIP
        check_inputs(name, keys, self._input_count)
        self._load_pin, self._clock_pin, self._data_pin = load_pin, clock_pin, data_pin
        self._input_by_key = dict(keys)
        self._pressed_level = pressed_level == "high"
        self._key_tracker = KeyTracker(
            name, tuple(keys), hold=hold, hold_seconds=hold_seconds, stuck_seconds=stuck_seconds
        )

    def pins_used(self) -> dict[str, int]:
        """Return the pins of the chain."""
        return {key.removesuffix("_pin"): pin for key, pin in self._pins.items()}

    def start(self, pins: Pins) -> None:
        """Set the pins up at rest."""
        pins.setup_output(self._load_pin, True)
        pins.setup_output(self._clock_pin, False)
        pins.setup_input(self._data_pin, pull_up=not self._pressed_level)

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Take all keys in at one instant, and look at each."""
        pins.write(self._load_pin, False)
        pins.write(self._load_pin, True)
        levels = [False] * self._input_count
        for n in range(self._input_count):
            levels[n ^ (INPUTS_PER_CHIP - 1)] = pins.read(self._data_pin)
            pins.write(self._clock_pin, True)
            pins.write(self._clock_pin, False)
        return self._key_tracker.sample(
            {key: levels[at] == self._pressed_level for key, at in self._input_by_key.items()}, now
        )

    def show_signals(self, signals: Signals, pins: Pins) -> None:
        """Do nothing: the keys have no lamps."""

    def stop(self, pins: Pins) -> None:
        """Do nothing: the pins are at rest."""


def check_inputs(device: str, keys: Mapping[str, int], size: int) -> None:
    """Refuse, with `DriverConfigError`, inputs that do not exist or have two keys."""
    if not keys:
        raise DriverConfigError(device, "keys", "a panel needs at least one key: name = input")
    users: dict[int, str] = {}
    for key, at in keys.items():
        if not 0 <= at < size:
            raise DriverConfigError(device, f"keys.{key}", f"there is no input {at}; there are 0 to {size - 1}")
        if at in users:
            raise DriverConfigError(device, f"keys.{key}", f"input {at} is already {users[at]!r}")
        users[at] = key
