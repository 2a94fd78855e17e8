"""Each sound of a table as a pattern in time, by which it is told from the others; docs/devices.md shows them."""

from collections.abc import Sequence
from typing import Literal

from controller.core.protocol.table_display import SoundCue

SLOT_DURATION_S = 0.06
"""How long one mark of a pattern lasts."""

PATTERN_BY_SOUND: dict[str, str] = {
    "due": "#",
    "stop": "####.####",
    "floor": "#.#.#....#.#.#",
    "taken-back": "##..#",
}
"""Sound -> when it is heard (#); the names are those of `controller.core.protocol.table_display.Sound`."""

SoundName = Literal["due", "stop", "floor", "taken-back"]
ALL_SOUNDS: tuple[SoundName, ...] = ("due", "stop", "floor", "taken-back")


class SoundPlayer:
    """What a buzzer sounds: the pattern of each sound that is wanted, once for each number that it is shown under."""

    def __init__(self, wanted: Sequence[SoundName]) -> None:
        self._enabled_sounds = frozenset(wanted)
        self._last_number = 0
        self._pattern, self._started_at = "", 0.0

    def play(self, sound: SoundCue | None, now: float) -> None:
        """Begin a sound that was not heard yet; one that is shown again goes on as it is."""
        if sound is None or sound.number == self._last_number:
            return
        self._last_number = sound.number
        if sound.sound.value in self._enabled_sounds:
            self._pattern, self._started_at = PATTERN_BY_SOUND[sound.sound.value], now

    def silence(self) -> None:
        """Sound no more."""
        self._pattern = ""

    def is_on(self, now: float) -> bool:
        """Whether the buzzer sounds at this second."""
        slot = int((now - self._started_at) / SLOT_DURATION_S)
        return slot < len(self._pattern) and self._pattern[slot] == "#"
