"""Which batch is in flight, and when it goes again. Pure: time is handed in, in seconds that never jump."""

from dataclasses import dataclass

from controller.room_contract.batch import Batch, Head

MIN_RETRY_DELAY_S, MAX_RETRY_DELAY_S = 0.5, 5.0
"""Seconds until a batch is sent again whose records the archive has not; each time twice as long."""

LATE_AFTER_S = 15.0
"""So long the archive may take; then the room is not reached."""


@dataclass
class BatchTransfer:
    """How far the archive has the journal that is being sent, and what is on its way. One batch at a time."""

    journal: str
    head: Head | None = None
    """`None`: the archive has nothing of this journal."""
    is_head_known: bool = False
    """Whether the archive was asked since the connection was made; nothing is sent before."""
    batch_in_flight: Batch | None = None
    archive_refusal: str = ""
    """Why the archive takes no more, in its own words."""
    _unanswered_since: float | None = None
    """Since when the archive is asked and does not answer."""
    _first_sent_at: float = 0.0
    _retry_at: float = 0.0
    _retry_delay_s: float = MIN_RETRY_DELAY_S

    def receive_head(self, head: Head | None) -> bool:
        """Take what the archive says; return whether it is elsewhere than before.

        What it says of another journal says nothing about this one. It may have gone back, too: to a copy of its
        database, or to nothing.
        """
        if head is not None and head.journal != self.journal:
            head = None
        self.is_head_known = True
        self._unanswered_since = None
        self.archive_refusal = "" if head is None else head.reason
        before = self.head
        self.head = head
        if (head and (head.number, head.chain)) == (before and (before.number, before.chain)):
            return False
        self.batch_in_flight = None
        return True

    def record_sent(self, batch: Batch, now: float) -> None:
        """Note that a batch goes out, for the first time or again."""
        if self.batch_in_flight is None or self.batch_in_flight.identity != batch.identity:
            self._first_sent_at, self._retry_delay_s = now, MIN_RETRY_DELAY_S
        else:
            self._retry_delay_s = min(2 * self._retry_delay_s, MAX_RETRY_DELAY_S)
        self.batch_in_flight = batch
        self._retry_at = now + self._retry_delay_s

    def seconds_to_retry(self, now: float) -> float:
        """Seconds until the batch in flight goes again; 0: now."""
        return max(0.0, self._retry_at - now)

    def reset(self) -> None:
        """The connection is another: ask how far the archive is, and let nothing wait."""
        self.is_head_known = False
        self._retry_delay_s = MIN_RETRY_DELAY_S
        self._retry_at = 0.0

    def record_no_answer(self, now: float) -> None:
        """Note that the archive was asked how far it is and did not say."""
        self._unanswered_since = now if self._unanswered_since is None else self._unanswered_since

    def is_late(self, now: float) -> bool:
        """Whether something waits longer than an archive that is there would take."""
        waits = [self._first_sent_at] if self.batch_in_flight is not None else []
        waits += [] if self._unanswered_since is None else [self._unanswered_since]
        return any(now - since > LATE_AFTER_S for since in waits)
