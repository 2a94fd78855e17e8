"""Every file that a document names is there; what a guide has its reader make is not."""

import re
from pathlib import Path

import pytest

from tests.docs.test_commands_and_links import DOCUMENTS, ROOT

PACKAGES = ("controller", "drivers", "config", "firmware_bridge", "room", "tests", "benchmarks", "examples")
PATH = re.compile(r"`((?:controller|drivers|config|firmware_bridge|room|tests|benchmarks|examples|systemd)/[\w./-]*)`")
NAME = re.compile(r"`(\w+\.(?:py|js|css|c|h))`")
MADE_BY_THE_READER = {
    "config/languages/fr.po",
    "config/rulebooks/corner.toml",
    "drivers/readers/acme.py",
    "drivers/simulators/readers/acme_simulator.py",
    "tests/drivers/readers/test_acme.py",
    "config/games/NAME.toml",
}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_is_named_exists(document: Path) -> None:
    named = set(PATH.findall(document.read_text(encoding="utf-8"))) - MADE_BY_THE_READER
    assert sorted(path for path in named if not (ROOT / path).exists()) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_name_of_a_file_is_that_of_one(document: Path) -> None:
    """A decision names the files of its time."""
    if document.parent.name == "decisions":
        return
    there = {path.name for package in PACKAGES for path in (ROOT / package).rglob("*.*")}
    assert sorted(set(NAME.findall(document.read_text(encoding="utf-8"))) - there) == []
