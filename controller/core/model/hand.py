"""The hand that is being dealt, and its betting round: how they stand, and what has just happened (`facts`)."""

from collections.abc import Collection
from enum import Enum, unique
from typing import ClassVar, NamedTuple, Self

from controller.core.model.plan import NO_STEPS, Plan
from controller.core.model.setup import Setup
from controller.core.protocol.facts import Fact
from controller.core.protocol.steps import AwardStep, BoardStep, BurnStep, DealStep, ShowStep
from controller.core.protocol.vocabulary import ActionType, CardName
from controller.core.rules.rulings import Ruling
from controller.core.values.piles import Piles, PlacedCard
from controller.core.values.state_machine import UndeclaredTransitionError
from controller.core.values.value import MutableValue, Value, field, replace


class RoundAtAction(NamedTuple):
    """How a round stood for a seat when it last acted: what it had matched, and how many full raises there were."""

    current_bet: int
    full_raise_count: int


class EarlyAction(NamedTuple):
    """An act out of turn: its word, and its amount where it had one."""

    action_name: str
    amount: int | None


class Round(MutableValue):
    """One betting round. Amounts are totals of the round."""

    street: int
    acting_order: tuple[int, ...]
    """All seats in acting order."""
    queue: tuple[int, ...]
    """Who still has to act, the next first."""
    current_bet: int
    """What must be matched."""
    last_full_wager: int
    """The last full wager."""
    full_raise_size: int
    """The size of a full raise."""
    wager_count: int
    """How many full bets and raises there were, a blind counting as a bet."""
    full_raise_count: int = 0
    """How many of them since the round began."""
    starting_player_count: int = 0
    """How many could still bet when it began."""
    is_capped: bool = False
    aggressor: int | None = None
    """Who bet or raised last."""
    last_action_by_seat: dict[int, RoundAtAction] = field(default_factory=dict)
    max_wager: int | None = None
    """Nobody may wager beyond it, by a ruling."""
    no_raise_seats: frozenset[int] = frozenset()
    """Seats that may neither bet nor raise, by a ruling."""
    no_fold_seats: frozenset[int] = frozenset()
    """Seats that may not fold at this turn: they have pulled back a chip of an earlier bet."""

    forced_bet: int = 0
    """The forced bet with which the round must be opened."""
    opener_may_fold: bool = False
    """Who opens it may fold instead."""
    larger_limit: int = 0
    """The larger limit where either may be wagered."""

    early_action_by_seat: dict[int, EarlyAction] = field(default_factory=dict)
    """Seat -> an act out of turn that waits for the seat's turn."""
    bound_action_by_seat: dict[int, EarlyAction] = field(default_factory=dict)
    """Seat -> the act that is all it has left."""
    early_caller_seats: frozenset[int] = frozenset()
    """Seats that called out of turn and may not raise at that turn."""
    doubtful_seats: frozenset[int] = frozenset()
    """Bound seats of which the floor is asked when their turn comes."""
    actions_behind: tuple[tuple[int, ActionType], ...] = ()
    """Seats that acted out of turn behind the one whose turn it is, and what they did."""
    is_acted_count_known: bool = False
    """Somebody has said how many have acted."""


class StreetChange(Value):
    """What a ruling changed about a street still to come.

    `steps_before`: steps before it; `needs_burn`: whether it burns, `None` for as its game says; `is_complete`:
    nothing of it is still to be dealt. `dealt_board_count`: how many of its board cards lie there already.
    """

    steps_before: Plan = NO_STEPS
    needs_burn: bool | None = None
    is_complete: bool = False
    dealt_board_count: int = 0


NO_CHANGE = StreetChange()


class StreetCard(NamedTuple):
    """A card that had a street's burn or board step: its number, the street's index, whether it was burned."""

    serial: int
    street_index: int
    is_burn: bool


class LastDealtCard(NamedTuple):
    """The last card that left the shoe for a step: its number, and that step."""

    serial: int
    step: DealStep | BurnStep | BoardStep


