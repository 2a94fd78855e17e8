"""All that a table knows after an entry, as one value: what the entry led to, and what can be put right."""

from controller.core.engine.amendments.hand_history import HandHistory
from controller.core.engine.amendments.undo_stack import UndoStack
from controller.core.model.outcome import Outcome
from controller.core.protocol.table_error import Refused
from controller.core.values.value import Value


class TableStanding(Value):
    """How the table stands, replaced whole with each entry. `line_number`: the last line, taken or refused.

    `refused_act`: in what hand, and after how many of its cards, an act was refused last because no act was due.
    """

    line_number: int = 0
    latest_outcome: Outcome | None = None
    hand_history: HandHistory | None = None
    undo_stack: UndoStack = UndoStack()
    refused_act: tuple[int, int] | None = None

    @property
    def outcome(self) -> Outcome:
        """What the last entry that was taken led to; raises `Refused` (`no-table`)."""
        if self.latest_outcome is None:
            raise _no_table_refusal()
        return self.latest_outcome

    @property
    def history(self) -> HandHistory:
        """What an amendment can reach; raises `Refused` (`no-table`)."""
        if self.hand_history is None:
            raise _no_table_refusal()
        return self.hand_history


def _no_table_refusal() -> Refused:
    return Refused("no-table", "there is no table yet: the first line must be a `table` line.")
