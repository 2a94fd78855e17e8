"""Opening the pot by word alone, by a player who has no chips left to bet [R7-12.draw.13, R7-12.jacks.5]."""

from controller.core.model.hand import Acted, Hand
from controller.core.play.betting import betting_round
from controller.core.play.betting.carried_pot import book_of
from controller.core.protocol.errors import Refused
from controller.core.protocol.vocabulary import Do
from controller.core.values.piles import hand_of
from controller.core.values.seat_order import from_
from controller.core.values.value import replace


def still_to_ask(hand: Hand) -> tuple[int, ...]:
    """Who may yet say that it has openers, in acting order, when all who could bet have passed."""
    book, round_ = book_of(hand.setup), hand.round
    if book is None or round_ is None or not book.all_in_opens.value:
        return ()
    return tuple(seat for seat in round_.ring if seat in hand.betting.live and seat not in hand.betting.checked)


def declare(hand: Hand, seat: int) -> None:
    """A player who is all-in, or whom nobody could call, opens the pot: whoever calls comes in for the full bet.

    Raises `Refused` (`act-not-open`).
    """
    book, round_ = book_of(hand.setup), hand.round
    if book is None or not book.all_in_opens.value:
        raise Refused("act-not-open", f"seat {seat} cannot open: only in draw games is a pot opened by word.")
    if round_ is None or round_.street or round_.high or hand.openers.opener is not None:
        raise Refused("act-not-open", f"seat {seat} cannot open: the pot is open already ({book.all_in_opens.source}).")
    if seat not in hand.betting.live or seat in hand.betting.checked:
        raise Refused("act-not-open", f"seat {seat} cannot open: it has no live hand, or has passed.")
    if seat not in hand.betting.all_in and seat in round_.queue:
        raise Refused("act-not-open", f"seat {seat} has chips and opens by a bet ({book.all_in_opens.source}).")
    full = betting_round.wager_size(hand, 0)
    others = from_(round_.ring, seat)[1:]
    betting_round.noted(hand, seat, Do.OPEN)
    hand.openers = replace(hand.openers, opener=seat, opened_on=hand.cards.piles.at(hand_of(seat)))
    hand.round = replace(
        round_,
        queue=tuple(other for other in others if other in hand.contenders),
        high=full,
        level=full,
        full=full,
        wagers=1,
        acted={**round_.acted, seat: Acted(full, round_.full_raises)},
    )
    betting_round.pruned(hand)
