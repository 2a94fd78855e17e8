"""What a table shows at a glance: its phase, its lamps, and on whom the clock runs."""

from dataclasses import dataclass
from enum import Enum, unique


@unique
class Phase(Enum):
    """What the table is doing, as the dealer would say it."""

    IDLE = "idle"
    DEAL = "deal"
    BET = "bet"
    DRAW = "draw"
    SHOWDOWN = "showdown"
    REMEDY = "remedy"
    FLOOR = "floor"
    HALTED = "halted"

    __hash__ = object.__hash__  # there is one object a member; an enum's own asks its name: 3 % of an event


@dataclass(frozen=True, slots=True)
class Lamps:
    """Which seats each lamp role lights, ascending; empty = dark.

    `winner_button`: who holds the Winner Button of Position Poker; `kill`: who killed the pot or has the kill button;
    `choice`: who has the choice button of Dealer's Choice; `middle_blind`: whose blind lies between the small and the
    big one, where there are more than two.
    """

    button: tuple[int, ...] = ()
    small_blind: tuple[int, ...] = ()
    big_blind: tuple[int, ...] = ()
    winner_button: tuple[int, ...] = ()
    kill: tuple[int, ...] = ()
    choice: tuple[int, ...] = ()
    act: tuple[int, ...] = ()
    deal: tuple[int, ...] = ()
    attention: tuple[int, ...] = ()
    middle_blind: tuple[int, ...] = ()


@unique
class Sound(Enum):
    """What is heard, once, when it comes to be."""

    DUE = "due"
    """The dealer has something to do again."""
    STOP = "stop"
    """Something was ruled on, or the table is halted."""
    FLOOR = "floor"
    """The floor is to decide, or was called."""
    TAKEN_BACK = "taken-back"
    """An entry was taken back, or put right."""


@dataclass(frozen=True, slots=True)
class SoundCue:
    """A sound, and the how many-th it is since the start: one that is shown again is not heard again."""

    sound: Sound
    number: int


@dataclass(frozen=True, slots=True)
class ClockDisplay:
    """The clock is on a seat: when it is warned and when its time is over, in seconds of the table."""

    seat: int
    warns_at_s: float
    ends_at_s: float
