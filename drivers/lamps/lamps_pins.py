"""Seat lamps that are one LED each on a pin of the board, through a resistor of their own."""

from collections.abc import Mapping, Sequence

from controller.core.protocol.table_display import Lamps
from drivers.contract.device_errors import DriverConfigError, PinError
from drivers.contract.driver_interface import DeviceEvent, Pins, Signals
from drivers.lamps.lamp_patterns import LampAnimator, SeatLamp, parse_outputs
from drivers.pins.gpio_header import FIXED_PULL_UP_PINS, PIN_NUMBERS, check_pins


class LampsPins:
    """LEDs, one a pin.

    `outputs` says which BCM pin lights a role at a seat: role -> seat -> pin. The roles of one seat may share an LED:
    then the most urgent shows. A lit pin is high (LED to ground), with `active_low` low (LED to 3.3 V).
    """

    def __init__(self, name: str, *, outputs: Mapping[str, Mapping[str, int]], active_low: bool = False) -> None:
        for role, seats in outputs.items():
            for seat, pin in seats.items():
                check_pins(name, {f"outputs.{role}.{seat}": pin})
        users = parse_outputs(name, outputs, len(PIN_NUMBERS))
        for pin, lamps in users.items():
            _refuse_unfit_pin(name, pin, lamps, active_low)
        self.name = name
        self._lit_level = not active_low
        self._users = users
        self._animator = LampAnimator(users)
        self._lit_pins: set[int] = set()
        """What was written, so that a pin that could not be written is tried again."""
        self._now = 0.0

    def pins_used(self) -> dict[str, int]:
        """Return the pin of every LED, by its seat, and by its most urgent role where a seat has several."""
        seats = [lamps[0][1] for lamps in self._users.values()]
        used = {}
        for pin, ((role, seat), *_) in self._users.items():
            which = f"{role.replace('_', ' ')} lamp" if seats.count(seat) > 1 else "lamp"
            used[f"{which} of seat {seat}"] = pin
        return used

    def start(self, pins: Pins) -> None:
        """Set every pin up dark; what was shown before is forgotten."""
        self._animator.show(Lamps(), self._now)
        self._lit_pins.clear()
        for pin in self._users:
            pins.setup_output(pin, not self._lit_level)

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Go on with the patterns."""
        self._now = now
        self._update_pins(pins)
        return ()

    def show_signals(self, signals: Signals, pins: Pins) -> None:
        """Light what the table says, at once."""
        self._animator.show(signals.lamps, self._now)
        self._update_pins(pins)

    def stop(self, pins: Pins) -> None:
        """Put all LEDs out, whatever is known of them."""
        self._animator.show(Lamps(), self._now)
        self._lit_pins.clear()
        failures: list[PinError] = []
        for pin in self._users:
            try:
                pins.write(pin, not self._lit_level)
            except PinError as why:  # the others are put out all the same
                failures.append(why)
        if failures:
            raise failures[0]

    def _update_pins(self, pins: Pins) -> None:
        """Write what has changed; what goes out goes first, so that no more LEDs are lit at once than are shown."""
        wanted = {pin for pin, _ in self._animator.lit_outputs(self._now)}
        for pin in self._lit_pins - wanted:
            pins.write(pin, not self._lit_level)
            self._lit_pins.discard(pin)
        for pin in wanted - self._lit_pins:
            pins.write(pin, self._lit_level)
            self._lit_pins.add(pin)


def _refuse_unfit_pin(device: str, pin: int, lamps: Sequence[SeatLamp], active_low: bool) -> None:
    """Refuse an LED that two seats share, or that would glow while nobody drives its pin."""
    first_role, first_seat = lamps[0]
    for role, seat in lamps:
        if seat != first_seat:
            text = (
                f"pin {pin} is the lamp of seat {first_seat} already; roles of one seat may share a lamp, seats may not"
            )
            raise DriverConfigError(device, f"outputs.{role}.{seat}", text)
    if pin in FIXED_PULL_UP_PINS and not active_low:
        text = (
            f"pin {pin} has a fixed pull-up of 1.8 kΩ, and an LED to ground would glow while the program does not run; "
            "take another pin"
        )
        raise DriverConfigError(device, f"outputs.{first_role}.{first_seat}", text)
