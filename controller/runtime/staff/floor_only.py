"""What only the floor may do at a live table, whoever sends it: a page, a key of the panel, another program."""

from collections.abc import Mapping

from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import (
    Event,
    Floor,
    Halt,
    HandForHand,
    LastHands,
    Penalty,
    Report,
    Undo,
)
from controller.core.protocol.steps import Say
from controller.core.protocol.vocabulary import What
from controller.runtime.staff.authority import Role


def refusal(event: Event, by: Mapping[str, object] | None, state: State) -> Refused | None:
    """Say why an entry is not taken from `by` (who signed it; `None`: nobody did); `None` where it may be."""
    if by is not None and by.get("role") == Role.FLOOR.value:
        return None
    if isinstance(event, Floor):
        return Refused("floor-only", "Only the floor decides: the floor signs in on the page and decides there.")
    if isinstance(event, Penalty):
        return Refused("floor-only", "Only the floor gives a penalty: the floor signs in on the page.")
    if isinstance(event, HandForHand | LastHands | Halt):
        return Refused("floor-only", "Only the floor holds play up and lets it go on: the floor signs in on the page.")
    if isinstance(event, Report) and event.witnessed:
        return Refused("floor-only", "Only the floor says that it has seen a card lie open: leave `witnessed` out.")
    if isinstance(event, Undo) and state.undo.by_floor:
        return Refused("floor-only", "The floor decided this: only the floor takes it back, signed in on the page.")
    if isinstance(event, Report) and event.what is What.MISREAD and not _is_asked(event, state):
        return Refused("floor-only", "Only the floor says that a card is another than the shoe read.")
    return None


def _is_asked(event: Report, state: State) -> bool:
    """Whether the table itself asks what the card is, which it could not read."""
    return any(isinstance(step, Say) and event.what.value in step.options for step in state.plan)
