"""`tablectl room release`: the signed releases that the room keeps for its tables."""

import argparse
import sys
from pathlib import Path

DEFAULT_CONFIG = Path("/etc/table-room/room.toml")
"""The room's file on an installed room."""


def add(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "release",
        help="in the room: the releases that its tables may be sent",
        description="Signed releases that the page of the fleet stages at tables. Each table's root verifies signature "
        "and every hash by itself.",
    )
    does = parser.add_subparsers(title="commands", metavar="WHAT", required=True)
    for name, run, what, named in (
        ("add", add_release, "keep a signed release for the tables", "FILE"),
        ("list", list_releases, "name the releases that are kept", ""),
        ("remove", remove_release, "keep a release no longer", "NAME"),
    ):
        action = does.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
        if named:
            action.add_argument(
                "release", metavar=named, type=Path if named == "FILE" else str,
                help="the archive that `tablectl release sign` made" if named == "FILE" else "as `list` says it",
            )  # fmt: skip
        action.add_argument(
            "--config",
            metavar="FILE",
            type=Path,
            default=DEFAULT_CONFIG,
            help=f"the room's file (default: {DEFAULT_CONFIG})",
        )
        action.set_defaults(run=run)


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
