"""`tablectl deck`, `journal` and `run`, as a technician types them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config.table_file import DEMO_FILE
from controller.app.table import table_run as run_module
from controller.app.table.session_start import resume_or_begin
from controller.cli import main
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from controller.runtime.loop.table_view import LIVE, SIMULATION
from tests.app.rig import Rig, demo

LIST = DEMO_FILE.parent / "demo-deck.csv"
Tablectl = Callable[..., tuple[int, str, str]]


@pytest.fixture
def tablectl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tablectl:
    """Run a command on a state directory of its own; return status, output and errors."""

    def run(*words: str) -> tuple[int, str, str]:
        status = main([*words, "--state", str(tmp_path)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def test_a_deck_is_imported_listed_and_exported_as_it_came(tablectl: Tablectl) -> None:
    status, out, _ = tablectl("deck", "import", "red", str(LIST))
    assert (status, out.startswith("registered red: 52 cards, checksum ")) == (0, True)
    checksum = out.split()[-1]
    assert tablectl("deck", "list") == (0, f"red\t52 cards\ttagged\tchecksum {checksum}\n", "")
    assert tablectl("deck", "export", "red") == (0, LIST.read_text(), "")


def test_a_deck_travels_as_json(tablectl: Tablectl, tmp_path: Path) -> None:
    tablectl("deck", "import", "red", str(LIST))
    exported = tmp_path / "red.json"
    exported.write_text(tablectl("deck", "export", "red", "--format", "json")[1])
    status, _, why = tablectl("deck", "import", "blue", str(exported))
    assert status == 1
    assert "belongs to deck 'red'" in why
    assert tablectl("deck", "import", "red", str(exported), "--replace")[0] == 0


def test_a_deck_that_cannot_be_is_refused_in_one_sentence(tablectl: Tablectl, tmp_path: Path) -> None:
    short = tmp_path / "short.csv"
    short.write_text("\n".join(LIST.read_text().splitlines()[:-1]))
    assert tablectl("deck", "import", "red", str(short)) == (1, "", "tablectl deck: deck 'red': no tag for Kc\n")
    status, out, said = tablectl("deck", "list")
    assert (status, out) == (0, "")
    assert "no deck is registered" in said
    status, _, why = tablectl("deck", "import", "red", str(tmp_path / "none.csv"))
    assert (status, "No such file" in why) == (1, True)
    status, _, why = tablectl("deck", "export", "green")
    assert (status, "no deck 'green' is registered; registered: none" in why) == (1, True)


def test_a_journal_is_listed_checked_and_exported(tablectl: Tablectl, tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.card("As")
    status, out, _ = tablectl("journal", "list")
    assert status == 0
    assert out.split("\t")[2:] == ["simulation", "holdem", "roberts-7", "3 entries\n"]
    assert tablectl("journal", "check") == (0, "session 1: 3 entries, 2 outcomes as recorded, 1 never recorded\n", "")
    status, out, why = tablectl("journal", "export", "--script")
    assert (status, out.count("\n")) == (0, 1)
    assert "held back the hand in progress (2 entries)" in why
    assert "As" not in out
    assert tablectl("journal", "export", "--script", "--live-hand")[1].count("\n") == 3
    assert tablectl("journal", "export", "--script", "--session", "4")[::2] == (
        1,
        "tablectl journal: there is no session 4; there are 1\n",
    )


def test_a_journal_that_tells_something_else_is_named(tablectl: Tablectl, tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.journal.record_result(
            rig.journal.append_entry({"ev": "card", "card": "As", "t": 9.0}, "shoe"), "0" * 64, None
        )
        rig.journal.end_run("test")
    status, out, _ = tablectl("journal", "check")
    assert status == 1
    assert "session 1: entry 3 gives another outcome than recorded" in out


def test_a_journal_that_is_not_there_is_said(tablectl: Tablectl) -> None:
    status, _, why = tablectl("journal", "check")
    assert (status, "there is no such file" in why) == (1, True)


def test_a_changed_set_up_begins_a_session_only_between_hands(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
    changed = demo(betting={"structure": "no-limit", "small_blind": 5, "big_blind": 10})
    journal = Journal(tmp_path / "journal.sqlite")
    journal.begin_run("boot", "test")
    with pytest.raises(RecoveryError, match="a hand is being played under another set-up"):
        resume_or_begin(journal, changed, SIMULATION)
    with pytest.raises(RecoveryError, match="belongs to a simulation table and this is a live"):
        resume_or_begin(journal, changed, LIVE)
    assert len(journal.list_sessions()) == 1
    assert resume_or_begin(journal, changed, SIMULATION, fresh=True).entry_count == 1
    assert len(journal.list_sessions()) == 2
    journal.close()


def test_a_failure_of_the_program_shows_where_and_no_value(
    mocker: MockerFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    mocker.patch.object(run_module, "run_table", side_effect=KeyError("Qd"))
    assert main(["run", "--simulate"]) == 1
    said = capsys.readouterr()
    assert "the program failed: KeyError in" in said.err
    assert "Qd" not in said.err + said.out


def test_run_says_what_is_wrong_with_its_words_and_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--paused"]) == 2
    assert "goes with --simulate only" in capsys.readouterr().err
    broken = tmp_path / "table.toml"
    broken.write_text("[table]\n[stat]\n")
    assert main(["run", "--simulate", "--config", str(broken)]) == 2
    assert "table.toml:2: stat: is unknown here" in capsys.readouterr().err
