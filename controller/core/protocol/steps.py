"""The steps of the plan: what must happen at the table, one physical or human thing each.

The plan of a hand is a tuple of steps, the first due now.
"""

from typing import ClassVar, Literal

from controller.core.protocol.events import Report
from controller.core.protocol.table_display import Phase
from controller.core.values.value import Value

Face = Literal["down", "up"]
DealReason = Literal["replacement", "missing", "draw"]


class PlannedStep(Value, kw_only=True):
    """What every step has; none of it is seen outside.

    `is_ruled`: a ruling put the step there, so that the table's phase is `remedy` while it is first. `concerned_seat`:
    the seat that the ruling named. `street_index`: index of the street whose regular step it is, -1 for any other.
    """

    regular_phase: ClassVar[Phase] = Phase.DEAL
    """What the table does while such a step is first, unless a ruling put it there."""
    needs_confirmation: ClassVar[bool] = False
    """The dealer says when it has happened."""
    needs_decision: ClassVar[bool] = False
    """A person decides something: the plan does not reach beyond it."""

    is_ruled: bool = False
    concerned_seat: int | None = None
    street_index: int = -1

    @property
    def phase(self) -> Phase:
        """What the table does while the step is first."""
        return Phase.REMEDY if self.is_ruled else self.regular_phase

    @property
    def awaited_seats(self) -> tuple[int, ...]:
        """The seats from which the table waits for something, the first to act first."""
        return ()


class CardStep(PlannedStep):
    """What the next card of the shoe is for."""


class BettingStep(PlannedStep):
    """The betting: one seat, or a whole round."""

    regular_phase: ClassVar[Phase] = Phase.BET
    needs_decision: ClassVar[bool] = True


class DealStep(CardStep):
    """The next card of the shoe goes to `seat`."""

    seat: int
    face: Face = "down"
    reason: DealReason | None = None

    @property
    def phase(self) -> Phase:
        """New cards belong to the draw."""
        if self.is_ruled:
            return Phase.REMEDY
        return Phase.DRAW if self.reason == "draw" else Phase.DEAL


class BurnStep(CardStep):
    """The next card of the shoe is burned."""


class BoardStep(CardStep):
    """The next `count` cards of the shoe are the board's for `street`."""

    street: str
    count: int

    def reduce(self, cards: int) -> "BoardStep":
        """The step once so many of its cards have come."""
        return BoardStep(
            self.street,
            self.count - cards,
            is_ruled=self.is_ruled,
            concerned_seat=self.concerned_seat,
            street_index=self.street_index,
        )


class ActStep(BettingStep):
    """`seat` acts; what it may do stands in the betting round."""

    seat: int

    @property
    def awaited_seats(self) -> tuple[int, ...]:
        """The seat that is to act."""
        return (self.seat,)


class BettingRoundStep(BettingStep):
    """A whole betting round, where nobody enters acts: `seats` can still bet, the first to act first.

    Source: table script 2, section 3 (`follow` `rounds`).
    """

    street: str
    seats: tuple[int, ...]

    @property
    def awaited_seats(self) -> tuple[int, ...]:
        """All seats that can still bet."""
        return self.seats


class DrawStep(PlannedStep):
    """`seat` says how many cards it exchanges."""

    regular_phase: ClassVar[Phase] = Phase.DRAW
    needs_decision: ClassVar[bool] = True

    seat: int

    @property
    def awaited_seats(self) -> tuple[int, ...]:
        """The seat that is to draw."""
        return (self.seat,)


class PostStep(PlannedStep):
    """The dealer sees to a forced bet that does not post itself."""

    needs_confirmation: ClassVar[bool] = True

    seat: int
    kind: str
    amount: int


class ReturnStep(PlannedStep):
    """`count` cards go from one place to another; `serials` are their serial numbers, empty for all that lie there.

    `candidate_serials`: the card is not that one by itself, a person picks one of these blind.
    """

    needs_confirmation: ClassVar[bool] = True

    label: str
    source: str
    destination: str
    count: int
    serials: tuple[int, ...] = ()
    candidate_serials: tuple[int, ...] = ()


