"""The facts of a table: who sits there, and the hand that is being dealt.

`State` and `Hand` are values: `Table.handle` works on a copy and keeps it only when the whole event went through.
Everything in them is immutable or is replaced whole, so that a copy is shallow and an old state stays what it was.
"""

from typing import ClassVar, NamedTuple

from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS, Plan
from controller.core.model.positions import Positions
from controller.core.model.setup import Setup
from controller.core.protocol.display import Lamps, Phase
from controller.core.protocol.events import Event
from controller.core.protocol.steps import Cut, Deal, FromShoe, Return, Shuffle
from controller.core.tournament.clock import Clock as Timer
from controller.core.values.chair import Chair, DealtOn
from controller.core.values.piles import ALL
from controller.core.values.seat_order import after
from controller.core.values.value import Value, Working, field, replace


class Previous(Value):
    """The last entry: how the table stood before it, what it was, whether it was ruled on."""

    state: "State"
    event: Event
    ruled: bool


class TableSeating(Value):
    """Who sits at the table, and who did."""

    chairs: dict[int, Chair]
    gone: dict[int, Chair] = field(default_factory=dict)
    """Chairs that were freed because their last chip was lost, until somebody sits there."""
    rebuys: dict[str, int] = field(default_factory=dict)
    """How often each player bought in again."""
    short: frozenset[str] = frozenset()
    """Who has bought in short."""


class TableButton(Value):
    """Where button and blinds were last, and where they must be next."""

    positions: Positions | None = None
    began: int | None = None
    """Where the button of a new game began, until it has been round."""
    due: int | None = None
    """Where the button must stand on the next hand, the last one having been wrong."""
    had: int | None = None
    """Who had the button too early and is passed over once."""
    waits: int | None = None
    """Where the button lies while a game without one is on, in mixed games."""
    bomb: int = 0
    """What each has anted for the bomb pot that is on, on which button and blinds do not move."""


FIRST_DEAL = DealtOn(0, 1)


class RunningClock(NamedTuple):
    """The seat on whom time was called, and until when it runs, in seconds of the table."""

    seat: int
    until: float


class TableTime(Value):
    """The time, and the clock that runs on a seat."""

    t: float = 0.0
    """Seconds since the script began."""
    clock: RunningClock | None = None
    extended: dict[str, int] = field(default_factory=dict)
    """How many time extensions each player has spent; of who has left, no longer than until the next one is spent."""


class TableUndo(Value):
    """What a person may take back."""

    hidden: ClassVar = frozenset({"previous"})

    previous: Previous | None = None
    """The last entry, so that a person may set a ruling aside."""
    by_floor: bool = False
    """What `undo` would take back next is a decision of the floor; `previous` may be what time or a timer did since."""


class TableTournament(Value):
    """Where the table is in its tournament."""

    level: int = 0
    """How many levels of the schedule the clock has gone past the first, for the next riffle."""
    timer: Timer | None = None
    """The tournament's timer, from its start on."""
    resting: bool = False
    """The break after the level is on."""
    coloured: frozenset[int] = frozenset()
    """The chips that have been coloured out, by value."""
    level_from: DealtOn = FIRST_DEAL
    """The first deal on the level of the last one."""
    no_antes: bool = False
    """The last two players have agreed to play without."""
    hand_for_hand: bool = False
    waits: bool = False
    """Hand for hand, a hand is over and the floor has not said that the next one begins."""
    halted: bool = False
    """The floor has halted play until tables are balanced."""
    hands_left: int | None = None
    """How many hands begin before play ends for the day, where that is known."""


class CarriedPot(Value):
    """A pot that nobody won, and who plays for it."""

    chips: int = 0
    """Chips of a deal that nobody won, in the next pot."""
    matched: dict[int, int] = field(default_factory=dict)
    """What each seat has anted of them."""
    forfeited: bool = False
    """Some of them were forfeited in a hand: only who was in it plays for them."""
    sitting_out: frozenset[str] = frozenset()
    """Players without a hand until this pot is won."""
    passed: int = 0
    """How many deals in a row nobody opened."""


class TableKill(Value):
    """Who won last, and who has to kill a pot for it."""

    won_last: int | None = None
    """Who alone won the last main pot."""
    leg: int | None = None
    """The seat with the kill button."""
    legs: int = 0
    """How many pots in a row it has won."""
    due: int | None = None
    """Who must kill the next pot."""
    pledged: int | None = None
    """Who has agreed to kill the pot after the next one."""
    owing: frozenset[str] = frozenset()
    """Players who left without the kill that they had to post."""


class TableMixed(Value):
    """Where the table is in its rotation of games."""

    place: int = 0
    """The game's place in the rotation."""
    dealt: int = 0
    """How many hands of it have begun."""
    due: int = 0
    """How many there are, once the first has begun."""
    level: int = 0
    """The level of its first hand."""
    choice: int | None = None
    """Who has the choice button."""
    named: bool = False
    """Somebody has named the game that is on."""


