"""The tournament's timer as a source of events: levels, breaks and colour-ups are entered when they fall due.

The timer itself is part of the table's state and counts the table's seconds, so that the journal brings it back. The
table's time stands where its last entry was, so while the timer runs and nothing else happens a `time` entry marks
every so many seconds: a cut of the power loses no more of a level than that. Time without power does not count, as no
hand can be dealt in it, and the board has no clock that would know how long it was.
"""

from controller.core.model.table_state import TableState
from controller.core.play.game_flow import tournament_levels
from controller.core.protocol import events, vocabulary

MARK_INTERVAL_S = 10.0
"""How much of a level a cut of the power may lose; a mark costs one commit."""

CLOCK_SOURCE = "clock"


class TournamentTimer:
    """Says what the timer enters now.

    `starts_with_hand`: also its own start, with the first hand; `marks`: seconds from one mark to the next.
    """

    def __init__(self, *, starts_with_hand: bool = False, marks: float = MARK_INTERVAL_S) -> None:
        self._starts_with_hand = starts_with_hand
        self._mark_interval_s = marks
        self._last_event: tuple[events.Event, TableState] | None = None

    def take_due_event(self, state: TableState, now: float) -> events.Event | None:
        """The next event that falls due by `now`, in seconds of the table; `None` when there is none.

        An event that the table refused is not brought again as long as the table stands as it stood.
        """
        event = self._find_due_event(state, now)
        if event is None or (
            self._last_event is not None and self._last_event[0] == event and self._last_event[1] is state
        ):
            return None
        self._last_event = (event, state)
        return event

    def _find_due_event(self, state: TableState, now: float) -> events.Event | None:
        if state.tournament.timer is None:
            dealt = state.hand is not None and state.hand_count > 0  # none, where the table was let go since
            wanted = self._starts_with_hand and dealt and state.setup.schedule is not None
            return events.TimerChanged(vocabulary.TimerCommand.START, is_by_timer=True) if wanted else None
        running = state.tournament.timer.running_since_s is not None
        mark = events.TimePassed() if running and now - state.time.time_s >= self._mark_interval_s else None
        return tournament_levels.next_timer_event(state, now) or mark
