"""`tablectl sound test`: every sound alone, one after the other."""

import argparse

from controller.cli.devices.device_access import (
    COMMAND_ERRORS,
    CommandError,
    add_options,
    open_device_access,
    report_refusal,
    show_each,
)

STEP_DURATION_S = 2.0
"""Longer than any sound."""

BUZZER_DRIVER = "buzzer"


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its own command."""
    parser = subparsers.add_parser("sound")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    test = commands.add_parser(
        "test",
        help="let each sound be heard",
        description="Lets each sound be heard alone, and says which. One that the file leaves out is silent.",
    )
    add_options(test)
    test.add_argument("--each", metavar="SECONDS", type=float, default=STEP_DURATION_S, help="how long for each (2)")
    test.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 all were sent, 1 refused or lost, 2 the file cannot be used."""
    from controller.core.protocol.table_display import Sound, SoundCue
    from drivers.contract.driver_interface import Signals

    try:
        with open_device_access(options) as site, site.open_console() as station:
            sections = site.file.devices.values()
            if not any(section.driver == BUZZER_DRIVER or "buzzer" in section.driver_keys for section in sections):
                raise CommandError(
                    f"{site.file.path} has no device of driver {BUZZER_DRIVER}, and no board with a buzzer"
                )
            steps = [(what.value, Signals(sound=SoundCue(what, number))) for number, what in enumerate(Sound, start=1)]
            return 0 if show_each(station, steps, options.each) else 1
    except COMMAND_ERRORS as why:
        return report_refusal("sound", why)
