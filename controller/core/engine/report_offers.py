"""What people may say now that would be taken: reports of the whole table, and all that one seat may have done.

For a page that knows no game. Each entry is given to a table that stands as this one, so that no rule, no game and no
phase stands here a second time; what it says to it is thrown away. An entry that wants more than a page knows before
it is touched (which card, what amount) is tried with one that may be so.
"""

from collections.abc import Iterable, Iterator

from controller.core.engine.output import hand_redaction
from controller.core.engine.output.available_entries import find_upcoming_cards
from controller.core.engine.table import Table
from controller.core.model.hand import Hand
from controller.core.model.table_memory import TableMemory
from controller.core.model.table_state import TableState
from controller.core.play.betting.legal_actions import LegalActions, find_legal_actions
from controller.core.protocol.events import (
    CardDealt,
    ClockCalled,
    Event,
    GameChosen,
    HandMucked,
    HandTabled,
    LevelAdvanced,
    PlayerActed,
    PlayerLeft,
    PlayerReturned,
    PlayerSeated,
    PlayerWentAway,
    Report,
    TimerChanged,
)
from controller.core.protocol.script_lines import format_line
from controller.core.protocol.steps import ActStep, BettingStep, DealStep
from controller.core.protocol.table_display import Phase
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType, CardPlace, ExposedBy, ReportedHand, ReportKind, TimerCommand
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.values.cards import build_deck
from controller.core.values.piles import hand_place
from controller.core.values.value import replace

MAX_EXPOSED_CARDS = 7
"""Of so many cards of a hand each may be named as the one that was exposed."""

BUY_IN_UNITS = 100
"""What a newcomer sits down with, in big blinds or small bets, unless it is said otherwise."""

DEFECT_KINDS = (ReportKind.DUPLICATE, ReportKind.JOKER, ReportKind.FOREIGN_BACK)
SEATLESS_KINDS = (
    ReportKind.EXPOSED,
    ReportKind.BOXED,
    ReportKind.OFF_TABLE,
    ReportKind.NO_BURN,
    ReportKind.DOUBLE_BURN,
    ReportKind.STRING_BET,
    ReportKind.PUT_BACK,
    ReportKind.LAST_FACEUP,
    ReportKind.FALSE_OPENERS,
    ReportKind.STUB_FOULED,
    ReportKind.DECK_DEFECTIVE,
    ReportKind.NOT_SHUFFLED,
    ReportKind.EXPOSED_CUTTING,
)
"""Reports that say enough by their word."""


def find_report_offers(state: TableState) -> tuple[Event, ...]:
    """What may be reported or told of the table now; a report that names a seat once for each that it may name."""
    return () if state.phase is Phase.HALTED else tuple(_filter_taken(state, _iter_table_candidates(state)))


def find_seat_offers(state: TableState, seat: int) -> tuple[Event, ...]:
    """What may be said now of a chair: how its player acted out of turn, its cards, its player's coming and going."""
    return () if state.phase is Phase.HALTED else tuple(_filter_taken(state, _iter_seat_candidates(state, seat)))


def describe_table_offers(state: TableState) -> dict[str, object]:
    """Say what may be reported of the table in the words of the table script."""
    return {"lines": [format_line(event) for event in find_report_offers(state)]}


def describe_seat_offers(state: TableState, seat: int) -> dict[str, object]:
    """Say them in the words of the table script, with the totals of a wager before its turn, where it may make one.

    `before`: the acts of those whose turn comes before, where all of them are out, or check.
    """
    early = find_early_actions(state, seat)
    return {
        "before": [format_line(event) for event in find_acts_before(state, seat)],
        "lines": [format_line(event) for event in find_seat_offers(state, seat)],
        "act": None if early is None else {"min_to": early.min_total, "max_to": early.max_total},
    }


def find_early_actions(state: TableState, seat: int) -> LegalActions | None:
    """What a seat may do that acts before its turn; `None` where no turn is on, it is this seat's, or it has no say."""
    hand = state.hand
    turn = None if hand is None else hand.plan.next_step_if(ActStep)
    if hand is None or hand.round is None or turn is None or turn.seat == seat:
        return None
    if seat not in hand.betting.live_seats or seat in hand.betting.all_in_seats:
        return None
    legal = find_legal_actions(hand, seat)
    fold = ActionType.FOLD.value
    return replace(legal, actions=(fold, *(word for word in legal.actions if word != fold)))


def find_acts_before(state: TableState, seat: int) -> tuple[PlayerActed, ...]:
    """What those have done whose turn comes before this seat's, where it acts next: checked, or else folded.

    Nothing where one of them could do neither, or something else comes in between.
    """
    if state.phase is Phase.HALTED or find_early_actions(state, seat) is None:
        return ()
    table, made = Table.from_memory(TableMemory(state)), list[PlayerActed]()
    while (hand := table.outcome.state.hand) is not None and hand.round is not None and seat in hand.round.queue:
        turn = hand.plan.next_step_if(ActStep)
        if turn is None or turn.seat == seat:
            return () if turn is None else tuple(made)
        words = find_legal_actions(hand, turn.seat).actions
        word = next((each for each in (ActionType.CHECK, ActionType.FOLD) if each.value in words), None)
        if word is None:
            return ()
        made.append(PlayerActed(turn.seat, word))
        try:
            table.handle(made[-1])
        except Refused:
            return ()
    return tuple(made) if hand is not None and set(hand.betting.live_seats) == {seat} else ()


