"""What a table lets itself be heard with, for whoever does not look."""

from controller.core.model.outcome import Outcome
from controller.core.protocol.facts import EntryAmended, EntryTakenBack, PhaseChanged
from controller.core.protocol.table_display import Phase, Sound

STOPPED_PHASES = (Phase.REMEDY, Phase.HALTED)

PLAYER_PHASES = (Phase.BET, Phase.DRAW)
"""While these last the players are at it, and the dealer waits."""


def choose_sound(outcome: Outcome) -> Sound | None:
    """What is heard when an entry comes to `outcome`; nothing in the course of play.

    The floor before a stop, a stop before what is due: one is heard, the more urgent.
    """
    if outcome.has_fact(EntryTakenBack, EntryAmended):
        return Sound.TAKEN_BACK
    changes = [fact for fact in outcome.facts if isinstance(fact, PhaseChanged)]
    was, now = (changes[0].previous, changes[-1].current) if changes else (None, None)
    if now is not was:
        if now is Phase.FLOOR:
            return Sound.FLOOR
        if now in STOPPED_PHASES:
            return Sound.STOP
    if outcome.rulings:
        return Sound.STOP
    is_dealers_turn = now not in (None, Phase.IDLE, *PLAYER_PHASES)
    return Sound.DUE if is_dealers_turn and was in (*PLAYER_PHASES, Phase.FLOOR) else None
