"""Enters the faults of a table: what `latch` decides becomes entries, notices and lines of the log.

Part of the loop, and used by its thread alone. An entry goes the way of every event (`take`), so that the core halts,
the gate shuts and the journal keeps it.
"""

import logging
from collections.abc import Callable, Sequence

from controller.core.model.outcome import Outcome
from controller.core.protocol import events
from controller.core.protocol.table_error import Refused
from controller.core.values.plurals import pluralize
from controller.runtime.faults.fault_latches import FaultLatches
from controller.runtime.faults.fault_table import (
    CONTROLLER_SOURCE,
    FAULTS,
    Fault,
    list_latched_faults,
    make_clear_event,
    make_raise_event,
)
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.faults.self_check import (
    CLOCK_UNSET_FAULT,
    DISK_LOW_FAULT,
    LOW_FREE_BYTES,
    MIN_FREE_BYTES,
    SELF_CHECK_FAULT,
    SelfCheckResult,
    SelfCheckRunner,
    find_remaining_cause,
)
from controller.runtime.journal.entry_result import INTERNAL_FAULT_CODE
from controller.runtime.loop.processed_entry import ProcessedEntry
from controller.runtime.staff.entry_signature import Signer

EventSink = Callable[[events.Event, str, float], object]
log = logging.getLogger(__name__)


class FaultAlarm:
    """The faults of one table, whose outcome `outcome` returns. `anybody`: see `FaultLatches`."""

    def __init__(
        self,
        take: EventSink,
        notice: Callable[[Notice], None],
        outcome: Callable[[], Outcome],
        *,
        anybody: bool,
        check: SelfCheckRunner | None,
    ) -> None:
        self._enter_event = take
        self._add_notice = notice
        self._read_outcome = outcome
        self._run_self_check = check
        self._warned_of_space = False
        self._latches = FaultLatches(anybody=anybody, still=self._find_remaining_cause)

    @property
    def hand_in_progress(self) -> bool:
        """Whether a hand is on."""
        return self._read_outcome().state.is_hand_on

    def on_start(self, at: float, *, power_lost: bool) -> None:
        """Check the program, and take up what a cut of the power leaves to be done."""
        if self._run_self_check is not None:
            self.apply_self_check(self._run_self_check(), "self-check", at)
        if not power_lost:
            return
        text = "The controller was cut short. Compare the table with this page."
        self._add_notice(Notice(NoticeCode.POWER_LOST, CONTROLLER_SOURCE, text))
        self.latch_faults(
            [
                *(["power-lost"] if self.hand_in_progress else []),
                *self._latches.find_faults_at_power_loss(self._read_outcome()),
            ],
            at,
        )

    def find_refusal(self, event: events.Event, by: Signer | None) -> Refused | None:
        """Say why what a person enters is not taken because of a fault."""
        return self._latches.find_refusal(event, by, self._read_outcome().state)

    def on_entry(self, processed: ProcessedEntry) -> None:
        """Raise what follows from the table's answer to an event."""
        event, error, at = processed.event, processed.error, processed.received_at
        if error is None:
            found = self._latches.on_entry(event, processed.outcome, processed.history)
            self.latch_faults([fault.code for fault in found], at)
        elif error.code == INTERNAL_FAULT_CODE:
            if isinstance(event, events.DeviceChanged):
                raise RuntimeError("the table cannot even be halted, so it ends")
            self.latch_faults(["program-fault"], at)

    def on_shoe_events_missed(self, at: float) -> None:
        """Take it that a sensor of the shoe may have seen what nobody heard of."""
        if self.hand_in_progress:
            self.latch_faults(["events-missed"], at)

    def on_messages_dropped(self, source: str, count: int, at: float) -> None:
        """Take it that messages of `source` were dropped: it sent too much, or the queue was full."""
        text = f"{pluralize(count, 'message')} dropped: more came than the controller can take."
        self._add_notice(Notice(NoticeCode.EVENTS_MISSED, source, text))
        self.latch_faults(["queue-full"], at)

    def apply_self_check(self, results: Sequence[SelfCheckResult], source: str, at: float) -> None:
        """Raise the faults that a self-check found, and end those that it proves gone."""
        for result in results:
            log.log(
                logging.INFO if result.fault_code is None else logging.ERROR,
                "self-check, %s: %s",
                result.subject,
                result.text,
            )
            if result.fault_code is not None:
                code = (
                    NoticeCode.CLOCK_UNSET if result.fault_code == CLOCK_UNSET_FAULT else NoticeCode.SELF_CHECK_FAILED
                )
                self._add_notice(Notice(code, CONTROLLER_SOURCE, f"Self-check, {result.subject}: {result.text}."))
        found = [
            result.fault_code
            for result in results
            if result.fault_code is not None and FAULTS[result.fault_code].latches
        ]
        for fault in list_latched_faults(self._read_outcome().state.faults):
            if fault.is_proved_by_self_check and fault.code not in found:
                self._enter_event(make_clear_event(fault.code), source, at)
        self.latch_faults(found, at)

    def check_free_space(self, free: int | None, at: float) -> bool:
        """Take how many bytes are free for the journal: warn in time, and later begin no hand.

        `None`: nobody can say. Return whether there is a notice that was not there before.
        """
        if free is None or free < MIN_FREE_BYTES:
            self.latch_faults([SELF_CHECK_FAULT if free is None else DISK_LOW_FAULT], at)
            return False
        was_warned, self._warned_of_space = self._warned_of_space, free < LOW_FREE_BYTES
        if was_warned or not self._warned_of_space:
            return False
        least = MIN_FREE_BYTES // 1_000_000
        text = f"{free / 1e6:.0f} MB are free for the journal; below {least} MB no hand begins."
        self._add_notice(Notice(NoticeCode.DISK_FILLING, CONTROLLER_SOURCE, text))
        return True

    def latch_faults(self, codes: Sequence[str], at: float) -> None:
        """Enter the faults that are not up yet, each as an entry of its own."""
        for fault in self._latches.filter_new_faults(codes, self._read_outcome().state):
            log.error("fault %s: %s", fault.code, fault.text)
            self._enter_event(make_raise_event(fault.code), CONTROLLER_SOURCE, at)

    def _find_remaining_cause(self, fault: Fault) -> str | None:
        """Why a fault that the self-check can prove is not over."""
        return None if self._run_self_check is None else find_remaining_cause(self._run_self_check(), fault.code)