class PotPart(NamedTuple):
    """The part of a pot that one board decides: the pot from 0, the board from 1; board 0 where there is one only."""

    pot: int
    board: int


class SeatKnockout(NamedTuple):
    """A seat that has lost its last chip, and who has won it, in the order in which odd chips go.

    `shares`: how many parts of the bounty each of them has; equal parts where it is empty.
    """

    seat: int
    by: tuple[int, ...]
    shares: tuple[int, ...] = ()


class SeatDraw(Value):
    """A seat's draw on a street: how many cards it exchanged, and which it threw away.

    `last_serial_before`: the number of the last card before it.
    """

    street: int
    seat: int
    exchanged_count: int
    last_serial_before: int
    discarded_serials: tuple[int, ...]


class HandPositions(Value):
    """Where button and blinds of the hand are, and who holds the Winner Button."""

    button: int | None
    small_blind: int | None
    big_blinds: tuple[int, ...]
    winner_button: int | None = None
    """The holder of the Winner Button."""
    middle_blinds: tuple[int | None, ...] = ()
    """Who posts each blind between the small and the big one; `None` where it is dead."""

    @property
    def blind_seats(self) -> tuple[int, ...]:
        """Who has a blind, from the first on: those that are posted."""
        return tuple(seat for seat in (self.small_blind, *self.middle_blinds, *self.big_blinds) if seat is not None)


class HandStreets(Value):
    """How far the hand has come along its streets."""

    reached_street: int = 0
    """The street that the hand has reached."""
    planned_street: int = 0
    """The last street whose steps were put on the plan."""
    change_by_street: dict[int, StreetChange] = field(default_factory=dict)
    """What rulings changed about streets to come."""

    def get_change(self, street: int) -> StreetChange:
        """What rulings changed about this street."""
        return self.change_by_street.get(street, NO_CHANGE)

    def replace_change(self, street: int, change: StreetChange) -> Self:
        """The same with another change of this street."""
        return replace(self, change_by_street={**self.change_by_street, street: change})


class HandCards(Value):
    """Where the cards are, and what is known of how they got there."""

    hidden: ClassVar = frozenset({"previous_hand_cards"})

    piles: Piles
    last_dealt: LastDealtCard | None = None
    street_cards: tuple[StreetCard, ...] = ()
    """The burns and board cards of the streets as they left the shoe."""
    fouled_serial: int = 0
    """The last card that had left when the stub was fouled: what would have followed it is not known any more."""
    burns_ahead: int = 0
    """How many burns of later streets lie there already; below zero, how many more the next street has than its own."""
    burned_streets: frozenset[int] = frozenset()
    """Streets of single cards or draws that have had their burn."""
    unexpected_serials: tuple[int, ...] = ()
    """Cards that left when none was due and whose place the dealer has yet to say."""
    exposed_serials: tuple[int, ...] = ()
    """Cards that were exposed."""
    boxed_serials: tuple[int, ...] = ()
    """Cards that lay face up in the deck."""
    extra_card_count: int = 0
    """How many extra cards of the starting hands were ruled on."""
    looked_seats: frozenset[int] = frozenset()
    """Seats that looked at their cards."""
    has_complete_hands: bool = False
    """Every player has had the whole starting hand."""
    needs_new_deck: bool = False
    """The deck is defective: another one comes when all its cards are back."""
    has_wrong_count: bool = False
    """The deck or a hand had a wrong number of cards."""
    previous_hand_cards: frozenset[tuple[str, CardName]] = frozenset()
    """What lay where in the hand before, of which antennas may still speak."""
    muck_read_serials: frozenset[int] = frozenset()
    """Cards of the seat that is to act which the antenna of the muck has read: with the last of them it has folded."""

    def explain_cards(self, serials: Collection[int]) -> Self:
        """The same once the dealer has said where these cards lie."""
        return replace(self, unexpected_serials=tuple(s for s in self.unexpected_serials if s not in serials))


