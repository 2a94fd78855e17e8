"""The actions of `tablectl room` that the room brings, each a module; `--help` needs no database."""

from importlib import import_module
from typing import Final

from controller.command_table import Command

NAMES: Final = ("init", "enrol", "withdraw", "archive", "export", "index", "server", "release", "demo")
"""Each has a module of this package, `NAME_command`, with `COMMAND`; in the order of `--help`."""

ACTIONS: Final[tuple[Command, ...]] = tuple(import_module(f"room.commands.{name}_command").COMMAND for name in NAMES)
"""What the table's `tablectl room` finds by the entry point `actions`."""
