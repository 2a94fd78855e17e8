"""Who opens a stud street when the best open hands tie?"""

from collections.abc import Callable, Mapping, Sequence

from controller.core.values.cards import highest_card_key

UpcardTiePolicy = Callable[[Sequence[int], Mapping[int, Sequence[str]]], int]
"""(tied seats in dealing order, their open cards) -> the seat that opens."""


def choose_first_dealt(seats: Sequence[int], cards: Mapping[int, Sequence[str]]) -> int:
    """The player who received cards first [R7-8.stud.2#b, HR-stud.1#b, R7-9.razz.3, R7-10.stud8.4]."""
    return seats[0]


def choose_highest_suit(seats: Sequence[int], cards: Mapping[int, Sequence[str]]) -> int:
    """The highest card by suit [AU-12.3(b), AU-13.3(b)]."""
    return max(seats, key=lambda seat: highest_card_key(cards[seat]))


POLICY_BY_NAME: dict[str, UpcardTiePolicy] = {"first-dealt": choose_first_dealt, "highest-suit": choose_highest_suit}
