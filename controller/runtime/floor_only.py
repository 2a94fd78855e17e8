"""What only the floor may do at a live table, whoever sends it: a page, a key of the panel, another program."""

from collections.abc import Mapping

from controller.core.errors import Refused
from controller.core.events import Event, Floor, Undo
from controller.core.state import State
from controller.runtime.authority import Role


def refusal(event: Event, by: Mapping[str, object] | None, state: State) -> Refused | None:
    """Say why an entry is not taken from `by` (who signed it; `None`: nobody did); `None` where it may be."""
    if by is not None and by.get("role") == Role.FLOOR.value:
        return None
    if isinstance(event, Floor):
        return Refused("floor-only", "Only the floor decides: the floor signs in on the page and decides there.")
    if isinstance(event, Undo) and state.previous is not None and isinstance(state.previous.event, Floor):
        return Refused("floor-only", "The floor decided this: only the floor takes it back, signed in on the page.")
    return None
