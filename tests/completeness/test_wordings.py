"""A step of the plan is said in one place, for the page, the terminal and the log alike."""

import re
from pathlib import Path

import pytest

from controller.web.wording.step_instructions import FORMATTER_BY_STEP

ROOT = Path(__file__).parents[2]
VIEW = (ROOT / "controller/core/engine/output/outcome_rendering.py").read_text(encoding="utf-8")
STEPS = set(re.findall(r'"step": "([a-z-]+)"', VIEW))
STATIC_FOLDER = ROOT / "controller/web/static"


def test_every_step_has_its_words() -> None:
    assert len(STEPS) > 14
    assert set(FORMATTER_BY_STEP) == STEPS


@pytest.mark.parametrize("path", sorted(STATIC_FOLDER.glob("*.js")), ids=lambda path: path.name)
def test_no_page_has_words_of_its_own_for_a_step(path: Path) -> None:
    """A page shows the `text` that the server gives a step: what is reworded there is reworded everywhere."""
    text = path.read_text(encoding="utf-8")
    for phrase in ("Burn a card", "Card to seat", "Move the button", "out of play, face down", 'What happened?";'):
        assert phrase not in text
