"""Spells a module in another way where mypyc cannot take it, or would make it slow; nothing changes its line.

* `in (a, *b)`: mypyc takes the members that it sees for all there are.
* `isinstance(x, A | B)` makes a union each time, and of classes in a constant it does not know that they are its own.
* `Do.FOLD` looks up two names each time, and a constant of a module one, where neither is known to be final.
* A named tuple is made by a function of the interpreter (a sixth of what a card costs) that puts its members in order.
"""

import ast
from collections.abc import Iterator

Enums = dict[str, set[str]]
"""Enum -> its members."""

Tuples = dict[str, dict[str, str | None]]
"""Named tuple -> its members in order, each with its default."""

Edit = tuple[int, int, str]
"""From which byte to which of a source stands what instead."""


def enums_of(source: str) -> Enums:
    """The enums of a module and their members."""
    return {
        node.name: {
            each.id
            for statement in node.body
            if isinstance(statement, ast.Assign)
            for each in statement.targets
            if isinstance(each, ast.Name)
        }
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base) in ("Enum", "IntEnum") for base in node.bases)
    }


def tuples_of(source: str) -> Tuples:
    """The named tuples of a module and their members."""
    return {
        node.name: {
            each.target.id: ast.unparse(each.value) if each.value else None
            for each in node.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        }
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "NamedTuple" for base in node.bases)
    }


def spelled(source: str, enums: Enums, tuples: Tuples) -> str:
    """The module as it is compiled; `enums`, `tuples`: those that it may import."""
    return _Spelling(source, enums, tuples).text()


def starts_of(source: bytes) -> list[int]:
    """At which byte each line begins."""
    starts = [0]
    for line in source.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def span_of(node: ast.expr | ast.stmt, starts: list[int]) -> tuple[int, int]:
    """From which byte to which a node stands."""
    end_line, end = node.end_lineno or 0, node.end_col_offset or 0
    return starts[node.lineno - 1] + node.col_offset, starts[end_line - 1] + end


