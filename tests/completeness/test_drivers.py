"""A driver is a file, an entry of the registry, a simulator, a page and tests of its own: who forgets one sees it here.

Simulator and page are demanded by tests/drivers/contract/test_conformance.py.
"""

import ast
from functools import cache
from importlib import import_module
from inspect import getmembers, isclass
from pathlib import Path
from pkgutil import walk_packages

import pytest

import drivers
from drivers.contract.driver_registry import DRIVERS

TESTS = Path(__file__).parents[1]
NO_DEVICES = ("drivers.contract", "drivers.ports", "drivers.pins", "drivers.simulators", "drivers.conformance")
"""Rooms whose modules are no driver of a device."""


def driver_classes() -> dict[str, type]:
    """Every class of ours that shows signals on a device, as "module:Class", and is no base of another one."""
    found: dict[str, type] = {}
    for module in walk_packages(drivers.__path__, "drivers."):
        if not module.name.startswith(NO_DEVICES):
            for name, made in getmembers(import_module(module.name), isclass):
                if made.__module__ == module.name and hasattr(made, "show_signals"):
                    found[f"{module.name}:{name}"] = made
    bases = {base for made in found.values() for base in made.__mro__[1:]}
    return {where: made for where, made in found.items() if made not in bases}


def test_every_driver_is_registered() -> None:
    assert driver_classes().keys() == set(DRIVERS.values())


@cache
def imported_by_tests() -> frozenset[str]:
    """The modules and names that test files import; the conformance test, which is for all, builds by the registry."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (TESTS / "drivers").rglob("test_*.py")]
    froms = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return frozenset(f"{node.module}.{alias.name}" for node in froms for alias in node.names)


@pytest.mark.parametrize("where", sorted(DRIVERS.values()))
def test_every_driver_has_tests_of_its_own(where: str) -> None:
    module, _, name = where.partition(":")
    assert {module, f"{module}.{name}"} & imported_by_tests(), "the conformance test alone is not enough"
