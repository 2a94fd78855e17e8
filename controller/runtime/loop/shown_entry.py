"""What the entries so far have left to be shown: the last one's line, the last rulings, the last refusal."""

from collections.abc import Mapping

from controller.core.engine.amendments.hand_history import HandHistory
from controller.core.engine.output.outcome_rendering import render_ruling
from controller.core.protocol.events import EntryUndone, TimePassed
from controller.core.protocol.table_error import Refused
from controller.runtime.faults.fault_table import CONTROLLER_SOURCE
from controller.runtime.journal.entry_result import list_shown_rulings
from controller.runtime.journal.recovery.journal_replay import RecoveredTable
from controller.runtime.loop.processed_entry import ProcessedEntry
from controller.runtime.loop.table_view import RefusedEntry
from controller.runtime.loop.tournament_timer import CLOCK_SOURCE


class ShownEntry:
    """Follows the table of `recovered`, whose journal ends with entry `last_entry`.

    `power_lost`: the run before was cut short, which is shown until something is entered. Written here alone.
    """

    def __init__(self, recovered: RecoveredTable, last_entry: int, *, power_lost: bool) -> None:
        if recovered.last_result is None:
            raise ValueError("a table without an entry cannot run")
        self.output_line: Mapping[str, object] = recovered.last_result.to_output_line()
        self.entry_number = last_entry
        """Number of the last entry that was news: a mark of the timer makes no touch of a page come too late."""
        self.rulings = recovered.rulings
        self.rulings_hand = recovered.rulings_hand
        self.is_ruling_taken_back = self._is_taken_back_in(recovered.table.history)
        self.refusal: RefusedEntry | None = None
        self.power_lost = self._run_before_was_cut = power_lost

    def on_entry(self, processed: ProcessedEntry) -> None:
        """Take what is to be shown of an entry."""
        self.output_line, error = processed.output_line, processed.error
        self.power_lost = self.power_lost and processed.source in (CLOCK_SOURCE, CONTROLLER_SOURCE)
        if processed.source != CONTROLLER_SOURCE:
            self.refusal = None if error is None else RefusedEntry(error.code, error.message, processed.source)
        rulings = list_shown_rulings(self.output_line)
        if rulings and error is None:
            self.rulings = rulings
            self.rulings_hand = processed.outcome.state.hand_count
            self.is_ruling_taken_back = False
        elif isinstance(processed.event, EntryUndone) and error is None:
            self.is_ruling_taken_back = self._is_taken_back_in(processed.history)
        if not isinstance(processed.event, TimePassed) or processed.outcome.rulings:
            self.entry_number = processed.entry_number

    def _is_taken_back_in(self, history: HandHistory) -> bool:
        """Say whether no entry that stands made the rulings; not where the history does not reach so far back."""
        made = list(map(dict, self.rulings))
        if not made or "put_right" in made[0] or history.base_state.hand_count >= self.rulings_hand:
            return False
        return not any(each.rulings and list(map(render_ruling, each.rulings)) == made for each in history.entries)

    def on_entry_refused(self, refused: Refused, source: str) -> None:
        """Take a refusal that kept an entry from the table."""
        self.refusal = RefusedEntry(refused.code, refused.message, source)

    def on_started(self) -> None:
        """Take it that the start is over: what it has entered itself was nobody's entry."""
        self.power_lost = self._run_before_was_cut
