"""What a hand is called: its category, the ranks that make it, and how many of them decide between two hands.

A name is data; its words are the pages' (`controller/web/wording/showdown_wording.py`). Which hand is better, the order
of hands says (`evaluation`); a name only says what lies there.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum, unique

from controller.core.play.showdown import evaluation
from controller.core.rules.games import Ranking
from controller.core.values.cards import JOKER, RANKS, RANKS_ACE_LOW, SUITS, build_deck
from controller.core.values.value import Value


@unique
class HandCategory(Enum):
    """What kind of a hand it is; `LOW` is five different ranks where a low hand wins."""

    FIVE_OF_A_KIND = "five-of-a-kind"
    STRAIGHT_FLUSH = "straight-flush"
    FOUR_OF_A_KIND = "four-of-a-kind"
    FULL_HOUSE = "full-house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREE_OF_A_KIND = "three-of-a-kind"
    TWO_PAIR = "two-pair"
    PAIR = "pair"
    HIGH_CARD = "high-card"
    LOW = "low"
    BADUGI = "badugi"


CATEGORY_BY_RANK_COUNTS: Mapping[tuple[int, ...], HandCategory] = {
    (4, 1): HandCategory.FOUR_OF_A_KIND,
    (3, 2): HandCategory.FULL_HOUSE,
    (3, 1, 1): HandCategory.THREE_OF_A_KIND,
    (2, 2, 1): HandCategory.TWO_PAIR,
    (2, 1, 1, 1): HandCategory.PAIR,
}
"""How often each rank is there, the most first -> what that makes."""

TOLD_RANK_COUNT_BY_CATEGORY: Mapping[HandCategory, int] = {
    HandCategory.FULL_HOUSE: 2,
    HandCategory.TWO_PAIR: 2,
    HandCategory.LOW: 2,
    HandCategory.BADUGI: 4,
}
"""Of how many ranks people speak when they name such a hand; of one where it does not stand here."""


class HandName(Value):
    """A hand's category, and the ranks by which hands of it are compared, the first one first."""

    category: HandCategory
    ranks: tuple[str, ...]

    @property
    def told_rank_count(self) -> int:
        """Of how many of its ranks people speak anyway; the others are kickers."""
        return min(TOLD_RANK_COUNT_BY_CATEGORY.get(self.category, 1), len(self.ranks))


def name_hand(ranking: Ranking, cards: tuple[str, ...], deck_size: int = 52) -> HandName:
    """The name of five cards, or up to four of a badugi, within a ranking; a joker is the card that it stands for."""
    if ranking in evaluation.RANK_ORDER_BY_BADUGI:
        order = evaluation.RANK_ORDER_BY_BADUGI[ranking]
        return HandName(HandCategory.BADUGI, _sort_ranks({card[0] for card in cards}, order))
    five = evaluation.replace_joker(ranking, cards, deck_size)
    if JOKER in five:
        return HandName(HandCategory.FIVE_OF_A_KIND, ("A",))
    order = RANKS_ACE_LOW if ranking.is_ace_low else RANKS
    counts = Counter(card[0] for card in five)
    category = CATEGORY_BY_RANK_COUNTS.get(tuple(sorted(counts.values(), reverse=True)))
    if category is not None:
        ranks = sorted(counts, key=lambda rank: (counts[rank], order.index(rank)), reverse=True)
        return HandName(category, tuple(ranks))
    return _name_different_ranks(ranking, five, _sort_ranks(counts, order), deck_size)


def _name_different_ranks(ranking: Ranking, five: tuple[str, ...], ranks: tuple[str, ...], deck_size: int) -> HandName:
    """The name of five different ranks: only where the ace is high do straights and flushes count."""
    top = None if ranking.is_ace_low else _find_top_of_straight(ranking, ranks, deck_size)
    is_flush = not ranking.is_ace_low and len({card[1] for card in five}) == 1
    if top is not None:
        return HandName(HandCategory.STRAIGHT_FLUSH if is_flush else HandCategory.STRAIGHT, (top,))
    if is_flush:
        return HandName(HandCategory.FLUSH, ranks)
    return HandName(HandCategory.HIGH_CARD if ranking is Ranking.HIGH else HandCategory.LOW, ranks)


def _find_top_of_straight(ranking: Ranking, ranks: tuple[str, ...], deck_size: int) -> str | None:
    """The highest card of a straight; for a high hand an ace may stand below the lowest rank of the deck."""
    if "".join(reversed(ranks)) in RANKS:
        return ranks[0]
    lowest = "".join(card[0] for card in build_deck(deck_size) if card[1] == SUITS[0])[:4]
    return ranks[1] if ranking is Ranking.HIGH and {*ranks} == {"A", *lowest} else None


def _sort_ranks(ranks: Iterable[str], order: str) -> tuple[str, ...]:
    return tuple(sorted(ranks, key=order.index, reverse=True))


def count_deciding_ranks(name: HandName, beaten: Iterable[HandName]) -> int:
    """How many ranks of a hand must be told, so that it is heard why it beats the others."""
    count = name.told_rank_count
    for other in beaten:
        if other.category is name.category:
            differing = (
                place for place, pair in enumerate(zip(name.ranks, other.ranks, strict=False)) if len({*pair}) > 1
            )
            count = max(count, next(differing, 0) + 1)
    return count
