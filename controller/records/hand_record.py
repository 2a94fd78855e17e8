"""The facts of a finished hand, gathered while its events are handled again.

A record holds what the table saw: cards are named only when they lay open on the board or as an upcard, or when their
holder tabled them. After a misdeal or a void hand what was dealt before is not kept, but the rulings are. What the
dealer took back never happened. What was put right is recorded as it was played again, with the entries struck through.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from typing import NamedTuple

from controller.core.engine.amendments.amendment_replay import AMENDED_FINDING
from controller.core.engine.amendments.hand_history import MAX_ENTRIES, Amendment, HandHistory
from controller.core.model.hand import Hand
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AntePayer, AnyEvent, Setup
from controller.core.model.table_state import TableState
from controller.core.play.posting.forced_bets import last_blind_seat
from controller.core.protocol.collection_terms import CollectionTerms
from controller.core.protocol.events import ChipMotion, DeviceChanged, FloorDecided, PlayerActed, TimePassed
from controller.core.protocol.facts import (
    ChipsCollected,
    DealBegan,
    EntryAmended,
    EntryTakenBack,
    HandBegan,
    HandKilled,
    HandOver,
    HandReopened,
    PotPushed,
    RulingSetAside,
    SeatActed,
    TimeRanOut,
)
from controller.core.protocol.vocabulary import ActionType, FloorDecision
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.rulings import Ruling
from controller.core.values.piles import BOARD, BURN, hand_place
from controller.core.values.value import replace as replace_value
from controller.records.public_view import render_public_line, render_struck_line


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """One act in turn. `total` is the seat's total on the round after a wager, `None` for any other act or untracked.

    `entry`: its number of the journal or line of the script; `street_index`: the index of its street; `chips_paid`:
    the chips that it put in; `total_to_match`: the total of the round that it had to match.
    """

    seat: int
    action_type: ActionType
    total: int | None = None
    entry: int = 0
    street_index: int = 0
    chips_paid: int = 0
    total_to_match: int = 0

    @property
    def is_wager(self) -> bool:
        """Whether it puts more in than a call."""
        return self.total is not None

    def is_bring_in(self, setup: Setup) -> bool:
        """Whether it is the forced bet of stud, also where all that the seat has makes no more than that."""
        if self.action_type is not ActionType.ALL_IN or setup.game.has_button:
            return self.action_type is ActionType.BRING_IN
        opens = not (self.street_index or self.total_to_match)
        return opens and self.total is not None and self.total <= setup.stakes.bring_in


@unique
class PostingKind(Enum):
    """Why chips were posted before the first card; POST: live, to come in or to make up blinds."""

    ANTE = "ante"
    SMALL_BLIND = "small blind"
    MIDDLE_BLIND = "middle blind"
    BIG_BLIND = "big blind"
    POST = "post"
    DEAD_POST = "dead post"
    STRADDLE = "straddle"
    KILL = "kill"

    @property
    def is_bet(self) -> bool:
        """Whether it lies before the seat, and counts as its bet."""
        return self not in (PostingKind.ANTE, PostingKind.DEAD_POST)


class ChipsPosted(NamedTuple):
    """Chips that a seat had to put in before the first card; `amount` is what went."""

    seat: int
    kind: PostingKind
    amount: int


class CardsDrawn(NamedTuple):
    """How many cards a seat exchanged, and the index of the street."""

    seat: int
    card_count: int
    street_index: int


class KilledHand(NamedTuple):
    """A hand that a ruling killed: on which street, and how many acts of the final deal had been made."""

    seat: int
    street_index: int
    action_count: int


class ChipsWon(NamedTuple):
    """Chips of a pot, the main pot being 0, that a seat won."""

    pot_number: int
    seat: int
    amount: int


class SeatPayment(NamedTuple):
    """Chips that a seat paid to the house, beside the pots."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class CollectionRecorded:
    """What the house took for a hand, and the terms, `None` where they take nothing any more.

    `chips_by_pot`: rake or fee of each pot that gave any, the main pot being 0. `button_fee`: paid before the deal.
    `time_charges`: paid for this hand's start, or since the hand before. `total`: all of it, `None` where amounts are
    untracked. `is_dropped`: whether the dealer said that the pots gave their part.
    """

    terms: CollectionTerms | None
    total: int | None
    is_dropped: bool = False
    chips_by_pot: Mapping[int, int] = field(default_factory=dict)
    button_fee: SeatPayment | None = None
    time_charges: tuple[SeatPayment, ...] = ()

    @property
    def pot_chips(self) -> int:
        """All that the pots gave."""
        return sum(self.chips_by_pot.values())


