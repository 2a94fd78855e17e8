"""What five cards are worth: PokerKit's order of hands, kept beside this module as a table for each ranking and deck.

PokerKit itself takes 0.17 s to import and 7 MiB of a table that runs for months; the tables take 5 ms and 0.1 MiB. For
a deck that has no table it is asked once. `make worths` writes the tables anew, `tests/core/test_ranking.py` compares
every hand with PokerKit. Why PokerKit: `docs/decisions/0003-hand-evaluation.md`.
"""

import sys
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from pkgutil import get_data
from typing import Any
from zlib import compress, decompress

from controller.core.rules.games import Ranking
from controller.core.values.cards import RANKS, SUITS, build_deck

RANK_TABLE_FILE = "hand_ranks.txt"
"""Beside this module, a line for each table: ranking, size of the deck, its numbers, compressed (zlib, base64)."""

POKERKIT_NAME_BY_RANKING = {
    Ranking.HIGH: "StandardHighHand",
    Ranking.LOW_8: "EightOrBetterLowHand",
    Ranking.LOW_A5: "RegularLowHand",
    Ranking.LOW_27: "StandardLowHand",
}
"""The rankings of five cards, and PokerKit's name for each."""

NO_RANK = 0x7FFF
"""There is no such hand; the worth of any other goes from -7,462 to 7,461, greater being better."""

INDEX_BY_RANK = {rank: place for place, rank in enumerate(RANKS)}
COMBINATION_OFFSETS = tuple(tuple(comb(rank + nth, nth + 1) for rank in range(len(RANKS))) for nth in range(5))
FIVE_RANK_CHOICES = comb(len(RANKS) + 4, 5)
"""So many choices of five ranks there are, some of them equal (five of a kind too, which no hand has)."""


def hand_index(five: tuple[str, ...]) -> int:
    """The place of five cards among all choices of ranks (a combinatorial number), each suited or not."""
    a, b, c, d, e = five
    at = INDEX_BY_RANK
    first, second, third, fourth, fifth = sorted((at[a[0]], at[b[0]], at[c[0]], at[d[0]], at[e[0]]))
    nth = COMBINATION_OFFSETS
    ranks = nth[0][first] + nth[1][second] + nth[2][third] + nth[3][fourth] + nth[4][fifth]
    return 2 * ranks + (a[1] == b[1] == c[1] == d[1] == e[1])


@cache
def rank_table(ranking: Ranking, size: int) -> "array[int]":
    """The worth of any five cards of a deck of that size by their place; `NO_RANK`: no hand of the ranking."""
    return _load_rank_tables().get((ranking.value, size)) or build_rank_table(ranking, size)


def has_rank_table(ranking: Ranking, size: int) -> bool:
    """Whether hands of it are ranked without PokerKit."""
    return ranking not in POKERKIT_NAME_BY_RANKING or (ranking.value, size) in _load_rank_tables()


def build_rank_table(ranking: Ranking, size: int) -> "array[int]":
    """The same as PokerKit says it."""
    lookup, sign = _pokerkit_lookup(ranking, size)
    known = array("h", [NO_RANK]) * (2 * FIVE_RANK_CHOICES)
    ranks = [rank for rank in RANKS if rank + SUITS[0] in build_deck(size)]
    for five in _sample_hands(ranks):
        entry = lookup.get_entry_or_none("".join(five))
        if entry is not None:
            known[hand_index(five)] = sign * entry.index
    return known


def format_rank_tables(tables: Iterable[tuple[Ranking, int]]) -> str:
    """What `RANK_TABLE_FILE` should hold."""
    lines = []
    for ranking, size in tables:
        numbers = build_rank_table(ranking, size)
        if sys.byteorder == "big":
            numbers.byteswap()
        lines.append(f"{ranking.value} {size} {b64encode(compress(numbers.tobytes(), 9)).decode()}\n")
    return "".join(lines)


@cache
def _load_rank_tables() -> dict[tuple[str, int], "array[int]"]:
    found = {}
    text = get_data(__name__.rpartition(".")[0], RANK_TABLE_FILE)
    assert text is not None, "a package on a disk has its data"
    for line in text.decode().splitlines():
        ranking, size, packed = line.split()
        numbers = array("h", decompress(b64decode(packed)))
        if sys.byteorder == "big":
            numbers.byteswap()
        found[ranking, int(size)] = numbers
    return found


def _sample_hands(ranks: list[str]) -> Iterator[tuple[str, ...]]:
    """One hand of each choice of ranks, and one in a single suit where that can be."""
    for five in combinations_with_replacement(ranks, 5):
        if len(set(five)) == 5:
            yield tuple(rank + "s" for rank in five)
        if len(set(five)) > 1:
            yield tuple(rank + SUITS[nth % 4] for nth, rank in enumerate(five))


def _pokerkit_lookup(ranking: Ranking, size: int) -> Any:  # noqa: ANN401 (a lookup of PokerKit, and whether less is better)
    """The order of hands; below 52 cards a flush beats a full house, and the ace also plays low [AU-9.2]."""
    import pokerkit
    from pokerkit.lookups import ShortDeckHoldemLookup
    from pokerkit.utilities import Rank

    kind: Any = getattr(pokerkit, POKERKIT_NAME_BY_RANKING[ranking])
    sign = -1 if kind.low else 1
    if size == 52:
        return kind.lookup, sign
    ranks = tuple(Rank(card[0]) for card in build_deck(size) if card.endswith("s"))
    return type("StrippedDeckLookup", (ShortDeckHoldemLookup,), {"rank_order": ranks})(), sign
