"""Which rows of the rule catalogue a test plays, and why the others have none.

A test names the row that it plays by its own name (`test_R7_5_holdem_1_a` for `R7-5.holdem.1#a`) or in a docstring, its
own, its class's or its module's: `Covers: R7-5.holdem.1#a, FC-5.holdem.1#a`, up to the next empty line. A story of a
`.scn` file names its rows in its title: `The card plays [R7-5.holdem.1#a FC-5.holdem.1#a]`. Rows without a test have a
line in `docs/coverage.csv` with the reason. See `docs/coverage.md`.
"""

import ast
import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from config.rulebook_file import CATALOGUE_FILE

CHECKED_KINDS = ("enforce", "detect", "prompt")
"""Kinds of rows that want a test: the others are left to the floor, or are comment."""

COVERS_PATTERN = re.compile(r"Covers:\s*(.+?)(?:\n[ \t]*\n|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """A row of the catalogue."""

    id: str
    book: str
    cite: str
    topic: str
    kind: str
    trigger: str
    remedy: str


@dataclass
class RuleCoverage:
    """Every checked row and what covers it."""

    rows: tuple[CatalogueRow, ...]
    tests_by_id: Mapping[str, tuple[str, ...]]
    reason_by_id: Mapping[str, str]
    unknown_ids: tuple[str, ...] = ()
    missing_rows: tuple[CatalogueRow, ...] = field(init=False)
    stale_rows: tuple[CatalogueRow, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Find the rows with neither a test nor a reason, and those with both."""
        self.missing_rows = tuple(
            row for row in self.rows if row.id not in self.tests_by_id and row.id not in self.reason_by_id
        )
        self.stale_rows = tuple(row for row in self.rows if row.id in self.tests_by_id and row.id in self.reason_by_id)

    def count(self, book: str) -> dict[str, int]:
        """How many rows of a book have a test, a reason why there is none, or neither."""
        counts = dict.fromkeys(("tested", "reason", "missing"), 0)
        for row in self.rows:
            if row.book == book:
                counts[
                    "tested" if row.id in self.tests_by_id else "reason" if row.id in self.reason_by_id else "missing"
                ] += 1
        return counts


def read_checked_rows(path: Path = CATALOGUE_FILE) -> tuple[CatalogueRow, ...]:
    """The rows of the catalogue that want a test."""
    return tuple(row for row in iter_catalogue_rows(path) if row.kind in CHECKED_KINDS)


def iter_catalogue_rows(path: Path = CATALOGUE_FILE) -> Iterator[CatalogueRow]:
    """All rows of the catalogue."""
    with path.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            yield CatalogueRow(
                line["id"],
                line["book"],
                line["cite"],
                line["topic"],
                line["kind"],
                line["trigger"],
                line["remedy"],
            )


def read_reasons(path: Path) -> dict[str, str]:
    """The table of rows without a test; raises `ValueError` where it is not one."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != ["id", "reason"]:
            raise ValueError(f"{path}: its first line must be id,reason")
        found: dict[str, str] = {}
        for line in reader:
            if line["id"] in found:
                raise ValueError(f"{path}:{reader.line_num}: {line['id']} stands there twice")
            if not line["reason"]:
                raise ValueError(f"{path}:{reader.line_num}: {line['id']} has no reason")
            found[line["id"]] = line["reason"]
    return found


def make_test_identifier(id_: str) -> str:
    """The id as the name of a test spells it: letters and digits stay, what stands between is an underscore."""
    return re.sub(r"[^0-9A-Za-z]+", "_", id_).strip("_")


def find_tests(folder: Path, known: Iterable[str]) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Id -> the tests that play it, and ids that a docstring names but the catalogue does not have."""
    ids = tuple(known)
    by_name = {make_test_identifier(id_): id_ for id_ in ids}
    found: dict[str, list[str]] = {}
    unknown: list[str] = []
    for path in sorted([*folder.rglob("test_*.py"), *folder.rglob("*.scn")]):
        for test, named in _iter_named_ids(path) if path.suffix == ".py" else iter_story_titles(path):
            where = f"{path.relative_to(folder)}::{test}"
            name = make_test_identifier(test[5:])
            claimed = [by_name[name]] if name in by_name else []
            for id_ in (*claimed, *named):
                if id_ not in ids:
                    unknown.append(f"{where}: {id_}")
                elif where not in found.setdefault(id_, []):
                    found[id_].append(where)
    return {id_: tuple(where) for id_, where in found.items()}, tuple(unknown)


def _iter_named_ids(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each test of a file, the file and its classes too, with the ids that its docstring names."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    for node in ast.walk(tree):
        match node:
            case ast.Module():
                yield "(module)", parse_covered_ids(ast.get_docstring(node))
            case ast.ClassDef(name=name) if name.startswith("Test"):
                yield name, parse_covered_ids(ast.get_docstring(node))
            case ast.FunctionDef(name=name) if name.startswith("test_"):
                yield name, parse_covered_ids(ast.get_docstring(node))


def iter_story_titles(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each title of a file of stories, with the ids in its brackets: what stands at the margin, on one line or more."""
    for lines in re.findall(r"^[^\s#].*$(?:\n[^\s#].*$)*", path.read_text(encoding="utf-8"), re.MULTILINE):
        yield parse_story_title(" ".join(lines.splitlines()))


def parse_story_title(title: str) -> tuple[str, tuple[str, ...]]:
    """The sentence of a title and the ids that stand in brackets behind it."""
    sentence, _, ids = title.removesuffix("]").partition(" [") if title.endswith("]") else (title, "", "")
    return sentence, tuple(ids.split())


def parse_covered_ids(docstring: str | None) -> tuple[str, ...]:
    """The ids after `Covers:` in a docstring."""
    names = (
        name.strip(",;").rstrip(".") for list_ in COVERS_PATTERN.findall(docstring or "") for name in list_.split()
    )
    return tuple(name for name in names if name)


def measure_coverage(tests: Path, table: Path) -> RuleCoverage:
    """The coverage of a checkout: its tests, its table of reasons, the catalogue that is shipped."""
    ids = [row.id for row in iter_catalogue_rows()]
    found, unknown = find_tests(tests, ids)
    given = read_reasons(table)
    unknown += tuple(f"{table.name}: {id_}" for id_ in given if id_ not in set(ids))
    return RuleCoverage(read_checked_rows(), found, given, unknown)
