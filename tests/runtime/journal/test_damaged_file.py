"""A damaged file is one sentence, and the sentence quotes nothing: what cannot be read may be a card."""

import os
import random
import re
import sqlite3
import traceback
from contextlib import closing
from pathlib import Path

import pytest

from config.table_line import parse_table_line
from controller.runtime.devices.deck_store import DeckStore
from controller.runtime.journal.journal import NOT_STARTED, Journal
from controller.runtime.journal.recovery.journal_replay import RecoveryError, recover_table
from controller.runtime.storage.sqlite_database import DatabaseError

SECRET = "Qd"


def write_journal(path: Path) -> Path:
    """A journal whose every entry says the same card, all of it in the one file."""
    journal = Journal(path)
    journal.begin_run("boot", "1.0")
    journal.begin_session({"mode": "live", "table": "{}"})
    for _ in range(60):
        journal.append_entry({"ev": "card", "card": SECRET}, "shoe")
    journal.end_run("SIGTERM")
    journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    journal.close()
    return path


def write_over(path: Path, statement: str) -> None:
    """Change records as only damage does: no table has such a statement."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("DROP TRIGGER record_no_update")
        other.execute(statement)


def read_whole(path: Path) -> None:
    journal = Journal(path)
    try:
        journal.begin_run("boot", "1.0")
        for session in journal.list_sessions():
            journal.count_entries(session)
            list(journal.read_entries(session))
    finally:
        journal.close()


@pytest.mark.parametrize("seed", range(12))
def test_damaged_bytes_are_read_or_refused_in_one_sentence(tmp_path: Path, seed: int) -> None:
    path = write_journal(tmp_path / "journal.sqlite")
    chance = random.Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(3000):
        data[chance.randrange(100, len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    with pytest.raises(DatabaseError) as caught:
        read_whole(path)
    assert str(path) in str(caught.value)


def test_a_row_that_is_no_text_is_not_quoted(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "journal.sqlite")
    write_over(path, "UPDATE record SET body = CAST(CAST(body AS BLOB) || x'ff' AS TEXT) WHERE kind = 'entry'")
    with pytest.raises(DatabaseError, match="damaged") as caught:
        read_whole(path)
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_a_header_that_is_no_json_is_refused(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "journal.sqlite")
    write_over(path, "UPDATE record SET body = '{' WHERE kind = 'session'")
    with pytest.raises(DatabaseError, match="record 3 of the journal was changed"):
        read_whole(path)


def test_a_record_that_is_no_json_is_refused_with_the_file_that_has_it(tmp_path: Path) -> None:
    """Whoever looks for the newest of a kind follows no chain: one in a closed file is named by that file."""
    path = write_journal(tmp_path / "journal.sqlite")
    write_over(path, "UPDATE record SET body = '{' WHERE number = 7")
    closed = path.rename(tmp_path / "journal-1.sqlite")
    told = re.escape(f"{closed}: record 7 of the journal was changed")
    with closing(Journal(path)) as journal, pytest.raises(DatabaseError, match=told):
        list(journal.read_newest_records("entry"))


@pytest.mark.parametrize(
    "line",
    [{"ev": "card", "card": "Qx"}, {"ev": "card", "Qd": 1, "card": "Qd"}, ["Qd"], {"ev": ["Qd"]}, {"ev": "Qd"}],
    ids=["value", "key", "list", "no word", "word"],
)
def test_an_entry_that_cannot_be_read_is_not_quoted(journal: Journal, line: object) -> None:
    journal.begin_run("boot", "1.0")
    session = journal.begin_session({"mode": "live", "table": "{}"})
    body = {"entry": 1, "session": 1, "run": 1, "source": "shoe", "line": line}
    journal._write_records(("entry", body))
    journal._last_entry_number = 1
    with pytest.raises(RecoveryError, match="entry 1 of the journal cannot be read any more") as caught:
        recover_table(journal, session, parse_table_line)
    told = "".join(traceback.format_exception_only(caught.value))
    assert "Q" not in told
    assert caught.value.__suppress_context__


def test_a_start_that_failed_does_not_hide_the_cut_before_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    for why, told in (("", False), (NOT_STARTED, True), ("SIGTERM", True), (NOT_STARTED, False), ("SIGTERM", False)):
        journal = Journal(path)
        assert journal.begin_run("boot", "1.0") is told
        if why:
            journal.end_run(why)
        journal.close()


def test_files_of_a_table_are_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        old = tmp_path / "table.sqlite"
        sqlite3.connect(old).close()
        old.touch(0o644)
        old.chmod(0o644)
        DeckStore(old).close()
        with closing(Journal(tmp_path / "journal.sqlite")):
            modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes.pop("device.pub") & 0o022 == 0, "that one is for everybody to read"
    assert {"table.sqlite", "journal.sqlite", "journal.sqlite-wal"} <= set(modes)
    assert set(modes.values()) == {0o600}, modes
