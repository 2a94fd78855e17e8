"""Which cards a player threw away nobody tells the table: what sensors read of them later puts its belief right.

Where a hand threw some of its cards away, the table believes that the first ones went. A card of that hand that turns
up elsewhere, at the seat, in the muck or, discards having been shuffled in, in the shoe, is no irregularity.
"""

from collections.abc import Iterator

from controller.core.model.hand import Hand
from controller.core.protocol.events import CardDealt, CardDetected
from controller.core.values.piles import MUCK, PlacedCard
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
    """Whether a card that an antenna reads was one of a hand that threw some away; then it is believed to lie there.

    `believed`: that card where the table believes it to be elsewhere, `None` where it knows of none.
    """
    piles = hand.cards.piles
    for lying in piles.cards_at(event.place):
        for alike in _groups_alike(hand, lying):
            if believed is None and _is_partly_in_stub(hand, alike):
                hand.cards = replace(hand.cards, piles=piles.identify_card(lying.serial, event.card))
                return True
            if believed is not None and believed.serial in alike:
                swapped = piles.identify_card(lying.serial, believed.card).identify_card(believed.serial, lying.card)
                hand.cards = replace(hand.cards, piles=swapped)
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
