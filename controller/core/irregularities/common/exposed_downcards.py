"""Downcards that somebody saw: which ones a report names, and that they were seen whatever is ruled."""

from controller.core.irregularities.common.misdeal_status import has_looked
from controller.core.irregularities.common.reported_card import find_reported_card, is_gathering_cards
from controller.core.model.hand import Hand
from controller.core.protocol.events import Report
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ExposedBy
from controller.core.rules.questions.irregularities.exposed_rules import ExposedCardRemedy
from controller.core.values.piles import hand_place
from controller.core.values.value import replace


def last_downcards(hand: Hand, event: Report) -> tuple[tuple[int, int], ...]:
    """The seat of each of the cards that the report counts, and which card of it; raises `Refused` (`no-card`)."""
    number = event.count or 1
    seats = hand.dealing_order if event.seat is None else (event.seat,)
    held = [
        (lying.serial, seat, nth)
        for seat in seats
        for nth, lying in enumerate(hand.cards.piles.cards_at(hand_place(seat)), start=1)
        if not lying.is_face_up
    ]
    if len(held) < number:
        raise Refused("no-card", f"`{event.kind.value}` speaks of {number} downcards; {len(held)} lie there.")
    return tuple((seat, nth) for _, seat, nth in sorted(held)[-number:])


def let_exposure_stand(hand: Hand, event: Report) -> None:
    """The floor lets stand what the dealer exposed: it counts all the same when another one is [R7-3.misdeals.1b]."""
    by_street = hand.setup.rulebook.exposed[hand.setup.game.rules_form].one.value is ExposedCardRemedy.BY_STREET
    if event.exposed_by is ExposedBy.PLAYER or by_street or is_gathering_cards(hand):
        return
    found = find_reported_card(hand, event) if (event.count or 1) == 1 else None
    cards = last_downcards(hand, event) if found is None else ((found.seat, found.nth),)
    serials = (
        hand.cards.piles.cards_at(hand_place(seat))[nth - 1].serial
        for seat, nth in cards
        if seat is not None and not has_looked(hand, seat)
    )
    hand.cards = replace(hand.cards, exposed_serials=tuple(dict.fromkeys((*hand.cards.exposed_serials, *serials))))
