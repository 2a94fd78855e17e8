"""What a table forgets when a hand is over: every card that does not lie open by then.

No rule asks for such a card again. Taking back the last award leads into the hand again, but not to cards that nobody
showed: from then on they count as unread.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from controller.core.model.hand import Hand, HandCards, HandOpeners
from controller.core.model.table_state import PreviousEntry, TableState
from controller.core.play.betting import carried_pot
from controller.core.protocol.events import (
    CardDealt,
    CardDetected,
    Event,
    HandTabled,
    Report,
)
from controller.core.values.piles import Piles, PlacedCard
from controller.core.values.value import replace

T = TypeVar("T")

ShownCards = frozenset[tuple[int, str | None]]
"""The cards that lie open at the end of a hand: number and name. Under another name, since put right, none is kept."""


def forget_hidden_cards(states: Iterable[TableState], shown: ShownCards) -> tuple[TableState, ...]:
    """Tables of one hand that know only the cards `shown`; what they share stays shared."""
    forget = _CardRedactor(shown)
    return tuple([forget.redact_state(state) for state in states])


def find_open_cards(hand: Hand) -> ShownCards:
    """The cards that lie open, and the openers that were shown, of which some may have been thrown away since."""
    piles = hand.cards.piles.cards_by_place.values()
    lying_up = [
        lying for pile in piles for lying in pile if (lying.is_known if hand.setup.is_live else lying.is_face_up)
    ]
    return frozenset((lying.serial, lying.card) for lying in (*lying_up, *carried_pot.shown_openers(hand)))


def find_proven_cards(hand: Hand) -> ShownCards:
    """The cards that were dealt open, or that a sensor or the floor has seen lie open, wherever they lie now."""
    piles = hand.cards.piles.cards_by_place.values()
    return frozenset((lying.serial, lying.card) for pile in piles for lying in pile if lying.is_known)


class _CardRedactor:
    """Forgets each value once, however many tables share it; what knows nothing to forget stays what it is."""

    def __init__(self, shown: ShownCards) -> None:
        self._shown_cards = shown
        self._results_by_id: dict[int, tuple[object, object]] = {}
        """By the identity of a value, which is held so that no other gets it: the value, and what it became."""

    def _redact_once(self, forget: Callable[[T], T], value: T) -> T:
        found = self._results_by_id.get(id(value))
        if found is None:
            found = self._results_by_id[id(value)] = (value, forget(value))
        return found[1]  # type: ignore[return-value]  # what `forget` made of a value of this type

    def redact_state(self, state: TableState) -> TableState:
        hand = state.hand
        if hand is None:
            return state
        undo, previous = state.undo, state.undo.previous
        if previous is not None:
            without = PreviousEntry(self.redact_state(previous.state), _drop_card(previous.event), previous.has_ruling)
            undo = replace(undo, previous=without)
        return replace(state, hand=self._redact_once(self._redact_hand, hand), undo=undo)

    def _redact_hand(self, hand: Hand) -> Hand:
        openers, draw = self._redact_once(self._redact_openers, hand.openers), hand.draw
        if draw.hand_before_draw is not None:
            draw = replace(draw, hand_before_draw=self._redact_once(self._redact_hand, draw.hand_before_draw))
        return replace(hand, cards=self._redact_once(self._redact_cards, hand.cards), openers=openers, draw=draw)

    def _redact_openers(self, openers: HandOpeners) -> HandOpeners:
        return (
            replace(openers, opener_cards=self._redact_pile(openers.opener_cards)) if openers.opener_cards else openers
        )

    def _redact_cards(self, cards: HandCards) -> HandCards:
        return replace(cards, piles=self._redact_once(self._redact_piles, cards.piles), previous_hand_cards=frozenset())

    def _redact_piles(self, piles: Piles) -> Piles:
        out = {place: self._redact_once(self._redact_pile, pile) for place, pile in piles.cards_by_place.items()}
        return Piles(piles.stub_count, out, piles.dealt_count)

    def _redact_pile(self, pile: tuple[PlacedCard, ...]) -> tuple[PlacedCard, ...]:
        return tuple([self._redact_card(lying) for lying in pile])

    def _redact_card(self, lying: PlacedCard) -> PlacedCard:
        if lying.card is None or (lying.serial, lying.card) in self._shown_cards:
            return lying
        return PlacedCard(
            lying.serial, None, lying.is_face_up, lying.is_foreign, is_forgotten=True, is_known=lying.is_known
        )


def _drop_card(event: Event) -> Event:
    """The event without a card: nothing after the end of a hand looks at it."""
    if isinstance(event, CardDealt):
        return replace(event, card=None)
    if isinstance(event, HandTabled):
        return replace(event, cards=())
    if isinstance(event, Report):
        return replace(event, card=None)
    if isinstance(event, CardDetected):
        return replace(event, card="")
    return event
