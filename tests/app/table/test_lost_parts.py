"""A table's file that has lost a section is named, and a journal that was changed is not taken for another set-up."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from config.table_file import TableFile, load_table_file
from controller.app.diagnostics.check_result import CheckGrade
from controller.app.diagnostics.integrity_checks import check_integrity, check_parts
from controller.app.table.session_start import resume_or_begin
from controller.cli import main
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.table_view import LIVE, SIMULATION
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import JOURNAL_FILE
from tests.app.rig import Rig, demo

TABLE = """\
[table]
rulebook = "roberts-7"
game = "holdem"
betting = { structure = "no-limit", small_blind = 1, big_blind = 2 }
button = 1
seats = [{ seat = 1, stack = 200 }, { seat = 2, stack = 200 }]

[state]
directory = "DIRECTORY"

[page]
port = 0
"""
PARTS = """\
names = ["table.house"]

[shoe]
deck = "red"
reader = "shoe"

[device.shoe]
driver = "rdm6300"
port = "/dev/serial/by-id/shoe"
"""
LOST = "has no longer what it had when session 1 began: [device.shoe], [page] names, [shoe]; put the file back"


def write(folder: Path, text: str) -> TableFile:
    path = folder / "table.toml"
    path.write_text(text.replace("DIRECTORY", str(folder / "state")))
    return load_table_file(path)


def start(file: TableFile) -> None:
    file.state_directory.mkdir(exist_ok=True)
    with closing(Journal(file.state_directory / JOURNAL_FILE)) as journal:
        journal.begin_run("boot", "test")
        resume_or_begin(journal, file, LIVE)
        journal.end_run("clean")


def test_a_file_that_was_cut_is_named_by_start_check_and_doctor(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = write(tmp_path, TABLE + PARTS)
    start(whole)
    start(whole)
    assert "has no longer" not in caplog.text
    assert [*check_parts(whole)] == []
    cut = write(tmp_path, TABLE)
    for _ in range(2):
        with caplog.at_level(logging.WARNING):
            caplog.clear()
            start(cut)
        assert f"{cut.path} {LOST}" in caplog.text, "until it is back, or a session begins"
    assert main(["check", str(cut.path)]) == 0
    assert f"look: {cut.path} {LOST}" in capsys.readouterr().out
    (found,) = (each for each in check_integrity(cut) if each.subject == "file")
    assert (found.grade, f"{found.text}; {found.remedy}".startswith(f"{cut.path} has no longer")) == (
        CheckGrade.DOUBTFUL,
        True,
    )
    caplog.clear()
    start(write(tmp_path, TABLE + PARTS + '\n[log]\nform = "json"\n'))
    assert "has no longer" not in caplog.text, "more is no loss"


@pytest.mark.parametrize("damage", ["emptied", "deleted", "a directory"])
def test_a_journal_that_cannot_be_asked_does_not_hide_what_the_file_has_lost(tmp_path: Path, damage: str) -> None:
    start(write(tmp_path, TABLE + PARTS))
    path = tmp_path / "state" / JOURNAL_FILE
    path.unlink()
    if damage == "emptied":
        path.touch()
    if damage == "a directory":
        path.mkdir()
    (told,) = check_parts(write(tmp_path, TABLE))
    assert "table.toml cannot be compared with what it had" in told
    assert str(path) in told
    assert "put" in told


def test_nothing_is_compared_before_the_first_start(tmp_path: Path) -> None:
    assert [*check_parts(write(tmp_path, TABLE))] == []


@pytest.mark.parametrize("is_in_hand", [False, True])
def test_a_changed_record_of_the_session_is_a_changed_journal_and_no_other_set_up(
    tmp_path: Path, *, is_in_hand: bool
) -> None:
    with Rig(tmp_path) as rig:
        if is_in_hand:
            rig.press("start")
        rig.journal.end_run("test")
    with closing(sqlite3.connect(tmp_path / JOURNAL_FILE)) as file, file:
        file.execute("DROP TRIGGER record_no_update")
        changed = file.execute(
            "UPDATE record SET body = replace(body, 'small_blind', 'smell_blind') WHERE kind = 'session'"
        )
        assert changed.rowcount == 1
    with closing(Journal(tmp_path / JOURNAL_FILE)) as journal:
        journal.begin_run("boot", "test")
        with pytest.raises(DatabaseError, match=r"journal\.sqlite: record \d+ of the journal was changed"):
            resume_or_begin(journal, demo(), SIMULATION)
        assert resume_or_begin(journal, demo(), SIMULATION, fresh=True).entry_count


def test_where_the_record_itself_was_changed_the_check_says_so(tmp_path: Path) -> None:
    file = write(tmp_path, TABLE + PARTS)
    start(file)
    with closing(sqlite3.connect(file.state_directory / JOURNAL_FILE)) as journal, journal:
        journal.execute("DROP TRIGGER record_no_update")
        changed = journal.execute(
            "UPDATE record SET body = replace(body, ?, ?) WHERE kind = 'session'", ('shoe.port\\"', "shoe.port")
        )
        assert changed.rowcount == 1
    (told,) = check_parts(file)
    assert "of the journal was changed" in told
