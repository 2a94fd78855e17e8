"""A key of a rulebook that no code reads would be a promise about nothing."""

import ast
from collections.abc import Iterator
from pathlib import Path

from controller.core.rules.questions.rule import PEOPLE_ONLY, questions_of
from controller.core.rules.rulebook import RULES_CLASS_BY_FORM_SECTION, RULES_CLASS_BY_SECTION

ROOT = Path(__file__).parents[2]


def names_read(folder: str) -> Iterator[str]:
    """Every attribute that code reads, and how each text begins that may be one (the tables of keys only name them)."""
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                yield node.attr
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                yield str(node.values[0].value) + "*"


def test_every_key_is_read_or_told_to_people() -> None:
    read, read_at_set_up = set(names_read("controller")), set(names_read("config"))
    beginnings = tuple(name.removesuffix("*") for name in read if name.endswith("_*"))
    for section, kind in {**RULES_CLASS_BY_SECTION, **RULES_CLASS_BY_FORM_SECTION}.items():
        for key, question in questions_of(kind).items():
            known = key in read | read_at_set_up or (beginnings and key.startswith(beginnings))
            assert known or PEOPLE_ONLY in question, f"{section}.{key} is read nowhere"
            assert not (key in read and PEOPLE_ONLY in question), f"{section}.{key} is read, not only told"
