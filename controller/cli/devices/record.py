"""`tablectl record`: raw traffic of the devices to a file."""

import argparse
import os
import sys
import time
from datetime import UTC, datetime

from controller.cli.devices.on_site import REFUSALS, add_options, listen, on_site, refused


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "record",
        description="Opens the table's devices and writes every byte and every change of an input pin to FILE, until "
        "Ctrl-C. `tablectl play` puts the file through the same drivers again. The file holds tags: keep it as you "
        "would keep a list of the deck.",
    )
    parser.add_argument("output", metavar="FILE", help="a file that does not exist yet")
    add_options(parser, device=True, seconds=True)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 ended, 1 refused, 2 the file cannot be used."""
    from controller.app.workshop.device_words import words
    from controller.app.workshop.recording import RecordedPins, Recorder
    from drivers.contract.base import DeviceEvent

    said = 0

    def told(event: DeviceEvent, at: float) -> None:
        nonlocal said
        said += 1
        print(f"{at:9.3f}  {event.device:<12} {words(event)}", file=sys.stderr)

    try:
        with on_site(options) as site:
            names = {*site.devices.byte_drivers, *site.devices.pin_drivers}
            handle = os.open(options.output, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with open(handle, "w", encoding="utf-8") as file:
                sections = [section for name, section in site.file.devices.items() if name in names]
                recorder = Recorder(file, sections, datetime.now(UTC).isoformat(timespec="seconds"))
                began = time.monotonic()
                with site.station(
                    lambda traffic, now: recorder.traffic(traffic, now - began),
                    lambda pins: RecordedPins(pins, recorder.level),
                ) as station:
                    for at in listen(station, told, seconds=options.seconds):
                        recorder.now = at
                recorder.end()
    except OSError as why:
        if isinstance(why, REFUSALS):
            return refused("record", why)
        print(f"tablectl record: {options.output}: {why.strerror}", file=sys.stderr)
        return 1
    except REFUSALS as why:
        return refused("record", why)
    print(f"{recorder.lines} lines, {said} events, in {options.output}")
    return 0
