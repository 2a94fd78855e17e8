"""What was dropped as a table of words: for a terminal, a spreadsheet and a sheet of paper."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape

from controller.records.drop import DropGrouping, DropRow, DropSum, ShiftClock, sum_amounts, sum_drop
from controller.records.drop_box import DropBox

UNKNOWN = "unknown"
"""What stands for an amount that nobody knows."""

MAX_SHOWN_LINES = 500
"""Lines of a table that a page shows, the newest; a spreadsheet has all."""

NOBODY = "-"
"""Who dealt a hand that no dealer signed, and at which nobody was signed in."""

FORMULA_PATTERN = re.compile(r"(^|[;|\t\r\n])(?=\s*[=+\-@])")
"""Where a cell may begin with what a spreadsheet takes for a formula."""

SHEET_STYLE = """
@page { size: A4; margin: 15mm }
body { font: 10pt/1.35 "DejaVu Sans", sans-serif; color: #000; max-width: 180mm }
h1 { font-size: 14pt } h2 { font-size: 11pt; margin: 6mm 0 1mm }
table { border-collapse: collapse; width: 100% } thead { display: table-header-group }
th, td { text-align: left; padding: .6mm 2mm; border-bottom: .2mm solid #999; vertical-align: top }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
tr { break-inside: avoid } tfoot td { font-weight: bold; border-bottom: 0 }
.sign { display: flex; gap: 10mm; margin-top: 14mm }
.sign span { flex: 1; border-top: .2mm solid #000; padding-top: 1mm }
"""


@dataclass(frozen=True, slots=True)
class DropTable:
    """A table: its title, its columns, its lines and, where it has sums, the last line."""

    title: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] = ()

    @property
    def number_columns(self) -> frozenset[int]:
        """The columns of amounts."""
        return frozenset(i for i, name in enumerate(self.columns) if name in NUMBER_COLUMNS)


NUMBER_COLUMNS = frozenset({"hands", "amount", "expected", "counted", "difference"})


def select_rows(
    rows: Iterable[DropRow], last: DropBox | None, clock: ShiftClock, *, only_open: bool, day: date | None
) -> list[DropRow]:
    """The hands that were over since `last` was counted, and on a day, where that is asked."""
    since = last.counts[0].counted_at if only_open and last is not None else ""
    on_day = "" if day is None else day.isoformat()
    return [row for row in rows if row.ended_at > since and clock.format_minute(row.ended_at).startswith(on_day)]


def render_table(table: DropTable) -> dict[str, object]:
    """A table as the page has it: its newest lines."""
    return {
        "title": table.title,
        "columns": table.columns,
        "numbers": sorted(table.number_columns),
        "lines": table.lines[-MAX_SHOWN_LINES:],
        "total": table.total,
        "left_out": max(0, len(table.lines) - MAX_SHOWN_LINES),
    }


def format_chips(found: DropSum) -> str:
    """What hands gave: a number, `unknown`, or a number and of how many hands nobody knows."""
    if found.chips is None:
        return UNKNOWN
    return str(found.chips) + (f" and {found.unknown_count} {UNKNOWN}" if found.unknown_count else "")


def make_sum_table(rows: Sequence[DropRow], grouping: DropGrouping, clock: ShiftClock) -> DropTable:
    """Rows summed up; by hand, the hands themselves."""
    all_of_them = sum_amounts("", [row.amount for row in rows])
    if grouping is DropGrouping.HAND:
        hands = tuple(
            (
                f"{row.session}/{row.hand}", clock.format_minute(row.ended_at), row.game, row.kind,
                format_chips(sum_amounts("", [row.amount])), row.dealer or NOBODY,
                " ".join(map(str, row.paying_seats)) or NOBODY,
            )
            for row in rows
        )  # fmt: skip
        columns = ("hand", "over", "game", "kind", "amount", "dealer", "seats")
        return DropTable("By hand", columns, hands, ("total", "", "", "", format_chips(all_of_them), "", ""))
    sums = sum_drop(rows, grouping, clock)
    lines = tuple((each.label or NOBODY, str(each.hand_count), format_chips(each)) for each in sums)
    title = f"By {grouping.value}"
    total = ("total", str(all_of_them.hand_count), format_chips(all_of_them))
    return DropTable(title, (grouping.value, "hands", "amount"), lines, total)


def make_box_table(boxes: Iterable[DropBox], clock: ShiftClock) -> DropTable:
    """The counted boxes; a count that was corrected stands above what took its place, its box in brackets."""
    columns = ("box", "at", "expected", "counted", "difference", "counter", "watcher", "reason")
    lines: list[tuple[str, ...]] = []
    for box in boxes:
        expected = UNKNOWN if box.expected_chips is None else str(box.expected_chips)
        for count in box.counts:
            stands = count is box.standing_count
            differs = UNKNOWN if box.expected_chips is None else f"{count.counted_chips - box.expected_chips:+d}"
            number = str(box.number) if stands else f"({box.number})"
            when = clock.format_minute(count.counted_at)
            people = (count.counter, count.watcher, count.reason)
            lines.append((number, when, expected, str(count.counted_chips), differs, *people))
    return DropTable("Counted boxes", columns, tuple(lines))


def render_csv(tables: Iterable[DropTable]) -> str:
    """The tables for a spreadsheet: the columns and the lines of each, an empty line between. Sums are the reader's."""
    written = io.StringIO()
    out = csv.writer(written)
    for number, table in enumerate(tables):
        if number:
            out.writerow([])
        out.writerow(table.columns)
        numbers = table.number_columns
        out.writerows(
            [cell if place in numbers else FORMULA_PATTERN.sub(r"\1'", cell) for place, cell in enumerate(line)]
            for line in table.lines
        )
    return written.getvalue()


def render_sheet(title: str, tables: Iterable[DropTable]) -> str:
    """The tables as a page for A4 paper, with room for two signatures."""
    parts = [
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f"<style>{SHEET_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
    ]
    for table in tables:
        parts.append(f"<h2>{escape(table.title)}</h2>\n<table>\n")
        parts.append(f"<thead>{_render_line(table, table.columns, 'th')}</thead>\n")
        parts.append(f"<tbody>{''.join(_render_line(table, line) for line in table.lines)}</tbody>\n")
        parts.append(f"<tfoot>{_render_line(table, table.total)}</tfoot>\n</table>\n" if table.total else "</table>\n")
    parts.append('<p class="sign"><span>counted</span><span>watched</span></p>\n</body>\n</html>\n')
    return "".join(parts)


def _render_line(table: DropTable, cells: Iterable[str], tag: str = "td") -> str:
    numbers = table.number_columns
    marked = (' class="number"' if place in numbers else "" for place in range(len(table.columns)))
    pairs = zip(marked, cells, strict=True)
    return "<tr>" + "".join(f"<{tag}{mark}>{escape(cell)}</{tag}>" for mark, cell in pairs) + "</tr>\n"
