"""What happened at the table with one entry: `Outcome.facts`, in the order in which it happened.

A fact is written where it happens. Whoever records, shows or counts the play listens to facts, and compares no two
tables to find out what has changed between them. A fact names no card: which cards lie open the state says.
"""

from collections.abc import Mapping

from controller.core.protocol.table_display import Phase
from controller.core.protocol.vocabulary import ActionType
from controller.core.values.value import Value, field


class Fact(Value):
    """Something that happened."""


class HandBegan(Fact):
    """The first riffle of hand `number`, from 1."""

    number: int


class DealBegan(Fact):
    """All cards are back in the deck, and the hand is dealt again."""


class CardLaid(Fact):
    """A card left the shoe, which is card `serial` of the deal; `is_boxed`: it lay face up in the deck.

    It is told once more of the same card where a misread changes what came of it.
    """

    serial: int
    is_boxed: bool


class RoundBegan(Fact):
    """The betting round of street `street_index` is set up; its cards may still have to come."""

    street_index: int


class RoundOver(Fact):
    """The bets of the round of street `street_index` are in the pots."""

    street_index: int


class SeatActed(Fact):
    """A seat acted on the round of street `street_index`.

    `total`: what the act made it in all on that round, `None` where no chips are told. `chips_paid`: the chips that
    went in; `total_to_match`: the total that stood before it, in units where amounts are untracked. `is_told_by_round`:
    it is an act of a round that is told as a whole.
    """

    seat: int
    action_type: ActionType
    total: int | None = None
    chips_paid: int = 0
    total_to_match: int = 0
    street_index: int = 0
    is_told_by_round: bool = False

    @property
    def is_wager(self) -> bool:
        """Whether it is a bet or a raise, and no act that matches or gives up."""
        if self.action_type is ActionType.ALL_IN:
            return self.total is not None and self.total > self.total_to_match
        return self.action_type not in (ActionType.FOLD, ActionType.CHECK, ActionType.CALL, ActionType.BRING_IN)


class HandShown(Fact):
    """A seat tabled its hand."""

    seat: int


class HandKilled(Fact):
    """A ruling killed the hand of a seat, while or after street `street_index` was bet on."""

    seat: int
    street_index: int


class PotPushed(Fact):
    """Part of pot `pot_number` (the main pot is 0) was pushed; without chips where amounts are untracked.

    The seats come in the order in which they were first pushed chips in this hand.
    """

    pot_number: int
    chips_by_seat: Mapping[int, int]


class ChipsCollected(Fact):
    """The house took `amount`, 0 where amounts are untracked: of pots (pot -> chips), or of `seat`.

    `is_button_fee`: the button paid it before the deal; else a seat pays for its time.
    """

    amount: int
    amounts_by_pot: Mapping[int, int] = field(default_factory=dict)
    seat: int | None = None
    is_button_fee: bool = False


class ChipsReturned(Fact):
    """A hand is dealt again, and `player`, who had left seat `seat`, gets back the `amount` put in.

    Below zero it is what the hand had brought, and the player owes.
    """

    seat: int
    player: str
    amount: int


class TimeRanOut(Fact):
    """The time of a seat was over before what was entered; the first `ruling_count` rulings of the entry say so."""

    seat: int
    ruling_count: int


class RulingSetAside(Fact):
    """The floor set the last ruling aside: the entry that it was made on counts as if it had not been ruled on."""


class HandOver(Fact):
    """Hand `number` is over, or nobody opened its pot."""

    number: int


class HandReopened(Fact):
    """Hand `number`, which was over, is on again."""

    number: int


class StartTakenBack(Fact):
    """The hand that had begun never did."""


class PhaseChanged(Fact):
    """The table does something else than before; a fault of a device halts it."""

    previous: Phase
    current: Phase


class EntryTakenBack(Fact):
    """The last entry was taken back by `undo`."""


class EntryAmended(Fact):
    """Line `line` was put right; what was entered since the hand before was played again."""

    line: int
