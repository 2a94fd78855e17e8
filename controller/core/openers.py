"""Who opens a street, and the betting round that this begins."""

from controller.core import betting, blinds
from controller.core.games import Opener
from controller.core.state import Hand


def open_round(hand: Hand, index: int) -> bool:
    """Begin the betting round of street `index`; false while the cards that decide the opener are still to come."""
    opener = hand.setup.game.streets[index].opener
    if index == 0:
        blinds.open_first_round(hand)
    elif opener in (Opener.LEFT_OF_BUTTON, Opener.LEFT_OF_BLINDS):
        betting.opened(hand, index, hand.order)
    if hand.round is None or hand.round.street != index:
        return False
    hand.street = index
    return True
