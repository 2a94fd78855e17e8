"""Seat lamps on a chain of 74HC595 shift registers, on three pins of the board and one for their outputs.

After power-on a 595 holds bits of chance, so the outputs stay off (OE high, which its pull-up resistor does before we
come) until the whole chain was written once. Static electricity can flip a bit later; the chain is written anew every
`REFRESH_INTERVAL_S` even when nothing changed. A chain is always written whole and latched once.
"""

from collections.abc import Mapping, Sequence

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, Pins, Signals
from drivers.lamps.lamp_patterns import LampAnimator, parse_outputs
from drivers.pins.gpio_header import check_pins

REFRESH_INTERVAL_S = 0.5

OUTPUTS_PER_CHIP = 8


class Lamps595:
    """Lamps on a 74HC595 chain.

    `data_pin` (SER), `clock_pin` (SRCLK), `latch_pin` (RCLK) and `enable_pin` (OE, low lights; leave it out only if OE
    is wired to ground) are BCM pins. `chips` is the length of the chain. `outputs` says which output lights a role at a
    seat: role -> seat -> output, where output 0 is QA of the chip nearest the board, 8 is QA of the next. Roles may
    share an output: then the more urgent role shows.
    """

    def __init__(
        self,
        name: str,
        *,
        data_pin: int,
        clock_pin: int,
        latch_pin: int,
        enable_pin: int | None = None,
        chips: int,
        outputs: Mapping[str, Mapping[str, int]],
    ) -> None:
        self.name = name
        self._data_pin, self._clock_pin, self._latch_pin, self._enable_pin = data_pin, clock_pin, latch_pin, enable_pin
        pins = {"data_pin": data_pin, "clock_pin": clock_pin, "latch_pin": latch_pin}
        if enable_pin is not None:
            pins["enable_pin"] = enable_pin
        check_pins(name, pins)
        if chips < 1:
            raise DriverConfigError(name, "chips", f"a chain has at least one chip, not {chips}")
        self._pins = pins
        self._output_count = chips * OUTPUTS_PER_CHIP
        users = parse_outputs(name, outputs, self._output_count)
        self._animator = LampAnimator(users)
        self._now = 0.0
        self._written_levels: tuple[bool, ...] | None = None
        self._written_at = 0.0
        self._data_level = False

    def pins_used(self) -> dict[str, int]:
        """Return the pins of the chain."""
        return {key.removesuffix("_pin"): pin for key, pin in self._pins.items()}

    def start(self, pins: Pins) -> None:
        """Set the pins up with the outputs off."""
        if self._enable_pin is not None:
            pins.setup_output(self._enable_pin, True)
        for pin in (self._data_pin, self._clock_pin, self._latch_pin):
            pins.setup_output(pin, False)
        self._written_levels, self._data_level = None, False

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Go on with the patterns, and refresh the chain."""
        self._now = now
        wanted = self._compute_levels()
        if wanted != self._written_levels or now - self._written_at >= REFRESH_INTERVAL_S:
            self._write(wanted, pins)
        return ()

    def show_signals(self, signals: Signals, pins: Pins) -> None:
        """Light what the table says, at once."""
        self._animator.show(signals.lamps, self._now)
        self._write(self._compute_levels(), pins)

    def stop(self, pins: Pins) -> None:
        """Put all lamps out."""
        self._write((False,) * self._output_count, pins)
        if self._enable_pin is not None:
            pins.write(self._enable_pin, True)

    def _compute_levels(self) -> tuple[bool, ...]:
        levels = [False] * self._output_count
        for output, _ in self._animator.lit_outputs(self._now):
            levels[output] = True
        return tuple(levels)

    def _write(self, levels: tuple[bool, ...], pins: Pins) -> None:
        """Shift the whole chain, farthest output first, latch it, and let the outputs light."""
        write, data, clock, now = pins.write, self._data_pin, self._clock_pin, self._data_level
        for level in reversed(levels):
            if level != now:
                write(data, level)
                now = self._data_level = level
            write(clock, True)
            write(clock, False)
        write(self._latch_pin, True)
        write(self._latch_pin, False)
        if self._written_levels is None and self._enable_pin is not None:
            pins.write(self._enable_pin, False)
        self._written_levels, self._written_at = levels, self._now
