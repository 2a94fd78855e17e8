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

from controller.core.play.showdown.evaluation import HandStrength, evaluate_hand
from controller.core.rules.games import Ranking
from controller.core.values.cards import build_deck
from room.record.room_record import RecordLine

HOLE_CARDS_PLAYED_BY_GAME = {"holdem": None, "omaha": 2}
"""Games of a promotion, and how many of the own cards play (`None`: any number)."""

MAX_PROMOTIONS = 24
"""Of one day."""

MAX_CANDIDATES = 20
"""That wait for the floor; of more the best stay."""

MAX_SEEN_KEYS = 400
MAX_DECISIONS = 20
MAX_REASON_LENGTH = 120

DECK_CARDS = frozenset(build_deck())


@dataclass(frozen=True, slots=True)
class HighHand:
    """A hand that was tabled; `number` is that of its line, `ended_at` when it ended (Unix seconds)."""

    number: int
    table: str
    hand: int
    seat: int
    player: str
    own_cards: tuple[str, ...]
    board: tuple[str, ...]
    strength: HandStrength
    ended_at: float


@dataclass(frozen=True, slots=True)
class CandidateDecided:
    """What the floor has said of a candidate; `reason` it was refused, empty where it was confirmed."""

    high_hand: HighHand
    decided_by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Promotion:
    """One promotion: its conditions, who leads by the floor's word, and which hands wait for it, the best first.

    It takes hands that ended from `starts_at` and before `ends_at` (Unix seconds). `both_cards_play`: both hole cards
    must play; `min_pot` and `min_players`: at least so much in the pot, and so many dealt in.
    """

    name: str
    game: str
    min_cards: tuple[str, ...]
    min_strength: HandStrength
    starts_at: float
    ends_at: float
    both_cards_play: bool = False
    min_pot: int = 0
    min_players: int = 0
    leader: HighHand | None = None
    candidates: tuple[HighHand, ...] = ()
    decisions: tuple[CandidateDecided, ...] = ()
    seen_keys: tuple[str, ...] = ()

    def find_qualifying_strength(self, what: Mapping[str, Any]) -> HandStrength | None:
        """How good a tabled hand is, if it may lead here; `None` for any other, and for one that was told before."""
        match what:
            case {
                "key": str(key), "game": str(game), "at": int() | float() as at, "own": [*own], "board": [*board],
                "pot": int(pot), "dealt": int(dealt),
            } if game == self.game and self.starts_at <= at < self.ends_at:  # fmt: skip
                if pot < self.min_pot or dealt < self.min_players:
                    return None
                made = _evaluate_strength(own, board, HOLE_CARDS_PLAYED_BY_GAME[game])
                if made is None or made < self.min_strength or key in self.seen_keys:
                    return None
                if self.both_cards_play and len(own) == 2 and _evaluate_strength(own, board, 2) != made:
                    return None
                return None if self.leader is not None and made <= self.leader.strength else made
            case _:
                return None


@dataclass(frozen=True, slots=True)
class DayPromotions:
    """The promotions of a day, by name."""

    promotion_by_name: Mapping[str, Promotion] = field(default_factory=dict)


def apply_promotion_line(day: DayPromotions, line: RecordLine) -> DayPromotions:
    """Take one line more; what does not fit changes nothing. Of equal hands the one that came first leads."""
    match line.content:
        case {
            "do": "begin", "promotion": str(name), "game": str(game), "least": [*least],
            "from": int() | float() as since, "until": int() | float() as until, "both": bool(both), "pot": int(pot),
            "players": int(dealt),
        } if (
            name and game in HOLE_CARDS_PLAYED_BY_GAME and since < until and len(day.promotion_by_name) < MAX_PROMOTIONS
        ):  # fmt: skip
            worth = _evaluate_strength(least, [], None)
            if worth is None or name in day.promotion_by_name:
                return day
            cards = tuple(map(str, least))
            return _replace_promotion(
                day, Promotion(name, game, cards, worth, float(since), float(until), both, pot, dealt)
            )
        case {"do": "tabled" | "confirm" | "refuse", "promotion": str(name)} if name in day.promotion_by_name:
            return _replace_promotion(day, _apply_to_promotion(day.promotion_by_name[name], line))
        case _:
            return day


def _apply_to_promotion(promotion: Promotion, line: RecordLine) -> Promotion:
    match line.content:
        case {
            "do": "tabled", "key": str(key), "table": str(table), "hand": int(hand), "seat": int(seat),
            "player": str(player), "own": [*own], "board": [*board], "at": int() | float() as at,
        }:  # fmt: skip
            worth = promotion.find_qualifying_strength(line.content)
            if worth is None:
                return promotion
            cards = tuple(map(str, own)), tuple(map(str, board))
            found = HighHand(line.number, table, hand, seat, player, *cards, worth, float(at))
            seen = (*promotion.seen_keys, key)[-MAX_SEEN_KEYS:]
            return replace(promotion, candidates=_rank_candidates((*promotion.candidates, found)), seen_keys=seen)
        case {"do": "confirm" | "refuse" as do, "number": int(number), **rest}:
            found_at = next((one for one in promotion.candidates if one.number == number), None)
            if found_at is None:
                return promotion
            why = str(rest.get("why", ""))[:MAX_REASON_LENGTH] if do == "refuse" else ""
            decided = (*promotion.decisions, CandidateDecided(found_at, line.entered_by, why))[-MAX_DECISIONS:]
            left = tuple(one for one in promotion.candidates if one is not found_at)
            if do == "refuse":
                return replace(promotion, candidates=left, decisions=decided)
            left = tuple(one for one in left if one.strength > found_at.strength)
            return replace(promotion, leader=found_at, candidates=left, decisions=decided)
        case _:
            return promotion


def is_hand(cards: Sequence[object]) -> bool:
    """Whether five cards or more are a hand of a deck."""
    return _evaluate_strength(cards, [], None) is not None


def _replace_promotion(day: DayPromotions, promotion: Promotion) -> DayPromotions:
    return replace(day, promotion_by_name={**day.promotion_by_name, promotion.name: promotion})


def _evaluate_strength(own: Sequence[object], board: Sequence[object], exactly: int | None) -> HandStrength | None:
    """How good a hand is; `None` for what is no hand of a deck."""
    cards = [str(card) for card in (*own, *board)]
    if len(set(cards)) != len(cards) or not 5 <= len(cards) <= 9 or not DECK_CARDS.issuperset(cards):
        return None
    return evaluate_hand(Ranking.HIGH, cards[: len(own)], cards[len(own) :], exactly)


def _rank_candidates(found: tuple[HighHand, ...]) -> tuple[HighHand, ...]:
    """The best first; of equal ones that which ended earlier."""
    ranked = sorted(found, key=lambda one: (-one.ended_at, -one.number))
    ranked.sort(key=lambda one: one.strength)
    return tuple(reversed(ranked))[:MAX_CANDIDATES]
