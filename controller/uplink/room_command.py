"""`tablectl room`: a table's link to its room; all else comes with the room's own distribution, by an entry point."""

import argparse
from importlib.metadata import entry_points
from typing import Final

from controller.uplink import uplink_command

COMMANDS_GROUP: Final = "table_controller.commands"
"""The group of entry points by which a distribution adds actions to the command of its name."""

MISSING_ROOM: Final = "all but uplink comes with the room: pip install table-controller-room"


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its actions: the table's own, and the room's where it is installed."""
    parser = subparsers.add_parser(
        "room",
        description="Many tables at one desk: the table's link to its room, and the room itself. docs/room.md",
    )
    actions = parser.add_subparsers(title="commands", metavar="ACTION", required=True)
    uplink_command.add(actions)
    rooms = entry_points(group=COMMANDS_GROUP, name="room")
    for room in rooms:
        room.load()(actions)
    if not rooms:
        usage_error = parser.error
        parser.error = lambda message: usage_error(f"{message}; {MISSING_ROOM}")  # type: ignore[method-assign]
