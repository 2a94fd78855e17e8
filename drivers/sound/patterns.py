"""Each sound of a table as a pattern in time, by which it is told from the others; docs/devices.md shows them."""

from collections.abc import Sequence
from typing import Literal

from controller.core.protocol.display import Heard

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
ALL: tuple[SoundName, ...] = ("due", "stop", "floor", "taken-back")


class Sounding:
    """What a buzzer sounds: the pattern of each sound that is wanted, once for each number that it is shown under."""

    def __init__(self, wanted: Sequence[SoundName]) -> None:
        self._wanted = frozenset(wanted)
        self._heard = 0
        self._pattern, self._since = "", 0.0

    def show(self, sound: Heard | None, now: float) -> None:
        """Begin a sound that was not heard yet; one that is shown again goes on as it is."""
        if sound is None or sound.number == self._heard:
            return
        self._heard = sound.number
        if sound.what.value in self._wanted:
            self._pattern, self._since = PATTERNS[sound.what.value], now

    def silence(self) -> None:
        """Sound no more."""
        self._pattern = ""

    def is_on(self, now: float) -> bool:
        """Whether the buzzer sounds at this second."""
        slot = int((now - self._since) / SLOT_SECONDS)
        return slot < len(self._pattern) and self._pattern[slot] == "#"
