"""What is searched is what the journal says, hand by hand and ruling by ruling, and it is made again from nothing."""

import asyncio
import json
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
from psycopg.rows import TupleRow
from starlette.responses import Response

from config.language_file import load_language
from config.table_line import parse_table_line
from controller.app.table.past_hands import read_rows, read_steps
from controller.runtime.journal.journal_reader import JournalEntry, JournalReader
from controller.runtime.journal.proof.chain import JournalRecord
from controller.runtime.journal.recovery import journal_follower
from controller.runtime.journal.recovery.journal_follower import JournalFollower, PlayedEntry
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from controller.runtime.storage.state_directory import JOURNAL_FILE
from room.floor.call_queue import FloorCall
from room.record.postgres_record import CREATE_PATTERN, RECORD_SCHEMA, PostgresRecord, connect_database
from room.record.room_record import RecordLine
from room.search import archive_queries
from room.search.archive_index import INDEX_SCHEMA, ArchiveIndex
from room.search.archive_queries import RulingQuery, find_rulings, summarize_shift
from room.search.hand_steps_process import read_hand_steps
from room.search.journal_facts import update_seating
from room.search.recent_facts import IndexedFacts
from room.server.pages import rulings_page
from room.server.pages.rulings_page import find_calls_between, parse_query
from room.server.shift_report_export import make_report_parts, render_csv, render_pdf
from tests.app.rig import Rig
from tests.room.server.house import House

KEPT: LiteralString = "hand, ruling, indexed, tabled, signed, seated"

