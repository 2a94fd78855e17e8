"""Sets the pace of the simulated room: play, pause, one step, speed."""

import logging
import math
import threading
from collections.abc import Callable, Mapping
from time import monotonic

from controller.app.simulation.simulated_people import SimulatedPeople
from controller.runtime.loop.table_view import TableView
from controller.runtime.service.crash_log import describe_failure
from controller.runtime.service.watchdog import Pulse

REACTION_TIMEOUT_S = 2.0
"""How long the table may take to show that it noticed a move; then the room looks again."""

CARD_REACTION_TIMEOUT_S = 10.0
"""The same of a card or a touch. A key without a meaning is common; a card that is not noticed is rare: on a busy
machine it is on its way, and would leave the shoe twice."""

MIN_KEY_INTERVAL_S = 0.35
"""No finger presses keys faster, whatever the speed: a panel takes a quicker second press for a bounce."""

MAX_TRIES = 3
"""How often a step is tried when the table does not notice it."""

log = logging.getLogger(__name__)


class SimulationRunner(threading.Thread):
    """Lets the room make one move after the other. `status` is told whenever playing or speed change."""

    def __init__(
        self, room: SimulatedPeople, *, speed: float, playing: bool, status: Callable[[Mapping[str, object]], None]
    ) -> None:
        super().__init__(name="room", daemon=True)
        self.pulse = Pulse("the simulated room", math.inf)  # it may be paused for ever, and must not be dead
        self.pulse.beat()
        self._people = room
        self._speed = speed
        self._playing = playing
        self._pending_steps = 0
        self._is_ending = False
        self._key_free_at = 0.0
        self._tries = 0
        self._is_shoe_empty = False
        self._view: TableView | None = None
        self._condition = threading.Condition()
        self._on_status = status
        self._publish_status()

    def on_view_published(self, standing: TableView) -> None:
        """Look at the table; for the loop to call."""
        with self._condition:
            self._view = standing
            self._condition.notify_all()

    def play(self) -> None:
        """Go on by itself."""
        self._set_playing(playing=True)

    def pause(self) -> None:
        """Stop after the move in hand."""
        self._set_playing(playing=False)

    def step(self) -> None:
        """Make one move, then stand still."""
        with self._condition:
            self._pending_steps += 1
        self._set_playing(playing=False)

    def set_speed(self, speed: float) -> None:
        """Go `speed` times as fast as people do."""
        with self._condition:
            self._speed = speed
        self._set_playing(playing=None)

    def end(self) -> None:
        """Let everybody go home."""
        with self._condition:
            self._is_ending = True
            self._condition.notify_all()
        if self.is_alive():
            self.join(REACTION_TIMEOUT_S)

    def run(self) -> None:
        """Move, and look whether the table has noticed, until `end`."""
        try:
            while self._wait_for_wish():
                self._make_move()
        except Exception as failure:
            log.error("the simulated room failed: %s", describe_failure(failure))
            self._set_playing(playing=False)

    def _wait_for_wish(self) -> bool:
        with self._condition:
            self._condition.wait_for(lambda: self._is_ending or (self._view and (self._playing or self._pending_steps)))
            return not self._is_ending

    def _make_move(self) -> None:
        with self._condition:
            standing, stepping = self._view, self._pending_steps > 0
        if standing is None:
            return
        move = self._people.choose_move(standing.output_line, standing.refusal is not None, standing.faults)
        if move is None:
            self._wait_for_view(standing.number, REACTION_TIMEOUT_S)
            return
        if not stepping and not self._pause_before(move.delay_s / self._speed):
            return
        if move.key is not None:
            self._wait_for_key_release()
        with self._condition:
            standing = self._view or standing
        self._people.make_move(move, standing.output_line)
        is_card = move.key is None and not self._people.lacks_card(standing.output_line)
        patience_s = CARD_REACTION_TIMEOUT_S if is_card else REACTION_TIMEOUT_S
        noticed = self._wait_for_view(standing.entry, patience_s, entry=True)
        self._people.clear_reader(noticed)
        with self._condition:
            standing = self._view or standing
        if self._people.lacks_card(standing.output_line) is not self._is_shoe_empty:
            self._is_shoe_empty = not self._is_shoe_empty
            self._publish_status()
        with self._condition:
            self._tries = 0 if noticed else self._tries + 1
            if stepping and (noticed or self._tries >= MAX_TRIES):
                self._pending_steps, self._tries = max(0, self._pending_steps - 1), 0

    def _pause_before(self, seconds: float) -> bool:
        """Take the time that people take; false when the wish has changed meanwhile."""
        with self._condition:
            interrupted = self._condition.wait_for(
                lambda: self._is_ending or not self._playing or self._pending_steps > 0, seconds
            )
            return not interrupted

    def _wait_for_key_release(self) -> None:
        with self._condition:
            self._condition.wait_for(lambda: self._is_ending, max(0.0, self._key_free_at - monotonic()))
            self._key_free_at = monotonic() + MIN_KEY_INTERVAL_S

    def _wait_for_view(self, last: int, seconds: float, *, entry: bool = False) -> bool:
        def news() -> bool:
            standing = self._view
            return self._is_ending or (standing is not None and (standing.entry if entry else standing.number) > last)

        with self._condition:
            return self._condition.wait_for(news, seconds)

    def _set_playing(self, *, playing: bool | None) -> None:
        with self._condition:
            if playing is not None:
                self._playing = playing
            self._condition.notify_all()
        self._publish_status()

    def _publish_status(self) -> None:
        self._on_status({"playing": self._playing, "speed": self._speed, "empty": self._is_shoe_empty})
