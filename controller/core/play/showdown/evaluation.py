"""Which hand is better: a thin front of PokerKit, loaded when hands are first compared.

Loading it takes a quarter of a second on a desktop and more on a small board, so that no other command may wait for it;
a live table calls `warm` before it opens its devices. Why PokerKit: `docs/decisions/0003-hand-evaluation.md`.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, total_ordering
from itertools import combinations
from math import comb
from typing import Any

from controller.core.rules.games import Ranking
from controller.core.values.cards import JOKER, RANKS, SUITS, by_suit, deck

Worth = tuple[int, int]
"""How good five cards are within one ranking: greater wins. The first part is 1 only for five aces."""


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Strength:
    """How good a hand is among hands of one ranking; greater wins. `used` are the player's own cards that play."""

    worth: Worth
    used: tuple[str, ...]

    def __eq__(self, other: object) -> bool:
        """Equal hands split, whichever cards they use."""
        return isinstance(other, Strength) and self.worth == other.worth

    def __lt__(self, other: "Strength") -> bool:
        """A lesser hand loses."""
        return self.worth < other.worth

    def __hash__(self) -> int:
        """Equal strengths hash alike."""
        return hash(self.worth)


UNKNOWN, WORTHLESS = -0x8000, 0x7FFF
"""Beside the order of a hand, which goes to 7,461: it has not been asked for, or there is no such hand."""

RANK_PLACES = {rank: place for place, rank in enumerate(RANKS)}
PLACES = tuple(tuple(comb(rank + nth, nth + 1) for rank in range(len(RANKS))) for nth in range(5))
FIVE_RANKS = comb(len(RANKS) + 4, 5)
"""So many choices of five ranks there are, some of them equal (five of a kind too, which no hand has)."""


def warm() -> None:
    """Load the evaluator now rather than at the first showdown."""
    for ranking in Ranking:
        _worth_of(ranking, 52)


def strength(
    ranking: Ranking, own: Sequence[str], board: Sequence[str], exactly: int | None, size: int = 52
) -> Strength | None:
    """The best hand of five from `own` and `board`; `exactly` so many own cards play, `None`: any number.

    `size` is the deck's: a stripped one has its own order of hands. Of equal hands the one that uses the highest own
    card by suit counts [AU-15.4(e), AU-17.5(e)]. `None` when no hand of that ranking can be made (a low that does not
    qualify), or too few cards are there.
    """
    worth_of = _worth_of(ranking, size)
    best: Strength | None = None
    for mine, theirs in _fives(own, board, exactly):
        worth = _with_joker(ranking, worth_of, mine + theirs)
        if worth is None:
            continue
        if best is None or best.worth < worth or (best.worth == worth and _highest(best.used) < _highest(mine)):
            best = Strength(worth, mine)
    return best


def _highest(cards: Sequence[str]) -> tuple[int, int]:
    """The highest card by suit."""
    return max((by_suit(card) for card in cards if card != JOKER), default=(-1, -1))


