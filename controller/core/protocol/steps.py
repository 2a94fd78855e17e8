"""The steps of the plan: what must happen at the table, one physical or human thing each.

The plan of a hand is a tuple of steps, the first due now.
"""

from dataclasses import dataclass
from typing import Literal

from controller.core.protocol.events import Report

Face = Literal["down", "up"]
Why = Literal["replacement", "missing", "draw"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What every step has; none of it is seen outside.

    `ruled`: a ruling put the step there, so that the table's phase is `remedy` while it is first. `concerns`: the seat
    that the ruling named. `of`: index of the street whose regular step it is, -1 for any other.
    """

    ruled: bool = False
    concerns: int | None = None
    of: int = -1


@dataclass(frozen=True, slots=True)
class Deal(Planned):
    """The next card of the shoe goes to `seat`."""

    seat: int
    face: Face = "down"
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class Burn(Planned):
    """The next card of the shoe is burned."""


@dataclass(frozen=True, slots=True)
class Board(Planned):
    """The next `n` cards of the shoe are the board's for `street`."""

    street: str
    n: int


@dataclass(frozen=True, slots=True)
class Act(Planned):
    """`seat` acts; what it may do stands in the betting round."""

    seat: int


@dataclass(frozen=True, slots=True)
class Bet(Planned):
    """A whole betting round, where nobody enters acts: `seats` can still bet, the first to act first.

    Source: table script 2, section 3 (`follow` `rounds`).
    """

    street: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Draw(Planned):
    """`seat` says how many cards it exchanges."""

    seat: int


@dataclass(frozen=True, slots=True)
class Post(Planned):
    """The dealer sees to a forced bet that does not post itself."""

    seat: int
    kind: str
    amount: int


@dataclass(frozen=True, slots=True)
class Return(Planned):
    """`count` cards go from one place to another; `cards` are their serial numbers, empty for all that lie there.

    `among`: the card is not that one by itself, a person picks one of these blind.
    """

    what: str
    source: str
    to: str
    count: int
    cards: tuple[int, ...] = ()
    among: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shuffle(Planned):
    """The stub as it now is is shuffled."""


@dataclass(frozen=True, slots=True)
class Cut(Planned):
    """The stub is cut."""


@dataclass(frozen=True, slots=True)
class Move(Planned):
    """A card or hand (`cards`: serial numbers) moves between seats, or the button moves."""

    source: str
    to: str
    what: str = "hand"
    count: int = 1
    cards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Discard(Planned):
    """The dealer takes `count` cards of the stub out of play, face down."""

    count: int
    to: str = "aside"


@dataclass(frozen=True, slots=True)
class Show(Planned):
    """It is `seat`'s turn to show."""

    seat: int


@dataclass(frozen=True, slots=True)
class Award(Planned):
    """A pot's share goes to `seats`; `amounts` stand beside them, `None` where amounts are untracked.

    `unread`: nobody can read the hands of the pot; the dealer must name a winner among `seats`. `board`: which board
    decides this part of the pot, from 1; 0 where there is one only.
    """

    pot: int
    seats: tuple[int, ...]
    amounts: tuple[int, ...] | None
    unread: bool = False
    board: int = 0


@dataclass(frozen=True, slots=True)
class Floor(Planned):
    """A person must decide `question` among `options`."""

    question: str
    options: tuple[str, ...]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Say(Planned):
    """The dealer must say which of several things happened.

    `about`: the report that cannot be ruled on before.
    """

    options: tuple[str, ...]
    about: Report | None = None


TURN = (Act, Bet)
"""Steps of the betting: one seat, or a whole round."""

Step = (
    Deal | Burn | Board | Act | Bet | Draw | Post | Return | Shuffle | Cut | Move | Discard | Show | Award | Floor | Say
)
