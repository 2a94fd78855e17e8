"""`tablectl --help` and that of every command: what a technician reads first."""

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version

import pytest

from controller.cli import COMMANDS

Tablectl = Callable[..., tuple[int, str, str]]

FOR_TECHNICIANS = (
    ("check",), ("doctor",), ("ports",), ("udev",), ("wiring",), ("monitor",), ("lamps", "test"), ("gate", "test"),
    ("deck", "register"), ("record",), ("play",),
)  # fmt: skip


def read_help(tablectl: Tablectl, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        tablectl(*words, "--help")
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_every_command_is_listed(tablectl: Tablectl, capsys: pytest.CaptureFixture[str]) -> None:
    text = read_help(tablectl, capsys)
    for command, (_, what) in COMMANDS.items():
        assert f"\n    {command}" in text
        assert what.split()[0] in text


@pytest.mark.parametrize("words", ["--help", "--version", "nonsense"])
def test_what_runs_no_command_loads_none(words: str) -> None:
    asked = "import sys; from controller.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    ended = subprocess.run([sys.executable, "-c", asked, words], capture_output=True, text=True, check=False)
    loaded = {name for name in ended.stderr.split() if name.startswith(("controller.", "config"))}
    assert loaded == {"controller.cli"} | (set() if words == "--version" else {"controller.plug_ins"})


def test_what_a_command_imports_is_not_looked_through_for_garbage() -> None:
    asked = (
        "import gc, sys; from controller.cli import main\nsys.argv = ['tablectl', 'replay', '--schema']\nmain()\n"
        "print(gc.isenabled(), gc.get_freeze_count() > 10_000, file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=False)
    assert ended.stderr.split() == ["True", "True"]


def test_the_version_is_that_of_the_package(tablectl: Tablectl, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        tablectl("--version")
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"tablectl {version('table-controller')}\n"


@pytest.mark.parametrize("words", FOR_TECHNICIANS, ids=" ".join)
def test_every_command_explains_itself(
    tablectl: Tablectl, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    text = read_help(tablectl, capsys, *words)
    assert text.startswith(f"usage: tablectl {' '.join(words)}")
    assert len(text.split("\n\n")[1].split()) > 8, "a sentence says what it does"