def _fives(
    own: Sequence[str], board: Sequence[str], exactly: int | None
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every choice of own and board cards that makes five."""
    for count in (exactly,) if exactly is not None else range(max(0, 5 - len(board)), 6):
        if count <= len(own) and 0 <= 5 - count <= len(board):
            for mine in combinations(own, count):
                for theirs in combinations(board, 5 - count):
                    yield mine, theirs


def _with_joker(ranking: Ranking, worth_of: Callable[[tuple[str, ...]], Worth | None], five: tuple[str, ...]) -> Any:  # noqa: ANN401 (Worth or None)
    """What five cards are worth, a joker standing for the best card that it may be."""
    if JOKER not in five:
        return worth_of(five)
    rest = tuple(card for card in five if card != JOKER)
    if len(rest) < 4:
        return None
    return max(filter(None, map(worth_of, _stand_ins(ranking, rest, worth_of))), default=None)


def _stand_ins(
    ranking: Ranking, rest: tuple[str, ...], worth_of: Callable[[tuple[str, ...]], Worth | None]
) -> Iterator[tuple[str, ...]]:
    """The hands that a joker may make of four other cards.

    Low: it is the lowest card not in the hand, an ace being low [R7-11.a5.1]. High: an ace, or whatever completes a
    straight, a flush or a straight flush [R7-12.joker.2], and with four aces the best hand of all [R7-12.joker.4].
    """
    if ranking is not Ranking.HIGH:
        held = {card[0] for card in rest}
        order = "A" + RANKS[:-1] if ranking in (Ranking.LOW_A5, Ranking.LOW_8) else RANKS
        rank = next(rank for rank in order if rank not in held)
        yield from ((*rest, rank + suit) for suit in SUITS)
        return
    if all(card[0] == "A" for card in rest):
        yield (*rest, JOKER)
        return
    for card in deck():
        five = (*rest, card)
        if card not in rest and (card[0] == "A" or worth_of(five) in _completed(52)):
            yield five


@cache
def _completed(size: int) -> frozenset[Worth]:
    """What straights, flushes and straight flushes are worth."""
    from pokerkit.lookups import Label

    lookup = _lookup(size)
    wanted = (Label.STRAIGHT, Label.FLUSH, Label.STRAIGHT_FLUSH)
    samples = (
        *(_straight(ranks, suited) for ranks in _straights() for suited in (False, True)),
        *(tuple(rank + "s" for rank in ranks) for ranks in combinations(RANKS, 5)),
    )
    entries = (lookup.get_entry("".join(five)) for five in samples)
    return frozenset((0, entry.index) for entry in entries if entry.label in wanted)


def _straights() -> Iterator[str]:
    ranks = "A" + RANKS
    return (ranks[start : start + 5] for start in range(10))


def _straight(ranks: str, suited: bool) -> tuple[str, ...]:
    return tuple(rank + ("s" if suited or index else "h") for index, rank in enumerate(ranks))


@cache
def _worth_of(ranking: Ranking, size: int) -> Callable[[tuple[str, ...]], Worth | None]:
    import pokerkit

    kind: Any = {
        Ranking.HIGH: pokerkit.StandardHighHand,
        Ranking.LOW_8: pokerkit.EightOrBetterLowHand,
        Ranking.LOW_A5: pokerkit.RegularLowHand,
        Ranking.LOW_27: pokerkit.StandardLowHand,
    }[ranking]
    lookup = _lookup(size) if size != 52 else kind.lookup
    sign = -1 if kind.low else 1
    known = array("h", [UNKNOWN]) * (2 * FIVE_RANKS)  # 25 kB; as a dictionary 2 MB that fill over 10,000 hands

    def worth_of(five: tuple[str, ...]) -> Worth | None:
        if JOKER in five:
            return 1, 0
        place = _place_of(five)
        worth = known[place]
        if worth == UNKNOWN:
            entry = lookup.get_entry_or_none("".join(five))
            worth = known[place] = WORTHLESS if entry is None else sign * entry.index
        return None if worth == WORTHLESS else (0, worth)

    return worth_of


def _place_of(five: tuple[str, ...]) -> int:
    """The place of five cards among all choices of ranks (a combinatorial number), each suited or not."""
    a, b, c, d, e = five
    at = RANK_PLACES
    first, second, third, fourth, fifth = sorted((at[a[0]], at[b[0]], at[c[0]], at[d[0]], at[e[0]]))
    nth = PLACES
    ranks = nth[0][first] + nth[1][second] + nth[2][third] + nth[3][fourth] + nth[4][fifth]
    return 2 * ranks + (a[1] == b[1] == c[1] == d[1] == e[1])


@cache
def _lookup(size: int) -> Any:  # noqa: ANN401 (a lookup of PokerKit)
    """The order of high hands of a deck: below 52 cards a flush beats a full house, the ace also plays low [AU-9.2]."""
    from pokerkit.lookups import ShortDeckHoldemLookup, StandardLookup
    from pokerkit.utilities import Rank

    if size == 52:
        return StandardLookup()
    ranks = tuple(Rank(card[0]) for card in deck(size) if card.endswith("s"))
    return type("StrippedDeckLookup", (ShortDeckHoldemLookup,), {"rank_order": ranks})()
