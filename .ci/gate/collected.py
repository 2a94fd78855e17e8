"""Which test files some part has collected: a file that nobody collects proves nothing, and says nothing."""

import re
from collections.abc import Iterable
from pathlib import Path

from gate.nightly import list_tracked_files
from gate.parts import ROOT, Part
from gate.runner import write_lines

FOLDER = ROOT / "build" / "gate" / "collected"
HAS_TESTS = {
    ".py": re.compile(r"^(?:async )?def test_|^class Test", re.MULTILINE),
    ".scn": re.compile(r"^(?!use |under |given |#)\S", re.MULTILINE),
}
"""What a file that defines a test has, by its suffix."""


def forget() -> None:
    """Begin anew: what an earlier run collected counts no more."""
    for file in FOLDER.glob("*.txt"):
        file.unlink()


def write(run: str, files: Iterable[str]) -> None:
    """Note the files of which a run of pytest has selected a test."""
    write_lines(FOLDER / f"{run}.txt", sorted(files))


def find_uncollected(parts: Iterable[Part]) -> list[str]:
    """Return the tracked files with tests that neither a run has collected nor a part names as its own.

    `tests/conftest.py` writes what a run of pytest selected. A part that the change does not reach collects nothing
    today: its files are those that it names.
    """
    found = {line for file in FOLDER.glob("*.txt") for line in file.read_text(encoding="utf-8").splitlines()}
    found |= {test for part in parts for test in part.tests}
    return [file for file in list_files_with_tests() if file not in found]


def list_files_with_tests(root: Path = ROOT) -> list[str]:
    """Return the tracked files below `tests` that define a test: in Python, or as a story."""
    files = [Path(file) for file in list_tracked_files() if file.startswith("tests/") and file.endswith((*HAS_TESTS,))]
    return [str(file) for file in files if HAS_TESTS[file.suffix].search((root / file).read_text(encoding="utf-8"))]
