"""Reads a blind schedule: a TOML file of levels and breaks. Refuses what is unknown, missing or makes no sense."""

import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from config.config_error import ConfigError
from config.file_library import Library, find_path, list_names, resolve_library
from config.toml_file import read_toml
from controller.core.tournament.schedule import BlindLevel, ColourOut, ColourOutPart, Schedule, ScheduledBreak

FOLDER = Path(__file__).parent / "schedules"
HEAD_KEYS = ("title", "cite", "level")
AMOUNT_KEYS = ("small-blind", "big-blind", "ante", "small-bet", "big-bet", "bring-in", "chip")
LEVEL_KEYS = (*AMOUNT_KEYS, "blinds", "minutes", "printed", "break")
BREAK_KEYS = ("minutes", "colour-out")
COLOUR_OUT_KEYS = ("chip", "part")
TIME_PATTERN = re.compile(r"\d+:[0-5]\d")


def list_schedules(library: Library | None = None) -> tuple[str, ...]:
    """The schedules that there are, the house's own among them."""
    return list_names(FOLDER, resolve_library(library).folders("schedules"))


def load_schedule(name: str, library: Library | None = None) -> Schedule:
    """The schedule of that name."""
    return _load_cached(find_path(FOLDER, resolve_library(library).folders("schedules"), name))


@cache
def _load_cached(path: Path) -> Schedule:
    return read_schedule(path)


def read_schedule(path: Path) -> Schedule:
    """Read one file; raises `ConfigError`."""
    text, data = read_toml(path)
    starts = [number for number, line in enumerate(text.splitlines(), 1) if line.strip().startswith("[[level]]")]
    _check_keys(path, 1, data, HEAD_KEYS, "")
    for key in ("title", "cite"):
        if not isinstance(data.get(key, ""), str):
            raise ConfigError(path, 1, key, "a text is wanted")
    if "title" not in data or not isinstance(data.get("level"), list):
        raise ConfigError(path, 1, "title, level", "missing: a schedule has a title and one [[level]] for each level")
    levels = tuple(
        _read_level(path, starts[index] if index < len(starts) else 1, table)
        for index, table in enumerate(data["level"])
    )
    for index, (before, after) in enumerate(pairwise(levels), start=1):
        if after.big_blind < before.big_blind:
            raise ConfigError(path, starts[index], "level.big-blind", "smaller than on the level before")
    return Schedule(path.stem, data["title"], levels, data.get("cite", ""))


def _read_level(path: Path, line: int, table: Mapping[str, Any]) -> BlindLevel:
    _check_keys(path, line, table, LEVEL_KEYS, "level.")
    amounts = {key: _read_int(path, line, f"level.{key}", table.get(key, 0), 0) for key in AMOUNT_KEYS}
    blinds = _read_blinds(path, line, table) if "blinds" in table else ()
    if blinds:
        amounts |= {"small-blind": blinds[0] if len(blinds) > 1 else 0, "big-blind": blinds[-1]}
    elif "big-blind" not in table or amounts["small-blind"] > amounts["big-blind"]:
        raise ConfigError(path, line, "level.big-blind", "wanted, and not smaller than small-blind")
    if "minutes" not in table:
        raise ConfigError(path, line, "level.minutes", "missing: how long the level lasts")
    minutes = _read_int(path, line, "level.minutes", table["minutes"], 1)
    then = _read_break(path, line, table["break"]) if "break" in table else None
    return BlindLevel(
        small_blind=amounts["small-blind"],
        big_blind=amounts["big-blind"],
        minutes=minutes,
        ante=amounts["ante"],
        small_bet=amounts["small-bet"],
        big_bet=amounts["big-bet"],
        bring_in=amounts["bring-in"],
        smallest_chip=amounts["chip"],
        printed_minutes=_read_printed_time(path, line, table.get("printed")),
        following_break=then,
        middle_blinds=blinds[1:-1],
    )


def _read_blinds(path: Path, line: int, table: Mapping[str, Any]) -> tuple[int, ...]:
    """All blinds of a level, from the button on; the last is the largest."""
    for key in ("small-blind", "big-blind"):
        if key in table:
            raise ConfigError(path, line, f"level.{key}", "blinds says them all: leave it out")
    rows = table["blinds"]
    if not isinstance(rows, list) or not rows:
        raise ConfigError(path, line, "level.blinds", "a list of amounts is wanted, as [100, 200, 400]")
    blinds = tuple(_read_int(path, line, "level.blinds", row, 1) for row in rows)
    if blinds[-1] < max(blinds):
        raise ConfigError(path, line, "level.blinds", "the last one is what is called: no other is larger")
    return blinds


def _read_break(path: Path, line: int, table: object) -> ScheduledBreak:
    if not isinstance(table, dict):
        raise ConfigError(path, line, "level.break", "wants { minutes = …, colour-out = [{ chip = … }] }")
    _check_keys(path, line, table, BREAK_KEYS, "level.break.")
    minutes = _read_int(path, line, "level.break.minutes", table.get("minutes"), 1)
    chips = table.get("colour-out", [])
    if not isinstance(chips, list):
        raise ConfigError(path, line, "level.break.colour-out", "a list of { chip = …, part = … } is wanted")
    return ScheduledBreak(minutes, tuple(_read_colour_out(path, line, chip) for chip in chips))


def _read_colour_out(path: Path, line: int, table: object) -> ColourOut:
    if not isinstance(table, dict):
        raise ConfigError(path, line, "level.break.colour-out", "each wants { chip = … }")
    _check_keys(path, line, table, COLOUR_OUT_KEYS, "level.break.colour-out.")
    chip = _read_int(path, line, "level.break.colour-out.chip", table["chip"], 1) if "chip" in table else None
    parts = {part.value: part for part in ColourOutPart}
    part = table.get("part", ColourOutPart.ALL.value)
    if part not in parts:
        raise ConfigError(path, line, "level.break.colour-out.part", f"one of {', '.join(parts)} is wanted")
    return ColourOut(chip, parts[part])


def _read_printed_time(path: Path, line: int, value: object) -> int | None:
    if value is None:
        return None
    if not isinstance(value, str) or not TIME_PATTERN.fullmatch(value):
        raise ConfigError(path, line, "level.printed", 'hours and minutes are wanted, as "2:10"')
    hours, minutes = value.split(":")
    return 60 * int(hours) + int(minutes)


def _check_keys(path: Path, line: int, table: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    if not isinstance(table, dict):
        raise ConfigError(path, line, where.rstrip("."), f"must be written [[{where.rstrip('.')}]], not {table!r}")
    for key in table:
        if key not in keys:
            raise ConfigError(path, line, f"{where}{key}", f"no such key; there are {', '.join(keys)}")


def _read_int(path: Path, line: int, key: str, value: object, low: int) -> int:
    if type(value) is not int or value < low:
        raise ConfigError(path, line, key, f"{value!r} is no whole number from {low}")
    return value
