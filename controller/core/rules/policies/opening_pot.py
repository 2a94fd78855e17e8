"""How large is the pot before the flop in pot-limit?"""

from collections.abc import Callable

OpeningPot = Callable[[int, int, bool], int]
"""(bet of the small blind, big blind, is the big blind still to act) -> what to add to the pot that lies there."""


def as_it_lies(small: int, big: int, open_round: bool) -> int:
    """What is in the pot counts [R7-14.pl.5 for tournaments, FC-9, AU-16.6(d)]."""
    return 0


def small_blind_as_big(small: int, big: int, open_round: bool) -> int:
    """The small blind counts as the big one until the big blind has acted [R7-14.pl.5 for money games].

    One that has called is no less than the big blind already.
    """
    return max(big - small, 0) if open_round and small else 0


ANSWERS: dict[str, OpeningPot] = {"as-it-lies": as_it_lies, "small-blind-as-big": small_blind_as_big}
