"""Who opens a stud street when the best open hands tie?"""

from collections.abc import Callable, Mapping, Sequence

from controller.core.values.showing_cards import highest

FirstOfTied = Callable[[Sequence[int], Mapping[int, Sequence[str]]], int]
"""(tied seats in dealing order, their open cards) -> the seat that opens."""


def first_dealt(seats: Sequence[int], cards: Mapping[int, Sequence[str]]) -> int:
    """The player who received cards first [R7-8.stud.2#b, HR-stud.1#b, R7-9.razz.3, R7-10.stud8.4]."""
    return seats[0]


def highest_suit(seats: Sequence[int], cards: Mapping[int, Sequence[str]]) -> int:
    """The highest card by suit [AU-12.3(b), AU-13.3(b)]."""
    return max(seats, key=lambda seat: highest(cards[seat]))


ANSWERS: dict[str, FirstOfTied] = {"first-dealt": first_dealt, "highest-suit": highest_suit}
