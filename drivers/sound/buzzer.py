"""A buzzer on one pin, for who does not look: that a step is due, that the deal stops, that the floor is wanted.

An active buzzer: it has a tone of its own and sounds as long as the pin says so, through a transistor.
Each sound has one pattern in time, by which it is told from the others; docs/devices.md shows them.
"""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.base import DeviceEvent, Pins, Signals
from drivers.contract.errors import DriverConfigError
from drivers.pins.header import check_pins, level_at_power_on

SLOT_SECONDS = 0.06
"""How long one mark of a pattern lasts."""

PATTERNS: dict[str, str] = {
    "due": "#",
    "stop": "####.####",
    "floor": "#.#.#....#.#.#",
    "taken-back": "##..#",
}
"""Sound -> when it is heard (#); the names are those of `controller.core.protocol.display.Sound`."""

SoundName = Literal["due", "stop", "floor", "taken-back"]


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
        sounds: Sequence[SoundName] = ("due", "stop", "floor", "taken-back"),
    ) -> None:
        check_pins(name, {"pin": pin})
        self._high = sounds_at == "high"
        if level_at_power_on(pin) == self._high:
            pulled, others = ("up", "9 to 27") if self._high else ("down", "2 to 8")
            text = f"pin {pin} is pulled {pulled} while the board boots, and the buzzer would sound; take {others}"
            raise DriverConfigError(name, "pin", text)
        self.name = name
        self._pin = pin
        self._wanted = frozenset(sounds)
        self._now = 0.0
        self._heard = 0
        self._pattern, self._since = "", 0.0
        self._is_on = False

    def pins_used(self) -> dict[str, int]:
        """Return the one pin."""
        return {"buzzer": self._pin}

    def start(self, pins: Pins) -> None:
        """Be silent."""
        pins.setup_output(self._pin, not self._high)
        self._pattern, self._is_on = "", False

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Go on with the sound."""
        self._now = now
        self._sound(pins)
        return ()

    def perform(self, signals: Signals, pins: Pins) -> None:
        """Begin a sound that was not heard yet; one that is shown again stays as it is."""
        sound = signals.sound
        if sound is None or sound.number == self._heard:
            return
        self._heard = sound.number
        if sound.what.value in self._wanted:
            self._pattern, self._since = PATTERNS[sound.what.value], self._now
            self._sound(pins)

    def stop(self, pins: Pins) -> None:
        """Be silent."""
        pins.write(self._pin, not self._high)

    def _sound(self, pins: Pins) -> None:
        slot = int((self._now - self._since) / SLOT_SECONDS)
        on = slot < len(self._pattern) and self._pattern[slot] == "#"
        if on != self._is_on:
            self._is_on = on
            pins.write(self._pin, on == self._high)
