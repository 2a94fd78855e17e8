"""Whoever may read the journal's file can hold it; the table goes on without it for hours, and loses nothing."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.runtime.journal import journal as journals
from controller.runtime.journal.journal import MAX_LOG_BYTES, Journal
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.loop.housekeeping import DISK_SLOW_REPORT_INTERVAL_S, MACHINE_CHECK_INTERVAL_S
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import JOURNAL_FILE
from tests.app.rig import Rig

HOLD = """
import fcntl, os, struct, sys
handle = os.open(sys.argv[1], os.O_RDONLY)
lock = struct.pack("hhqqi0q", fcntl.F_RDLCK, os.SEEK_SET, 120, 8, 0)
fcntl.fcntl(handle, fcntl.F_SETLK, lock)
print("held", flush=True)
sys.stdin.read()
"""
"""A lock to read on all lock bytes of a `-shm`, which everybody may have who may read it."""


@contextmanager
def hold_file(path: Path) -> Iterator[None]:
    shm = path.with_name(f"{path.name}-shm")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(shm)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        yield
        assert other.stdin is not None
        other.stdin.close()


def begin_journal(folder: Path) -> Journal:
    journal = Journal(folder / JOURNAL_FILE)
    journal.begin_run("boot", "1")
    journal.begin_session({"mode": "live"})
    return journal


def play(journal: Journal, size: int) -> None:
    """Write so many bytes at least, and end hands."""
    number = 0
    while number * 4000 < size:
        journal.append_note("call", {"wanted": True, "by": "x" * 4000})
        number += 1
        if number % 10 == 0:
            journal.finish_hand()


def in_file(path: Path) -> int:
    archive = JournalReader.open(path)
    try:
        return int(archive._db.execute("SELECT max(number) FROM main.record").fetchone()[0])
    finally:
        archive.close()


def numbers(path: Path) -> list[int]:
    archive = JournalReader.open(path)
    try:
        return [record.number for record in archive.read_records()]
    finally:
        archive.close()


def test_a_table_plays_on_while_somebody_holds_its_file_and_puts_all_into_it_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = begin_journal(tmp_path)
    clock = [0.0]
    monkeypatch.setattr(journals, "monotonic", lambda: clock[0])
    with hold_file(journal.path):
        play(journal, 2 * MAX_LOG_BYTES)
        assert journal.is_newly_held()
        assert not journal.is_newly_held(), "it is said once"
        assert in_file(journal.path) < 10
        assert not journal.rotate()
        last = journal._number
        assert numbers(journal.path) == list(range(1, last + 1)), "whoever reads has all of it"
        with pytest.raises(DatabaseError, match="another program holds it"):
            journal.merge_tail()
    journal.finish_hand()
    assert in_file(journal.path) < 10, "it waits for a while"
    clock[0] += journals.FOLD_RETRY_DELAY_S
    journal.finish_hand()
    assert in_file(journal.path) == journal._number
    assert not journal.is_newly_held()
    assert journal.rotate()
    journal.close()


def test_what_lies_in_the_tail_of_a_file_that_was_held_is_there_after_a_cut_of_the_power(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    with hold_file(journal.path):
        play(journal, 2 * MAX_LOG_BYTES)
        last = journal._number
    del journal  # nothing is closed
    again = Journal(tmp_path / JOURNAL_FILE)
    assert again.missing_head is None
    assert again.read_head()[0] == last == in_file(again.path)
    again.close()


def test_a_clean_end_while_the_file_is_held_leaves_the_rest_for_the_next_start(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    with hold_file(journal.path):
        play(journal, 2 * MAX_LOG_BYTES)
        journal.end_run("asked")
        last = journal._number
        journal.close()
    again = Journal(tmp_path / JOURNAL_FILE)
    assert again.read_head()[0] == last
    again.close()


def test_a_file_that_is_held_for_too_long_ends_the_table_and_the_tail_stays_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "MAX_HELD_LOG_BYTES", 2 * MAX_LOG_BYTES)
    journal = begin_journal(tmp_path)
    with hold_file(journal.path), pytest.raises(DatabaseError, match="cannot be written: another program holds it"):
        play(journal, 3 * MAX_LOG_BYTES)
    last = journal._number
    with pytest.raises(DatabaseError, match="only within a run"):
        journal.append_entry({"ev": "start"}, "page")
    journal.close()
    again = Journal(tmp_path / JOURNAL_FILE)
    assert again.read_head()[0] == last, "and nothing of it is lost"
    again.close()


def test_a_slow_disk_is_said_and_not_all_the_time(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.loop._housekeeping._find_free_bytes = lambda: 1 << 40

        def count_notices() -> int:
            return [notice.code.value for notice in rig.standing.notices].count("disk-slow")

        rig.run(MACHINE_CHECK_INTERVAL_S + 0.1)
        assert count_notices() == 0
        for said in (1, 1):
            rig.journal._slowest_commit_s = 4.6
            rig.run(MACHINE_CHECK_INTERVAL_S + 0.1)
            assert count_notices() == said
        assert "up to 5 s" in rig.standing.notices[0].text
        rig.run(DISK_SLOW_REPORT_INTERVAL_S)
        assert count_notices() == 1, "it was said, and the disk is quick again"
        rig.journal._slowest_commit_s = 1.0
        rig.run(MACHINE_CHECK_INTERVAL_S + 0.1)
        assert count_notices() == 2


def test_the_longest_commit_is_told_once(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    assert 0 < journal.take_slowest_commit_s() < 60
    assert journal.take_slowest_commit_s() == 0
    journal.close()


def test_the_page_says_that_the_file_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Rig(tmp_path) as rig:
        rig.loop._housekeeping._find_free_bytes = lambda: 1 << 40
        rig.run(1.0)
        monkeypatch.setattr(journals, "FOLD_THRESHOLD_BYTES", 1)
        with hold_file(rig.journal.path):
            rig.journal.finish_hand()
            rig.run(MACHINE_CHECK_INTERVAL_S + 0.1)
            assert [notice.code.value for notice in rig.standing.notices].count("journal-held") == 1
