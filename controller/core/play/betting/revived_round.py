"""A seat whose folded hand was given back answers the wager of a round that is over; then the hand goes on."""

from controller.core.model.hand import Hand, Round
from controller.core.values.seat_order import from_

UNTRACKED_WAGER = 2


def begin(hand: Hand, seat: int, street: int, owed: int) -> None:
    """Only this seat acts, on what it still owes to a street's round: it folds or calls."""
    ring = hand.order
    hand.given_up = hand.given_up.changed(resumed=hand.round)
    hand.round = Round(street, ring, (seat,), owed, owed, owed, 1, no_raise=frozenset((seat,)), capped=True)


def goes_on(hand: Hand) -> None:
    """It has answered: what it put in goes to the pots, and the round that waited goes on with it."""
    resumed = hand.given_up.resumed
    if resumed is None or hand.round is None or hand.round.queue:
        return
    if hand.setup.tracked:
        paid, bets = hand.chips.paid, hand.chips.bets
        total = {seat: paid.get(seat, 0) + bets.get(seat, 0) for seat in {**paid, **bets}}
        hand.chips = hand.chips.changed(paid=total)
    hand.chips, hand.round = hand.chips.changed(bets={}), resumed
    hand.given_up = hand.given_up.changed(resumed=None)
    if resumed.street == hand.streets.planned and len(hand.betting.live) > 1:
        rejoined(hand)


def rejoined(hand: Hand) -> None:
    """All who can act and have not yet are asked, on a round on which nobody has bet."""
    round_ = hand.round
    if round_ is None or round_.high:
        return
    begun = hand.betting.acted[hand.betting.acted_before.get(round_.street, len(hand.betting.acted)) :]
    ring = from_(round_.ring, round_.ring[0])
    waiting = tuple(s for s in ring if s in hand.betting.live and s not in hand.betting.all_in and s not in begun)
    hand.round = round_.changed(queue=waiting if len(hand.contenders) > 1 else ())
