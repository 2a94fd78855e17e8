"""What open cards are worth while a hand is on: which of them opens in stud, and whether there is a pair.

Fewer than five cards make no straight and no flush; five or more (a last card face up, a common card) may. No table of
hands is needed for that, so that stud costs no more than hold'em.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from controller.core.values.cards import RANKS, RANKS_ACE_LOW

UpcardRank = tuple[int, ...]
"""How good open cards are; greater is higher."""

PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = 1, 2, 3, 4, 5, 6, 7, 8
HAND_KIND_BY_COUNTS = {(4,): QUADS, (3, 2): FULL_HOUSE, (3,): TRIPS, (2, 2): TWO_PAIR, (2,): PAIR, (): 0}


def rank_upcards_high(cards: Sequence[str]) -> UpcardRank:
    """How high open cards are as a hand."""
    return max(map(_rank_five_high, combinations(cards, 5))) if len(cards) > 5 else _rank_five_high(cards)


def _rank_five_high(cards: Sequence[str]) -> UpcardRank:
    kind, *ranked = _rank_by_counts(cards, RANKS)
    if len(cards) == 5 and not kind:
        flush = len({card[1] for card in cards}) == 1
        wheel = ranked == [12, 3, 2, 1, 0]
        straight = wheel or ranked[0] - ranked[4] == 4
        kind = STRAIGHT_FLUSH if flush and straight else FLUSH if flush else STRAIGHT if straight else 0
        ranked = ranked[1:] if wheel else ranked
    return (kind, *ranked)


def rank_upcards_low(cards: Sequence[str]) -> UpcardRank:
    """How high open cards are as an ace-to-five low: the lowest hand has the least."""
    return min(_rank_by_counts(five, RANKS_ACE_LOW) for five in combinations(cards, min(5, len(cards))))


def _rank_by_counts(cards: Sequence[str], order: str) -> UpcardRank:
    """What up to five cards are worth but for straights and flushes: the kind of hand, then its ranks."""
    counts = Counter(order.index(card[0]) for card in cards)
    ranked = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    kind = HAND_KIND_BY_COUNTS[tuple(counts[rank] for rank in ranked if counts[rank] > 1)]
    return (kind, *ranked)


def has_pair(cards: Sequence[str]) -> bool:
    """Whether two of the cards have one rank."""
    return len({card[0] for card in cards}) < len(cards)
