"""Sentences for events that do not fit: what was wrong, and what the table waits for."""

from controller.core.model.state import State
from controller.core.play.betting.legal_actions import described, options_of
from controller.core.protocol.errors import Refused
from controller.core.protocol.steps import (
    Act,
    Award,
    Bet,
    Board,
    Burn,
    Cut,
    Deal,
    Discard,
    Draw,
    Floor,
    Hold,
    Move,
    Post,
    Return,
    Say,
    Show,
    Shuffle,
    Step,
)


def not_now(state: State, word: str) -> Refused:
    """The event has no place in the phase that the table is in."""
    return Refused("not-now", f"`{word}` has no place now: {waits_for(state)}.")


def waits_for(state: State) -> str:
    """What the first step wants, in words."""
    if not state.plan:
        return "no hand is on, the next one begins with `start`"
    return wants(state, state.plan[0])


def wants(state: State, step: Step) -> str:
    """What a step wants, in words."""
    match step:
        case Deal(seat=seat, face=face):
            return f"the next card of the shoe goes to seat {seat}, face {face} (`card`)"
        case Burn():
            return "the next card of the shoe is burned (`card`)"
        case Board(n=n, street=street):
            cards = "card of the shoe is" if n == 1 else f"{n} cards of the shoe are"
            return f"the next {cards} the board's, {street} (`card`)"
        case Act(seat=seat):
            return f"seat {seat} is to act, {described(options_of(state.hand_in_play, seat))} (`act`)"
        case Bet(street=street, seats=seats):
            able = ", ".join(map(str, seats))
            return f"the betting of the {street} is on, seats {able} can bet; say when it is over (`closed`)"
        case Draw(seat=seat):
            return f"seat {seat} is to say how many cards it exchanges (`draw`)"
        case Show(seat=seat):
            return f"seat {seat} is to show or give up its hand (`show`, `muck`)"
        case Award(pot=pot, unread=unread):
            return f"pot {pot} needs a winner (`won`)" if unread else f"pot {pot} is to be pushed (`done`)"
        case Floor(question=question, options=options):
            return f"the floor is to decide on {question}: {', '.join(options)} (`floor`)"
        case Hold():
            return "an all-in was called hand for hand, and the floor says when it goes on (`hand-for-hand`, `go`)"
        case Say(options=options):
            return f"the dealer is to say what happened: {', '.join(options)} (`report`)"
        case Return(count=count, source=source, to=to):
            return f"{_cards(count)} to go from {source} to {to} (`done`)"
        case Shuffle() | Cut():
            return f"the stub is to be {'shuffled' if isinstance(step, Shuffle) else 'cut'} (`done`)"
        case Move(what=what, source=source, to=to):
            return f"the {what} is to move from {source} to {to} (`done`)"
        case Discard(count=count):
            return f"{_cards(count, ' of the stub')} to be taken out of play (`done`)"
        case Post(seat=seat, kind=kind, amount=amount):
            return f"seat {seat} is to post {amount} ({kind}) (`done`)"


def _cards(count: int, of: str = "") -> str:
    return f"1 card{of} is" if count == 1 else f"{count} cards{of} are"
