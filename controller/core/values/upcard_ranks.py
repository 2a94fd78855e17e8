"""What open cards are worth while a hand is on: which of them opens in stud, and whether there is a pair.

Fewer than five cards make no straight and no flush; five or more (a last card face up, a common card) may. No table of
hands is needed for that, so that stud costs no more than hold'em.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from controller.core.values.cards import RANKS, SUITS

RANKS_ACE_LOW = "A" + RANKS[:-1]

UpcardRank = tuple[int, ...]
"""How good open cards are; greater is higher."""

PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = 1, 2, 3, 4, 5, 6, 7, 8
HAND_KIND_BY_COUNTS = {(4,): QUADS, (3, 2): FULL_HOUSE, (3,): TRIPS, (2, 2): TWO_PAIR, (2,): PAIR, (): 0}


def rank_upcards_high(cards: Sequence[str]) -> UpcardRank:
    """How high open cards are as a hand."""
    return max(map(_rank_five_high, combinations(cards, 5))) if len(cards) > 5 else _rank_five_high(cards)


def _rank_five_high(cards: Sequence[str]) -> UpcardRank:
    counts = Counter(RANKS.index(card[0]) for card in cards)
    ranked = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    kind = HAND_KIND_BY_COUNTS[tuple(counts[rank] for rank in ranked if counts[rank] > 1)]
    if len(cards) == 5 and not kind:
        flush = len({card[1] for card in cards}) == 1
        wheel = ranked == [12, 3, 2, 1, 0]
        straight = wheel or ranked[0] - ranked[4] == 4
        kind = STRAIGHT_FLUSH if flush and straight else FLUSH if flush else STRAIGHT if straight else 0
        ranked = ranked[1:] if wheel else ranked
    return (kind, *ranked)


def rank_upcards_low(cards: Sequence[str]) -> UpcardRank:
    """How high open cards are as an ace-to-five low: the lowest hand has the least."""
    return min(map(_rank_five_low, combinations(cards, 5))) if len(cards) > 5 else _rank_five_low(cards)


def _rank_five_low(cards: Sequence[str]) -> UpcardRank:
    counts = Counter(RANKS_ACE_LOW.index(card[0]) for card in cards)
    ranked = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    kind = HAND_KIND_BY_COUNTS[tuple(counts[rank] for rank in ranked if counts[rank] > 1)]
    return (kind, *ranked)


def has_pair(cards: Sequence[str]) -> bool:
    """Whether two of the cards have one rank."""
    return len({card[0] for card in cards}) < len(cards)


def upcard_sort_key(card: str, ace_low: bool = False) -> tuple[int, int]:
    """Sort key of a single card: rank first, equal ranks by suit."""
    return (RANKS_ACE_LOW if ace_low else RANKS).index(card[0]), SUITS.index(card[1])


def highest_upcard_key(cards: Sequence[str]) -> tuple[int, int]:
    """The highest card by suit."""
    return max(map(upcard_sort_key, cards))
