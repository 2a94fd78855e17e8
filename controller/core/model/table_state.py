"""The facts of a table: who sits there, and the hand that is being dealt.

`TableState` and `Hand` are values: `Table.handle` works on a copy and keeps it only when the whole event went through.
Everything in them is immutable or is replaced whole, so that a copy is shallow and an old state stays what it was.
"""

from enum import Enum, unique
from typing import ClassVar, NamedTuple

from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS, Plan
from controller.core.model.positions import Positions
from controller.core.model.setup import Setup
from controller.core.protocol.events import Event
from controller.core.protocol.steps import (
    BettingStep,
    CardStep,
    CollectStep,
    CutStep,
    DealStep,
    ReturnStep,
    ShuffleStep,
)
from controller.core.protocol.table_display import Lamps, Phase
from controller.core.tournament.tournament_clock import TournamentClock as Timer
from controller.core.values.piles import ALL
from controller.core.values.seat_order import seats_after
from controller.core.values.seat_state import SeatState, TournamentDeal
from controller.core.values.value import MutableValue, Value, field, replace


class PreviousEntry(Value):
    """The last entry: how the table stood before it, what it was, whether it was ruled on."""

    state: "TableState"
    event: Event
    has_ruling: bool


class CashOut(NamedTuple):
    """The chips with which a player left a cash game, and when, in seconds of the table."""

    amount: int
    time_s: float


class TableSeating(Value):
    """Who sits at the table, and who did."""

    state_by_seat: dict[int, SeatState]
    busted_by_seat: dict[int, SeatState] = field(default_factory=dict)
    """Chairs that were freed because their last chip was lost, until somebody sits there."""
    rebuy_count_by_player: dict[str, int] = field(default_factory=dict)
    """How often each player bought in again."""
    short_buyers: frozenset[str] = frozenset()
    """Who has bought in short."""
    cash_out_by_player: dict[str, CashOut] = field(default_factory=dict)
    """What each player took away who left by name, while the book still asks for it on coming back."""


class TableButton(Value):
    """Where button and blinds were last, and where they must be next."""

    positions: Positions | None = None
    first_button: int | None = None
    """Where the button of a new game began, until it has been round."""
    corrected_button: int | None = None
    """Where the button must stand on the next hand, the last one having been wrong."""
    passed_over_seat: int | None = None
    """Who had the button too early and is passed over once."""
    frozen_button: int | None = None
    """Where the button lies while a game without one is on, in mixed games."""
    bomb_pot_ante: int = 0
    """What each has anted for the bomb pot that is on, on which button and blinds do not move."""


FIRST_DEAL = TournamentDeal(0, 1)


class RunningClock(NamedTuple):
    """The seat on whom time was called, and until when it runs, in seconds of the table."""

    seat: int
    ends_at_s: float


class TableTime(Value):
    """The time, and the clock that runs on a seat."""

    time_s: float = 0.0
    """Seconds since the script began."""
    clock: RunningClock | None = None
    extension_count_by_player: dict[str, int] = field(default_factory=dict)
    """How many time extensions each player has spent; of who has left, no longer than until the next one is spent."""


class TableUndo(Value):
    """What a person may take back."""

    hidden: ClassVar = frozenset({"previous"})

    previous: PreviousEntry | None = None
    """The last entry, so that a person may set a ruling aside."""
    is_floor_decision: bool = False
    """What `undo` would take back next is a decision of the floor; `previous` may be what time or a timer did since."""


class TableTournament(Value):
    """Where the table is in its tournament."""

    level_index: int = 0
    """How many levels of the schedule the clock has gone past the first, for the next riffle."""
    timer: Timer | None = None
    """The tournament's timer, from its start on."""
    is_on_break: bool = False
    """The break after the level is on; a hand that was on when it began is finished first."""
    coloured_out_chips: frozenset[int] = frozenset()
    """The chips that have been coloured out, by value."""
    level_first_deal: TournamentDeal = FIRST_DEAL
    """The first deal on the level of the last one."""
    are_antes_waived: bool = False
    """The last two players have agreed to play without."""
    is_hand_for_hand: bool = False
    is_halted: bool = False
    """The floor has halted play until tables are balanced."""
    hands_left: int | None = None
    """How many hands begin before play ends for the day, where that is known."""


class CarriedPot(Value):
    """A pot that nobody won, and who plays for it."""

    chips: int = 0
    """Chips of a deal that nobody won, in the next pot."""
    ante_by_seat: dict[int, int] = field(default_factory=dict)
    """What each seat has anted of them."""
    has_forfeited_chips: bool = False
    """Some of them were forfeited in a hand: only who was in it plays for them."""
    sitting_out_players: frozenset[str] = frozenset()
    """Players without a hand until this pot is won."""
    passed_out_count: int = 0
    """How many deals in a row nobody opened."""


