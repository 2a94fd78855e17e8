"""A lamp role is a field of `Lamps`, a pattern, a colour, a label on page and terminal, a row of its page, a test."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from controller.cli.devices import lamps as command
from controller.core.protocol.display import Lamps
from controller.web.terminal import LAMPS
from drivers.lamps.lamp_language import PATTERNS, ROLES
from drivers.lamps.lamps_ws2812 import COLOURS

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "controller/web/static/table.js").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs/lamps.md").read_text(encoding="utf-8")
SHOWN = [field.name for field in fields(Lamps)]


@pytest.mark.parametrize("role", SHOWN)
def test_every_role_has_all_that_shows_it(role: str) -> None:
    assert role in PATTERNS, "drivers/lamps/lamp_language.py"
    assert role in COLOURS, "drivers/lamps/lamps_ws2812.py"
    assert role in dict(LAMPS), "controller/web/terminal.py"
    assert re.search(rf'\["{role}", ', TABLE), "controller/web/static/table.js"
    assert role in command.ROLES, "controller/cli/devices/lamps.py"
    marks = PATTERNS[role].replace("#", "█").replace(".", " ")
    assert f"| `{role}` | `{marks}` |" in GUIDE, "docs/lamps.md"


@pytest.mark.parametrize("role", SHOWN)
def test_every_role_is_lit_in_a_test(role: str) -> None:
    lit = f'["lamps"]["{role}"]'
    assert any(lit in path.read_text(encoding="utf-8") for path in (ROOT / "tests/rules").rglob("*.py"))


def test_nothing_shows_a_role_that_there_is_not() -> None:
    labels = re.search(r"const LAMPS = \[(.*?)\];", TABLE, re.DOTALL)
    assert labels is not None
    for roles in (ROLES, COLOURS, dict(LAMPS), command.ROLES, re.findall(r'\["(\w+)",', labels[1])):
        assert set(roles) == set(SHOWN)
