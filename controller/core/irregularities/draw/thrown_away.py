"""Which cards a player threw away nobody tells the table: what sensors read of them later puts its belief right.

Where a hand threw some of its cards away, the table believes that the first ones went. A card of that hand that turns
up elsewhere, at the seat, in the muck or, discards having been shuffled in, in the shoe, is no irregularity.
"""

from collections.abc import Iterator

from controller.core.model.hand import Hand
from controller.core.protocol.events import Card, Seen
from controller.core.values.piles import MUCK, Lying
from controller.core.values.value import replace


def comes_back(hand: Hand, event: Card | Seen) -> None:
    """A card that is believed to be out comes from the shoe: it was thrown away and shuffled in, another was kept."""
    if event.card is None or not hand.draw.alike:
        return
    for lying in (each for pile in hand.cards.piles.out.values() for each in pile if each.card == event.card):
        if not lying.strange and any(_some_shuffled_in(hand, alike) for alike in _alike(hand, lying)):
            hand.cards = replace(hand.cards, piles=hand.cards.piles.known(lying.serial, None))


def doubtful(hand: Hand) -> frozenset[int]:
    """The cards of which the table cannot know whether they are out or went back into the shoe, by their numbers."""
    return frozenset().union(*(alike for alike in hand.draw.alike if _some_shuffled_in(hand, alike)))


def lies_there(hand: Hand, event: Seen, believed: Lying | None) -> bool:
    """Whether a card that an antenna reads was one of a hand that threw some away; then it is believed to lie there.

    `believed`: that card where the table believes it to be elsewhere, `None` where it knows of none.
    """
    piles = hand.cards.piles
    for lying in piles.at(event.at):
        for alike in _alike(hand, lying):
            if believed is None and _some_shuffled_in(hand, alike):
                hand.cards = replace(hand.cards, piles=piles.known(lying.serial, event.card))
                return True
            if believed is not None and believed.serial in alike:
                swapped = piles.known(lying.serial, believed.card).known(believed.serial, lying.card)
                hand.cards = replace(hand.cards, piles=swapped)
                proved(hand, lying)
                return True
    return False


def proved(hand: Hand, lying: Lying) -> None:
    """An antenna has read this card: in the muck it was thrown away for certain, and is none of those left in doubt."""
    if hand.cards.piles.place_of(lying.serial) == MUCK:
        alike = tuple(each - {lying.serial} for each in hand.draw.alike)
        hand.draw = replace(hand.draw, alike=alike)


def _alike(hand: Hand, lying: Lying) -> Iterator[frozenset[int]]:
    """The cards that cannot be told from this one, by the draw at which they lay together."""
    return (alike for alike in hand.draw.alike if lying.serial in alike)


def _some_shuffled_in(hand: Hand, alike: frozenset[int]) -> bool:
    """Whether one of these cards is back in the stub."""
    return any(hand.cards.piles.place_of(serial) is None for serial in alike)
