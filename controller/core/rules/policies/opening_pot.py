"""How large is the pot before the flop in pot-limit?"""

from collections.abc import Callable

from controller.core.values.value import Value


class Blinds(Value):
    """The blinds of a first round: what is due of each, what lies before their seats, 0 where the chair is empty.

    `waiting`: a big blind is still to act.
    """

    small_due: int
    big_due: int
    small: int
    big: int
    waiting: bool


OpeningPot = Callable[[Blinds], int]
"""The blinds of the first round -> what to add to the pot that lies there."""


def as_it_lies(blinds: Blinds) -> int:
    """What is in the pot counts [R7-14.pl.5 for tournaments, FC-9, AU-16.6(d)]."""
    return 0


def small_blind_as_big(blinds: Blinds) -> int:
    """The small blind counts as the big one until the big blind has acted [R7-14.pl.5 for money games].

    One that has called is no less than the big blind already.
    """
    return max(blinds.big_due - blinds.small, 0) if blinds.waiting and blinds.small else 0


def full_blinds_assumed(blinds: Blinds) -> int:
    """A dead or short blind counts as if it had been posted whole [TDA-54-B]."""
    return max(blinds.small_due - blinds.small, 0) + max(blinds.big_due - blinds.big, 0)


ANSWERS: dict[str, OpeningPot] = {
    "as-it-lies": as_it_lies,
    "small-blind-as-big": small_blind_as_big,
    "full-blinds-assumed": full_blinds_assumed,
}
