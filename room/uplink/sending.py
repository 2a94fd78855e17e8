"""Which batch is in flight, and when it goes again. Pure: time is handed in, in seconds that never jump."""

from dataclasses import dataclass

from room.contract.batch import Batch, Head

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 5.0
"""Seconds until a batch is sent again whose records the archive has not; each time twice as long."""

LATE_SECONDS = 15.0
"""So long the archive may take; then the room is not reached."""


@dataclass
class Sending:
    """How far the archive has the journal that is being sent, and what is on its way. One batch at a time."""

    journal: str
    head: Head | None = None
    """`None`: the archive has nothing of this journal."""
    known: bool = False
    """Whether the archive was asked since the connection was made; nothing is sent before."""
    flying: Batch | None = None
    wrong: str = ""
    """Why the archive takes no more, in its own words."""
    _unheard: float | None = None
    """Since when the archive is asked and does not answer."""
    _since: float = 0.0
    _again: float = 0.0
    _pause: float = FIRST_PAUSE

    def heard(self, head: Head | None) -> bool:
        """Take what the archive says; return whether it is elsewhere than before.

        What it says of another journal says nothing about this one. It may have gone back, too: to a copy of its
        database, or to nothing.
        """
        if head is not None and head.journal != self.journal:
            head = None
        self.known = True
        self._unheard = None
        self.wrong = "" if head is None else head.why
        before = self.head
        self.head = head
        if (head and (head.number, head.chain)) == (before and (before.number, before.chain)):
            return False
        self.flying = None
        return True

    def sent(self, batch: Batch, now: float) -> None:
        """Note that a batch goes out, for the first time or again."""
        if self.flying is None or self.flying.identity != batch.identity:
            self._since, self._pause = now, FIRST_PAUSE
        else:
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self.flying = batch
        self._again = now + self._pause

    def due(self, now: float) -> float:
        """Seconds until the batch in flight goes again; 0: now."""
        return max(0.0, self._again - now)

    def anew(self) -> None:
        """The connection is another: ask how far the archive is, and let nothing wait."""
        self.known = False
        self._pause = FIRST_PAUSE
        self._again = 0.0

    def unheard(self, now: float) -> None:
        """Note that the archive was asked how far it is and did not say."""
        self._unheard = now if self._unheard is None else self._unheard

    def late(self, now: float) -> bool:
        """Whether something waits longer than an archive that is there would take."""
        waits = [self._since] if self.flying is not None else []
        waits += [] if self._unheard is None else [self._unheard]
        return any(now - since > LATE_SECONDS for since in waits)
