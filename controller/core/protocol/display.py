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
    `choice`: who has the choice button of Dealer's Choice.
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


@dataclass(frozen=True, slots=True)
class TimeCalled:
    """The clock is on a seat: when it is warned and when its time is over, in seconds of the table."""

    seat: int
    warning: float
    until: float
