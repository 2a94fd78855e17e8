"""`tablectl room`: a table's link to its room; all else comes with the room's own distribution, by an entry point."""

from importlib.metadata import entry_points
from typing import Final

from controller.command_table import Command
from controller.uplink import uplink_command

ACTIONS_GROUP: Final = "table_controller.room"
"""The group of the entry point by which the room's distribution brings its actions."""

MISSING_ROOM: Final = "all but uplink comes with the room: pip install table-controller-room"


def build_command() -> Command:
    """The command with the table's own action, and the room's where it is installed."""
    found = entry_points(group=ACTIONS_GROUP, name="actions")
    return Command(
        "room",
        "Many tables at one desk: the table's link to its room, and the room itself. docs/room.md",
        uplink_command.COMMAND,
        *(action for each in found for action in each.load()),
        metavar="ACTION",
        hint="" if found else MISSING_ROOM,
    )


COMMAND = build_command()