@dataclass(frozen=True, slots=True)
class RulingMade:
    """A ruling, and how many acts of the final deal had been made when it was made; `deal_number` counts from 1."""

    ruling: Ruling
    deal_number: int
    action_count: int


@dataclass(frozen=True, slots=True)
class DecisionRecorded:
    """What the floor decided with entry `entry`: who did and why, where it was said.

    `deal_number`, `action_count` as in `RulingMade`.
    """

    entry: int
    deal_number: int
    action_count: int
    decision: FloorDecision
    seat: int | None
    floor_name: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class AmendmentRecorded:
    """An entry that entry `amending_entry` put right: `original` is struck through, `replacement` took its place.

    `None`: nothing.
    Both are lines of the table script, without cards that nobody saw. `entry`: its number, for an insertion
    `amending_entry`; `at_entry`: the entry at whose place it stands.
    """

    entry: int
    at_entry: int
    amending_entry: int
    original: Mapping[str, object] | None
    replacement: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A finished hand; seats are in dealing order, the button's left first.

    `starting_stack_by_seat` and `finishing_stack_by_seat` are stacks before the forced bets and after the last pot;
    what the house takes of seats before the deal, and of the pots, is off them;
    `ante_by_seat` are forced money that is no bet (antes, dead posts), `blind_by_seat` forced bets by seat,
    `non_opening_seats` those of them that do not open the betting (posts, the kill); `postings` tells what each of them
    was. `pot_pushes`: who won what, as it was pushed. `upcards_by_seat`: upcards in the order dealt;
    `tabled_cards_by_seat`: hands shown, `None` where nobody read them. `first_entry`, `last_entry`: numbers of the
    journal or lines of the script.
    """

    number: int
    setup: Setup
    dealing_order: tuple[int, ...]
    player_by_seat: Mapping[int, str]
    first_entry: int
    last_entry: int
    button_seat: int | None
    starting_stack_by_seat: Mapping[int, int]
    finishing_stack_by_seat: Mapping[int, int]
    ante_by_seat: Mapping[int, int]
    blind_by_seat: Mapping[int, int]
    non_opening_seats: frozenset[int]
    actions: tuple[ActionTaken, ...]
    draws: tuple[CardsDrawn, ...]
    board: tuple[str | None, ...]
    upcards_by_seat: Mapping[int, tuple[str | None, ...]]
    tabled_cards_by_seat: Mapping[int, tuple[str, ...] | None]
    burn_count: int
    deal_count: int
    rulings: tuple[RulingMade, ...]
    amendments: tuple[AmendmentRecorded, ...] = ()
    decisions: tuple[DecisionRecorded, ...] = ()
    postings: tuple[ChipsPosted, ...] = ()
    pot_pushes: tuple[ChipsWon, ...] = ()
    killed_hands: tuple[KilledHand, ...] = ()
    collection: CollectionRecorded | None = None
    """`None` where the house takes nothing."""

    @property
    def taken_by_pot(self) -> Mapping[int, int]:
        """What the house took of each pot that gave any."""
        return {} if self.collection is None else self.collection.chips_by_pot


@dataclass(frozen=True, slots=True)
class _HandInProgress:
    """What is gathered of the hand in progress; replaced whole, so that an `undo` costs nothing."""

    first_entry: int
    opening_hand: Hand
    player_by_seat: Mapping[int, str]
    starting_stack_by_seat: Mapping[int, int]
    actions: tuple[ActionTaken, ...] = ()
    upcards_by_seat: Mapping[int, tuple[str | None, ...]] = field(default_factory=dict)
    deal_count: int = 1
    rulings: tuple[RulingMade, ...] = ()
    decisions: tuple[DecisionRecorded, ...] = ()
    pot_pushes: tuple[ChipsWon, ...] = ()
    killed_hands: tuple[KilledHand, ...] = ()
    time_charges: tuple[SeatPayment, ...] = ()
    late_charges: tuple[SeatPayment, ...] = ()
    """Those of them that came off the stacks when cards were out."""

    def add_rulings(self, rulings: tuple[Ruling, ...]) -> "_HandInProgress":
        """The same with what has been ruled by now."""
        made = (RulingMade(ruling, self.deal_count, len(self.actions)) for ruling in rulings)
        return replace(self, rulings=(*self.rulings, *made))


class HandRecorder:
    """Takes every event that the table took, with what came of it; `finished_records` are the records so far."""

    def __init__(self) -> None:
        self.finished_records: tuple[HandRecord, ...] = ()
        self._hand: _HandInProgress | None = None
        self._previous_hand: _HandInProgress | None = None
        """What was gathered before the last entry that a person made, or that was ruled on."""
        self._last_hand: _HandInProgress | None = None
        """What was gathered of the hand that is over, should it be on again."""
        self._reopened_record: HandRecord | None = None
        """The record of the hand that was on again last, as it was before."""
        self._charges_between: tuple[SeatPayment, ...] = ()
        """Time charges since the last hand was over: they are the next hand's."""
        self._recent_states: deque[tuple[TableState, _HandInProgress | None]] = deque(maxlen=2 * MAX_ENTRIES)
        """What was gathered when the table stood as it did."""

    def receive_event(self, event: AnyEvent, outcome: Outcome, entry: int, history: HandHistory) -> None:
        """Take event number `entry`, which was not refused; `history`: that of the table after it."""
        if outcome.has_fact(EntryTakenBack, EntryAmended):
            self.rebuild(history)
        else:
            self._follow_event(event, outcome, entry, history.amendments)

    def rebuild(self, history: HandHistory) -> None:
        """Gather what the entries of a table come to now, from where they begin."""
        base = history.base_state
        whole = base.hand_count - base.is_hand_on
        self.finished_records = tuple(record for record in self.finished_records if record.number <= whole)
        self._hand = self._previous_hand = next(
            (hand for state, hand in reversed(self._recent_states) if state is base), None
        )
        self._reopened_record = None
        self._charges_between = ()  # the entries begin where a hand was over
        self._recent_states.clear()
        self._recent_states.append((base, self._hand))
        for taken in history.entries:
            if taken.state_after is not None:
                outcome = Outcome(taken.state_after, taken.rulings, facts=taken.facts)
                self._follow_event(taken.event, outcome, taken.line, history.amendments)

    def _follow_event(self, event: AnyEvent, outcome: Outcome, entry: int, amendments: tuple[Amendment, ...]) -> None:
        for place, fact in enumerate(outcome.facts, start=1):
            if isinstance(fact, TimeRanOut) and not isinstance(event, TimePassed):
                # The time was over before the entry: that is followed first, as if it had been told by itself.
                count, expired = fact.ruling_count, TimePassed(time_s=event.time_s)
                first = replace_value(outcome, rulings=outcome.rulings[:count], facts=outcome.facts[:place])
                self._follow_event(expired, first, entry, amendments)
                if isinstance(event, PlayerActed | ChipMotion) and _is_too_late(event, fact, first):
                    return
                outcome = replace_value(outcome, rulings=outcome.rulings[count:], facts=outcome.facts[place:])
                break
        standing = self._hand
        for fact in outcome.facts:
            if isinstance(fact, HandBegan):
                self._hand, self._reopened_record = self._begin_hand_with_charges(outcome.state, entry), None
            elif isinstance(fact, HandReopened):
                self._reopen_last_hand(fact.number)
            elif isinstance(fact, RulingSetAside):
                self._set_entry_aside()
        if self._hand is None:
            self._charges_between += _list_charges(outcome)
            self._add_after_hand(event, outcome, entry)
        else:
            self._gather(self._hand, event, outcome, entry, amendments)
        if outcome.rulings or not isinstance(event, TimePassed | DeviceChanged):
            self._previous_hand = standing
        self._recent_states.append((outcome.state, self._hand))

    def _begin_hand_with_charges(self, state: TableState, entry: int) -> _HandInProgress:
        begun = replace(_begin_hand(state, entry), time_charges=self._charges_between)
        self._charges_between = ()
        return begun

    def _gather(
        self,
        found: _HandInProgress,
        event: AnyEvent,
        outcome: Outcome,
        entry: int,
        amendments: tuple[Amendment, ...],
    ) -> None:
        hand = outcome.state.hand
        assert hand is not None
        for fact in outcome.facts:
            if isinstance(fact, SeatActed) and not fact.is_told_by_round:
                found = replace(found, actions=(*found.actions, _make_action(fact, entry)))
            elif isinstance(fact, HandKilled):
                killed = KilledHand(fact.seat, fact.street_index, len(found.actions))
                found = replace(found, killed_hands=(*found.killed_hands, killed))
            elif isinstance(fact, PotPushed):
                pushes = (ChipsWon(fact.pot_number, seat, amount) for seat, amount in fact.chips_by_seat.items())
                found = replace(found, pot_pushes=(*found.pot_pushes, *pushes))
        found = found.add_rulings(outcome.rulings)
        decisions = _make_decisions(event, entry, found.deal_count, len(found.actions))
        upcards = _find_upcards(hand, found.upcards_by_seat)
        charges = _list_charges(outcome)
        found = replace(
            found,
            decisions=(*found.decisions, *decisions),
            upcards_by_seat=upcards,
            time_charges=(*found.time_charges, *charges),
            late_charges=(*found.late_charges, *charges),
        )
        if not hand.cards.piles.dealt_count and not outcome.has_fact(HandOver):
            again = outcome.has_fact(DealBegan)
            begun = replace(_begin_hand(outcome.state, found.first_entry), deal_count=found.deal_count + again)
            found = replace(begun, rulings=found.rulings, decisions=found.decisions, time_charges=found.time_charges)
        self._hand = found
        if outcome.has_fact(HandOver):
            record = _make_record(found, outcome.state, entry)
            self.finished_records = (*self.finished_records, _add_amendments(record, amendments, outcome))
            self._hand, self._last_hand = None, found

    def _reopen_last_hand(self, number: int) -> None:
        """The hand that was over is on again, with what was ruled and decided since."""
        last = self.finished_records[-1] if self.finished_records else None
        if last is not None and last.number == number and self._last_hand is not None:
            # What an amendment ruled is added once more when the hand is over again.
            rulings = tuple(made for made in last.rulings if made.ruling.finding != AMENDED_FINDING)
            charges = (*self._last_hand.time_charges, *self._charges_between)
            self._hand = replace(self._last_hand, rulings=rulings, decisions=last.decisions, time_charges=charges)
            self._charges_between = ()
            self._reopened_record, self.finished_records = last, self.finished_records[:-1]

    def _set_entry_aside(self) -> None:
        """The entry before counts as if it had not been ruled on: also where it brought a hand back that was over."""
        if self._previous_hand is None and self._hand is not None and self._reopened_record is not None:
            self.finished_records = (*self.finished_records, self._reopened_record)
            self._hand = None
        self._hand = self._previous_hand or self._hand

    def _add_after_hand(self, event: AnyEvent, outcome: Outcome, entry: int) -> None:
        """Add what was ruled and decided between two hands to the one that it is about."""
        last = self.finished_records[-1] if self.finished_records else None
        if last is None or last.number != outcome.state.hand_count:
            return
        rulings = tuple(RulingMade(ruling, last.deal_count, len(last.actions)) for ruling in outcome.rulings)
        decisions = _make_decisions(event, entry, last.deal_count, len(last.actions))
        if rulings or decisions:
            told = replace(last, rulings=(*last.rulings, *rulings), decisions=(*last.decisions, *decisions))
            self.finished_records = (*self.finished_records[:-1], told)