class HandChips(Value):
    """The money of the hand."""

    stack_by_seat: dict[int, int]
    """Chips behind; empty where amounts are untracked."""
    bet_by_seat: dict[int, int] = field(default_factory=dict)
    """What lies before each seat on this round."""
    paid_earlier_by_seat: dict[int, int] = field(default_factory=dict)
    """What each seat put in on earlier rounds, antes included."""
    paid_last_round_by_seat: dict[int, int] = field(default_factory=dict)
    """What the last round brought into the pots."""
    dead_chips: int = 0
    """Chips in the pot that are nobody's bet."""
    dead_post_by_seat: dict[int, int] = field(default_factory=dict)
    """The part of `dead_chips` that each seat posted."""
    dead_small_blind_count: int = 0
    """How many small blinds are among them, made up or bought in with."""
    straddle_count: int = 0
    straddler: int | None = None
    """Who posted the last straddle, or over-blind."""
    straddle_total: int = 0
    """What the last straddle comes to, which is the minimum bet of every round; 0 where amounts are untracked."""
    yielding_straddle: int = 0
    """What the straddler put up for it, if it goes back when the button straddles; else 0."""
    stack_at_leaving_by_seat: dict[int, int] = field(default_factory=dict)
    """What those took along who were dealt in and have left."""


class HandBetting(Value):
    """Who is still in, and who did what."""

    live_seats: tuple[int, ...] = ()
    """Who can still win."""
    all_in_seats: frozenset[int] = frozenset()
    killed_seats: frozenset[int] = frozenset()
    """Whose hand a ruling has killed."""
    acted_seats: tuple[int, ...] = ()
    """Who acted, in order, since the deal."""
    action_types: tuple[ActionType, ...] = ()
    """What each of them did."""
    acted_count_by_street: dict[int, int] = field(default_factory=dict)
    """Street -> how many had acted in the hand when its betting began."""
    checked_seats: frozenset[int] = frozenset()
    """Who checked on this round."""
    absent_before_misdeal_seats: frozenset[int] = frozenset()
    """Who was away when the hand was first dealt, before a misdeal."""
    last_round: Round | None = None
    """The round that was over last, as it stood then."""
    early_checker_seats: frozenset[int] = frozenset()
    """Seats that checked out of turn and may neither bet nor raise at their next turn."""


class HandKill(Value):
    """The kill of the pot."""

    killer: int | None = None
    """Who killed the pot."""
    half_blinds: int = 4
    """What the kill is, in halves of the big blind."""
    is_required: bool = False
    """Who killed the pot had to."""


class HandStud(Value):
    """What only a stud hand has: upcards, the forced bet, cards that come street by street."""

    receiving_seats: tuple[int, ...] = ()
    """Seats without a live hand that still get cards, in stud."""
    forced_bet_seat: int | None = None
    """The seat with the forced bet."""
    opener_by_street: dict[int, int] = field(default_factory=dict)
    """Street -> the seat that its betting began with."""
    rule_opener_by_street: dict[int, int] = field(default_factory=dict)
    """Street -> the one whose opener opens it, too."""
    faceup_downcard_seats: tuple[int, ...] = ()
    """Seats whose upcard is a downcard wrongly dealt up."""
    upcard_serials_by_seat: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Seat -> cards of the first deal that a ruling found to have come up, in the order of the deal."""
    all_in_option_seats: frozenset[int] = frozenset()
    """Seats that may play as if all-in."""
    served_seats_by_street: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Street -> seats that have their card of it already."""
    early_serials_by_street: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Street -> cards of it that came too early and are used in their turn, in order."""
    eliminated_seats_by_street: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Street -> seats whose card of it went out of play."""


class HandDraw(Value):
    """What only a hand with draws has."""

    drawing_seats: tuple[int, ...] = ()
    """Seats that have yet to draw."""
    deferred_steps: Plan = NO_STEPS
    """Cards of a draw that come when all have drawn."""
    draws: tuple[SeatDraw, ...] = ()
    indistinguishable_groups: tuple[frozenset[int], ...] = ()
    """Cards that lay in one hand when some of them were thrown away: which of them went nothing has told."""
    hand_before_draw: "Hand | None" = None
    """The hand as it stood before the last draw."""


