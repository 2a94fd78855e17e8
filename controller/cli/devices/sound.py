"""`tablectl sound test`: every sound alone, one after the other."""

import argparse

from controller.cli.devices.on_site import REFUSALS, CommandRefused, add_options, on_site, refused, show_each

STEP_SECONDS = 2.0
"""Longer than any sound."""

DRIVER = "buzzer"


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
    test.add_argument("--each", metavar="SECONDS", type=float, default=STEP_SECONDS, help="how long for each (2)")
    test.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 all were sent, 1 refused or lost, 2 the file cannot be used."""
    from controller.core.protocol.display import Heard, Sound
    from drivers.contract.base import Signals

    try:
        with on_site(options) as site, site.station() as station:
            sections = site.file.devices.values()
            if not any(section.driver == DRIVER or "buzzer" in section.keys for section in sections):
                raise CommandRefused(f"{site.file.path} has no device of driver {DRIVER}, and no board with a buzzer")
            steps = [(what.value, Signals(sound=Heard(what, number))) for number, what in enumerate(Sound, start=1)]
            return 0 if show_each(station, steps, options.each) else 1
    except REFUSALS as why:
        return refused("sound", why)
