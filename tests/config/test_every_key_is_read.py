"""A key of a rulebook that no code reads would be a promise about nothing."""

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from controller.core.rules.questions.rule import TOLD
from controller.core.rules.rulebook import FORM_SECTIONS, SECTIONS

ROOT = Path(__file__).parents[2] / "controller"


def names_read() -> Iterator[str]:
    """Every attribute that code reads, and how each text begins that may be one (the tables of keys only name them)."""
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                yield node.attr
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                yield str(node.values[0].value) + "*"


def test_every_key_is_read_or_told_to_people() -> None:
    read = set(names_read())
    beginnings = tuple(name.removesuffix("*") for name in read if name.endswith("_*"))
    for section, kind in {**SECTIONS, **FORM_SECTIONS}.items():
        for key in fields(kind):
            known = key.name in read or (beginnings and key.name.startswith(beginnings))
            assert known or TOLD in key.metadata, f"{section}.{key.name} is read nowhere"
            assert not (key.name in read and TOLD in key.metadata), f"{section}.{key.name} is read, not only told"
