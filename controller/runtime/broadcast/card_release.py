"""Holds every hand back until viewers may see it, and hands it out then: the only way for hole cards to a broadcast.

By itself a hand goes out whole when the first card of the next one has left the shoe: from then on nothing can bring it
back into play, neither an `undo` nor an amendment. Where floor and technician have agreed on a delay (`agreement`),
what happened goes out that many seconds later, from the next hand on.

Owned by the loop and used in its thread alone; `send` only puts what it gets on a queue.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controller.core.engine.amendments.hand_history import HandHistory
from controller.core.model.outcome import Outcome
from controller.core.model.table_state import TableState
from controller.core.protocol.events import HandStarted
from controller.records.broadcast.hand_frames import FilmedEntry

MAX_HELD_ENTRIES = 4000
"""Entries that wait for the end of their delay: an hour of play; of more the oldest is never shown."""


MAX_LIVE_HANDS = 64
"""So many hands are known to have been shown as they were played; nobody goes back behind as many."""


@dataclass(frozen=True, slots=True)
class HandReleased:
    """A hand that is over for good: its entries."""

    entries: Sequence[FilmedEntry] = field(repr=False)


@dataclass(frozen=True, slots=True)
class EntryReleased:
    """An entry whose delay is over."""

    entry: FilmedEntry = field(repr=False)


@dataclass(frozen=True, slots=True)
class DelayCancelled:
    """The delay was taken back: what is on air leaves it."""


ReleaseItem = HandReleased | EntryReleased | DelayCancelled


class CardRelease:
    """What of a table may leave it for a broadcast, by time."""

    def __init__(self, send: Callable[[ReleaseItem], None]) -> None:
        self._send = send
        self._agreed_delay_s: int | None = None
        self._hand_delay_s: int | None = None
        """What holds for the hand that is on."""
        self._hand_number = 0
        self._history: HandHistory | None = None
        self._previous_hand: HandHistory | None = None
        """The hand before, which could still be brought back."""
        self._unaired_hand_number: int | None = None
        """The number of the hand that is not shown, because a run that had no broadcast played it."""
        self._live_hands: deque[int] = deque(maxlen=MAX_LIVE_HANDS)
        """Hands of which entries went out, or wait to, one by one: also where somebody went back behind their end."""
        self._held_entries: deque[tuple[float, EntryReleased]] = deque(maxlen=MAX_HELD_ENTRIES)

    @property
    def delay_s(self) -> int | None:
        """The seconds agreed on; `None`: a hand is shown when it is over."""
        return self._agreed_delay_s

    def set_delay(self, delay: int | None) -> None:
        """Take what was agreed, from the next hand on; `None` takes it back at once, for the hand that is on too."""
        self._agreed_delay_s = delay
        if delay is None:
            self._hand_delay_s = None
            if self._held_entries:
                self._held_entries.clear()
            self._send(DelayCancelled())

    def resume(self, state: TableState, history: HandHistory, *, aired: bool) -> None:
        """Go on with the hand that an earlier run left; `aired`: whether all who played it knew of a broadcast."""
        self._hand_number, self._history = state.hand_count, history
        self._unaired_hand_number = None if aired else state.hand_count

    def on_entry(self, now: float, at: float, outcome: Outcome, history: HandHistory) -> None:
        """Take how the table stands after an entry made `now`, at its second `at`."""
        state = outcome.state
        if state.hand_count != self._hand_number:
            begins = state.hand_count > self._hand_number
            # A hand that was shown as it was played is not shown again.
            if self._hand_delay_s is not None:
                self._live_hands.append(self._hand_number)
            shows = begins and self._hand_number not in (self._unaired_hand_number, *self._live_hands)
            self._previous_hand = self._history if shows else None
            self._hand_number = state.hand_count
            self._hand_delay_s = self._agreed_delay_s if begins else None
        self._history = history
        if self._previous_hand is not None and state.hand is not None and state.hand.cards.piles.dealt_count:
            self._send(HandReleased(_list_hand_entries(self._previous_hand)))
            self._previous_hand = None
        if self._hand_delay_s is not None:
            entry = FilmedEntry(at, state, outcome.facts)
            self._held_entries.append((now + self._hand_delay_s, EntryReleased(entry)))

    def on_tick(self, now: float) -> None:
        """Hand out what has waited long enough."""
        while self._held_entries and self._held_entries[0][0] <= now:
            self._send(self._held_entries.popleft()[1])


def _list_hand_entries(history: HandHistory) -> list[FilmedEntry]:
    """The entries of a hand from its start, as they stand after all that was put right."""
    entries = [each for each in history.entries if each.state_after is not None]
    first = max((place for place, each in enumerate(entries) if isinstance(each.event, HandStarted)), default=0)
    return [
        FilmedEntry(each.event.time_s or 0.0, each.state_after, each.facts)
        for each in entries[first:]
        if each.state_after is not None
    ]