def find_finished_record(history: HandHistory) -> HandRecord | None:
    """The hand that the entries of a table at rest end with; `None` where they do not reach back to its start."""
    recorder = HandRecorder()
    recorder.rebuild(history)
    return recorder.finished_records[-1] if recorder.finished_records else None


def _is_too_late(event: PlayerActed | ChipMotion, over: TimeRanOut, expired: Outcome) -> bool:
    """Whether it is the act of the seat whose time was over, which had folded or checked by that."""
    acted = (fact for fact in expired.facts if isinstance(fact, HandKilled | SeatActed))
    return event.seat == over.seat and any(fact.seat == over.seat for fact in acted)


def _make_decisions(event: AnyEvent, entry: int, deal: int, acts: int) -> tuple[DecisionRecorded, ...]:
    if not isinstance(event, FloorDecided):
        return ()
    return (DecisionRecorded(entry, deal, acts, event.decision, event.seat, event.floor_name, event.reason),)


def _begin_hand(state: TableState, entry: int) -> _HandInProgress:
    hand = state.hand
    assert hand is not None
    chairs = {seat: state.seating.state_by_seat[seat] for seat in hand.dealing_order}
    return _HandInProgress(
        first_entry=entry,
        opening_hand=hand,
        player_by_seat={seat: chair.player for seat, chair in chairs.items()},
        starting_stack_by_seat={seat: chair.stack or 0 for seat, chair in chairs.items()},
    )


