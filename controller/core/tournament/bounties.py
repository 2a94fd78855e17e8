"""Bounties: who has knocked whom out, and what that earns, to the cent [WSOP-T-39.a; elsewhere by default].

Each entry and each rebuy puts one bounty into play. Who knocks its player out has it; who is left at the end keeps the
own one. Where nobody has knocked a player out, as when one is disqualified, the bounty goes into the prize pool, as the
book says of one that is paid for a second time.
"""

from collections.abc import Mapping
from typing import Any

from controller.core.values.value import Value


class Knockout(Value):
    """`player` is out, by `winners` in the order in which odd cents go; nobody has knocked out who has none.

    `shares`: how many parts of the bounty each of them has; equal parts where it is empty. `rebuy_count`: how many
    rebuys the player had made by then, as one may be knocked out after each.
    """

    player: str
    winners: tuple[str, ...] = ()
    shares: tuple[int, ...] = ()
    rebuy_count: int = 0


def split_bounty(cents: int, knockout: Knockout) -> dict[str, int]:
    """What each who knocked a player out has of the bounty; odd cents go to the first, one each [by default]."""
    shares = knockout.shares or (1,) * len(knockout.winners)
    parts = [cents * share // sum(shares) for share in shares]
    odd = cents - sum(parts) if parts else 0
    return {player: part + (at < odd) for at, (player, part) in enumerate(zip(knockout.winners, parts, strict=True))}


def parse_knockout(line: Mapping[str, Any], player: str, rebuy_count: int) -> Knockout | None:
    """Read who has knocked a player out of `by`, a name or several, and `shares`; `None` where nobody says it.

    Raises `ValueError`.
    """
    by, shares = line.get("by"), line.get("shares")
    if by is None:
        if shares is not None:
            raise ValueError("`shares` goes with `by`: it says what part of the bounty each has.")
        return None
    winners = [by] if isinstance(by, str) else by
    if not isinstance(winners, list) or not all(isinstance(one, str) for one in winners):
        raise ValueError(
            f"`by` is a name, or a list of names that is empty where nobody has won the bounty; it is {by!r}."
        )
    if len(set(winners)) < len(winners) or player in winners:
        raise ValueError(f"{player} is knocked out by others, each named once; `by` is {', '.join(winners)}.")
    if shares is None:
        return Knockout(player, tuple(winners), rebuy_count=rebuy_count)
    if (
        not isinstance(shares, list)
        or len(shares) != len(winners)
        or not all(type(one) is int and one > 0 for one in shares)
    ):
        raise ValueError(
            f"`shares` has a whole number above 0 for each of {', '.join(winners) or 'nobody'}; it is {shares!r}."
        )
    return Knockout(player, tuple(winners), tuple(shares), rebuy_count)


def replace_knockout(knockouts: tuple[Knockout, ...], new: Knockout) -> tuple[Knockout, ...]:
    """Say anew who has knocked a player out, since the same rebuy."""
    if not any(is_same_life(one, new) for one in knockouts):
        return (*knockouts, new)
    return tuple(new if is_same_life(one, new) else one for one in knockouts)


def is_same_life(one: Knockout, other: Knockout) -> bool:
    """Whether both are of the same player after the same rebuy."""
    return (one.player, one.rebuy_count) == (other.player, other.rebuy_count)