class TableKill(Value):
    """Who won last, and who has to kill a pot for it."""

    last_winner: int | None = None
    """Who alone won the last main pot."""
    leg_seat: int | None = None
    """The seat with the kill button."""
    leg_count: int = 0
    """How many pots in a row it has won."""
    kept_leg_count_by_player: dict[str, int] = field(default_factory=dict)
    """Player -> how many pots in a row: the legs of those who missed hands with one, until they play and do not win."""
    required_killer: int | None = None
    """Who must kill the next pot."""
    pledged_killer: int | None = None
    """Who has agreed to kill the pot after the next one."""
    owing_players: frozenset[str] = frozenset()
    """Players who left without the kill that they had to post."""


class TableCollection(Value):
    """What the house has taken at this table, and when the next time charge falls due."""

    settled_chips: int = 0
    """What all hands gave that are over, with the time charges before them."""
    last_hand_chips: int = 0
    """What the last of them gave."""
    last_charge_chips: int = 0
    """The time charges in that."""
    charge_chips: int = 0
    """The time charges since it was over."""
    due_since_s: float | None = None
    """When the last time charge fell due, in seconds of the table."""


class RotationState(Value):
    """Where the table is in its rotation of games."""

    rotation_index: int = 0
    """The game's place in the rotation."""
    dealt_hand_count: int = 0
    """How many hands of it have begun."""
    due_hand_count: int = 0
    """How many there are, once the first has begun."""
    first_level_index: int = 0
    """The level of its first hand."""
    choice_button: int | None = None
    """Who has the choice button."""
    is_game_named: bool = False
    """Somebody has named the game that is on."""


class SingleBlind(Value):
    """Who left a single blind, and who took it."""

    due_seat: int | None = None
    """Who left a single blind to the next player, and must take it if chips are there again."""
    substitute_seat: int | None = None
    """Who took it instead, and need not take it again at once."""


@unique
class TableStage(Enum):
    """Where a table is in its life; before its `table` line it has none (`play/game_flow/table_machine.py`)."""

    RESTING = "resting"
    """No hand is on, and none is held back by anything but what a `start` is told."""
    IN_HAND = "in hand"
    """A hand has begun and is not over."""
    WAITING = "waiting"
    """Hand for hand, a hand is over and the floor has not said that the next one begins."""
    BREAK = "break"
    """No hand begins before the next level."""

    __hash__ = object.__hash__  # there is one object a member


IN_HAND = TableStage.IN_HAND


