"""Which rows of the rule catalogue a test plays, and why the others have none.

A test names the row that it plays by its own name (`test_R7_5_holdem_1_a` for `R7-5.holdem.1#a`) or in a docstring, its
own, its class's or its module's: `Covers: R7-5.holdem.1#a, FC-5.holdem.1#a`, up to the next empty line. Rows without a
test have a line in `docs/coverage.csv`: a reason, or the game or topic that they wait for. See `docs/coverage.md`.
"""

import ast
import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from config.rulebook_file import CATALOGUE

CHECKED = ("enforce", "detect", "prompt")
"""Kinds of rows that want a test: the others are left to the floor, or are comment."""

FLOP = frozenset(("all", "button-games", "holdem", "omaha", "omaha8"))
CIRCUMSTANCES = frozenset(("nolimit", "potlimit", "limit", "tournament", "52-card"))
"""Words of the column `game` that name no game."""

COVERS = re.compile(r"Covers:\s*(.+?)(?:\n[ \t]*\n|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the catalogue."""

    id: str
    book: str
    cite: str
    games: frozenset[str]
    topic: str
    kind: str
    trigger: str
    remedy: str

    @property
    def of_flop_games(self) -> bool:
        """Whether it concerns hold'em, Omaha or Omaha high-low."""
        named = self.games - CIRCUMSTANCES
        return not named or bool(named & FLOP)

    @property
    def waits_for(self) -> str:
        """The games that a row of no flop game waits for."""
        return " ".join(sorted(self.games - CIRCUMSTANCES))


@dataclass(frozen=True, slots=True)
class Excuse:
    """Why a row has no test; `waits_for` names the game or topic that is still to come."""

    waits_for: str
    reason: str


@dataclass
class Coverage:
    """Every checked row and what covers it."""

    rows: tuple[Row, ...]
    tests: Mapping[str, tuple[str, ...]]
    excuses: Mapping[str, Excuse]
    unknown: tuple[str, ...] = ()
    missing: tuple[Row, ...] = field(init=False)
    stale: tuple[Row, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Find the rows with neither a test nor an excuse, and those with both."""
        self.missing = tuple(
            row for row in self.rows if row.of_flop_games and row.id not in self.tests and row.id not in self.excuses
        )
        self.stale = tuple(row for row in self.rows if row.id in self.tests and row.id in self.excuses)

    def count(self, book: str) -> dict[str, int]:
        """How many rows of a book are tested, excused, waiting, missing, of the flop games or of others."""
        counts = dict.fromkeys(("tested", "reason", "waiting", "missing", "other games"), 0)
        for row in self.rows:
            if row.book != book:
                continue
            excuse = self.excuses.get(row.id)
            if row.id in self.tests:
                counts["tested"] += 1
            elif excuse is not None:
                counts["waiting" if excuse.waits_for else "reason"] += 1
            else:
                counts["missing" if row.of_flop_games else "other games"] += 1
        return counts


def rows(path: Path = CATALOGUE) -> tuple[Row, ...]:
    """The rows of the catalogue that want a test."""
    return tuple(row for row in every_row(path) if row.kind in CHECKED)


def every_row(path: Path = CATALOGUE) -> Iterator[Row]:
    """All rows of the catalogue."""
    with path.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            yield Row(
                line["id"],
                line["book"],
                line["cite"],
                frozenset(line["game"].split()),
                line["topic"],
                line["kind"],
                line["trigger"],
                line["remedy"],
            )


def excuses(path: Path) -> dict[str, Excuse]:
    """The table of rows without a test; raises `ValueError` where it is not one."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != ["id", "waits_for", "reason"]:
            raise ValueError(f"{path}: its first line must be id,waits_for,reason")
        found: dict[str, Excuse] = {}
        for line in reader:
            if line["id"] in found:
                raise ValueError(f"{path}:{reader.line_num}: {line['id']} stands there twice")
            if not line["waits_for"] and not line["reason"]:
                raise ValueError(f"{path}:{reader.line_num}: {line['id']} has neither a reason nor what it waits for")
            found[line["id"]] = Excuse(line["waits_for"], line["reason"])
    return found


def identifier(id_: str) -> str:
    """The id as the name of a test spells it: letters and digits stay, what stands between is an underscore."""
    return re.sub(r"[^0-9A-Za-z]+", "_", id_).strip("_")


def tested(folder: Path, known: Iterable[str]) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Id -> the tests that play it, and ids that a docstring names but the catalogue does not have."""
    ids = tuple(known)
    by_name = {identifier(id_): id_ for id_ in ids}
    found: dict[str, list[str]] = {}
    unknown: list[str] = []
    for path in sorted(folder.rglob("test_*.py")):
        for test, named in _named(path):
            where = f"{path.relative_to(folder)}::{test}"
            name = identifier(test[5:])
            claimed = [by_name[name]] if name in by_name else []
            for id_ in (*claimed, *named):
                if id_ not in ids:
                    unknown.append(f"{where}: {id_}")
                elif where not in found.setdefault(id_, []):
                    found[id_].append(where)
    return {id_: tuple(where) for id_, where in found.items()}, tuple(unknown)


def _named(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each test of a file, the file and its classes too, with the ids that its docstring names."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    for node in ast.walk(tree):
        match node:
            case ast.Module():
                yield "(module)", covered(ast.get_docstring(node))
            case ast.ClassDef(name=name) if name.startswith("Test"):
                yield name, covered(ast.get_docstring(node))
            case ast.FunctionDef(name=name) if name.startswith("test_"):
                yield name, covered(ast.get_docstring(node))


def covered(docstring: str | None) -> tuple[str, ...]:
    """The ids after `Covers:` in a docstring."""
    names = (name.strip(",;").rstrip(".") for list_ in COVERS.findall(docstring or "") for name in list_.split())
    return tuple(name for name in names if name)


def measure(tests: Path, table: Path) -> Coverage:
    """The coverage of a checkout: its tests, its table of excuses, the catalogue that is shipped."""
    ids = [row.id for row in every_row()]
    found, unknown = tested(tests, ids)
    excused = excuses(table)
    unknown += tuple(f"{table.name}: {id_}" for id_ in excused if id_ not in set(ids))
    return Coverage(rows(), found, excused, unknown)
