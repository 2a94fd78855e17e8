"""Which hand is better: a thin front of PokerKit, loaded when hands are first compared.

Loading it takes a quarter of a second on a desktop and more on a small board, so that nothing else may wait for it; the
runtime calls `warm` when the table is idle. Why PokerKit: `docs/decisions/0003-hand-evaluation.md`.
"""

from collections.abc import Sequence
from functools import cache, total_ordering
from itertools import combinations
from typing import TYPE_CHECKING, Any

from controller.core.games import Ranking

if TYPE_CHECKING:
    from pokerkit import Hand as EvaluatedHand


@total_ordering
class Strength:
    """How good a hand is among hands of one ranking; greater wins. `used` are the player's own cards that play."""

    __slots__ = ("_hand", "used")

    def __init__(self, hand: "EvaluatedHand", used: tuple[str, ...]) -> None:
        """Keep the evaluated hand, which orders itself."""
        self._hand = hand
        self.used = used

    def __eq__(self, other: object) -> bool:
        """Equal hands split."""
        return isinstance(other, Strength) and bool(self._hand == other._hand)

    def __lt__(self, other: "Strength") -> bool:
        """A lesser hand loses."""
        return bool(self._hand < other._hand)

    def __hash__(self) -> int:
        """Equal strengths hash alike."""
        return hash(self._hand)


def warm() -> None:
    """Load the evaluator now rather than at the first showdown."""
    for ranking in Ranking:
        _kind(ranking)


def strength(ranking: Ranking, own: Sequence[str], board: Sequence[str], exactly: int | None) -> Strength | None:
    """The best hand of five from `own` and `board`; `exactly` so many own cards play, `None`: any number.

    `None` when no hand of that ranking can be made (a low that does not qualify), or too few cards are there.
    """
    kind = _kind(ranking)
    best: Strength | None = None
    wanted = (exactly,) if exactly is not None else range(6)
    for count in wanted:
        if count > len(own) or 5 - count > len(board) or count > 5:
            continue
        if exactly is None and count < 5 - len(board):
            continue
        for mine in combinations(own, count):
            for theirs in combinations(board, 5 - count):
                made = _made(kind, "".join(mine + theirs))
                if made is not None and (best is None or best < made):
                    best = Strength(made._hand, mine)  # noqa: SLF001 (its own class)
    return best


def _made(kind: Any, cards: str) -> Strength | None:  # noqa: ANN401 (a class of PokerKit)
    try:
        return Strength(kind(cards), ())
    except ValueError:
        return None


@cache
def _kind(ranking: Ranking) -> Any:  # noqa: ANN401
    import pokerkit

    return {
        Ranking.HIGH: pokerkit.StandardHighHand,
        Ranking.LOW_8: pokerkit.EightOrBetterLowHand,
        Ranking.LOW_A5: pokerkit.RegularLowHand,
        Ranking.LOW_27: pokerkit.StandardLowHand,
    }[ranking]
