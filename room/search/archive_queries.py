"""Finds rulings and hands of all tables, and sums a shift up. Reads only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
from psycopg.rows import TupleRow, dict_row

from room.floor.call_queue import CallStatistics, FloorCall, summarize_calls
from room.search.journal_facts import normalize_words

MAX_RULINGS = 50
"""Rulings of one look."""

MAX_ROWS = 500
"""Rows of a part of a report."""


@dataclass(frozen=True, slots=True)
class RulingCursor:
    """Where a look ended: its last ruling. One entry may have several, all at one moment."""

    made_at: datetime
    journal: str
    entry: int
    position: int


@dataclass(frozen=True, slots=True)
class RulingQuery:
    """What is looked for: parts of words; `since` and before `until`; `cursor`: on from there."""

    text: str = ""
    table: str = ""
    dealer: str = ""
    person: str = ""
    since: datetime | None = None
    until: datetime | None = None
    cursor: RulingCursor | None = None


@dataclass(frozen=True, slots=True)
class ShiftReport:
    """A shift summed up; lists of rows, each a mapping by column."""

    since: datetime
    until: datetime
    table_rows: Sequence[Mapping[str, Any]]
    error_rows: Sequence[Mapping[str, Any]]
    dealer_rows: Sequence[Mapping[str, Any]]
    call_statistics: CallStatistics


def find_rulings(connection: psycopg.Connection[TupleRow], wanted: RulingQuery) -> list[dict[str, Any]]:
    """Find rulings, the newest first; raises `psycopg.Error`."""
    before, on, from_there = wanted.cursor, "", dict[str, object]()
    if before is not None:
        on = " AND (at < %(at)s OR at = %(at)s AND (journal, entry, place) > (%(journal)s, %(entry)s, %(place)s))"
        from_there = {"at": before.made_at, "journal": before.journal, "entry": before.entry, "place": before.position}
    with connection.cursor(row_factory=dict_row) as cursor:
        cursor.execute(
            "SELECT journal, entry, place, session, hand, table_name AS table, at, finding, verdict, cites, text, seat,"
            " player, dealer, by FROM ruling WHERE strpos(words, %(ruling)s) > 0 AND strpos(table_name, %(table)s) > 0"
            " AND strpos(lower(dealer), %(dealer)s) > 0 AND strpos(lower(player || ' ' || by), %(person)s) > 0"
            " AND at >= coalesce(%(since)s::timestamptz, '-infinity')"
            f" AND at < coalesce(%(until)s::timestamptz, 'infinity'){on}"
            " ORDER BY at DESC, journal, entry, place LIMIT %(most)s",
            {
                "ruling": normalize_words(wanted.text), "table": wanted.table.lower(), "dealer": wanted.dealer.lower(),
                "person": wanted.person.lower(), "since": wanted.since, "until": wanted.until, "most": MAX_RULINGS,
                **from_there,
            },
        )  # fmt: skip
        return cursor.fetchall()


def summarize_shift(
    connection: psycopg.Connection[TupleRow], since: datetime, until: datetime, calls: Sequence[FloorCall], late: float
) -> ShiftReport:
    """Sum up what ended between two moments; `calls` of that time, `late` in seconds. Raises `psycopg.Error`."""
    span = {"since": since, "until": until, "most": MAX_ROWS}
    with connection.cursor(row_factory=dict_row) as cursor:
        tables = cursor.execute(
            'SELECT table_name AS "table", count(*) AS hands, round((count(*) * 3600.0 / greatest(60,'
            " extract(epoch FROM max(ended) - min(began))))::numeric, 1) AS per_hour, sum(refused) AS refused"
            " FROM hand WHERE ended >= %(since)s AND ended < %(until)s GROUP BY 1 ORDER BY 1 LIMIT %(most)s", span,
        ).fetchall()  # fmt: skip
        errors = cursor.execute(
            "SELECT finding, dealer, count(*) AS times, min(cites[1]) AS clause FROM ruling"
            " WHERE at >= %(since)s AND at < %(until)s GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT %(most)s", span,
        ).fetchall()  # fmt: skip
        dealers = cursor.execute(
            "SELECT d.dealer, count(*) AS hands, (SELECT count(*) FROM ruling r WHERE r.dealer = d.dealer"
            " AND r.at >= %(since)s AND r.at < %(until)s) AS rulings"
            " FROM (SELECT unnest(dealers) AS dealer FROM hand WHERE ended >= %(since)s AND ended < %(until)s) d"
            " GROUP BY 1 ORDER BY 1 LIMIT %(most)s", span,
        ).fetchall()  # fmt: skip
    return ShiftReport(since, until, tables, errors, dealers, summarize_calls(calls, late))
