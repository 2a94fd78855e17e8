"""What is left of a journal after a cut, a damaged file, a full disk: all that was acknowledged, or a sentence."""

import os
import resource
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.runtime.journal import journal as journal_module
from controller.runtime.journal import system_clocks
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.journal_reader import JournalReader, find_closed_files
from controller.runtime.journal.proof.chain import verify_journal
from controller.runtime.journal.sealing.hand_seal import CardKnowledge
from controller.runtime.storage.atomic_file import write_atomically
from controller.runtime.storage.sqlite_database import PAGE_BYTES, DatabaseError
from tests.runtime.conftest import begin_journal, read_all_records


def cut(journal: Journal, copy: Path) -> None:
    """What a cut of the power would find on the disk just now."""
    copy.mkdir()
    for path in journal.path.parent.iterdir():
        if not path.name.endswith("-shm"):
            shutil.copyfile(path, copy / path.name)
    (copy / "device.key").chmod(0o600)


@pytest.fixture
def torn_directory(tmp_path: Path) -> Path:
    """A directory as a cut left it, with all but the first record in the tail."""
    journal = begin_journal(tmp_path / "table")
    for _ in range(25):
        journal.record_result(
            journal.append_entry({"ev": "card", "card": "As"}, "shoe"), "d" * 64, None, CardKnowledge(True)
        )
    cut(journal, tmp_path / "cut")
    journal.close()
    return tmp_path / "cut"


def test_a_tail_that_ends_anywhere_holds_whole_commits_and_what_is_lost_is_missed(
    torn_directory: Path, tmp_path: Path
) -> None:
    whole = records_in(torn_directory)
    data = (torn_directory / "journal.tail").read_bytes()
    ends = [place + 1 for place, sign in enumerate(data) if sign == ord("\n")]
    seen = set[int]()
    for end in [0, *ends]:
        for length in {end, end + 1, max(0, end - 1)}:
            (torn_directory / "journal.tail").write_bytes(data[:length])
            number = verify_journal(read_all_records(torn_directory)).last_record
            copy = tmp_path / f"{length}"
            shutil.copytree(torn_directory, copy)
            journal = Journal(copy / "journal.sqlite")
            assert verify_journal(journal.read_records(linked=False)).last_record == number
            assert (journal.missing_head is None) == (number == whole)
            seen.add(number)
            journal.close()
            shutil.rmtree(copy)
    assert seen == set(range(1, whole + 1)) - {4}, "the key of the hand is record 4, in one commit with the entry"


def test_what_an_earlier_round_left_in_the_tail_is_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "FOLD_THRESHOLD_BYTES", 2_000)
    journal = begin_journal(tmp_path / "table")
    for number in range(30):
        journal.record_result(
            journal.append_entry({"ev": "start"}, "x" * (number % 7)), "d" * 64, None, CardKnowledge(True)
        )
        journal.record_result(journal.append_entry({"ev": "done"}, "panel"), "d" * 64, None, CardKnowledge())
        cut(journal, tmp_path / "cut")
        assert records_in(tmp_path / "cut") == journal.read_head()[0]
        again = Journal(tmp_path / "cut" / "journal.sqlite")
        assert (again.missing_head, again.last_entry_number) == (None, journal.last_entry_number)
        again.close()
        shutil.rmtree(tmp_path / "cut")
    journal.close()


def test_a_tail_of_another_journal_is_no_record(torn_directory: Path, tmp_path: Path) -> None:
    other = begin_journal(tmp_path / "other")
    other.append_entry({"ev": "undo"}, "page")
    other.close()
    (tmp_path / "other" / "journal.tail").replace(torn_directory / "journal.tail")
    assert records_in(torn_directory) == 1


def test_a_journal_of_the_program_before_goes_on_where_it_was(tmp_path: Path) -> None:
    """It had no tail, and pages of 1,024 bytes."""
    journal = begin_journal(tmp_path)
    journal.append_entry({"ev": "undo"}, "page")
    journal.end_run("SIGTERM")
    journal.close()
    (tmp_path / "journal.tail").unlink()
    with sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None) as file:
        for words in ("journal_mode=DELETE", "page_size=1024"):
            file.execute(f"PRAGMA {words}")
        file.execute("VACUUM")
        file.execute("PRAGMA journal_mode=WAL")
    file.close()
    again = Journal(tmp_path / "journal.sqlite")
    assert (again.missing_head, again.begin_run("boot", "1.1")) == (None, False)
    assert verify_journal(again.read_records(linked=False)).entry_count == 1
    again.close()


