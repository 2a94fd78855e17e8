"""What a table lets itself be heard with, for whoever does not look."""

from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent
from controller.core.protocol.display import Phase, Sound
from controller.core.protocol.events import Undo

STOPPED = (Phase.REMEDY, Phase.HALTED)

PLAYERS = (Phase.BET, Phase.DRAW)
"""While these last the players are at it, and the dealer waits."""


def sound_of(event: AnyEvent, before: Outcome, after: Outcome) -> Sound | None:
    """What is heard when a table that stood as `before` stands as `after` by an event; nothing in the course of play.

    The floor before a stop, a stop before what is due: one is heard, the more urgent.
    """
    if isinstance(event, Undo) or after.amended is not None:
        return Sound.TAKEN_BACK
    was, now = before.phase, after.phase
    if now is not was:
        if now is Phase.FLOOR:
            return Sound.FLOOR
        if now in STOPPED:
            return Sound.STOP
    if after.rulings:
        return Sound.STOP
    dealers = bool(after.plan) and now not in PLAYERS
    return Sound.DUE if dealers and was in (*PLAYERS, Phase.FLOOR) else None
