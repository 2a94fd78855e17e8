"""`tablectl sound test`: every sound alone, one after the other."""

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

STEP_DURATION_S = 2.0
"""Longer than any sound."""

BUZZER_DRIVER = "buzzer"


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


COMMAND = Command(
    "sound",
    "Tests the buzzer: each sound, named as it is heard.",
    Command(
        "test",
        "let each sound be heard",
        *make_device_options(),
        Option("--each SECONDS", "how long for each (2)", float, default=STEP_DURATION_S),
        description="Lets each sound be heard alone, and says which. One that the file leaves out is silent.",
        run=run,
    ),
    as_table_user=True,
)
