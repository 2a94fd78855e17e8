"""What a table takes besides the first step of its plan, and how many cards come next: for a page that knows no game.

Whether an entry would be taken is tried on a copy of the facts, so that no rule stands here a second time.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

from controller.core.engine.machine import actions, reports
from controller.core.irregularities.conduct import absent_player
from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS
from controller.core.model.state import State
from controller.core.play.deal import hand_for_hand, planner
from controller.core.play.opening import declared_open
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import (
    Act,
    Chop,
    Clock,
    Event,
    Floor,
    Halt,
    HandForHand,
    LastHands,
    Penalty,
    Show,
    Twice,
)
from controller.core.protocol.steps import Board, Burn, Deal, Turn
from controller.core.protocol.vocabulary import Decide, Do
from controller.core.rules.questions.house.table import Mode
from controller.core.rules.rulings import Ruling
from controller.core.values.value import Value

E = TypeVar("E", bound=Event)

BOARDS = (2, 3)
"""How often the rest may be dealt, where the book allows it."""


class Coming(Value):
    """The cards of the street that follows the betting round: whether one is burned first, and how many are dealt."""

    burn: bool
    cards: int


def entries(state: State) -> tuple[Event, ...]:
    """What would be taken now although another step is first, seats in acting order.

    Acts and agreements, a time extension on the shot clock that runs, a hand that a caller has a right to see.
    """
    if state.hand is None or not state.plan or state.phase is Phase.HALTED:
        return ()
    return tuple(_entries(state, state.hand))


def _entries(state: State, hand: Hand) -> Iterator[Event]:
    turn = hand.plan.due(Turn)
    if hand.plan.due(Deal):
        words = [] if hand.cards.piles.left else [Do.STRADDLE]
        words += [Do.KILL] if dict(hand.setup.house).get("voluntary_kill") else []
        acts = [Act(seat, word) for word in words for seat in hand.order]
    else:
        asked = declared_open.still_to_ask(hand) if turn else ()
        acts = [Act(seat, Do.OPEN) for seat in asked]
    yield from (act for act in acts if _is_taken(state, actions.act, act))
    if turn and hand.round is not None and not hand.round.street:
        yield from (chop for chop in (Chop(),) if _is_taken(state, actions.chop, chop))
    elif hand.betting.all_in and not turn:
        yield from (twice for twice in map(Twice, BOARDS) if _is_taken(state, actions.twice, twice))
    if turn and state.setup.shot_clock is not None and state.time.clock is not None:
        more = Clock(state.time.clock.seat, extend=True)
        yield from (more for _ in (more,) if _is_taken(state, actions.clock, more))
    shows = hand.round.aggressor if hand.round is not None and state.phase is Phase.SHOWDOWN else None
    if shows is not None:
        to_callers = (Show(shows, asked=seat) for seat in hand.order if seat in hand.betting.live)
        yield from (show for show in to_callers if _is_taken(state, actions.show, show))


def for_the_floor(state: State) -> tuple[Event, ...]:
    """What the floor alone may say now, unasked, besides the rulings that it sets aside.

    Of a tournament's table: hand for hand, play halted, penalties, the last hands of the day; the last two with the
    least number that is taken, which a person chooses. Of a betting round: who may be left nothing but to check, call
    or fold.
    """
    if state.phase is Phase.HALTED:
        return ()
    return tuple(_for_the_floor(state))


def _for_the_floor(state: State) -> Iterator[Event]:
    table, hand = state.tournament, state.hand
    if state.setup.mode is Mode.TOURNAMENT:
        waits = (HandForHand(go=True), HandForHand(on=not table.hand_for_hand))
        yield from (word for word in waits if _is_taken(state, hand_for_hand.said, word))
        counts = (LastHands(1),) if table.hands_left is None else (LastHands(1), LastHands())
        yield from (word for word in counts if _is_taken(state, hand_for_hand.last_hands, word))
        halt = Halt(on=not table.halted)
        yield from (word for word in (halt,) if _is_taken(state, hand_for_hand.halted, word))
        chairs = sorted(state.seating.chairs.items())
        missed = [Penalty(seat, 1) for seat, _ in chairs] + [
            Penalty(seat, 0) for seat, chair in chairs if chair.penalty
        ]
        yield from (word for word in missed if _is_taken(state, absent_player.penalised, word))
    if (
        hand is None
        or hand.round is None
        or not hand.plan.due(Turn)
        or not hand.setup.rulebook.turns.skipped_asks.value
    ):
        return
    passive = (Floor(Decide.PASSIVE, seat=seat) for seat in hand.round.queue if seat not in hand.round.no_raise)
    yield from (word for word in passive if _is_taken(state, reports.floor, word))


def _is_taken(state: State, work: Callable[[State, E], tuple[Ruling, ...]], event: E) -> bool:
    trial = state.copy()
    if state.hand is not None:
        trial.hand = state.hand.copy()
    try:
        work(trial, event)
    except Refused:
        return False
    return True


def coming(state: State) -> Coming | None:
    """The cards that a dealer could deal too early; `None` where no betting is on or no street follows."""
    hand = state.hand
    if hand is None or not hand.plan.due(Turn):
        return None
    if hand.streets.planned + 1 >= len(hand.setup.game.streets):
        return None
    steps = NO_STEPS.then(*planner.street_steps(hand.copy(), hand.streets.planned + 1))
    return Coming(steps.has(Burn), sum(board.n for board in steps.every(Board)) + len(steps.every(Deal)))
