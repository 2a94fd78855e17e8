"""Which cards everybody knows: the one place where that is said (docs/known-cards.md).

A card is known when it was dealt open, when a sensor saw it lie open, when its seat showed it (`show`), or when the
floor had it turned up with everybody looking (`turned-up`); and then for as long as it lies outside the stub, whatever
is taken back. No report, no amendment and no name that somebody says makes a card known.

A live table rules by known cards alone, so that no answer of it tells a card that lies face down. A script shows every
card anyway, and each line of it keeps its meaning.
"""

from collections import Counter

from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.values.piles import PlacedCard
from controller.core.values.value import replace

HIDDEN_CARD_WORDS = (
    "this card was read and lies face down, so nobody may name it: the floor has it turned up with everybody looking "
    "(`floor` decide `turned-up`), or the hand is killed."
)
"""Why a card that only a sensor knows gets no name from anybody."""


def card_to_rule_by(hand: Hand, lying: PlacedCard) -> str | None:
    """The card as a ruling may know it; `None` where it is a card that nobody read, or that only a sensor has."""
    return lying.known_card if hand.setup.is_live else lying.card


def name_read_by_sensor(hand: Hand, lying: PlacedCard) -> str | None:
    """The card as a sensor may compare it; at a live table not a name that somebody said and that is not known."""
    return None if hand.setup.is_live and lying.is_named and not lying.is_known else lying.card


def is_hidden(hand: Hand, lying: PlacedCard) -> bool:
    """Whether a live table has read the card, and not everybody knows it."""
    was_read = (lying.card is not None and not lying.is_named) or lying.is_forgotten
    return hand.setup.is_live and was_read and not lying.is_known


def is_duplicate(hand: Hand, card: str, *, is_open: bool) -> bool:
    """Whether a card that a sensor reads is out already.

    A live table does not compare one that lies face down with a name that somebody said: it would tell that name.
    """
    if not hand.setup.is_live:
        return hand.cards.piles.has_card(card)
    return any(
        lying.card == card and not lying.is_foreign and (not lying.is_named or (is_open and lying.is_known))
        for pile in hand.cards.piles.cards_by_place.values()
        for lying in pile
    )


def is_name_taken(hand: Hand, card: str) -> bool:
    """Whether a name that somebody says is that of another card; a live table compares it with known cards alone."""
    if not hand.setup.is_live:
        return hand.cards.piles.has_card(card)
    return any(
        lying.known_card == card and not lying.is_foreign
        for pile in hand.cards.piles.cards_by_place.values()
        for lying in pile
    )


def find_known_duplicate(hand: Hand) -> str | None:
    """A card of a live table that is known twice by now: of those that nobody could compare before."""
    if not hand.setup.is_live:
        return None
    piles = hand.cards.piles.cards_by_place.values()
    count = Counter(lying.known_card for pile in piles for lying in pile if not lying.is_foreign and lying.known_card)
    return next((card for card, times in count.items() if times > 1), None)


def mark_known(hand: Hand, serials: frozenset[int]) -> None:
    """Everybody knows these cards from now on."""
    hand.cards = replace(hand.cards, piles=hand.cards.piles.mark_known(serials))


def mark_open_cards_known(state: TableState) -> None:
    """What is believed to lie open does: in a script, where the line says so. A live table takes nobody's word."""
    if state.hand is not None and not state.setup.is_live:
        piles = state.hand.cards.piles.cards_by_place.values()
        mark_known(state.hand, frozenset(lying.serial for pile in piles for lying in pile if lying.is_face_up))


def find_newly_known(before: TableState, after: TableState) -> frozenset[int]:
    """The numbers of the cards that are known after an entry and were not before it."""
    known = frozenset() if after.hand is None else after.hand.cards.piles.known_serials()
    return known - (frozenset() if before.hand is None else before.hand.cards.piles.known_serials())


def keep_known(now: TableState, back: TableState) -> None:
    """What was known at a live table stays known where an entry of the same hand is taken back or put right."""
    if not now.setup.is_live or now.hand is None or back.hand is None or now.hand_count != back.hand_count:
        return
    lost = now.hand.cards.piles.known_serials() - back.hand.cards.piles.known_serials()
    if lost:
        back.hand = back.hand.copy()
        mark_known(back.hand, lost)
