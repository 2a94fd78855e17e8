"""What another rulebook would say to the same event at the same table."""

from controller.core.engine.table import Table
from controller.core.model.kept import Kept
from controller.core.model.outcome import Outcome
from controller.core.model.state import State
from controller.core.protocol.events import Event
from controller.core.rules.rulebook import Rulebook
from controller.core.values.value import replace


def under(book: Rulebook, state: State, event: Event) -> Outcome:
    """Let a table that stands at `state` take `event` by `book`; raises `Refused` as that table would."""
    swapped = replace(state, setup=replace(state.setup, rulebook=book))
    if state.hand is not None:
        swapped.hand = replace(state.hand, setup=replace(state.hand.setup, rulebook=book))
    return Table.at(Kept(swapped)).handle(event)
