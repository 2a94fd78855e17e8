"""What the house takes: of a pot, of a hand, of the button, or of each player for a time (`collection`).

Source: table script 3, section 1; AU sections 7.2 and 8, R7 2.Procedures.2.
"""

from enum import Enum, unique
from typing import NamedTuple

from controller.core.values.value import Value


@unique
class CollectionKind(Enum):
    """What the house takes for the game; NONE: nothing."""

    NONE = "none"
    RAKE = "rake"
    HAND = "hand"
    BUTTON = "button"
    TIME = "time"


class PlayerCap(NamedTuple):
    """The most that is taken of a hand in which at most so many were dealt in."""

    dealt: int
    cap: int


class CollectionTerms(Value):
    """The terms of a collection; what its kind does not use is left out.

    `half_percent`: the percentage in halves, 15 is 7.5 %. `cap`: the most of a hand, `None` where there is none; `caps`
    say otherwise by the players dealt in. `step`: amounts are multiples of it, `None` for the smallest chip that plays.
    `is_flop_needed`: nothing is taken of a hand that ends before its second round, `None` where the book says it.
    `fee` and `minutes`: what is paid, and for how long.
    """

    kind: CollectionKind
    half_percent: int = 0
    cap: int | None = None
    step: int | None = None
    caps: tuple[PlayerCap, ...] = ()
    is_flop_needed: bool | None = None
    fee: int = 0
    minutes: int = 0

    @property
    def is_of_pots(self) -> bool:
        """Whether it is taken of the pots before they are pushed."""
        return self.kind in (CollectionKind.RAKE, CollectionKind.HAND)

    def find_cap(self, players: int) -> int | None:
        """The most that is taken of a hand with so many players dealt in; `None` where there is no such limit."""
        fitting = [entry for entry in self.caps if entry.dealt >= players]
        return min(fitting).cap if fitting else self.cap
