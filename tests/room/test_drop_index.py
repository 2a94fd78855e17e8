"""What the index says that tables dropped is what their own accounts say, whatever came late or was taken back."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from psycopg.rows import TupleRow

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.records.drop import DropRecorder, DropRow, RestingDrop
from controller.runtime.journal.entry_result import handle_entry
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.journal_reader import JournalEntry, JournalReader
from controller.runtime.journal.proof.chain import JournalRecord
from controller.runtime.journal.recovery.drop_ledger import read_drop
from controller.runtime.journal.recovery.journal_replay import parse_event
from controller.runtime.journal.sealing.hand_seal import read_card_knowledge, render_line
from controller.runtime.storage.state_directory import JOURNAL_FILE
from room.record.postgres_record import connect_database
from room.search.archive_index import ArchiveIndex
from room.search.drop_index import write_drop
from tests.core.arbitrary import fitting, iter_obedient_answers
from tests.laws.test_collection import next_line, raked_line

Database = psycopg.Connection[TupleRow]
Row = tuple[int, int, str, int | None, str]

KEPT = "hand, ruling, indexed, tabled, signed, seated, dropped, day_drop, table_drop, drop_box"


def list_rows(rows: Sequence[DropRow]) -> list[Row]:
    """Rows of hands at which something could be taken."""
    return [
        (row.session, row.hand, row.game, row.amount, row.dealer)
        for row in rows
        if row.kind != "none" or row.amount != 0
    ]


class JournaledTable:
    """A table that is played at by chance, and keeps its journal as a live one does."""

    def __init__(self, folder: Path, seed: int, **more: object) -> None:
        self.path = folder / JOURNAL_FILE
        folder.mkdir()
        self.pick = random.Random(seed).randrange
        self.journal = Journal(self.path)
        self.journal._write_ahead_log.sync_file = lambda _handle: None
        self.journal._db.execute("PRAGMA synchronous=OFF")
        self.journal.begin_run("boot", "test")
        self.sessions = 0
        self.rows: list[Row] = []
        """Of sessions that are over."""
        self.begin_session(raked_line(self.pick) | more)

    def begin_session(self, line: dict[str, Any]) -> None:
        if self.sessions:
            self.rows = self.find_rows()
        self.sessions += 1
        self.line = line
        self.table, self.recorder = Table(), DropRecorder(self.sessions)
        self.journal.begin_session({"mode": "live", "table": json.dumps(line)})
        self.enter(line)

    def enter(self, line: dict[str, Any], dealer: str = "") -> None:
        by = {"name": dealer, "role": "dealer"} if dealer else None
        number = self.journal.append_entry(line, "page", by)
        written = JournalEntry(number, self.sessions, 1, "", "", render_line(line), None, None)
        given = handle_entry(self.table, parse_event(written, line, parse_table_line), number)
        digest = given.compute_digest(given.to_output_line())
        refused = None if given.error is None else given.error.code
        self.journal.record_result(number, digest, refused, read_card_knowledge(given.outcome))
        if given.error is None:
            self.recorder.receive_outcome(given.outcome, self.table.history, "2026-01-31T21:59:30.000+00:00", by)

    def play(self, entries: int) -> None:
        """Enter what comes next, now and then anything else, and after a hand also its last steps back."""
        watched: Any = SimpleNamespace(table=self.table)
        for _ in range(entries):
            line = fitting(self.table, self.pick) if self.pick(6) else next_line(watched, self.pick)
            if not self.table.outcome.state.is_hand_on and line["ev"] == "start" and not self.pick(4):
                self.enter(line)
                for _ in range(1 + self.pick(5)):
                    self.enter({"ev": "undo"})
                continue
            self.enter_if_it_is_a_line(line, ("", "Ada", "Ben")[self.pick(3)])

    def enter_if_it_is_a_line(self, line: dict[str, Any], dealer: str = "") -> None:
        """Enter it; what is no line of the script comes into no journal."""
        try:
            parse_line(line)
        except Refused:
            return
        self.enter(line, dealer)

    def rest(self) -> None:
        """Play on until no hand is on, as when a table closes."""
        for _ in range(400):
            if not self.table.outcome.state.is_hand_on:
                return
            before = self.table.outcome
            for line in iter_obedient_answers(before):
                self.enter_if_it_is_a_line(line)
                if self.table.outcome is not before:
                    break
        raise AssertionError("the hand does not end")

    def read_records(self) -> list[JournalRecord]:
        reader = JournalReader.open(self.path)
        try:
            return list(reader.read_records())
        finally:
            reader.close()

    def find_rows(self) -> list[Row]:
        """As the table's own account has them."""
        return self.rows + list_rows(self.recorder.rows_at_rest)

    def read_journal_rows(self) -> list[Row]:
        """As the table's own command has them."""
        reader = JournalReader.open(self.path)
        try:
            return list_rows(read_drop(reader, parse_table_line).rows)
        finally:
            reader.close()


