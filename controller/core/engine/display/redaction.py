"""What a table forgets when a hand is over: every card that does not lie open by then.

No rule asks for such a card again. Taking back the last award leads into the hand again, but not to cards that nobody
showed: from then on they count as unread.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from controller.core.model.hand import Hand, HandCards, HandOpeners
from controller.core.model.state import Previous, State
from controller.core.play.betting import carried_pot
from controller.core.protocol.events import (
    Card,
    Event,
    Report,
    Seen,
    Show,
)
from controller.core.values.piles import Lying, Piles
from controller.core.values.value import Value, replace

T = TypeVar("T")

Shown = frozenset[tuple[int, str | None]]
"""The cards that lie open at the end of a hand: number and name. Under another name, since put right, none is kept."""


class Entries(Value):
    """How the table stood before each entry that `undo` takes back, and what lies open of a hand that is over since.

    What was never shown is forgotten when somebody asks for the tables; before the next card, which drops them all,
    that is only who takes back the last award. To forget at once was 5 % of a replay.
    """

    tables: tuple[State, ...] = ()
    shown: Shown | None = None

    @property
    def known(self) -> tuple[State, ...]:
        """The tables as far as they are known."""
        return self.tables if self.shown is None else without_hidden(self.tables, self.shown)

    def then(self, now: State, depth: int) -> "Entries":
        """One entry more, before which the table stands as it does now, of at most `depth`."""
        return Entries((*self.tables[1 - depth :], now), self.shown)

    def over(self, shown: Shown) -> "Entries":
        """The hand is over, with these cards lying open."""
        return Entries(self.known, shown)


def without_hidden(states: Iterable[State], shown: Shown) -> tuple[State, ...]:
    """Tables of one hand that know only the cards `shown`; what they share stays shared."""
    forget = _Forgetting(shown)
    return tuple([forget.state(state) for state in states])


def open_at(hand: Hand) -> Shown:
    """The cards that lie open, and the openers that were shown, of which some may have been thrown away since."""
    lying_up = [lying for pile in hand.cards.piles.out.values() for lying in pile if lying.up]
    return frozenset((lying.serial, lying.card) for lying in (*lying_up, *carried_pot.openers_shown(hand)))


class _Forgetting:
    """Forgets each value once, however many tables share it; what knows nothing to forget stays what it is."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown
        self._done: dict[int, tuple[object, object]] = {}
        """By the identity of a value, which is held so that no other gets it: the value, and what it became."""

    def _once(self, forget: Callable[[T], T], value: T) -> T:
        found = self._done.get(id(value))
        if found is None:
            found = self._done[id(value)] = (value, forget(value))
        return found[1]  # type: ignore[return-value]  # what `forget` made of a value of this type

    def state(self, state: State) -> State:
        hand = state.hand
        if hand is None:
            return state
        undo, previous = state.undo, state.undo.previous
        if previous is not None:
            without = Previous(self.state(previous.state), _without_card(previous.event), previous.ruled)
            undo = replace(undo, previous=without)
        return replace(state, hand=self._once(self._hand, hand), undo=undo)

    def _hand(self, hand: Hand) -> Hand:
        openers, draw = self._once(self._openers, hand.openers), hand.draw
        if draw.asked is not None:
            draw = replace(draw, asked=self._once(self._hand, draw.asked))
        return replace(hand, cards=self._once(self._cards, hand.cards), openers=openers, draw=draw)

    def _openers(self, openers: HandOpeners) -> HandOpeners:
        return replace(openers, opened_on=self._pile(openers.opened_on)) if openers.opened_on else openers

    def _cards(self, cards: HandCards) -> HandCards:
        return replace(cards, piles=self._once(self._piles, cards.piles), lay_before=frozenset())

    def _piles(self, piles: Piles) -> Piles:
        out = {place: self._once(self._pile, pile) for place, pile in piles.out.items()}
        return Piles(piles.stub, out, piles.left)

    def _pile(self, pile: tuple[Lying, ...]) -> tuple[Lying, ...]:
        return tuple([self._lying(lying) for lying in pile])

    def _lying(self, lying: Lying) -> Lying:
        if lying.card is None or (lying.serial, lying.card) in self._shown:
            return lying
        return Lying(lying.serial, None, lying.up, lying.strange, forgotten=True, proven=lying.proven)


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
