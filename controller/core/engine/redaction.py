"""What a table forgets when a hand is over: every card that does not lie open by then.

No rule asks for such a card again. Taking back the last award leads into the hand again, but not to cards that nobody
showed: from then on they count as unread.
"""

from dataclasses import replace

from controller.core.model.hand import Hand
from controller.core.model.state import Previous, State
from controller.core.protocol.events import Card, Event, Report, Seen, Show
from controller.core.values.piles import Lying, Piles


def without_hidden(state: State, shown: frozenset[int] | None = None) -> State:
    """The table with only those cards known that lie open at the end of its hand, `shown` by their numbers."""
    hand = state.hand
    if hand is None:
        return state
    shown = open_at(hand) if shown is None else shown
    previous = state.undo.previous
    if previous is not None:
        previous = Previous(without_hidden(previous.state, shown), _without_card(previous.event), previous.ruled)
    return state.changed(hand=_forgotten(hand, shown), undo=state.undo.changed(previous=previous))


def open_at(hand: Hand) -> frozenset[int]:
    """The numbers of the cards that lie open."""
    return frozenset(lying.serial for pile in hand.cards.piles.out.values() for lying in pile if lying.up)


def _forgotten(hand: Hand, shown: frozenset[int]) -> Hand:
    return hand.changed(
        cards=hand.cards.changed(piles=_piles(hand.cards.piles, shown), lay_before=frozenset()),
        openers=hand.openers.changed(opened_on=tuple(_lying(lying, shown) for lying in hand.openers.opened_on)),
        draw=hand.draw.changed(asked=None if hand.draw.asked is None else _forgotten(hand.draw.asked, shown)),
    )


def _piles(piles: Piles, shown: frozenset[int]) -> Piles:
    out = {place: tuple(_lying(lying, shown) for lying in pile) for place, pile in piles.out.items()}
    return replace(piles, out=out)


def _lying(lying: Lying, shown: frozenset[int]) -> Lying:
    if lying.card is None or lying.serial in shown:
        return lying
    return lying._replace(card=None, forgotten=True)


def _without_card(event: Event) -> Event:
    """The event without a card: nothing after the end of a hand looks at it."""
    if isinstance(event, Card):
        return replace(event, card=None)
    if isinstance(event, Show):
        return replace(event, cards=())
    if isinstance(event, Report):
        return replace(event, card=None)
    if isinstance(event, Seen):
        return replace(event, card="")
    return event
