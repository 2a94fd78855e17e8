"""What a table publishes in another language: no step, ruling, refusal or fault of it is left in English."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.publications import SCENARIOS, files, publications
from tests.languages.pseudo import make_pseudo_language

SHOWN = ("text", "short", "message", "dealer", "floor", "technician")
"""Keys of a publication whose text a page shows."""

CODES = ("finding", "verdict", "question", "options", "phase", "street", "step")
"""Keys whose words a page says by `formatLabel`."""

AMENDED = sorted(SCENARIOS.glob("*/amend*.jsonl"))


def iter_texts(told: object, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a publication with the key under which it stands."""
    if isinstance(told, dict):
        for name, value in told.items():
            if name not in ("amended", "printed"):  # not shown by itself; the book as it is printed
                yield from iter_texts(value, name)
    elif isinstance(told, list):
        for value in told:
            yield from iter_texts(value, key)
    elif isinstance(told, str):
        yield key, told


def find_english(publication: object) -> set[str]:
    """The texts of a publication that the catalogues do not have."""
    texts = list(iter_texts(publication))
    shown = {text for key, text in texts if key in SHOWN and "⟦" not in text and re.search("[a-z]{3}", text)}
    words = {text for key, text in texts if key in CODES and text}
    return shown | {word for word in words if re.sub("[-_]", " ", word) not in make_pseudo_language().texts}


@pytest.mark.parametrize("path", [*files()[::20], *AMENDED[::3]], ids=lambda path: path.stem)
def test_nothing_that_a_table_publishes_is_left_in_english(path: Path) -> None:
    for text in publications(path, make_pseudo_language()):
        assert find_english(json.loads(text)) == set()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_nothing_of_any_scenario_is_left_in_english() -> None:
    left = {
        found
        for path in files()
        for text in publications(path, make_pseudo_language())
        for found in find_english(json.loads(text))
    }
    assert left == set()


def test_a_text_that_no_catalogue_has_is_found() -> None:
    assert find_english({"rulings": [{"finding": "misdeal", "text": "the moon is full"}]}) == {"the moon is full"}
    assert find_english({"rulings": [{"finding": "moon-shines", "text": "⟦Burn⟧"}]}) == {"moon-shines"}
