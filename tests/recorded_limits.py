"""The limits of a package as its modules have them: each is a decision, and none changes unnoticed.

    python -m tests.recorded_limits    put those of every package in `RECORDS` on record

A limit is a number or a truth value, or a row or table of such, that a module names, or that a function or a class
gives whoever says nothing else. A file of them has a line each, so that a change shows what was and what is.
"""

import dataclasses
import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.recorded_answers import to_plain

TESTS = Path(__file__).parent

RECORDS: Mapping[str, tuple[str, ...]] = {
    "config": ("config",),
    "room": ("room",),
    "runtime": ("controller.runtime",),
    "uplink": ("controller.uplink", "controller.room_contract"),
}
"""Folder of tests -> the packages whose limits its `limits.txt` has."""


def list_modules(package: str) -> Iterator[ModuleType]:
    """Every module of a package."""
    top = importlib.import_module(package)
    yield top
    for found in pkgutil.walk_packages(top.__path__, f"{package}."):
        yield importlib.import_module(found.name)


def is_limit(value: object) -> bool:
    """Whether a value is a number, or has nothing else in it but numbers and names."""
    match value:
        case Enum() | None:
            return False
        case bool() | int() | float():
            return True
        case tuple() | list() | frozenset():
            return any(map(is_limit, value)) and all(is_limit(each) or isinstance(each, str | Enum) for each in value)
        case Mapping():
            return bool(value) and all(is_limit(each) for each in value.values())
        case _:
            return False


def list_limits(package: str) -> Iterator[str]:
    """Every limit of a package, a line each, in the order of their names."""
    for module in list_modules(package):
        for name, value in sorted(vars(module).items()):
            where = f"{module.__name__}.{name}"
            if name.isupper() or name.lstrip("_").isupper():
                if is_limit(value):
                    yield f"{where} = {to_plain(value)!r}"
            elif getattr(value, "__module__", None) == module.__name__ and callable(value):
                yield from _list_defaults(where, value)


def _list_defaults(where: str, made: Any) -> Iterator[str]:  # noqa: ANN401 - a function or a class
    has_fields = inspect.isclass(made) and dataclasses.is_dataclass(made)
    if has_fields:
        given = ((each.name, each.default) for each in dataclasses.fields(made))
        yield from (f"{where}({name}) = {value!r}" for name, value in given if is_limit(value))
    if inspect.isclass(made):
        for name, inner in sorted(vars(made).items()):
            if inspect.isfunction(inner) and not (name.startswith("__") and (has_fields or name != "__init__")):
                yield from _list_defaults(f"{where}.{name}", inner)
    elif inspect.isfunction(made):
        for name, parameter in inspect.signature(made).parameters.items():
            if parameter.default is not parameter.empty and is_limit(parameter.default):
                yield f"{where}({name}) = {to_plain(parameter.default)!r}"


def render_limits(folder: str) -> str:
    """The text of a record."""
    return "".join(f"{line}\n" for package in RECORDS[folder] for line in list_limits(package))


def read_limits(folder: str) -> str:
    """The record of a folder of tests."""
    return (TESTS / folder / "limits.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for each in RECORDS:
        (TESTS / each / "limits.txt").write_text(render_limits(each), encoding="utf-8")