def _list_charges(outcome: Outcome) -> tuple[SeatPayment, ...]:
    """The time charges that an entry was about."""
    return tuple(
        SeatPayment(fact.seat, fact.amount)
        for fact in outcome.facts
        if isinstance(fact, ChipsCollected) and fact.seat is not None and not fact.is_button_fee
    )


def _make_action(fact: SeatActed, entry: int) -> ActionTaken:
    return ActionTaken(
        fact.seat,
        fact.action_type,
        fact.total if fact.is_wager else None,
        entry,
        fact.street_index,
        fact.chips_paid,
        fact.total_to_match,
    )


def _find_upcards(hand: Hand, known: Mapping[int, tuple[str | None, ...]]) -> Mapping[int, tuple[str | None, ...]]:
    """Upcards as they lie now; those of a hand that has gone stay as they lay."""
    if hand.setup.game.has_button:
        return known
    lying = {
        seat: tuple(card.card for card in hand.cards.piles.cards_at(hand_place(seat)) if card.is_face_up)
        for seat in hand.dealing_order
        if seat not in hand.showdown.tabled_cards_by_seat and hand.cards.piles.cards_at(hand_place(seat))
    }
    return {**known, **lying}


def _make_record(found: _HandInProgress, state: TableState, entry: int) -> HandRecord:
    hand, opened = state.hand, found.opening_hand
    assert hand is not None
    left = {seat: chair.stack or 0 for seat, chair in state.seating.state_by_seat.items()}
    antes, blinds = _find_forced_bets(opened, found.starting_stack_by_seat)
    starting = dict(found.starting_stack_by_seat)
    for late in found.late_charges:  # it cannot have been bet
        if late.seat in starting:
            starting[late.seat] -= late.amount
    return HandRecord(
        number=hand.number,
        setup=opened.setup,
        dealing_order=opened.dealing_order,
        player_by_seat=found.player_by_seat,
        first_entry=found.first_entry,
        last_entry=entry,
        button_seat=opened.positions.button,
        starting_stack_by_seat=starting,
        finishing_stack_by_seat={seat: left.get(seat, 0) for seat in opened.dealing_order},
        ante_by_seat=antes,
        blind_by_seat=blinds,
        non_opening_seats=_find_non_opening_seats(opened, blinds),
        actions=found.actions,
        draws=tuple(CardsDrawn(drawn.seat, drawn.exchanged_count, drawn.street) for drawn in hand.draw.draws),
        board=tuple(lying.card for lying in hand.cards.piles.cards_at(BOARD)),
        upcards_by_seat={seat: cards for seat, cards in found.upcards_by_seat.items() if cards},
        tabled_cards_by_seat=hand.showdown.tabled_cards_by_seat,
        burn_count=len(hand.cards.piles.cards_at(BURN)),
        deal_count=found.deal_count,
        rulings=found.rulings,
        decisions=found.decisions,
        postings=_list_postings(opened),
        pot_pushes=found.pot_pushes,
        killed_hands=tuple(each for each in found.killed_hands if each.seat in hand.betting.killed_seats),
        collection=_record_collection(found, state),
    )


