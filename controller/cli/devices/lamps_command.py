"""`tablectl lamps test`: every lamp alone, one after the other."""

import argparse

from controller.cli.devices.device_access import (
    COMMAND_ERRORS,
    CommandError,
    make_device_options,
    open_device_access,
    report_refusal,
    show_each,
)
from controller.command_table import Command, Option
from drivers.lamps.lamp_patterns import ROLES

STEP_DURATION_S = 2.0
"""As long as one pattern lasts (docs/lamps.md)."""


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 all were lit, 1 refused or lost, 2 the file cannot be used."""
    from controller.app.workshop.lamp_test import find_lamp_seats, iter_lamp_steps
    from drivers.contract.driver_interface import Signals

    try:
        with open_device_access(options) as site, site.open_console() as station:
            wired = find_lamp_seats(site.file)
            if not wired:
                raise CommandError(f"{site.file.path} has no lamps: no device with [device.NAME.outputs]")
            steps = [
                (text, Signals(lamps))
                for text, lamps in iter_lamp_steps(site.file)
                if (options.role is None or bool(getattr(lamps, options.role)))
                and (options.seat is None or any(getattr(lamps, role) == (options.seat,) for role in wired))
            ]
            if not steps:
                raise CommandError("there is no such lamp; lamps test without --role and --seat shows all there are")
            return 0 if show_each(station, steps, options.each) else 1
    except COMMAND_ERRORS as why:
        return report_refusal("lamps", why)


COMMAND = Command(
    "lamps",
    "Tests the lamps: each alone, named as it lights.",
    Command(
        "test",
        "light each lamp alone",
        *make_device_options(),
        Option("--role", "only this role", choices=ROLES),
        Option("--seat", "only this seat", int),
        Option("--each SECONDS", "how long each is lit (2)", float, default=STEP_DURATION_S),
        description="Lights each lamp alone, role by role and seat by seat, and says which; then each role at all "
        "seats. A lamp that lights elsewhere is wired to another output than the file says.",
        run=run,
    ),
    as_table_user=True,
)
