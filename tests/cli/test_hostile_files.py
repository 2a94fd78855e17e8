"""Every command of `tablectl`, given files that are none: a sentence and a status, never a traceback."""

import io
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.cli import load_all_commands, main
from controller.command_table import Command, Option

FILES = ("config", "state", "record", "file", "key", "deck", "port", "output", "folder", "to", "log")
"""Options that name a file, or a place for one."""

HOSTILE = {
    "bytes of all kinds": bytes(range(256)) * 20,
    "brackets without end": b"[" * 100_000,
    "a number of 6,000 digits": b"a = " + b"9" * 6_000 + b"\n",
    "a sign that no file name has": b'[table]\nrulebook = "a\\u0000b"\n',
    "half a sign": b'{"a": "\\ud800"}\n',
}


def every_command() -> list[tuple[str, Command]]:
    every = (each for command in load_all_commands() for each in command.walk())
    return [(words, command) for words, command in every if not command.commands and words != "watch"]  # that waits


def fill_command(words: str, takes: Sequence[Option], file: Path) -> list[str]:
    """The command with the file in every place that takes one."""
    line = words.split()
    for option in takes:
        value = str(option.list_choices()[0]) if option.choices else "3" if option.type in (int, float) else str(file)
        if not option.is_named:
            line += [] if option.nargs in ("*", "?") else [value]
        elif not option.flag and (option.required or option.type is Path or option.word.removeprefix("--") in FILES):
            line += [option.word, value]
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
    for words, command in every_command():
        line = fill_command(words, command.options, file)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x\n")))
        try:
            status: object = main(line)
        except SystemExit as end:
            status = end.code
        said = capsys.readouterr()
        assert status in (0, 1, 2), line
        assert "Traceback" not in said.err, line
        assert status == 0 or (said.err + said.out).strip(), f"{line} fails and says nothing"
