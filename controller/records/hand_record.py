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

from controller.core.engine.amendments.hand_history import MAX_ENTRIES, Amendment, HandHistory
from controller.core.engine.table import Table
from controller.core.irregularities.conduct import bet_interpretation
from controller.core.irregularities.conduct.player_clock import CLOCK_EXPIRED
from controller.core.model.hand import Hand, Round
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AntePayer, AnyEvent, Setup
from controller.core.model.table_memory import TableMemory
from controller.core.model.table_state import TableState
from controller.core.play.betting.legal_actions import find_legal_actions
from controller.core.play.posting.forced_bets import last_blind_seat
from controller.core.protocol.events import (
    CardDetected,
    ChipMotion,
    DeviceChanged,
    EntryUndone,
    FloorDecided,
    HandStarted,
    PlayerActed,
    TimePassed,
)
from controller.core.protocol.steps import ActStep, FloorStep
from controller.core.protocol.vocabulary import ActionType, FloorDecision
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.rulings import Ruling, Verdict
from controller.core.values.piles import BOARD, BURN, hand_place
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


@unique
class PostingKind(Enum):
    """Why chips were posted before the first card; POST: live, to come in or to make up blinds."""

    ANTE = "ante"
    SMALL_BLIND = "small blind"
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


class HandKilled(NamedTuple):
    """A hand that a ruling killed: on which street, and how many acts of the final deal had been made."""

    seat: int
    street_index: int
    action_count: int


class PotPushed(NamedTuple):
    """Chips of a pot, the main pot being 0, that a seat won."""

    pot_number: int
    seat: int
    amount: int


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
    pot_pushes: tuple[PotPushed, ...] = ()
    killed_hands: tuple[HandKilled, ...] = ()


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
    pot_pushes: tuple[PotPushed, ...] = ()
    killed_hands: tuple[HandKilled, ...] = ()


class HandRecorder:
    """Takes every event that the table took, with how it stood after it; `finished_records` are the records so far."""

    def __init__(self) -> None:
        self.finished_records: tuple[HandRecord, ...] = ()
        self._previous_outcome: Outcome | None = None
        self._hand: _HandInProgress | None = None
        self._previous_hand: _HandInProgress | None = None
        self._recent_states: deque[tuple[TableState, _HandInProgress | None]] = deque(maxlen=2 * MAX_ENTRIES)
        """What was gathered when the table stood as it did."""

    def receive_event(self, event: AnyEvent, outcome: Outcome, entry: int, history: HandHistory) -> None:
        """Take event number `entry`, which was not refused; `history`: that of the table after it."""
        if isinstance(event, EntryUndone) or outcome.amendment_effect is not None:
            self.rebuild(history)
            self._previous_outcome = outcome
        else:
            self._follow_event(event, outcome, entry, history.amendments)

    def rebuild(self, history: HandHistory) -> None:
        """Gather what the entries of a table come to now, from where they begin."""
        base = history.base_state
        whole = base.hand_count - 1 if base.plan else base.hand_count
        self.finished_records = tuple(record for record in self.finished_records if record.number <= whole)
        self._hand = self._previous_hand = next((hand for state, hand in self._recent_states if state is base), None)
        self._previous_outcome = Outcome(base)
        self._recent_states.clear()
        self._recent_states.append((base, self._hand))
        for taken in history.entries:
            if taken.state_after is not None:
                self._follow_event(
                    taken.event, Outcome(taken.state_after, taken.rulings), taken.line, history.amendments
                )

    def _follow_event(self, event: AnyEvent, outcome: Outcome, entry: int, amendments: tuple[Amendment, ...]) -> None:
        late = _find_timeout_ruling(outcome)
        if self._previous_outcome is not None and late is not None and not isinstance(event, TimePassed):
            ran_out = TimePassed(time_s=event.time_s)
            first = Table.from_memory(TableMemory(self._previous_outcome.state)).handle(ran_out)
            self._follow_event(ran_out, first, entry, amendments)
            if isinstance(event, PlayerActed | ChipMotion) and event.seat == late.seat:
                self._previous_outcome = outcome
                return
            outcome = Outcome(outcome.state, outcome.rulings[len(first.rulings) :])
        before, self._previous_outcome = self._previous_outcome, outcome
        standing = self._hand
        if before is not None:
            self._gather_facts(event, before, outcome, entry, amendments)
        if outcome.rulings or not isinstance(event, TimePassed | DeviceChanged):
            self._previous_hand = standing
        self._recent_states.append((outcome.state, self._hand))

    def _gather_facts(
        self, event: AnyEvent, before: Outcome, outcome: Outcome, entry: int, amendments: tuple[Amendment, ...]
    ) -> None:
        state = outcome.state
        if isinstance(event, HandStarted) and state.hand is not None:
            self._hand = _begin_hand(state, entry)
        if self._hand is None or state.hand is None:
            self._add_after_hand(event, outcome, entry)
            return
        if _is_ruling_set_aside(event, before):
            self._hand = self._previous_hand or self._hand
        did = _interpret_action(event, before)
        acted = None if did is None else _make_action(did, before.state)
        if isinstance(event, CardDetected):
            acted = _find_mucked_fold(before.state, state)
        late = _find_timeout_ruling(outcome)
        if late is not None and late.seat is not None and late.verdict is Verdict.BIND:
            acted = ActionTaken(late.seat, ActionType.CHECK)
        if acted is not None:
            acted = replace(acted, entry=entry, street_index=_find_street_index(before.state))
            self._hand = replace(self._hand, actions=(*self._hand.actions, acted))
        found = self._hand
        rulings = tuple(RulingMade(ruling, found.deal_count, len(found.actions)) for ruling in outcome.rulings)
        decisions = _make_decisions(event, entry, found.deal_count, len(found.actions))
        found = replace(
            found,
            rulings=(*found.rulings, *rulings),
            decisions=(*found.decisions, *decisions),
            upcards_by_seat=_find_upcards(state.hand, found.upcards_by_seat),
            pot_pushes=(*found.pot_pushes, *_find_pot_pushes(before.state.hand, state.hand)),
            killed_hands=(*found.killed_hands, *_find_killed_hands(before.state, state.hand, len(found.actions))),
        )
        if not state.hand.cards.piles.dealt_count:
            again = (
                before.state.hand is not None
                and before.state.hand.cards.piles.dealt_count > 0
                and not isinstance(event, HandStarted)
            )
            begun = replace(_begin_hand(state, found.first_entry), deal_count=found.deal_count + again)
            found = replace(begun, rulings=found.rulings, decisions=found.decisions)
        self._hand = found
        if before.plan and not outcome.plan:
            self.finished_records = (
                *self.finished_records,
                _add_amendments(_make_record(found, before, state, entry), amendments, outcome),
            )
            self._hand = None

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


