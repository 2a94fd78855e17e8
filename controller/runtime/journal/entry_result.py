"""One event, handled and answered: the same for the live table, its recovery and the check of a journal."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.core.engine.output import outcome_rendering
from controller.core.engine.output.amendment_sentence import select_due_steps
from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent
from controller.core.protocol.table_error import Refused
from controller.runtime.journal.proof.output_digest import compute_output_digest
from controller.runtime.service.crash_log import describe_failure

INTERNAL_FAULT_CODE = "internal-fault"
"""The refusal code of an entry on which the program itself failed."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EntryResult:
    """What the table answered to entry `entry_number`; `error` is set when it was refused, and nothing has changed."""

    entry_number: int
    outcome: Outcome
    error: Refused | None

    def to_output_line(self) -> dict[str, object]:
        """Write the output line of the table script, as a live table may publish it."""
        return outcome_rendering.render_outcome(self.outcome, self.entry_number, self.error, live=True)

    def compute_digest(self, output: Mapping[str, object]) -> str:
        """Fingerprint what matters in the output line, for the journal."""
        return compute_output_digest(output)


def list_shown_rulings(output: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The rulings of an output line, kept to be shown; that of an amendment has what its sentence is made of."""
    rulings = tuple(output.get("rulings", ()))
    if not rulings or "amended" not in output:
        return rulings
    put_right = {"amended": output["amended"], "due": select_due_steps(output["next"])}
    return ({**rulings[0], "put_right": put_right}, *rulings[1:])


def handle_entry(table: Table, event: AnyEvent, entry: int) -> EntryResult:
    """Let the table handle an event.

    A failure of the program is answered like a refusal: the core replaces its state only when an event went through,
    so the table stands as before, here and in every recovery. It is told apart by its code, logged without the
    values that it was working on, and shown until the program ends.
    """
    try:
        return EntryResult(entry, table.handle(event, entry), None)
    except Refused as error:
        return EntryResult(entry, table.outcome, error)
    except Exception as failure:
        log.error(
            "the table failed on entry %d: %s", entry, describe_failure(failure)
        )  # no traceback: it may hold cards
        return make_failed_result(table, entry)


def make_failed_result(table: Table, entry: int) -> EntryResult:
    """Answer an entry on which the program failed: the table stands as before it.

    A recovery takes this answer from the record, because a program that has been mended would give another.
    """
    message = f"The program failed on entry {entry}; the table stands as before it. Tell the technician."
    return EntryResult(entry, table.outcome, Refused(INTERNAL_FAULT_CODE, message))
