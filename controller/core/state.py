"""The facts of a table: who sits there, and the hand that is being dealt.

`State` and `Hand` are values: `Table.handle` works on a copy and keeps it only when the whole event went through.
Everything in them is immutable or is replaced whole, so that a copy is shallow and an old state stays what it was.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from controller.core.events import Event
from controller.core.outcome import Lamps, Phase, Ruling
from controller.core.piles import Lying, Piles
from controller.core.setup import Setup
from controller.core.steps import Act, Award, Board, Burn, Deal, Draw, Floor, Say, Show, Step


class Value:
    """What can be copied shallowly at little cost."""

    def copy(self) -> Self:
        """An independent copy whose fields may be replaced."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def changed(self, **changes: object) -> Self:
        """A copy with some fields replaced."""
        new = self.copy()
        new.__dict__.update(changes)
        return new


@dataclass(frozen=True, slots=True)
class Chair:
    """A player's chair between hands.

    `stack` is `None` where amounts are untracked. `waits`: not dealt in as a matter of course, but when the big blind
    comes; `posts`: posts to be dealt in as soon as the book allows it; `free`: comes in without a post once the button
    has passed (2: the blinds may pass first, 1: they have); `hold`: hands to wait after a change of seats.
    `owes_small`, `owes_big`: blinds that passed the chair while its player missed hands. `fresh`: never dealt in at this
    table; `moved`: sent here from another table. `owner`: the absent player in whose chair somebody plays over.
    `away_since`: when its player went away; `lost`: on which level and hand the last chip was lost.
    """

    seat: int
    player: str
    stack: int | None
    away: bool = False
    waits: bool = False
    posts: bool = False
    moved: bool = False
    owes_small: bool = False
    owes_big: bool = False
    fresh: bool = False
    free: int = 0
    hold: int = 0
    away_since: float | None = None
    lost: tuple[int, int] | None = None
    owner: "Chair | None" = None

    def entered(self) -> "Chair":
        """The chair once its player has been dealt in: nothing is owed, nothing waited for."""
        if not (self.waits or self.posts or self.fresh or self.moved or self.free or self.owes_big or self.owes_small):
            return self
        return self.with_(
            waits=False, posts=False, fresh=False, moved=False, free=0, hold=0, owes_big=False, owes_small=False
        )

    def with_(self, **changes: object) -> "Chair":
        """The chair with some facts changed."""
        return replace(self, **changes)  # type: ignore[arg-type]  # replace() cannot type its keywords


@dataclass(frozen=True, slots=True)
class Positions:
    """Where button and blinds are by the rule, whoever sits there.

    `small` and `big` are chairs: the small blind is dead when nobody in `posting` sits at `small`. `bigs`: all seats
    that post a big blind; with a moving button there may be more than one.
    """

    button: int
    small: int
    big: int
    small_posts: bool
    bigs: tuple[int, ...]


@dataclass
class Round(Value):
    """One betting round.

    Amounts are totals of the round. `ring`: all seats in acting order; `queue`: who still has to act, the next first;
    `high`: what must be matched; `level`: the last full wager; `full`: the size of a full raise; `wagers`: how many
    full bets and raises there were, a blind counting as a bet; `full_raises`: how many since the round began;
    `acted`: seat -> (`high`, `full_raises`) when it last acted; `ceiling`: nobody may wager beyond it;
    `no_raise`: seats that may neither bet nor raise; `bound`: seat -> (word, amount) that it has left. `due`: the forced
    bet with which the round must be opened; `free`: who opens it may fold instead; `option`: the larger limit where either
    may be wagered.
    `early`: seat -> (word, amount) of an act out of turn that waits for the seat's turn; `called_early`: seats that called
    out of turn and may not raise at that turn; `doubted`: bound seats of which the floor is asked when their turn comes;
    `behind`: seats that acted out of turn behind the one whose turn it is.
    """

    street: int
    ring: tuple[int, ...]
    queue: tuple[int, ...]
    high: int
    level: int
    full: int
    wagers: int
    full_raises: int = 0
    capped: bool = False
    aggressor: int | None = None
    acted: dict[int, tuple[int, int]] = field(default_factory=dict)
    ceiling: int | None = None
    no_raise: frozenset[int] = frozenset()
    bound: dict[int, tuple[str, int | None]] = field(default_factory=dict)
    due: int = 0
    free: bool = False
    option: int = 0
    early: dict[int, tuple[str, int | None]] = field(default_factory=dict)
    called_early: frozenset[int] = frozenset()
    doubted: frozenset[int] = frozenset()
    behind: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class StreetChange:
    """What a ruling changed about a street still to come: steps before it, and whether it burns.

    `already`: how many of its cards lie there already; `whole`: nothing of it is still to be dealt.
    """

    before: tuple[Step, ...] = ()
    burn: bool | None = None
    whole: bool = False


