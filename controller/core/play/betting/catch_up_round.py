"""A seat whose folded hand was given back answers the wager of a round that is over; then the hand goes on."""

from controller.core.model.hand import Hand, Round
from controller.core.values.value import replace


def begin_catch_up_round(hand: Hand, seat: int, street: int, owed: int) -> None:
    """Only this seat acts, on what it still owes to a street's round: it folds or calls."""
    ring = hand.dealing_order
    hand.folds = replace(hand.folds, answering_seat=seat, resumed_round=hand.round)
    hand.round = Round(street, ring, (seat,), owed, owed, owed, 1, no_raise_seats=frozenset((seat,)), is_capped=True)


def finish_catch_up_round(hand: Hand) -> None:
    """It has answered: what it put in goes to the pots, and the round that waited goes on with it."""
    resumed = hand.folds.resumed_round
    if hand.setup.tracks_amounts:
        paid, bets = hand.chips.paid_earlier_by_seat, hand.chips.bet_by_seat
        total = {seat: paid.get(seat, 0) + bets.get(seat, 0) for seat in {**paid, **bets}}
        hand.chips = replace(hand.chips, paid_earlier_by_seat=total)
    hand.chips, hand.round = replace(hand.chips, bet_by_seat={}), resumed
    if hand.betting.acted_seats[-1] == hand.folds.answering_seat:  # an act of the round that is over, not of this one
        hand.betting = replace(
            hand.betting, acted_seats=hand.betting.acted_seats[:-1], action_types=hand.betting.action_types[:-1]
        )
    hand.folds = replace(hand.folds, answering_seat=None, resumed_round=None)
    if resumed is not None and resumed.street == hand.streets.planned_street and len(hand.betting.live_seats) > 1:
        queue_seats_to_act(hand)


def queue_seats_to_act(hand: Hand) -> None:
    """All who can act and have not yet are asked, on a round on which nobody has bet."""
    round_ = hand.round
    if round_ is None or round_.current_bet:
        return
    waiting = tuple(
        seat
        for seat in round_.acting_order
        if seat in hand.betting.live_seats
        and seat not in hand.betting.all_in_seats
        and seat not in round_.last_action_by_seat
    )
    hand.round = replace(round_, queue=waiting if len(hand.contenders) > 1 else ())
