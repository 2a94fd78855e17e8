"""Whether a misdeal can still be called."""

from controller.core.model.hand import Hand


def is_misdeal_window_closed(hand: Hand) -> bool:
    """By the book's window, counting who has acted since the deal; nobody waits for a hand that died without an act."""
    dealt = tuple(
        seat for seat in hand.dealing_order if seat in hand.betting.live_seats or seat in hand.betting.acted_seats
    )
    first = hand.stud.forced_bet_seat
    forced = (*hand.positions.blind_seats, *(() if first is None else (first,)))
    return hand.setup.rulebook.misdeal.window.value(
        tuple(zip(hand.betting.acted_seats, hand.betting.action_types, strict=True)), forced, dealt
    )


def has_looked(hand: Hand, seat: int) -> bool:
    """Whether a seat has looked at its cards; one that has acted counts as having looked."""
    return seat in hand.cards.looked_seats or seat in hand.betting.acted_seats
