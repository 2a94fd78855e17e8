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
from datetime import timedelta
from queue import Empty, Full, Queue
from time import monotonic
from typing import Any

from config.language_file import ENGLISH, Language
from controller.app.table.broadcast.equity_client import EquityClient
from controller.core.model.table_state import TableState
from controller.records.broadcast.equities import EquitySituation
from controller.records.broadcast.frame_schedule import FrameSchedule
from controller.records.broadcast.hand_feed import MAX_HANDS, BlindSeats, BroadcastHand, build_feed
from controller.records.broadcast.hand_frames import (
    MAX_FRAMES,
    FilmedEntry,
    Frame,
    FrameBuilder,
    build_frames,
    render_frame,
)
from controller.runtime.broadcast.card_release import DelayCancelled, EntryReleased, HandReleased, ReleaseItem
from controller.runtime.service.crash_log import describe_failure
from controller.wall_clock import read_wall_clock
from controller.web.publishing.broadcast_stream import EMPTY_FRAME_JSON, BroadcastStream
from controller.web.wording.showdown_wording import word_showdown

MAX_QUEUE_LENGTH = 4096
"""What waits to be filmed: more than the table holds back; further pictures are never shown."""

log = logging.getLogger(__name__)


class BroadcastProducer(threading.Thread):
    """Runs the show until `end`. `send` takes what is released, from the table's thread.

    `find_language`: the one in which the house's pictures say who wins.
    """

    def __init__(
        self,
        program: str,
        clock: Callable[[], float] = monotonic,
        find_language: Callable[[], Language] = lambda: ENGLISH,
    ) -> None:
        super().__init__(name="broadcast", daemon=True)
        self.stream = BroadcastStream(self._build_feed)
        self._program_version = program
        self._find_language = find_language
        self._clock = clock
        self._started_at = read_wall_clock()
        self._queue: Queue[ReleaseItem | EquitySituation | None] = Queue(MAX_QUEUE_LENGTH)
        self._equity_client = EquityClient(self._on_equities_known)
        self._frame_schedule = FrameSchedule()
        self._frame_builder = FrameBuilder()
        self._hand_frames: list[Frame] = []
        """The pictures of the hand that is shown as it was played, for the feed."""
        self._shown_hands: deque[BroadcastHand] = deque(maxlen=MAX_HANDS)
        self._current_frame: Frame | None = None
        self._lock = threading.Lock()

    def send(self, released: ReleaseItem) -> None:
        """Take what is released; what finds no room is not shown."""
        try:
            self._queue.put_nowait(released)
        except Full:
            log.warning("the broadcast falls behind: a picture is not shown")

    def run(self) -> None:
        """Film and show."""
        while True:
            now = self._clock()
            due = self._frame_schedule.find_next_time(now)
            try:
                item = self._queue.get(timeout=None if due is None else max(0.0, due - now))
                if item is None:
                    return
            except Empty:
                item = None
            try:
                self.process_item(item, self._clock())
            except Exception as failure:  # a show is no reason to do without the next one, nor to end a table
                log.error("the broadcast failed: %s", describe_failure(failure))

    def process_item(self, item: ReleaseItem | EquitySituation | None, now: float) -> None:
        """Take one item, or none, and show what is due."""
        match item:
            case HandReleased(entries=entries):
                frames = build_frames(entries)
                for each in frames:
                    self._ask(each)
                self._frame_schedule.schedule_replay(frames)
                self._store_hand(frames, entries[-1].state if entries else None)
            case EntryReleased(entry=entry):
                self._process_live_entry(entry, now)
            case DelayCancelled():
                self._frame_schedule.cancel_all()
                self._hand_frames = []
                self._show_frame(None)
            case EquitySituation() as situation if (
                self._current_frame is not None and self._current_frame.situation == situation
            ):
                self._show_frame(self._current_frame)
        changes, frame = self._frame_schedule.take_due_frame(now)
        if changes:
            self._show_frame(frame)

    def end(self) -> None:
        """End the show; returns when the thread has ended."""
        self.stream.close()
        while self.is_alive():
            try:
                self._queue.put(None, timeout=0.1)
            except Full:
                continue
            self.join()
        self._equity_client.end()

    def _process_live_entry(self, entry: FilmedEntry, now: float) -> None:
        if entry.is_before_deal:
            self._frame_builder, self._hand_frames = FrameBuilder(), []
        frame = self._frame_builder.receive_entry(entry)
        if frame is None:
            return
        self._ask(frame)
        self._frame_schedule.schedule_frame(now, frame)
        self._hand_frames = [*self._hand_frames[1 - MAX_FRAMES :], frame]
        if frame.is_over:
            self._store_hand(tuple(self._hand_frames), entry.state)

    def _ask(self, frame: Frame) -> None:
        if frame.situation is not None:
            self._equity_client.ask(frame.situation)

    def _on_equities_known(self, situation: EquitySituation) -> None:
        """In the thread of the equities: somebody may be looking at that picture."""
        try:
            self._queue.put_nowait(situation)
        except Full:
            log.warning("the broadcast falls behind: equities are not shown")

    def _show_frame(self, frame: Frame | None) -> None:
        self._current_frame = frame
        if frame is None:
            self.stream.show(EMPTY_FRAME_JSON)
            return
        found = None if frame.situation is None else self._equity_client.find_equities(frame.situation)
        showdown = word_showdown(frame.showdown, self._find_language())
        picture = {**render_frame(frame, found), "showdown": showdown}
        self.stream.show(json.dumps(picture, separators=(",", ":"), ensure_ascii=False))

    def _store_hand(self, frames: tuple[Frame, ...], last: TableState | None) -> None:
        """Keep a hand for the feed."""
        if last is None or last.hand is None or not frames:
            return
        positions = last.hand.positions
        later = (*(seat or 0 for seat in positions.middle_blinds), *positions.big_blinds[:1], 0)
        blinds = BlindSeats(positions.button or 0, positions.small_blind or 0, *later[:2])
        began = read_wall_clock() - timedelta(seconds=max(last.time.time_s - frames[0].table_time_s, 0.0))
        kept = tuple(replace(frame, situation=None) for frame in frames)
        with self._lock:
            self._shown_hands.append(BroadcastHand(kept, last.hand.setup, blinds, began))

    def _build_feed(self) -> Mapping[str, Any]:
        with self._lock:
            hands = list(self._shown_hands)
        return build_feed(hands, since=self._started_at, program=self._program_version)
