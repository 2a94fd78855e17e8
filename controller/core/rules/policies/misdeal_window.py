"""From when on can a misdeal no longer be called?"""

from collections.abc import Callable, Sequence

from controller.core.protocol.vocabulary import Do

Acts = Sequence[tuple[int, Do]]
Closed = Callable[[Acts, Sequence[int], Sequence[int]], bool]
"""(seats that have acted in turn, with what they did; seats with a forced bet; all seats dealt in) -> too late?"""

CHIPS_IN = (Do.CALL, Do.BET, Do.RAISE, Do.ALL_IN, Do.COMPLETE, Do.BRING_IN)
"""Acts that put chips in the pot."""


def two_behind_the_blinds(acts: Acts, forced: Sequence[int], dealt: Sequence[int]) -> bool:
    """Two players after the blinds (in stud: after the forced bet) have acted [R7-3.misdeals.2, HR-misdeals.3].

    Where fewer than two such players are in the hand any two players acting close it: rules 1 and 2 read together.
    """
    behind = [seat for seat in dealt if seat not in forced]
    counting = behind if len(behind) >= 2 else dealt
    return len({seat for seat, _ in acts if seat in counting}) >= 2


def two_players(acts: Acts, forced: Sequence[int], dealt: Sequence[int]) -> bool:
    """Two or more players acting on their hands are substantial action [AU-1.1#substantial]."""
    return len({seat for seat, _ in acts}) >= 2


def substantial_action(acts: Acts, forced: Sequence[int], dealt: Sequence[int]) -> bool:
    """Two acts in turn, one of them with chips, or any three; posted blinds are no acts [TDA-36, WSOP-T-88.c]."""
    return len(acts) >= 3 or (len(acts) == 2 and any(do in CHIPS_IN for _, do in acts))


def substantial_action_live(acts: Acts, forced: Sequence[int], dealt: Sequence[int]) -> bool:
    """Three folds, three checks, any two acts but two folds or two checks; behind a bring-in any two [WSOP-L-105]."""
    if any(do is Do.BRING_IN for _, do in acts):
        return two_behind_the_blinds(acts, forced, dealt)
    words = [do for _, do in acts]
    return len(words) >= 3 or (len(words) == 2 and words not in ([Do.FOLD] * 2, [Do.CHECK] * 2))


ANSWERS: dict[str, Closed] = {
    "two-behind-the-blinds": two_behind_the_blinds,
    "two-players": two_players,
    "substantial-action": substantial_action,
    "substantial-action-live": substantial_action_live,
}
