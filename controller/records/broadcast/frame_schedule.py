"""When each picture goes on air: a hand at its own pace, one hand after the other. Time is handed in."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from controller.records.broadcast.hand_frames import MAX_FRAMES, Frame

MAX_FRAME_DURATION_S = 20.0
"""Seconds after which the next picture comes, however long the table stood: nobody watches a floor think."""

LAST_FRAME_DURATION_S = 8.0
"""How long the last picture of a hand stays before the next hand begins, or before the air is empty."""

MAX_WAITING_HANDS = 8
"""Hands that wait to be shown; of more the oldest is never shown."""


@dataclass(slots=True)
class FrameSchedule:
    """What is on air, and what comes: hands that are over, and pictures that go on air at a time of their own."""

    _scheduled_frames: deque[tuple[float, Frame | None]] = field(default_factory=deque)
    _waiting_hands: deque[Sequence[Frame]] = field(default_factory=lambda: deque(maxlen=MAX_WAITING_HANDS))
    _free_at: float = 0.0

    def schedule_replay(self, frames: Sequence[Frame]) -> None:
        """Show a hand that is over, as soon as those before it have been shown."""
        if frames:
            self._waiting_hands.append(frames)

    def schedule_frame(self, when: float, frame: Frame) -> None:
        """Show a picture at `when`; pictures are given in their order."""
        if self._scheduled_frames and self._scheduled_frames[-1][1] is None:
            self._scheduled_frames.pop()
        self._scheduled_frames.append((when, frame))
        if frame.is_over:
            self._scheduled_frames.append((when + LAST_FRAME_DURATION_S, None))
        while len(self._scheduled_frames) > 2 * MAX_FRAMES:
            self._scheduled_frames.popleft()

    def cancel_all(self) -> None:
        """Show nothing more of what was still to come."""
        self._scheduled_frames.clear()
        self._waiting_hands.clear()

    def take_due_frame(self, now: float) -> tuple[bool, Frame | None]:
        """Whether the picture on air changes now, and to which; `None`: the air is empty. Of several due the newest."""
        changes, frame = False, None
        while True:
            if not self._scheduled_frames and self._waiting_hands and now >= self._free_at:
                self._begin_replay(self._waiting_hands.popleft(), now)
            if not self._scheduled_frames or self._scheduled_frames[0][0] > now:
                return changes, frame
            changes, frame = True, self._scheduled_frames.popleft()[1]

    def find_next_time(self, now: float) -> float | None:
        """When to look again; `None`: not before something is added."""
        if self._scheduled_frames:
            return self._scheduled_frames[0][0]
        return max(now, self._free_at) if self._waiting_hands else None

    def _begin_replay(self, frames: Sequence[Frame], now: float) -> None:
        when, before = now, frames[0].table_time_s
        for frame in frames:
            when += min(max(frame.table_time_s - before, 0.0), MAX_FRAME_DURATION_S)
            before = frame.table_time_s
            self._scheduled_frames.append((when, frame))
        self._free_at = when + LAST_FRAME_DURATION_S
        self._scheduled_frames.append((self._free_at, None))
