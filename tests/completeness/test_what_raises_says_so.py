"""Every public function that raises says so."""

import ast
from collections.abc import Iterator
from pathlib import Path

CORE = Path(__file__).parents[2] / "controller" / "core"

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.Module) -> dict[str, Function]:
    """The functions of a module and of its classes, by name."""
    methods = (node for holder in tree.body if isinstance(holder, ast.ClassDef) for node in holder.body)
    found = (*tree.body, *methods)
    return {node.name: node for node in found if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def find_raised_errors(function: Function, others: dict[str, Function], seen: frozenset[str] = frozenset()) -> set[str]:
    """The names of what a function raises, itself or by the private functions of its module."""
    found = set[str]()
    for node in ast.walk(function):
        match node:
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name))):
                found.add("Refused" if name[0].islower() or name.startswith("_") else name)
            case ast.Call(func=ast.Name(id=name)) if name.startswith("_") and name in others and name not in seen:
                found |= find_raised_errors(others[name], others, seen | {name})
            case _:
                pass
    return found - {"AssertionError", "NotImplementedError", "RuntimeError"}


def silent(source: str) -> Iterator[str]:
    """The public functions that do not name what they raise."""
    named = functions(ast.parse(source))
    for name, function in named.items():
        said = ast.get_docstring(function) or ""
        if not name.startswith("_") and any(error not in said for error in find_raised_errors(function, named)):
            yield name


def test_every_public_function_of_the_core_names_what_it_raises() -> None:
    found = {
        f"{path.relative_to(CORE)}: {name}" for path in sorted(CORE.rglob("*.py")) for name in silent(path.read_text())
    }
    assert not found, "\n".join(sorted(found))


def test_the_search_finds_what_it_looks_for() -> None:
    body = "def _must(): raise Refused('no')\ndef do():\n    '''Do it.'''\n    _must()\n"
    assert list(silent(body)) == ["do"]
    assert not list(silent(body.replace("Do it.", "Do it; raises `Refused`.")))
