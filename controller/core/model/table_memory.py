"""All that makes a table what it is: what a start takes up and a snapshot writes down."""

from controller.core.model.table_state import TableState
from controller.core.rules.rulings import Ruling
from controller.core.values.value import Value


class TableMemory(Value):
    """How a table stands, the rulings that were made last, and the states to which `undo` leads, the last entry last.

    `base_state`: how it stood after entry `base_line`, from which on what was entered can be put right.
    Whatever a table must have again after a restart is a field here, with a default; its annotation is its form on disk
    (`controller/runtime/journal/recovery/snapshot.py`).
    """

    state: TableState
    rulings: tuple[Ruling, ...] = ()
    undo_states: tuple[TableState, ...] = ()
    base_state: TableState | None = None
    base_line: int = 0