def _find_timeout_ruling(outcome: Outcome) -> Ruling | None:
    """The ruling on a seat whose time ran out, whose hand is dead by it or has checked [TDA-29]."""
    over = (Verdict.BIND, Verdict.DEAD_HAND)
    return next((each for each in outcome.rulings if each.finding == CLOCK_EXPIRED and each.verdict in over), None)


def _find_mucked_fold(before: TableState, after: TableState) -> ActionTaken | None:
    """The fold of the seat that was to act, which the antenna of the muck read."""
    first = before.plan[0] if before.plan else None
    if not isinstance(first, ActStep) or after.hand is None or first.seat in after.hand.betting.live_seats:
        return None
    return ActionTaken(first.seat, ActionType.FOLD)


def _is_ruling_set_aside(event: AnyEvent, before: Outcome) -> bool:
    """Whether the floor sets the last ruling aside, so that the entry before never had its effect."""
    asked = any(isinstance(step, FloorStep) for step in before.plan)
    return isinstance(event, FloorDecided) and event.decision is FloorDecision.PLAY_ON and not asked


def _interpret_action(event: AnyEvent, before: Outcome) -> PlayerActed | None:
    """The act of an entry: itself, what chips and words came to, or what the floor made of too few of them."""
    hand = before.state.hand
    if isinstance(event, PlayerActed) or hand is None:
        return event if isinstance(event, PlayerActed) else None
    step = before.plan[0] if before.plan else None
    if isinstance(event, ChipMotion):
        return bet_interpretation.interpret_motion(hand, event).build_act(event.seat)
    if (
        isinstance(event, FloorDecided)
        and isinstance(step, FloorStep)
        and step.question == bet_interpretation.UNDERCALL_FINDING
    ):
        return (
            None
            if step.seat is None
            else PlayerActed(step.seat, ActionType.CALL if event.decision is FloorDecision.BIND else ActionType.FOLD)
        )
    return None


def _make_action(event: PlayerActed, state: TableState) -> ActionTaken | None:
    """What an act in turn came to; `None` out of turn, where no chips move."""
    first = next((step for step in state.plan if not isinstance(step, FloorStep)), None)
    hand = state.hand
    if hand is None or hand.round is None or not isinstance(first, ActStep) or first.seat != event.seat:
        return None
    if not state.setup.tracks_amounts or event.action_type in (
        ActionType.FOLD,
        ActionType.CHECK,
        ActionType.CALL,
        ActionType.BRING_IN,
    ):
        return ActionTaken(
            event.seat,
            event.action_type,
            chips_paid=_compute_chips_paid(hand, hand.round, event),
            total_to_match=hand.round.current_bet,
        )
    bet = hand.chips.bet_by_seat.get(event.seat, 0)
    if event.action_type is ActionType.ALL_IN:
        total = bet + hand.chips.stack_by_seat[event.seat]
    else:
        total = event.total if event.total is not None else find_legal_actions(hand, event.seat).min_total or 0
    raised = total if event.action_type is not ActionType.ALL_IN or total > hand.round.current_bet else None
    return ActionTaken(
        event.seat, event.action_type, raised, chips_paid=total - bet, total_to_match=hand.round.current_bet
    )


