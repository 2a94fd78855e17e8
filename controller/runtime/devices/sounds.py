"""What a table lets itself be heard with, for whoever does not look."""

from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent
from controller.core.protocol.events import EntryUndone
from controller.core.protocol.table_display import Phase, Sound

STOPPED_PHASES = (Phase.REMEDY, Phase.HALTED)

PLAYER_PHASES = (Phase.BET, Phase.DRAW)
"""While these last the players are at it, and the dealer waits."""


def choose_sound(event: AnyEvent, before: Outcome, after: Outcome) -> Sound | None:
    """What is heard when a table that stood as `before` stands as `after` by an event; nothing in the course of play.

    The floor before a stop, a stop before what is due: one is heard, the more urgent.
    """
    if isinstance(event, EntryUndone) or after.amendment_effect is not None:
        return Sound.TAKEN_BACK
    was, now = before.phase, after.phase
    if now is not was:
        if now is Phase.FLOOR:
            return Sound.FLOOR
        if now in STOPPED_PHASES:
            return Sound.STOP
    if after.rulings:
        return Sound.STOP
    dealers = bool(after.plan) and now not in PLAYER_PHASES
    return Sound.DUE if dealers and was in (*PLAYER_PHASES, Phase.FLOOR) else None
