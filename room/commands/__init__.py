"""`tablectl room`: a module an action, and what it needs is loaded when it runs: `--help` needs no database."""

import argparse
from importlib import import_module
from typing import Final

ACTIONS: Final = ("init", "enrol", "withdraw", "archive", "export", "index", "server", "release", "demo")
"""Each has a module of this package, `ACTION_command`, with `add`; in the order of `--help`."""


def add_actions(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the room's actions to the table's `tablectl room`, which finds this by the entry point `room`."""
    for name in ACTIONS:
        import_module(f"room.commands.{name}_command").add(actions)
