"""`tablectl room`: a table's link to its room; all else comes with the room's own distribution, by an entry point."""

from contextlib import suppress
from importlib.metadata import entry_points
from typing import Final

from controller.command_table import Command
from controller.uplink import uplink_command

ACTIONS_GROUP: Final = "table_controller.room"
"""The group of the entry point by which the room's distribution brings its actions."""

MISSING_ROOM: Final = "all but uplink comes with the room: pip install table-controller-room"


def build_command() -> Command:
    """The command with the table's own action, and the room's where it is installed."""
    actions: list[Command] = []
    for found in entry_points(group=ACTIONS_GROUP, name="actions"):
        with suppress(ImportError):  # half of it is gone: the table's own action is there all the same
            actions += found.load()
    return Command(
        "room",
        "Many tables at one desk: the table's link to its room, and the room itself. docs/room.md",
        uplink_command.COMMAND,
        *actions,
        metavar="ACTION",
        hint="" if actions else MISSING_ROOM,
    )


def __getattr__(name: str) -> Command:
    """Build `COMMAND` when it is asked for: what is installed then counts."""
    if name != "COMMAND":
        raise AttributeError(name)
    return build_command()
