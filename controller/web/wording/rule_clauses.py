"""The clauses that rulings cite, in our words: book, section, when it applies, what is done."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from config.file_library import Library
from config.rulebook_file import list_catalogues


def _iter_rows(paths: tuple[Path, ...]) -> Iterator[tuple[Mapping[str, str], Mapping[str, str]]]:
    """Every row of the catalogues, and what a page shows of it."""
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield row, {"book": row["book"], "section": row["cite"], "when": row["trigger"], "then": row["remedy"]}


@cache
def _load_cases_by_cite(paths: tuple[Path, ...]) -> Mapping[str, tuple[Mapping[str, str], ...]]:
    """Every printed rule with the cases that the catalogue distinguishes in it."""
    found: dict[str, tuple[Mapping[str, str], ...]] = {}
    for row, case in _iter_rows(paths):
        cite = row["id"].split("#")[0]
        found[cite] = (*found.get(cite, ()), case)
    return found


def list_people_only_clauses(code: str, *, tournament: bool, library: Library | None = None) -> list[Mapping[str, str]]:
    """Return what the book called `code` asks of people, because no sensor and no entry tells it, in its own order.

    Read anew each time: it is asked for now and then, and a table need not hold it.
    """
    return [
        {"cite": row["id"], **case}
        for row, case in _iter_rows(list_catalogues(library))
        if row["kind"] == "prompt" and row["book"] == code and (tournament or row["game"] != "tournament")
    ]


def find_clause_cases(cites: Iterable[str], library: Library | None = None) -> dict[str, list[Mapping[str, str]]]:
    """Return the cases of each cited rule, as the catalogues of the library have them."""
    return {cite: list(_load_cases_by_cite(list_catalogues(library)).get(cite, ())) for cite in cites}
