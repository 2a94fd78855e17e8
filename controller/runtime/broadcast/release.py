"""Holds every hand back until viewers may see it, and hands it out then: the only way for hole cards to a broadcast.

By itself a hand goes out whole when the first card of the next one has left the shoe: from then on nothing can bring it
back into play, neither an `undo` nor an amendment. Where floor and technician have agreed on a delay (`agreement`),
what happened goes out that many seconds later, from the next hand on.

Owned by the loop and used in its thread alone; `send` only puts what it gets on a queue.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controller.core.engine.past.history import History
from controller.core.model.state import State
from controller.core.protocol.events import Start

MOST_HELD = 4000
"""States that wait for the end of their delay: an hour of play; of more the oldest is never shown."""


@dataclass(frozen=True, slots=True)
class WholeHand:
    """A hand that is over for good: how the table stood after each entry, with its second of the table."""

    states: Sequence[tuple[float, State]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Later:
    """How the table stood after an entry, at this second of the table; its delay is over."""

    at: float
    state: State = field(repr=False)


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The delay was taken back: what is on air leaves it."""


Released = WholeHand | Later | Withdrawn


class Release:
    """What of a table may leave it for a broadcast, by time."""

    def __init__(self, send: Callable[[Released], None]) -> None:
        self._send = send
        self._agreed: int | None = None
        self._delay: int | None = None
        """What holds for the hand that is on."""
        self._number = 0
        self._history: History | None = None
        self._over: History | None = None
        """The hand before, which could still be brought back."""
        self._unaired: int | None = None
        """The number of the hand that is not shown, because a run that had no broadcast played it."""
        self._held: deque[tuple[float, Later]] = deque(maxlen=MOST_HELD)

    @property
    def delay(self) -> int | None:
        """The seconds agreed on; `None`: a hand is shown when it is over."""
        return self._agreed

    def agree(self, delay: int | None) -> None:
        """Take what was agreed, from the next hand on; `None` takes it back at once, for the hand that is on too."""
        self._agreed = delay
        if delay is None:
            self._delay = None
            if self._held:
                self._held.clear()
            self._send(Withdrawn())

    def take_up(self, state: State, history: History, *, aired: bool) -> None:
        """Go on with the hand that an earlier run left; `aired`: whether all who played it knew of a broadcast."""
        self._number, self._history = state.number, history
        self._unaired = None if aired else state.number

    def after(self, now: float, at: float, state: State, history: History) -> None:
        """Take how the table stands after an entry made `now`, at its second `at`."""
        if state.number != self._number:
            begins = state.number > self._number
            # A hand that was shown as it was played is not shown again.
            shows = begins and self._delay is None and self._number != self._unaired
            self._over = self._history if shows else None
            self._number = state.number
            self._delay = self._agreed if begins else None
        self._history = history
        if self._over is not None and state.hand is not None and state.hand.cards.piles.left:
            self._send(WholeHand(_of_the_hand(self._over)))
            self._over = None
        if self._delay is not None:
            self._held.append((now + self._delay, Later(at, state)))

    def tick(self, now: float) -> None:
        """Hand out what has waited long enough."""
        while self._held and self._held[0][0] <= now:
            self._send(self._held.popleft()[1])


def _of_the_hand(history: History) -> list[tuple[float, State]]:
    """The entries of a hand from its start, as they stand after all that was put right."""
    entries = [each for each in history.entries if each.after is not None]
    first = max((place for place, each in enumerate(entries) if isinstance(each.event, Start)), default=0)
    return [(each.event.t or 0.0, each.after) for each in entries[first:] if each.after is not None]
