"""`tablectl`: the one command of the table, a module a subcommand."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from importlib.metadata import version

COMMANDS = (
    "run", "check", "doctor", "ports", "udev", "wiring", "monitor", "lamps", "gate", "deck", "record", "play",
    "replay", "rules", "journal", "hands", "tournament",
)  # fmt: skip
"""Modules of this package, in the order in which `--help` lists them; each has `add` and is loaded when needed."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; returns the exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(
        prog="tablectl",
        description="Runs a poker table: follows the deal card by card, rules by the house's book, lights the seats.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('table-controller')}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    wanted = [arguments[0]] if arguments and arguments[0] in COMMANDS else COMMANDS
    for name in wanted:
        importlib.import_module(f"controller.cli.{name}").add(commands)
    options = parser.parse_args(arguments)
    status: int = options.run(options)
    return status
