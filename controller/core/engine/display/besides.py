"""What a table takes besides the first step of its plan, and how many cards come next: for a page that knows no game.

Whether an entry would be taken is tried on a copy of the facts, so that no rule stands here a second time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from controller.core.engine.machine import actions
from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS
from controller.core.model.state import State
from controller.core.play.deal import planner
from controller.core.play.opening import declared_open
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import (
    Act,
    Chop,
    Event,
    Twice,
)
from controller.core.protocol.steps import Board, Burn, Deal, Turn
from controller.core.protocol.vocabulary import Do
from controller.core.rules.rulings import Ruling

E = TypeVar("E", bound=Event)

BOARDS = (2, 3)
"""How often the rest may be dealt, where the book allows it."""


@dataclass(frozen=True, slots=True)
class Coming:
    """The cards of the street that follows the betting round: whether one is burned first, and how many are dealt."""

    burn: bool
    cards: int


def entries(state: State) -> tuple[Event, ...]:
    """The acts and agreements that would be taken now although another step is first, seats in acting order."""
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


def _is_taken(state: State, work: Callable[[State, E], tuple[Ruling, ...]], event: E) -> bool:
    trial = state.copy()
    trial.hand = state.hand_in_play.copy()
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