def _filter_taken(state: TableState, candidates: Iterable[Event]) -> Iterator[Event]:
    memory = TableMemory(state)
    for event in candidates:
        try:
            Table.from_memory(memory).handle(event)
        except Refused:
            continue
        yield event


def _iter_table_candidates(state: TableState) -> Iterator[Event]:
    hand, chairs = state.hand, sorted(state.seating.state_by_seat)
    yield from _iter_game_candidates(state)
    if hand is None or not hand.plan or hand.plan.next_step_if(DealStep):
        for which in ReportedHand:
            yield from (Report(ReportKind.BUTTON_WRONG, seat=seat, reported_hand=which) for seat in chairs)
    if hand is not None and hand.plan.next_step_if(DealStep):
        yield from (Report(ReportKind.WRONG_SEAT, seat=seat) for seat in chairs)
    elif hand is not None and hand.plan.next_step_if(BettingStep):
        yield from (Report(ReportKind.WRONG_OPENER, seat=seat) for seat in chairs)
    yield from map(Report, SEATLESS_KINDS)
    yield from (Report(kind, card_place=CardPlace.STUB) for kind in (*DEFECT_KINDS, ReportKind.MISSING_CARD))
    if hand is None or not hand.plan:
        return
    yield Report(ReportKind.TWO_EXPOSED, count=2)
    yield from (Report(ReportKind.BOARD_EXTRA, count=count) for count in (1, 2))
    coming = find_upcoming_cards(state)
    counts = {1} if coming is None else {1, coming.burn + coming.cards}
    yield from (Report(ReportKind.PREMATURE, count=count) for count in sorted(counts))
    yield from (Report(kind, card_place=CardPlace.BOARD) for kind in (ReportKind.JOKER, ReportKind.DUPLICATE))
    yield Report(ReportKind.MISREAD, card=_find_possible_card(hand))
    yield from _iter_wager_corrections(hand)
    yield CardDealt(None)


def _iter_game_candidates(state: TableState) -> Iterator[Event]:
    """What is said of the game and of a tournament's clock, which no device says."""
    if not state.plan:
        yield from map(GameChosen, dict.fromkeys(entry.game.name for entry in state.setup.rotation))
    if state.setup.mode is GameMode.TOURNAMENT:
        yield LevelAdvanced()
        yield from map(TimerChanged, TimerCommand)


def _find_possible_card(hand: Hand) -> str:
    """A card that does not lie open: the one that was misread may be it."""
    is_open = {card for _, card in hand_redaction.find_open_cards(hand)}
    return next(card for card in build_deck(hand.setup.deck_size, hand.setup.has_joker) if card not in is_open)


def _iter_wager_corrections(hand: Hand) -> Iterator[Report]:
    """The last wager should have been a chip less, or more."""
    chip = hand.setup.stakes.smallest_chip
    for round_ in (hand.round, hand.betting.last_round):
        if round_ is not None and round_.current_bet > chip:
            yield Report(ReportKind.OVERPOT, total=round_.current_bet - chip)
            yield Report(ReportKind.UNDERBET, total=round_.current_bet + chip)
            return


def _iter_seat_candidates(state: TableState, seat: int) -> Iterator[Event]:
    hand = state.hand
    early = find_early_actions(state, seat)
    if early is not None:
        yield from (PlayerActed(seat, ActionType(word)) for word in early.actions)
    if hand is not None and hand.plan:
        yield from _iter_card_candidates(hand, seat)
        yield ClockCalled(seat)
        yield HandTabled(seat)
        yield HandMucked(seat)
    yield from (PlayerWentAway(seat), PlayerReturned(seat), PlayerReturned(seat, posts_blinds=True), PlayerLeft(seat))
    stakes = state.setup.stakes
    stack = BUY_IN_UNITS * (stakes.big_blind or stakes.small_bet or 2) if state.setup.tracks_amounts else None
    yield from (PlayerSeated(seat, stack=stack, posts_blinds=posts) for posts in (False, True))


def _iter_card_candidates(hand: Hand, seat: int) -> Iterator[Report]:
    """What may be amiss with the cards of a hand, or with a chair that got some, or none."""
    held = min(len(hand.cards.piles.cards_at(hand_place(seat))), MAX_EXPOSED_CARDS)
    yield from (Report(ReportKind.EXPOSED, seat=seat, nth=nth) for nth in range(1, held + 1))
    yield Report(ReportKind.WRONG_SEAT, seat=seat)
    yield Report(ReportKind.SKIPPED, seat=seat)
    if held:
        yield Report(ReportKind.EXPOSED, seat=seat, exposed_by=ExposedBy.PLAYER)
        for kind in (ReportKind.EXTRA_CARD, ReportKind.SHORT_HAND):
            yield from (Report(kind, seat=seat, count=count) for count in (1, 2))
        yield from (Report(kind, seat=seat) for kind in (ReportKind.NOT_ENTITLED, ReportKind.LOOKED))
        yield from (Report(kind, seat=seat, card_place=CardPlace.HAND) for kind in DEFECT_KINDS)
    yield Report(ReportKind.OWES_BLIND, seat=seat)
