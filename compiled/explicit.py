"""Writes a module so that mypyc can compile it to what is fast: data classes as explicit classes.

The source stays as it is; what is written here exists in the build only. mypyc leaves the methods that `@dataclass`
makes to the interpreter (172 ns for an `__init__`, 50 for an explicit one) and knows no `slots=True`, no `__dict__` and
no `cached_property` of an object without one. So each data class gets its methods written out, with the same fields in
the same order, and `dataclasses.fields` and `replace` know it as before. That an instance is frozen is checked in the
source, by mypy and by the tests of the pure form.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from compiled.spelling import is_text, name_of

RUNTIME = "controller.core.explicit_classes"
"""What describes such a class to `dataclasses`: `runtime.py` beside this file, under this name in the build."""

KEYS = ("told", "policy", "choice", "number", "switch")
"""Functions of the rules that make a field of a rulebook's table (`rules/questions/rule.py`)."""


@dataclass
class Field:
    """A field of a data class: its annotation and default as they stand in the source."""

    name: str
    annotation: str
    default: str | None = None
    factory: str | None = None
    made: str | None = None
    """The call that makes it, where that is one of the source's own."""
    shown: bool = True
    keyword_only: bool = False


@dataclass
class Explicit:
    """A data class of a module, and where it stands there."""

    node: ast.ClassDef
    options: dict[str, bool]
    own: list[Field] = field(default_factory=list)
    base: "Explicit | None" = None

    @property
    def name(self) -> str:
        """Its name."""
        return self.node.name

    @property
    def fields(self) -> list[Field]:
        """All its fields, those of its base first."""
        return [*(self.base.fields if self.base else ()), *self.own]

    @property
    def is_value(self) -> bool:
        """Whether it has the verbs of `Value`."""
        return any(isinstance(base, ast.Name) and base.id == "Value" for base in self.node.bases)

    def defines(self, method: str) -> bool:
        """Whether the source itself has the method."""
        return any(isinstance(each, ast.FunctionDef) and each.name == method for each in self.node.body)


Known = dict[str, Explicit]
"""The data classes of other modules that may be bases, by name."""


def explicit(source: str, known: Known) -> str:
    """The module with explicit classes; adds its own data classes to `known`."""
    source = source.replace("super().become(", "self._become(")  # the verb of `Value` has that name here
    tree = ast.parse(source)
    lines = source.split("\n")
    edits: list[tuple[int, int, list[str]]] = []
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and "'__dict__'" in ast.unparse(node):  # no object has one here
            edits.append((node.lineno - 1, node.end_lineno or 0, []))
        if not isinstance(node, ast.ClassDef):
            continue
        if _stays_interpreted(node):
            edits.append((node.lineno - 1, node.lineno - 1, ["@mypyc_attr(native_class=False)"]))
        if node.name == "Value":
            edits += [
                (each.lineno - 1, each.end_lineno or 0, [])
                for each in node.body
                if isinstance(each, ast.FunctionDef) and each.name in ("copy", "changed", "become")
            ]
        if any(ast.unparse(base) == "NamedTuple" for base in node.bases):
            edits.append((node.end_lineno or 0, node.end_lineno or 0, ["", "", _annotation(node)]))
        decorator = next((each for each in node.decorator_list if name_of(each) == "dataclass"), None)
        if decorator is None:
            continue
        made = _explicit(node, decorator, known)
        known[node.name] = made
        edits.append((decorator.lineno - 1, decorator.end_lineno or 0, []))
        edits += _of_fields(node)
        cached = list(_cached(node))
        edits += [(each.decorator_list[0].lineno - 1, each.body[0].lineno - 1, _asked(each)) for each in cached]
        edits.append(
            (node.end_lineno or 0, node.end_lineno or 0, [*_methods(made, cached), "", "", *_description(made)])
        )
    if not edits:
        return source
    start = _first_import(tree)
    imports = [
        "from typing import TYPE_CHECKING as _CHECKED, Any as _Any, ClassVar as _ClassVar, Final as _Const",
        "from dataclasses import field as _field",
        f"from {RUNTIME} import SAME as _AS_IT_IS, annotate as _annotate, describe as _describe, lend as _lend",
        "_SAME: _Const[_Any] = _AS_IT_IS",  # what is final is not looked up
    ]
    if any(isinstance(node, ast.ClassDef) and _stays_interpreted(node) for node in tree.body):
        imports += ["if _CHECKED: from mypy_extensions import mypyc_attr", "_lend(globals())"]
    edits.append((start, start, imports))
    for first, last, text in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        lines[first:last] = text
    return "\n".join(lines)


def _first_import(tree: ast.Module) -> int:
    first = next(each for each in tree.body if not is_text(each))
    return first.lineno - 1 - len(getattr(first, "decorator_list", ()))


def _stays_interpreted(node: ast.ClassDef) -> bool:
    """Whether a class has a base of which mypyc can make no class of its own."""
    return any(ast.unparse(base).split("[")[0] in ("tuple", "AssertionError") for base in node.bases)


def _explicit(node: ast.ClassDef, decorator: ast.expr, known: Known) -> Explicit:
    given = decorator.keywords if isinstance(decorator, ast.Call) else []
    options = {each.arg or "": isinstance(each.value, ast.Constant) and bool(each.value.value) for each in given}
    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
    made = Explicit(node, options, base=next((known[base] for base in bases if base in known), None))
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and not _of_the_class(each):
            made.own.append(_field(each.target.id, each, options.get("kw_only", False)))
    return made


def _of_the_class(node: ast.AnnAssign) -> bool:
    annotation = node.annotation.value if isinstance(node.annotation, ast.Subscript) else node.annotation
    return isinstance(annotation, ast.Name) and annotation.id == "ClassVar"


