"""The mutants that change nothing anybody could see: a list that people keep, each with its reason."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.points import Mutant, find_points, make_mutant

LIST = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True)
class Equivalent:
    """A mutant that does what the program does: the mutated line before and after, without indents, and why."""

    file: str
    before: str
    after: str
    reason: str

    def is_of(self, mutant: Mutant) -> bool:
        """Whether it is this mutant."""
        return (self.file, self.before, self.after) == (mutant.file, mutant.before, mutant.after)


def read_equivalents(file: Path = LIST) -> tuple[Equivalent, ...]:
    """Read the list; an absent one is empty. Raises `ValueError` for an entry without its four texts."""
    rows = tomllib.loads(file.read_text(encoding="utf-8")).get("equivalent", []) if file.exists() else []
    for row in rows:
        if row.keys() != Equivalent.__dataclass_fields__.keys() or not all(row.values()):
            raise ValueError(f"{file.name}: an entry has file, before, after and reason: {row}")
    return tuple(Equivalent(**row) for row in rows)


def find_stale(root: Path, entries: Iterable[Equivalent]) -> list[Equivalent]:
    """Return the entries that are no mutant of the tree any more: their line has changed, or the file is gone."""
    return [entry for entry in entries if not _is_there(root, entry)]


def _is_there(root: Path, entry: Equivalent) -> bool:
    if not (root / entry.file).is_file():
        return False
    lines = (root / entry.file).read_text(encoding="utf-8").splitlines()
    likely = {number for number, line in enumerate(lines, 1) if line.strip() and " ".join(line.split()) in entry.before}
    mutants = (
        make_mutant(root, point, *variant)
        for point in find_points(root, entry.file)
        if point.start[0] in likely
        for variant in point.variants
    )
    return any(mutant and entry.is_of(mutant) for mutant in mutants)
