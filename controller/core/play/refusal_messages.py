"""Sentences for events that do not fit: what was wrong, and what the table waits for."""

from controller.core.model.table_state import TableState
from controller.core.play.betting.legal_actions import describe_actions, find_legal_actions
from controller.core.protocol.steps import (
    ActStep,
    AwardStep,
    BettingRoundStep,
    BoardStep,
    BurnStep,
    CollectStep,
    CutStep,
    DealStep,
    DiscardStep,
    DrawStep,
    FloorStep,
    HoldStep,
    MoveStep,
    PostStep,
    QuestionStep,
    ReturnStep,
    ShowStep,
    ShuffleStep,
    Step,
)
from controller.core.protocol.table_error import Refused


def not_now_refusal(state: TableState, word: str) -> Refused:
    """The event has no place in the phase that the table is in."""
    if word == "collection" and state.is_hand_on:
        told = "what the house takes changes between hands (AU-8.3): enter it when this one is over"
        return Refused("not-now", f"{told}; now {describe_first_step(state)}.")
    return Refused("not-now", f"`{word}` has no place now: {describe_first_step(state)}.")


def describe_first_step(state: TableState) -> str:
    """What the first step wants, in words."""
    if not state.plan:
        return "no hand is on, the next one begins with `start`"
    return describe_step(state, state.plan[0])


def describe_step(state: TableState, step: Step) -> str:
    """What a step wants, in words."""
    match step:
        case DealStep(seat=seat, face=face):
            return f"the next card of the shoe goes to seat {seat}, face {face} (`card`)"
        case BurnStep():
            return "the next card of the shoe is burned (`card`)"
        case BoardStep(count=n, street=street):
            cards = "card of the shoe is" if n == 1 else f"{n} cards of the shoe are"
            return f"the next {cards} the board's, {street} (`card`)"
        case ActStep(seat=seat):
            return f"seat {seat} is to act, {describe_actions(find_legal_actions(state.hand_in_play, seat))} (`act`)"
        case BettingRoundStep(street=street, seats=seats):
            able = ", ".join(map(str, seats))
            return f"the betting of the {street} is on, seats {able} can bet; say when it is over (`closed`)"
        case DrawStep(seat=seat):
            return f"seat {seat} is to say how many cards it exchanges (`draw`)"
        case ShowStep(seat=seat):
            return f"seat {seat} is to show or give up its hand (`show`, `muck`)"
        case AwardStep(pot=pot, is_unread=unread):
            return f"pot {pot} needs a winner (`won`)" if unread else f"pot {pot} is to be pushed (`done`)"
        case CollectStep(amount=amount, seat=seat):
            taken = "the collection" if amount is None else str(amount)
            return f"{taken} is to be taken {'of the pot' if seat is None else f'from seat {seat}'} (`done`)"
        case FloorStep(question=question, options=options):
            return f"the floor is to decide on {question}: {', '.join(options)} (`floor`)"
        case HoldStep():
            return "an all-in was called hand for hand, and the floor says when it goes on (`hand-for-hand`, `go`)"
        case QuestionStep(options=options):
            return f"the dealer is to say what happened: {', '.join(options)} (`report`)"
        case ReturnStep(count=count, source=source, destination=to):
            return f"{_format_card_count(count)} to go from {source} to {to} (`done`)"
        case ShuffleStep() | CutStep():
            return f"the stub is to be {'shuffled' if isinstance(step, ShuffleStep) else 'cut'} (`done`)"
        case MoveStep(label=what, source=source, destination=to):
            return f"the {what} is to move from {source} to {to} (`done`)"
        case DiscardStep(count=count):
            return f"{_format_card_count(count, ' of the stub')} to be taken out of play (`done`)"
        case PostStep(seat=seat, kind=kind, amount=amount):
            return f"seat {seat} is to post {amount} ({kind}) (`done`)"


def _format_card_count(count: int, of: str = "") -> str:
    return f"1 card{of} is" if count == 1 else f"{count} cards{of} are"
