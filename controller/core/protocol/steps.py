"""The steps of the plan: what must happen at the table, one physical or human thing each.

The plan of a hand is a tuple of steps, the first due now.
"""

from typing import ClassVar, Literal

from controller.core.protocol.display import Phase
from controller.core.protocol.events import Report
from controller.core.values.value import Value

Face = Literal["down", "up"]
Why = Literal["replacement", "missing", "draw"]


class Planned(Value, kw_only=True):
    """What every step has; none of it is seen outside.

    `ruled`: a ruling put the step there, so that the table's phase is `remedy` while it is first. `concerns`: the seat
    that the ruling named. `of`: index of the street whose regular step it is, -1 for any other.
    """

    regular_phase: ClassVar[Phase] = Phase.DEAL
    """What the table does while such a step is first, unless a ruling put it there."""
    confirmed: ClassVar[bool] = False
    """The dealer says when it has happened."""
    decided: ClassVar[bool] = False
    """A person decides something: the plan does not reach beyond it."""

    ruled: bool = False
    concerns: int | None = None
    of: int = -1

    @property
    def phase(self) -> Phase:
        """What the table does while the step is first."""
        return Phase.REMEDY if self.ruled else self.regular_phase

    @property
    def asks(self) -> tuple[int, ...]:
        """The seats from which the table waits for something, the first to act first."""
        return ()


class FromShoe(Planned):
    """What the next card of the shoe is for."""


class Turn(Planned):
    """The betting: one seat, or a whole round."""

    regular_phase: ClassVar[Phase] = Phase.BET
    decided: ClassVar[bool] = True


class Deal(FromShoe):
    """The next card of the shoe goes to `seat`."""

    seat: int
    face: Face = "down"
    why: Why | None = None

    @property
    def phase(self) -> Phase:
        """New cards belong to the draw."""
        if self.ruled:
            return Phase.REMEDY
        return Phase.DRAW if self.why == "draw" else Phase.DEAL


class Burn(FromShoe):
    """The next card of the shoe is burned."""


class Board(FromShoe):
    """The next `n` cards of the shoe are the board's for `street`."""

    street: str
    n: int

    def less(self, cards: int) -> "Board":
        """The step once so many of its cards have come."""
        return Board(self.street, self.n - cards, ruled=self.ruled, concerns=self.concerns, of=self.of)


class Act(Turn):
    """`seat` acts; what it may do stands in the betting round."""

    seat: int

    @property
    def asks(self) -> tuple[int, ...]:
        """The seat that is to act."""
        return (self.seat,)


class Bet(Turn):
    """A whole betting round, where nobody enters acts: `seats` can still bet, the first to act first.

    Source: table script 2, section 3 (`follow` `rounds`).
    """

    street: str
    seats: tuple[int, ...]

    @property
    def asks(self) -> tuple[int, ...]:
        """All seats that can still bet."""
        return self.seats


class Draw(Planned):
    """`seat` says how many cards it exchanges."""

    regular_phase: ClassVar[Phase] = Phase.DRAW
    decided: ClassVar[bool] = True

    seat: int

    @property
    def asks(self) -> tuple[int, ...]:
        """The seat that is to draw."""
        return (self.seat,)


class Post(Planned):
    """The dealer sees to a forced bet that does not post itself."""

    confirmed: ClassVar[bool] = True

    seat: int
    kind: str
    amount: int


class Return(Planned):
    """`count` cards go from one place to another; `cards` are their serial numbers, empty for all that lie there.

    `among`: the card is not that one by itself, a person picks one of these blind.
    """

    confirmed: ClassVar[bool] = True

    what: str
    source: str
    to: str
    count: int
    cards: tuple[int, ...] = ()
    among: tuple[int, ...] = ()


class Shuffle(Planned):
    """The stub as it now is is shuffled."""

    confirmed: ClassVar[bool] = True


class Cut(Planned):
    """The stub is cut."""

    confirmed: ClassVar[bool] = True


class Move(Planned):
    """A card or hand (`cards`: serial numbers) moves between seats, or the button moves."""

    confirmed: ClassVar[bool] = True

    source: str
    to: str
    what: str = "hand"
    count: int = 1
    cards: tuple[int, ...] = ()


class Discard(Planned):
    """The dealer takes `count` cards of the stub out of play, face down."""

    confirmed: ClassVar[bool] = True

    count: int
    to: str = "aside"


class Show(Planned):
    """It is `seat`'s turn to show."""

    regular_phase: ClassVar[Phase] = Phase.SHOWDOWN
    decided: ClassVar[bool] = True

    seat: int


class Award(Planned):
    """A pot's share goes to `seats`; `amounts` stand beside them, `None` where amounts are untracked.

    `unread`: nobody can read the hands of the pot; the dealer must name a winner among `seats`. `board`: which board
    decides this part of the pot, from 1; 0 where there is one only.
    """

    regular_phase: ClassVar[Phase] = Phase.SHOWDOWN
    confirmed: ClassVar[bool] = True
    decided: ClassVar[bool] = True

    pot: int
    seats: tuple[int, ...]
    amounts: tuple[int, ...] | None
    unread: bool = False
    board: int = 0


class Floor(Planned):
    """A person must decide `question` among `options`."""

    decided: ClassVar[bool] = True

    question: str
    options: tuple[str, ...]
    seat: int | None = None

    @property
    def phase(self) -> Phase:
        """A person's decision comes before any remedy."""
        return Phase.FLOOR


class Hold(Planned):
    """Nothing is turned up or dealt until the floor says so: hand for hand, an all-in was called."""

    decided: ClassVar[bool] = True

    @property
    def phase(self) -> Phase:
        """The floor's word comes before all else."""
        return Phase.FLOOR


class Say(Planned):
    """The dealer must say which of several things happened.

    `about`: the report that cannot be ruled on before.
    """

    regular_phase: ClassVar[Phase] = Phase.REMEDY
    decided: ClassVar[bool] = True

    options: tuple[str, ...]
    about: Report | None = None


Step = (
    Deal
    | Burn
    | Board
    | Act
    | Bet
    | Draw
    | Post
    | Return
    | Shuffle
    | Cut
    | Move
    | Discard
    | Show
    | Award
    | Floor
    | Hold
    | Say
)
