"""What a technician wants lamps and gate to show, as the drivers are told it: an outcome."""

from config.setup import open_table
from config.table_file import TableFile
from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.protocol.display import Lamps
from controller.core.protocol.errors import Refused


class Showing:
    """Makes outcomes of a table at which nobody plays. Raises `ConfigError` when the table cannot be set up."""

    def __init__(self, file: TableFile) -> None:
        try:
            self._state = Table().handle(open_table(file.table)).state
        except Refused as error:
            raise file.error(error.message, "table") from error

    def outcome(self, lamps: Lamps | None = None, *, gate_open: bool = False) -> Outcome:
        """Show these lamps and the gate so. What an outcome derives from its state is given here instead."""
        outcome = Outcome(self._state)
        outcome.__dict__.update(lamps=lamps or Lamps(), gate_open=gate_open)
        return outcome
