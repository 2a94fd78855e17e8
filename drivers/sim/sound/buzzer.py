"""The far end of a buzzer's wire: when it sounded, and for how long."""

from collections import deque
from collections.abc import Sequence

from drivers.sim.pins import SimPins

REMEMBERED = 100


class BuzzerTwin:
    """An active buzzer: it sounds while the pin is at `sounds_at`."""

    def __init__(self, pins: SimPins, *, pin: int, sounds_at: str = "high", sounds: Sequence[str] = ()) -> None:
        self._clock = pins.clock
        self._high = sounds_at == "high"
        self._since: float | None = None
        self.tones: deque[tuple[float, float]] = deque(maxlen=REMEMBERED)
        """When each tone began, and how many seconds it lasted."""
        pins.watch(pin, self._edge)

    def is_sounding(self) -> bool:
        """Whether it sounds at this moment."""
        return self._since is not None

    def lengths(self) -> list[float]:
        """How long each tone was, in hundredths of a second."""
        return [round(seconds, 2) for _, seconds in self.tones]

    def _edge(self, pin: int, level: bool) -> None:
        now = self._clock()
        if level == self._high:
            self._since = now
        elif self._since is not None:
            self.tones.append((self._since, now - self._since))
            self._since = None
