"""`tablectl udev`: rules to paste, so that ports keep their names and may be opened."""

import argparse
import os
import sys
from pathlib import Path

from controller.command_table import Command, Option


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


COMMAND = Command(
    "udev",
    "Prints rules for udev. They give each USB serial port of the table its own name under /dev/table, let the right "
    "group open it, and keep modem programs away.",
    Option("--config FILE", "name the ports as the devices of this table", Path),
    run=run,
    as_table_user=True,
)
