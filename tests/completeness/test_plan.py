"""The plan of a hand is rewritten by its verbs alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

CONTROLLER = Path(__file__).parents[2] / "controller"
HOME = CONTROLLER / "core" / "model" / "plan.py"


def made_by_hand(source: str) -> Iterator[int]:
    """The lines that make a plan of a tuple, or put a tuple in its place."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="Plan") | ast.Attribute(attr="Plan")):
                yield node.lineno
            case ast.Assign(targets=[ast.Attribute(attr="plan")], value=value):
                if not isinstance(value, ast.Name | ast.Attribute | ast.Call | ast.IfExp):
                    yield node.lineno
            case ast.Call(keywords=keywords):
                yield from (node.lineno for k in keywords if k.arg == "plan" and isinstance(k.value, ast.Tuple))
            case _:
                pass


def test_no_module_but_its_own_makes_a_plan() -> None:
    found = {
        f"{path.relative_to(CONTROLLER)}:{line}"
        for path in CONTROLLER.rglob("*.py")
        if path != HOME
        for line in made_by_hand(path.read_text())
    }
    assert not found, f"use the verbs of Plan: {sorted(found)}"


def test_the_search_finds_what_it_looks_for() -> None:
    assert list(made_by_hand("hand.plan = Plan(steps)")) == [1]
    assert list(made_by_hand("hand.plan = (*lead, *hand.plan)")) == [1]
    assert not list(made_by_hand("hand.plan = hand.plan.first(step)"))
