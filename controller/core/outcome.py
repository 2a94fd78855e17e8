"""What the table answers to an event: the same answer drives lamps, gate, display, record and replay."""

from dataclasses import dataclass
from enum import Enum, unique
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.core.state import State
    from controller.core.steps import Step


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


@unique
class Verdict(Enum):
    """What a rulebook says to a finding."""

    PLAY_ON = "play-on"
    MUST_KEEP = "must-keep"
    REPLACE = "replace"
    RETURN_AS_BURN = "return-as-burn"
    SCRAP = "scrap"
    REDEAL_BOARD = "redeal-board"
    REDEAL_STREET = "redeal-street"
    SET_ASIDE = "set-aside"
    RESTRICT_BET = "restrict-bet"
    CORRECT = "correct"
    DEAD_HAND = "dead-hand"
    MISDEAL = "misdeal"
    VOID_HAND = "void-hand"
    BIND = "bind"
    ASK = "ask"
    FLOOR = "floor"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A finding, what the book says to it, and by which clause.

    `cite` holds catalogue ids, the deciding clause first; it is empty only for `ask`. `text` is for the dealer.
    """

    finding: str
    verdict: Verdict
    cite: tuple[str, ...]
    text: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Lamps:
    """Which seats each lamp role lights, ascending; empty = dark.

    `winner_button`: who holds the Winner Button of Position Poker; `kill`: who killed the pot or has the kill button.
    """

    button: tuple[int, ...] = ()
    small_blind: tuple[int, ...] = ()
    big_blind: tuple[int, ...] = ()
    winner_button: tuple[int, ...] = ()
    kill: tuple[int, ...] = ()
    act: tuple[int, ...] = ()
    deal: tuple[int, ...] = ()
    attention: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeCalled:
    """The clock is on a seat: when it is warned and when its time is over, in seconds of the table."""

    seat: int
    warning: float
    until: float


@dataclass(frozen=True)
class Outcome:
    """How the table stands after an event, and what was ruled on it."""

    state: "State"
    rulings: tuple[Ruling, ...] = ()

    @property
    def plan(self) -> "tuple[Step, ...]":
        """The steps that must now happen, in order; the first is due now."""
        return self.state.plan

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return self.state.phase

    @property
    def time_called(self) -> TimeCalled | None:
        """On whom the clock runs."""
        if self.state.clock is None:
            return None
        seat, until = self.state.clock
        return TimeCalled(seat, until - self.state.setup.rulebook.clock.warning.value, until)

    @cached_property
    def gate_open(self) -> bool:
        """Whether the shoe may give a card: only when the first step wants one and nothing is amiss."""
        return self.state.gate_open

    @cached_property
    def lamps(self) -> Lamps:
        """Which seats are lit."""
        return self.state.lamps()
