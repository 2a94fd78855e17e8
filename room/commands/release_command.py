"""`tablectl room release`: the signed releases that the room keeps for its tables."""

import argparse
import sys
from pathlib import Path

from controller.command_table import Command, Option

DEFAULT_CONFIG = Path("/etc/table-room/room.toml")
"""The room's file on an installed room."""


def add_release(options: argparse.Namespace) -> int:
    """Keep one; return the exit status: 0 done, 1 it is none or cannot be kept, 2 the room's file cannot be used."""
    from room.fleet.release_library import ReleaseFileError, ReleaseLibrary
    from room.room_file import load_room_file

    try:
        name = ReleaseLibrary(load_room_file(options.config).state_directory).add(options.release)
    except ReleaseFileError as why:
        print(f"tablectl room release add: {why}", file=sys.stderr)
        return 1
    print(f"{name}: to be staged on the page of the fleet")
    return 0


def list_releases(options: argparse.Namespace) -> int:
    """Name them; return the exit status: 0 done, 1 the folder cannot be read, 2 the room's file cannot be used."""
    from room.fleet.release_library import ReleaseFileError, ReleaseLibrary
    from room.room_file import load_room_file

    try:
        for name in ReleaseLibrary(load_room_file(options.config).state_directory).list_names():
            print(name)
    except ReleaseFileError as why:
        print(f"tablectl room release list: {why}", file=sys.stderr)
        return 1
    return 0


def remove_release(options: argparse.Namespace) -> int:
    """Remove one; return the exit status: 0 done, 1 there is none of the name, 2 the room's file cannot be used."""
    from room.fleet.release_library import ReleaseFileError, ReleaseLibrary
    from room.room_file import load_room_file

    try:
        ReleaseLibrary(load_room_file(options.config).state_directory).remove(options.release)
    except ReleaseFileError as why:
        print(f"tablectl room release remove: {why}", file=sys.stderr)
        return 1
    return 0


CONFIG = Option("--config FILE", f"the room's file (default: {DEFAULT_CONFIG})", Path, default=DEFAULT_CONFIG)

COMMAND = Command(
    "release",
    "in the room: the releases that its tables may be sent",
    Command(
        "add",
        "keep a signed release for the tables",
        Option("release FILE", "the archive that `tablectl release sign` made", Path),
        CONFIG,
        run=add_release,
    ),
    Command("list", "name the releases that are kept", CONFIG, run=list_releases),
    Command(
        "remove",
        "keep a release no longer",
        Option("release NAME", "as `list` says it", str),
        CONFIG,
        run=remove_release,
    ),
    description="Signed releases that the page of the fleet stages at tables. Each table's root verifies signature "
    "and every hash by itself.",
    metavar="WHAT",
)
