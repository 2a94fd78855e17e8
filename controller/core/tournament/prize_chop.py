"""How the players who are left share what is left of the prizes, if they agree to end a tournament.

Amounts are whole cents; what rounding leaves goes where it took most, so that all of it is shared.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache

MAX_ICM_PLAYERS = 12
"""So many shares are reckoned by the chances of finishing: beyond it the orders to be counted are too many."""


def chop_by_chips(stacks: Mapping[str, int], prizes: Sequence[int]) -> dict[str, int]:
    """Everybody has the lowest prize that is left for sure; the rest is shared in proportion to the chips.

    Raises `ValueError`.
    """
    paid = _check_prizes(stacks, prizes)
    sure, total = paid[-1], sum(stacks.values())
    rest = sum(paid) - sure * len(paid)
    return _round_shares({player: sure + Fraction(rest * chips, total) for player, chips in stacks.items()}, stacks)


def chop_by_icm(stacks: Mapping[str, int], prizes: Sequence[int]) -> dict[str, int]:
    """What each stack is worth by the independent chip model: first place goes by chips, so does each next of the rest.

    Raises `ValueError`.
    """
    paid = _check_prizes(stacks, prizes)
    if len(stacks) > MAX_ICM_PLAYERS:
        raise ValueError(f"{len(stacks)} players are too many for it; at most {MAX_ICM_PLAYERS} share by chances.")
    players, chips = tuple(stacks), tuple(stacks.values())

    @cache
    def worth(left: frozenset[int]) -> dict[int, Fraction]:
        """What those who are left win of the places that are left."""
        place, total = len(players) - len(left), sum(chips[one] for one in left)
        found = dict.fromkeys(left, Fraction(0))
        if place >= len(paid):
            return found
        for first in left:
            chance = Fraction(chips[first], total)
            found[first] += chance * paid[place]
            for other, share in worth(left - {first}).items():
                found[other] += chance * share
        return found

    shares = worth(frozenset(range(len(players))))
    return _round_shares({players[one]: share for one, share in shares.items()}, stacks)


def _check_prizes(stacks: Mapping[str, int], prizes: Sequence[int]) -> tuple[int, ...]:
    if len(stacks) < 2 or min(stacks.values()) <= 0:
        raise ValueError("two or more players share what is left, each with chips.")
    if not prizes or any(prize < 0 for prize in prizes):
        raise ValueError("there is no prize left to be shared.")
    return (*prizes, *[0] * (len(stacks) - len(prizes)))[: len(stacks)]


def _round_shares(shares: Mapping[str, Fraction], stacks: Mapping[str, int]) -> dict[str, int]:
    whole = {player: int(share) for player, share in shares.items()}
    left = int(sum(shares.values())) - sum(whole.values())
    for player in sorted(stacks, key=lambda one: (whole[one] - shares[one], -stacks[one], one))[:left]:
        whole[player] += 1
    return whole
