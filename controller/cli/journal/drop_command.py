"""`tablectl drop`: what the house took, summed up in several ways, and the boxes as they were counted."""

import argparse
import json
import sys
from datetime import UTC, date, time
from functools import partial
from pathlib import Path

from config.config_error import ConfigError
from config.table_line import parse_table_line
from controller.cli.journal.journal_loss import report_loss
from controller.cli.table_options import JOURNAL_OPTIONS, find_state_and_library
from controller.command_table import JSON, Command, Option
from controller.records.drop import DEFAULT_SHIFT_STARTS, DropGrouping, DropRow, ShiftClock, sum_drop
from controller.records.drop_box import DropBox
from controller.records.drop_report import (
    UNKNOWN,
    DropTable,
    make_box_table,
    make_sum_table,
    render_csv,
    render_sheet,
)
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.recovery.drop_ledger import DropLedger, read_boxes, read_drop
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import JOURNAL_FILE


def _parse_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write it as 2026-01-31") from None


def _parse_shifts(text: str) -> tuple[time, ...]:
    try:
        return tuple(sorted({time.fromisoformat(part.strip()) for part in text.split(",")}))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} says no times; write them as 06:00,14:00,22:00") from None


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 the journal cannot be read, 2 the configuration cannot."""
    journal: JournalReader | None = None
    try:
        directory, library = find_state_and_library(options)
        journal = JournalReader.open(directory / JOURNAL_FILE)
        boxes = read_boxes(journal)
        ledger = read_drop(journal, partial(parse_table_line, library=library))
        lost = report_loss("drop", journal)
    except ConfigError as why:
        print(f"tablectl drop: {why}", file=sys.stderr)
        return 2
    except DatabaseError as why:
        print(f"tablectl drop: {why}", file=sys.stderr)
        return 1
    finally:
        if journal is not None:
            journal.close()
    for why_not in ledger.unreadable:
        print(f"tablectl drop: a session is left out: {why_not}", file=sys.stderr)
    return max(_tell(options, ledger, boxes), lost)


def _tell(options: argparse.Namespace, ledger: DropLedger, boxes: tuple[DropBox, ...]) -> int:
    clock = ShiftClock(UTC if options.utc else None, options.shifts)
    last = boxes[-1] if boxes else None
    rows = [row for row in ledger.rows if _is_wanted(row, options, clock, last)]
    grouping = DropGrouping(options.by)
    expected = ledger.count_chips_since(last)
    if options.json:
        content = {
            "rows": [row.to_json() for row in rows],
            "sums": [
                {"label": each.label, "hands": each.hand_count, "amount": each.chips, "unknown": each.unknown_count}
                for each in sum_drop(rows, grouping, clock)
            ],
            "open": ledger.open_chips,
            "in_box": expected,
            "boxes": [box.to_json() for box in boxes],
        }
        print(json.dumps(content, ensure_ascii=False))
        return 0
    table = make_box_table(boxes, clock) if options.boxes else make_sum_table(rows, grouping, clock)
    if options.sheet is not None:
        tables = [table, make_box_table(boxes, clock)] if boxes and not options.boxes else [table]
        try:
            title = f"Drop, {_name_range(options, rows, clock)}"
            options.sheet.write_text(render_sheet(title, tables), encoding="utf-8")
        except OSError as why:
            print(f"tablectl drop: {options.sheet} cannot be written: {why.strerror}", file=sys.stderr)
            return 1
        return 0
    if options.csv:
        sys.stdout.write(render_csv([table]))
        return 0
    _print_table(table)
    if not options.boxes:
        _print_what_is_open(ledger, expected, last)
    return 0


def _is_wanted(row: DropRow, options: argparse.Namespace, clock: ShiftClock, last: DropBox | None) -> bool:
    """Whether the hand was over on the day, and after the last count, where these are asked for."""
    if options.day is not None and clock.format_minute(row.ended_at)[:10] != options.day.isoformat():
        return False
    return not options.open or last is None or row.ended_at > last.counts[0].counted_at


def _name_range(options: argparse.Namespace, rows: list[DropRow], clock: ShiftClock) -> str:
    if not rows:
        return "no hand" if options.day is None else f"no hand on {options.day}"
    return f"{clock.format_minute(rows[0].ended_at)} to {clock.format_minute(rows[-1].ended_at)}"


def _print_table(table: DropTable) -> None:
    for line in (table.columns, *table.lines, *([table.total] if table.total else [])):
        print(*line, sep="\t")


def _print_what_is_open(ledger: DropLedger, expected: int | None, last: DropBox | None) -> None:
    if ledger.open_chips:
        print(f"{ledger.open_chips} more are of the hand that is on, or were charged after the last one")
    since = "the journal begins" if last is None else f"box {last.number} was counted"
    print(f"in the box since {since}: {UNKNOWN if expected is None else expected}")


COMMAND = Command(
    "drop",
    "what the house took, and the drop boxes as they were counted",
    Option(
        "--by",
        "what to sum up by (default: shift)",
        choices=[each.value for each in DropGrouping],
        default=DropGrouping.SHIFT.value,
    ),
    Option("--day YYYY-MM-DD", "only hands that were over on this day", _parse_day),
    Option("--open", "only hands since the box was counted last", flag=True),
    Option(
        "--shifts TIMES", "when shifts begin (default: 06:00,14:00,22:00)", _parse_shifts, default=DEFAULT_SHIFT_STARTS
    ),
    Option("--utc", "tell the time in UTC, not as this machine's clock is set", flag=True),
    Option("--boxes", "the boxes that were counted, in place of hands", flag=True),
    Option("--json", JSON.help, flag=True, either="form"),
    Option("--csv", "print it for a spreadsheet", flag=True, either="form"),
    Option("--sheet FILE", "write a page for A4 paper", Path, either="form"),
    *JOURNAL_OPTIONS,
    description="Reads what the house took out of the journal of a table, which may be in play meanwhile: it is played "
    "again, so that nothing stands there that was taken back. Where amounts are untracked they are unknown. A hand "
    "belongs to the hour and the shift in which it was over. A box is counted on the page /drop.",
    run=run,
    as_table_user=True,
)