def _field(name: str, node: ast.AnnAssign, keyword_only: bool) -> Field:
    made = Field(name, ast.unparse(node.annotation), keyword_only=keyword_only)
    if isinstance(node.value, ast.Call) and name_of(node.value) == "field":
        for each in node.value.keywords:
            text = ast.unparse(each.value)
            match each.arg:
                case "default":
                    made.default = text
                case "default_factory":
                    made.factory = text
                case "repr":
                    made.shown = text == "True"
                case _:
                    raise ValueError(f"the field `{name}` has an option `{each.arg}` that the build step does not know")
    elif isinstance(node.value, ast.Call) and name_of(node.value) in KEYS:
        made.made = ast.unparse(node.value)
    elif node.value is not None:
        made.default = ast.unparse(node.value)
    return made


def _of_fields(node: ast.ClassDef) -> Iterator[tuple[int, int, list[str]]]:
    """The fields without their defaults, which are those of `__init__`."""
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and not _of_the_class(each):
            text = f"    {each.target.id}: {ast.unparse(each.annotation)}"
            yield each.lineno - 1, each.end_lineno or 0, [text]


def _cached(node: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and any(name_of(one) == "cached_property" for one in each.decorator_list):
            yield each


def _asked(node: ast.FunctionDef) -> list[str]:
    """A property that is worked out when it is first asked, and kept."""
    name, kind = node.name, ast.unparse(node.returns) if node.returns else "object"
    return [
        "    @property",
        f"    def {name}(self) -> {kind}:",
        f"        if self._{name} is None:",
        f"            self._{name} = self._find_{name}()",
        f"        return self._{name}",
        "",
        f"    def _find_{name}(self) -> {kind}:",
    ]


def _methods(made: Explicit, cached: list[ast.FunctionDef]) -> list[str]:
    name, fields = made.name, made.fields
    body = ["", "    __dataclass_fields__: _ClassVar[dict[str, _Any]]"]
    for asked in cached:
        kind = ast.unparse(asked.returns) if asked.returns else "object"
        body.append(f"    _{asked.name}: {kind} | None")
    positional = [each for each in fields if not each.keyword_only]
    keywords = [each for each in fields if each.keyword_only]
    parameters = [_parameter(each) for each in positional] + (["*", *map(_parameter, keywords)] if keywords else [])
    if fields or cached:
        body += ["", f"    def __init__(self, {', '.join(parameters)}) -> None:"]
        for each in fields:
            value = each.name if each.factory is None else f"{each.factory}() if {each.name} is None else {each.name}"
            body.append(f"        self.{each.name} = {value}")
        body += [f"        self._{asked.name} = None" for asked in cached]
    if made.options.get("repr", True) and not made.defines("__repr__"):
        shown = ", ".join(f"{each.name}={{self.{each.name}!r}}" for each in fields if each.shown)
        body += ["", "    def __repr__(self) -> str:", f'        return f"{name}({shown})"']
    if made.options.get("eq", True) and not made.defines("__eq__"):
        body += ["", "    def __eq__(self, other: object) -> bool:", f"        if not isinstance(other, {name}):"]
        mine, theirs = ("".join(f"{who}.{each.name}, " for each in fields) for who in ("self", "other"))
        body += ["            return NotImplemented", f"        return ({mine}) == ({theirs})"]
        if made.options.get("frozen", False) and not made.defines("__hash__"):
            body += ["", "    def __hash__(self) -> int:", f"        return hash(({mine}))"]
    if made.is_value:
        body += _verbs(made)
    return body


def _parameter(each: Field) -> str:
    if each.factory is not None:
        return f"{each.name}: {each.annotation} | None = None"
    return f"{each.name}: {each.annotation}" + ("" if each.default is None else f" = {each.default}")


def _verbs(made: Explicit) -> list[str]:
    """What `Value` does to any object by its `__dict__`."""
    names = [each.name for each in made.fields]
    become = "become" if not made.defines("become") else "_become"
    return [
        "",
        f'    def copy(self) -> "{made.name}":',
        f"        return {made.name}({', '.join(f'self.{name}' for name in names)})",
        "",
        f'    def changed(self, *, {", ".join(f"{name}: _Any = _SAME" for name in names)}) -> "{made.name}":',
        f"        return {made.name}(",
        *(f"            self.{name} if {name} is _SAME else {name}," for name in names),
        "        )",
        "",
        f'    def {become}(self, other: "{made.name}") -> None:',
        *(f"        self.{name} = other.{name}" for name in names),
    ]


def _description(made: Explicit) -> list[str]:
    annotations = "".join(f"{each.annotation}, " for each in made.own)
    base = made.base.name if made.base else "None"
    own = ", ".join(f'"{each.name}": {_as_field(each)}' for each in made.own)
    return [f"_describe({made.name}, globals(), {f'({annotations})'!r}, {{{own}}}, {base})"]


def _annotation(node: ast.ClassDef) -> str:
    """Of a tuple with names mypyc keeps `tuple` for what is annotated as `tuple[int, ...]`."""
    fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
    annotations = "".join(f"{ast.unparse(each.annotation)}, " for each in fields)
    names = "".join(f'"{ast.unparse(each.target)}", ' for each in fields)
    return f"_annotate({node.name}, globals(), {f'({annotations})'!r}, ({names}))"


def _as_field(each: Field) -> str:
    if each.made is not None:
        return each.made
    parts = [f"kw_only={each.keyword_only}"]
    if each.default is not None:
        parts.append(f"default={each.default}")
    if each.factory is not None:
        parts.append(f"default_factory={each.factory}")
    if not each.shown:
        parts.append("repr=False")
    return f"_field({', '.join(parts)})"
