"""`tablectl room`: a module an action, and what it needs is loaded when it runs: a table has no database."""

import argparse
from importlib import import_module
from typing import Final

ACTIONS: Final = ("uplink", "init", "enrol", "withdraw", "archive", "export", "index", "server", "release", "demo")
"""Each has a module of this package, `ACTION_command`, with `add`; in the order of `--help`."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its actions."""
    parser = subparsers.add_parser(
        "room",
        description="Many tables at one desk: the table's link to its room, and the room itself. docs/room.md",
    )
    actions = parser.add_subparsers(title="commands", metavar="ACTION", required=True)
    for name in ACTIONS:
        import_module(f"room.commands.{name}_command").add(actions)
