"""Hands of which some cards were thrown away unseen: which of them were kept, only their holder's cards say.

The table script takes the first ones to have gone. A live table knows better than to push a pot on that.
"""

from controller.core.model.hand import Hand
from controller.core.model.setup import DiscardSelection
from controller.core.values.piles import MUCK, hand_place
from controller.core.values.value import replace


def has_mixed_cards(hand: Hand, seat: int) -> bool:
    """Whether a card of this hand lay with cards of which some were thrown away."""
    held = {lying.serial for lying in hand.cards.piles.cards_at(hand_place(seat))}
    return any(not alike.isdisjoint(held) for alike in hand.draw.indistinguishable_groups)


def is_in_doubt(hand: Hand, seat: int) -> bool:
    """Whether nothing tells which cards this hand kept, and the table takes none for granted."""
    if hand.setup.discard_selection is DiscardSelection.FIRST:
        return False
    held = {lying.serial for lying in hand.cards.piles.cards_at(hand_place(seat))}
    return any(alike & held and alike - held for alike in hand.draw.indistinguishable_groups)


def assign_named_cards(hand: Hand, seat: int, cards: tuple[str, ...]) -> None:
    """The holder's cards are these: one believed in the muck changes places with one that was thrown away instead."""
    piles = hand.cards.piles
    held = piles.cards_at(hand_place(seat))
    missing = [card for card in cards if card not in [lying.card for lying in held]]
    for lying, card in zip((each for each in held if each.card not in cards), missing, strict=False):
        other = next((each for each in piles.cards_at(MUCK) if each.card == card and not each.is_foreign), None)
        if other is not None:
            piles = piles.identify_card(other.serial, lying.card)
        piles = piles.identify_card(lying.serial, card)
    hand.cards = replace(hand.cards, piles=piles)
