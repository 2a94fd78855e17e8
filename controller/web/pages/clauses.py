"""The clauses that rulings cite, in our words: book, section, when it applies, what is done."""

import csv
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from config.folders import Library
from config.rulebook_file import catalogues


@cache
def _by_cite(paths: tuple[Path, ...]) -> Mapping[str, tuple[Mapping[str, str], ...]]:
    """Every printed rule with the cases that the catalogue distinguishes in it."""
    found: dict[str, tuple[Mapping[str, str], ...]] = {}
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                cite = row["id"].split("#")[0]
                case = {"book": row["book"], "section": row["cite"], "when": row["trigger"], "then": row["remedy"]}
                found[cite] = (*found.get(cite, ()), case)
    return found


def explained(cites: Iterable[str], library: Library | None = None) -> dict[str, list[Mapping[str, str]]]:
    """Return the cases of each cited rule, as the catalogues of the library have them."""
    return {cite: list(_by_cite(catalogues(library)).get(cite, ())) for cite in cites}
