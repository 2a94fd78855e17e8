"""A buzzer on one pin, for who does not look: that a step is due, that the deal stops, that the floor is wanted.

An active buzzer: it has a tone of its own and sounds as long as the pin says so, through a transistor.
"""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.base import DeviceEvent, Pins, Signals
from drivers.contract.errors import DriverConfigError
from drivers.pins.header import check_pins, level_at_power_on
from drivers.sound.patterns import ALL, Sounding, SoundName


class Buzzer:
    """A buzzer that sounds while its pin is at `sounds_at`.

    `pin` is its BCM pin; `sounds`, which sounds are wanted: any other is off.
    """

    def __init__(
        self,
        name: str,
        *,
        pin: int,
        sounds_at: Literal["high", "low"] = "high",
        sounds: Sequence[SoundName] = ALL,
    ) -> None:
        check_pins(name, {"pin": pin})
        self._high = sounds_at == "high"
        if level_at_power_on(pin) == self._high:
            pulled, others = ("up", "9 to 27") if self._high else ("down", "2 to 8")
            text = f"pin {pin} is pulled {pulled} while the board boots, and the buzzer would sound; take {others}"
            raise DriverConfigError(name, "pin", text)
        self.name = name
        self._pin = pin
        self._now = 0.0
        self._sounding = Sounding(sounds)
        self._is_on = False

    def pins_used(self) -> dict[str, int]:
        """Return the one pin."""
        return {"buzzer": self._pin}

    def start(self, pins: Pins) -> None:
        """Be silent."""
        pins.setup_output(self._pin, not self._high)
        self._sounding.silence()
        self._is_on = False

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Go on with the sound."""
        self._now = now
        self._sound(pins)
        return ()

    def perform(self, signals: Signals, pins: Pins) -> None:
        """Begin a sound that was not heard yet; one that is shown again stays as it is."""
        self._sounding.show(signals.sound, self._now)
        self._sound(pins)

    def stop(self, pins: Pins) -> None:
        """Be silent."""
        pins.write(self._pin, not self._high)

    def _sound(self, pins: Pins) -> None:
        on = self._sounding.is_on(self._now)
        if on != self._is_on:
            self._is_on = on
            pins.write(self._pin, on == self._high)
