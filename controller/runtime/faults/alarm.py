"""Enters the faults of a table: what `latch` decides becomes entries, notices and lines of the log.

Part of the loop, and used by its thread alone. An entry goes the way of every event (`take`), so that the core halts,
the gate shuts and the journal keeps it.
"""

import logging
from collections.abc import Callable, Sequence

from controller.core.model.outcome import Outcome
from controller.core.protocol import events
from controller.core.protocol.display import Phase
from controller.core.protocol.errors import Refused
from controller.core.values.counted import counted
from controller.runtime.faults.faults import FAULTS, Fault, cleared, latched, raised
from controller.runtime.faults.latch import Latches
from controller.runtime.faults.self_check import (
    CLOCK_UNSET,
    DISK_LOW,
    FEW_FREE_BYTES,
    LEAST_FREE_BYTES,
    SELF_CHECK,
    Check,
    Result,
    why_not,
)
from controller.runtime.loop.notices import Code, Notice
from controller.runtime.loop.ruling import FAULT, Answer
from controller.runtime.staff.signature import By

OWN = "controller"
"""The source of what the controller enters by itself."""

Take = Callable[[events.Event, str, float], object]
log = logging.getLogger(__name__)


class Alarm:
    """The faults of one table, whose outcome `outcome` returns. `anybody`: see `Latches`."""

    def __init__(
        self,
        take: Take,
        notice: Callable[[Notice], None],
        outcome: Callable[[], Outcome],
        *,
        anybody: bool,
        check: Check | None,
    ) -> None:
        self._take = take
        self._notice = notice
        self._outcome = outcome
        self._check = check
        self._warned_of_room = False
        self._latches = Latches(anybody=anybody, still=self._still)

    @property
    def in_hand(self) -> bool:
        """Whether a hand is on."""
        return self._outcome().state.planned_phase is not Phase.IDLE

    def at_start(self, at: float, *, power_lost: bool) -> None:
        """Check the program, and take up what a cut of the power leaves to be done."""
        if self._check is not None:
            self.judge(self._check(), "self-check", at)
        if not power_lost:
            return
        text = "The controller was cut short. Compare the table with this page."
        self._notice(Notice(Code.POWER_LOST, OWN, text))
        self.latch([*(["power-lost"] if self.in_hand else []), *self._latches.cut_off(self._outcome())], at)

    def refusal(self, event: events.Event, by: By | None) -> Refused | None:
        """Say why what a person enters is not taken because of a fault."""
        return self._latches.refusal(event, by, self._outcome().state)

    def after(self, event: events.Event, given: Answer, at: float, *, in_hand: bool) -> None:
        """Raise what follows from the table's answer to an event; `in_hand`: a hand was on before it."""
        if given.error is None:
            self.latch([fault.code for fault in self._latches.after(event, given.outcome, in_hand=in_hand)], at)
        elif given.error.code == FAULT:
            if isinstance(event, events.Device):
                raise RuntimeError("the table cannot even be halted, so it ends")
            self.latch(["program-fault"], at)

    def missed(self, at: float) -> None:
        """Take it that a sensor of the shoe may have seen what nobody heard of."""
        if self.in_hand:
            self.latch(["events-missed"], at)

    def dropped(self, source: str, count: int, at: float) -> None:
        """Take it that messages of `source` were dropped: it sent too much, or the queue was full."""
        text = f"{counted(count, 'message')} dropped: more came than the controller can take."
        self._notice(Notice(Code.EVENTS_MISSED, source, text))
        self.latch(["queue-full"], at)

    def judge(self, results: Sequence[Result], source: str, at: float) -> None:
        """Raise the faults that a self-check found, and end those that it proves gone."""
        for result in results:
            log.log(
                logging.INFO if result.fault is None else logging.ERROR,
                "self-check, %s: %s",
                result.about,
                result.text,
            )
            if result.fault is not None:
                code = Code.CLOCK_UNSET if result.fault == CLOCK_UNSET else Code.SELF_CHECK
                self._notice(Notice(code, OWN, f"Self-check, {result.about}: {result.text}."))
        found = [result.fault for result in results if result.fault is not None and FAULTS[result.fault].latches]
        for fault in latched(self._outcome().state.down):
            if fault.by_self_check and fault.code not in found:
                self._take(cleared(fault.code), source, at)
        self.latch(found, at)

    def room(self, free: int | None, at: float) -> bool:
        """Take how many bytes are free for the journal: warn in time, and later begin no hand.

        `None`: nobody can say. Return whether there is a notice that was not there before.
        """
        if free is None or free < LEAST_FREE_BYTES:
            self.latch([SELF_CHECK if free is None else DISK_LOW], at)
            return False
        was_warned, self._warned_of_room = self._warned_of_room, free < FEW_FREE_BYTES
        if was_warned or not self._warned_of_room:
            return False
        least = LEAST_FREE_BYTES // 1_000_000
        text = f"{free / 1e6:.0f} MB are free for the journal; below {least} MB no hand begins."
        self._notice(Notice(Code.DISK_FILLS, OWN, text))
        return True

    def latch(self, codes: Sequence[str], at: float) -> None:
        """Enter the faults that are not up yet, each as an entry of its own."""
        for fault in self._latches.new(codes, self._outcome().state):
            log.error("fault %s: %s", fault.code, fault.text)
            self._take(raised(fault.code), OWN, at)

    def _still(self, fault: Fault) -> str | None:
        """Why a fault that the self-check can prove is not over."""
        return None if self._check is None else why_not(self._check(), fault.code)
