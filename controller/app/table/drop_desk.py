"""The house's money for the page: what was dropped, by the journal, and counts of the box, which two people sign."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Protocol

from controller.app.table.loop_gateway import DropStanding
from controller.core.protocol.table_error import Refused
from controller.records.drop import DropGrouping, DropRow, ShiftClock
from controller.records.drop_box import DropBox, check_count, check_people, make_count_line
from controller.records.drop_report import DropTable, make_box_table, make_sum_table, render_csv
from controller.runtime.broadcast.delay_agreement import find_person, has_independent_keys
from controller.runtime.journal.recovery.drop_ledger import DropLedger
from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.entry_signature import JournalPosition, Signer, sign_entry
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.staff_store import AuthenticatedPerson, Person
from controller.web.access.authenticator import Principal
from controller.web.pages.drop_page import CountTold

MAX_SHOWN_LINES = 500
"""Lines of a table that a page shows, the newest; a spreadsheet has all."""

RESULT_TIMEOUT_S = 10.0
"""So long the page waits for the table to write a count down; a slow disk needs a tenth of it."""

HOUSE_CLOCK = ShiftClock(None)
"""Hours and shifts by the clock of the machine."""


class JournaledDrop(Protocol):
    """What the journal says."""

    busy_error: type[Exception]

    def read_drop(self, first_session: int) -> DropLedger:
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
        self._ledger_by_key: dict[tuple[object, ...], DropLedger] = {}
        """The last ledger that was read, by how the table stood then."""
        self._count_lock, self._read_lock = threading.Lock(), threading.Lock()

    def describe(self, grouping: DropGrouping, *, only_open: bool, day: date | None) -> Mapping[str, Any]:
        """Say what was dropped and counted; raises `RecoveryError`, `DatabaseError` and `busy_error`."""
        boxes, standing = self._journal.read_boxes(), self._table.describe_drop()
        last = boxes[-1] if boxes else None
        ledger = self._read_ledger(standing, last, only_open=only_open)
        table = make_sum_table(_select_rows(ledger.rows, last, only_open=only_open, day=day), grouping, HOUSE_CLOCK)
        return {
            "sums": _render_table(table),
            "boxes": _render_table(make_box_table(boxes, HOUSE_CLOCK)),
            "counted": [box.to_json() for box in boxes],
            "next": len(boxes) + 1,
            "expected": ledger.count_chips_since(last),
            "open": ledger.open_chips,
            "hand_on": standing.is_hand_on,
            "unreadable": ledger.unreadable,
        }

    def export(self, grouping: DropGrouping, *, only_open: bool, day: date | None) -> str:
        """Say the same for a spreadsheet; raises as `describe`."""
        boxes = self._journal.read_boxes()
        last = boxes[-1] if boxes else None
        ledger = self._read_ledger(self._table.describe_drop(), last, only_open=only_open)
        rows = _select_rows(ledger.rows, last, only_open=only_open, day=day)
        return render_csv([make_sum_table(rows, grouping, HOUSE_CLOCK), make_box_table(boxes, HOUSE_CLOCK)])

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
                last = boxes[-1] if boxes else None
                expected = self._read_ledger(standing, last, only_open=True).count_chips_since(last)
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

    def _read_ledger(self, standing: DropStanding, last: DropBox | None, *, only_open: bool) -> DropLedger:
        """The ledger, of all sessions or of those since the last count; once for each standing of the table."""
        first = last.session if only_open and last is not None else 1
        key = (first, standing)
        with self._read_lock:
            found = self._ledger_by_key.get(key)
            if found is None:
                found = self._journal.read_drop(first)
                self._ledger_by_key = {key: found}
            return found


def _select_rows(rows: Sequence[DropRow], last: DropBox | None, *, only_open: bool, day: date | None) -> list[DropRow]:
    """The hands that were over since the last count, and on a day, where that is asked."""
    since = last.counts[0].counted_at if only_open and last is not None else ""
    on_day = "" if day is None else day.isoformat()
    return [row for row in rows if row.ended_at > since and HOUSE_CLOCK.format_minute(row.ended_at).startswith(on_day)]


def _render_table(table: DropTable) -> dict[str, object]:
    """A table as the page has it."""
    return {
        "title": table.title,
        "columns": table.columns,
        "numbers": sorted(table.number_columns),
        "lines": table.lines[-MAX_SHOWN_LINES:],
        "total": table.total,
        "left_out": max(0, len(table.lines) - MAX_SHOWN_LINES),
    }
