"""Where every card lies.

A card is always in exactly one place: in the stub, of whose order nothing is known, or in one of the piles outside it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from controller.core.values.value import Value, field

BURN, BOARD, MUCK, ASIDE, STUB, STUB_BOTTOM, ALL = "burn", "board", "muck", "aside", "stub", "stub-bottom", "all"


def hand_place(seat: int) -> str:
    """The name of a seat's pile."""
    return f"seat {seat}"


def seat_of_place(place: str) -> int | None:
    """The seat whose pile `place` is, or `None`."""
    return int(place[5:]) if place.startswith("seat ") else None


class PlacedCard(NamedTuple):
    """A card outside the stub.

    `serial` counts the cards that left the shoe in this hand, from 1. `card` is `None` when nothing read it.
    `is_face_up`: it lies open. `is_foreign`: it is none of this deck's cards. `is_forgotten`: it was read, and the
    hand is over. `is_known`: everybody knows it, wherever it lies now (docs/known-cards.md): it was dealt open, a
    sensor saw it lie open, its seat showed it, or the floor had it turned up with everybody looking. `is_named`: no
    sensor read it, a person said which it is.
    """

    serial: int
    card: str | None
    is_face_up: bool
    is_foreign: bool = False
    is_forgotten: bool = False
    is_known: bool = False
    is_named: bool = False

    @property
    def known_card(self) -> str | None:
        """The card where everybody knows it; `None` for "a card"."""
        return self.card if self.is_known else None

    def __repr__(self) -> str:
        """Name a card only where it lies open: this text can reach a log."""
        return f"Lying({self.serial}, {self.card if self.is_face_up else 'face down'})"


