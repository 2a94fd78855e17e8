"""Reads from the index what tables dropped, day by day, and which boxes were counted. Reads only."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

import psycopg
from psycopg.rows import TupleRow

from controller.wall_clock import to_wall_time
from room.floor.day_drop import CountedBox, DayDrop, DropCell, ReadRecord
from room.floor.drop_closes import EARLIER, DayAndTable, DropTotal
from room.floor.house_day import find_day_span
from room.record.postgres_record import ReconnectingDatabase
from room.search.archive_index import INDEX_SCHEMA, RECORDS_PER_READ

MAX_CELLS = 40_000
"""Of a day: 200 tables, 96 quarters of an hour, two dealers in each."""

MAX_BOXES = 1000
MAX_BOX_DELAY_DAYS = 7
"""How long after its day a box is looked for."""

MAX_RECORDS = 400


class DropRecords(Protocol):
    """What tables dropped, by their records. Used by any thread; what is not known now is an `OSError`."""

    def read_totals(self, oldest: str) -> Mapping[DayAndTable, DropTotal]:
        """All that was dropped, by day and table; days before `oldest` are one, `EARLIER`."""
        ...

    def read_day(self, day: str) -> DayDrop:
        """One day of the house; raises `ValueError` for what is no day."""
        ...


class NoDropRecords:
    """A room whose tables have sent nothing."""

    def read_totals(self, oldest: str) -> Mapping[DayAndTable, DropTotal]:  # noqa: ARG002 - there is none
        """None."""
        return {}

    def read_day(self, day: str) -> DayDrop:
        """A day without a hand."""
        return DayDrop(day, *find_day_span(day))


class IndexedDrop:
    """What the index keeps, in its database, which is opened when it is wanted and anew after it was lost."""

    def __init__(self, where: str) -> None:
        self._database = ReconnectingDatabase(where, INDEX_SCHEMA.read_bytes())

    def close(self) -> None:
        """Let the database go."""
        self._database.close()

    def read_totals(self, oldest: str) -> Mapping[DayAndTable, DropTotal]:
        """All that was dropped, by day and table; days before `oldest` are one, `EARLIER`."""
        rows = self._database.run(lambda db: db.execute(
            "SELECT day::text, table_name, chips, hands, unknown FROM day_drop WHERE day >= %(oldest)s::date"
            " UNION ALL SELECT %(earlier)s, t.table_name, (t.chips - coalesce(sum(d.chips), 0))::bigint,"
            " (t.hands - coalesce(sum(d.hands), 0))::bigint, (t.unknown - coalesce(sum(d.unknown), 0))::bigint"
            " FROM table_drop t LEFT JOIN day_drop d ON d.table_name = t.table_name AND d.day >= %(oldest)s::date"
            " GROUP BY t.table_name HAVING t.hands > coalesce(sum(d.hands), 0)",
            {"oldest": oldest or "-infinity", "earlier": EARLIER},
        ).fetchall())  # fmt: skip
        return {(str(day), str(table)): DropTotal(*amount) for day, table, *amount in rows}

    def read_day(self, day: str) -> DayDrop:
        """One day of the house; raises `ValueError` for what is no day."""
        begins, ends = find_day_span(day)
        return self._database.run(lambda db: DayDrop(
            day, begins, ends, _read_cells(db, day), _read_spans(db, day), _read_boxes(db, begins, ends),
            _read_records(db, begins),
        ))  # fmt: skip


def _read_cells(db: psycopg.Connection[TupleRow], day: str) -> list[DropCell]:
    rows = db.execute(
        "SELECT table_name, game, dealer, floor(extract(epoch FROM ended) / 900)::bigint * 900,"
        " coalesce(sum(chips), 0)::bigint, count(*), count(*) - count(chips)"
        " FROM dropped WHERE day = %s GROUP BY 1, 2, 3, 4 ORDER BY 4, 1, 2, 3 LIMIT %s",
        (day, MAX_CELLS),
    ).fetchall()
    return [
        DropCell(str(table), str(game), str(dealer), float(at), DropTotal(*amount))
        for table, game, dealer, at, *amount in rows
    ]


def _read_spans(db: psycopg.Connection[TupleRow], day: str) -> dict[str, tuple[float, float]]:
    rows = db.execute(
        "SELECT table_name, extract(epoch FROM min(ended))::float8, extract(epoch FROM max(ended))::float8"
        " FROM dropped WHERE day = %s GROUP BY 1 ORDER BY 1", (day,),
    ).fetchall()  # fmt: skip
    return {str(table): (first, last) for table, first, last in rows}


def _read_boxes(db: psycopg.Connection[TupleRow], begins: float, ends: float) -> list[CountedBox]:
    until = to_wall_time(ends + MAX_BOX_DELAY_DAYS * 86400)
    rows = db.execute(
        "SELECT journal || ' ' || box, table_name, extract(epoch FROM at)::float8, counted, expected, counted_by,"
        " watched_by, reason FROM drop_box WHERE at >= %s AND at < %s ORDER BY at, journal, box LIMIT %s",
        (to_wall_time(begins), until, MAX_BOXES),
    ).fetchall()
    return [CountedBox(*row) for row in rows]


def _read_records(db: psycopg.Connection[TupleRow], begins: float) -> Sequence[ReadRecord]:
    """How far the records are that go on into the day, or are not read as far as they are here."""
    rows = db.execute(
        "SELECT h.table_name, r.line, coalesce(i.why, ''), h.number - coalesce(i.number, 0) > %s FROM head h"
        " LEFT JOIN indexed i USING (journal) JOIN record r ON r.journal = h.journal AND r.number = h.number"
        " WHERE h.table_name IN (SELECT table_name FROM table_drop) OR i.why <> ''"
        " OR h.number - coalesce(i.number, 0) > %s"
        " ORDER BY h.since DESC LIMIT %s",
        (RECORDS_PER_READ, RECORDS_PER_READ, MAX_RECORDS),
    ).fetchall()
    found = []
    newest = set[str]()
    for table, line, why, is_behind in rows:
        told_until, has_ended = _read_end(line)
        if table in newest and not (why and told_until >= begins) and not is_behind:
            continue  # a journal of before, which is read to its end
        found.append(
            ReadRecord(str(table), told_until, has_ended or table in newest, str(why), bool(is_behind and not why))
        )
        newest.add(table)
    return found


def _read_end(line: str) -> tuple[float, bool]:
    """When a record was written, and whether a table says with it that it stops."""
    try:
        record = json.loads(line)
        body = record["body"]
        at = datetime.fromisoformat(body["wall"]).timestamp()
        return at, record["kind"] == "run-end" or body.get("why") == "run"
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return 0.0, False
