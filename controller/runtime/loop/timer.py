"""The tournament's timer as a source of events: levels, breaks and colour-ups are entered when they fall due.

The timer itself is part of the table's state and counts the table's seconds, so that the journal brings it back. The
table's time stands where its last entry was, so while the timer runs and nothing else happens a `time` entry marks
every so many seconds: a cut of the power loses no more of a level than that. Time without power does not count, as no
hand can be dealt in it, and the board has no clock that would know how long it was.
"""

from controller.core.model.state import State
from controller.core.play.deal import tournament_levels
from controller.core.protocol import events, vocabulary

MARK_SECONDS = 10.0
"""How much of a level a cut of the power may lose; a mark costs one commit."""

SOURCE = "clock"


class TournamentTimer:
    """Says what the timer enters now.

    `starts_with_hand`: also its own start, with the first hand; `marks`: seconds from one mark to the next.
    """

    def __init__(self, *, starts_with_hand: bool = False, marks: float = MARK_SECONDS) -> None:
        self._starts_with_hand = starts_with_hand
        self._marks = marks
        self._brought: tuple[events.Event, State] | None = None

    def due(self, state: State, now: float) -> events.Event | None:
        """The next event that falls due by `now`, in seconds of the table; `None` when there is none.

        An event that the table refused is not brought again as long as the table stands as it stood.
        """
        event = self._event(state, now)
        if event is None or (self._brought is not None and self._brought[0] == event and self._brought[1] is state):
            return None
        self._brought = (event, state)
        return event

    def _event(self, state: State, now: float) -> events.Event | None:
        if state.tournament.timer is None:
            wanted = self._starts_with_hand and state.number > 0 and state.setup.schedule is not None
            return events.Timer(vocabulary.Set.START, due=True) if wanted else None
        running = state.tournament.timer.since is not None
        mark = events.Time() if running and now - state.time.t >= self._marks else None
        return tournament_levels.due(state, now) or mark
