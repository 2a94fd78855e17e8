"""`tablectl wiring`: which wire goes where."""

import argparse
import sys

from controller.cli.table_options import make_table_options
from controller.command_table import Command, Option


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 it can be wired so, 2 it cannot, or the file cannot be used."""
    from config.config_error import ConfigError
    from config.table_file import load_table_file
    from controller.app.commissioning.wiring import read_wiring
    from controller.app.commissioning.wiring_drawing import render_wiring_svg, render_wiring_text

    try:
        wiring = read_wiring(load_table_file(options.config))
    except ConfigError as why:
        print(f"tablectl wiring: {why}", file=sys.stderr)
        return 2
    sys.stdout.write(
        render_wiring_svg(wiring, f"Wiring of {options.config.stem}") if options.svg else render_wiring_text(wiring)
    )
    if wiring.conflicts and options.svg:
        for conflict in wiring.conflicts:
            print(f"tablectl wiring: {conflict}", file=sys.stderr)
    return 2 if wiring.conflicts else 0


COMMAND = Command(
    "wiring",
    "Prints the wiring of a table from its file: every pin of the header and every input and output of "
    "the microcontroller board, and each conflict by name.",
    *make_table_options(),
    Option("--svg", "draw it instead, as SVG", flag=True),
    run=run,
)
