"""How much a table tells its room, as its house has chosen (WAC 230-16-152, `docs/duties.md` R20 to R23)."""

from enum import Enum, unique


@unique
class DisclosureLevel(Enum):
    """From nothing to everything that a spectator sees; each tells what the one before tells, too."""

    OFF = "off"
    """Nothing leaves the table."""
    HEALTH = "health"
    """Versions, counters, faults. No card, no game, and the room may ask nothing of the table."""
    AFTER_THE_HAND = "after-the-hand"
    """The journal as far as hands are over."""
    LIVE = "live"
    """The journal at once and the table as every spectator sees it; the room may ask, if the table allows it."""

    @property
    def sends_journal(self) -> bool:
        """Whether records leave the table."""
        return self in (DisclosureLevel.AFTER_THE_HAND, DisclosureLevel.LIVE)