def _record_collection(found: _HandInProgress, state: TableState) -> CollectionRecorded | None:
    """What the house took by the table's account; whom it took time charges of only where all of them are known."""
    hand, account, setup = state.hand_in_play, state.collection, found.opening_hand.setup
    gave = 0 if account is None else account.last_hand_chips
    if account is None or (setup.collection is None and not gave):
        return None
    taken, fee = hand.collection.taken_by_pot, hand.collection.button_fee
    if not setup.tracks_amounts:
        return CollectionRecorded(setup.collection, None, is_dropped=taken is not None)
    charges = tuple(each for each in found.time_charges if each.amount)
    payer = hand.collection.button_payer
    return CollectionRecorded(
        terms=setup.collection,
        total=gave,
        is_dropped=taken is not None,
        chips_by_pot={pot: amount for pot, amount in (taken or {}).items() if amount},
        button_fee=SeatPayment(payer, fee) if payer is not None and fee else None,
        time_charges=charges if sum(each.amount for each in charges) == account.last_charge_chips else (),
    )


def _add_amendments(record: HandRecord, amendments: tuple[Amendment, ...], over: Outcome) -> HandRecord:
    """The record with what was put right of the hand, up to the entry with which it was over."""
    put_right: list[AmendmentRecorded] = []
    rulings = list(record.rulings)
    for amendment in amendments:
        struck = [each for each in amendment.amended_entries if each.at_line <= record.last_entry]
        if not struck:
            continue
        acts = sum(act.entry < amendment.line for act in record.actions)
        rulings.append(RulingMade(amendment.ruling, record.deal_count, acts))
        put_right += (
            AmendmentRecorded(
                each.line,
                each.at_line,
                amendment.line,
                render_struck_line(each, over),
                None if each.replacement is None else render_public_line(each.replacement, over, each.was_face_up),
            )
            for each in struck
        )
    return replace(record, rulings=tuple(rulings), amendments=tuple(put_right))


