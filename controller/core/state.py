"""The facts of a table: who sits there, and the hand that is being dealt.

`State` and `Hand` are values: `Table.handle` works on a copy and keeps it only when the whole event went through.
Everything in them is immutable or is replaced whole, so that a copy is shallow and an old state stays what it was.
"""

from dataclasses import dataclass, field

from controller.core.button import Positions
from controller.core.chair import Chair
from controller.core.events import Event
from controller.core.hand import Hand
from controller.core.outcome import Lamps, Phase
from controller.core.setup import Setup
from controller.core.steps import Act, Award, Board, Burn, Deal, Draw, Floor, Say, Show, Step
from controller.core.value import Value


@dataclass(frozen=True, slots=True)
class Previous:
    """The last entry: how the table stood before it, what it was, whether it was ruled on."""

    state: "State"
    event: Event = field(repr=False)
    ruled: bool


@dataclass
class State(Value):
    """A table.

    `level`: how many levels of the schedule the clock has gone past the first, for the next riffle. `clock`: the seat on
    whom time was called, and until when. `previous`: the last entry, so that a person may set a ruling aside.
    `began`: where the button of a new game began, until it has been round. `button_due`: where it must stand on the
    next hand, the last one having been wrong; `button_had`: who had it too early and is passed over once. `gone`: chairs
    that were freed because their last chip was lost, until somebody sits there. `rebuys`: how often each player bought
    in again; `short`: who has bought in short. `level_from`: the level of the last deal, and the first hand dealt on it.
    `no_antes`: the last two players have agreed to play without.
    """

    setup: Setup
    chairs: dict[int, Chair]
    number: int = 0
    positions: Positions | None = None
    hand: Hand | None = None
    before: "State | None" = None
    dealt: tuple[int, ...] = ()
    t: float = 0.0
    clock: tuple[int, float] | None = None
    down: tuple[str, ...] = ()
    level: int = 0
    began: int | None = None
    button_due: int | None = None
    button_had: int | None = None
    gone: dict[int, Chair] = field(default_factory=dict)
    rebuys: dict[str, int] = field(default_factory=dict)
    short: frozenset[str] = frozenset()
    level_from: tuple[int, int] = (0, 1)
    no_antes: bool = False
    previous: Previous | None = field(default=None, repr=False)
    won_last: int | None = None
    carried: int = 0
    passed: int = 0
    leg: int | None = None
    legs: int = 0
    kills: int | None = None

    def become(self, other: "State") -> None:
        """Stand as another state of the table does, but for time and devices; a clock that has run out is off."""
        t, down = self.t, self.down
        super().become(other)
        self.hand = other.hand.copy() if other.hand is not None else None
        self.t, self.down = t, down
        if self.clock is not None and self.clock[1] <= t:
            self.clock = None

    @property
    def hand_in_play(self) -> Hand:
        """The hand that is on; to ask for it where none can be is a mistake of ours."""
        assert self.hand is not None
        return self.hand

    @property
    def plan(self) -> tuple[Step, ...]:
        """The steps that must now happen; empty between hands."""
        return self.hand.plan if self.hand else ()

    @property
    def planned_phase(self) -> Phase:
        """What the table does by its plan, whatever the state of its devices."""
        if self.hand is None or not self.hand.plan:
            return Phase.IDLE
        first = self.hand.plan[0]
        if isinstance(first, Floor):
            return Phase.FLOOR
        if first.ruled or isinstance(first, Say):
            return Phase.REMEDY
        if isinstance(first, Act):
            return Phase.BET
        if isinstance(first, Draw) or (isinstance(first, Deal) and first.why == "draw"):
            return Phase.DRAW
        if isinstance(first, Show | Award):
            return Phase.SHOWDOWN
        return Phase.DEAL

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return Phase.HALTED if self.down else self.planned_phase

    @property
    def gate_open(self) -> bool:
        """Whether the shoe may give a card."""
        plan = self.plan
        return bool(plan) and isinstance(plan[0], Deal | Burn | Board) and not self.down

    @property
    def street(self) -> str | None:
        """The name of the street that the hand has reached."""
        if self.hand is None or not self.hand.plan:
            return None
        streets = self.hand.setup.game.streets
        index = next((step.of for step in self.hand.plan if step.of >= 0), self.hand.street)
        return streets[index].name

    def lamps(self) -> Lamps:
        """Which seats are lit."""
        hand = self.hand
        if hand is None:
            return Lamps()
        first = hand.plan[0] if hand.plan else None
        deal = next((step.seat for step in hand.plan if isinstance(step, Deal)), None)
        return Lamps(
            button=() if hand.button is None else (hand.button,),
            small_blind=() if hand.small is None else (hand.small,),
            big_blind=tuple(sorted(hand.big)),
            act=(first.seat,) if isinstance(first, Act | Draw) else (),
            deal=() if deal is None else (deal,),
            attention=tuple(sorted({step.concerns for step in hand.plan if step.ruled and step.concerns is not None})),
        )
