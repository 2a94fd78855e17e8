"""The house's money for the page: what was dropped, by the journal, and counts of the box, which two people sign."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Protocol

from controller.app.table.loop_gateway import DropStanding
from controller.app.table.past_drop import HOUSE_CLOCK, DropQuestion
from controller.core.protocol.table_error import Refused
from controller.records.drop import DropGrouping
from controller.records.drop_box import DropBox, check_count, check_people, make_count_line
from controller.records.drop_report import make_box_table, render_table
from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.entry_signature import JournalPosition, Signer, sign_entry
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.staff_store import AuthenticatedPerson, Person
from controller.runtime.staff.two_signers import find_person, has_independent_keys
from controller.web.access.authenticator import Principal
from controller.web.pages.drop_page import CountTold

MAX_KEPT_ANSWERS = 16
"""Answers of the journal that are kept while the table stands as it did."""

RESULT_TIMEOUT_S = 10.0
"""So long the page waits for the table to write a count down; a slow disk needs a tenth of it."""


class JournaledDrop(Protocol):
    """What the journal says."""

    busy_error: type[Exception]

    def read_drop(self, wanted: DropQuestion) -> Mapping[str, Any]:
        """As `PastHands.read_drop`."""
        ...

    def read_boxes(self) -> tuple[DropBox, ...]:
        """As `PastHands.read_boxes`."""
        ...


class AccountedTable(Protocol):
    """The table that runs."""

    @property
    def journal_position(self) -> JournalPosition:
        """Where its journal is."""
        ...

    def describe_drop(self) -> DropStanding:
        """How its account stands."""
        ...

    def count_box(
        self,
        line: Mapping[str, object],
        account: int,
        by: tuple[Signer, ...],
        on_result: Callable[[Refused | None], None],
    ) -> bool:
        """As `LoopGateway.count_box`."""
        ...


class WatchingStaff(Protocol):
    """The people of the house."""

    def sign_in(self, name: str, pin: str) -> AuthenticatedPerson:
        """Return who that is; raises `AdmissionError`."""
        ...

    def list_people(self) -> Sequence[Person]:
        """Everybody who is enrolled."""
        ...


class DropDesk:
    """What was dropped at one table, and its boxes; safe to use from any thread. `staff` is `None` at a showroom."""

    def __init__(
        self,
        journal: JournaledDrop,
        table: AccountedTable,
        staff: WatchingStaff | None,
        shown: Callable[[], int | None],
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.busy_error = journal.busy_error
        self._journal = journal
        self._table = table
        self._staff = staff
        self._find_shown_entry = shown
        self._wall_clock = wall
        self._standing: DropStanding | None = None
        self._answer_by_question: dict[DropQuestion, Mapping[str, Any]] = {}
        """What was read while the table stood so."""
        self._count_lock, self._read_lock = threading.Lock(), threading.Lock()

    def describe(self, grouping: DropGrouping, *, only_open: bool, day: date | None) -> Mapping[str, Any]:
        """Say what was dropped and counted; raises `RecoveryError`, `DatabaseError` and `busy_error`."""
        boxes, standing = self._journal.read_boxes(), self._table.describe_drop()
        told = self._read(standing, DropQuestion(grouping, len(boxes), only_open=only_open, day=day))
        return {
            "sums": told["sums"],
            "boxes": render_table(make_box_table(boxes, HOUSE_CLOCK)),
            "counted": [box.to_json() for box in boxes],
            "next": len(boxes) + 1,
            "expected": told["expected"],
            "open": told["open"],
            "hand_on": standing.is_hand_on,
            "unreadable": told["unreadable"],
        }

    def export(self, grouping: DropGrouping, *, only_open: bool, day: date | None) -> str:
        """Say the same for a spreadsheet; raises as `describe`."""
        question = DropQuestion(grouping, len(self._journal.read_boxes()), only_open=only_open, day=day, is_csv=True)
        return str(self._journal.read_drop(question)["csv"])

    def count(self, told: CountTold, who: Principal) -> None:
        """Write a count down that `who` made and another watched, whose PIN is right.

        Raises `Refused` and `AdmissionError`, and as `describe`.
        """
        with self._count_lock:
            boxes, standing = self._journal.read_boxes(), self._table.describe_drop()
            known = next((box for box in boxes if box.number == told.box), None)
            if told.reason and known is not None:
                expected = known.expected_chips
            else:
                question = DropQuestion(DropGrouping.SHIFT, len(boxes), only_open=True)
                expected = self._read(standing, question)["expected"]
            line = make_count_line(told.box, expected, told.counted, told.reason)
            check_count(line, boxes, is_hand_on=standing.is_hand_on)
            if not told.reason and told.expected != expected:
                raise Refused("not-now", "Something was dropped meanwhile: look again at what should be in the box.")
            check_people(who.name or "", told.watcher)
            self._write_down(line, standing, self._make_signers(line, told, who))

    def _write_down(self, line: Mapping[str, object], standing: DropStanding, signers: tuple[Signer, ...]) -> None:
        answered, answers = threading.Event(), list[Refused | None]()

        def receive_result(refused: Refused | None) -> None:
            answers.append(refused)
            answered.set()

        taken = self._table.count_box(line, standing.account_chips, signers, receive_result)
        if not taken or not answered.wait(RESULT_TIMEOUT_S):
            raise AdmissionError(
                RefusalCode.TOO_MUCH, "The table is slow: look at the list whether the count is there, then go on.", 1
            )
        if (refused := answers[0]) is not None:
            raise refused

    def _make_signers(self, line: Mapping[str, object], told: CountTold, who: Principal) -> tuple[Signer, ...]:
        """Who counted and who watched, each with a signature; at a showroom nobody signs."""
        if who.person is None or self._staff is None:
            return ({"name": who.name or "showroom", "role": Role.FLOOR.value}, {"name": told.watcher, "role": ""})
        watching = self._staff.sign_in(told.watcher, told.pin)
        check_people(who.person.name, watching.name)
        signers = (self._sign(who.person, line), self._sign(watching, line))
        people = self._staff.list_people()
        counter, watcher = (find_person(by, people) for by in signers)
        if counter and watcher and not has_independent_keys(counter, watcher, self._wall_clock()):
            raise AdmissionError(
                RefusalCode.NOT_NOW,
                f"{counter.name} and {watcher.name} cannot count together: one of them enrolled the other, or gave "
                "them a new PIN, less than 24 hours ago. Somebody else has to watch.",
            )
        return signers

    def _sign(self, person: AuthenticatedPerson, line: Mapping[str, object]) -> Signer:
        place, seen = self._table.journal_position, self._find_shown_entry() or 0
        return sign_entry(person.signing_key, person.name, person.role.value, line, seen, place)

    def _read(self, standing: DropStanding, wanted: DropQuestion) -> Mapping[str, Any]:
        """What the journal says, once for each standing of the table."""
        with self._read_lock:
            if self._standing != standing or len(self._answer_by_question) >= MAX_KEPT_ANSWERS:
                self._standing, self._answer_by_question = standing, {}
            if wanted not in self._answer_by_question:
                self._answer_by_question[wanted] = self._journal.read_drop(wanted)
            return self._answer_by_question[wanted]
