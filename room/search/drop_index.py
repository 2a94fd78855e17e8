"""Keeps what the hands of all tables gave to the house in the index, each hand once, as its journal says by now."""

from collections.abc import Sequence
from datetime import datetime

import psycopg
from psycopg.rows import TupleRow

from controller.core.protocol.collection_terms import CollectionKind
from controller.records.drop import DropRow, RestingDrop
from controller.records.drop_box import BOX_RECORD_KIND, DropBox, collect_boxes
from controller.runtime.journal.proof.chain import JournalRecord
from room.floor.house_day import find_house_day
from room.search.journal_facts import normalize_time


def write_drop(cursor: psycopg.Cursor[TupleRow], table: str, journal: str, drop: RestingDrop) -> None:
    """Write what hands gave over what was written of them before, and the sums of their days anew.

    Raises `ValueError` for a time that no clock of a table shows, and `psycopg.Error`.
    """
    kept = [row for row in drop.rows if row.hand <= drop.last_hand and _has_collection(row)]
    void = [row.hand for row in drop.rows if not _has_collection(row)]
    hands = [row.hand for row in kept]
    days = {day for (day,) in cursor.execute(
        "SELECT DISTINCT day FROM dropped WHERE journal = %s AND session = %s AND (hand > %s OR hand = ANY(%s))",
        (journal, drop.session, drop.last_hand, hands + void),
    )}  # fmt: skip
    cursor.execute(
        "DELETE FROM dropped WHERE journal = %s AND session = %s AND (hand > %s OR hand = ANY(%s))",
        (journal, drop.session, drop.last_hand, void),
    )
    written = [_make_values(table, journal, row) for row in kept]
    cursor.executemany(
        "INSERT INTO dropped VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
        " ON CONFLICT (journal, session, hand) DO UPDATE SET day = excluded.day, ended = excluded.ended,"
        " game = excluded.game, kind = excluded.kind, chips = excluded.chips, dealer = excluded.dealer",
        written,
    )
    _sum_days(cursor, table, sorted({str(day) for day in days} | {str(values[4]) for values in written}))


def parse_drop_box(record: JournalRecord) -> DropBox | None:
    """The box whose count a record tells; `None` for any other. Raises `BadRecordError`, `ValueError`."""
    if record.kind != BOX_RECORD_KIND:
        return None
    try:
        (box,) = collect_boxes([record.parse_body()])
    except (KeyError, TypeError) as why:
        raise ValueError("no count of a box") from why
    return box


def write_boxes(
    cursor: psycopg.Cursor[TupleRow], table: str, journal: str, boxes: Sequence[tuple[int, DropBox]]
) -> None:
    """Write counts of boxes, each with the number of its record; a later count of a box stands for the one before.

    A box is of the time at which it was counted first. Raises `ValueError`, `psycopg.Error`.
    """
    cursor.executemany(
        "INSERT INTO drop_box VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (journal, box) DO UPDATE"
        " SET number = excluded.number, counted = excluded.counted, counted_by = excluded.counted_by, watched_by ="
        " excluded.watched_by, reason = excluded.reason WHERE drop_box.number < excluded.number",
        [
            (journal, box.number, number, table, normalize_time(count.counted_at), count.counted_chips,
             box.expected_chips, count.counter, count.watcher, count.reason)
            for number, box in boxes for count in box.counts
        ],
    )  # fmt: skip


def _has_collection(row: DropRow) -> bool:
    return row.kind != CollectionKind.NONE.value or row.amount != 0


def _make_values(table: str, journal: str, row: DropRow) -> tuple[object, ...]:
    ended = normalize_time(row.ended_at)
    day = find_house_day(datetime.fromisoformat(ended).timestamp())
    return journal, row.session, row.hand, table, day, ended, row.game, row.kind, row.amount, row.dealer


def _sum_days(cursor: psycopg.Cursor[TupleRow], table: str, days: Sequence[str]) -> None:
    if not days:
        return
    span = {"table": table, "days": list(days)}
    cursor.execute("DELETE FROM day_drop WHERE table_name = %(table)s AND day = ANY(%(days)s::date[])", span)
    cursor.execute(
        "INSERT INTO day_drop SELECT day, table_name, coalesce(sum(chips), 0), count(*), count(*) - count(chips),"
        " max(ended) FROM dropped WHERE table_name = %(table)s AND day = ANY(%(days)s::date[]) GROUP BY 1, 2", span,
    )  # fmt: skip
    cursor.execute("DELETE FROM table_drop WHERE table_name = %(table)s", span)
    cursor.execute(
        "INSERT INTO table_drop SELECT table_name, sum(chips), sum(hands), sum(unknown) FROM day_drop"
        " WHERE table_name = %(table)s GROUP BY 1", span,
    )  # fmt: skip
