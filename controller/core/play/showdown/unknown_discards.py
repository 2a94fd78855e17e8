"""Which cards a player threw away nobody tells the table: what sensors read of them later puts its belief right.

Where a hand threw some of its cards away, the table believes that the first ones went. A card of that hand that turns
up elsewhere, at the seat, in the muck or, discards having been shuffled in, in the shoe, is no irregularity.
"""

from collections.abc import Iterator

from controller.core.model.hand import Hand
from controller.core.model.setup import DiscardSelection
from controller.core.protocol.events import CardDealt, CardDetected
from controller.core.values.piles import MUCK, Piles, PlacedCard, hand_place
from controller.core.values.value import replace


def clear_redealt_identity(hand: Hand, event: CardDealt | CardDetected) -> None:
    """A card that is believed to be out comes from the shoe: it was thrown away and shuffled in, another was kept."""
    if event.card is None or not hand.draw.indistinguishable_groups:
        return
    for lying in (
        each for pile in hand.cards.piles.cards_by_place.values() for each in pile if each.card == event.card
    ):
        if not lying.is_foreign and any(_is_partly_in_stub(hand, alike) for alike in _groups_alike(hand, lying)):
            hand.cards = replace(hand.cards, piles=hand.cards.piles.identify_card(lying.serial, None))


def find_doubtful_serials(hand: Hand) -> frozenset[int]:
    """The cards of which the table cannot know whether they are out or went back into the shoe, by their numbers."""
    return frozenset().union(
        *(alike for alike in hand.draw.indistinguishable_groups if _is_partly_in_stub(hand, alike))
    )


def relocate_believed_card(hand: Hand, event: CardDetected, believed: PlacedCard | None) -> bool:
    """Believe a card that an antenna reads to lie there, if it was one of a hand that threw some away; says whether.

    `believed`: that card where the table believes it to be elsewhere, `None` where it knows of none.
    """
    piles = hand.cards.piles
    for lying in piles.cards_at(event.place):
        for alike in _groups_alike(hand, lying):
            if believed is None and _is_partly_in_stub(hand, alike):
                hand.cards = replace(hand.cards, piles=piles.identify_card(lying.serial, event.card))
                return True
            if believed is not None and believed.serial in alike:
                hand.cards = replace(hand.cards, piles=_swap_names(piles, lying, believed))
                confirm_discard(hand, lying)
                return True
    return False


def confirm_discard(hand: Hand, lying: PlacedCard) -> None:
    """An antenna has read this card: in the muck it was thrown away for certain, and is none of those left in doubt."""
    if hand.cards.piles.find_place(lying.serial) == MUCK:
        alike = tuple(each - {lying.serial} for each in hand.draw.indistinguishable_groups)
        hand.draw = replace(hand.draw, indistinguishable_groups=alike)


def _groups_alike(hand: Hand, lying: PlacedCard) -> Iterator[frozenset[int]]:
    """The cards that cannot be told from this one, by the draw at which they lay together."""
    return (alike for alike in hand.draw.indistinguishable_groups if lying.serial in alike)


def _is_partly_in_stub(hand: Hand, alike: frozenset[int]) -> bool:
    """Whether one of these cards is back in the stub."""
    return any(hand.cards.piles.find_place(serial) is None for serial in alike)


def has_mixed_cards(hand: Hand, seat: int) -> bool:
    """Whether a card of this hand lay with cards of which some were thrown away."""
    held = _held_serials(hand, seat)
    return any(not alike.isdisjoint(held) for alike in hand.draw.indistinguishable_groups)


def is_in_doubt(hand: Hand, seat: int) -> bool:
    """Whether nothing tells which cards this hand kept, and the table takes none for granted.

    The table script takes the first ones to have gone. A live table knows better than to push a pot on that.
    """
    held = _held_serials(hand, seat)
    live = hand.setup.discard_selection is not DiscardSelection.FIRST
    return live and any(alike & held and alike - held for alike in hand.draw.indistinguishable_groups)


def _held_serials(hand: Hand, seat: int) -> set[int]:
    return {lying.serial for lying in hand.cards.piles.cards_at(hand_place(seat))}


def assign_named_cards(hand: Hand, seat: int, cards: tuple[str, ...]) -> None:
    """The holder's cards are these: one believed in the muck changes places with one that was thrown away instead."""
    piles = hand.cards.piles
    held = piles.cards_at(hand_place(seat))
    missing = [card for card in cards if card not in [lying.card for lying in held]]
    for lying, card in zip((each for each in held if each.card not in cards), missing, strict=False):
        other = next((each for each in piles.cards_at(MUCK) if each.card == card and not each.is_foreign), None)
        piles = piles.identify_card(lying.serial, card) if other is None else _swap_names(piles, lying, other)
    hand.cards = replace(hand.cards, piles=piles)


def _swap_names(piles: Piles, lying: PlacedCard, other: PlacedCard) -> Piles:
    """Each of two cards is the one that the other was believed to be."""
    return piles.identify_card(lying.serial, other.card).identify_card(other.serial, lying.card)
