"""Days of real journals, closed one after another: all closes together are what the tables' own accounts say."""

import os
import random
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.runtime.journal import system_clocks
from room.floor.day_drop import find_new_boxes
from room.floor.drop_closes import (
    DROP_STREAM,
    EARLIER,
    DropCloses,
    DropTotal,
    add_up,
    apply_drop_line,
    make_close_line,
)
from room.floor.house_day import find_day_span, find_house_day
from room.record.room_record import RecordLine
from room.search import drop_queries
from room.search.drop_queries import IndexedDrop
from tests.room.test_drop_index import Archive, JournaledTable
from tests.room.test_drop_index import archive as archive  # noqa: PLC0414 - a fixture

HOUR_S = 3600.0
NOON = datetime(2027, 1, 15, 12, tzinfo=UTC).timestamp()

SetClock = Callable[[float], None]


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[SetClock]:
    """Sets what the tables' clocks show."""
    shown = [NOON]

    def format_wall_time() -> str:
        return datetime.fromtimestamp(shown[0], UTC).isoformat(timespec="milliseconds")

    monkeypatch.setattr(system_clocks, "format_wall_time", format_wall_time)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield lambda at: shown.__setitem__(0, at)
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def drop_records(conninfo: str) -> Iterator[IndexedDrop]:
    found = IndexedDrop(conninfo)
    yield found
    found.close()


def count_account(table: JournaledTable) -> DropTotal:
    """What a table's own account says, by its rows."""
    rows = table.find_rows()
    return DropTotal(sum(row[3] or 0 for row in rows), len(rows), sum(row[3] is None for row in rows))


def count_box(table: JournaledTable, box: int, counted: int, expected: int | None, **more: object) -> None:
    people = [{"name": "Flo", "role": "floor"}, {"name": "Ben", "role": "dealer"}]
    line = {"ev": "drop-box", "box": box, "expected": expected, "counted": counted, **more}
    table.journal.append_note(
        "drop-box", {"line": line, "account": expected or 0, "session": table.sessions, "by": people}
    )


def close_day(drop_records: IndexedDrop, closes: DropCloses, day: str) -> DropCloses:
    totals = drop_records.read_totals(closes.oldest_day)
    if closes.find_obstacle(day, "2027-12-31", totals) is not None:
        return closes
    line = make_close_line(day, closes.compute_untaken(totals, day), [], {})
    return apply_drop_line(closes, RecordLine(DROP_STREAM, 1, NOON, "Bo", line))


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def test_all_closes_are_what_all_tables_dropped_whatever_comes_late(
    archive: Archive, drop_records: IndexedDrop, set_clock: SetClock, tmp_path: Path, seed: int
) -> None:
    """Tables are away for days, start anew, take hands back; the index is lost and made again; days are closed."""
    pick = random.Random(100 + seed).randrange
    tables = {name: JournaledTable(tmp_path / name, 50 + 10 * seed + n) for n, name in enumerate(("a", "b", "c"))}
    closes, taken = DropCloses(), list[DropTotal]()
    for day in range(5):
        for name, table in tables.items():
            set_clock(NOON + (24 * day + pick(20) - 4) * HOUR_S)
            table.play(50)
            table.rest()
            if pick(3):
                archive.take(name, table.read_records())
            if not pick(3):
                table.begin_session(table.line)
        if day == 2:
            archive.database.execute("DROP TABLE hand, ruling, indexed, dropped, day_drop, table_drop")
            archive.restart_index()
            archive.read_on()
        if pick(4):
            before = closes
            closes = close_day(drop_records, closes, find_house_day(NOON + 24 * day * HOUR_S))
            taken += [closes.closes[-1].total] if closes is not before else []
    for name, table in tables.items():
        archive.take(name, table.read_records())
    for open_day in sorted({day for day, _ in drop_records.read_totals("")}):
        closes = close_day(drop_records, closes, open_day)
    closes = close_day(drop_records, closes, "2027-01-31")
    assert closes.last_closed_day == "2027-01-31"
    everything = add_up(count_account(table) for table in tables.values())
    assert seed or everything.hand_count > 10  # the quick one is held to reach something
    assert add_up(closes.taken.values()) == everything
    assert add_up(close.total for close in closes.closes) == everything
    assert len(taken) < len(closes.closes)


