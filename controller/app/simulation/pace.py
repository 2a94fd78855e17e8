"""Sets the pace of the simulated room: play, pause, one step, speed."""

import logging
import math
import threading
from collections.abc import Callable, Mapping
from time import monotonic

from controller.app.simulation.room import Room
from controller.runtime.loop.ruling import where
from controller.runtime.loop.standing import Standing
from controller.runtime.service.watchdog import Pulse

SEEN_SECONDS = 2.0
"""How long the table may take to show that it noticed a move; then the room looks again."""

KEY_SECONDS = 0.35
"""No finger presses keys faster, whatever the speed: a panel takes a quicker second press for a bounce."""

MOST_TRIES = 3
"""How often a step is tried when the table does not notice it."""

log = logging.getLogger(__name__)


class Player(threading.Thread):
    """Lets the room make one move after the other. `status` is told whenever playing or speed change."""

    def __init__(
        self, room: Room, *, speed: float, playing: bool, status: Callable[[Mapping[str, object]], None]
    ) -> None:
        super().__init__(name="room", daemon=True)
        self.pulse = Pulse("the simulated room", math.inf)  # it may be paused for ever, and must not be dead
        self.pulse.beat()
        self._room = room
        self._speed = speed
        self._playing = playing
        self._steps = 0
        self._ending = False
        self._finger_up_at = 0.0
        self._tries = 0
        self._standing: Standing | None = None
        self._changed = threading.Condition()
        self._status = status
        self._tell()

    def see(self, standing: Standing) -> None:
        """Look at the table; for the loop to call."""
        with self._changed:
            self._standing = standing
            self._changed.notify_all()

    def play(self) -> None:
        """Go on by itself."""
        self._set(playing=True)

    def pause(self) -> None:
        """Stop after the move in hand."""
        self._set(playing=False)

    def step(self) -> None:
        """Make one move, then stand still."""
        with self._changed:
            self._steps += 1
        self._set(playing=False)

    def set_speed(self, speed: float) -> None:
        """Go `speed` times as fast as people do."""
        with self._changed:
            self._speed = speed
        self._set(playing=None)

    def end(self) -> None:
        """Let everybody go home."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        if self.is_alive():
            self.join(SEEN_SECONDS)

    def run(self) -> None:
        """Move, and look whether the table has noticed, until `end`."""
        try:
            while self._wait_for_wish():
                self._one_move()
        except Exception as failure:
            log.error("the simulated room failed: %s", where(failure))
            self._set(playing=False)

    def _wait_for_wish(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._ending or (self._standing and (self._playing or self._steps)))
            return not self._ending

    def _one_move(self) -> None:
        with self._changed:
            standing, stepping = self._standing, self._steps > 0
        if standing is None:
            return
        move = self._room.next_move(standing.output, standing.refusal is not None, standing.faults)
        if move is None:
            self._wait_for_news(standing.number, SEEN_SECONDS)
            return
        if not stepping and not self._pause_before(move.seconds / self._speed):
            return
        if move.key is not None:
            self._let_the_finger_up()
        with self._changed:
            standing = self._standing or standing
        self._room.do(move, standing.output)
        noticed = self._wait_for_news(standing.entry, SEEN_SECONDS, entry=True)
        self._room.settle(noticed)
        with self._changed:
            self._tries = 0 if noticed else self._tries + 1
            if stepping and (noticed or self._tries >= MOST_TRIES):
                self._steps, self._tries = max(0, self._steps - 1), 0

    def _pause_before(self, seconds: float) -> bool:
        """Take the time that people take; false when the wish has changed meanwhile."""
        with self._changed:
            interrupted = self._changed.wait_for(lambda: self._ending or not self._playing or self._steps > 0, seconds)
            return not interrupted

    def _let_the_finger_up(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._ending, max(0.0, self._finger_up_at - monotonic()))
            self._finger_up_at = monotonic() + KEY_SECONDS

    def _wait_for_news(self, last: int, seconds: float, *, entry: bool = False) -> bool:
        def news() -> bool:
            standing = self._standing
            return self._ending or (standing is not None and (standing.entry if entry else standing.number) > last)

        with self._changed:
            return self._changed.wait_for(news, seconds)

    def _set(self, *, playing: bool | None) -> None:
        with self._changed:
            if playing is not None:
                self._playing = playing
            self._changed.notify_all()
        self._tell()

    def _tell(self) -> None:
        self._status({"playing": self._playing, "speed": self._speed})