class Piles(Value):
    """The stub's count and the piles outside it; every method returns new piles."""

    stub_count: int
    cards_by_place: dict[str, tuple[PlacedCard, ...]] = field(default_factory=dict)
    dealt_count: int = 0

    def cards_at(self, place: str) -> tuple[PlacedCard, ...]:
        """What lies at `place`, the oldest card first."""
        return self.cards_by_place.get(place, ())

    def deck_serials_at(self, place: str) -> tuple[int, ...]:
        """The deck's own cards that lie at `place`: a joker that is none of them is left out."""
        return tuple(lying.serial for lying in self.cards_at(place) if not lying.is_foreign)

    def deal_card(
        self,
        place: str,
        card: str | None,
        up: bool,
        strange: bool = False,
        boxed: bool = False,
        named: bool = False,
    ) -> "Piles":
        """A card leaves the shoe for `place`; one that is none of the deck's does not lessen the stub.

        `boxed`: the shoe sensed it lying face up. `named`: a person said which it is.
        """
        lying = PlacedCard(self.dealt_count + 1, card, up, strange, is_known=up or boxed, is_named=named)
        out = {**self.cards_by_place, place: (*self.cards_by_place.get(place, ()), lying)}
        return Piles(self.stub_count if strange else self.stub_count - 1, out, self.dealt_count + 1)

    def move_cards(self, serials: frozenset[int], source: str, to: str, up: bool | None = None) -> "Piles":
        """Some cards of one place go to another, or back into the stub."""
        moving = tuple([lying for lying in self.cards_at(source) if lying.serial in serials])
        staying = tuple([lying for lying in self.cards_at(source) if lying.serial not in serials])
        out = {**self.cards_by_place, source: staying}
        if to in (STUB, STUB_BOTTOM):
            strange = tuple(lying for lying in moving if lying.is_foreign)
            if strange:
                out[ASIDE] = (*out.get(ASIDE, ()), *strange)
            return Piles(self.stub_count + len(moving) - len(strange), out, self.dealt_count)
        if up is not None:
            moving = tuple([lying if lying.is_face_up is up else lying._replace(is_face_up=up) for lying in moving])
        out[to] = (*out.get(to, ()), *moving)
        return Piles(self.stub_count, out, self.dealt_count)

    def place_card(self, serial: int, place: str) -> "Piles":
        """A card outside the stub lies at `place` for now, which may be on top of the stub."""
        lying = self.get_card(serial)
        out = {
            each: tuple(card for card in pile if card.serial != serial) for each, pile in self.cards_by_place.items()
        }
        return Piles(self.stub_count, {**out, place: (*out.get(place, ()), lying)}, self.dealt_count)

    def move_all_cards(self, source: str, to: str, up: bool | None = None) -> "Piles":
        """All cards of one place go to another."""
        return self.move_cards(frozenset([lying.serial for lying in self.cards_at(source)]), source, to, up)

    def identify_card(
        self, serial: int, card: str | None, up: bool | None = None, named: bool | None = None
    ) -> "Piles":
        """A card outside the stub turns out to be `card`, and to lie open or not; `named`: by a person's word."""
        place = self.find_place(serial)
        if place is None:
            return self
        pile = tuple(
            [
                each._replace(
                    card=card,
                    is_known=each.is_known and (card is not None or each.card is None),  # mixed, it may be another
                    is_face_up=each.is_face_up if up is None else up,
                    is_named=each.is_named if named is None else named,
                )
                if each.serial == serial
                else each
                for each in self.cards_by_place[place]
            ]
        )
        return Piles(self.stub_count, {**self.cards_by_place, place: pile}, self.dealt_count)

    def mark_known(self, serials: frozenset[int]) -> "Piles":
        """Everybody knows the cards of these numbers from now on, wherever they lie."""
        out = {
            at: tuple([lying._replace(is_known=True) if lying.serial in serials else lying for lying in pile])
            for at, pile in self.cards_by_place.items()
        }
        return Piles(self.stub_count, out, self.dealt_count)

    def known_serials(self) -> frozenset[int]:
        """The numbers of the cards that everybody knows."""
        return frozenset(lying.serial for pile in self.cards_by_place.values() for lying in pile if lying.is_known)

    def mark_foreign(self, serial: int) -> "Piles":
        """A card outside the stub proves to be none of the deck's, so that one more of the deck's is in the stub."""
        if not any(
            lying.serial == serial and not lying.is_foreign for pile in self.cards_by_place.values() for lying in pile
        ):
            return self
        out = {
            place: tuple(lying._replace(is_foreign=True) if lying.serial == serial else lying for lying in pile)
            for place, pile in self.cards_by_place.items()
        }
        return Piles(self.stub_count + 1, out, self.dealt_count)

    def find_place(self, serial: int) -> str | None:
        """Where the card with this number lies; `None` when it is back in the stub."""
        for place, pile in self.cards_by_place.items():
            for lying in pile:
                if lying.serial == serial:
                    return place
        return None

    def get_card(self, serial: int) -> PlacedCard:
        """The card with this number, which is outside the stub."""
        return next(lying for pile in self.cards_by_place.values() for lying in pile if lying.serial == serial)

    def gather_cards(self, serials: Iterable[int], to: str, up: bool | None = None) -> "Piles":
        """Some cards outside the stub go to one place, in this order, from wherever each lies."""
        piles = self
        for serial in serials:
            source = piles.find_place(serial)
            assert source is not None
            piles = piles.move_cards(frozenset((serial,)), source, to, up)
        return piles

    def has_card(self, card: str) -> bool:
        """Whether the deck's own `card` lies anywhere outside the stub."""
        for pile in self.cards_by_place.values():
            for lying in pile:
                if lying.card == card and not lying.is_foreign:
                    return True
        return False

    def known_cards(self) -> frozenset[tuple[str, str]]:
        """What lies where outside the stub, as far as the cards are known: (place, card)."""
        return frozenset(
            (place, lying.card) for place, pile in self.cards_by_place.items() for lying in pile if lying.card
        )

    def total_cards(self) -> int:
        """All cards there are."""
        return self.stub_count + sum(map(len, self.cards_by_place.values()))
