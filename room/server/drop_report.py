"""A day's drop as rows: for the page, for a spreadsheet, and for a sheet of paper that is signed."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from config.language_file import Language
from room.floor.day_drop import DayDrop, find_excuses, format_hour, format_shift
from room.floor.drop_closes import DayAndTable, DropCloses, DropTotal
from room.server.shift_report_export import ReportPart, render_sheet

Sums = Sequence[tuple[str, DropTotal]]


def make_drop_parts(
    day: DayDrop, closes: DropCloses, untaken: Mapping[DayAndTable, DropTotal], language: Language
) -> list[ReportPart]:
    """The day's parts, said in a language; `untaken`: what no close has, up to this day."""
    translate = language.translate
    close = closes.find_close(day.day)
    by_dealer = day.sum_by(lambda cell: cell.dealer or translate("nobody named"))
    parts = [
        _make_table_part(day, closes, language),
        _make_box_part(day, language),
        _make_sum_part(
            translate("Shifts"), translate("Shift"), day.sum_by(lambda cell: format_shift(cell.starts_at)), language
        ),
        _make_sum_part(translate("Games"), translate("Game"), day.sum_by(lambda cell: cell.game), language),
        _make_sum_part(translate("Dealers"), translate("Dealer"), by_dealer, language),
        _make_sum_part(
            translate("Hours"), translate("Hour"), day.sum_by(lambda cell: format_hour(cell.starts_at)), language
        ),
    ]
    if close is not None:
        parts.append(_make_taken_part(translate("In the close of this day"), close.taken, language))
    late = {key: amount for key, amount in untaken.items() if key[0] != day.day or close is not None}
    if late:
        parts.append(_make_taken_part(translate("After the close, for the next one"), late, language))
    return parts


def render_drop_sheet(
    name: str, day: DayDrop, closes: DropCloses, parts: Sequence[ReportPart], language: Language
) -> bytes:
    """The day on pages of A4, with lines to sign on."""
    translate = language.translate
    close = closes.find_close(day.day)
    closed = (
        translate("Not closed")
        if close is None
        else translate("Closed by {by}, {at}").format(by=close.closed_by, at=format_moment(close.closed_at))
    )
    span = f"{format_moment(day.begins_at)} - {format_moment(day.ends_at)}"
    headline = f"{translate('The drop')}, {day.day} ({span}). {closed}"
    lines = [("counted", translate("Counted")), ("watched", translate("Watched")), ("closed", translate("Closed"))]
    signatures = (translate("Signatures"), lines, [dict.fromkeys(("counted", "watched", "closed"), "\n\n ")])
    return render_sheet(name, headline, [*parts, signatures])


def format_moment(at: float) -> str:
    """A moment by the machine's own time."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def find_chips(total: DropTotal) -> int | None:
    """What is known of a sum's chips; `None` where nothing of it is."""
    return None if total.unknown_count and total.unknown_count == total.hand_count else total.chips


def _make_table_part(day: DayDrop, closes: DropCloses, language: Language) -> ReportPart:
    translate = language.translate
    excuses = find_excuses(closes, day.day)
    uncounted = set(day.find_uncounted_tables())
    rows: list[dict[str, Any]] = []
    total_by_table = dict(day.sum_by(lambda cell: cell.table))
    for table in sorted({*total_by_table, *uncounted, *excuses}):
        standing = translate("counted")
        if table in uncounted:
            standing = translate("not counted")
        if table in excuses:
            standing = f"{excuses[table].reason} ({excuses[table].said_by})"
        rows.append({**_make_row("table", table, total_by_table.get(table, DropTotal())), "box": standing})
    rows.append({**_make_row("table", translate("Together"), day.total), "box": ""})
    return translate("Tables"), [*_make_columns("table", translate("Table"), language), ("box", translate("Box"))], rows


def _make_box_part(day: DayDrop, language: Language) -> ReportPart:
    translate = language.translate
    columns = [
        ("table", translate("Table")), ("at", translate("Counted at")), ("counted", translate("Counted")),
        ("expected", translate("Should be")), ("difference", translate("Difference")),
        ("counted_by", translate("Counted by")), ("watched_by", translate("Watched by")),
        ("reason", translate("Counted again because")),
    ]  # fmt: skip
    unknown = translate("unknown")
    rows = [
        {key: unknown if value is None else value for key, value in box.to_json().items()}
        | {"at": format_moment(box.counted_at)}
        for box in day.boxes
    ]
    return translate("Counted boxes"), columns, rows


def _make_sum_part(title: str, label: str, sums: Sums, language: Language) -> ReportPart:
    return title, _make_columns("label", label, language), [_make_row("label", name, total) for name, total in sums]


def _make_taken_part(title: str, taken: Mapping[DayAndTable, DropTotal], language: Language) -> ReportPart:
    translate = language.translate
    rows = [{"day": day or translate("earlier"), **_make_row("table", table, total)}
            for (day, table), total in sorted(taken.items())]  # fmt: skip
    return title, [("day", translate("Day")), *_make_columns("table", translate("Table"), language)], rows


def _make_columns(key: str, label: str, language: Language) -> list[tuple[str, str]]:
    translate = language.translate
    return [
        (key, label),
        ("hands", translate("Hands")),
        ("chips", translate("Dropped")),
        ("unknown", translate("Hands unknown")),
    ]


def _make_row(key: str, label: str, total: DropTotal) -> dict[str, Any]:
    return {key: label, "hands": total.hand_count, "chips": find_chips(total), "unknown": total.unknown_count or None}
