"""What another rulebook would say to the same event at the same table."""

from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.model.table_memory import TableMemory
from controller.core.model.table_state import TableState
from controller.core.protocol.events import Event
from controller.core.rules.rulebook import Rulebook
from controller.core.values.value import replace


def handle_under_rulebook(book: Rulebook, state: TableState, event: Event) -> Outcome:
    """Let a table that stands at `state` take `event` by `book`; raises `Refused` as that table would."""
    swapped = replace(state, setup=replace(state.setup, rulebook=book))
    if state.hand is not None:
        swapped.hand = replace(state.hand, setup=replace(state.hand.setup, rulebook=book))
    return Table.from_memory(TableMemory(swapped)).handle(event)
