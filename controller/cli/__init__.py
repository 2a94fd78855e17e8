"""`tablectl`: the one command of the table, a module a command, and what they share."""

import argparse
import importlib
import os
import select
import sys
from collections.abc import Sequence
from importlib.metadata import version
from types import ModuleType

from config.errors import ConfigError

COMMANDS = {
    "run": "table", "watch": "table", "check": "table", "doctor": "table",
    "ports": "devices", "udev": "devices", "wiring": "devices", "monitor": "devices", "lamps": "devices",
    "gate": "devices", "deck": "decks", "staff": "table", "record": "devices",
    "play": "table", "replay": "table", "rules": "rules", "journal": "journal", "hands": "journal",
    "tournament": "tournament", "release": "table",
}  # fmt: skip
"""Command -> the package of its module, in the order of `--help`; each has `add` and is loaded when needed."""


def module_of(command: str) -> ModuleType:
    """Load the module of a command."""
    return importlib.import_module(f"controller.cli.{COMMANDS[command]}.{command}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; returns the exit status, 2 where a file of the configuration is wrong."""
    arguments = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(
        prog="tablectl",
        description="Runs a poker table: follows the deal card by card, rules by the house's book, lights the seats.",
        epilog="`tablectl COMMAND --help` explains a command. A new table is put up with ports, check, wiring and "
        "doctor, tried with monitor, lamps test and gate test, and goes into play with deck register and run.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('table-controller')}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    wanted = [arguments[0]] if arguments and arguments[0] in COMMANDS else COMMANDS
    for name in wanted:
        module_of(name).add(commands)
    if sys.stdout is None:  # closed before the program began: nobody wants to read what it says
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (it is the output from now on)
    options = parser.parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except ConfigError as error:
        print(f"tablectl {arguments[0]}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        if not _output_is_cut_off():
            raise
        return 1
    return status


def _output_is_cut_off() -> bool:
    """Whether whoever read the output has gone, as `head` does; what was still to be said is then dropped."""
    output = select.poll()
    output.register(sys.stdout.fileno(), select.POLLOUT)
    if not any(flags & select.POLLERR for _, flags in output.poll(0)):
        return False
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return True
