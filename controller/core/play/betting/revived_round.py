"""A seat whose folded hand was given back answers the wager of a round that is over; then the hand goes on."""

from controller.core.model.hand import Hand, Round
from controller.core.values.value import replace


def begin(hand: Hand, seat: int, street: int, owed: int) -> None:
    """Only this seat acts, on what it still owes to a street's round: it folds or calls."""
    ring = hand.order
    hand.given_up = replace(hand.given_up, answers=seat, resumed=hand.round)
    hand.round = Round(street, ring, (seat,), owed, owed, owed, 1, no_raise=frozenset((seat,)), capped=True)


def goes_on(hand: Hand) -> None:
    """It has answered: what it put in goes to the pots, and the round that waited goes on with it."""
    if hand.given_up.answers is None or hand.round is None or hand.round.queue:
        return
    resumed = hand.given_up.resumed
    if hand.setup.tracked:
        paid, bets = hand.chips.paid, hand.chips.bets
        total = {seat: paid.get(seat, 0) + bets.get(seat, 0) for seat in {**paid, **bets}}
        hand.chips = replace(hand.chips, paid=total)
    hand.chips, hand.round = replace(hand.chips, bets={}), resumed
    if hand.betting.acted[-1] == hand.given_up.answers:  # an act of the round that is over, not of this one
        hand.betting = replace(hand.betting, acted=hand.betting.acted[:-1], acts=hand.betting.acts[:-1])
    hand.given_up = replace(hand.given_up, answers=None, resumed=None)
    if resumed is not None and resumed.street == hand.streets.planned and len(hand.betting.live) > 1:
        rejoined(hand)


def rejoined(hand: Hand) -> None:
    """All who can act and have not yet are asked, on a round on which nobody has bet."""
    round_ = hand.round
    if round_ is None or round_.high:
        return
    waiting = tuple(
        seat
        for seat in round_.ring
        if seat in hand.betting.live and seat not in hand.betting.all_in and seat not in round_.acted
    )
    hand.round = replace(round_, queue=waiting if len(hand.contenders) > 1 else ())
