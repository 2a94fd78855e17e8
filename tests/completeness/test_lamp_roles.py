"""A lamp role is a field of `Lamps`, a pattern, a colour, a label on page and terminal, a row of its page, a test."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from controller.core.protocol.table_display import Lamps
from controller.web.terminal_screen import LAMP_LABELS
from drivers.lamps.lamp_patterns import PATTERN_BY_ROLE, ROLES
from drivers.lamps.lamps_ws2812 import DEFAULT_COLOUR_BY_ROLE

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "controller/web/static/table.js").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs/lamps.md").read_text(encoding="utf-8")
SHOWN = [field.name for field in fields(Lamps)]


@pytest.mark.parametrize("role", SHOWN)
def test_every_role_has_all_that_shows_it(role: str) -> None:
    assert role in PATTERN_BY_ROLE, "drivers/lamps/lamp_patterns.py"
    assert role in DEFAULT_COLOUR_BY_ROLE, "drivers/lamps/lamps_ws2812.py"
    assert role in dict(LAMP_LABELS), "controller/web/terminal_screen.py"
    assert re.search(rf'\["{role}", ', TABLE), "controller/web/static/table.js"
    marks = PATTERN_BY_ROLE[role].replace("#", "█").replace(".", " ")
    assert f"| `{role}` | `{marks}` |" in GUIDE, "docs/lamps.md"


@pytest.mark.parametrize("role", SHOWN)
def test_every_role_is_lit_in_a_test(role: str) -> None:
    lit = re.compile(rf"""\["lamps"\]\["{role}"\]|lamps [^;\n]*\b{role} """)
    assert any(lit.search(path.read_text(encoding="utf-8")) for path in (ROOT / "tests/rules").rglob("*.*[yn]"))


def test_nothing_shows_a_role_that_there_is_not() -> None:
    labels = re.search(r"const LAMP_LABELS = \[(.*?)\];", TABLE, re.DOTALL)
    assert labels is not None
    for roles in (
        ROLES,
        DEFAULT_COLOUR_BY_ROLE,
        dict(LAMP_LABELS),
        re.findall(r'\["(\w+)",', labels[1]),
    ):
        assert set(roles) == set(SHOWN)
