"""The README stays three screens of plain sentences, and its picture moves and is small."""

import re

import pytest
from PIL import Image

from tests.docs.test_commands_and_links import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
FRONT = ("README.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "docs/demo.md")
MAX_LINES = 90
MAX_WORDS = 600
MAX_SENTENCE_WORDS = 25
MAX_PICTURE_BYTES = 600_000


def find_sentences(text: str) -> list[str]:
    """The sentences of a page, without code, headings, rows of tables and targets of links."""
    text = re.sub(r"(?s:```.*?```)|^ {4}.*$|^#.*$|^ *\|.*$|^!\[.*$", "\n\n", text, flags=re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    parts = re.split(r"(?<=[.!?:])\**\s+|\n\s*\n|\n\* ", text)
    return [" ".join(part.split()) for part in parts if part.strip()]


def test_the_readme_is_three_screens() -> None:
    assert len(README.splitlines()) <= MAX_LINES
    assert len(README.split()) <= MAX_WORDS


@pytest.mark.parametrize("name", FRONT)
def test_no_sentence_needs_a_second_reading(name: str) -> None:
    sentences = find_sentences((ROOT / name).read_text(encoding="utf-8"))
    assert len(sentences) > 8
    assert [each for each in sentences if len(each.split()) > MAX_SENTENCE_WORDS] == []


def test_a_long_sentence_is_found() -> None:
    long = "word " * (MAX_SENTENCE_WORDS + 1)
    assert find_sentences(f"# A head\n\nShort. {long.strip()}.\n\n    code\n") == ["Short.", f"{long.strip()}."]


def test_the_readme_has_four_doors_and_five_commands() -> None:
    doors = README.split("## Four doors")[1].split("\n## ")[0]
    assert re.findall(r"\*\*(\w+)\*\*", doors) == ["dealer", "floor", "technician", "developer"]
    commands = README.split("## Five commands")[1].split("\n## ")[0]
    assert len(re.findall(r"^ {4}tablectl ", commands, re.MULTILINE)) == 5


def test_the_readme_counts_what_there_is() -> None:
    games = len(list((ROOT / "config/games").glob("*.toml")))
    assert len(list((ROOT / "config/rulebooks").glob("*.toml"))) == 8
    assert f"It knows eight rulebooks and {games} games" in README


def test_the_picture_of_the_readme_moves_and_is_small() -> None:
    (named,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    path = ROOT / named
    assert path.stat().st_size < MAX_PICTURE_BYTES
    with Image.open(path) as picture:
        assert getattr(picture, "n_frames", 1) > 10
        assert picture.info["loop"] == 0