def _compute_chips_paid(hand: Hand, round_: Round, event: PlayerActed) -> int:
    """What an act that is no wager puts in."""
    if not hand.setup.tracks_amounts or event.action_type not in (ActionType.CALL, ActionType.BRING_IN):
        return 0
    due = round_.forced_bet if event.action_type is ActionType.BRING_IN else round_.current_bet
    return max(0, min(due - hand.chips.bet_by_seat.get(event.seat, 0), hand.chips.stack_by_seat[event.seat]))


def _find_street_index(state: TableState) -> int:
    """The index of the street that is bet on, or was last."""
    return 0 if state.hand is None or state.hand.round is None else state.hand.round.street


def _find_pot_pushes(before: Hand | None, after: Hand) -> tuple[PotPushed, ...]:
    """What was pushed to whom by one event."""
    if before is None:
        return ()
    took, given = before.showdown.won_chips_by_seat, before.showdown.pushed_chips_by_part
    gains = {
        seat: n - took.get(seat, 0) for seat, n in after.showdown.won_chips_by_seat.items() if n > took.get(seat, 0)
    }
    parts = {
        part.pot: n - given.get(part, 0)
        for part, n in after.showdown.pushed_chips_by_part.items()
        if n > given.get(part, 0)
    }
    if len(gains) == 1:
        return tuple(PotPushed(pot, seat, amount) for seat in gains for pot, amount in parts.items())
    return tuple(PotPushed(min(parts, default=0), seat, amount) for seat, amount in gains.items())


def _find_killed_hands(before: TableState, after: Hand, acts: int) -> tuple[HandKilled, ...]:
    """The hands that a ruling killed with one event."""
    old = before.hand.betting.killed_seats if before.hand is not None else frozenset()
    return tuple(
        HandKilled(seat, _find_street_index(before), acts)
        for seat in after.dealing_order
        if seat in after.betting.killed_seats - old
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


def _make_record(found: _HandInProgress, before: Outcome, state: TableState, entry: int) -> HandRecord:
    hand, opened = state.hand, found.opening_hand
    assert hand is not None
    last = before.state.hand
    assert last is not None
    left = {seat: chair.stack or 0 for seat, chair in state.seating.state_by_seat.items()}
    antes, blinds = _find_forced_bets(opened, found.starting_stack_by_seat)
    return HandRecord(
        number=hand.number,
        setup=opened.setup,
        dealing_order=opened.dealing_order,
        player_by_seat=found.player_by_seat,
        first_entry=found.first_entry,
        last_entry=entry,
        button_seat=opened.positions.button,
        starting_stack_by_seat=found.starting_stack_by_seat,
        finishing_stack_by_seat={seat: left.get(seat, 0) for seat in opened.dealing_order},
        ante_by_seat=antes,
        blind_by_seat=blinds,
        non_opening_seats=_find_non_opening_seats(opened, blinds),
        actions=found.actions,
        draws=tuple(CardsDrawn(drawn.seat, drawn.exchanged_count, drawn.street) for drawn in hand.draw.draws),
        board=tuple(lying.card for lying in hand.cards.piles.cards_at(BOARD)),
        upcards_by_seat={seat: cards for seat, cards in found.upcards_by_seat.items() if cards},
        tabled_cards_by_seat=last.showdown.tabled_cards_by_seat,
        burn_count=len(hand.cards.piles.cards_at(BURN)),
        deal_count=found.deal_count,
        rulings=found.rulings,
        decisions=found.decisions,
        postings=_list_postings(opened),
        pot_pushes=found.pot_pushes,
        killed_hands=tuple(each for each in found.killed_hands if each.seat in last.betting.killed_seats),
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
                None if each.replacement is None else render_public_line(each.replacement, over),
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
    found: list[ChipsPosted] = []
    for seat in hand.dealing_order:
        dead, bet = chips.dead_post_by_seat.get(seat, 0), chips.bet_by_seat.get(seat, 0)
        for_all = min(dead, stakes.ante) if stakes.ante_payer is AntePayer.BIG_BLIND and seat in big else 0
        small = min(bet, stakes.small_blind) if seat == hand.positions.small_blind else 0
        large = min(bet, stakes.big_blind) if seat in big else 0
        rest = bet - small - large
        straddles = chips.straddle_count and (seat == chips.straddler or rest > stakes.big_blind)
        extra = (
            PostingKind.KILL if seat == hand.kill.killer else PostingKind.STRADDLE if straddles else PostingKind.POST
        )
        found += (
            ChipsPosted(seat, PostingKind.ANTE, chips.paid_earlier_by_seat.get(seat, 0) + for_all),
            ChipsPosted(seat, PostingKind.SMALL_BLIND, small),
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
    positions = {*hand.positions.big_blinds, hand.positions.small_blind}
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
