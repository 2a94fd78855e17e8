"""`tablectl udev`: rules to paste, so that ports keep their names and may be opened."""

import argparse
import os
import sys
from pathlib import Path


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "udev",
        description="Prints rules for udev that give each USB serial port of the table a name of its own under "
        "/dev/table, let the right group open it and keep modem programs away.",
    )
    parser.add_argument("--config", metavar="FILE", type=Path, help="name the ports as the devices of this table")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 2 the file cannot be used."""
    from config.config_error import ConfigError
    from config.table_file import load_table_file
    from controller.app.commissioning.udev_rules import render_udev_rules
    from controller.app.diagnostics.machine_ports import list_serial_ports

    named: dict[str, str] = {}
    try:
        for name, section in () if options.config is None else load_table_file(options.config).devices.items():
            if section.port is not None:
                named[section.port] = named[os.path.realpath(section.port)] = name
    except ConfigError as why:
        print(f"tablectl udev: {why}", file=sys.stderr)
        return 2
    sys.stdout.write(render_udev_rules(list_serial_ports(), named))
    return 0
