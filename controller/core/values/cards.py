"""Cards by name: rank and suit ("As"), or "joker"."""

from collections.abc import Sequence
from functools import cache

RANKS = "23456789TJQKA"
"""Low to high, the ace last."""

RANKS_ACE_LOW = "A" + RANKS[:-1]
"""Low to high, the ace first."""

SUITS = "cdhs"
"""Low to high, as every rulebook ranks them: clubs, diamonds, hearts, spades [R7-3.ties.1, AU-4.4]."""

JOKER = "joker"

LOWEST_RANK_BY_DECK_SIZE = {52: "2", 40: "5", 36: "6", 32: "7"}
"""Lowest rank of each size of deck [AU-4.1]."""


@cache
def build_deck(size: int = 52, joker: bool = False) -> tuple[str, ...]:
    """All cards of a deck, lowest suit and rank first; `size` without the joker."""
    ranks = RANKS[RANKS.index(LOWEST_RANK_BY_DECK_SIZE[size]) :]
    plain = tuple(rank + suit for suit in SUITS for rank in ranks)
    return (*plain, JOKER) if joker else plain


ALL_CARDS = frozenset(build_deck(joker=True))
"""Every card that there is."""


def card_sort_key(card: str, *, ace_low: bool = False) -> tuple[int, int]:
    """Sort key: rank first, equal ranks by suit; a joker comes before any card."""
    return (-1, -1) if card == JOKER else ((RANKS_ACE_LOW if ace_low else RANKS).index(card[0]), SUITS.index(card[1]))


def highest_card_key(cards: Sequence[str], *, ace_low: bool = False) -> tuple[int, int]:
    """The highest card by suit."""
    return max((card_sort_key(card, ace_low=ace_low) for card in cards), default=(-1, -1))
