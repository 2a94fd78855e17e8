"""Does an all-in in a limit game count as a full bet or raise?"""

from collections.abc import Callable

FullWagerPolicy = Callable[[int, int, bool], bool]
"""(how far it exceeds the last full wager, size of a full bet, is it a raise of a full bet rather than a bet)."""


def is_half_or_more(excess: int, size: int, is_raise: bool) -> bool:
    """Half a bet or more is treated as a full bet [R7-3.betting.6#c, HR-betting.4#c, MP-3.betting.4#c]."""
    return 2 * excess >= size


def is_half_bet_or_whole_raise(excess: int, size: int, is_raise: bool) -> bool:
    """Half is enough for an opening bet or a completion, a raise must be whole [AU-10.2]."""
    return excess >= size if is_raise else 2 * excess >= size


POLICY_BY_NAME: dict[str, FullWagerPolicy] = {
    "half-or-more": is_half_or_more,
    "half-of-a-bet-but-a-whole-raise": is_half_bet_or_whole_raise,
}
