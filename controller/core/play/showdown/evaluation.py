"""Which hand is better: the choosing of own and board cards, over the order of hands that PokerKit knows."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from controller.core.play.showdown.hand_ranks import NO_RANK, POKERKIT_NAME_BY_RANKING, hand_index, rank_table
from controller.core.rules.games import Ranking
from controller.core.values.cards import JOKER, RANKS, RANKS_ACE_LOW, SUITS, build_deck, highest_card_key
from controller.core.values.value import Value

HandRank = tuple[int, int]
"""How good cards are within one ranking: greater wins. The first part is 1 only for five aces; how many of a badugi."""


class HandStrength(Value):
    """How good a hand is among hands of one ranking; greater wins.

    `used_cards` are the player's own cards that play, `board_cards` those of the board.
    """

    rank: HandRank
    used_cards: tuple[str, ...]
    board_cards: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Equal hands split, whichever cards they use."""
        return isinstance(other, HandStrength) and self.rank == other.rank

    def __lt__(self, other: "HandStrength") -> bool:
        """A lesser hand loses."""
        return self.rank < other.rank

    def __le__(self, other: "HandStrength") -> bool:
        """A lesser hand loses, an equal one splits."""
        return self.rank <= other.rank

    def __hash__(self) -> int:
        """Equal strengths hash alike."""
        return hash(self.rank)


RANK_ORDER_BY_BADUGI = {Ranking.BADUGI: RANKS_ACE_LOW, Ranking.BADUGI_27: RANKS}
"""The rankings of up to four cards, and the ranks from the best, the lowest, on."""


def load_rank_tables() -> None:
    """Load the order of hands now rather than at the first showdown."""
    for ranking in POKERKIT_NAME_BY_RANKING:
        rank_table(ranking, 52)


def evaluate_hand(
    ranking: Ranking, own: Sequence[str], board: Sequence[str], exactly: int | None, size: int = 52
) -> HandStrength | None:
    """The best hand of five from `own` and `board`; `exactly` so many own cards play, `None`: any number.

    `size` is the deck's: a stripped one has its own order of hands. Of equal hands the one that uses the highest own
    card by suit counts [AU-15.4(e), AU-17.5(e)], aces being low where the ranking has them so. `None` when no hand of
    that ranking can be made (a low that does not qualify), or too few cards are there.
    """
    if ranking in RANK_ORDER_BY_BADUGI:
        return _evaluate_badugi(ranking, own, board)
    worth_of = _rank_function(ranking, size)
    best: HandStrength | None = None
    for mine, theirs in _choose_fives(own, board, exactly):
        worth = _rank_with_joker(ranking, worth_of, mine + theirs)
        if worth is None:
            continue
        best = _choose_better(ranking, best, HandStrength(worth, mine, theirs))
    return best


def _choose_better(ranking: Ranking, best: HandStrength | None, other: HandStrength) -> HandStrength:
    """The better of two hands of a player; of equal ones that with the highest own card by suit."""
    if best is None or best < other:
        return other
    if best != other:
        return best
    high = [highest_card_key(hand.used_cards, ace_low=ranking.is_ace_low) for hand in (best, other)]
    return other if high[0] < high[1] else best


def _evaluate_badugi(ranking: Ranking, own: Sequence[str], board: Sequence[str]) -> HandStrength | None:
    """The best badugi: as many cards of different ranks and suits as there are, up to four, and those the lowest.

    [WSOP-L-293, WSOP-T-IX.badugi]
    """
    best: HandStrength | None = None
    order = RANK_ORDER_BY_BADUGI[ranking]
    for count in range(min(4, len(own) + len(board)), 0, -1):
        for cards in combinations((*own, *board), count):
            if JOKER in cards or not len({card[0] for card in cards}) == len({card[1] for card in cards}) == count:
                continue
            places = sorted((order.index(card[0]) for card in cards), reverse=True)
            worth = count, -sum(place << 4 * nth for nth, place in zip(range(count - 1, -1, -1), places, strict=True))
            mine = tuple(card for card in cards if card in own)
            theirs = tuple(card for card in cards if card not in own)
            best = _choose_better(ranking, best, HandStrength(worth, mine, theirs))
        if best is not None:
            break
    return best


