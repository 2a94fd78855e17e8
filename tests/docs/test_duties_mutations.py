"""Every duty that has code is broken on purpose, in a copy of the project, and the test that shows it must fail."""

import os
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.docs.test_duties import DUTIES, ROOT, every_test
from tests.tree_copy import copy_tree

COPIED = (
    ".ci",
    "config",
    "controller",
    "drivers",
    "firmware_bridge",
    "room",
    "tests",
    "docs",
    "pyproject.toml",
    "README.md",
)


@cache
def mutations() -> list[dict[str, str]]:
    path = Path(__file__).with_name("duties_mutations.toml")
    found: list[dict[str, str]] = tomllib.loads(path.read_text(encoding="utf-8"))["mutation"]
    return found


def format_mutation_id(mutation: dict[str, str]) -> str:
    return f"{mutation['duty']} {mutation['broken']}"


def test_every_duty_can_be_broken() -> None:
    assert {mutation["duty"] for mutation in mutations()} == {*DUTIES}


@pytest.mark.parametrize("mutation", mutations(), ids=format_mutation_id)
def test_what_is_to_be_broken_is_there_once(mutation: dict[str, str]) -> None:
    assert (ROOT / mutation["file"]).read_text(encoding="utf-8").count(mutation["before"]) == 1
    path, _, name = mutation["test"].partition("::")
    assert (ROOT / path).is_file()
    assert not name or name in every_test()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mutations")
    copy_tree(COPIED, folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("mutation", mutations(), ids=format_mutation_id)
def test_a_duty_that_is_broken_turns_its_test_red(copy: Path, mutation: dict[str, str]) -> None:
    path = copy / mutation["file"]
    sound = path.read_text(encoding="utf-8")
    # Nothing compiled is kept: the file changes twice within the second by which it would be told apart.
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    path.write_text(sound.replace(mutation["before"], mutation["after"]), encoding="utf-8")
    try:
        run = subprocess.run(
            [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", mutation["test"]],
            cwd=copy, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        path.write_text(sound, encoding="utf-8")
    assert run.returncode == 1, f"{mutation['duty']} is broken and nobody saw it:\n{run.stdout[-2000:]}"
