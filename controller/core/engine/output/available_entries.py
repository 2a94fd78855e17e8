"""What a table takes besides the first step of its plan, and how many cards come next: for a page that knows no game.

Whether an entry would be taken is tried on a copy of the facts, so that no rule stands here a second time.
"""

from collections.abc import Iterator

from controller.core.engine.handlers.transition_table import find_row
from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS
from controller.core.model.table_state import TableState
from controller.core.play.dealing import planner
from controller.core.play.opening import open_declaration
from controller.core.protocol.events import (
    EVENT_NAME_BY_CLASS,
    BlindsChopped,
    ClockCalled,
    Event,
    FloorDecided,
    HaltChanged,
    HandForHandChanged,
    HandTabled,
    LastHandsAnnounced,
    PenaltyImposed,
    PlayerActed,
    RunItTwiceAgreed,
)
from controller.core.protocol.steps import BettingStep, BoardStep, BurnStep, DealStep
from controller.core.protocol.table_display import Phase
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType, FloorDecision
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.values.value import Value

BOARD_COUNTS = (2, 3)
"""How often the rest may be dealt, where the book allows it."""


class UpcomingCards(Value):
    """The cards of the street that follows the betting round: whether one is burned first, and how many are dealt."""

    burn: bool
    cards: int


def find_available_entries(state: TableState) -> tuple[Event, ...]:
    """What would be taken now although another step is first, seats in acting order.

    Acts and agreements, a time extension on the shot clock that runs, a hand that a caller has a right to see.
    """
    if state.hand is None or not state.plan or state.phase is Phase.HALTED:
        return ()
    return tuple(_iterate_entries(state, state.hand))


def _iterate_entries(state: TableState, hand: Hand) -> Iterator[Event]:
    turn = hand.plan.next_step_if(BettingStep)
    if hand.plan.next_step_if(DealStep):
        words = [] if hand.cards.piles.dealt_count else [ActionType.STRADDLE]
        options = dict(hand.setup.house_options)
        words += [ActionType.KILL] if options.get("voluntary_kill") or "kill" in options else []
        acts = [PlayerActed(seat, word) for word in words for seat in hand.dealing_order]
    else:
        asked = open_declaration.seats_to_ask(hand) if turn else ()
        acts = [PlayerActed(seat, ActionType.OPEN) for seat in asked]
    yield from (act for act in acts if _is_accepted(state, act))
    if turn and hand.round is not None and not hand.round.street:
        yield from (chop for chop in (BlindsChopped(),) if _is_accepted(state, chop))
    elif hand.betting.all_in_seats and not turn:
        yield from (twice for twice in map(RunItTwiceAgreed, BOARD_COUNTS) if _is_accepted(state, twice))
    if turn and state.setup.shot_clock is not None and state.time.clock is not None:
        more = ClockCalled(state.time.clock.seat, is_extension=True)
        yield from (more for _ in (more,) if _is_accepted(state, more))
    shows = hand.round.aggressor if hand.round is not None and state.phase is Phase.SHOWDOWN else None
    if shows is not None:
        to_callers = (
            HandTabled(shows, asking_seat=seat) for seat in hand.dealing_order if seat in hand.betting.live_seats
        )
        yield from (show for show in to_callers if _is_accepted(state, show))


def find_floor_entries(state: TableState) -> tuple[Event, ...]:
    """What the floor alone may say now, unasked, besides the rulings that it sets aside.

    Of a tournament's table: hand for hand, play halted, penalties, the last hands of the day; the last two with the
    least number that is taken, which a person chooses. Of a betting round: who may be left nothing but to check, call
    or fold.
    """
    if state.phase is Phase.HALTED:
        return ()
    return tuple(_iterate_floor_entries(state))


def _iterate_floor_entries(state: TableState) -> Iterator[Event]:
    table, hand = state.tournament, state.hand
    if state.setup.mode is GameMode.TOURNAMENT:
        waits = (HandForHandChanged(releases_table=True), HandForHandChanged(is_on=not table.is_hand_for_hand))
        yield from (word for word in waits if _is_accepted(state, word))
        counts = (LastHandsAnnounced(1),) if table.hands_left is None else (LastHandsAnnounced(1), LastHandsAnnounced())
        yield from (word for word in counts if _is_accepted(state, word))
        halt = HaltChanged(is_on=not table.is_halted)
        yield from (word for word in (halt,) if _is_accepted(state, word))
        chairs = sorted(state.seating.state_by_seat.items())
        missed = [PenaltyImposed(seat, 1) for seat, _ in chairs] + [
            PenaltyImposed(seat, 0) for seat, chair in chairs if chair.penalty_hands
        ]
        yield from (word for word in missed if _is_accepted(state, word))
    if (
        hand is None
        or hand.round is None
        or not hand.plan.next_step_if(BettingStep)
        or not hand.setup.rulebook.turns.skipped_asks.value
    ):
        return
    passive = (
        FloorDecided(FloorDecision.PASSIVE, seat=seat)
        for seat in hand.round.queue
        if seat not in hand.round.no_raise_seats
    )
    yield from (word for word in passive if _is_accepted(state, word))


def _is_accepted(state: TableState, event: Event) -> bool:
    """Whether the table would take an event in the phase in which it is."""
    row = find_row(EVENT_NAME_BY_CLASS[type(event)], state.planned_phase)
    if row is None:
        return False
    trial = state.copy()
    if state.hand is not None:
        trial.hand = state.hand.copy()
    try:
        row.handler(trial, event)
    except Refused:
        return False
    return True


def find_upcoming_cards(state: TableState) -> UpcomingCards | None:
    """The cards that a dealer could deal too early; `None` where no betting is on or no street follows."""
    hand = state.hand
    if hand is None or not hand.plan.next_step_if(BettingStep):
        return None
    if hand.streets.planned_street + 1 >= len(hand.setup.game.streets):
        return None
    steps = NO_STEPS.append(*planner.street_steps(hand.copy(), hand.streets.planned_street + 1))
    return UpcomingCards(
        steps.has_step(BurnStep),
        sum(board.count for board in steps.steps_of_type(BoardStep)) + len(steps.steps_of_type(DealStep)),
    )
