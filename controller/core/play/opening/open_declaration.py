"""Opening the pot by word alone, by a player who has no chips left to bet [R7-12.draw.13, R7-12.jacks.5]."""

from controller.core.model.hand import Hand, RoundAtAction
from controller.core.play.betting import betting_round
from controller.core.play.betting.carried_pot import find_draw_rules
from controller.core.protocol.facts import SeatActed
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType
from controller.core.values.piles import hand_place
from controller.core.values.seat_order import seats_from
from controller.core.values.value import replace


def seats_to_ask(hand: Hand) -> tuple[int, ...]:
    """Who may yet say that it has openers, in acting order, when all who could bet have passed."""
    book, round_ = find_draw_rules(hand.setup), hand.round
    if book is None or round_ is None or not book.all_in_opens.value:
        return ()
    return tuple(
        seat
        for seat in round_.acting_order
        if seat in hand.betting.live_seats and seat not in hand.betting.checked_seats
    )


def declare(hand: Hand, seat: int) -> None:
    """A player who is all-in, or whom nobody could call, opens the pot: whoever calls comes in for the full bet.

    Raises `Refused` (`act-not-open`).
    """
    book, round_ = find_draw_rules(hand.setup), hand.round
    if book is None or not book.all_in_opens.value:
        raise Refused("act-not-open", f"seat {seat} cannot open: only in draw games is a pot opened by word.")
    if round_ is None or round_.street or round_.current_bet or hand.openers.opener is not None:
        raise Refused("act-not-open", f"seat {seat} cannot open: the pot is open already ({book.all_in_opens.source}).")
    if seat not in hand.betting.live_seats or seat in hand.betting.checked_seats:
        raise Refused("act-not-open", f"seat {seat} cannot open: it has no live hand, or has passed.")
    if seat not in hand.betting.all_in_seats and seat in round_.queue:
        raise Refused("act-not-open", f"seat {seat} has chips and opens by a bet ({book.all_in_opens.source}).")
    full = betting_round.find_full_bet_size(hand, 0)
    others = seats_from(round_.acting_order, seat)[1:]
    betting_round.record_action(hand, seat, ActionType.OPEN)
    hand.tell(SeatActed(seat, ActionType.OPEN, total_to_match=round_.current_bet, street_index=round_.street))
    hand.openers = replace(hand.openers, opener=seat, opener_cards=hand.cards.piles.cards_at(hand_place(seat)))
    hand.round = replace(
        round_,
        queue=tuple(other for other in others if other in hand.contenders),
        current_bet=full,
        last_full_wager=full,
        full_raise_size=full,
        wager_count=1,
        last_action_by_seat={**round_.last_action_by_seat, seat: RoundAtAction(full, round_.full_raise_count)},
    )
    betting_round.close_round_if_no_action(hand)
