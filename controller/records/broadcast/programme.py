"""When each picture goes on air: a hand at its own pace, one hand after the other. Time is handed in."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from controller.records.broadcast.frames import MOST_FRAMES, Frame

LONGEST_PAUSE = 20.0
"""Seconds after which the next picture comes, however long the table stood: nobody watches a floor think."""

HELD_SECONDS = 8.0
"""How long the last picture of a hand stays before the next hand begins, or before the air is empty."""

MOST_WAITING = 8
"""Hands that wait to be shown; of more the oldest is never shown."""


@dataclass(slots=True)
class Programme:
    """What is on air, and what comes: hands that are over, and pictures that go on air at a time of their own."""

    _coming: deque[tuple[float, Frame | None]] = field(default_factory=deque)
    _waiting: deque[Sequence[Frame]] = field(default_factory=lambda: deque(maxlen=MOST_WAITING))
    _free_at: float = 0.0

    def replay(self, frames: Sequence[Frame]) -> None:
        """Show a hand that is over, as soon as those before it have been shown."""
        if frames:
            self._waiting.append(frames)

    def at(self, when: float, frame: Frame) -> None:
        """Show a picture at `when`; pictures are given in their order."""
        if self._coming and self._coming[-1][1] is None:
            self._coming.pop()
        self._coming.append((when, frame))
        if frame.over:
            self._coming.append((when + HELD_SECONDS, None))
        while len(self._coming) > 2 * MOST_FRAMES:
            self._coming.popleft()

    def withdraw(self) -> None:
        """Show nothing more of what was still to come."""
        self._coming.clear()
        self._waiting.clear()

    def due(self, now: float) -> tuple[bool, Frame | None]:
        """Whether the picture on air changes now, and to which; `None`: the air is empty. Of several due the newest."""
        changes, frame = False, None
        while True:
            if not self._coming and self._waiting and now >= self._free_at:
                self._begin(self._waiting.popleft(), now)
            if not self._coming or self._coming[0][0] > now:
                return changes, frame
            changes, frame = True, self._coming.popleft()[1]

    def next_at(self, now: float) -> float | None:
        """When to look again; `None`: not before something is added."""
        if self._coming:
            return self._coming[0][0]
        return max(now, self._free_at) if self._waiting else None

    def _begin(self, frames: Sequence[Frame], now: float) -> None:
        when, before = now, frames[0].at
        for frame in frames:
            when += min(max(frame.at - before, 0.0), LONGEST_PAUSE)
            before = frame.at
            self._coming.append((when, frame))
        self._free_at = when + HELD_SECONDS
        self._coming.append((self._free_at, None))
