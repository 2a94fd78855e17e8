"""What share of the pot each hand has on the average, over the cards that may still come.

Hands are compared by PokerKit's order (`controller/core/play/showdown/evaluation.py`), not by its sampler, which draws
from a chance that cannot be seeded by the caller. Where few cards are to come every way is counted; else a fixed number
of them, drawn from a chance that the situation itself seeds: the same situation has the same figures always.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import Any, Self

from controller.core.play.showdown.evaluation import HandStrength, evaluate_hand
from controller.core.rules.games import Ranking
from controller.core.values.cards import build_deck

MAX_COUNTED_RUNOUTS = 1100
"""Up to so many ways each is looked at: a flop of hold'em has 990."""

MAX_COMPARED_HANDS = 16_000
"""How many hands are worked out where ways are drawn: 8,000 ways of two hands, a standard error of 0.5 % at most."""

MIN_SAMPLED_RUNOUTS = 1000
"""Ways that are drawn at least."""


@dataclass(frozen=True, slots=True)
class EquitySituation:
    """The live hands (seat, cards), the board, and the cards that are known to be out of play.

    `rankings` as the game has them, the high half first; `exactly` so many own cards play (`None`: any number);
    `hand_size` and `board_size`: how many there are in the end.
    """

    rankings: tuple[str, ...]
    exactly: int | None
    deck: int
    hand_size: int
    board_size: int
    hands: tuple[tuple[int, tuple[str, ...]], ...]
    board: tuple[str, ...]
    dead: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Name no card: this text can reach a log."""
        return f"Situation({len(self.hands)} hands, {len(self.board)} board cards)"

    def to_json(self) -> dict[str, Any]:
        """As JSON has it; the text of this seeds the chance, so that order and keys stay as they are."""
        return {
            "rankings": self.rankings,
            "exactly": self.exactly,
            "deck": self.deck,
            "hand_size": self.hand_size,
            "board_size": self.board_size,
            "hands": self.hands,
            "board": self.board,
            "dead": self.dead,
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """Read what `plain` wrote."""
        return cls(
            rankings=tuple(plain["rankings"]),
            exactly=plain["exactly"],
            deck=plain["deck"],
            hand_size=plain["hand_size"],
            board_size=plain["board_size"],
            hands=tuple((int(seat), tuple(cards)) for seat, cards in plain["hands"]),
            board=tuple(plain["board"]),
            dead=tuple(plain["dead"]),
        )


def compute_equities(situation: EquitySituation) -> dict[int, float]:
    """Seat -> its share of the pot, 0 to 1, all of one pot; side pots are not told apart."""
    rankings = [Ranking(name) for name in situation.rankings]
    shares = dict.fromkeys((seat for seat, _ in situation.hands), 0.0)
    count = 0
    for own, board in _iter_runouts(situation):
        count += 1
        for seat, share in _split_pot(situation, rankings, own, board).items():
            shares[seat] += share
    return {seat: share / count for seat, share in shares.items()}


def _iter_runouts(situation: EquitySituation) -> Iterator[tuple[Sequence[tuple[str, ...]], tuple[str, ...]]]:
    """Every way in which the cards may come, or some of them: the hands at the end, and the board."""
    out = {*situation.board, *situation.dead, *(card for _, cards in situation.hands for card in cards)}
    left = [card for card in build_deck(situation.deck) if card not in out]
    hands = [cards for _, cards in situation.hands]
    missing = [situation.hand_size - len(cards) for cards in hands]
    to_board = situation.board_size - len(situation.board)
    to_come = min(sum(missing) + to_board, len(left))
    if not any(missing) and comb(len(left), to_board) <= MAX_COUNTED_RUNOUTS:
        for coming in combinations(left, to_board):
            yield hands, (*situation.board, *coming)
        return
    chance = random.Random(repr(situation.to_json()))
    for _ in range(max(MIN_SAMPLED_RUNOUTS, MAX_COMPARED_HANDS // len(hands))):
        drawn = iter(chance.sample(left, to_come))
        own = [(*cards, *islice(drawn, n)) for cards, n in zip(hands, missing, strict=True)]
        yield own, (*situation.board, *drawn)


def _split_pot(
    situation: EquitySituation, rankings: Sequence[Ranking], own: Sequence[tuple[str, ...]], board: tuple[str, ...]
) -> dict[int, float]:
    """Who gets what of the pot; a half for which no hand qualifies goes to the other."""
    halves: list[dict[int, float]] = []
    for ranking in rankings:
        found: dict[int, HandStrength] = {}
        for (seat, _), cards in zip(situation.hands, own, strict=True):
            worth = evaluate_hand(ranking, cards, board, situation.exactly, situation.deck)
            if worth is not None:
                found[seat] = worth
        if found:
            best = max(found.values())
            winners = [seat for seat, worth in found.items() if worth == best]
            halves.append(dict.fromkeys(winners, 1 / len(winners)))
    split: dict[int, float] = {}
    for half in halves:
        for seat, share in half.items():
            split[seat] = split.get(seat, 0.0) + share / len(halves)
    return split
