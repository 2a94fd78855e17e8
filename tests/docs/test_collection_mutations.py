"""Every row of the catalogue about the house's money that is enforced is broken on purpose, and its story must fail."""

import csv
import os
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.docs.test_duties import ROOT
from tests.docs.test_duties_mutations import copy as copied_tree

__all__ = ["copied_tree"]
STORIES = "tests/rules/betting/collection.scn"


@cache
def read_mutations() -> list[dict[str, Any]]:
    path = Path(__file__).with_name("collection_mutations.toml")
    found: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["mutation"]
    return found


def format_mutation_id(mutation: dict[str, Any]) -> str:
    return f"{mutation['rows'][0]} {mutation['broken']}"


def list_rows() -> set[str]:
    """The rows that the program enforces, or asks the dealer for; the rest is the floor's, a sign or a word."""
    text = (ROOT / "config/rulebooks/catalogue.csv").read_text(encoding="utf-8")
    rows = (row for row in csv.reader(text.splitlines()) if row[4] == "collection" and row[5] in ("enforce", "prompt"))
    return {row[0] for row in rows if not row[0].endswith("#sign")}


def test_every_row_about_the_collection_is_broken() -> None:
    assert list_rows() <= {row for mutation in read_mutations() for row in mutation["rows"]}


@pytest.mark.parametrize("mutation", read_mutations(), ids=format_mutation_id)
def test_what_is_to_be_broken_is_there_once_and_its_story_names_the_row(mutation: dict[str, Any]) -> None:
    assert (ROOT / mutation["file"]).read_text(encoding="utf-8").count(mutation["before"]) == 1
    stories = (ROOT / STORIES).read_text(encoding="utf-8")
    title = stories[stories.index(f"\n{mutation['story']}") :].partition("]")[0].partition("[")[2].split()
    assert set(mutation["rows"]) <= set(title)


@pytest.mark.slow
@pytest.mark.parametrize("mutation", read_mutations(), ids=format_mutation_id)
def test_a_row_that_is_broken_turns_its_story_red(copied_tree: Path, mutation: dict[str, Any]) -> None:
    path = copied_tree / mutation["file"]
    sound = path.read_text(encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(copied_tree), "PYTHONDONTWRITEBYTECODE": "1"}
    path.write_text(sound.replace(mutation["before"], mutation["after"]), encoding="utf-8")
    try:
        run = subprocess.run(
            [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", STORIES],
            cwd=copied_tree, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        path.write_text(sound, encoding="utf-8")
    assert f"FAILED {STORIES}::{mutation['story']}" in run.stdout, run.stdout[-2000:]
