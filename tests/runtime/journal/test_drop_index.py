"""What was dropped, kept beside the journal: it says what the journal says, whatever became of the file."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from config.table_line import parse_table_line
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.proof.chain import JournalRecord
from controller.runtime.journal.recovery import drop_index, snapshot
from controller.runtime.journal.recovery.drop_index import DROP_INDEX_FILE, DropIndex
from controller.runtime.journal.recovery.drop_ledger import DropLedger, DropReader, read_drop
from tests.laws.test_drop_journal import DaysOfPlay
from tests.records.test_drop_command import LINE, play_hand

JOURNAL_FILES = ("journal.sqlite", "journal.sqlite-wal", "journal.tail", "hand.key", "snapshot")


@pytest.fixture
def days(tmp_path: Path) -> Iterator[DaysOfPlay]:
    made = DaysOfPlay(tmp_path, LINE)
    with closing(made.journal):
        for _ in range(6):
            play_hand(made)
        yield made


def look(directory: Path) -> tuple[DropLedger, int]:
    """What the index says, and how many records it played for it."""
    index = DropIndex(directory / DROP_INDEX_FILE)
    with closing(JournalReader.open(directory / "journal.sqlite")) as journal:
        return index.read_drop(journal, parse_table_line), index.played_records


def replay(directory: Path) -> DropLedger:
    with closing(JournalReader.open(directory / "journal.sqlite")) as journal:
        return read_drop(journal, parse_table_line)


def test_a_look_plays_what_came_since_the_last_one(days: DaysOfPlay, tmp_path: Path) -> None:
    _, whole = look(tmp_path)
    _, again = look(tmp_path)
    for _ in range(6):
        play_hand(days)
    look(tmp_path)
    ledger, later = look(tmp_path)
    assert (len(ledger.rows), ledger) == (12, replay(tmp_path))
    assert again < whole
    assert later <= again, "what is played does not grow with the journal"
    assert (tmp_path / DROP_INDEX_FILE).stat().st_mode & 0o777 == 0o600


def empty_file(path: Path) -> None:
    path.write_bytes(b"")


def damage_file(path: Path) -> None:
    path.write_bytes(b"no database at all" * 400)


def leave_older_form(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript("DROP TABLE row; CREATE TABLE row (session, hand); PRAGMA user_version = 0")


def spoil_base(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE base SET content = replace(content, '\"mark\"', '\"marked\"')")


def forbid_all(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("spoil", [empty_file, damage_file, leave_older_form, spoil_base, forbid_all, Path.unlink])
def test_a_file_that_cannot_be_used_costs_time_alone(
    days: DaysOfPlay, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    _, whole = look(tmp_path)
    spoil(tmp_path / DROP_INDEX_FILE)
    play_hand(days)
    ledger, count = look(tmp_path)
    assert (len(ledger.rows), ledger) == (7, replay(tmp_path))
    assert count > whole


@pytest.mark.usefixtures("days")
@pytest.mark.parametrize("table", ["row", "base"])
def test_a_flipped_bit_in_what_it_keeps_is_never_told(tmp_path: Path, table: str) -> None:
    """Wherever it is: in an amount, a time, a name; or a row is gone."""
    ledger, _ = look(tmp_path)
    path = tmp_path / DROP_INDEX_FILE
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        content = db.execute(f"SELECT content FROM {table}").fetchone()[0]
    kept = path.read_bytes()
    places = range(0, len(content), 1 + len(content) // 150)
    for place in places:
        path.write_bytes(kept)
        flipped = content[:place] + chr(ord(content[place]) ^ 1) + content[place + 1 :]
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute(f"UPDATE {table} SET content = ? WHERE content = ?", (flipped, content))
        assert look(tmp_path)[0] == ledger, flipped
    for spoil in (f"DELETE FROM {table} WHERE content = ?", f"UPDATE {table} SET content = NULL WHERE content = ?"):
        path.write_bytes(kept)
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute(spoil, (content,))
        assert look(tmp_path)[0] == ledger, spoil


def test_a_table_of_another_form_is_played_again(
    days: DaysOfPlay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, whole = look(tmp_path)
    monkeypatch.setattr(snapshot, "SNAPSHOT_VERSION", snapshot.SNAPSHOT_VERSION + 1)
    play_hand(days)
    ledger, count = look(tmp_path)
    assert (len(ledger.rows), count > whole) == (7, True)


def test_what_a_cut_of_the_power_took_from_the_journal_is_not_told(days: DaysOfPlay, tmp_path: Path) -> None:
    """The journal that is put back has other hands under the same numbers."""
    kept = tmp_path / "kept"
    kept.mkdir()
    for name in JOURNAL_FILES:
        if (tmp_path / name).exists():
            shutil.copyfile(tmp_path / name, kept / name)
    for _ in range(6):
        play_hand(days)
    look(tmp_path)
    for file in tmp_path.glob(f"{DROP_INDEX_FILE}*"):
        shutil.copyfile(file, kept / file.name)
    ledger, _ = look(kept)
    assert (len(ledger.rows), ledger) == (6, replay(kept))


def test_a_long_read_that_is_ended_is_not_begun_anew(
    days: DaysOfPlay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drop_index, "SAVE_INTERVAL_RECORDS", 10)
    whole = days.journal.read_head()[0]

    take_record, count = DropReader.receive_record, 0

    def end_near_the_end(reader: DropReader, record: JournalRecord) -> None:
        nonlocal count
        count += 1
        if count == whole - 5:
            raise InterruptedError
        take_record(reader, record)

    monkeypatch.setattr(DropReader, "receive_record", end_near_the_end)
    with pytest.raises(InterruptedError):
        look(tmp_path)
    monkeypatch.setattr(DropReader, "receive_record", take_record)
    ledger, played_records = look(tmp_path)
    assert (played_records < whole, ledger) == (True, replay(tmp_path))
