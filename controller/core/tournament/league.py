"""League scores, season standings and bonus chips [FC-11]."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt

from controller.core.tournament.payouts import split_equally
from controller.core.values.value import Value


class LeagueResult(Value):
    """How a player did in an event. Money in whole units.

    `mean_place` is the place, for ties the average of the places.
    `is_absent`: reserved a seat and cancelled late, or did not come: negative points of the last place
    [FC-11.noshow#a]. `forfeits_points`: earns no points: disqualified, or paid and never came [FC-10.intro,
    FC-10.absent.1, FC-10.absent.leave].
    """

    tournament_name: str
    player: str
    buy_in_count: int
    buy_in: int
    total_spent: int
    mean_place: float
    is_absent: bool = False
    forfeits_points: bool = False


def compute_score(buy_ins: int, buy_in: float, spent: float, finish: float) -> float:
    """sqrt((a*b)*(b/c))/(d+1): a buy-ins of the event, b the buy-in, c buy-in and rebuys of the player, d the finish.

    [FC-11.league.score]

    Raises `ValueError`.
    """
    if min(buy_ins, buy_in, spent) <= 0 or finish < 1 or spent < buy_in:
        raise ValueError("a score wants buy-ins above 0, at least the buy-in spent, and a finish from 1.")
    return sqrt(buy_ins * buy_in * buy_in / spent) / (finish + 1.0)


def compute_points(result: LeagueResult) -> float:
    """The points of one result."""
    if result.forfeits_points:
        return 0.0
    if result.is_absent:
        return -compute_score(result.buy_in_count, result.buy_in, result.buy_in, result.buy_in_count)
    return compute_score(result.buy_in_count, result.buy_in, result.total_spent, result.mean_place)


def rank_players(results: Iterable[LeagueResult]) -> tuple[tuple[str, float], ...]:
    """Each player's sum, the highest first; equal sums by name."""
    sums: dict[str, float] = {}
    for result in results:
        sums[result.player] = sums.get(result.player, 0.0) + compute_points(result)
    return tuple(sorted(sums.items(), key=lambda entry: (-entry[1], entry[0])))


CHAMPIONSHIP_SEATS = 8
QUALIFIER_SEATS = 9


def select_postseason(
    standing: Iterable[tuple[str, float]], declined: Iterable[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(seats in the Championship, invited to the Qualifier) [FC-11.postseason].

    The first eight have Championship seats, which stay empty when not taken; Qualifier invitations pass down the line.
    """
    order, gone = [player for player, _ in standing], set(declined)
    seats = tuple(player for player in order[:CHAMPIONSHIP_SEATS] if player not in gone)
    invited = [player for player in order[CHAMPIONSHIP_SEATS:] if player not in gone]
    return seats, tuple(invited[:QUALIFIER_SEATS])


def seat_championship(seats: Iterable[str], qualifier_winner: str = "") -> tuple[str, ...]:
    """Who plays the Championship: the seats that are taken, and the Qualifier's winner on the ninth [FC-11.postseason].

    Raises `ValueError`.
    """
    taken = tuple(seats)
    if qualifier_winner in taken:
        raise ValueError(f"{qualifier_winner} has a seat in the Championship, and does not play the Qualifier.")
    return (*taken, qualifier_winner) if qualifier_winner else taken


def share_bonus_chips(points_of: Mapping[str, float], in_play: int, chip: int) -> dict[str, int]:
    """A quarter of the chips in play, by season points, rounded up to the smallest chip [FC-11.bonus].

    Whoever has no positive points has no share.

    Raises `ValueError`.
    """
    total = Fraction(in_play, 4)
    shares = {player: Fraction(max(0.0, value)).limit_denominator(10**6) for player, value in points_of.items()}
    whole = sum(shares.values())
    if not whole:
        raise ValueError("nobody has points to share bonus chips by.")
    return {player: -int((-share / whole * total / chip).__floor__()) * chip for player, share in shares.items()}


def score_props_bet(
    ranks: Mapping[str, Mapping[str, float]], fewest: Iterable[str] = ("rebuys", "finish")
) -> dict[str, float]:
    """Points of the props bet: in each category as many as entrants for the best, one less for the next.

    `ranks`: category -> player -> value; in the categories `fewest` the least is best. Ties share the points
    [FC-11.side.props].
    """
    lowest, sums = set(fewest), dict[str, float]()
    for category, values in ranks.items():
        better = sorted(values.values(), reverse=category not in lowest)
        for player, value in values.items():
            places = [index for index, other in enumerate(better) if other == value]
            share = sum(len(values) - index for index in places) / len(places)
            sums[player] = sums.get(player, 0.0) + share
    return sums


PROPS_FEE = 50
MAX_PROPS_IN_ONE_POOL = 12


def draw_props_pools(entrants: Sequence[str], lot: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """The pools of the props bet: one, and of more than twelve entrants two, populated by lot [FC-11.side.props].

    `lot`: the numbers of the entrants, from 0, as they were drawn; the first pool has one more of an odd number.

    Raises `ValueError`.
    """
    if sorted(lot) != list(range(len(entrants))):
        raise ValueError(f"the lot has each number from 0 to {len(entrants) - 1} once.")
    if len(entrants) <= MAX_PROPS_IN_ONE_POOL:
        return (tuple(entrants),)
    drawn = [entrants[number] for number in lot]
    half = -(-len(drawn) // 2)
    return tuple(drawn[:half]), tuple(drawn[half:])


def pay_props_bet(
    points: Mapping[str, float], pools: Sequence[Sequence[str]], fee_cents: int
) -> tuple[tuple[str, int], ...]:
    """Who wins what of the props bet, in cents: the winner of each pool takes an equal part of all entry fees.

    Players with equal points share it. Odd cents go to the pool and the player named first [FC-11.side.props; ties by
    default].
    """
    parts = split_equally((fee_cents * len(points), *(0,) * (len(pools) - 1)))
    found = []
    for pool, part in zip(pools, parts, strict=True):
        best = [player for player in pool if points[player] == max(points[other] for other in pool)]
        found += list(zip(best, split_equally((part, *(0,) * (len(best) - 1))), strict=True))
    return tuple(found)