class SingleBlind(Value):
    """Who left a single blind, and who took it."""

    due: int | None = None
    """Who left a single blind to the next player, and must take it if chips are there again."""
    taken: int | None = None
    """Who took it instead, and need not take it again at once."""


class State(Working):
    """A table.

    What it notes about seats outlives a hand; a misdeal begins again from `before`.
    """

    setup: Setup
    seating: TableSeating
    down: tuple[str, ...] = ()
    """The faults that halt the table, each a device and its status."""

    number: int = 0
    """How many hands were dealt."""
    hand: Hand | None = None
    """The last hand dealt, over or not."""
    before: "State | None" = None
    """The table before that hand, until it is over."""
    over: "State | None" = None
    """The table before that hand, once it is over, until the next begins."""
    dealt: tuple[int, ...] = ()
    """Who was dealt in on the hand before."""

    button: TableButton = TableButton()
    time: TableTime = TableTime()
    undo: TableUndo = TableUndo()
    tournament: TableTournament = TableTournament()
    carried_pot: CarriedPot = CarriedPot()
    kill: TableKill = TableKill()
    single_blind: SingleBlind = SingleBlind()
    mixed: TableMixed = TableMixed()

    def become(self, other: "State") -> None:
        """Stand as another state of the table does, but for time and devices; a clock that has run out is off."""
        t, down = self.time.t, self.down
        super().become(other)
        self.hand = other.hand.copy() if other.hand is not None else None
        self.down = down
        self.time = replace(self.time, t=t)
        if self.time.clock is not None and self.time.clock.until <= t:
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
    def planned_phase(self) -> Phase:
        """What the table does by its plan, whatever the state of its devices."""
        first = self.plan.now
        return Phase.IDLE if first is None else first.phase

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return Phase.HALTED if self.down else self.planned_phase

    @property
    def gate_open(self) -> bool:
        """Whether the shoe may give a card."""
        return self.plan.due(FromShoe) is not None and not self.down

    @property
    def street(self) -> str | None:
        """The name of the street that the hand has reached."""
        if self.hand is None or not self.hand.plan:
            return None
        streets = self.hand.setup.game.streets
        index = next((step.of for step in self.hand.plan if step.of >= 0), self.hand.streets.reached)
        return streets[index].name

    @property
    def game_is_over(self) -> bool:
        """Whether the game of a rotation has been played as long as the rotation says."""
        mixed, rotation = self.mixed, self.setup.rotation
        if not rotation or not mixed.dealt:
            return False
        if rotation[mixed.place].by_level:
            return self.tournament.level != mixed.level
        return mixed.dealt >= mixed.due

    @property
    def chooser(self) -> int | None:
        """Who has the choice button: when a game is over whoever is next."""
        if self.mixed.choice is None or not self.game_is_over or self.plan:
            return self.mixed.choice
        chairs = [seat for seat, chair in self.seating.chairs.items() if chair.stack is None or chair.stack]
        return after(chairs or [self.mixed.choice], self.mixed.choice)[0]

    def lamps(self) -> Lamps:
        """Which seats are lit."""
        hand = self.hand
        if hand is None:
            return Lamps(choice=self._lit(self.chooser))
        first, deal = hand.plan.now, hand.plan.next(Deal)
        if isinstance(first, Shuffle | Cut) or (isinstance(first, Return) and first.source == ALL):
            deal = None  # the cards that were to come are taken back: nobody is due one
        button = self.button.waits if hand.positions.button is None else hand.positions.button
        return Lamps(
            button=() if button is None else (button,),
            small_blind=() if hand.positions.small is None else (hand.positions.small,),
            big_blind=tuple(sorted(hand.positions.big)),
            winner_button=self._lit(self._winner_button),
            kill=self._lit(self.kill.leg if hand.kill.seat is None or not hand.plan else hand.kill.seat),
            choice=self._lit(self.chooser),
            act=() if first is None else first.asks[:1],
            deal=() if deal is None else (deal.seat,),
            attention=tuple(sorted({step.concerns for step in hand.plan if step.ruled and step.concerns is not None})),
        )

    @property
    def _winner_button(self) -> int | None:
        """Who holds the Winner Button: none once its holder has folded, after the hand who has just won [FC-6]."""
        hand = self.hand
        if hand is not None and hand.plan:
            return hand.positions.winner if hand.positions.winner in hand.betting.live else None
        return self.kill.won_last if dict(self.setup.house).get("position_poker") else None

    def _lit(self, seat: int | None) -> tuple[int, ...]:
        return () if seat not in self.seating.chairs else (seat,)
