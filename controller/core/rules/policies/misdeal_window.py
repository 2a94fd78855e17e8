"""From when on can a misdeal no longer be called?"""

from collections.abc import Callable, Sequence

from controller.core.protocol.vocabulary import ActionType

Actions = Sequence[tuple[int, ActionType]]
MisdealWindowPolicy = Callable[[Actions, Sequence[int], Sequence[int]], bool]
"""(seats that have acted in turn, with what they did; seats with a forced bet; all seats dealt in) -> too late?"""

CHIP_ACTIONS = (
    ActionType.CALL,
    ActionType.BET,
    ActionType.RAISE,
    ActionType.ALL_IN,
    ActionType.COMPLETE,
    ActionType.BRING_IN,
)
"""Acts that put chips in the pot."""


def is_closed_by_two_behind_blinds(acts: Actions, forced: Sequence[int], dealt: Sequence[int]) -> bool:
    """Two players after the blinds (in stud: after the forced bet) have acted [R7-3.misdeals.2, HR-misdeals.3].

    Where fewer than two such players are in the hand any two players acting close it: rules 1 and 2 read together.
    """
    behind = [seat for seat in dealt if seat not in forced]
    counting = behind if len(behind) >= 2 else dealt
    return len({seat for seat, _ in acts if seat in counting}) >= 2


def is_closed_by_two_players(acts: Actions, forced: Sequence[int], dealt: Sequence[int]) -> bool:
    """Two or more players acting on their hands are substantial action [AU-1.1#substantial]."""
    return len({seat for seat, _ in acts}) >= 2


def is_closed_by_substantial_action(acts: Actions, forced: Sequence[int], dealt: Sequence[int]) -> bool:
    """Two acts in turn, one of them with chips, or any three; posted blinds are no acts [TDA-36, WSOP-T-88.c]."""
    return len(acts) >= 3 or (len(acts) == 2 and any(do in CHIP_ACTIONS for _, do in acts))


def is_closed_by_substantial_live_action(acts: Actions, forced: Sequence[int], dealt: Sequence[int]) -> bool:
    """Three folds, three checks, any two acts but two folds or two checks; behind a bring-in any two [WSOP-L-105]."""
    if any(do is ActionType.BRING_IN for _, do in acts):
        return is_closed_by_two_behind_blinds(acts, forced, dealt)
    words = [do for _, do in acts]
    return len(words) >= 3 or (len(words) == 2 and words not in ([ActionType.FOLD] * 2, [ActionType.CHECK] * 2))


POLICY_BY_NAME: dict[str, MisdealWindowPolicy] = {
    "two-behind-the-blinds": is_closed_by_two_behind_blinds,
    "two-players": is_closed_by_two_players,
    "substantial-action": is_closed_by_substantial_action,
    "substantial-action-live": is_closed_by_substantial_live_action,
}
