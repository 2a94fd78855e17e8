"""Who may enter what: what a person enters is looked at here before the journal has it.

A fault may be against it, the floor alone may do it, an amendment may come too late, and what was asked for from
elsewhere may mean something else by now. What is refused here leaves no record.
"""

from dataclasses import dataclass, field

from controller.core.engine.table import Table
from controller.core.protocol.events import AmendmentMade, Event, StepConfirmed
from controller.core.protocol.script_lines import format_line
from controller.core.protocol.table_error import Refused
from controller.core.values.value import replace
from controller.runtime.faults.fault_table import FAULTS, list_latched_faults, make_clear_event
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.fault_alarm import FaultAlarm
from controller.runtime.loop.loop_messages import EntrySubmitted
from controller.runtime.loop.question_alarm import QuestionAlarm, is_clearance
from controller.runtime.loop.signer_keys import SignerKeys
from controller.runtime.loop.table_view import LIVE
from controller.runtime.staff import amendment_permission, entry_signature, floor_permission
from controller.runtime.staff.entry_signature import Signer

POWER_LOST_FAULT = FAULTS["power-lost"]


@dataclass(frozen=True, slots=True)
class AdmittedEntry:
    """An entry that may be made: the event that it comes to, and who signed what for it."""

    event: Event = field(repr=False)
    signer: Signer | None = field(repr=False)


class EntryAdmission:
    """Says at one table, which runs in `mode`, what may be entered; used by the loop's thread alone."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        alarm: FaultAlarm,
        questions: QuestionAlarm,
        keys: SignerKeys,
        mode: str,
    ) -> None:
        self._table = table
        self._journal = journal
        self._fault_alarm = alarm
        self._question_alarm = questions
        self._signer_keys = keys
        self._is_live = mode == LIVE

    def admit(self, entry: EntrySubmitted, time_s: float) -> AdmittedEntry:
        """Return what an entry comes to at the table's second `time_s`; raises `Refused`.

        After a cut of the power in a hand, the first `done` says that the table is as the display shows it. The key of
        a person who is not at the table is in the journal when this returns.
        """
        by, asked = entry.signer, entry.remote_request
        event = self._find_meant_event(entry.event)
        self._refuse_unless_permitted(event, by)
        event = self._table.resolve_event(event)
        if asked is not None and event is not entry.event:
            raise Refused("value", "This means something else at the table now: enter it there.")
        if isinstance(event, AmendmentMade):
            self._refuse_amendment(replace(event, time_s=time_s), by)
        if asked is not None and by is not None:
            self._signer_keys.ensure_recorded(by, entry.source)
        if by is not None and event is not entry.event:
            by = {**by, "said": entry_signature.select_signed_keys(format_line(entry.event))}
        return AdmittedEntry(event, by)

    def _find_meant_event(self, told: Event) -> Event:
        faults = self._table.outcome.state.faults
        if isinstance(told, StepConfirmed) and POWER_LOST_FAULT in list_latched_faults(faults):
            return make_clear_event(POWER_LOST_FAULT.code)
        return told

    def _refuse_unless_permitted(self, event: Event, by: Signer | None) -> None:
        alarm = self._question_alarm if is_clearance(event) else self._fault_alarm
        refused = alarm.find_refusal(event, by)
        if refused is None and self._is_live:
            refused = floor_permission.find_refusal(event, by, self._table.outcome.state)
        if refused is not None:
            raise refused

    def _refuse_amendment(self, event: AmendmentMade, by: Signer | None) -> None:
        as_floor = by if self._is_live else {"role": "floor"}
        entry_number = self._journal.last_entry_number + 1
        if (refused := amendment_permission.find_refusal(self._table, event, as_floor, entry_number)) is not None:
            raise refused
