"""Which card a report speaks of."""

from controller.core.model.hand import Hand
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Return
from controller.core.values.piles import ALL, Lying, hand_of, seat_of
from controller.core.values.value import Value


class Subject(Value):
    """A card outside the stub: where it lies, and which card of its hand it is, from 1."""

    lying: Lying
    place: str
    nth: int

    @property
    def seat(self) -> int | None:
        """The seat that holds it."""
        return seat_of(self.place)


def gathered(hand: Hand) -> bool:
    """Whether the deal is over and its cards are still to be gathered: nothing about one of them matters any more."""
    return any(step.source == ALL for step in hand.plan.every(Return))


def subject(hand: Hand, event: Report) -> Subject:
    """The card that a report names by seat and number; the last card that left the shoe when it names none.

    Raises `Refused` (`no-card`, `key-missing`).
    """
    if gathered(hand):
        raise Refused(
            "no-card", f"`{event.what.value}` speaks of a card of a deal that is over: gather all cards first."
        )
    if event.seat is None:
        if event.nth is not None:
            raise Refused("key-missing", "`nth` counts the cards of a hand; name its `seat` too.")
        return last(hand, event)
    pile = hand.cards.piles.at(hand_of(event.seat))
    if not pile:
        raise Refused("no-card", f"no card lies at seat {event.seat}; leave `seat` out for the last card dealt.")
    nth = len(pile) if event.nth is None else event.nth
    if nth > len(pile):
        raise Refused("no-card", f"cards of seat {event.seat}: {len(pile)}; `nth` is 1 to {len(pile)}.")
    return Subject(pile[nth - 1], hand_of(event.seat), nth)


def last(hand: Hand, event: Report) -> Subject:
    """The last card that left the shoe, wherever it lies; raises `Refused` (`no-card`)."""
    serial = hand.cards.piles.left
    place = hand.cards.piles.place_of(serial)
    if place is None:
        raise Refused("no-card", f"`{event.what.value}` speaks of the last card that left the shoe; none is out.")
    pile = hand.cards.piles.at(place)
    nth = next(i for i, lying in enumerate(pile, start=1) if lying.serial == serial)
    return Subject(pile[nth - 1], place, nth)
