"""What the runtime has to say that is no event of the game: to the page and the log, never to the journal.

A notice never carries a tag or a card: a list of the deck would turn either into a face-down identity.
"""

from dataclasses import dataclass
from enum import Enum, unique


@unique
class NoticeCode(Enum):
    """The kinds of notice."""

    TAG_REPEATED = "tag-again"
    """A card that is already out of the shoe was read once more; it was not dealt again."""
    TWO_READS = "two-reads"
    """Two cards were read while the mouth of the shoe was covered once."""
    LATE_READ = "late-read"
    """A card was read after it had already been counted as unread."""
    NO_EDGE = "no-edge"
    """A card was read though the edge sensor saw none: the sensor may be dirty."""
    JAM_UNREAD = "jam-unread"
    """A card that had jammed came free and was never read."""
    KEY_STUCK = "key-stuck"
    """A key is stuck and masked."""
    KEY_FREED = "key-freed"
    """A stuck key came up again."""
    KEY_WITHOUT_MEANING = "key-idle"
    """A key that means nothing now was pressed."""
    MEANING_UNKNOWN = "unassigned"
    """A device said something that the configuration gives no meaning."""
    EVENTS_MISSED = "events-missed"
    """A device can no longer tell what happened at it: cards and keys may be missing here."""
    GATE_HELD = "gate-held"
    """The gate stays shut by a limit of its own board."""
    WRONG_SPEED = "wrong-speed"
    """Bytes come from a device and none of them makes sense: its speed or parity is set wrong."""
    FOREIGN_TAG = "foreign-tag"
    """A tag that is no card of the deck in play lies in the field of an antenna."""
    DECK_CHANGED = "deck-changed"
    """The first card of a hand belongs to another registered deck: that one is in play now."""
    POWER_LOST = "power-lost"
    """The program was cut short before this start."""
    CARD_UNREAD = "unread"
    """A card left the shoe unread."""
    SELF_CHECK_FAILED = "self-check-failed"
    """What exactly a self-check found."""
    RESULT_DIFFERS = "answered-otherwise"
    """What was entered since the last hand comes to other chips with this program than with the one before it."""
    SNAPSHOT_FAILED = "not-written-down"
    """The table could not be written down after a hand: a start would play more of the journal again."""
    DISK_FILLING = "disk-fills"
    """The disk of the journal has little room left; the table goes on for now."""
    JOURNAL_HELD = "journal-held"
    """Another program holds the journal's file; what happens lies in its tail, and the table goes on for some hours."""
    DISK_SLOW = "disk-slow"
    """The disk takes seconds for each line of the journal, and everything waits for it."""
    CERTIFICATE_EXPIRES = "certificate-ends"
    """The certificate of the page ends soon, or has ended."""
    CLOCK_UNSET = "clock-unset"
    """The clock has not been set since the machine was switched on."""
    ROOM_ANNOUNCEMENT = "announced"
    """The room tells whoever is at the table something."""
    ROOM_UNREACHABLE = "room-away"
    """The room that this table tells of itself is not reached; the table needs no room."""
    ROOM_REACHABLE = "room-back"
    """It is reached again."""

    SHOWN_IN_TURN = "shown-in-turn"
    """A seat showed its hand when it had to."""
    SHOWN_OUT_OF_TURN = "shown-out-of-turn"
    """A seat showed its hand though another shows first."""
    CARDS_TURNED_UP = "shown-turned-up"
    """The floor had cards turned up that lay face down."""
    SHOWING_TAKEN_BACK = "shown-taken-back"
    """One of these was taken back; whoever looked knows the cards."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to know; `device` is where it came from, or who brought it about, `seat` whom it is about."""

    code: NoticeCode
    device: str
    text: str
    seat: int | None = None

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        said: dict[str, object] = {"code": self.code.value, "device": self.device, "text": self.text}
        return said if self.seat is None else {**said, "seat": self.seat}
