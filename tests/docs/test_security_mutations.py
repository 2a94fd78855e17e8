"""Every row of the security page is broken on purpose, in a copy of the project: a test that it names must fail."""

import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.docs.test_duties import DOCS, NAMED, ROOT
from tests.docs.test_duties_mutations import copy as copied_tree

__all__ = ["copied_tree"]

NOT_BROKEN = ("plug something into the computer",)
"""Rows that no code of ours is behind, by how they begin: udev's rules, and what systemd makes of its units."""


@cache
def read_mutations() -> list[dict[str, str]]:
    path = Path(__file__).with_name("security_mutations.toml")
    found: list[dict[str, str]] = tomllib.loads(path.read_text(encoding="utf-8"))["mutation"]
    return found


@cache
def list_rows() -> dict[str, str]:
    """What somebody could do -> the whole row."""
    text = (DOCS / "security.md").read_text(encoding="utf-8").partition("## What a Pi cannot give")[0]
    lines = [line for line in text.splitlines() if re.match(r"\| (?!could )[a-z]", line)]
    return {line.split("|")[1].strip(): line for line in lines}


def find_row(start: str) -> str:
    """The one row that begins so."""
    (row,) = (line for could, line in list_rows().items() if could.startswith(start))
    return row


def format_mutation_id(mutation: dict[str, str]) -> str:
    return f"{mutation['row']}: {mutation['broken']}"


def test_every_sentence_is_broken_or_has_no_code() -> None:
    broken = {find_row(start) for start in (*NOT_BROKEN, *(mutation["row"] for mutation in read_mutations()))}
    assert sorted(set(list_rows().values()) - broken) == []


@pytest.mark.parametrize("mutation", read_mutations(), ids=format_mutation_id)
def test_what_is_to_be_broken_is_there_once_and_its_row_names_the_test(mutation: dict[str, str]) -> None:
    assert (ROOT / mutation["file"]).read_text(encoding="utf-8").count(mutation["before"]) == 1
    path, _, name = mutation["test"].partition("::")
    assert re.search(rf"^ *(async )?def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    assert name in NAMED.findall(find_row(mutation["row"]))


def test_what_is_broken_can_still_be_read() -> None:
    """Else its test fails for another reason than the row's, and nobody sees it before the night."""
    for mutation in read_mutations():
        if mutation["file"].endswith(".py"):
            text = (ROOT / mutation["file"]).read_text(encoding="utf-8")
            compile(text.replace(mutation["before"], mutation["after"]), mutation["file"], "exec")


@pytest.mark.slow
@pytest.mark.parametrize("mutation", read_mutations(), ids=format_mutation_id)
def test_a_sentence_that_is_broken_turns_its_test_red(copied_tree: Path, mutation: dict[str, str]) -> None:
    path = copied_tree / mutation["file"]
    sound = path.read_text(encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(copied_tree), "PYTHONDONTWRITEBYTECODE": "1"}
    path.write_text(sound.replace(mutation["before"], mutation["after"]), encoding="utf-8")
    try:
        run = subprocess.run(
            [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", mutation["test"]],
            cwd=copied_tree, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        path.write_text(sound, encoding="utf-8")
    assert run.returncode == 1, f"{mutation['row']}: nobody saw it:\n{run.stdout[-2000:]}"
