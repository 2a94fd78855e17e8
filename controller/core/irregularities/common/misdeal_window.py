"""Whether a misdeal can still be called."""

from controller.core.model.hand import Hand


def closed(hand: Hand) -> bool:
    """By the book's window, counting who has acted since the deal; nobody waits for a hand that died without an act."""
    dealt = tuple(seat for seat in hand.order if seat in hand.betting.live or seat in hand.betting.acted)
    forced = (*hand.positions.big, *(seat for seat in (hand.positions.small, hand.stud.forced) if seat is not None))
    return hand.setup.rulebook.misdeal.window.value(
        tuple(zip(hand.betting.acted, hand.betting.acts, strict=True)), forced, dealt
    )


def looked(hand: Hand, seat: int) -> bool:
    """Whether a seat has looked at its cards; one that has acted counts as having looked."""
    return seat in hand.cards.looked or seat in hand.betting.acted
