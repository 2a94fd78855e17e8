"""A file of decks that is damaged, gone or of an earlier day: named with its remedy, and restored from the journal."""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from config.table_file import DEMO_FILE, load_table_file
from controller.app.diagnostics.check_result import CheckGrade
from controller.app.diagnostics.device_checks import check_decks
from controller.app.upkeep.table_copy import CopyError, copy_table
from controller.app.workshop.deck_recovery import (
    open_decks,
    read_recorded_decks,
    record_registered_decks,
    restore_recorded_decks,
)
from controller.cli import main
from controller.runtime.devices.deck_store import STANDARD_DECK, CardMarking, Deck, DeckStore
from controller.runtime.faults.self_check import SELF_CHECK_FAULT, SelfCheck
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.device_key import load_device_key
from controller.runtime.storage.sqlite_database import DamagedDatabaseError, DatabaseError
from controller.runtime.storage.state_directory import JOURNAL_FILE, TABLE_DATABASE_FILE
from tests.app.rig import Rig
from tests.app.table.test_deck_in_play import SECOND, make_deck_selector, read_deck_notes
from tests.app.table.test_start_trouble import start

RED = Deck("red", {f"3A{number:08X}": card for number, card in enumerate(STANDARD_DECK)})
WORN = "As"
NEW_TAG = "3AFFFFFFFF"
PRINTED = Deck("printed", {card.upper(): card for card in STANDARD_DECK}, CardMarking.PRINTED)


def zero_a_page(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:8192] = bytes(4096)
    data[8192:12288] = bytes(4096)
    path.write_bytes(data)


def write_other_application(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA application_id=4711")
        other.execute("CREATE TABLE deck (name TEXT)")


def write_other_schema(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("ALTER TABLE card_tag RENAME TO cards")


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "notes").write_text("mine")


def flip_a_bit(path: Path) -> None:
    """In the tag of a card, which SQLite reads as it reads any other."""
    data = path.read_bytes()
    assert b"3A00000007" in data
    path.write_bytes(data.replace(b"3A00000007", b"3A00000006"))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "garbage": lambda path: path.write_bytes(os.urandom(20_000)),
    "text": lambda path: path.write_text("no database"),
    "cut": lambda path: os.truncate(path, 4096),
    "half a page": lambda path: os.truncate(path, 2048),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "zeros inside": zero_a_page,
    "another application": write_other_application,
    "another schema": write_other_schema,
    "a folder": make_folder,
    "a bit flipped": flip_a_bit,
}
GONE: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: os.truncate(path, 0),
}


def make_state(folder: Path) -> Path:
    """A table with three decks, of which one card was worn out, and whose journal knows them."""
    folder.mkdir(exist_ok=True)
    with closing(Journal(folder / JOURNAL_FILE)) as journal, closing(DeckStore(folder / TABLE_DATABASE_FILE)) as decks:
        journal.begin_run("boot", "1")
        for deck in (RED, SECOND, PRINTED):
            decks.register(deck)
        record_registered_decks(decks, journal)
        decks.replace_card("red", WORN, NEW_TAG)
        record_registered_decks(decks, journal)
        journal.end_run("clean")
    return folder


