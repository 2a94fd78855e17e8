"""How large is the pot before the flop in pot-limit?"""

from collections.abc import Callable

from controller.core.values.value import Value


class OpeningBlinds(Value):
    """The blinds of a first round: what is due of each, what lies before their seats, 0 where the chair is empty.

    `is_big_blind_to_act`: a big blind is still to act. `middle`: what is due of each blind between the two, and what
    lies there. `dead_small_count`: small blinds that lie dead in the pot.
    """

    small_due: int
    big_due: int
    small_posted: int
    big_posted: int
    is_big_blind_to_act: bool
    middle: tuple[tuple[int, int], ...] = ()
    dead_small_count: int = 0


OpeningPotPolicy = Callable[[OpeningBlinds], int]
"""The blinds of the first round -> what to add to the pot that lies there."""


def add_nothing(blinds: OpeningBlinds) -> int:
    """What is in the pot counts [R7-14.pl.5 for tournaments, FC-9, AU-16.6(d)]."""
    return 0


def count_small_blind_as_big(blinds: OpeningBlinds) -> int:
    """The small blind counts as the big one until the big blind has acted [R7-14.pl.5 for money games].

    So does each of more blinds [WSOP-L-187]. One that has called is no less than the big blind already.
    """
    lesser = (blinds.small_posted, *(posted for _, posted in blinds.middle))
    whole = sum(max(blinds.big_due - posted, 0) for posted in lesser if posted)
    return whole if blinds.is_big_blind_to_act else 0


def count_dead_small_blinds_too(blinds: OpeningBlinds) -> int:
    """So does a small blind that was made up and lies dead in the pot [WSOP-L-187, on three blinds]."""
    dead = blinds.dead_small_count * max(blinds.big_due - blinds.small_due, 0)
    return count_small_blind_as_big(blinds) + (dead if blinds.is_big_blind_to_act else 0)


def assume_full_blinds(blinds: OpeningBlinds) -> int:
    """A dead or short blind counts as if it had been posted whole [TDA-54-B]."""
    middle = sum(max(due - posted, 0) for due, posted in blinds.middle)
    return max(blinds.small_due - blinds.small_posted, 0) + middle + max(blinds.big_due - blinds.big_posted, 0)


POLICY_BY_NAME: dict[str, OpeningPotPolicy] = {
    "as-it-lies": add_nothing,
    "small-blind-as-big": count_small_blind_as_big,
    "small-blinds-as-big-dead-too": count_dead_small_blinds_too,
    "full-blinds-assumed": assume_full_blinds,
}
