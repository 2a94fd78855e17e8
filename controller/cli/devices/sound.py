"""`tablectl sound test`: every sound alone, one after the other."""

import argparse

from controller.cli.devices.on_site import REFUSALS, CommandRefused, add_options, listen, on_site, refused

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
    from controller.app.workshop.device_words import words
    from controller.core.protocol.display import Heard, Sound
    from drivers.contract.base import DeviceEvent, DeviceLost, Signals

    lost = False

    def told(event: DeviceEvent, at: float) -> None:  # noqa: ARG001 - when it was is no matter here
        nonlocal lost
        if isinstance(event, DeviceLost):
            lost = True
            print(f"{event.device}: {words(event)}")

    try:
        with on_site(options) as site, site.station() as station:
            if not any(section.driver == DRIVER for section in site.file.devices.values()):
                raise CommandRefused(f"{site.file.path} has no device of driver {DRIVER}")
            sounds = list(Sound)
            shown = -1
            for at in listen(station, told, seconds=options.each * len(sounds)):
                step = min(int(at / options.each), len(sounds) - 1)
                if step != shown:
                    shown = step
                    print(sounds[step].value, flush=True)
                    for event in station.perform(Signals(sound=Heard(sounds[step], step + 1)), at):
                        told(event, at)
    except REFUSALS as why:
        return refused("sound", why)
    return 1 if lost else 0
