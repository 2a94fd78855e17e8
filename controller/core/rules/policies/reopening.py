"""May a player who has acted raise again?"""

from collections.abc import Callable

ReopeningPolicy = Callable[[int, int, bool], bool]
"""(what the wager grew by since the player acted, size of a full raise, was any single raise since full)."""


def is_reopened_by_total(grown: int, full: int, full_since: bool) -> bool:
    """Short all-ins add up: what the player now faces decides [R7-3.betting.6#d, R7-14.nl.6, MP-6.nl.4]."""
    return full_since or grown >= full


def is_reopened_by_full_raise(grown: int, full: int, full_since: bool) -> bool:
    """An all-in short of a raise is none, and several do not add up [AU-10.2#c]."""
    return full_since


def is_reopened_by_any_raise(grown: int, full: int, full_since: bool) -> bool:
    """Even a short all-in lets those who have acted raise again [FC-8.nl.3#b]."""
    return full_since or grown > 0


POLICY_BY_NAME: dict[str, ReopeningPolicy] = {
    "when-the-total-is-a-raise": is_reopened_by_total,
    "only-by-a-full-raise": is_reopened_by_full_raise,
    "by-any-raise": is_reopened_by_any_raise,
}