Database = psycopg.Connection[TupleRow]


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table that has played some hands, with trouble, and is in another."""
    directory = tmp_path_factory.mktemp("table")
    with Rig(directory, lossless=True) as rig:
        rig.loop.record_sign_in("Ada", "dealer", "00")
        rig.loop.record_sign_in("Bo", "floor", "00")
        room = rig.room(2)
        while rig.output["hand"] < 6 or rig.output["phase"] != "deal":
            rig.live(room, 1)
        rig.loop.record_sign_out("Ada", "dealer")
        rig.drain()
        rig.journal.end_run("SIGTERM")
    return directory


@pytest.fixture(scope="module")
def records(state: Path) -> list[JournalRecord]:
    journal = JournalReader.open(state / JOURNAL_FILE)
    found = list(journal.read_records())
    journal.close()
    return found


@pytest.fixture
def database(conninfo: str, records: list[JournalRecord]) -> Iterator[Database]:
    with connect_database(conninfo) as connection:
        connection.execute(f"DELETE FROM record; DELETE FROM head; DROP TABLE IF EXISTS {KEPT}")
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO record VALUES ('j1', %s, %s)", [(record.number, record.export_line) for record in records]
            )
        yield connection


def arrive(database: Database, upto: int) -> None:
    database.execute(
        "INSERT INTO head (table_name, journal, number, chain) VALUES ('table-07', 'j1', %s, '')"
        " ON CONFLICT (table_name, journal) DO UPDATE SET number = excluded.number",
        (upto,),
    )


def test_a_journal_that_comes_record_by_record_is_played_as_the_whole_one(
    state: Path, records: list[JournalRecord]
) -> None:
    following = JournalFollower("j1", parse_table_line)
    played = [each for record in records for each in following.receive_record(record)]
    whole = {row.hand: row for row in read_rows(state / JOURNAL_FILE, 0, 1 << 60) if row.over}
    assert set(whole) <= {each.hand_number for each in played}
    assert len(whole) >= 4
    for number, row in whole.items():
        seen = [str(each.entry.number) for each in played if each.hand_number == number]
        assert seen, row
    found = {ruling["finding"] for each in played for ruling in each.output_line.get("rulings", ())}
    assert found >= {finding for row in whole.values() for finding in row.findings}
    assert found, "the story has rulings"


def test_rulings_are_found_by_clause_table_and_time_and_again_after_the_index_is_lost(
    database: Database, state: Path, records: list[JournalRecord]
) -> None:
    index = ArchiveIndex(database)
    for upto in (*range(20, len(records), 37), len(records)):
        database.execute("UPDATE record SET line = line WHERE number = %s", (upto,))
        arrive(database, upto)
        if upto % 3 == 0:
            index = ArchiveIndex(database)  # a start of the program in between
        while index.index_new_records():
            pass
    found = find_rulings(database, RulingQuery())
    rows = [row for row in read_rows(state / JOURNAL_FILE, 0, 1 << 60) if row.over]
    assert {each["finding"] for each in found} >= {finding for row in rows for finding in row.findings}
    one = found[-1]
    assert one["cites"]
    by_clause = find_rulings(
        database, RulingQuery(text=one["cites"][0], table="table-07", until=one["at"] + timedelta(1))
    )
    assert one in by_clause
    assert find_rulings(database, RulingQuery(table="table-08")) == []
    assert find_rulings(database, RulingQuery(since=found[0]["at"] + timedelta(hours=1))) == []
    database.execute("DROP TABLE hand, ruling, indexed")
    again = ArchiveIndex(database)
    while again.index_new_records():
        pass
    assert find_rulings(database, RulingQuery()) == found


def test_looks_in_turn_find_each_ruling_once_also_where_many_are_of_one_moment(
    database: Database, records: list[JournalRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    arrive(database, len(records))
    index = ArchiveIndex(database)
    while index.index_new_records():
        pass
    database.execute(
        "INSERT INTO ruling SELECT journal, entry, place + 100 * n, session, hand, table_name, at, finding, verdict,"
        " cites, text, seat, player, dealer, by, words FROM ruling, generate_series(1, 3) n"
    )
    whole = find_rulings(database, RulingQuery())
    assert len(whole) > 4
    monkeypatch.setattr(archive_queries, "MAX_RULINGS", 3)
    found, before = [], ""
    while look := find_rulings(database, parse_query({"before": before})):
        found += look
        before = "/".join(str(look[-1][key]) for key in ("at", "journal", "entry", "place"))
    assert found == whole


def test_a_hand_of_the_archive_step_by_step_is_told_as_at_the_table(
    database: Database, conninfo: str, state: Path, records: list[JournalRecord]
) -> None:
    arrive(database, len(records))
    hand = next(row for row in read_rows(state / JOURNAL_FILE, 0, 1 << 60) if row.over and row.rulings)
    asked = {"where": conninfo, "journal": "j1", "session": hand.session, "hand": hand.hand}
    said = subprocess.run(
        [sys.executable, "-P", "-m", "room.search.hand_steps_process"], input=json.dumps(asked), capture_output=True,
        text=True,
        check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert json.loads(said.stdout) == json.loads(json.dumps(read_steps(state / JOURNAL_FILE, hand.session, hand.hand)))
    assert not re.search(r'"sealed"', said.stdout)


@pytest.fixture
def older_records(tmp_path: Path) -> list[JournalRecord]:
    """A journal with a session that goes on from a snapshot which this program does not read."""
    path = Path(__file__).parents[1] / "runtime/journal/recorded/form-2-given-up-in-hand.tar.xz"
    with tarfile.open(path) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Debian 12's Python has none
        archive.extractall(tmp_path)
    with closing(JournalReader.open(tmp_path / JOURNAL_FILE)) as journal:
        return list(journal.read_records())


def test_a_session_that_goes_on_from_a_snapshot_of_another_form_is_found_after_a_start_of_the_room(
    database: Database, conninfo: str, older_records: list[JournalRecord]
) -> None:
    database.execute("DELETE FROM record")
    for some in (older_records[:-9], older_records[-9:]):
        with database.cursor() as cursor:
            rows = [(record.number, record.export_line) for record in some]
            cursor.executemany("INSERT INTO record VALUES ('j1', %s, %s)", rows)
        arrive(database, some[-1].number)
        index = ArchiveIndex(database)
        while index.index_new_records():
            pass
    assert database.execute("SELECT number, why FROM indexed").fetchall() == [(len(older_records), "")]
    last = max(record.parse_body()["session"] for record in older_records if record.kind == "session")
    found = database.execute("SELECT max(number) FROM hand WHERE session = %s", (last,)).fetchone()
    assert found is not None
    assert read_hand_steps(conninfo, "j1", last, found[0])


def test_a_shift_is_summed_up_for_page_spreadsheet_and_paper(database: Database, records: list[JournalRecord]) -> None:
    arrive(database, len(records))
    index = ArchiveIndex(database)
    while index.index_new_records():
        pass
    until = datetime.now(UTC) + timedelta(days=1)
    since = until - timedelta(days=20000)
    found = summarize_shift(database, since, until, [FloorCall(1, "table-07", 0.0, 42.0, "=Bo", 60.0, "=Bo")], 30.0)
    (table,) = found.table_rows
    assert table["table"] == "table-07"
    assert table["hands"] >= 4
    assert found.call_statistics.late_count == 1
    assert sum(row["times"] for row in found.error_rows) == len(find_rulings(database, RulingQuery()))
    parts = make_report_parts(found, load_language("de"))
    text = render_csv(parts)
    assert "table-07" in text
    assert "42" in text
    pytest.importorskip("fpdf", reason="fpdf2 is not installed (requirements/dev.txt)")
    pdf = render_pdf("Saal “Żółw”", since, until, parts)
    assert pdf.startswith(b"%PDF-")


def test_the_calls_of_a_shift_are_read_from_its_own_lines(database: Database) -> None:
    """And those of a day before, of 100,000: every 20 seconds somebody calls, and the floor comes after 10."""
    database.execute(
        "INSERT INTO line SELECT 'calls', n, 10.0 * n, 'Bo', (CASE n % 2 WHEN 1 THEN"
        " json_build_object('do', 'called', 'table', 'table-07') ELSE json_build_object('do', 'done', 'call', n - 1)"
        " END) FROM generate_series(1, 100000) n"
    )
    database.execute("ANALYZE line")
    read = 0

    class CountingRecord(PostgresRecord):
        def read_lines_between(self, stream: str, since: float, until: float) -> Iterator[RecordLine]:
            nonlocal read
            for line in super().read_lines_between(stream, since, until):
                read += 1
                yield line

    since = datetime.fromtimestamp(900_000, UTC)
    found = find_calls_between(CountingRecord(database), since, since + timedelta(hours=8))
    assert len(found) == 8 * 180
    assert {call.response_time_s for call in found} == {10.0}
    assert read == 32 * 360
    asked = "EXPLAIN SELECT number FROM line WHERE stream = 'calls' AND at >= 813600 AND at < 928800"
    plan = " ".join(row[0] for row in database.execute(asked).fetchall())
    assert "line_at" in plan
    late = find_calls_between(
        CountingRecord(database), datetime.fromtimestamp(20, UTC), datetime.fromtimestamp(21, UTC)
    )
    assert [(call.number, call.called_at) for call in late] == [(1, 10.0)], "called before the shift, and done in it"
    database.execute("DELETE FROM line")


def test_no_name_becomes_a_formula() -> None:
    parts = [("Dealers", [("dealer", "Dealer")], [{"dealer": "=HYPERLINK(1)"}, {"dealer": "-1"}, {"dealer": "x; @y"}])]
    assert "'=HYPERLINK" in render_csv(parts)
    assert "\r\n-1" not in render_csv(parts)
    assert "x;' @y" in render_csv(parts), "where the semicolon ends a cell, too"


def test_a_name_without_end_does_not_keep_the_report_from_the_others() -> None:
    parts = [("Dealers", [("dealer", "Dealer"), ("hands", "Hands")], [{"dealer": "W" * 200_000, "hands": 3}] * 3)]
    assert len(render_csv(parts)) < 2000
    pytest.importorskip("fpdf", reason="fpdf2 is not installed (requirements/dev.txt)")
    assert render_pdf("Hall", datetime.now(UTC), datetime.now(UTC), parts).startswith(b"%PDF-")


@pytest.mark.parametrize("time", ["infinity", "-infinity", "9999-12-31T23:59:59Z", "now", "", "2026-01-01"])
def test_a_journal_whose_clock_is_none_is_not_searched_in_and_hides_no_other(
    database: Database, records: list[JournalRecord], time: str
) -> None:
    """One ruling at `infinity` was the newest for ever, and no search and no report was answered any more."""
    with database.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO record VALUES ('j2', %s, %s)",
            [(each.number, re.sub(r'"wall":"[^"]*"', f'"wall":"{time}"', each.export_line)) for each in records],
        )
    database.execute("INSERT INTO head (table_name, journal, number, chain) VALUES ('table-08', 'j2', %s, '')",
                     (len(records),))  # fmt: skip
    arrive(database, len(records))
    index = ArchiveIndex(database)
    while index.index_new_records():
        pass
    assert {each["table"] for each in find_rulings(database, RulingQuery())} == {"table-07"}
    until = datetime.now(UTC) + timedelta(days=1)
    assert [each["table"] for each in summarize_shift(database, until - timedelta(31), until, [], 30.0).table_rows] == [
        "table-07"
    ]
    assert database.execute("SELECT why FROM indexed WHERE journal = 'j2'").fetchone() != ("",)


def test_a_hand_without_end_takes_no_more_memory_than_a_long_one(
    records: list[JournalRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = 0
    for record in records:
        longest = (
            longest + len(record.export_line) if record.kind == "entry" else 0 if record.kind == "hand-key" else longest
        )
    assert 20 * longest < journal_follower.MAX_HAND_BYTES
    monkeypatch.setattr(journal_follower, "MAX_HAND_BYTES", 10_000)
    one = JournalFollower("j1", parse_table_line)
    with pytest.raises(RecoveryError, match="has no end"):
        list(map(one.receive_record, (record for record in records if record.kind != "hand-key")))
    monkeypatch.setattr(journal_follower, "MAX_HAND_BYTES", longest + 40_000)
    other = JournalFollower("j1", parse_table_line)
    assert sum(len(other.receive_record(record)) for record in records), "hand by hand they are no more than that"


@pytest.mark.parametrize(("bound", "told"), [("MAX_OUTPUT_LENGTH", "too long"), ("MAX_MEMORY_BYTES", "")])
def test_steps_are_bounded_in_length_and_memory(
    database: Database, conninfo: str, state: Path, records: list[JournalRecord], bound: str, told: str
) -> None:
    arrive(database, len(records))
    hand = next(row for row in read_rows(state / JOURNAL_FILE, 0, 1 << 60) if row.over)
    asked = {"where": conninfo, "journal": "j1", "session": hand.session, "hand": hand.hand}
    program = (
        f"from room.search import hand_steps_process as steps; steps.{bound} = 4096; raise SystemExit(steps.main())"
    )
    said = subprocess.run(
        [sys.executable, "-P", "-c", program], input=json.dumps(asked), capture_output=True, text=True, check=False,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert len(said.stdout) < 200
    assert told in said.stdout


def test_a_journal_that_cannot_be_played_says_why_and_holds_up_nobody(
    database: Database, records: list[JournalRecord]
) -> None:
    broken = next(record for record in records if record.kind == "entry")
    database.execute("UPDATE record SET line = 'x' WHERE number = %s", (broken.number,))
    arrive(database, len(records))
    index = ArchiveIndex(database)
    while index.index_new_records():
        pass
    rows = database.execute("SELECT number, why FROM indexed").fetchall()
    assert rows == [(broken.number - 1, f"BadRecordError at record {broken.number}")]


def test_a_search_that_takes_long_is_ended_and_holds_up_no_other_work(
    database: Database, conninfo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ArchiveIndex(database)
    monkeypatch.setattr(rulings_page, "SEARCH_TIMEOUT_S", 0.3)
    house = House(tmp_path)
    house.room.file = replace(house.room.file, conninfo=conninfo)
    page = next(page for page in house.pages if isinstance(page, rulings_page.RulingsPage))

    async def run_queries(times: int) -> list[int]:
        sent = [
            page._run_query(lambda connection: find_rulings(connection, RulingQuery()), lambda _: Response())
            for _ in range(times)
        ]
        return [answer.status_code for answer in await asyncio.gather(*sent)]

    with connect_database(conninfo) as other, other.transaction():
        other.execute("UPDATE ruling SET seat = seat; LOCK TABLE ruling IN ACCESS EXCLUSIVE MODE")
        found = asyncio.run(run_queries(10))
    assert sorted(found) == [429] * 6 + [503] * 4
    monkeypatch.setattr(rulings_page, "SEARCH_TIMEOUT_S", 60)  # they are to be quick, on a quick machine
    assert asyncio.run(run_queries(4)) == [200] * 4
    house.close()


def test_who_searches_and_who_writes_do_not_wait_for_each_other(
    database: Database, conninfo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    ArchiveIndex(database)
    monkeypatch.setattr(rulings_page, "SEARCH_TIMEOUT_S", 1.0)
    house, newest = House(tmp_path), IndexedFacts(f"{conninfo} options='-c statement_timeout=1s'")
    request.addfinalizer(house.close)
    request.addfinalizer(newest.close)
    house.room.file = replace(house.room.file, conninfo=f"{conninfo} options='-c statement_timeout=1s'")
    page = next(page for page in house.pages if isinstance(page, rulings_page.RulingsPage))
    written = [name.decode() for schema in (RECORD_SCHEMA, INDEX_SCHEMA) for name in re.findall(
        rb"(?m)^CREATE TABLE IF NOT EXISTS (\w+)", schema.read_bytes()
    )]  # fmt: skip
    with connect_database(conninfo) as other, other.transaction():
        other.execute(f"LOCK TABLE {', '.join(written)} IN ROW EXCLUSIVE MODE".encode())  # as who has written there
        answer = asyncio.run(
            page._run_query(lambda connection: find_rulings(connection, RulingQuery()), lambda _: Response())
        )
        assert answer.status_code == 200
        assert newest.read_seating() == {}


def test_a_schema_makes_nothing_that_is_not_looked_for() -> None:
    for schema in (RECORD_SCHEMA, INDEX_SCHEMA):
        text = re.sub(r"--.*", "", schema.read_text())
        assert (
            len(CREATE_PATTERN.findall(schema.read_bytes()))
            == len([part for part in text.split(";") if part.strip()])
            > 5
        )


def follow_records(records: list[JournalRecord]) -> list[PlayedEntry]:
    following = JournalFollower("j1", parse_table_line)
    return [each for record in records for each in following.receive_record(record)]


def test_the_desk_is_told_who_deals_who_sits_and_which_hands_were_tabled(
    request: pytest.FixtureRequest, database: Database, conninfo: str, records: list[JournalRecord]
) -> None:
    newest = IndexedFacts(conninfo)
    request.addfinalizer(newest.close)
    for upto in (len(records) // 2, len(records)):
        arrive(database, upto)
        index = ArchiveIndex(database)  # with a start of the program in between
        while index.index_new_records():
            pass
    assert [(one.table, one.name, one.is_sign_out) for one in newest.read_sign_ins(0, 0.0)] == [
        ("table-07", "Ada", False), ("table-07", "Ada", True),
    ]  # fmt: skip
    entries = follow_records(records)
    over = {each.hand_number: each.showdown_result for each in entries if each.showdown_result is not None}
    wanted = {(hand, seat): cards for hand, one in over.items() for seat, cards in one.tabled_cards_by_seat.items()}
    found = newest.read_tabled_hands(0, 0.0)
    assert {(one.hand, one.seat): one.own_cards for one in found} == wanted
    assert wanted
    assert all(len(one.board) == 5 and one.pot and one.dealt_in_count and one.player for one in found)
    sits = newest.read_seating()["table-07"]
    assert {seat: player for seat, (player, _) in sits.items()} == entries[-1].player_by_seat
    came = {seat: next(each.entry.wall_time for each in entries if each.player_by_seat.get(seat)) for seat in sits}
    assert min(since for _, since in sits.values()) == min(
        datetime.fromisoformat(wall).timestamp() for wall in came.values()
    )
    last = found[-1].id
    assert newest.read_tabled_hands(last, 0.0) == []
    database.execute(f"DROP TABLE {KEPT}")
    again = ArchiveIndex(database)
    while again.index_new_records():
        pass
    assert newest.read_seating()["table-07"] == sits
    assert newest.read_tabled_hands(last + 1, 0.0) == found, "an index that was made again counts anew"
    assert len(newest.read_sign_ins(0, 4e9)) == 0


def test_no_card_of_the_index_lay_face_down(database: Database, records: list[JournalRecord]) -> None:
    arrive(database, len(records))
    index = ArchiveIndex(database)
    while index.index_new_records():
        pass
    lay_open: dict[int, set[str]] = {}
    for told in (record.parse_body() for record in records if record.kind == "disclosed"):
        lay_open.setdefault(told["hand"], set()).update(told["cards"].values())
    for hand, own, board in database.execute("SELECT hand, own, board FROM tabled").fetchall():
        assert {*own, *board} <= lay_open[hand]


def test_who_gets_up_loses_the_time_and_who_stays_keeps_it() -> None:
    def entry(wall: str, players: dict[int, str]) -> PlayedEntry:
        return PlayedEntry(JournalEntry(1, 1, 1, wall, "", "", None, None), {}, 1, False, {}, players)

    first, second, third, fourth = (f"2026-01-31T18:0{minute}:00+00:00" for minute in range(4))
    both = {1: "Ana", 2: "Ben"}
    came = update_seating({}, [entry(first, both), entry(second, {1: "Ana"}), entry(third, both)])
    assert came == {1: ("Ana", first), 2: ("Ben", third)}
    assert update_seating(came, [entry(fourth, {1: "Cid", 2: "Ben"})]) == {1: ("Cid", fourth), 2: ("Ben", third)}
    with pytest.raises(ValueError, match="no table has that time"):
        update_seating({}, [entry("9999-01-31T18:00:00+00:00", both)])
