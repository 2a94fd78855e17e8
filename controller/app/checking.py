"""Finds everything that is wrong with a table's file without touching a device, not only the first thing."""

import re
from collections.abc import Callable
from pathlib import Path

from config.errors import ConfigError
from config.setup import open_table
from config.table_file import TableFile, load_table
from controller.app.devices import Devices, build_devices, make_edge
from controller.core.errors import Refused
from controller.runtime.decks import Deck
from drivers.errors import DriverConfigError
from drivers.registry import build

_IN_BACKTICKS = re.compile(r"`([a-z_]+)`")


def problems(path: Path) -> list[ConfigError]:
    """Every fault that can be told apart from the others, in the order of their lines."""
    try:
        file = load_table(path)
    except ConfigError as error:
        return [error]
    found = [error for error in (_device(file, name) for name in file.devices) if error is not None]
    found += _raised(lambda: _refuse_table(file))
    if not found:
        found += _raised(lambda: _refuse_edge(file, build_devices(file)))
    return sorted(found, key=lambda error: error.line)


def _raised(check: Callable[[], None]) -> list[ConfigError]:
    try:
        check()
    except ConfigError as error:
        return [error]
    return []


def _device(file: TableFile, name: str) -> ConfigError | None:
    section = file.devices[name]
    try:
        build(section.driver, name, section.keys)
    except DriverConfigError as error:
        return file.error(error.message, "device", name, *(error.key or "").split("."))
    return None


def _refuse_table(file: TableFile) -> None:
    try:
        open_table(file.table)
    except Refused as error:
        named = next((key for key in _IN_BACKTICKS.findall(error.message) if key in file.table), None)
        raise file.error(error.message, "table", *(() if named is None else (named,))) from error


def _refuse_edge(file: TableFile, devices: Devices) -> None:
    """Try who translates what, with an empty deck: which cards are registered is no matter of the file."""
    make_edge(file, devices, None, Deck("", {}) if file.shoe is not None else None)
