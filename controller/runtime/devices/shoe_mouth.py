"""The mouth of a shoe: which card stands in it, and whether that card was read.

Its edge sensor and its reader say things in either order and by lines of their own; `MOUTH_LIFE` says which of them
belong together. A jam is no state of its own: the card that jams is one of these all the same, and may be read there.
"""

from enum import Enum
from math import inf

from controller.runtime.faults.notices import NoticeCode
from controller.runtime.life_cycle import LifeCycle, Move

UNREAD_DELAY_S = 0.25
"""How long after the edge has come free a read may still arrive: a poll of a slow reader and its frame."""

MAX_LATE_READ_S = 1.0
"""A first read this soon after a card was counted as unread is that card."""

MAX_EARLY_READ_S = 0.3
"""An edge this soon after a read that no edge had announced belongs to that card: it came by a slower way, such as a
line on which it had to be said twice."""


class MouthState(Enum):
    """What is in the mouth, as far as is known."""

    CLEAR = "clear"
    PASSING = "passing"
    """A card covers the edge and was not read."""
    MOVED = "moved"
    """A card that is out covers the edge: it was pulled back, and no other."""
    READ = "read"
    """The card that covers the edge was read."""
    AWAITED = "awaited"
    """A card has passed; its read may still come."""


MOUTH_LIFE = LifeCycle[MouthState, NoticeCode](
    (
        Move("covered", MouthState.CLEAR, MouthState.READ, "is_early_read"),
        Move("covered", MouthState.CLEAR, MouthState.PASSING),
        Move("covered", MouthState.AWAITED, MouthState.PASSING, tells=NoticeCode.CARD_UNREAD),
        # That the edge came free was not heard: what stood there has passed, and nobody knows when.
        Move("covered", MouthState.PASSING, MouthState.PASSING),
        Move("covered", MouthState.MOVED, MouthState.PASSING),
        Move("covered", MouthState.READ, MouthState.PASSING),
        Move("freed", MouthState.PASSING, MouthState.CLEAR, "has_jam", tells=NoticeCode.JAM_UNREAD),
        Move("freed", MouthState.PASSING, MouthState.AWAITED),
        Move("freed", MouthState.MOVED, MouthState.CLEAR),
        Move("freed", MouthState.READ, MouthState.CLEAR),
        Move("freed", MouthState.CLEAR, MouthState.CLEAR),
        Move("freed", MouthState.AWAITED, MouthState.AWAITED),
        Move("read", MouthState.CLEAR, MouthState.CLEAR, "is_late_read", tells=NoticeCode.LATE_READ),
        Move("read", MouthState.CLEAR, MouthState.CLEAR, tells=NoticeCode.NO_EDGE),
        Move("read", MouthState.PASSING, MouthState.READ),
        Move("read", MouthState.MOVED, MouthState.READ),
        Move("read", MouthState.READ, MouthState.READ, tells=NoticeCode.TWO_READS),
        Move("read", MouthState.AWAITED, MouthState.CLEAR),
        Move("moved", MouthState.PASSING, MouthState.MOVED),
        Move("moved", MouthState.MOVED, MouthState.MOVED),
        Move("moved", MouthState.READ, MouthState.READ),
        Move("moved", MouthState.AWAITED, MouthState.CLEAR),
        Move("moved", MouthState.CLEAR, MouthState.CLEAR),
        Move("waited", MouthState.AWAITED, MouthState.CLEAR, tells=NoticeCode.CARD_UNREAD),
    ),
    MouthState,
)
"""What may happen at a mouth. It tells `CARD_UNREAD` where a card has passed for good, and was not read."""


class ShoeMouth:
    """The mouth of one shoe. Times are monotonic seconds."""

    def __init__(self, unread_delay_s: float = UNREAD_DELAY_S) -> None:
        self.state = MouthState.CLEAR
        self.is_jammed = False
        """Whether a card stands in the mouth and does not move, as far as is known."""
        self._unread_delay_s = unread_delay_s
        self._due_at = self._unread_at = self._early_read_at = -inf
        """When a read is waited for no longer, when a card was last counted as unread, when one was read too early."""

    def on_covered(self, now: float) -> NoticeCode | None:
        """Take it that a card covers the edge."""
        told = self._move("covered", now)
        self._early_read_at = -inf
        return told

    def on_freed(self, now: float) -> NoticeCode | None:
        """Take it that the edge is free; a jam is over by that."""
        was_passing = self.state is MouthState.PASSING
        told = self._move("freed", now)
        if was_passing:
            self._due_at = now + self._unread_delay_s
        self.is_jammed = False
        return told

    def on_jammed(self) -> None:
        """Take it that the card in the mouth does not move."""
        self.is_jammed = True

    def on_jam_cleared(self) -> None:
        """Take it that no card has jammed, although nobody saw the edge come free."""
        self.is_jammed = False

    def on_card_read(self, now: float) -> NoticeCode | None:
        """Take it that a card was read that was not out."""
        told = self._move("read", now)
        if told is NoticeCode.NO_EDGE:
            self._early_read_at = now
        elif told is NoticeCode.LATE_READ:
            self._unread_at = -inf
        return told

    def on_card_moved(self, now: float) -> None:
        """Take it that a card was read that is out already."""
        self._move("moved", now)

    def on_tick(self, now: float) -> NoticeCode | None:
        """Take it that nothing was said until now."""
        return self._move("waited", now) if self.state is MouthState.AWAITED and now >= self._due_at else None

    def has_jam(self, _now: float) -> bool:
        """Whether the card that passes had jammed."""
        return self.is_jammed

    def is_early_read(self, now: float) -> bool:
        """Whether the card that covers the edge was read just before."""
        return now - self._early_read_at <= MAX_EARLY_READ_S

    def is_late_read(self, now: float) -> bool:
        """Whether the card that is read was just counted as unread."""
        return now - self._unread_at <= MAX_LATE_READ_S

    def _move(self, trigger: str, now: float) -> NoticeCode | None:
        told = MOUTH_LIFE.move(self, trigger, now)
        if told is NoticeCode.CARD_UNREAD:
            self._unread_at = now
        return told
