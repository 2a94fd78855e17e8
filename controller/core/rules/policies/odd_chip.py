"""Who gets the odd chip among tied hands?"""

from collections.abc import Callable, Sequence

from controller.core.values.cards import card_sort_key, highest_card_key

OddChipPolicy = Callable[[Sequence[int], dict[int, tuple[str, ...]], dict[int, tuple[str, ...]], bool], list[int]]
"""Seats, first to be paid, of those that tie.

(tied seats clockwise from the button's left, all cards of each, own cards used by each, whether their aces are low)

The order of seats is all that is asked; whether the first gets all odd chips or one is a question of its own.
"""


def order_clockwise(
    seats: Sequence[int],
    cards: dict[int, tuple[str, ...]],
    used: dict[int, tuple[str, ...]],
    ace_low: bool,
) -> list[int]:
    """The first hand clockwise from the button, then on [R7-3.ties.5a, HR-ties.5.1, FC-3.ties.2]."""
    return list(seats)


def order_by_highest_card(
    seats: Sequence[int],
    cards: dict[int, tuple[str, ...]],
    used: dict[int, tuple[str, ...]],
    ace_low: bool,
) -> list[int]:
    """The highest card by suit among all cards of the hand [R7-3.ties.5b, AU-16.5(e), AU-13.4(e)]."""
    return sorted(seats, key=lambda seat: highest_card_key(cards[seat], ace_low=ace_low), reverse=True)


def order_by_highest_used_card(
    seats: Sequence[int],
    cards: dict[int, tuple[str, ...]],
    used: dict[int, tuple[str, ...]],
    ace_low: bool,
) -> list[int]:
    """The highest card by suit among the own cards that play [AU-17.5(e), AU-15.4(e), TDA-20#B, WSOP-L-149]."""
    return sorted(seats, key=lambda seat: highest_card_key(used[seat], ace_low=ace_low), reverse=True)


def order_by_lowest_card(
    seats: Sequence[int],
    cards: dict[int, tuple[str, ...]],
    used: dict[int, tuple[str, ...]],
    ace_low: bool,
) -> list[int]:
    """The lowest card by suit among all cards [R7-3.ties.5b, HR-ties.5.2]."""
    return sorted(seats, key=lambda seat: min(card_sort_key(card, ace_low=ace_low) for card in cards[seat]))


POLICY_BY_NAME: dict[str, OddChipPolicy] = {
    "first-clockwise": order_clockwise,
    "highest-card": order_by_highest_card,
    "highest-card-used": order_by_highest_used_card,
    "lowest-card": order_by_lowest_card,
}