class ShuffleStep(PlannedStep):
    """The stub as it now is is shuffled."""

    needs_confirmation: ClassVar[bool] = True


class CutStep(PlannedStep):
    """The stub is cut."""

    needs_confirmation: ClassVar[bool] = True


class MoveStep(PlannedStep):
    """A card or hand (`serials`: serial numbers) moves between seats, or the button moves."""

    needs_confirmation: ClassVar[bool] = True

    source: str
    destination: str
    label: str = "hand"
    count: int = 1
    serials: tuple[int, ...] = ()


class DiscardStep(PlannedStep):
    """The dealer takes `count` cards of the stub out of play, face down."""

    needs_confirmation: ClassVar[bool] = True

    count: int
    destination: str = "aside"


class ShowStep(PlannedStep):
    """It is `seat`'s turn to show."""

    regular_phase: ClassVar[Phase] = Phase.SHOWDOWN
    needs_decision: ClassVar[bool] = True

    seat: int


class AwardStep(PlannedStep):
    """A pot's share goes to `seats`; `amounts` stand beside them, `None` where amounts are untracked.

    `is_unread`: nobody can read the hands of the pot; the dealer must name a winner among `seats`. `board`: which board
    decides this part of the pot, from 1; 0 where there is one only. `odd_order`: in a tournament, of several seats, the
    one that comes first for an odd chip, then the next.
    """

    regular_phase: ClassVar[Phase] = Phase.SHOWDOWN
    needs_confirmation: ClassVar[bool] = True
    needs_decision: ClassVar[bool] = True

    pot: int
    seats: tuple[int, ...]
    amounts: tuple[int, ...] | None
    is_unread: bool = False
    board: int = 0
    odd_order: tuple[int, ...] = ()


class CollectStep(PlannedStep):
    """The house takes `amount` of the pots (`amounts_by_pot`: pot, amount), or of `seat` for its time.

    `amount` is `None` where amounts are untracked.
    """

    needs_confirmation: ClassVar[bool] = True
    needs_decision: ClassVar[bool] = True

    amount: int | None
    amounts_by_pot: tuple[tuple[int, int], ...] = ()
    seat: int | None = None

    @property
    def phase(self) -> Phase:
        """A time charge comes before the first card, what the pots give before they are pushed."""
        return Phase.SHOWDOWN if self.seat is None else Phase.DEAL


class FloorStep(PlannedStep):
    """A person must decide `question` among `options`.

    `nth`: the card that is asked about, from 1: of `seat`, or of the board where no seat is concerned.
    """

    needs_decision: ClassVar[bool] = True

    question: str
    options: tuple[str, ...]
    seat: int | None = None
    nth: int | None = None

    @property
    def phase(self) -> Phase:
        """A person's decision comes before any remedy."""
        return Phase.FLOOR


class HoldStep(PlannedStep):
    """Nothing is turned up or dealt until the floor says so: hand for hand, an all-in was called."""

    needs_decision: ClassVar[bool] = True

    @property
    def phase(self) -> Phase:
        """The floor's word comes before all else."""
        return Phase.FLOOR


class QuestionStep(PlannedStep):
    """The dealer must say which of several things happened.

    `waiting_report`: the report that cannot be ruled on before.
    """

    regular_phase: ClassVar[Phase] = Phase.REMEDY
    needs_decision: ClassVar[bool] = True

    options: tuple[str, ...]
    waiting_report: Report | None = None


Step = (
    DealStep
    | BurnStep
    | BoardStep
    | ActStep
    | BettingRoundStep
    | DrawStep
    | PostStep
    | ReturnStep
    | ShuffleStep
    | CutStep
    | MoveStep
    | DiscardStep
    | ShowStep
    | AwardStep
    | CollectStep
    | FloorStep
    | HoldStep
    | QuestionStep
)
