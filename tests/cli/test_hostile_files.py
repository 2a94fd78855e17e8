"""Every command of `tablectl`, given files that are none: a sentence and a status, never a traceback."""

import argparse
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli import COMMANDS, load_command_module, main

FILES = ("config", "state", "record", "file", "key", "deck", "port", "output", "folder", "to", "log")
"""Options that name a file, or a place for one."""

HOSTILE = {
    "bytes of all kinds": bytes(range(256)) * 20,
    "brackets without end": b"[" * 100_000,
    "a number of 6,000 digits": b"a = " + b"9" * 6_000 + b"\n",
    "a sign that no file name has": b'[table]\nrulebook = "a\\u0000b"\n',
    "half a sign": b'{"a": "\\ud800"}\n',
}


Command = tuple[tuple[str, ...], list[argparse.Action]]


def leaves(parser: argparse.ArgumentParser, words: tuple[str, ...] = ()) -> Iterator[Command]:
    """Every command that has none below it, with what it takes."""
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for action in below:
        for name, command in action.choices.items():
            yield from leaves(command, (*words, name))
    if not below:
        yield words, parser._actions


def every_command() -> list[Command]:
    root = argparse.ArgumentParser()
    commands = root.add_subparsers()
    for name in COMMANDS:
        load_command_module(name).add(commands)
    return [(words, takes) for words, takes in leaves(root) if words != ("watch",)]  # it waits for a table that comes


def fill_command(words: tuple[str, ...], takes: list[argparse.Action], file: Path) -> list[str]:
    """The command with the file in every place that takes one."""
    line = list(words)
    for action in takes:
        value = str(next(iter(action.choices))) if action.choices else "3" if action.type in (int, float) else str(file)
        if not action.option_strings:
            line += [] if action.nargs in ("*", "?") else [value]
        elif action.nargs != 0 and (action.required or action.type is Path or action.dest in FILES):
            line += [action.option_strings[-1], value]
    return line


@pytest.mark.parametrize("kind", [*HOSTILE, "no such file", "a folder", "a place below a file"])
def test_no_command_ends_in_a_traceback(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "hostile.toml"
    if kind in HOSTILE or kind == "a place below a file":
        file.write_bytes(HOSTILE.get(kind, b""))
    elif kind == "a folder":
        file.mkdir()
    if kind == "a place below a file":
        file /= "below"
    for words, takes in every_command():
        line = fill_command(words, takes, file)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x\n")))
        try:
            status: object = main(line)
        except SystemExit as end:
            status = end.code
        said = capsys.readouterr()
        assert status in (0, 1, 2), line
        assert "Traceback" not in said.err, line
        assert status == 0 or (said.err + said.out).strip(), f"{line} fails and says nothing"
