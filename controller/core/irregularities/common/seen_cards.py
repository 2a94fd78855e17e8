"""Downcards that somebody saw: which ones a report names, and that they were seen whatever is ruled."""

from controller.core.irregularities.common.misdeal_window import looked
from controller.core.irregularities.common.subject import gathered, subject
from controller.core.model.hand import Hand
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.vocabulary import By
from controller.core.rules.questions.irregularities.exposed import OneExposed
from controller.core.values.piles import hand_of
from controller.core.values.value import replace


def last_downcards(hand: Hand, event: Report) -> tuple[tuple[int, int], ...]:
    """The seat of each of the cards that the report counts, and which card of it; raises `Refused` (`no-card`)."""
    number = event.count or 1
    seats = hand.order if event.seat is None else (event.seat,)
    held = [
        (lying.serial, seat, nth)
        for seat in seats
        for nth, lying in enumerate(hand.cards.piles.at(hand_of(seat)), start=1)
        if not lying.up
    ]
    if len(held) < number:
        raise Refused("no-card", f"`{event.what.value}` speaks of {number} downcards; {len(held)} lie there.")
    return tuple((seat, nth) for _, seat, nth in sorted(held)[-number:])


def still_count(hand: Hand, event: Report) -> None:
    """The floor lets stand what the dealer exposed: it counts all the same when another one is [R7-3.misdeals.1b]."""
    by_street = hand.setup.rulebook.exposed[hand.setup.game.form].one.value is OneExposed.BY_STREET
    if event.by is By.PLAYER or by_street or gathered(hand):
        return
    found = subject(hand, event) if (event.count or 1) == 1 else None
    cards = last_downcards(hand, event) if found is None else ((found.seat, found.nth),)
    serials = (
        hand.cards.piles.at(hand_of(seat))[nth - 1].serial
        for seat, nth in cards
        if seat is not None and not looked(hand, seat)
    )
    hand.cards = replace(hand.cards, exposed=tuple(dict.fromkeys((*hand.cards.exposed, *serials))))
