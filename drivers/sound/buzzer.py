"""A buzzer on one pin, for who does not look: that a step is due, that the deal stops, that the floor is wanted.

An active buzzer: it has a tone of its own and sounds as long as the pin says so, through a transistor.
"""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, Pins, Signals
from drivers.pins.gpio_header import check_pins, get_power_on_level
from drivers.sound.sound_patterns import ALL_SOUNDS, SoundName, SoundPlayer


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
        sounds: Sequence[SoundName] = ALL_SOUNDS,
    ) -> None:
        check_pins(name, {"pin": pin})
        self._active_level = sounds_at == "high"
        if get_power_on_level(pin) == self._active_level:
            pulled, others = ("up", "9 to 27") if self._active_level else ("down", "2 to 8")
            text = f"pin {pin} is pulled {pulled} while the board boots, and the buzzer would sound; take {others}"
            raise DriverConfigError(name, "pin", text)
        self.name = name
        self._pin = pin
        self._now = 0.0
        self._player = SoundPlayer(sounds)
        self._is_on = False

    def pins_used(self) -> dict[str, int]:
        """Return the one pin."""
        return {"buzzer": self._pin}

    def start(self, pins: Pins) -> None:
        """Be silent."""
        pins.setup_output(self._pin, not self._active_level)
        self._player.silence()
        self._is_on = False

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Go on with the sound."""
        self._now = now
        self._update_pin(pins)
        return ()

    def show_signals(self, signals: Signals, pins: Pins) -> None:
        """Begin a sound that was not heard yet; one that is shown again stays as it is."""
        self._player.play(signals.sound, self._now)
        self._update_pin(pins)

    def stop(self, pins: Pins) -> None:
        """Be silent."""
        pins.write(self._pin, not self._active_level)

    def _update_pin(self, pins: Pins) -> None:
        on = self._player.is_on(self._now)
        if on != self._is_on:
            self._is_on = on
            pins.write(self._pin, on == self._active_level)
