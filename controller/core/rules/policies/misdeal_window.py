"""From when on can a misdeal no longer be called?"""

from collections.abc import Callable, Sequence

Closed = Callable[[Sequence[int], Sequence[int], Sequence[int]], bool]
"""(seats that have acted, in order; seats with a forced bet; all seats dealt in) -> is it too late?"""


def two_behind_the_blinds(acted: Sequence[int], forced: Sequence[int], dealt: Sequence[int]) -> bool:
    """Two players after the blinds (in stud: after the forced bet) have acted [R7-3.misdeals.2, HR-misdeals.3].

    Where fewer than two such players are in the hand any two players acting close it: rules 1 and 2 read together.
    """
    behind = [seat for seat in dealt if seat not in forced]
    counting = behind if len(behind) >= 2 else dealt
    return len({seat for seat in acted if seat in counting}) >= 2


def two_players(acted: Sequence[int], forced: Sequence[int], dealt: Sequence[int]) -> bool:
    """Two or more players acting on their hands are substantial action [AU-1.1#substantial]."""
    return len(set(acted)) >= 2


ANSWERS: dict[str, Closed] = {"two-behind-the-blinds": two_behind_the_blinds, "two-players": two_players}
