"""Films what the table has released and puts it on air, in a thread of its own.

What comes here may be seen: `Release` has held it back until then. The table only puts it on a queue; nothing here can
keep it waiting.
"""

import json
import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from queue import Empty, Full, Queue
from time import monotonic
from typing import Any

from controller.app.table.broadcast.equity_desk import EquityDesk
from controller.core.model.state import State
from controller.records.broadcast.equities import Situation
from controller.records.broadcast.feed import MOST_HANDS, Blinds, HandShown, feed
from controller.records.broadcast.frames import MOST_FRAMES, Filming, Frame, filmed, shown
from controller.records.broadcast.programme import Programme
from controller.runtime.broadcast.release import Later, Released, WholeHand, Withdrawn
from controller.runtime.loop.ruling import where
from controller.web.serving.air import EMPTY, Air

QUEUE = 4096
"""What waits to be filmed: more than the table holds back; further pictures are never shown."""

log = logging.getLogger(__name__)


class Studio(threading.Thread):
    """Runs the show until `end`. `send` takes what is released, from the table's thread."""

    def __init__(self, program: str, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(name="broadcast", daemon=True)
        self.air = Air(self._feed)
        self._program = program
        self._clock = clock
        self._since = datetime.now(UTC)
        self._queue: Queue[Released | Situation | None] = Queue(QUEUE)
        self._equities = EquityDesk(self._known)
        self._programme = Programme()
        self._filming = Filming()
        self._taken: list[Frame] = []
        """The pictures of the hand that is shown as it was played, for the feed."""
        self._hands: deque[HandShown] = deque(maxlen=MOST_HANDS)
        self._frame: Frame | None = None
        self._lock = threading.Lock()

    def send(self, released: Released) -> None:
        """Take what is released; what finds no room is not shown."""
        try:
            self._queue.put_nowait(released)
        except Full:
            log.warning("the broadcast falls behind: a picture is not shown")

    def run(self) -> None:
        """Film and show."""
        while True:
            now = self._clock()
            due = self._programme.next_at(now)
            try:
                item = self._queue.get(timeout=None if due is None else max(0.0, due - now))
                if item is None:
                    return
            except Empty:
                item = None
            try:
                self.turn(item, self._clock())
            except Exception as failure:  # a show is no reason to do without the next one, nor to end a table
                log.error("the broadcast failed: %s", where(failure))

    def turn(self, item: Released | Situation | None, now: float) -> None:
        """Take one item, or none, and show what is due."""
        match item:
            case WholeHand(states=states):
                frames = filmed(states)
                for each in frames:
                    self._ask(each)
                self._programme.replay(frames)
                self._keep(frames, states[-1][1] if states else None)
            case Later(at=at, state=state):
                self._as_played(at, state, now)
            case Withdrawn():
                self._programme.withdraw()
                self._taken = []
                self._put_on(None)
            case Situation() as situation if self._frame is not None and self._frame.situation == situation:
                self._put_on(self._frame)
        changes, frame = self._programme.due(now)
        if changes:
            self._put_on(frame)

    def end(self) -> None:
        """End the show; returns when the thread has ended."""
        self.air.close()
        while self.is_alive():
            try:
                self._queue.put(None, timeout=0.1)
            except Full:
                continue
            self.join()
        self._equities.end()

    def _as_played(self, at: float, state: State, now: float) -> None:
        if state.hand is not None and state.hand.plan and not state.hand.cards.piles.left:
            self._filming, self._taken = Filming(), []
        frame = self._filming.take(at, state)
        if frame is None:
            return
        self._ask(frame)
        self._programme.at(now, frame)
        self._taken = [*self._taken[1 - MOST_FRAMES :], frame]
        if frame.over:
            self._keep(tuple(self._taken), state)

    def _ask(self, frame: Frame) -> None:
        if frame.situation is not None:
            self._equities.ask(frame.situation)

    def _known(self, situation: Situation) -> None:
        """In the thread of the equities: somebody may be looking at that picture."""
        try:
            self._queue.put_nowait(situation)
        except Full:
            log.warning("the broadcast falls behind: equities are not shown")

    def _put_on(self, frame: Frame | None) -> None:
        self._frame = frame
        if frame is None:
            self.air.show(EMPTY)
            return
        found = None if frame.situation is None else self._equities.of(frame.situation)
        self.air.show(json.dumps(shown(frame, found), separators=(",", ":"), ensure_ascii=False))

    def _keep(self, frames: tuple[Frame, ...], last: State | None) -> None:
        """Keep a hand for the feed."""
        if last is None or last.hand is None or not frames:
            return
        positions = last.hand.positions
        blinds = Blinds(positions.button or 0, positions.small or 0, positions.big[0] if positions.big else 0)
        began = datetime.now(UTC) - timedelta(seconds=max(last.time.t - frames[0].at, 0.0))
        kept = tuple(replace(frame, situation=None) for frame in frames)
        with self._lock:
            self._hands.append(HandShown(kept, last.hand.setup, blinds, began))

    def _feed(self) -> Mapping[str, Any]:
        with self._lock:
            hands = list(self._hands)
        return feed(hands, since=self._since, program=self._program)
