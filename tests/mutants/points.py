"""Where a file can be mutated, by cosmic-ray's operators, and a sample of such places that a seed gives again."""

import ast
import difflib
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from parso.tree import Leaf, NodeOrLeaf

Position = tuple[int, int]
"""A line, from 1, and a column in characters, from 0, as parso counts."""

NO_POINTS = {"name", "string", "newline", "endmarker", "fstring_start", "fstring_string", "fstring_end"}
PUNCTUATION = set("()[]{},:.=;") | {"->", ":=", "..."}
"""What no operator mutates: kinds of leaves of parso's tree, and signs. It is most of a file."""

BY_IDENTITY = ("Eq_Is", "NotEq_IsNot", "Is_Eq", "IsNot_NotEq")
"""Equality for identity and back: the same for enums, small numbers and whatever else exists once."""

UNSEEN_DECORATORS = {"cache", "lru_cache", "cached_property", "override", "final", "runtime_checkable", "overload"}
UNSEEN_KEYWORDS = {"slots", "frozen", "strict", "gc", "weakref", "maxsize"}


@dataclass(frozen=True)
class Point:
    """A place of a file, and the mutants that it can have: operators of cosmic-ray, each with its occurrence."""

    file: str
    start: Position
    end: Position
    variants: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Mutant:
    """One mutant: where it is, what stood there and stands there now, and the whole of the mutated file.

    `lines` are those of its statement. `scope` are those of the definition or module around it where the statement is
    run when the file is imported, such as a default value: what runs them is what uses it.
    """

    file: str
    operator: str
    occurrence: int
    start: Position
    before: str
    after: str
    source: str
    lines: tuple[int, ...]
    scope: tuple[int, ...]
    key: str

    @property
    def location(self) -> str:
        """Its file and line."""
        return f"{self.file}:{self.start[0]}"


@cache
def list_operators() -> tuple[tuple[str, Any], ...]:
    """Return cosmic-ray's operators by name: all that need no arguments."""
    classes = [(name, get_operator(name)) for name in operator_names() if not name.endswith(BY_IDENTITY)]
    return tuple((name, operator()) for name, operator in classes if not operator.arguments())


def find_points(root: Path, file: str) -> list[Point]:
    """Return the places of a file that can be mutated, in the file's order, without those that cannot show."""
    source = (root / file).read_text(encoding="utf-8")
    hidden = list(_find_hidden(source))
    found: dict[tuple[Position, Position], list[tuple[str, int]]] = {}
    counts: dict[str, int] = {}
    nodes = [node for node in ast_nodes(get_ast(source)) if _is_open(node)]
    for name, operator in list_operators():
        for node in nodes:
            for start, end in operator.mutation_positions(node):
                occurrence = counts.get(name, 0)
                counts[name] = occurrence + 1
                if not _parts_parameters(node) and not any(first <= start < last for first, last in hidden):
                    found.setdefault((start, end), []).append((name, occurrence))
    return [Point(file, start, end, tuple(variants)) for (start, end), variants in sorted(found.items())]


def _is_open(node: NodeOrLeaf) -> bool:
    return node.type not in NO_POINTS and (not isinstance(node, Leaf) or node.value not in PUNCTUATION)


def _parts_parameters(node: NodeOrLeaf) -> bool:
    """Whether it is the sign between parameters that says how they are given: mypy holds the calls to that."""
    is_sign = isinstance(node, Leaf) and node.value in ("*", "/")
    return is_sign and node.parent is not None and node.parent.type in ("parameters", "lambdef")