class HandOpeners(Value):
    """What only a hand has in which the pot is opened with openers, or carried on."""

    opener: int | None = None
    """Who put the first wager in the pot."""
    opener_cards: tuple[PlacedCard, ...] = ()
    """The opener's cards as it opened."""
    opening_wager: int = 0
    """What the first wager came to."""
    is_passed_out: bool = False
    """Nobody opened the pot."""
    has_forfeited_bet: bool = False
    """The pot holds the bet of a player who opened without openers."""
    sitting_out_seat: int | None = None
    """Who opened without openers or chips, and plays no more for this pot."""
    ante_by_seat: dict[int, int] = field(default_factory=dict)
    """What each seat has put in as antes, on earlier deals of this pot too."""


class HandShowdown(Value):
    """The end of the hand: who was called, what was shown, who was given what."""

    are_hands_up: bool = False
    """All live hands lie open while streets are still to come."""
    called_seat: int | None = None
    """Whose wager was called on the last round on which one was."""
    tabled_cards_by_seat: dict[int, tuple[str, ...] | None] = field(default_factory=dict)
    """Seat -> its cards once shown, `None` where nobody can read them."""
    board_start_streets: tuple[int, ...] = ()
    """Where the rest is dealt more than once: the street with which each board begins to be its own."""
    winners_by_part: dict[PotPart, tuple[int, ...]] = field(default_factory=dict)
    """The winners that the dealer named."""
    pushed_parts: frozenset[PotPart] = frozenset()
    """What was pushed whole."""
    settled_pots: tuple[int, ...] = ()
    """Pots that were pushed whole."""
    pushed_chips_by_part: dict[PotPart, int] = field(default_factory=dict)
    """The chips of each part that were pushed so far."""
    pushed_awards: tuple[AwardStep, ...] = ()
    """What was pushed so far, in that order."""
    knockouts: tuple[SeatKnockout, ...] = ()
    """Who is out of the tournament with this hand, once it is over."""
    won_chips_by_seat: dict[int, int] = field(default_factory=dict)
    """What each seat won so far."""
    main_pot_winners: frozenset[int] = frozenset()
    """Who won the main pot."""
    contribution_by_seat: dict[int, int] = field(default_factory=dict)
    """What each seat had paid when the pots were settled."""


class HandCollection(Value):
    """What the house takes of the hand. Where amounts are untracked the chips of pots are not known, and empty."""

    planned_by_pot: dict[int, int] | None = None
    """What each pot is to give before it is pushed; `None`: nothing."""
    taken_by_pot: dict[int, int] | None = None
    """What each pot gave, once the dealer has said so."""
    button_fee: int = 0
    """What the button paid before the deal."""
    button_payer: int | None = None

    @property
    def taken_chips(self) -> int:
        """All that the house has of this hand."""
        return self.button_fee + sum((self.taken_by_pot or {}).values())


class HandHold(Value):
    """Hand for hand: whether the hand waits for the floor when somebody all-in was called."""

    is_on: bool = False
    held_seats: frozenset[int] = frozenset()
    """All-in seats for which it has waited."""


class FoldedHand(NamedTuple):
    """How a hand was given up: on which street, its cards by their numbers, those that lay open, its bet there.

    `is_mucked`: at the showdown.
    """

    street: int
    serials: tuple[int, ...]
    face_up_serials: tuple[int, ...]
    bet: int = 0
    is_mucked: bool = False


class HandFolds(Value):
    """What it takes to give a hand back."""

    folded_hand_by_seat: dict[int, FoldedHand] = field(default_factory=dict)
    """How each seat gave its hand up."""
    answering_seat: int | None = None
    """The seat that got its hand back and answers a wager of a round that is over, before all else."""
    resumed_round: Round | None = None
    """The round that goes on when it has answered."""
    current_bet_by_street: dict[int, int] = field(default_factory=dict)
    """Street -> what had to be matched on its round, which is over."""
    returned_bet_by_seat: dict[int, int] = field(default_factory=dict)
    """What went back to whom when the last round was over."""


