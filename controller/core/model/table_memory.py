"""How a table stands, as far as a start takes it up and a snapshot writes it down."""

from controller.core.model.table_state import TableState
from controller.core.rules.rulings import Ruling
from controller.core.values.value import Value


class TableMemory(Value):
    """How a table stands after an entry, and what was ruled on that entry.

    What can be amended and taken back is no part of it: a start plays the entries again that came since.
    """

    state: TableState
    rulings: tuple[Ruling, ...] = ()