def _find_hidden(source: str) -> Iterator[tuple[Position, Position]]:
    """Where a mutant changes nothing, or only how the program is typed, shown, cached or laid out in memory."""
    lines = source.splitlines()

    def place(line: int, column: int) -> Position:
        return line, len(lines[line - 1].encode()[:column].decode())

    def span(node: ast.expr | ast.stmt, back: int = 0) -> tuple[Position, Position]:
        start, end = place(node.lineno, node.col_offset), place(node.end_lineno or 0, node.end_col_offset or 0)
        return (start[0], start[1] - back), end

    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name="__repr__"):
                yield span(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if node.returns:
                    yield span(node.returns)
            case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
                yield span(annotation)
            case ast.If(test=ast.Name("TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
                yield span(node)
            case ast.Import() | ast.ImportFrom():
                yield span(node)
            case _:
                pass
        match node:
            case ast.AnnAssign(annotation=ast.Name("TypeAlias"), value=ast.expr() as value):
                yield span(value)
            case ast.Assign(value=ast.BinOp() as value) if _is_type(value):
                yield span(value)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield from (span(each, 1) for each in node.decorator_list if _name(each) in UNSEEN_DECORATORS)
            case ast.Call(func=ast.Name("isinstance" | "issubclass"), args=[_, types]):
                yield span(types)
            case ast.Call():
                yield from (span(each.value) for each in node.keywords if each.arg in UNSEEN_KEYWORDS)
            case _:
                pass


def _name(node: ast.expr) -> str:
    match node:
        case ast.Call():
            return _name(node.func)
        case ast.Attribute():
            return node.attr
        case ast.Name():
            return node.id
        case _:
            return ""


def _is_type(node: ast.expr) -> bool:
    """Whether it is a union of types with names: `Step = Deal | Burn`."""
    match node:
        case ast.BinOp(op=ast.BitOr()):
            return _is_type(node.left) and _is_type(node.right)
        case ast.Subscript():
            return _is_type(node.value)
        case ast.Constant(value=None):
            return True
        case _:
            return _name(node)[:1].isupper() and not _name(node).isupper()


def make_mutant(root: Path, point: Point, operator: str, occurrence: int) -> Mutant | None:
    """Return a mutant, or None where Python cannot read it."""
    source = (root / point.file).read_text(encoding="utf-8")
    mutated = mutate_code(source, get_operator(operator)(), occurrence)
    if mutated is None:
        return None
    try:
        compile(mutated, point.file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    before, after = _differ(source, mutated)
    lines, scope = _find_statement(_parse(source), point.start[0])
    content = sha256(source.encode()).hexdigest()[:12]
    key = f"{point.file}:{point.start[0]}:{point.start[1]} {operator} {occurrence} {content}"
    return Mutant(
        point.file, operator.partition("/")[2], occurrence, point.start, before, after, mutated, lines, scope, key
    )


@lru_cache(maxsize=4)
def _parse(source: str) -> ast.Module:
    return ast.parse(source)


def _differ(source: str, mutated: str) -> tuple[str, str]:
    """Return the lines that differ, each side as one text without indents."""
    old, new = source.splitlines(), mutated.splitlines()
    removed, added = list[str](), list[str]()
    for tag, start, end, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += old[start:end]
            added += new[first:last]
    return " ".join(" ".join(removed).split()), " ".join(" ".join(added).split())


def _find_statement(tree: ast.Module, line: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the lines of the statement at a line, and where it is run at import time those that may use it."""
    around: list[ast.stmt] = []
    body: list[ast.stmt] = tree.body
    while body:
        at = [node for node in body if _first_line(node) <= line <= (node.end_lineno or 0)]
        if not at:
            break
        around += at[:1]
        body = [
            *getattr(at[0], "body", []),
            *(each for handler in getattr(at[0], "handlers", []) for each in handler.body),
            *(each for case in getattr(at[0], "cases", []) for each in case.body),
            *getattr(at[0], "orelse", []),
            *getattr(at[0], "finalbody", []),
        ]
    innermost = around[-1] if around else None
    if innermost is None:
        return (line,), ()
    inner = getattr(innermost, "body", None)
    last = _first_line(inner[0]) - 1 if inner and line < _first_line(inner[0]) else innermost.end_lineno or line
    lines = tuple(range(_first_line(innermost), max(line, last) + 1))
    definitions = [node for node in around[:-1] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    if definitions:
        return lines, ()
    if isinstance(innermost, ast.FunctionDef | ast.AsyncFunctionDef):
        return lines, tuple(range(innermost.body[0].lineno, (innermost.end_lineno or 0) + 1))
    bodies = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    used = {each for node in bodies for each in range(node.body[0].lineno, (node.end_lineno or 0) + 1)}
    return lines, tuple(sorted(used))


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def list_sources(root: Path, rooms: Iterable[str]) -> list[str]:
    """Return the Python files of these folders, in order."""
    return sorted(
        {
            file.relative_to(root).as_posix()
            for room in rooms
            for file in ([root / room] if (root / room).is_file() else (root / room).rglob("*.py"))
        }
    )


def list_mutants(root: Path, file: str) -> list[Mutant]:
    """Return every mutant of a file."""
    made = [make_mutant(root, point, *variant) for point in find_points(root, file) for variant in point.variants]
    return [mutant for mutant in made if mutant]


def sample_mutants(root: Path, files: Iterable[str], size: int, seed: str) -> list[Mutant]:
    """Return so many mutants, or one of every point where there are fewer: the same ones for a tree and a seed.

    The points of all files stand in a row, are divided into as many stretches of one length, and each stretch gives one
    point, so that a file gives by the number of its points. One of the point's mutants is drawn then: an operator with
    eleven replacements weighs no more than one with a single one.
    """
    points = [point for file in files for point in find_points(root, file)]
    chance = random.Random(seed)
    size = min(size, len(points))
    return [mutant for index in range(size) if (mutant := _draw(root, points, index, size, chance))]


def _draw(root: Path, points: list[Point], index: int, size: int, chance: random.Random) -> Mutant | None:
    """Draw from one stretch: the next one where Python cannot read the first."""
    stretch = points[index * len(points) // size : (index + 1) * len(points) // size]
    chance.shuffle(stretch)
    for point in stretch:
        for variant in chance.sample(point.variants, len(point.variants)):
            mutant = make_mutant(root, point, *variant)
            if mutant:
                return mutant
    return None
