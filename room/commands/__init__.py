"""`tablectl room`: a module an action, and what it needs is loaded when it runs: a table has no database."""

from importlib import import_module
from typing import Final

from controller.cli.command_table import Command

ACTIONS: Final = ("uplink", "init", "enrol", "withdraw", "archive", "export", "index", "server", "release", "demo")
"""Each has a module of this package, `ACTION_command`, with `COMMAND`; in the order of `--help`."""

COMMAND = Command(
    "room",
    "Many tables at one desk: the table's link to its room, and the room itself. docs/room.md",
    *[import_module(f"room.commands.{name}_command").COMMAND for name in ACTIONS],
    metavar="ACTION",
)