class TableState(MutableValue):
    """A table.

    What it notes about seats outlives a hand; a misdeal begins again from `state_before_hand`.
    """

    setup: Setup
    opening_setup: Setup
    """As the `table` line set it up, whatever levels, games and the floor have changed of it since."""
    seating: TableSeating
    faults: tuple[str, ...] = ()
    """The faults that halt the table, each a device and its status."""

    stage: TableStage = TableStage.RESTING
    """Where the table is in its life; `table_machine` moves it, and nobody else."""
    hand_count: int = 0
    """How many hands were dealt."""
    hand: Hand | None = None
    """The last hand dealt, over or not."""
    state_before_hand: "TableState | None" = None
    """The table before that hand, until it is over."""
    state_before_last_hand: "TableState | None" = None
    """The table before that hand, once it is over, until the next begins."""
    last_dealt_seats: tuple[int, ...] = ()
    """Who was dealt in on the hand before."""

    button: TableButton = TableButton()
    time: TableTime = TableTime()
    undo: TableUndo = TableUndo()
    tournament: TableTournament = TableTournament()
    carried_pot: CarriedPot = CarriedPot()
    kill: TableKill = TableKill()
    single_blind: SingleBlind = SingleBlind()
    rotation_state: RotationState = RotationState()
    collection: TableCollection | None = None
    """`None` as long as the house has taken nothing here."""

    def assign_from(self, other: "TableState") -> None:
        """Stand as another state of the table does, but for time and devices; a clock that has run out is off."""
        t, down = self.time.time_s, self.faults
        super().assign_from(other)
        self.hand = other.hand.copy() if other.hand is not None else None
        self.faults = down
        self.time = replace(self.time, time_s=t)
        if self.time.clock is not None and self.time.clock.ends_at_s <= t:
            self.time = replace(self.time, clock=None)

    @property
    def hand_in_play(self) -> Hand:
        """The hand that is on; to ask for it where none can be is a mistake of ours."""
        assert self.hand is not None
        return self.hand

    @property
    def plan(self) -> Plan:
        """The steps that must now happen; empty between hands."""
        return self.hand.plan if self.hand else NO_STEPS

    @property
    def is_hand_on(self) -> bool:
        """Whether a hand has begun and is not over."""
        return self.stage is IN_HAND

    @property
    def planned_phase(self) -> Phase:
        """What the table does by its plan, whatever the state of its devices."""
        first = self.plan.next_step
        return Phase.IDLE if first is None else first.phase

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return Phase.HALTED if self.faults else self.planned_phase

    @property
    def gate_open(self) -> bool:
        """Whether the shoe may give a card."""
        return self.plan.next_step_if(CardStep) is not None and not self.faults

    @property
    def street_name(self) -> str | None:
        """The name of the street that the hand has reached."""
        if self.hand is None or not self.hand.plan:
            return None
        streets = self.hand.setup.game.streets
        index = next(
            (step.street_index for step in self.hand.plan if step.street_index >= 0), self.hand.streets.reached_street
        )
        return streets[index].name

    @property
    def is_game_over(self) -> bool:
        """Whether the game of a rotation has been played as long as the rotation says."""
        progress, rotation = self.rotation_state, self.setup.rotation
        if not rotation or not progress.dealt_hand_count:
            return False
        if rotation[progress.rotation_index].is_by_level:
            return self.tournament.level_index != progress.first_level_index
        return progress.dealt_hand_count >= progress.due_hand_count

    @property
    def chooser(self) -> int | None:
        """Who has the choice button: when a game is over whoever is next."""
        if self.rotation_state.choice_button is None or not self.is_game_over or self.plan:
            return self.rotation_state.choice_button
        chairs = [seat for seat, chair in self.seating.state_by_seat.items() if chair.stack is None or chair.stack]
        return seats_after(chairs or [self.rotation_state.choice_button], self.rotation_state.choice_button)[0]

    def find_lamps(self) -> Lamps:
        """Which seats are lit."""
        hand = self.hand
        if hand is None:
            return Lamps(choice=self._lamp_seats(self.chooser))
        first = hand.plan.next_step
        deal = hand.plan.find_step_before(DealStep, BettingStep)  # a hand that was given back acts before its cards
        if isinstance(first, (ShuffleStep, CutStep)) or (isinstance(first, ReturnStep) and first.source == ALL):
            deal = None  # the cards that were to come are taken back: nobody is due one
        charged = first.seat if isinstance(first, CollectStep) else None
        if charged is not None:
            deal = None  # no card comes before the time charges are settled
        button = self.button.frozen_button if hand.positions.button is None else hand.positions.button
        return Lamps(
            button=() if button is None else (button,),
            small_blind=() if hand.positions.small_blind is None else (hand.positions.small_blind,),
            big_blind=tuple(sorted(hand.positions.big_blinds)),
            middle_blind=tuple(sorted(seat for seat in hand.positions.middle_blinds if seat is not None)),
            winner_button=self._lamp_seats(self._winner_button),
            kill=self._leg_seats if hand.kill.killer is None or not hand.plan else self._lamp_seats(hand.kill.killer),
            choice=self._lamp_seats(self.chooser),
            act=(charged,) if charged is not None else () if first is None else first.awaited_seats[:1],
            deal=() if deal is None else (deal.seat,),
            attention=tuple(
                sorted({step.concerned_seat for step in hand.plan if step.is_ruled and step.concerned_seat is not None})
            ),
        )

    @property
    def _winner_button(self) -> int | None:
        """Who holds the Winner Button: none once its holder has folded, after the hand who has just won [FC-6]."""
        hand = self.hand
        if hand is not None and hand.plan:
            return hand.positions.winner_button if hand.positions.winner_button in hand.betting.live_seats else None
        return self.kill.last_winner if dict(self.setup.house_options).get("position_poker") else None

    @property
    def _leg_seats(self) -> tuple[int, ...]:
        """Who has a leg up: whoever has the kill button, and who is back with one of before [R7-13.kill.5]."""
        kept, chairs = self.kill.kept_leg_count_by_player, self.seating.state_by_seat
        back = {seat for seat, chair in chairs.items() if chair.player in kept and not chair.is_away}
        return tuple(sorted({*self._lamp_seats(self.kill.leg_seat), *back}))

    def _lamp_seats(self, seat: int | None) -> tuple[int, ...]:
        return () if seat not in self.seating.state_by_seat else (seat,)
