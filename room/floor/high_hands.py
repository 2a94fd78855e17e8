"""High hands: every tabled hand that beats the leader is a candidate by itself, and counts when the floor confirms it.

A fold of the stream `high-hands:DAY`, in which each promotion of the day has its name:

    {"do": "begin", "promotion": "four to six", "game": "holdem", "least": ["Ah", "Ad", "Ac", "Ks", "Kd"],
     "from": 1764000000.0, "until": 1764007200.0, "both": true, "pot": 20, "players": 4}        conditions, as data
    {"do": "tabled", "promotion": …, "key": …, "table": …, "hand": …, "seat": …, "player": …, "at": …, "game": …,
     "own": […], "board": […], "pot": …, "dealt": …}                                  cards that lay face up
    {"do": "confirm", "promotion": …, "number": of the line that told the hand}
    {"do": "refuse", …, "why": "a joker was in the deck"}

Only cards that were shown are ever told here: a hand that was mucked is none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controller.core.play.showdown.evaluation import Strength, strength
from controller.core.rules.games import Ranking
from controller.core.values.cards import deck
from room.record.lines import Line

OWN = {"holdem": None, "omaha": 2}
"""Games of a promotion, and how many of the own cards play (`None`: any number)."""

MOST_PROMOTIONS = 24
"""Of one day."""

MOST_CANDIDATES = 20
"""That wait for the floor; of more the best stay."""

MOST_SEEN = 400
MOST_DECIDED = 20
LONGEST_WHY = 120

CARDS = frozenset(deck())


@dataclass(frozen=True, slots=True)
class HighHand:
    """A hand that was tabled; `number` is that of its line, `at` when it ended (Unix seconds)."""

    number: int
    table: str
    hand: int
    seat: int
    player: str
    own: tuple[str, ...]
    board: tuple[str, ...]
    strength: Strength
    at: float


@dataclass(frozen=True, slots=True)
class Decided:
    """What the floor has said of a candidate; `why` it was refused, empty where it was confirmed."""

    high_hand: HighHand
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Promotion:
    """One promotion: its conditions, who leads by the floor's word, and which hands wait for it, the best first.

    It takes hands that ended from `since` and before `until` (Unix seconds). `both`: both hole cards must play; `pot`
    and `dealt`: at least so much in the pot, and so many dealt in.
    """

    name: str
    game: str
    least_cards: tuple[str, ...]
    least: Strength
    since: float
    until: float
    both: bool = False
    pot: int = 0
    dealt: int = 0
    leader: HighHand | None = None
    candidates: tuple[HighHand, ...] = ()
    decided: tuple[Decided, ...] = ()
    seen: tuple[str, ...] = ()

    def worth(self, what: Mapping[str, Any]) -> Strength | None:
        """How good a tabled hand is, if it may lead here; `None` for any other, and for one that was told before."""
        match what:
            case {
                "key": str(key), "game": str(game), "at": int() | float() as at, "own": [*own], "board": [*board],
                "pot": int(pot), "dealt": int(dealt),
            } if game == self.game and self.since <= at < self.until:  # fmt: skip
                if pot < self.pot or dealt < self.dealt:
                    return None
                made = _strength(own, board, OWN[game])
                if made is None or made < self.least or key in self.seen:
                    return None
                if self.both and len(own) == 2 and _strength(own, board, 2) != made:
                    return None
                return None if self.leader is not None and made <= self.leader.strength else made
            case _:
                return None


@dataclass(frozen=True, slots=True)
class HighHands:
    """The promotions of a day, by name."""

    promotions: Mapping[str, Promotion] = field(default_factory=dict)


def after(day: HighHands, line: Line) -> HighHands:
    """Take one line more; what does not fit changes nothing. Of equal hands the one that came first leads."""
    match line.what:
        case {
            "do": "begin", "promotion": str(name), "game": str(game), "least": [*least],
            "from": int() | float() as since, "until": int() | float() as until, "both": bool(both), "pot": int(pot),
            "players": int(dealt),
        } if name and game in OWN and since < until and len(day.promotions) < MOST_PROMOTIONS:  # fmt: skip
            worth = _strength(least, [], None)
            if worth is None or name in day.promotions:
                return day
            cards = tuple(map(str, least))
            return _with(day, Promotion(name, game, cards, worth, float(since), float(until), both, pot, dealt))
        case {"do": "tabled" | "confirm" | "refuse", "promotion": str(name)} if name in day.promotions:
            return _with(day, _of(day.promotions[name], line))
        case _:
            return day


def _of(promotion: Promotion, line: Line) -> Promotion:
    match line.what:
        case {
            "do": "tabled", "key": str(key), "table": str(table), "hand": int(hand), "seat": int(seat),
            "player": str(player), "own": [*own], "board": [*board], "at": int() | float() as at,
        }:  # fmt: skip
            worth = promotion.worth(line.what)
            if worth is None:
                return promotion
            cards = tuple(map(str, own)), tuple(map(str, board))
            found = HighHand(line.number, table, hand, seat, player, *cards, worth, float(at))
            seen = (*promotion.seen, key)[-MOST_SEEN:]
            return replace(promotion, candidates=_best((*promotion.candidates, found)), seen=seen)
        case {"do": "confirm" | "refuse" as do, "number": int(number), **rest}:
            found_at = next((one for one in promotion.candidates if one.number == number), None)
            if found_at is None:
                return promotion
            why = str(rest.get("why", ""))[:LONGEST_WHY] if do == "refuse" else ""
            decided = (*promotion.decided, Decided(found_at, line.by, why))[-MOST_DECIDED:]
            left = tuple(one for one in promotion.candidates if one is not found_at)
            if do == "refuse":
                return replace(promotion, candidates=left, decided=decided)
            left = tuple(one for one in left if one.strength > found_at.strength)
            return replace(promotion, leader=found_at, candidates=left, decided=decided)
        case _:
            return promotion


def is_hand(cards: Sequence[object]) -> bool:
    """Whether five cards or more are a hand of a deck."""
    return _strength(cards, [], None) is not None


def _with(day: HighHands, promotion: Promotion) -> HighHands:
    return replace(day, promotions={**day.promotions, promotion.name: promotion})


def _strength(own: Sequence[object], board: Sequence[object], exactly: int | None) -> Strength | None:
    """How good a hand is; `None` for what is no hand of a deck."""
    cards = [str(card) for card in (*own, *board)]
    if len(set(cards)) != len(cards) or not 5 <= len(cards) <= 9 or not CARDS.issuperset(cards):
        return None
    return strength(Ranking.HIGH, cards[: len(own)], cards[len(own) :], exactly)


def _best(found: tuple[HighHand, ...]) -> tuple[HighHand, ...]:
    """The best first; of equal ones that which ended earlier."""
    ranked = sorted(found, key=lambda one: (-one.at, -one.number))
    ranked.sort(key=lambda one: one.strength)
    return tuple(reversed(ranked))[:MOST_CANDIDATES]
