"""`tablectl wiring`: which wire goes where."""

import argparse
import sys

from controller.cli.which_table import add_table


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "wiring",
        description="Prints the wiring of a table from its file: every pin of the header and every input and output of "
        "the microcontroller board, and each conflict by name.",
    )
    add_table(parser)
    parser.add_argument("--svg", action="store_true", help="draw it instead, as SVG")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 it can be wired so, 1 it cannot, 2 the file cannot be used."""
    from config.errors import ConfigError
    from config.table_file import load_table
    from controller.app.table_setup.wiring import wiring_of
    from controller.app.table_setup.wiring_drawing import as_svg, as_text

    try:
        wiring = wiring_of(load_table(options.config))
    except ConfigError as why:
        print(f"tablectl wiring: {why}", file=sys.stderr)
        return 2
    sys.stdout.write(as_svg(wiring, f"Wiring of {options.config.stem}") if options.svg else as_text(wiring))
    if wiring.conflicts and options.svg:
        for conflict in wiring.conflicts:
            print(f"tablectl wiring: {conflict}", file=sys.stderr)
    return 1 if wiring.conflicts else 0
