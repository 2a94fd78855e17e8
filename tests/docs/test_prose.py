"""What a person reads is plain: short sentences, and none of the habits that a prose linter knows (proselint)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.test_commands_and_links import ROOT
from tests.docs.test_readme import MAX_SENTENCE_WORDS, find_sentences
from tests.languages.catalogues import texts

CHECKS = {"typography": False, "lexical_illusions": False}
"""Quotes are straight in files that are typed; "3 3" and "a a" are bytes and cards."""
TERMS = ("under the gun", "more than a call: all")
"""What the linter takes for a habit, and is a term of the table."""


def list_pages() -> list[Path]:
    """The README and every page of the docs."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def list_english_texts() -> list[str]:
    """Every text of the program that a page shows."""
    return [form for text in texts() for form in ((text,) if isinstance(text, str) else text)]


def name_page(path: Path) -> str:
    return str(path.relative_to(ROOT))


def lint(paths: list[Path], folder: Path) -> list[str]:
    """What the linter says of files."""
    config = folder / "checks.json"
    config.write_text(json.dumps({"checks": CHECKS}))
    program = Path(sys.executable).with_name("proselint")
    command = [str(each) for each in (program, "check", "--config", config, "-o", "compact", *paths)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode in (0, 1), said.stderr
    return [line for line in said.stdout.splitlines() if line and not any(term in line for term in TERMS)]


def test_the_linter_finds_nothing(tmp_path: Path) -> None:
    texts = tmp_path / "texts.md"
    texts.write_text("\n\n".join(list_english_texts()))
    assert lint([*list_pages(), texts], tmp_path) == []


def test_the_linter_would_find_it(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("It is very unique, and stays so for ever.\n")
    assert len(lint([page], tmp_path)) > 1


def test_no_text_of_the_program_has_a_long_sentence() -> None:
    sentences = [each for text in list_english_texts() for each in find_sentences(text)]
    assert len(sentences) > 2000
    assert [each for each in sentences if len(each.split()) > MAX_SENTENCE_WORDS] == []


@pytest.mark.parametrize("path", list_pages(), ids=name_page)
def test_a_page_has_no_long_sentence(path: Path) -> None:
    long = [each for each in find_sentences(path.read_text("utf-8")) if len(each.split()) > MAX_SENTENCE_WORDS]
    assert long == []
