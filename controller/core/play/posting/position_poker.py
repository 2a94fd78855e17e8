"""Position Poker: the winner of the last hand holds the Winner Button and acts after the dealer button [FC-6].

Only the order of acting changes. A holder that is a blind acts in the usual order before the flop; the button itself
has nothing to gain; heads-up the order before the flop stays, too.
"""

from controller.core.model.hand import Hand


def preflop_order(hand: Hand, ring: tuple[int, ...]) -> tuple[int, ...]:
    """The acting order before the flop [FC-6.position.b, FC-6.position.c, FC-6.position.d]."""
    holder = hand.positions.winner_button
    if holder not in ring or holder in (hand.positions.button, *hand.positions.blind_seats) or len(ring) < 3:
        return ring
    others = tuple(seat for seat in ring if seat != holder)
    blinds = sum(seat in hand.positions.blind_seats for seat in others)
    place = len(others) - blinds
    return (*others[:place], holder, *others[place:])


def postflop_order(hand: Hand, ring: tuple[int, ...]) -> tuple[int, ...]:
    """The acting order of every later round: the holder last [FC-6.position.e]."""
    holder = hand.positions.winner_button
    if holder not in ring or holder == hand.positions.button:
        return ring
    return (*(seat for seat in ring if seat != holder), holder)
