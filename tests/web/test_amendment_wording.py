"""The sentence of an amendment on the pages: the same in German and Spanish, as long as it is shown."""

import json
from typing import Any

import pytest

from config.language_file import load_language
from tests.browser.publications import of_lines

LINES: list[dict[str, Any]] = [
    {"ev": "table", "rulebook": "tda-2024", "game": "holdem", "button": 1,
     "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
     "seats": [{"seat": seat, "stack": 200} for seat in (1, 2, 3, 4)]},
    {"ev": "start"},
    *[{"ev": "card", "card": None}] * 8,
    {"ev": "act", "seat": 4, "chips": [10]},
    {"ev": "amend", "line": 11, "to": {"ev": "act", "seat": 4, "chips": [10], "said": "raise"}},
    {"ev": "act", "seat": 1, "do": "fold"},
]  # fmt: skip
CLAUSE = " (TDA, Rule 22)."


def read_last_rulings(language: str) -> list[dict[str, Any]]:
    """The rulings that are shown at the end."""
    *_, last = of_lines(LINES, load_language(language))
    rulings: list[dict[str, Any]] = json.loads(last)["rulings"]
    return rulings


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Put right: seat 4 said raise: raise to 10. Seat 1 to act, 10 to call. Line 11 was: seat 4 put out 10"),
        (
            "de",
            "Berichtigt: Platz 4 hat Raise gesagt: Raise auf 10. Platz 1 ist dran, 10 zu callen. Eintrag 11 war: "
            "Platz 4 hat 10 gelegt",
        ),
        (
            "es",
            "Corregido: asiento 4 dijo sube: sube a 10. Habla el asiento 1, 10 para igualar. La entrada 11 era: "
            "asiento 4 puso 10",
        ),
    ],
)
def test_what_was_put_right_is_said_in_the_language_of_the_page(language: str, sentence: str) -> None:
    first, *others = read_last_rulings(language)
    assert first["text"] == sentence + CLAUSE
    assert first.keys() == {"finding", "verdict", "cite", "text"}
    assert [ruling["finding"] for ruling in others] == ["chips"]
