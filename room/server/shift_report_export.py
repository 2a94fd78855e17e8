"""A shift report on paper and for a spreadsheet: the same rows as on the page."""

import csv
import io
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from config.language_file import Language
from room.search.archive_queries import ShiftReport

FONT_FILES = (Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),)
"""Where a font is that has the letters of all names (Debian: fonts-dejavu-core); without it those of Western Europe."""

MIN_PART_HEIGHT_MM = 35.0
"""A part that begins further down begins on the next page: no title stands alone."""

MAX_CELL_LENGTH = 200
"""Signs of a cell."""

FORMULA_PATTERN = re.compile(r"(^|[;|\t\r\n])(?=\s*[=+\-@])")
"""Where a cell may begin with what a spreadsheet takes for a formula."""

ReportPart = tuple[str, Sequence[tuple[str, str]], Sequence[Mapping[str, Any]]]
"""A part of the report: its title, its columns (key, title) and its rows."""


def make_report_parts(shift: ShiftReport, language: Language) -> list[ReportPart]:
    """The report's parts, said in a language."""
    translate = language.translate
    said: Callable[[str], str] = lambda code: translate(code.replace("-", " ").replace("_", " "))  # noqa: E731
    times = shift.call_statistics
    errors = [{**row, "finding": said(str(row["finding"]))} for row in shift.error_rows]
    calls = [
        {"calls": times.call_count, "median": times.median_s, "longest": times.longest_s, "late": times.late_count}
    ]
    return [
        (
            translate("Tables"),
            [("table", translate("Table")), ("hands", translate("Hands")), ("per_hour", translate("Hands an hour")),
             ("refused", translate("Touches refused"))],
            shift.table_rows,
        ),
        (
            translate("Rulings by kind and dealer"),
            [("finding", translate("Ruling")), ("dealer", translate("Dealer")), ("times", translate("Times")),
             ("clause", translate("Clause"))],
            errors,
        ),
        (
            translate("Dealers"),
            [("dealer", translate("Dealer")), ("hands", translate("Hands")), ("rulings", translate("Rulings"))],
            shift.dealer_rows,
        ),
        (
            translate("Calls"),
            [("calls", translate("Calls")), ("median", translate("Median seconds")), ("longest", translate("Longest "
                "seconds")),
             ("late", translate("Too late"))],
            calls,
        ),
    ]  # fmt: skip


def format_value(value: object) -> str:
    """A value as it is written; no name of a table or a person is as long as what one that was taken over may say."""
    return "" if value is None else f"{value:.0f}" if isinstance(value, float) else str(value)[:MAX_CELL_LENGTH]


def render_csv(parts: Sequence[ReportPart]) -> str:
    """The report for a spreadsheet: each part with its title and a line of columns, an empty line between."""
    written = io.StringIO()
    rows = csv.writer(written)
    for title, columns, lines in parts:
        rows.writerow([title])
        rows.writerow([name for _, name in columns])
        rows.writerows([_format_cell(line.get(key)) for key, _ in columns] for line in lines)
        rows.writerow([])
    return written.getvalue()


def render_pdf(name: str, since: datetime, until: datetime, parts: Sequence[ReportPart]) -> bytes:
    """The report on pages of A4."""
    span = f"{since:%Y-%m-%d %H:%M} – {until:%Y-%m-%d %H:%M} UTC".replace("–", "-")
    return render_sheet(name, span, parts)


def render_sheet(name: str, headline: str, parts: Sequence[ReportPart]) -> bytes:
    """Parts on pages of A4, under a name and a line of what they are."""
    from fpdf import FPDF

    logging.getLogger("fontTools").setLevel(logging.WARNING)  # it tells each table of a font that it leaves out
    pdf = FPDF()
    font = next((path for path in FONT_FILES if path.exists()), None)
    if font is None:
        pdf.core_fonts_encoding = "cp1252"
        family = "Helvetica"
    else:
        family = "Room"
        pdf.add_font(family, fname=font)
    clean: Callable[[str], str] = lambda text: (  # noqa: E731
        text if font is not None else text.encode("latin-1", "replace").decode("latin-1")
    )
    pdf.set_title(clean(name))
    pdf.add_page()
    pdf.set_font(family, size=16)
    pdf.cell(text=clean(name), new_x="LMARGIN", new_y="NEXT")
    pdf.set_font(family, size=9)
    pdf.cell(text=clean(headline), new_x="LMARGIN", new_y="NEXT")
    for title, columns, lines in parts:
        if pdf.will_page_break(MIN_PART_HEIGHT_MM):
            pdf.add_page()
        pdf.ln(4)
        pdf.set_font(family, size=12)
        pdf.cell(text=clean(title), new_x="LMARGIN", new_y="NEXT")
        pdf.set_font(family, size=9)
        with pdf.table(first_row_as_headings=False, line_height=5) as table:
            for cells in (
                [head for _, head in columns],
                *([format_value(line.get(key)) for key, _ in columns] for line in lines),
            ):
                table.row([clean(cell) for cell in cells])
    return bytes(pdf.output())


def _format_cell(value: object) -> str:
    """A number as it is, also below 0; a text so that it is one."""
    return format_value(value) if isinstance(value, int | float) else _escape_formula(format_value(value))


def _escape_formula(text: str) -> str:
    """No spreadsheet takes a name for a formula, also where it takes another sign than the comma for the next cell."""
    return FORMULA_PATTERN.sub(r"\1'", text)
