"""What a page asks of the house's money, and the answer out of the journal, made in the process that has read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Self

from controller.records.drop import DropGrouping, ShiftClock
from controller.records.drop_box import DropBox
from controller.records.drop_report import make_box_table, make_sum_table, render_csv, render_table, select_rows
from controller.runtime.journal.recovery.drop_ledger import DropLedger

HOUSE_CLOCK = ShiftClock(None)
"""Hours and shifts by the clock of the machine."""


@dataclass(frozen=True, slots=True)
class DropQuestion:
    """By what to sum up which hands. `box_count`: so many boxes are known; what should be in the next is told."""

    grouping: DropGrouping
    box_count: int
    only_open: bool = False
    day: date | None = None
    is_csv: bool = False

    @classmethod
    def from_words(cls, words: Sequence[str]) -> Self:
        """Read what `to_words` wrote; raises `ValueError`."""
        by, count, is_open, day, is_csv = words
        on = date.fromisoformat(day) if day else None
        return cls(DropGrouping(by), int(count), only_open=bool(is_open), day=on, is_csv=bool(is_csv))

    def to_words(self) -> tuple[str, ...]:
        """Write it for another process."""
        day = "" if self.day is None else self.day.isoformat()
        return (
            self.grouping.value, str(self.box_count), "1" if self.only_open else "", day, "1" if self.is_csv else "",
        )  # fmt: skip


def answer_question(wanted: DropQuestion, ledger: DropLedger, boxes: Sequence[DropBox]) -> dict[str, Any]:
    """The sums, what should be in the box that is open, and what is in no row; or all of it for a spreadsheet."""
    known = boxes[: wanted.box_count]
    last = known[-1] if known else None
    rows = select_rows(ledger.rows, last, HOUSE_CLOCK, only_open=wanted.only_open, day=wanted.day)
    table = make_sum_table(rows, wanted.grouping, HOUSE_CLOCK)
    if wanted.is_csv:
        return {"csv": render_csv([table, make_box_table(known, HOUSE_CLOCK)])}
    return {
        "sums": render_table(table),
        "expected": ledger.count_chips_since(last),
        "open": ledger.open_chips,
        "unreadable": ledger.unreadable,
    }
