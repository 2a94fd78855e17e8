"""Writes the verbs of the plan as functions of its module, too, and calls those where the source calls a verb.

`Plan` is a tuple, of which mypyc makes no class of its own: each verb would be looked up and called as the interpreter
does it, a tenth of an event. A function is called as one of C. The class stays for whoever is not compiled.
"""

import ast
from collections.abc import Iterator

from compiled.spelling import Edit, is_text, span_of, starts_of

CLASS, FIELD, MODULE = "Plan", "plan", "controller.core.model.plan"
"""The class, the name of every field or property that holds one, and where it is defined."""

Verbs = dict[str, bool]
"""Verb -> whether it is a property."""


def verbs_of(source: str) -> Verbs:
    """The verbs that the class has."""
    return {node.name: _is(node, "property") for node in _methods(source)}


def defined(source: str, verbs: Verbs) -> str:
    """The module of the class with a function for each verb at its end."""
    return "\n".join([source.rstrip(), *(f"\n\n{_Function(verbs).of(node)}" for node in _methods(source)), ""])


def called(source: str, verbs: Verbs) -> str:
    """A module that calls these functions; nothing changes its line."""
    used: set[str] = set()
    while edits := _outermost(list(_calls(source, verbs, used))):
        source = _edited(source, edits)
    if not used:
        return source
    first = next(node for node in ast.parse(source).body if not is_text(node))
    start, _ = span_of(first, starts_of(source.encode()))
    return _edited(source, [(start, start, f"from {MODULE} import {', '.join(sorted(used))}; ")])


def _methods(source: str) -> Iterator[ast.FunctionDef]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name == CLASS:
            yield from (each for each in node.body if isinstance(each, ast.FunctionDef))


def _is(node: ast.FunctionDef, decorator: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == decorator for each in node.decorator_list)


def _named(verb: str) -> str:
    return f"_plan_{verb.strip('_')}"


class _Function(ast.NodeTransformer):
    """A method as a function of the module."""

    def __init__(self, verbs: Verbs) -> None:
        self._verbs = verbs

    def of(self, node: ast.FunctionDef) -> str:
        (*node.args.posonlyargs, *node.args.args)[0].annotation = ast.Name(CLASS)
        node.decorator_list = [each for each in node.decorator_list if ast.unparse(each) == "overload"]
        made = self.visit(node)
        made.name = _named(node.name)
        return ast.unparse(ast.fix_missing_locations(made))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(CLASS) if node.id == "Self" else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if self._is_verb(node) and self._verbs[node.attr]:
            return ast.Call(ast.Name(_named(node.attr)), [node.value], [])
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if ast.unparse(node.func) == "type(self)":
            return ast.Call(ast.Name(CLASS), node.args, node.keywords)
        if isinstance(node.func, ast.Attribute) and self._is_verb(node.func):
            return ast.Call(ast.Name(_named(node.func.attr)), [node.func.value, *node.args], node.keywords)
        return node

    def _is_verb(self, node: ast.Attribute) -> bool:
        return isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in self._verbs


def _calls(source: str, verbs: Verbs, used: set[str]) -> Iterator[tuple[int, int, list[Edit]]]:
    """Where a verb of a plan is called: its span, and the edits of it."""
    starts = starts_of(source.encode())
    tree = ast.parse(source)
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or node.attr not in verbs or not _is_plan(node.value):
            continue
        start, end = span_of(node.value, starts)
        opening = (start, start, f"{_named(node.attr)}(")
        call = calls.get(id(node))
        if verbs[node.attr]:
            last = span_of(node, starts)[1]
            used.add(_named(node.attr))
            yield start, last, [opening, (end, last, ")")]
        elif call is not None:
            arguments = [*call.args, *(each.value for each in call.keywords)]
            last = span_of(call, starts)[1]
            bracket = source.encode().index(b"(", span_of(node, starts)[1]) + 1
            used.add(_named(node.attr))
            yield start, last, [opening, (end, bracket, ", " if arguments else "")]


def _is_plan(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == FIELD
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.startswith("_plan_")


def _outermost(found: list[tuple[int, int, list[Edit]]]) -> list[Edit]:
    """The edits of those that lie in no other; what lies in one of them has its turn when that is written."""
    chosen: list[Edit] = []
    reached = -1
    for start, end, edits in sorted(found, key=lambda each: (each[0], -each[1])):
        if start >= reached:
            chosen += edits
            reached = end
    return chosen


def _edited(source: str, edits: list[Edit]) -> str:
    text = source.encode()
    for start, end, by in sorted(edits, reverse=True):
        text = text[:start] + by.encode() + text[end:]
    return text.decode()
