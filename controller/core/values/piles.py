"""Where every card lies.

A card is always in exactly one place: in the stub, of whose order nothing is known, or in one of the piles outside it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from controller.core.values.value import Value, field

BURN, BOARD, MUCK, ASIDE, STUB, STUB_BOTTOM, ALL = "burn", "board", "muck", "aside", "stub", "stub-bottom", "all"


def hand_of(seat: int) -> str:
    """The name of a seat's pile."""
    return f"seat {seat}"


def seat_of(place: str) -> int | None:
    """The seat whose pile `place` is, or `None`."""
    return int(place[5:]) if place.startswith("seat ") else None


class Lying(NamedTuple):
    """A card outside the stub.

    `serial` counts the cards that left the shoe in this hand, from 1. `card` is `None` when nothing read it. `up`: it
    lies open. `strange`: it is none of this deck's cards. `forgotten`: it was read, and the hand is over. `proven`: it
    was dealt open, or a sensor or the floor says that it lies open: a live table names no other card, since whoever
    reports one that was dealt face down need only read it.
    """

    serial: int
    card: str | None
    up: bool
    strange: bool = False
    forgotten: bool = False
    proven: bool = False

    @property
    def public(self) -> str | None:
        """The card where everybody may know it by now; `None` for "a card"."""
        return self.card if self.proven else None

    def __repr__(self) -> str:
        """Name a card only where it lies open: this text can reach a log."""
        return f"Lying({self.serial}, {self.card if self.up else 'face down'})"


class Piles(Value):
    """The stub's count and the piles outside it; every method returns new piles."""

    stub: int
    out: dict[str, tuple[Lying, ...]] = field(default_factory=dict)
    left: int = 0

    def at(self, place: str) -> tuple[Lying, ...]:
        """What lies at `place`, the oldest card first."""
        return self.out.get(place, ())

    def dealt(self, place: str, card: str | None, up: bool, strange: bool = False, boxed: bool = False) -> "Piles":
        """A card leaves the shoe for `place`; one that is none of the deck's does not lessen the stub.

        `boxed`: the shoe sensed it lying face up.
        """
        lying = Lying(self.left + 1, card, up, strange, proven=up or boxed)
        out = {**self.out, place: (*self.out.get(place, ()), lying)}
        return Piles(self.stub if strange else self.stub - 1, out, self.left + 1)

    def moved(self, serials: frozenset[int], source: str, to: str, up: bool | None = None) -> "Piles":
        """Some cards of one place go to another, or back into the stub."""
        moving = tuple([lying for lying in self.at(source) if lying.serial in serials])
        staying = tuple([lying for lying in self.at(source) if lying.serial not in serials])
        out = {**self.out, source: staying}
        if to in (STUB, STUB_BOTTOM):
            strange = tuple(lying for lying in moving if lying.strange)
            if strange:
                out[ASIDE] = (*out.get(ASIDE, ()), *strange)
            return Piles(self.stub + len(moving) - len(strange), out, self.left)
        if up is not None:
            moving = tuple([lying if lying.up is up else lying._replace(up=up) for lying in moving])
        out[to] = (*out.get(to, ()), *moving)
        return Piles(self.stub, out, self.left)

    def lying_at(self, serial: int, place: str) -> "Piles":
        """A card outside the stub lies at `place` for now, which may be on top of the stub."""
        lying = self.card(serial)
        out = {each: tuple(card for card in pile if card.serial != serial) for each, pile in self.out.items()}
        return Piles(self.stub, {**out, place: (*out.get(place, ()), lying)}, self.left)

    def emptied(self, source: str, to: str, up: bool | None = None) -> "Piles":
        """All cards of one place go to another."""
        return self.moved(frozenset([lying.serial for lying in self.at(source)]), source, to, up)

    def known(self, serial: int, card: str | None, up: bool | None = None) -> "Piles":
        """A card outside the stub turns out to be `card`, and to lie open or not."""
        place = self.place_of(serial)
        if place is None:
            return self
        pile = tuple(
            [
                Lying(serial, card, each.up if up is None else up, each.strange, each.forgotten, each.proven)
                if each.serial == serial
                else each
                for each in self.out[place]
            ]
        )
        return Piles(self.stub, {**self.out, place: pile}, self.left)

    def proven(self, card: str | None = None) -> "Piles":
        """`card` lies open for certain, wherever it is counted; without one, all that is believed to lie open."""
        out = {
            at: tuple(
                lying._replace(proven=True) if (lying.up if card is None else lying.card == card) else lying
                for lying in pile
            )
            for at, pile in self.out.items()
        }
        return Piles(self.stub, out, self.left)

    def as_strange(self, serial: int) -> "Piles":
        """A card outside the stub proves to be none of the deck's, so that one more of the deck's is in the stub."""
        if not any(lying.serial == serial and not lying.strange for pile in self.out.values() for lying in pile):
            return self
        out = {
            place: tuple(lying._replace(strange=True) if lying.serial == serial else lying for lying in pile)
            for place, pile in self.out.items()
        }
        return Piles(self.stub + 1, out, self.left)

    def place_of(self, serial: int) -> str | None:
        """Where the card with this number lies; `None` when it is back in the stub."""
        for place, pile in self.out.items():
            for lying in pile:
                if lying.serial == serial:
                    return place
        return None

    def card(self, serial: int) -> Lying:
        """The card with this number, which is outside the stub."""
        return next(lying for pile in self.out.values() for lying in pile if lying.serial == serial)

    def sent(self, serials: Iterable[int], to: str, up: bool | None = None) -> "Piles":
        """Some cards outside the stub go to one place, in this order, from wherever each lies."""
        piles = self
        for serial in serials:
            source = piles.place_of(serial)
            assert source is not None
            piles = piles.moved(frozenset((serial,)), source, to, up)
        return piles

    def holds(self, card: str) -> bool:
        """Whether the deck's own `card` lies anywhere outside the stub."""
        for pile in self.out.values():
            for lying in pile:
                if lying.card == card and not lying.strange:
                    return True
        return False

    def named(self) -> frozenset[tuple[str, str]]:
        """What lies where outside the stub, as far as the cards are known: (place, card)."""
        return frozenset((place, lying.card) for place, pile in self.out.items() for lying in pile if lying.card)

    def total(self) -> int:
        """All cards there are."""
        return self.stub + sum(map(len, self.out.values()))