class Archive:
    """The archive of some tables, as far as their records have come."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.index = ArchiveIndex(database)
        self._stored_count: dict[str, int] = {}

    def take(self, name: str, records: list[JournalRecord], upto: int | None = None) -> None:
        some = records[self._stored_count.get(name, 0) : upto]
        with self.database.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO record VALUES (%s, %s, %s)", [(name, each.number, each.export_line) for each in some]
            )
        self._stored_count[name] = self._stored_count.get(name, 0) + len(some)
        self.database.execute(
            "INSERT INTO head (table_name, journal, number, chain) VALUES (%s, %s, %s, '')"
            " ON CONFLICT (table_name, journal) DO UPDATE SET number = excluded.number",
            (f"table-{name}", name, self._stored_count[name]),
        )
        self.read_on()

    def read_on(self) -> None:
        while self.index.index_new_records():
            pass

    def restart_index(self) -> None:
        self.index = ArchiveIndex(self.database)

    def find_rows(self, name: str) -> list[Row]:
        return self.database.execute(
            "SELECT session, hand, game, chips, dealer FROM dropped WHERE journal = %s ORDER BY session, hand", (name,)
        ).fetchall()

    def check_days(self) -> None:
        """The sums of the days are those of the hands."""
        of_hands = "SELECT day, table_name, coalesce(sum(chips), 0), count(*), count(*) - count(chips), max(ended)"
        summed = self.database.execute(f"{of_hands} FROM dropped GROUP BY 1, 2 ORDER BY 1, 2".encode()).fetchall()
        assert self.database.execute("SELECT * FROM day_drop ORDER BY day, table_name").fetchall() == summed
        of_days = "SELECT table_name, sum(chips), sum(hands), sum(unknown) FROM day_drop GROUP BY 1 ORDER BY 1"
        of_tables = "SELECT * FROM table_drop ORDER BY table_name"
        assert self.database.execute(of_tables).fetchall() == self.database.execute(of_days).fetchall()


@pytest.fixture
def archive(conninfo: str) -> Iterator[Archive]:
    with connect_database(conninfo) as connection:
        connection.execute(f"DELETE FROM record; DELETE FROM head; DROP TABLE IF EXISTS {KEPT}".encode())
        yield Archive(connection)


@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 12))])
def test_the_hands_of_any_tables_are_there_once_as_their_own_accounts_have_them(
    archive: Archive, tmp_path: Path, seed: int
) -> None:
    """Two tables with the same numbers of hands start anew, are archived by pieces and indexed by two programs."""
    pick = random.Random(seed).randrange
    tables = {name: JournaledTable(tmp_path / name, 10 * seed + n) for n, name in enumerate(("a", "b"))}
    reached = dict.fromkeys(tables, 0)
    for _ in range(10):
        name = ("a", "b")[pick(2)]
        table = tables[name]
        table.play(60)
        is_resting = not pick(3)
        if is_resting:
            table.rest()
        records = table.read_records()
        reached[name] = len(records) if is_resting else reached[name] + pick(len(records) - reached[name] + 1)
        if not pick(4):
            archive.restart_index()
        archive.take(name, records, reached[name])
        archive.check_days()
        if is_resting:
            assert archive.find_rows(name) == table.find_rows(), "also the last hand, after which none has begun"
        if not pick(5):
            table.begin_session(raked_line(table.pick))
    for name, table in tables.items():
        table.rest()
        archive.take(name, table.read_records())
        assert archive.database.execute("SELECT why FROM indexed WHERE journal = %s", (name,)).fetchall() == [("",)]
        assert archive.find_rows(name) == table.find_rows() == table.read_journal_rows()
    archive.check_days()


def test_a_hand_that_was_told_before_is_told_anew_and_one_that_was_taken_back_is_gone(archive: Archive) -> None:
    """Also where a hand that gave something gives nothing any more, or is of another day by now."""

    def tell(*rows: DropRow, last_hand: int, session: int = 1, name: str = "a") -> list[tuple[int, int, int | None]]:
        with archive.database.cursor() as cursor:
            write_drop(cursor, f"table-{name}", name, RestingDrop(session, rows, last_hand))
        archive.check_days()
        return [(row[0], row[1], row[3]) for row in archive.find_rows(name)]

    def make_row(hand: int, amount: int | None, day: int = 15, kind: str = "rake") -> DropRow:
        at = f"2027-01-{day}T20:00:00+00:00"
        return DropRow(1, hand, at, at, "Hold'em", kind, {kind: amount}, "Ada")

    first = [make_row(1, 5), make_row(2, 7), make_row(3, None)]
    assert tell(*first, last_hand=3) == [(1, 1, 5), (1, 2, 7), (1, 3, None)]
    assert tell(*first, last_hand=3, name="b") == [(1, 1, 5), (1, 2, 7), (1, 3, None)], "the same numbers elsewhere"
    assert tell(make_row(2, 4, 17), last_hand=2) == [(1, 1, 5), (1, 2, 4)]
    days = "SELECT day::text, chips, hands FROM day_drop WHERE table_name = 'table-a' ORDER BY day"
    assert archive.database.execute(days).fetchall() == [("2027-01-15", 5, 1), ("2027-01-17", 4, 1)]
    assert tell(make_row(2, 0, kind="none"), last_hand=2) == [(1, 1, 5)]
    assert tell(last_hand=0) == []
    assert len(archive.find_rows("b")) == 3
    again = replace(make_row(1, 9), session=2)
    assert tell(again, last_hand=1, session=2) == [(2, 1, 9)]
    assert tell(*first, last_hand=3) == [(1, 1, 5), (1, 2, 7), (1, 3, None), (2, 1, 9)]


def test_the_last_hand_of_a_session_counts_where_the_next_session_comes_with_it(
    archive: Archive, tmp_path: Path
) -> None:
    table = JournaledTable(tmp_path / "a", 3)
    table.play(60)
    table.rest()
    told = table.find_rows()
    assert told
    table.begin_session(raked_line(table.pick))
    archive.take("a", table.read_records())
    assert archive.find_rows("a") == told
