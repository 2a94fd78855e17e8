"""May a player who has acted raise again?"""

from collections.abc import Callable

Reopens = Callable[[int, int, bool], bool]
"""(what the wager grew by since the player acted, size of a full raise, was any single raise since full)."""


def when_the_total_is_a_raise(grown: int, full: int, full_since: bool) -> bool:
    """Short all-ins add up: what the player now faces decides [R7-3.betting.6#d, R7-14.nl.6, MP-6.nl.4]."""
    return full_since or grown >= full


def only_by_a_full_raise(grown: int, full: int, full_since: bool) -> bool:
    """An all-in short of a raise is none, and several do not add up [AU-10.2#c]."""
    return full_since


def by_any_raise(grown: int, full: int, full_since: bool) -> bool:
    """Even a short all-in lets those who have acted raise again [FC-8.nl.3#b]."""
    return full_since or grown > 0


ANSWERS: dict[str, Reopens] = {
    "when-the-total-is-a-raise": when_the_total_is_a_raise,
    "only-by-a-full-raise": only_by_a_full_raise,
    "by-any-raise": by_any_raise,
}
