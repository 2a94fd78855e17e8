"""The journal keeps what it was given, in order, and lets nothing be changed."""

import errno
import gc
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.runtime.journal.journal import Journal, JournalEntry
from controller.runtime.journal.journal_reader import FORMAT_1_APPLICATION_ID, JournalReader
from controller.runtime.storage.sqlite_database import DatabaseError

LINE = {"ev": "card", "card": "As"}


def begin_run_and_session(journal: Journal) -> Journal:
    journal.begin_run("boot", "1.0")
    journal.begin_session({"mode": "live", "table": "{}"})
    return journal


def test_entries_number_on_over_sessions_and_runs(journal: Journal, tmp_path: Path) -> None:
    begin_run_and_session(journal)
    assert [journal.append_entry(LINE, "shoe") for _ in range(3)] == [1, 2, 3]
    journal.end_run("SIGTERM")
    journal.close()
    again = begin_run_and_session(Journal(tmp_path / "journal.sqlite"))
    assert again.append_entry({"ev": "done"}, "panel") == 4
    first, second = again.list_sessions()
    assert [entry.number for entry in again.read_entries(first)] == [1, 2, 3]
    assert [json.loads(entry.script_line) for entry in again.read_entries(second)] == [{"ev": "done"}]
    assert again.count_entries(first) == 3
    again.close()


def test_a_journal_of_years_holds_no_file_of_a_past_day_open(journal: Journal) -> None:
    """What is looked up in all files, one a day, must not keep them open: descriptors would run out within years."""
    begin_run_and_session(journal)
    days = 12
    for _ in range(days):
        journal.append_entry(LINE, "shoe")
        journal.finish_hand()
        assert journal.rotate()
    gc.collect()  # what other tests left open must not go meanwhile
    before = len(os.listdir("/proc/self/fd"))
    assert len(journal.list_sessions()) == 1
    assert len(list(journal.read_records())) > days
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_long_journal_stays_on_the_disk(journal: Journal) -> None:
    """SQLite keeps 2 MB of a file in memory if nobody says less; a table appends, and reads nothing again."""
    (kib,) = journal._db.execute("PRAGMA cache_size").fetchone()
    assert kib == -256


def test_a_run_without_an_end_was_cut_short(journal: Journal, tmp_path: Path) -> None:
    assert not journal.begin_run("boot", "1.0")
    journal.close()
    second = Journal(tmp_path / "journal.sqlite")
    assert second.begin_run("boot", "1.0")
    second.end_run("SIGTERM")
    second.close()
    third = Journal(tmp_path / "journal.sqlite")
    assert not third.begin_run("boot", "1.0")
    third.close()


def test_results_are_written_with_the_next_entry_and_at_the_end(journal: Journal) -> None:
    begin_run_and_session(journal)
    session = journal.list_sessions()[0]
    journal.record_result(journal.append_entry(LINE, "shoe"), "d1", None)
    assert [entry.digest for entry in journal.read_entries(session)] == [None]
    journal.record_result(journal.append_entry(LINE, "shoe"), "d2", "not-now")
    assert [entry.digest for entry in journal.read_entries(session)] == ["d1", None]
    journal.end_run("SIGTERM")
    assert [(entry.digest, entry.refusal_code) for entry in journal.read_entries(session)] == [
        ("d1", None),
        ("d2", "not-now"),
    ]


@pytest.mark.parametrize("statement", ["DELETE FROM record", "UPDATE record SET number = number + 100"])
def test_nothing_written_can_be_changed(journal: Journal, statement: str, tmp_path: Path) -> None:
    begin_run_and_session(journal)
    journal.record_result(journal.append_entry(LINE, "shoe"), "d1", None)
    journal.end_run("SIGTERM")
    with sqlite3.connect(tmp_path / "journal.sqlite") as other, pytest.raises(sqlite3.Error, match="append-only"):
        other.execute(statement)
    other.close()


def test_an_entry_outside_a_run_is_refused(journal: Journal) -> None:
    with pytest.raises(DatabaseError, match="only within a run"):
        journal.append_entry(LINE, "shoe")


def test_a_failed_write_ends_the_run_for_good(journal: Journal, mocker: MockerFixture) -> None:
    begin_run_and_session(journal)
    mocker.patch.object(journal._write_ahead_log, "sync_file", side_effect=OSError(errno.EIO, os.strerror(errno.EIO)))
    with pytest.raises(DatabaseError, match=r"journal\.sqlite: the journal cannot be written: the disk gives an error"):
        journal.append_entry(LINE, "shoe")
    mocker.stopall()
    with pytest.raises(DatabaseError, match="only within a run"):
        journal.append_entry(LINE, "shoe")
    assert journal.last_entry_number == 0


def test_a_journal_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    Journal(path).close()
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version=99")
    newer.close()
    with pytest.raises(DatabaseError, match="written by a newer program"):
        Journal(path)


def test_a_journal_of_the_first_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with sqlite3.connect(path) as older:
        older.execute("CREATE TABLE entry (sequence INTEGER PRIMARY KEY)")
        older.execute(f"PRAGMA application_id={FORMAT_1_APPLICATION_ID}")
    older.close()
    for open_it in (Journal, JournalReader.open):
        with pytest.raises(DatabaseError, match=r"is a journal of format 1, .* move it away or give"):
            open_it(path)


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"ace of spades" * 1000)
    with pytest.raises(DatabaseError, match="file is not a database"):
        Journal(path)
    with pytest.raises(DatabaseError, match="there is no such file"):
        JournalReader.open(tmp_path / "missing.sqlite")
    with pytest.raises(DatabaseError, match="cannot be opened"):
        Journal(path / "below" / "a file")


def test_an_entry_never_shows_its_line() -> None:
    assert repr(JournalEntry(7, 1, 1, "", "shoe", json.dumps(LINE), None, None)) == "<Entry 7>"


def test_an_entry_is_on_the_disk_when_append_returns(tmp_path: Path) -> None:
    """A process that dies without closing anything has lost nothing that it was told is written."""
    program = f"""
import os
from pathlib import Path
from controller.runtime.journal.journal import Journal
journal = Journal(Path({str(tmp_path / "journal.sqlite")!r}))
journal.begin_run("boot", "1.0")
journal.begin_session({{"mode": "live"}})
for number in range(50):
    journal.append_entry({{"ev": "time", "t": number}}, "clock")
os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 9
    journal = Journal(tmp_path / "journal.sqlite")
    assert journal.last_entry_number == 50
    journal.close()
