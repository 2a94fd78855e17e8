"""The table of commands: argparse, help, completion and the man page are made from it, and from nothing else."""

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.cli import COMMANDS, load_all_commands, main
from controller.cli.completion_command import render_script
from controller.command_table import Command

ROOT = Path(__file__).parents[2]
MAKERS = {
    "ArgumentParser",
    "add_argument",
    "add_parser",
    "add_subparsers",
    "set_defaults",
    "add_mutually_exclusive_group",
}
MAY_MAKE_PARSERS = {"controller/command_table.py", "controller/cli/__init__.py"}
EVERY = [(words, each) for command in load_all_commands() for words, each in command.walk()]

Tablectl = Callable[..., tuple[int, str, str]]


def test_parsers_are_made_from_the_table_alone() -> None:
    found = set()
    for package in ("controller", "room", "drivers", "config", "firmware_bridge"):
        for path in (ROOT / package).rglob("*.py"):
            names = (
                n.attr for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Attribute)
            )
            if not MAKERS.isdisjoint(names):
                found.add(str(path.relative_to(ROOT)))
    assert found == MAY_MAKE_PARSERS


@pytest.mark.parametrize(("words", "command"), EVERY, ids=[words for words, _ in EVERY])
def test_every_command_says_what_it_does_and_does_it(words: str, command: Command) -> None:
    assert command.text, words
    assert len({name for each in command.commands for name in (each.name, *each.aliases)}) == sum(
        1 + len(each.aliases) for each in command.commands
    ), "no name twice"
    assert all(option.help or option.word in ("archive", "folder") for option in command.options)


def test_the_modules_have_the_commands_that_the_list_names() -> None:
    assert [command.name for command in load_all_commands()] == list(COMMANDS)


@pytest.mark.parametrize(
    ("older", "name"),
    [
        ("release back", "release rollback"),
        ("journal open", "journal decrypt"),
        ("journal check", "journal replay-check"),
        ("record", "capture record"),
        ("play", "capture play"),
    ],
)
def test_an_older_name_stays(older: str, name: str, tablectl: Tablectl, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (older, name):
        with pytest.raises(SystemExit) as ended:
            tablectl(*words.split(), "--help")
        assert ended.value.code == 0
    first, second = (part.split("\n\n", 1) for part in capsys.readouterr().out.split("usage: tablectl ")[1:])
    assert first[1] == second[1]
    assert second[0].startswith(name)


def test_one_option_excludes_the_other(tablectl: Tablectl, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        tablectl("hands", "list", "--session", "1", "--all")
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith("argument --all: not allowed with argument --session\n")


def test_root_runs_what_is_about_an_installed_tables_files_as_its_user() -> None:
    commands = (command for command in load_all_commands() if command.defaults.get("as_table_user"))
    assert {command.name for command in commands} == {
        "doctor", "ports", "udev", "monitor", "lamps", "sound", "gate", "deck", "staff", "token", "record", "journal",
        "drop", "hands",
    }  # fmt: skip
    assert {words for words, each in EVERY if each.defaults.get("as_table_user") and " " in words} == {"capture record"}


def test_the_room_says_which_package_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("room.commands")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "room", None)  # half of it is gone: its entry point is there, the package is not
    with pytest.raises(SystemExit) as refused:
        main(["room", "init", "10.0.0.7"])
    assert refused.value.code == 2
    assert capsys.readouterr().err.strip().endswith("the room: pip install table-controller-room")
    (room,) = (command for command in load_all_commands() if command.name == "room")
    assert [command.name for command in room.commands] == ["uplink"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("jo", "journal"),
        ("room uplink ", "run check request accept"),
        ("journal open --s", "--script"),
        ("release back --p", "--prefix"),
        ("staff add Ann fl", "floor"),
        ("token add hall --role me", "metrics"),
        ("hands list --config ", ""),
        ("hands list --config there.toml --all --pl", "--player"),
    ],
)
def test_bash_completes(line: str, words: str) -> None:
    asked = 'COMP_WORDS=(tablectl "${@}"); COMP_CWORD=$#; _tablectl; echo "${COMPREPLY[*]}"'
    script = f"{render_script(load_all_commands())}\n{asked}"
    ended = subprocess.run(["bash", "-c", script, "bash", *line.split(" ")], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == (f"{words}\n", "")