def list_decks(folder: Path) -> dict[str, Deck]:
    with closing(DeckStore(folder / TABLE_DATABASE_FILE, create=False)) as decks:
        return {name: decks.get(name) for name in decks.list_names()}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_decks_are_put_aside_and_restored_with_every_withdrawn_tag(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    state = make_state(tmp_path)
    before = list_decks(state)
    assert before["red"].retired_card_by_tag
    DAMAGES[damage](state / TABLE_DATABASE_FILE)
    for _ in range(2):
        open_decks(state).close()
    assert list_decks(state) == before
    assert (state / f"{TABLE_DATABASE_FILE}.damaged-1").exists(), "what lay there is kept"
    assert not (state / f"{TABLE_DATABASE_FILE}.damaged-2").exists(), "and nothing is damaged any more"
    assert f"{TABLE_DATABASE_FILE}.damaged-1" in caplog.text
    assert "restored from the journal: " in caplog.text
    DAMAGES[damage](state / TABLE_DATABASE_FILE)
    open_decks(state).close()
    assert list_decks(state) == before, "the second time too"
    assert (state / f"{TABLE_DATABASE_FILE}.damaged-2").exists()


@pytest.mark.parametrize("damage", GONE)
def test_decks_that_are_gone_and_that_the_journal_knows_are_restored_by_a_start(tmp_path: Path, damage: str) -> None:
    state = make_state(tmp_path)
    before = list_decks(state)
    GONE[damage](state / TABLE_DATABASE_FILE)
    with closing(open_decks(state)) as decks:
        assert decks.list_names() == []
        restore_recorded_decks(decks, state)
    assert list_decks(state) == before


def test_an_older_copy_is_brought_up_to_date_and_a_newer_file_is_not_set_back(tmp_path: Path) -> None:
    state = tmp_path / "state"
    make_state(state)
    whole = list_decks(state)
    with closing(DeckStore(tmp_path / "old.sqlite")) as old:
        old.register(RED)
        old._db.execute("UPDATE card_tag SET registered = '2026-01-01T00:00:00+00:00'")
        old._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(tmp_path / "old.sqlite", state / TABLE_DATABASE_FILE)
    with closing(open_decks(state)) as decks:
        restore_recorded_decks(decks, state)
    assert list_decks(state)["red"].card_by_tag == whole["red"].card_by_tag
    with closing(open_decks(state)) as decks:
        decks._db.execute("UPDATE card_tag SET registered = '2099-01-01T00:00:00+00:00' WHERE card = '2h'")
        decks.replace_card("red", "Kd", "3AEEEEEEEE")
        decks._db.execute("UPDATE card_tag SET registered = '2099-01-01T00:00:00+00:00' WHERE tag = '3AEEEEEEEE'")
        restore_recorded_decks(decks, state)
        assert decks.get("red").card_by_tag["3AEEEEEEEE"] == "Kd", "a command registered it since"


def test_what_the_journal_knows_without_its_cards_is_named_with_its_checksum(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(Journal(tmp_path / JOURNAL_FILE)) as journal:
        journal.begin_run("boot", "1")
        journal.append_note("deck", {"deck": "old", "cards": 52, "checksum": "0123abcd", "by": "Ada"})
        journal.end_run("clean")
    (tmp_path / TABLE_DATABASE_FILE).write_text("no database")
    with closing(open_decks(tmp_path)) as decks:
        assert decks.list_names() == []
    assert "old (52 cards, checksum 0123abcd)" in caplog.text
    assert "tablectl deck import" in caplog.text


def test_lists_in_the_journal_are_for_this_table_alone(tmp_path: Path) -> None:
    state = make_state(tmp_path / "one")
    other = tmp_path / "other"
    other.mkdir()
    Journal(other / JOURNAL_FILE).close()
    notes = read_deck_notes(state)
    text = json.dumps(notes)
    assert "3A0000" not in text
    assert not any(tag in text for tag in RED.card_by_tag)
    key, stranger = load_device_key(state), load_device_key(other)
    assert json.loads(key.open_text(notes[0]["list"]) or "")["name"] == notes[0]["deck"]
    assert stranger.open_text(notes[0]["list"]) is None
    assert key.open_text("nonsense") is None
    shutil.copy(other / "device.key", state / "device.key")
    assert not any(known.lists for known in read_recorded_decks(state).values())


def test_a_deck_is_written_down_once_and_again_when_it_has_changed(tmp_path: Path) -> None:
    state = make_state(tmp_path)
    assert [note["deck"] for note in read_deck_notes(state)] == ["printed", "red", "second", "red"]
    with closing(Journal(state / JOURNAL_FILE)) as journal, closing(open_decks(state)) as decks:
        journal.begin_run("boot", "2")
        record_registered_decks(decks, journal)
    assert len(read_deck_notes(state)) == 4


def test_a_deck_is_written_into_each_new_file_so_that_the_loss_of_a_closed_one_loses_none(tmp_path: Path) -> None:
    state = make_state(tmp_path)
    before = list_decks(state)
    close_file(state)
    with closing(Journal(state / JOURNAL_FILE)) as journal, closing(open_decks(state)) as decks:
        journal.begin_run("boot", "3")
        record_registered_decks(decks, journal)
    (state / "journal-1.sqlite").unlink()
    (state / TABLE_DATABASE_FILE).write_text("no database")
    open_decks(state).close()
    now = list_decks(state)
    assert {name: deck.card_by_tag for name, deck in now.items()} == {n: d.card_by_tag for n, d in before.items()}


def close_file(state: Path) -> None:
    """Close the file of the journal, as a table does at the end of a day."""
    with closing(Journal(state / JOURNAL_FILE)) as journal:
        journal.begin_run("boot", "2")
        journal.begin_session({"mode": "test"})
        assert journal.rotate()
        journal.end_run("clean")


@pytest.mark.parametrize("damage", [*DAMAGES, *GONE])
def test_what_is_restored_from_a_journal_that_is_not_whole_names_the_file_that_is_not_here(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    state = make_state(tmp_path)
    close_file(state)
    (DAMAGES | GONE)[damage](state / TABLE_DATABASE_FILE)
    away = (state / "journal-1.sqlite").rename(tmp_path / "away")
    file = replace(load_table_file(DEMO_FILE), state_directory=state)
    named = f"{state / 'journal-1.sqlite'} is not here"
    if damage in GONE:
        main(["deck", "list", "--state", str(state)])
        assert named in capsys.readouterr().err
        (found,) = check_decks(file)
        assert named in found.text
    with closing(open_decks(state)) as decks:
        restore_recorded_decks(decks, state)
        assert decks.list_names() == []
        assert named in caplog.text
        away.rename(state / "journal-1.sqlite")
        restore_recorded_decks(decks, state)
        assert decks.list_names() == ["printed", "red", "second"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_command_that_opens_it_names_the_file_and_its_remedy(
    tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    state = make_state(tmp_path / "state")
    DAMAGES[damage](state / TABLE_DATABASE_FILE)
    there = (state / TABLE_DATABASE_FILE).stat().st_ino
    listing = tmp_path / "list.csv"
    listing.write_text("UID,Rank,Suit\n" + "".join(f"4B{n:08X},{c[0]},{c[1]}\n" for n, c in enumerate(STANDARD_DECK)))
    for words in (["list"], ["export", "red"], ["import", "blue", str(listing)]):
        assert main(["deck", *words, "--state", str(state)]) == 1
        told = capsys.readouterr().err
        assert str(state / TABLE_DATABASE_FILE) in told
        assert "start the table" in told
        assert "Traceback" not in told
    file = load_table_file(DEMO_FILE)
    if damage != "another schema":  # what is whole is copied as it is
        for _ in range(2):
            with pytest.raises(CopyError, match=str(state / TABLE_DATABASE_FILE)):
                copy_table(file, state, tmp_path / "copy", keys=False)
    assert (state / TABLE_DATABASE_FILE).stat().st_ino == there, "no command puts it aside: a table may run"


def test_the_doctor_names_it_and_what_a_start_will_restore(tmp_path: Path) -> None:
    state = make_state(tmp_path / "state")
    file = replace(load_table_file(DEMO_FILE), state_directory=state)
    (state / TABLE_DATABASE_FILE).write_text("no database")
    (found,) = check_decks(file)
    assert found.grade is CheckGrade.BAD
    assert str(state / TABLE_DATABASE_FILE) in found.text
    assert "start the table" in str(found.remedy)
    (state / TABLE_DATABASE_FILE).unlink()
    (found,) = check_decks(file)
    assert "the journal knows printed, red, second" in found.text


@pytest.mark.parametrize("damage", ["garbage", "a folder", "missing"])
def test_a_start_goes_on_with_the_deck_of_its_list(tmp_path: Path, damage: str) -> None:
    state, log = tmp_path / "state", tmp_path / "log"
    with start(state, log) as started:
        started.wait_for_table()
        assert started.end() == 0
    (DAMAGES | GONE)[damage](state / TABLE_DATABASE_FILE)
    with start(state, log) as started:
        started.wait_for_table()
        assert started.end() == 0
    assert "Traceback" not in log.read_text()
    assert "registered deck demo" in log.read_text()


def test_a_file_that_is_damaged_while_the_table_runs_is_restored_and_nothing_is_lost(tmp_path: Path) -> None:
    tags = {card: tag for tag, card in SECOND.card_by_tag.items()}
    with Rig(tmp_path) as rig:
        selector = make_deck_selector(rig, tmp_path)
        with closing(open_decks(tmp_path)) as decks:
            record_registered_decks(decks, rig.journal)
        for _ in range(2):
            (tmp_path / TABLE_DATABASE_FILE).write_text("no database")
            assert selector.describe()["decks"] == [rig.deck.name, "second"]
        (tmp_path / TABLE_DATABASE_FILE).write_text("no database")
        assert selector.choose("second", "Ann") is None
        rig.press("start")
        rig.tag(tags["As"])
        assert sum(rig.output["piles"]["seats"].values()) == 1
        assert rig.standing.faults == ()


def test_what_cannot_be_restored_now_is_a_fault_of_the_self_check_and_not_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> list[str]:
        raise DatabaseError("table.sqlite: the disk is full")

    check = SelfCheck(tmp_path, {}, list_deck_names=fail)
    monkeypatch.setattr(
        "controller.runtime.faults.self_check.check_program", lambda: check._check_decks(lambda: ["red"])
    )
    found = {each.subject: each for each in check.run() if each.fault_code == SELF_CHECK_FAULT}
    assert found["decks"].text == "table.sqlite: the disk is full"


def test_a_file_of_a_newer_program_and_a_held_one_are_left_where_they_are(tmp_path: Path) -> None:
    state = make_state(tmp_path)
    with closing(sqlite3.connect(state / TABLE_DATABASE_FILE)) as other:
        other.execute("PRAGMA user_version=99")
    with pytest.raises(DatabaseError, match="newer program") as why:
        open_decks(state)
    assert not isinstance(why.value, DamagedDatabaseError)
    assert not list(state.glob("*.damaged-*"))
