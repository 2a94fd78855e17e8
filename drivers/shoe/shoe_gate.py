"""The gate of the shoe, on one pin.

What the pin does without power, a booting board or a dead program decides whether a card can slip out, so the
configuration must say both what opens the gate and where the mechanics rest. The driver leaves the resting level
only while the table wants the other position.

A coil for intermittent duty burns when it is on for as long as a card is due. So its heat is counted, in seconds of
on-time, from full on-time down to nothing in the rest that its maker asks for: many short openings heat it as one long
one does. Makers state both as relative duty cycle ("ED", VDE 0580): on-time by on-time and rest. The sampler's thread
counts and shuts, so that the limit also holds while the table's loop hangs; of a program that is dead it cannot.
"""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, GateHeldShut, Pins, Signals
from drivers.pins.gpio_header import check_pins, get_power_on_level

MIN_LIMIT_S, MAX_LIMIT_S = 1.0, 3600.0
"""What on-time and rest may be: less lets no card out, and a coil that bears more needs no limit."""

START_HEAT_SHARE = 0.9
"""How warm a coil counts at the start, as a share of what it bears: nobody knows how long it was on before, so it gets
a tenth of its on-time, which is a card or two, and not a fresh one."""


class ShoeGate:
    """A gate that lets cards out of the shoe, or not.

    `pin` is its BCM pin; `open_level` the level that opens it; `fail_safe` the position it takes without power, which
    is the position at the start, at the end and whenever nothing is known. `max_on_seconds` is how long the coil may be
    on, `rest_seconds` how long it rests after that, with the gate shut; `continuous_duty` says that it needs no rest.
    """

    def __init__(
        self,
        name: str,
        *,
        pin: int,
        open_level: Literal["high", "low"],
        fail_safe: Literal["locked", "open"],
        max_on_seconds: float | None = None,
        rest_seconds: float | None = None,
        continuous_duty: bool = False,
    ) -> None:
        safe_level = (open_level == "high") == (fail_safe == "open")
        check_pins(name, {"pin": pin})
        if get_power_on_level(pin) != safe_level:
            pulled, others = ("up", "9 to 27") if get_power_on_level(pin) else ("down", "2 to 8")
            text = (
                f"pin {pin} is pulled {pulled} while the board boots, which is not the fail-safe level; take {others}"
            )
            raise DriverConfigError(name, "pin", text)
        rests_open = fail_safe == "open"
        _check_limit(name, max_on_seconds, rest_seconds, continuous_duty=continuous_duty, rests_open=rests_open)
        self.name = name
        self._pin = pin
        self._open_level = open_level == "high"
        self._safe_level = safe_level
        self._max_on_s, self._rest_s = max_on_seconds, rest_seconds or 0.0
        self._heat_s = START_HEAT_SHARE * (max_on_seconds or 0.0)
        self._sampled_at: float | None = None
        self._is_wanted_open = False
        self._is_resting = False
        self._is_report_due = False
        """Whether it is still to be said that the gate stays shut."""

    def pins_used(self) -> dict[str, int]:
        """Return the one pin."""
        return {"gate": self._pin}

    def start(self, pins: Pins) -> None:
        """Take the fail-safe position."""
        pins.setup_output(self._pin, self._safe_level)

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Count the coil's heat; shut the gate where it must rest, and open it when it has."""
        if self._max_on_s is None:
            return ()
        passed_s = 0.0 if self._sampled_at is None else now - self._sampled_at
        self._sampled_at = now
        if self._is_wanted_open and not self._is_resting:
            self._heat_s += passed_s
            if self._heat_s >= self._max_on_s:
                self._is_resting = self._is_report_due = True  # a late sample made it hotter, and its rest longer
                self._write_position(pins)
        else:
            self._heat_s = max(0.0, self._heat_s - passed_s * self._max_on_s / self._rest_s)
            if self._is_resting and not self._heat_s:
                self._is_resting = self._is_report_due = False
                self._write_position(pins)
        if not self._is_report_due:
            return ()
        self._is_report_due = False
        left_s = self._heat_s / self._max_on_s * self._rest_s
        text = f"its coil has been on long enough and rests: the gate opens again by itself in {left_s:.0f} s"
        return (GateHeldShut(self.name, text),)

    def show_signals(self, signals: Signals, pins: Pins) -> None:
        """Open or lock as the table says, as far as the coil bears it."""
        self._is_report_due = signals.gate_open and (
            self._is_report_due or (self._is_resting and not self._is_wanted_open)
        )
        self._is_wanted_open = signals.gate_open
        self._write_position(pins)

    def stop(self, pins: Pins) -> None:
        """Take the fail-safe position again."""
        self._is_wanted_open = self._is_report_due = False
        pins.write(self._pin, self._safe_level)

    def _write_position(self, pins: Pins) -> None:
        pins.write(self._pin, self._open_level == (self._is_wanted_open and not self._is_resting))


def _check_limit(
    device: str, max_on_s: float | None, rest_s: float | None, *, continuous_duty: bool, rests_open: bool
) -> None:
    """Refuse a limit that is half said, out of range or of no use."""
    limits = {"max_on_seconds": max_on_s, "rest_seconds": rest_s}
    for (key, seconds), other in zip(limits.items(), reversed(limits), strict=True):
        if seconds is None and limits[other] is not None:
            text = f"is missing beside {other}: a coil has a longest on-time and the rest that it needs after that"
            raise DriverConfigError(device, key, text)
        if seconds is not None and not MIN_LIMIT_S <= seconds <= MAX_LIMIT_S:
            text = f"it must be {MIN_LIMIT_S:g} to {MAX_LIMIT_S:g} seconds, not {seconds:g}"
            raise DriverConfigError(device, key, text)
    if max_on_s is not None and continuous_duty:
        text = "what bears being on all the time needs no limit: take max_on_seconds and rest_seconds out, or this"
        raise DriverConfigError(device, "continuous_duty", text)
    if max_on_s is not None and rests_open:
        text = (
            'with fail_safe = "open" the coil is on while the gate is locked, and a rest would open it: take a coil '
            "that bears being on all the time, and continuous_duty = true"
        )
        raise DriverConfigError(device, "max_on_seconds", text)
