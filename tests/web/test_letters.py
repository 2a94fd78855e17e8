"""No letter of the keyboard stands on two keys that are there at the same time."""

import re
from pathlib import Path

import pytest

STATIC_FOLDER = Path(__file__).parents[2] / "controller" / "web" / "static"
ALWAYS_THERE = (
    '"answers"',
    "makeFloorKey = ",
    "makeTimeExtensionButtons = ",
    '"What happened?"',
    '"Put right…"',
    '"Undo"',
)
LETTER = re.compile(r'"([A-Z0-9])"')


def parts(script: str) -> tuple[str, str]:
    """A script without what ends a round, and that: those keys stand beside the acts."""
    before, found, after = (
        (STATIC_FOLDER / script).read_text(encoding="utf-8").partition("export function listRoundEndings")
    )
    return before, found + after


def letters_of_the_page() -> list[str]:
    """Those of keys that stand beside whatever the first step offers."""
    ends = LETTER.findall(parts("act-buttons.js")[1])
    lines = (STATIC_FOLDER / "dealer.js").read_text(encoding="utf-8").splitlines()
    return ends + [
        letter for line in lines if any(name in line for name in ALWAYS_THERE) for letter in LETTER.findall(line)
    ]


@pytest.mark.parametrize("script", ["act-buttons.js", "report-sheet.js"])
def test_a_letter_is_that_of_one_key(script: str) -> None:
    """P once bet the pot and showed the clause."""
    beside = set(letters_of_the_page())
    assert {"P", "L", "E", "V", "J", "M", "T", "U"} <= beside
    offered = set(LETTER.findall(parts(script)[0]))
    assert len(offered) > 5
    assert not offered & beside