def records_in(directory: Path) -> int:
    archive = JournalReader.open(directory / "journal.sqlite")
    number, _ = archive.read_head()
    archive.close()
    return number


@pytest.mark.parametrize("damage", ["missing", "empty", "flipped", "no journal"])
def test_records_that_were_acknowledged_and_are_gone_are_missed(torn_directory: Path, damage: str) -> None:
    directory = torn_directory
    tail, number = directory / "journal.tail", records_in(directory)
    if damage == "missing":
        tail.unlink()
    elif damage == "empty":
        tail.write_bytes(b"")
    elif damage == "flipped":
        data = bytearray(tail.read_bytes())
        data[data.index(b"\0") // 2] ^= 1
        tail.write_bytes(data)
    else:
        (directory / "journal.sqlite-wal").unlink()
        (directory / "journal.sqlite").unlink()
    journal = Journal(directory / "journal.sqlite")
    assert journal.missing_head is not None
    assert journal.missing_head[0] == number
    journal.begin_run("boot", "1.0")
    journal.end_run("refused")
    journal.close()
    again = Journal(directory / "journal.sqlite")
    assert again.missing_head is not None, "a start that was refused has forgotten it"
    again.begin_run("boot", "1.0")
    again.begin_session({"mode": "live", "table": "{}"})
    assert verify_journal(again.read_records(linked=False)).gap_count == 1
    again.close()
    later = Journal(directory / "journal.sqlite")
    assert later.missing_head is None
    later.close()


@pytest.mark.parametrize("other", ["journal.head", "journal.head-copy"])
def test_where_one_head_cannot_be_read_the_other_still_knows_what_is_lost(torn_directory: Path, other: str) -> None:
    (torn_directory / other).unlink()
    (torn_directory / other).mkdir()
    for damaged in (False, True):
        if damaged:
            (torn_directory / "journal.tail").write_bytes(b"")
        archive = JournalReader.open(torn_directory / "journal.sqlite")
        assert (archive.find_loss() is not None) == damaged
        archive.close()


@pytest.mark.parametrize("damage", [b"", b"rubbish", None])
def test_where_no_head_can_be_read_nobody_knows_whether_records_are_lost(
    torn_directory: Path, damage: bytes | None
) -> None:
    """An empty file was cut as it was made, and says no more than one that is not there."""
    for name in ("journal.head", "journal.head-copy"):
        (torn_directory / name).unlink()
        if damage is None:
            (torn_directory / name).mkdir()
        else:
            (torn_directory / name).write_bytes(damage)
    archive = JournalReader.open(torn_directory / "journal.sqlite")
    doubt = archive.find_doubt()
    assert archive.find_loss() is None
    assert (doubt is None) == (damage == b"")
    assert doubt is None or "journal.head and journal.head-copy cannot be read" in doubt
    archive.close()


def test_where_a_head_can_be_read_nothing_is_doubted(torn_directory: Path) -> None:
    (torn_directory / "journal.head").write_bytes(b"rubbish")
    archive = JournalReader.open(torn_directory / "journal.sqlite")
    assert archive.find_doubt() is None
    archive.close()


def test_a_torn_last_page_of_the_file_itself_is_mended_from_the_wal(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path / "table")
    for _ in range(25):
        journal.append_entry({"ev": "undo"}, "page")
    number, _ = journal.read_head()
    cut(journal, tmp_path / "cut")
    journal.close()
    path = tmp_path / "cut" / "journal.sqlite"
    data = path.read_bytes()
    path.write_bytes(data[:-PAGE_BYTES] + os.urandom(PAGE_BYTES // 2) + data[-PAGE_BYTES // 2 :])
    again = Journal(path)
    assert verify_journal(again.read_records(linked=False)).last_record == number
    assert again.missing_head is None
    again.close()


def test_reading_makes_no_file_and_changes_none(torn_directory: Path) -> None:
    directory = torn_directory
    before = {path.name: path.read_bytes() for path in directory.iterdir()}
    number = records_in(directory)
    assert number > 25
    assert {path.name: path.read_bytes() for path in directory.iterdir()} == before


@pytest.mark.parametrize("clean", [True, False])
def test_a_journal_is_read_from_a_medium_that_takes_no_writing(tmp_path: Path, clean: bool) -> None:
    journal = begin_journal(tmp_path / "table")
    journal.append_entry({"ev": "start"}, "panel")
    if clean:
        journal.end_run("SIGTERM")
        journal.close()
    medium = tmp_path / "medium"
    medium.mkdir()
    for path in (tmp_path / "table").iterdir():
        if not path.name.endswith("-shm"):
            shutil.copyfile(path, medium / path.name)
    for path in (*medium.iterdir(), medium):
        path.chmod(stat.S_IRUSR | (stat.S_IXUSR if path.is_dir() else 0))
    try:
        assert verify_journal(read_all_records(medium)).entry_count == 1
    finally:
        medium.chmod(0o700)
        if not clean:
            journal.close()


def test_a_journal_is_read_while_the_table_writes_it(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    archive = JournalReader.open(tmp_path / "journal.sqlite")
    for number in range(1, 40):
        journal.append_entry({"ev": "time", "t": number}, "clock")
        assert archive.last_entry_number == number
    assert verify_journal(archive.read_records(linked=False)).entry_count == 39
    assert not journal.rotate(), "a file that somebody reads is not closed"
    archive.close()
    assert journal.rotate()
    journal.close()


@pytest.fixture
def small_disk() -> Iterator[None]:
    """Files may not grow beyond 600 kB in this process: what a full disk is to a program."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("small_disk")
def test_a_full_disk_ends_the_run_in_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    acknowledged = 0

    def fill() -> None:
        nonlocal acknowledged
        for _ in range(10_000):
            acknowledged = journal.append_entry({"ev": "undo", "note": "x" * 2000}, "page")

    with pytest.raises(
        DatabaseError, match=r"cannot be written: (File too large|the disk is full|the disk gives an error)"
    ):
        fill()
    with pytest.raises(DatabaseError, match="only within a run"):
        journal.append_entry({"ev": "undo"}, "page")
    journal.close()
    archive = JournalReader.open(tmp_path / "journal.sqlite")
    assert archive.last_entry_number == acknowledged > 5
    assert verify_journal(archive.read_records(linked=False)).entry_count == acknowledged
    archive.close()


def test_a_disk_that_takes_no_writing_is_said_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").mkdir(parents=True)
    with pytest.raises(DatabaseError, match="cannot be opened"):
        Journal(tmp_path / "journal.sqlite")
    (tmp_path / "journal.sqlite").rmdir()
    begin_journal(tmp_path).close()
    (tmp_path / "device.key").write_text("ace of spades")
    with pytest.raises(DatabaseError, match="is not the key of a table"):
        Journal(tmp_path / "journal.sqlite")
    (tmp_path / "device.key").chmod(0o644)
    with pytest.raises(DatabaseError, match="others than the table may read its key"):
        Journal(tmp_path / "journal.sqlite")


def test_the_clock_may_jump_and_the_chain_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = begin_journal(tmp_path)
    for wall in ("2031-01-01T00:00:00.000+00:00", "1970-01-01T00:00:00.000+00:00", "2026-11-20T00:00:00.000+00:00"):
        monkeypatch.setattr(system_clocks, "format_wall_time", lambda wall=wall: wall)
        journal.record_result(journal.append_entry({"ev": "start"}, "panel"), "d" * 64, None, CardKnowledge(True))
        journal.record_result(journal.append_entry({"ev": "done"}, "panel"), "d" * 64, None, CardKnowledge())
        assert journal.needs_rotation
        assert journal.rotate()
        assert not journal.needs_rotation
    journal.end_run("SIGTERM")
    journal.close()
    proof = verify_journal(read_all_records(tmp_path))
    assert (proof.entry_count, proof.clock_setback_count) == (6, 1)
    assert len(find_closed_files(tmp_path / "journal.sqlite")) == 3


def test_a_cut_between_closing_a_file_and_beginning_the_next_loses_nothing(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    journal.append_entry({"ev": "start"}, "panel")
    journal.end_run("SIGTERM")
    journal.close()
    with sqlite3.connect(tmp_path / "journal.sqlite") as file:
        file.execute("PRAGMA journal_mode=DELETE")
    file.close()
    (tmp_path / "journal.sqlite").rename(tmp_path / "journal-1.sqlite")
    again = Journal(tmp_path / "journal.sqlite")
    assert again.missing_head is None
    assert not again.begin_run("boot", "1.0")
    session = again.find_last_session()
    assert session is not None
    again.continue_session(session)
    assert again.append_entry({"ev": "undo"}, "panel") == 2
    assert [entry.number for entry in again.read_entries(session)] == [1, 2]
    assert verify_journal(again.read_records(linked=False)).entry_count == 2
    again.close()


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")
    (tmp_path / "file.new").write_bytes(b"half of a n")
    assert path.read_bytes() == b"old"
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