def _find_forced_bets(hand: Hand, starting: Mapping[int, int]) -> tuple[dict[int, int], dict[int, int]]:
    """Antes and forced bets by seat; a blind that a short stack could not post whole counts as due."""
    if not hand.setup.tracks_amounts:
        return {}, {}
    stakes = hand.setup.stakes
    blinds = {seat: bet for seat, bet in hand.chips.bet_by_seat.items() if bet}
    if hand.positions.small_blind is not None:
        blinds[hand.positions.small_blind] = max(blinds.get(hand.positions.small_blind, 0), stakes.small_blind)
    for middle, amount in zip(hand.positions.middle_blinds, stakes.middle_blinds, strict=False):
        if middle is not None:
            blinds[middle] = max(blinds.get(middle, 0), amount)
    for seat in hand.positions.big_blinds:
        blinds[seat] = max(blinds.get(seat, 0), stakes.big_blind)
    antes = {
        seat: starting[seat] - hand.chips.stack_by_seat[seat] - hand.chips.bet_by_seat.get(seat, 0)
        for seat in hand.dealing_order
    }
    return {seat: ante for seat, ante in antes.items() if ante}, blinds


def _list_postings(hand: Hand) -> tuple[ChipsPosted, ...]:
    """What each seat posted: antes, then blinds, then what others put in, all in dealing order."""
    if not hand.setup.tracks_amounts:
        return ()
    chips, stakes, big = hand.chips, hand.setup.stakes, hand.positions.big_blinds
    due_in_middle = dict(zip(hand.positions.middle_blinds, stakes.middle_blinds, strict=False))
    found: list[ChipsPosted] = []
    for seat in hand.dealing_order:
        dead, bet = chips.dead_post_by_seat.get(seat, 0), chips.bet_by_seat.get(seat, 0)
        for_all = min(dead, stakes.ante) if stakes.ante_payer is AntePayer.BIG_BLIND and seat in big else 0
        small = min(bet, stakes.small_blind) if seat == hand.positions.small_blind else 0
        large = min(bet, stakes.big_blind) if seat in big else 0
        middle = min(bet, due_in_middle.get(seat, 0))
        rest = bet - small - middle - large
        straddles = chips.straddle_count and (seat == chips.straddler or rest > stakes.big_blind)
        extra = (
            PostingKind.KILL if seat == hand.kill.killer else PostingKind.STRADDLE if straddles else PostingKind.POST
        )
        found += (
            ChipsPosted(seat, PostingKind.ANTE, chips.paid_earlier_by_seat.get(seat, 0) + for_all),
            ChipsPosted(seat, PostingKind.SMALL_BLIND, small),
            ChipsPosted(seat, PostingKind.MIDDLE_BLIND, middle),
            ChipsPosted(seat, PostingKind.BIG_BLIND, large),
            ChipsPosted(seat, extra, rest),
            ChipsPosted(seat, PostingKind.DEAD_POST, dead - for_all),
        )
    kinds = list(PostingKind)
    return tuple(sorted((each for each in found if each.amount), key=lambda each: kinds.index(each.kind)))


def _find_non_opening_seats(hand: Hand, blinds: Mapping[int, int]) -> frozenset[int]:
    """Forced bets that do not open the betting: they lie behind the last blind, or before nobody's position."""
    last = last_blind_seat(hand)
    if hand.chips.straddle_count or last not in hand.dealing_order:
        return frozenset()
    positions = set(hand.positions.blind_seats)
    behind = hand.dealing_order[hand.dealing_order.index(last) + 1 :]
    return frozenset(seat for seat in blinds if seat in behind or seat not in positions)


def format_game_title(setup: Setup) -> str:
    """Name the game as it was played: structure and game."""
    return f"{setup.stakes.structure.value} {setup.game.name}"


def is_tournament(setup: Setup) -> bool:
    """Whether it was a hand of a tournament."""
    return setup.mode is GameMode.TOURNAMENT


def compute_gains(record: HandRecord) -> dict[int, int]:
    """What each seat gained, where it gained anything."""
    gains = {
        seat: record.finishing_stack_by_seat[seat] - record.starting_stack_by_seat[seat]
        for seat in record.dealing_order
    }
    return {seat: gain for seat, gain in gains.items() if gain > 0}
