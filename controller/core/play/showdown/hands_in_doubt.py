"""Hands of which some cards were thrown away unseen: which of them were kept, only their holder's cards say.

The table script takes the first ones to have gone. A live table knows better than to push a pot on that.
"""

from controller.core.model.hand import Hand
from controller.core.model.setup import Discards
from controller.core.values.piles import MUCK, hand_of
from controller.core.values.value import replace


def mixed(hand: Hand, seat: int) -> bool:
    """Whether a card of this hand lay with cards of which some were thrown away."""
    held = {lying.serial for lying in hand.cards.piles.at(hand_of(seat))}
    return any(not alike.isdisjoint(held) for alike in hand.draw.alike)


def in_doubt(hand: Hand, seat: int) -> bool:
    """Whether nothing tells which cards this hand kept, and the table takes none for granted."""
    if hand.setup.discards is Discards.FIRST:
        return False
    held = {lying.serial for lying in hand.cards.piles.at(hand_of(seat))}
    return any(alike & held and alike - held for alike in hand.draw.alike)


def named(hand: Hand, seat: int, cards: tuple[str, ...]) -> None:
    """The holder's cards are these: one believed in the muck changes places with one that was thrown away instead."""
    piles = hand.cards.piles
    held = piles.at(hand_of(seat))
    missing = [card for card in cards if card not in [lying.card for lying in held]]
    for lying, card in zip((each for each in held if each.card not in cards), missing, strict=False):
        other = next((each for each in piles.at(MUCK) if each.card == card and not each.strange), None)
        if other is not None:
            piles = piles.known(other.serial, lying.card)
        piles = piles.known(lying.serial, card)
    hand.cards = replace(hand.cards, piles=piles)
