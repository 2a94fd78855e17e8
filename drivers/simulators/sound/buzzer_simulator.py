"""The far end of a buzzer's wire: when it sounded, and for how long."""

from collections import deque
from collections.abc import Sequence

from drivers.simulators.simulated_pins import SimulatedPins

MAX_TONES = 100


class BuzzerSimulator:
    """An active buzzer: it sounds while the pin is at `sounds_at`."""

    def __init__(self, pins: SimulatedPins, *, pin: int, sounds_at: str = "high", sounds: Sequence[str] = ()) -> None:
        self._clock = pins.clock
        self._active_level = sounds_at == "high"
        self._sounding_since: float | None = None
        self.tones: deque[tuple[float, float]] = deque(maxlen=MAX_TONES)
        """When each tone began, and how many seconds it lasted."""
        pins.watch(pin, self._on_edge)

    def is_sounding(self) -> bool:
        """Whether it sounds at this moment."""
        return self._sounding_since is not None

    def tone_lengths_s(self) -> list[float]:
        """How long each tone was, in hundredths of a second."""
        return [round(seconds, 2) for _, seconds in self.tones]

    def _on_edge(self, pin: int, level: bool) -> None:
        now = self._clock()
        if level == self._active_level:
            self._sounding_since = now
        elif self._sounding_since is not None:
            self.tones.append((self._sounding_since, now - self._sounding_since))
            self._sounding_since = None
