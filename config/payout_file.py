"""Reads a payout structure: a TOML file of columns by the number of players.

Refuses what is unknown, leaves a gap or adds up wrongly.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from config.config_error import ConfigError
from config.file_library import Library, find_path, list_names, resolve_library
from config.rulebook_file import load_clauses
from config.toml_file import read_toml
from controller.core.rules.questions.house.tournament_rules import TournamentRules
from controller.core.tournament.money_terms import parse_cents, parse_column, parse_whole
from controller.core.tournament.payouts import PayoutColumn, PayoutStructure, RoundingPlace

FOLDER = Path(__file__).parent / "payouts"
HEAD_KEYS = ("title", "cite", "round-to", "rounding", "players-per-place", "column")
COLUMN_KEYS = ("players", "shares", "cite")
DEFAULT_ROUND_TO = 1
"""Prizes are whole units where a file does not say otherwise."""


def list_payouts(library: Library | None = None) -> tuple[str, ...]:
    """The payout structures that there are, the house's own among them."""
    return list_names(FOLDER, resolve_library(library).folders("payouts"))


def load_payouts(name: str, library: Library | None = None) -> PayoutStructure:
    """The payout structure of that name."""
    return _load_cached(find_path(FOLDER, resolve_library(library).folders("payouts"), name))


@cache
def _load_cached(path: Path) -> PayoutStructure:
    return read_payouts(path)


def load_default_payouts(rules: TournamentRules) -> PayoutStructure:
    """The payout structure that a book has, or that it leaves to the one of no book."""
    return load_payouts(rules.payouts.value.value)


def find_payouts(name: str) -> PayoutStructure:
    """A payout structure by name, or from a .toml file of the house; raises `ConfigError` and `ValueError`."""
    if name in list_payouts():
        return load_payouts(name)
    if name.endswith(".toml"):
        return read_payouts(Path(name))
    raise ValueError(f"there are no payouts {name!r}; there are {', '.join(list_payouts())}, or a .toml file.")


def read_payouts(path: Path) -> PayoutStructure:
    """Read one file; raises `ConfigError` with the line and what would be right."""
    text, data = read_toml(path)
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines, 1) if line.strip().startswith("[[column]]")]
    _check_keys(path, 1, data, HEAD_KEYS, "")

    def find_line(key: str) -> int:
        return next((n for n, line in enumerate(lines, 1) if line.split("=")[0].strip() == key), 1)

    if not isinstance(data.get("title"), str) or not data["title"]:
        raise ConfigError(path, find_line("title"), "title", "missing: a text is wanted")
    cite = _read_cite(path, find_line("cite"), data)
    places = {place.value: place for place in RoundingPlace}
    rounding = data.get("rounding", RoundingPlace.FIRST_PLACE.value)
    if rounding not in list(places):
        raise ConfigError(path, find_line("rounding"), "rounding", f"one of {', '.join(places)} is wanted")
    try:
        step = parse_cents(data.get("round-to", DEFAULT_ROUND_TO), "round-to")
        key, per_place = "players-per-place", parse_whole(data.get("players-per-place", 0), "players-per-place")
    except ValueError as why:
        key = "round-to" if "round-to" in str(why) else "players-per-place"
        raise ConfigError(path, find_line(key), key, str(why)) from why
    if not step:
        raise ConfigError(path, find_line("round-to"), "round-to", "an amount above 0 is wanted: prizes are multiples")
    columns = data.get("column")
    if not isinstance(columns, list) or not columns:
        raise ConfigError(path, 1, "column", "missing: one [[column]] with players and shares for each size of field")
    found: list[PayoutColumn] = []
    for index, column in enumerate(columns):
        found.append(_read_column(path, starts[index] if index < len(starts) else 1, column, found))
    return PayoutStructure(path.stem, data["title"], tuple(found), step, places[rounding], per_place, cite)


def _read_column(path: Path, line: int, column: object, before: list[PayoutColumn]) -> PayoutColumn:
    if not isinstance(column, dict):
        raise ConfigError(path, line, "column", f"must be written [[column]], not {column!r}")
    _check_keys(path, line, column, COLUMN_KEYS, "column.")
    cite = _read_cite(path, line, column)
    try:
        return parse_column(
            column.get("players"), column.get("shares"), cite, before[-1].max_players if before else None
        )
    except ValueError as why:
        raise ConfigError(path, line, "column", str(why)) from why


def _read_cite(path: Path, line: int, table: Mapping[str, Any]) -> str:
    cite = table.get("cite", "")
    if not isinstance(cite, str) or (cite and cite not in load_clauses()):
        raise ConfigError(path, line, "cite", f"{cite!r} is no id of a catalogue; leave it out where no clause says it")
    return cite


def _check_keys(path: Path, line: int, table: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in keys:
            raise ConfigError(path, line, f"{where}{key}", f"no such key; there are {', '.join(keys)}")