class _Spelling:
    """A module and what is to be spelled otherwise in it."""

    def __init__(self, source: str, enums: Enums, tuples: Tuples) -> None:
        self._source = source.encode()
        self._tree = ast.parse(source)
        self._enums = enums
        self._imported = {
            each.asname or each.name
            for node in self._tree.body
            if isinstance(node, ast.ImportFrom)
            for each in node.names
        }
        self._tuples = {
            name: members
            for name, members in tuples.items()
            if name in self._imported | {node.name for node in self._tree.body if isinstance(node, ast.ClassDef)}
        }
        self._starts = starts_of(self._source)
        self._kinds = {
            node.targets[0].id: ", ".join(ast.unparse(each) for each in node.value.elts)
            for node in self._tree.body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
            if isinstance(node.value, ast.Tuple) and all(isinstance(each, ast.Name) for each in node.value.elts)
        }
        """Constants of the module that are names, of classes where `isinstance` asks for them."""

    def text(self) -> str:
        members = list(self._members())
        names = dict.fromkeys(f"{_constant(each)}: _Final = {ast.unparse(each)}" for each in members)
        edits = [(*self._span(each), _constant(each)) for each in members]
        edits += self._expressions()
        made = [edit for node in ast.walk(self._tree) if isinstance(node, ast.Call) for edit in self._made(node)]
        if made:
            edits += made
            names["from typing import Any as _Whatever"] = None
            names["_new: _Final[_Whatever] = tuple.__new__"] = None
        for node in self._tree.body:
            edits += self._final(node)
        if not edits:
            return self._source.decode()
        imports = [self._span(each)[1] for each in self._tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
        if imports:
            edits.append((imports[-1], imports[-1], "; " + "; ".join(("from typing import Final as _Final", *names))))
        else:
            first = self._span(next(each for each in self._tree.body if not is_text(each)))[0]
            edits.append((first, first, "from typing import Final as _Final; "))
        text = self._source
        for start, end, by in sorted(edits, reverse=True):
            text = text[:start] + by.encode() + text[end:]
        return text.decode()

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        return span_of(node, self._starts)

    def _members(self) -> Iterator[ast.Attribute]:
        """Where it reads a member of an enum that it imports; a pattern of `match` must name it as it is."""
        tree = self._tree
        patterns = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.MatchValue)}
        parts = [self._span(node) for node in tree.body if _is_unpacking(node)]
        for node in ast.walk(tree):
            if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or id(node) in patterns:
                continue
            at = self._span(node)[0]
            if any(start <= at < end for start, end in parts):
                continue
            if node.value.id in self._imported and node.attr in self._enums.get(node.value.id, ()):
                yield node

    def _expressions(self) -> Iterator[Edit]:
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Compare):
                for each in node.comparators:
                    if isinstance(each, ast.Tuple) and any(isinstance(member, ast.Starred) for member in each.elts):
                        start, end = self._span(each)
                        yield start, start + 1, "tuple(["
                        yield end - 1, end, "])"
            elif isinstance(node, ast.Call) and name_of(node) == "isinstance":
                kinds = self._kinds.get(name_of(node.args[1]), ast.unparse(node.args[1]).replace(" | ", ", "))
                if isinstance(node.args[1], ast.BinOp) or name_of(node.args[1]) in self._kinds:
                    yield (*self._span(node.args[1]), f"({kinds})")

    def _made(self, node: ast.Call) -> Iterator[Edit]:
        """A named tuple with its members in order; where they stand in another the call is left as it is."""
        members = self._tuples.get(name_of(node))
        given = [each.arg for each in node.keywords]
        if members is None or None in given or any(isinstance(each, ast.Starred) for each in node.args):
            return
        left = list(members)[len(node.args) :]
        if [name for name in left if name in given] != given:
            return
        yield (*self._span(node.func), f"_new({name_of(node)}, ")
        for keyword in node.keywords:
            skipped: list[str] = []
            while left[0] != keyword.arg:
                skipped.append(f"{members[left.pop(0)]}, ")
            left.pop(0)
            start = self._span(keyword.value)[0]
            yield start - len(f"{keyword.arg}="), start, "".join(skipped)
        end = self._span(node)[1] - 1
        last = [*node.args, *(keyword.value for keyword in node.keywords)][-1]
        comma = b"," in self._source[self._span(last)[1] : end]
        yield end, end + 1, ("" if comma else ", ") + "".join(f"{members[name]}, " for name in left) + "))"

    def _final(self, node: ast.stmt) -> Iterator[Edit]:
        """Say of a constant of the module that it is one."""
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            if node.target.id.isupper() and node.value:
                start, end = self._span(node.annotation)
                yield start, start, "_Final["
                yield end, end, "]"
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            if isinstance(target, ast.Name) and target.id.isupper() and name_of(value) != "TypeVar":
                yield self._span(target)[1], self._span(target)[1], ": _Final"
            elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and _is_unpacking(node):
                pairs = zip(target.elts, value.elts, strict=True)
                yield (
                    *self._span(node),
                    "; ".join(f"{ast.unparse(one)}: _Final = {ast.unparse(other)}" for one, other in pairs),
                )


def name_of(node: ast.expr) -> str:
    """The name of what is called, or of what stands there by itself; empty for anything else."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.id if isinstance(node, ast.Name) else ""


def is_text(node: ast.stmt) -> bool:
    """Whether a statement is nothing but a text."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _constant(member: ast.Attribute) -> str:
    return f"_{ast.unparse(member).replace('.', '_')}"


def _is_unpacking(node: ast.stmt) -> bool:
    """Whether a statement gives several constants their values at once."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Tuple)
        and isinstance(node.value, ast.Tuple)
        and all(isinstance(each, ast.Name) and each.id.isupper() for each in node.targets[0].elts)
    )
