"""High hands: every tabled hand that beats the leader is a candidate by itself, and counts when the floor confirms it.

A fold of the stream `high-hands:DAY`, within which a promotion runs from one `begin` to the next:

    {"do": "begin", "name": "four to six", "game": "holdem", "least": ["Ah", "Ad", "Ac", "Ks", "Kd"]}
    {"do": "tabled", "table": …, "hand": …, "seat": …, "player": …, "own": […], "board": […]}   cards that lay face up
    {"do": "confirm" | "refuse", "number": of the line that told the hand}

Only cards that were shown are ever told here: a hand that was mucked is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.core.play.showdown.evaluation import Strength, strength
from controller.core.rules.games import Ranking
from controller.core.values.cards import deck
from room.record.lines import Line

OWN = {"holdem": None, "omaha": 2}
"""Games of a promotion, and how many of the own cards play (`None`: any number)."""

MOST_CANDIDATES = 20
"""That wait for the floor; of more the best stay."""

CARDS = frozenset(deck())


@dataclass(frozen=True, slots=True)
class HighHand:
    """A hand that was tabled; `number` is that of its line, `at` when (Unix seconds)."""

    number: int
    table: str
    hand: int
    seat: int
    player: str
    cards: tuple[str, ...]
    strength: Strength
    at: float


@dataclass(frozen=True, slots=True)
class Promotion:
    """What runs: who leads by the floor's word, and which hands wait for it, the best first."""

    name: str = ""
    game: str = ""
    least: Strength | None = None
    leader: HighHand | None = None
    candidates: tuple[HighHand, ...] = ()


def after(promotion: Promotion, line: Line) -> Promotion:
    """Take one line more; what does not fit changes nothing. Of equal hands the one that came first leads."""
    match line.what:
        case {"do": "begin", "name": str(name), "game": str(game), "least": [*least]} if name and game in OWN:
            worth = _strength(least, [], None)
            return promotion if worth is None else Promotion(name, game, worth)
        case {
            "do": "tabled", "table": str(table), "hand": int(hand), "seat": int(seat), "player": str(player),
            "own": [*own], "board": [*board],
        } if promotion.least is not None:  # fmt: skip
            worth = _strength(own, board, OWN[promotion.game])
            leads = promotion.least if promotion.leader is None else promotion.leader.strength
            if worth is None or worth < leads or (promotion.leader is not None and worth == leads):
                return promotion
            if any((one.table, one.hand, one.seat) == (table, hand, seat) for one in promotion.candidates):
                return promotion
            cards = tuple(str(card) for card in (*own, *board))
            found = HighHand(line.number, table, hand, seat, player, cards, worth, line.at)
            return replace(promotion, candidates=_best((*promotion.candidates, found)))
        case {"do": "confirm" | "refuse" as do, "number": int(number)}:
            found_at = next((one for one in promotion.candidates if one.number == number), None)
            if found_at is None:
                return promotion
            rest = tuple(one for one in promotion.candidates if one is not found_at)
            if do == "refuse":
                return replace(promotion, candidates=rest)
            beaten = tuple(one for one in rest if one.strength > found_at.strength)
            return replace(promotion, leader=found_at, candidates=beaten)
        case _:
            return promotion


def _strength(own: Sequence[object], board: Sequence[object], exactly: int | None) -> Strength | None:
    """How good a hand is; `None` for what is no hand of a deck."""
    cards = [str(card) for card in (*own, *board)]
    if len(set(cards)) != len(cards) or not 5 <= len(cards) <= 9 or not CARDS.issuperset(cards):
        return None
    return strength(Ranking.HIGH, cards[: len(own)], cards[len(own) :], exactly)


def _best(found: tuple[HighHand, ...]) -> tuple[HighHand, ...]:
    """The best first; of equal ones the earlier."""
    ranked = sorted(found, key=lambda one: -one.number)
    ranked.sort(key=lambda one: one.strength)
    return tuple(reversed(ranked))[:MOST_CANDIDATES]