def _choose_fives(
    own: Sequence[str], board: Sequence[str], exactly: int | None
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every choice of own and board cards that makes five."""
    for count in (exactly,) if exactly is not None else range(max(0, 5 - len(board)), 6):
        if count <= len(own) and 0 <= 5 - count <= len(board):
            for mine in combinations(own, count):
                for theirs in combinations(board, 5 - count):
                    yield mine, theirs


def replace_joker(ranking: Ranking, five: tuple[str, ...], size: int = 52) -> tuple[str, ...]:
    """Five cards that are a hand, the joker among them as the card that it stands for.

    Beside four aces it stands for a fifth, and stays a joker.
    """
    if JOKER not in five:
        return five
    worth_of = _rank_function(ranking, size)
    rest = tuple(card for card in five if card != JOKER)
    substitutes = [each for each in _joker_substitutes(ranking, rest, worth_of) if worth_of(each) is not None]
    return max(substitutes, key=lambda each: worth_of(each) or (0, 0), default=five)


def _rank_with_joker(
    ranking: Ranking, worth_of: Callable[[tuple[str, ...]], HandRank | None], five: tuple[str, ...]
) -> Any:  # noqa: ANN401 (Worth or None)
    """What five cards are worth, a joker standing for the best card that it may be."""
    if JOKER not in five:
        return worth_of(five)
    rest = tuple(card for card in five if card != JOKER)
    if len(rest) < 4:
        return None
    return max(filter(None, map(worth_of, _joker_substitutes(ranking, rest, worth_of))), default=None)


def _joker_substitutes(
    ranking: Ranking, rest: tuple[str, ...], worth_of: Callable[[tuple[str, ...]], HandRank | None]
) -> Iterator[tuple[str, ...]]:
    """The hands that a joker may make of four other cards.

    Low: it is the lowest card not in the hand, an ace being low [R7-11.a5.1]. High: an ace, or whatever completes a
    straight, a flush or a straight flush [R7-12.joker.2], and with four aces the best hand of all [R7-12.joker.4].
    """
    if ranking is not Ranking.HIGH:
        held = {card[0] for card in rest}
        order = RANKS_ACE_LOW if ranking.is_ace_low else RANKS
        rank = next(rank for rank in order if rank not in held)
        yield from ((*rest, rank + suit) for suit in SUITS)
        return
    if all(card[0] == "A" for card in rest):
        yield (*rest, JOKER)
        return
    for card in build_deck():
        five = (*rest, card)
        if card not in rest and (card[0] == "A" or worth_of(five) in _straight_and_flush_ranks(52)):
            yield five


@cache
def _straight_and_flush_ranks(size: int) -> frozenset[HandRank | None]:
    """What straights, flushes and straight flushes are worth."""
    worth_of = _rank_function(Ranking.HIGH, size)
    straights = (_build_straight(ranks, suited) for ranks in _straight_runs() for suited in (False, True))
    flushes = (tuple(rank + "s" for rank in ranks) for ranks in combinations(RANKS, 5))
    return frozenset(map(worth_of, (*straights, *flushes)))


def _straight_runs() -> Iterator[str]:
    ranks = "A" + RANKS
    return (ranks[start : start + 5] for start in range(10))


def _build_straight(ranks: str, suited: bool) -> tuple[str, ...]:
    return tuple(rank + ("s" if suited or index else "h") for index, rank in enumerate(ranks))


@cache
def _rank_function(ranking: Ranking, size: int) -> Callable[[tuple[str, ...]], HandRank | None]:
    known = rank_table(ranking, size)

    def worth_of(five: tuple[str, ...]) -> HandRank | None:
        if JOKER in five:
            return 1, 0
        worth = known[hand_index(five)]
        return None if worth == NO_RANK else (0, worth)

    return worth_of