class Laid(NamedTuple):
    """A card that had a street's burn or board step: its number, the street's index, whether it was burned."""

    serial: int
    of: int
    burned: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw: its street, the seat, how many cards it exchanged, the number of the last card before it, what it threw away."""

    street: int
    seat: int
    count: int
    left: int
    discards: tuple[int, ...]


@dataclass
class Hand(Value):
    """One hand, from the riffle to the last award. Seats are in dealing order, the button's left first.

    `planned`: the last street whose steps were put on the plan; `street`: the one that the hand has reached. `live`: who
    can still win; `acted`: who acted, in order, since the deal. `bets` are of this round, `paid` of earlier ones and
    antes, `dead` is nobody's. `tabled`: seat -> its cards once shown, `None` where nobody can read them. `won`: winners
    that the dealer named, by pot; `settled`: pots that were pushed. `changes`: what rulings changed
    about streets to come; `burns_made`: burns of later streets that lie there already. `last`: the last card that left
    the shoe, and the step that it had. `exposed`, `boxed`: numbers of the cards that were; `looked`: seats that looked at
    their cards; `undue`: numbers of cards that left when none was due and whose place the dealer has yet to say. `laid`:
    the burns and board cards of the streets as they left the shoe; `acted_before`: street -> how many had acted in the
    hand when its betting began.
    `receiving`: seats without a live hand that still get cards, in stud; `forced`: the seat with the forced bet; `led`:
    street -> the seat that its betting began with; `led_by_rule`: street -> the one whose opener opens it, too; `faceup`:
    seats whose upcard is a downcard wrongly dealt up; `may_declare`: seats that may play as if all-in; `winner`: the holder of the Winner Button;
    `killer`: who killed the pot; `took`: what each seat won; `main_pot_to`: who won the main pot; `put_in`: what each seat
    had paid when the pots were settled. `opener`: who put the first wager in the pot. `drawing`: seats that
    have yet to draw; `late`: cards of a draw that come when all have drawn; `draws`: the draws so far; `asked`:
    the hand as it stood before the last of them; `burned`: streets that have had their burn.
    `served`: street -> seats that have their card of it already; `eliminated`: street -> seats whose card of it went out
    of play. `opened_on`: the
    opener's cards as it opened; `checked`: who checked on this round; `paid_last`: what the last round brought into the
    pots; `passed_out`: nobody opened the pot. `said`: rulings
    that regular play came to on this event.
    `hands_complete`: every player has had the whole starting hand. `miscounted`: the deck or a hand had a wrong
    number of cards. `lay_before`: what lay where in the hand before, of which antennas may still speak. `checked_early`: seats that checked out of turn and
    may neither bet nor raise at their next turn.
    """

    number: int
    setup: Setup
    order: tuple[int, ...]
    button: int | None
    small: int | None
    big: tuple[int, ...]
    piles: Piles
    stacks: dict[int, int]
    plan: tuple[Step, ...] = ()
    street: int = 0
    planned: int = 0
    live: tuple[int, ...] = ()
    all_in: frozenset[int] = frozenset()
    bets: dict[int, int] = field(default_factory=dict)
    paid: dict[int, int] = field(default_factory=dict)
    dead: int = 0
    round: Round | None = None
    acted: tuple[int, ...] = ()
    tabled: dict[int, tuple[str, ...] | None] = field(default_factory=dict)
    won: dict[int, tuple[int, ...]] = field(default_factory=dict)
    settled: tuple[int, ...] = ()
    hands_up: bool = False
    changes: dict[int, StreetChange] = field(default_factory=dict)
    burns_made: int = 0
    straddles: int = 0
    last: tuple[int, Step] | None = None
    exposed: tuple[int, ...] = ()
    boxed: tuple[int, ...] = ()
    looked: frozenset[int] = frozenset()
    undue: tuple[int, ...] = ()
    hands_complete: bool = False
    miscounted: bool = False
    lay_before: frozenset[tuple[str, str]] = field(default=frozenset(), repr=False)
    laid: tuple[Laid, ...] = ()
    acted_before: dict[int, int] = field(default_factory=dict)
    checked_early: frozenset[int] = frozenset()
    receiving: tuple[int, ...] = ()
    forced: int | None = None
    led: dict[int, int] = field(default_factory=dict)
    led_by_rule: dict[int, int] = field(default_factory=dict)
    faceup: tuple[int, ...] = ()
    may_declare: frozenset[int] = frozenset()
    winner: int | None = None
    killer: int | None = None
    took: dict[int, int] = field(default_factory=dict)
    main_pot_to: frozenset[int] = frozenset()
    put_in: dict[int, int] = field(default_factory=dict)
    opener: int | None = None
    drawing: tuple[int, ...] = ()
    late: tuple[Step, ...] = ()
    draws: tuple[Drawn, ...] = ()
    burned: frozenset[int] = frozenset()
    served: dict[int, tuple[int, ...]] = field(default_factory=dict)
    eliminated: dict[int, tuple[int, ...]] = field(default_factory=dict)
    asked: "Hand | None" = None
    opened_on: tuple[Lying, ...] = ()
    checked: frozenset[int] = frozenset()
    paid_last: dict[int, int] = field(default_factory=dict)
    passed_out: bool = False
    said: tuple[Ruling, ...] = ()

    @property
    def award_pushed(self) -> bool:
        """Whether part of a pot has been pushed, so that nothing about the hand can be put right any more."""
        return bool(self.took)

    @property
    def contenders(self) -> tuple[int, ...]:
        """Live seats that still have chips behind."""
        return tuple(seat for seat in self.live if seat not in self.all_in)


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
        self.__dict__.update(other.__dict__)
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
