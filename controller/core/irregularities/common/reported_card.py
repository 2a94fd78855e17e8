"""Which card a report speaks of."""

from controller.core.model.hand import Hand
from controller.core.protocol.events import Report
from controller.core.protocol.steps import ReturnStep
from controller.core.protocol.table_error import Refused
from controller.core.values.piles import ALL, PlacedCard, hand_place, seat_of_place
from controller.core.values.value import Value


class ReportedCard(Value):
    """A card outside the stub: where it lies, and which card of its hand it is, from 1."""

    placed_card: PlacedCard
    place: str
    nth: int

    @property
    def seat(self) -> int | None:
        """The seat that holds it."""
        return seat_of_place(self.place)


def is_gathering_cards(hand: Hand) -> bool:
    """Whether the deal is over and its cards are still to be gathered: nothing about one of them matters any more."""
    return any(step.source == ALL for step in hand.plan.steps_of_type(ReturnStep))


def find_reported_card(hand: Hand, event: Report) -> ReportedCard:
    """The card that a report names by seat and number; the last card that left the shoe when it names none.

    Raises `Refused` (`no-card`, `key-missing`).
    """
    if is_gathering_cards(hand):
        raise Refused(
            "no-card", f"`{event.kind.value}` speaks of a card of a deal that is over: gather all cards first."
        )
    if event.seat is None:
        if event.nth is not None:
            raise Refused("key-missing", "`nth` counts the cards of a hand; name its `seat` too.")
        return find_last_card(hand, event)
    pile = hand.cards.piles.cards_at(hand_place(event.seat))
    if not pile:
        raise Refused("no-card", f"no card lies at seat {event.seat}; leave `seat` out for the last card dealt.")
    nth = len(pile) if event.nth is None else event.nth
    if nth > len(pile):
        raise Refused("no-card", f"cards of seat {event.seat}: {len(pile)}; `nth` is 1 to {len(pile)}.")
    return ReportedCard(pile[nth - 1], hand_place(event.seat), nth)


def find_last_card(hand: Hand, event: Report) -> ReportedCard:
    """The last card that left the shoe, wherever it lies; raises `Refused` (`no-card`)."""
    serial = hand.cards.piles.dealt_count
    place = hand.cards.piles.find_place(serial)
    if place is None:
        raise Refused("no-card", f"`{event.kind.value}` speaks of the last card that left the shoe; none is out.")
    pile = hand.cards.piles.cards_at(place)
    nth = next(i for i, lying in enumerate(pile, start=1) if lying.serial == serial)
    return ReportedCard(pile[nth - 1], place, nth)
