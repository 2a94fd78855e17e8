"""What holds for every command of `tablectl`: a wrong file is a sentence, and a reader who has gone is no error."""

import errno
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from config import rulebook_file
from config.config_error import ConfigError
from controller.cli import main
from controller.cli.rules import rules_command as rules_module


def copy_books(folder: Path, to: Path) -> Path:
    """The books of `folder` once more; a test may write over any of them, the example of the guide too."""
    shutil.copytree(folder, to, dirs_exist_ok=True)
    return to


def test_no_book_is_written_over_by_a_test(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "corner.toml").write_text("somebody's")
    copy_books(tmp_path / "own", tmp_path / "copy")
    (tmp_path / "copy" / "corner.toml").write_text("a test's")
    assert (tmp_path / "own" / "corner.toml").read_text() == "somebody's"


@pytest.fixture
def corner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A house book beside the others, whose answer to a question is none."""
    monkeypatch.setattr(rulebook_file, "FOLDER", copy_books(rulebook_file.FOLDER, tmp_path))
    book = tmp_path / "corner.toml"
    book.write_text('based_on = "roberts-7"\ntitle = "Corner"\n\n[boxed]\none = { is = "burn", cite = "AU-19.2" }\n')
    return book


@pytest.mark.usefixtures("corner")
@pytest.mark.parametrize("arguments", [("rules", "show", "corner"), ("rules", "list"), ("rules", "explain", "boxed")])
def test_a_wrong_book_is_one_sentence(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said == "tablectl rules: corner.toml:5: boxed.one: 'burn' is no answer. Answers: aside, muck, stub-bottom.\n"


@pytest.mark.usefixtures("corner")
def test_a_script_that_plays_by_a_wrong_book_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "hand.jsonl"
    script.write_text('{"ev":"table","rulebook":"corner","game":"holdem","betting":{},"seats":[]}\n')
    assert main(["replay", str(script)]) == 2
    assert capsys.readouterr().err.startswith("tablectl replay: corner.toml:5: boxed.one: ")


def test_a_book_based_on_itself_is_refused(corner: Path) -> None:
    corner.write_text('based_on = "corner"\ntitle = "Corner"\n')
    with pytest.raises(ConfigError, match=r"^corner\.toml:1: based_on: one of casino-au, fish-n-chips, "):
        rulebook_file.load_rulebook("corner")


def test_books_based_on_each_other_are_refused(corner: Path) -> None:
    corner.with_name("other.toml").write_text('title = "Other"\nbased_on = "corner"\n')
    corner.write_text('based_on = "other"\ntitle = "Corner"\n')
    with pytest.raises(ConfigError) as error:
        rulebook_file.load_rulebook("other")
    assert str(error.value) == (
        "other.toml:2: based_on: 'corner' is itself based on this one: neither says what both leave open; "
        "a book is based on one that stands alone"
    )


def test_a_book_is_based_on_one_that_stands_alone(corner: Path) -> None:
    corner.with_name("third.toml").write_text('title = "Third"\nbased_on = "corner"\n')
    with pytest.raises(ConfigError, match=r"third\.toml:2: based_on: 'corner' is itself based on 'roberts-7'; a book"):
        rulebook_file.load_rulebook("third")


@pytest.mark.parametrize(
    ("text", "wanted"), [('{"ev":"start"}\n{"ev":\n', "at column 7; each line holds one whole object")]
)
def test_a_line_that_is_no_json_says_where(
    text: str, wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "hand.jsonl"
    script.write_text(text)
    assert main(["replay", str(script)]) == 1
    assert wanted in capsys.readouterr().out


def test_a_missing_tournament_says_how_one_begins(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "status", "--record", "nowhere.jsonl"]) == 2
    assert capsys.readouterr().err == "tablectl tournament: nowhere.jsonl: no such file; `load` begins a record\n"


def test_a_missing_script_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "nowhere.jsonl"]) == 2
    assert capsys.readouterr().err == "tablectl replay: nowhere.jsonl: cannot be read: No such file or directory\n"


@pytest.mark.parametrize("unbuffered", [False, True])
def test_output_into_a_closed_pipe_ends_quietly(
    unbuffered: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with io.TextIOWrapper(
        os.fdopen(writing, "wb", buffering=0 if unbuffered else -1), write_through=unbuffered
    ) as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        assert main(["rules", "list"]) == 1
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("arguments", [["rules", "list"], ["--help"], ["replay", "-"], ["tournament", "schedules"]])
def test_a_closed_output_is_no_error(arguments: list[str]) -> None:
    tablectl = Path(sys.executable).with_name("tablectl")
    script = '{"ev":"start"}\n'
    run = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", tablectl, *arguments], input=script, stderr=subprocess.PIPE, text=True,
        check=False,
    )  # fmt: skip
    assert run.stderr == ""
    assert run.returncode in (0, 1)


def test_a_broken_pipe_that_is_not_the_output_is_no_matter_of_course(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def raise_broken_pipe() -> tuple[str, ...]:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr(rules_module, "list_rulebooks", raise_broken_pipe)
    with (tmp_path / "out").open("w") as whole:
        monkeypatch.setattr(sys, "stdout", whole)
        assert main(["rules", "list"]) == 1
    assert capsys.readouterr().err == "tablectl rules: Broken pipe\n"