@unique
class HandStage(Enum):
    """Where a hand is in its life, by what has happened in it."""

    STREET = "street"
    """The cards of a street come; its betting has not begun."""
    DRAW = "draw"
    """Seats have yet to draw, or cards wait until all have."""
    ROUND = "round"
    """The betting of the street has begun, or is over."""
    ANSWER = "answer"
    """A seat that got its hand back answers a wager of a round that is over."""
    SHOWDOWN = "showdown"
    """Hands are shown, or the pots pushed."""
    PASSED_OUT = "passed out"
    """Nobody opened the pot."""

    __hash__ = object.__hash__  # there is one object a member


STREET, DRAW, ROUND, ANSWER = HandStage.STREET, HandStage.DRAW, HandStage.ROUND, HandStage.ANSWER
SHOWDOWN, PASSED_OUT = HandStage.SHOWDOWN, HandStage.PASSED_OUT


class Hand(MutableValue):
    """One hand, from the riffle to the last award.

    Streets are named by their index, cards by their serial number, seats are in dealing order, the button's left first.
    What belongs together is a value in one field and replaced whole: `hand.chips = replace(hand.chips, dead=5)`.
    """

    number: int
    setup: Setup
    dealing_order: tuple[int, ...]
    """Who was dealt in."""
    positions: HandPositions
    cards: HandCards
    chips: HandChips
    betting: HandBetting
    plan: Plan = NO_STEPS
    """The steps that must now happen, the first due now; empty when the hand is over."""
    streets: HandStreets = HandStreets()
    round: Round | None = None
    """The betting round that is on, or the last one."""
    play_rulings: tuple[Ruling, ...] = ()
    """Rulings that regular play came to on this event."""
    facts: tuple[Fact, ...] = ()
    """What has happened with this event; empty between events."""

    kill: HandKill = HandKill()
    stud: HandStud = HandStud()
    draw: HandDraw = HandDraw()
    openers: HandOpeners = HandOpeners()
    showdown: HandShowdown = HandShowdown()
    folds: HandFolds = HandFolds()
    hold: HandHold = HandHold()
    collection: HandCollection = HandCollection()

    def tell(self, fact: Fact) -> None:
        """Say that something has happened."""
        self.facts = (*self.facts, fact)

    @property
    def stage(self) -> HandStage:
        """Where the hand is in its life: a reading of its fields, of which none says it by itself."""
        if self.openers.is_passed_out:
            return PASSED_OUT
        if self.folds.answering_seat is not None:
            return ANSWER
        last, round_ = self.plan[-1] if self.plan else None, self.round
        if isinstance(last, AwardStep):
            return SHOWDOWN
        if round_ is None or round_.street < self.streets.planned_street:
            return DRAW if self.draw.drawing_seats or self.draw.deferred_steps else STREET
        return SHOWDOWN if isinstance(last, ShowStep) else ROUND

    @stage.setter
    def stage(self, stage: HandStage) -> None:
        """Hear where a move leads, and store nothing; raises `UndeclaredTransitionError` where the fields differ."""
        if stage is not self.stage:
            raise UndeclaredTransitionError(f"the hand is at {self.stage}, and its row leads to {stage}")

    @property
    def is_award_pushed(self) -> bool:
        """Whether part of a pot has been pushed, so that nothing about the hand can be put right any more."""
        return bool(self.showdown.won_chips_by_seat)

    @property
    def round_in_play(self) -> Round:
        """The betting round, where one is on."""
        assert self.round is not None
        return self.round

    @property
    def contenders(self) -> tuple[int, ...]:
        """Live seats that still have chips behind."""
        live, all_in = self.betting.live_seats, self.betting.all_in_seats
        return tuple([seat for seat in live if seat not in all_in]) if all_in else live