def test_a_day_is_read_with_its_hands_boxes_and_how_far_the_records_go(
    archive: Archive, drop_records: IndexedDrop, set_clock: SetClock, tmp_path: Path
) -> None:
    table = JournaledTable(tmp_path / "a", 3, mode="cash")
    table.play(150)
    table.rest()
    set_clock(NOON + HOUR_S)
    count_box(table, 1, 40, 42)
    archive.take("a", table.read_records())
    day = drop_records.read_day("2027-01-15")
    assert day.total == count_account(table)
    assert {cell.table for cell in day.cells} == {"table-a"} == set(day.span_by_table)
    assert {cell.starts_at for cell in day.cells} == {NOON}
    (box,) = day.boxes
    assert (box.counted, box.expected, box.difference, box.counted_by, box.watched_by) == (40, 42, -2, "Flo", "Ben")
    assert box.counted_at == NOON + HOUR_S
    assert day.find_uncounted_tables() == []
    (record,) = day.records
    assert (record.told_until, record.has_ended, record.fault, record.is_behind) == (NOON + HOUR_S, False, "", False)
    set_clock(NOON + 2 * HOUR_S)
    count_box(table, 1, 41, 42, reason="one lay beside it")
    count_box(table, 2, 7, None)
    archive.restart_index()
    archive.take("a", table.read_records())
    found = drop_records.read_day("2027-01-15").boxes
    assert [(one.counted, one.counted_at - NOON, one.reason) for one in found] == [
        (41, HOUR_S, "one lay beside it"), (7, 2 * HOUR_S, ""),
    ]  # fmt: skip
    assert found[1].difference is None, "unknown is not 0"
    closed = apply_drop_line(
        DropCloses(), RecordLine(DROP_STREAM, 1, NOON, "Bo", make_close_line("2027-01-15", {}, [box.to_json()], {}))
    )
    assert [one.counted for one in find_new_boxes(closed, found)] == [41, 7], "a box that was corrected comes again"
    assert drop_records.read_totals("2027-01-16") == {(EARLIER, "table-a"): count_account(table)}
    assert drop_records.read_totals("2027-01-15") == {("2027-01-15", "table-a"): count_account(table)}


def test_a_record_that_is_not_read_to_its_end_is_said_and_one_that_cannot_be_read(
    archive: Archive, drop_records: IndexedDrop, set_clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_clock(NOON)
    table = JournaledTable(tmp_path / "a", 3)
    table.play(100)
    table.journal.end_run("SIGTERM")
    archive.take("a", table.read_records())
    (record,) = drop_records.read_day("2027-01-15").records
    assert record.has_ended
    monkeypatch.setattr(drop_queries, "RECORDS_PER_READ", 5)
    archive.database.execute("UPDATE indexed SET number = number - 6")
    assert drop_records.read_day("2027-01-15").find_behind_tables() == ["table-a"]
    archive.database.execute("DELETE FROM indexed; DELETE FROM dropped; DELETE FROM day_drop; DELETE FROM table_drop")
    assert drop_records.read_day("2027-01-15").find_behind_tables() == ["table-a"], (
        "an index that was lost knows nothing"
    )
    archive.database.execute("INSERT INTO indexed VALUES ('a', 20, 1, 'RecoveryError at record 21')")
    monkeypatch.undo()
    day = drop_records.read_day("2027-01-15")
    assert (day.find_behind_tables(), day.find_uncounted_tables()) == ([], ["table-a"])


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Kathmandu", "Pacific/Kiritimati", "Europe/Berlin"])
def test_the_day_is_the_houses_own_in_every_time_zone(
    archive: Archive, drop_records: IndexedDrop, set_clock: SetClock, tmp_path: Path, zone: str
) -> None:
    """Also where summer time begins or ends: each moment is of one day, from its beginning on and before its end."""
    os.environ["TZ"] = zone
    time.tzset()
    for month, date in ((1, 15), (3, 14), (3, 28), (10, 31), (11, 7)):
        at = datetime(2027, month, date, tzinfo=UTC).timestamp()
        for quarter in range(-120, 240):
            moment = at + quarter * 900
            begins, ends = find_day_span(find_house_day(moment))
            assert begins <= moment < ends
    begins, _ = find_day_span("2027-01-15")
    table = JournaledTable(tmp_path / "a", 3)
    for at in (begins - 1, begins):
        set_clock(at)
        table.play(60)
        table.rest()
    archive.take("a", table.read_records())
    totals = drop_records.read_totals("")
    assert {day for day, _ in totals} == {"2027-01-14", "2027-01-15"}
    assert add_up(totals.values()) == count_account(table)
    assert drop_records.read_day("2027-01-15").total == totals["2027-01-15", "table-a"]
