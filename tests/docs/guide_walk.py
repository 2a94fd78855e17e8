"""Walks a guide of docs/adding-*.md to the letter, in a copy of the tree: changes are made, commands run.

A change is a block of the kind `diff`. A line `+++ PATH` names the file. Lines that begin with a blank are there
already and stand together once. Those with a minus go, those with a plus come. A file of which all lines come is new.
What is typed is a block of the kind `sh`: pytest, Python, tablectl or make.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.tree_copy import copy_tree

ROOT = Path(__file__).parents[2]
COPIED = (
    ".ci", "config", "controller", "docs", "drivers", "firmware_bridge", "make", "room", "tests", "Makefile",
    "pyproject.toml", "README.md", "CONTRIBUTING.md", "mkdocs.yml",
)  # fmt: skip
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ARGUMENTS_BY_PROGRAM = {
    ".venv/bin/python": (),
    ".venv/bin/pytest": ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow"),
    ".venv/bin/tablectl": ("-c", "import sys; from controller.cli import main; sys.exit(main())"),
}


class GuideError(Exception):
    """What a guide has its reader do cannot be done; the message says what."""


def read_guide(name: str) -> str:
    """The text of a guide."""
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def apply_diff(diff: str, folder: Path) -> None:
    """Make one change of a guide. Raises `GuideError` where what it stands beside is not there, or is there twice."""
    head, *lines = diff.splitlines()
    path = folder / head.removeprefix("+++ ")
    if not head.startswith("+++ ") or any(line[:1] not in (" ", "+", "-", "") for line in lines):
        raise GuideError(f"no change: {head}")
    old = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "+")
    new = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "-")
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if path.exists() != bool(old) or text.count(old) != 1:
        raise GuideError(f"{head}: {text.count(old)} times there:\n{old}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace(old, new), encoding="utf-8")


def expand_command(command: str, folder: Path) -> list[str]:
    """What a line of a guide runs, with the Python that runs the tests. Raises `GuideError` for what nobody runs."""
    program, *arguments = shlex.split(command)
    if program == "make":
        return ["make", "-s", "-C", str(folder), *arguments, "READY=", f"BIN={Path(sys.executable).parent}"]
    if program not in ARGUMENTS_BY_PROGRAM:
        raise GuideError(f"nobody here runs {command}")
    return [sys.executable, *ARGUMENTS_BY_PROGRAM[program], *arguments]


def run_command(command: str, folder: Path) -> str:
    """Run a line of a guide, and return what it said. Raises `GuideError` where it fails."""
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    done = subprocess.run(
        expand_command(command, folder), cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise GuideError(f"{command}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def walk_guide(name: str, folder: Path) -> str:
    """Walk a guide in a copy of the tree from its beginning to its end, and return what its commands said."""
    copy_tree(COPIED, folder)
    said = ""
    for kind, text in BLOCK.findall(read_guide(name)):
        if kind == "diff":
            apply_diff(text, folder)
        elif kind == "sh":
            said += "".join(run_command(command, folder) for command in text.splitlines())
    return said
