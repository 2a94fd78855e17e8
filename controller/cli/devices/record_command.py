"""`tablectl record`: raw traffic of the devices to a file."""

import argparse
import os
import sys
import time

from controller.cli.devices.device_access import (
    COMMAND_ERRORS,
    make_device_options,
    open_device_access,
    poll_events,
    report_refusal,
)
from controller.command_table import Command, Option
from controller.wall_clock import read_wall_clock


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 ended, 1 refused, 2 the file cannot be used."""
    from controller.app.workshop.device_event_text import describe_event
    from controller.app.workshop.traffic_capture import CaptureWriter, CapturingPins
    from drivers.contract.driver_interface import DeviceEvent

    event_count = 0

    def on_event(event: DeviceEvent, at: float) -> None:
        nonlocal event_count
        event_count += 1
        print(f"{at:9.3f}  {event.device:<12} {describe_event(event)}", file=sys.stderr)

    try:
        with open_device_access(options) as site:
            names = {*site.devices.byte_drivers, *site.devices.pin_drivers}
            handle = os.open(options.output, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with open(handle, "w", encoding="utf-8") as file:
                sections = [section for name, section in site.file.devices.items() if name in names]
                recorder = CaptureWriter(file, sections, read_wall_clock().isoformat(timespec="seconds"))
                began = time.monotonic()
                with site.open_console(
                    lambda traffic, now: recorder.write_traffic(traffic, now - began),
                    lambda pins: CapturingPins(pins, recorder.write_level),
                ) as station:
                    for at in poll_events(station, on_event, seconds=options.seconds):
                        recorder.now = at
                recorder.end()
    except OSError as why:
        if isinstance(why, COMMAND_ERRORS):
            return report_refusal("record", why)
        print(f"tablectl record: {options.output}: {why.strerror}", file=sys.stderr)
        return 1
    except COMMAND_ERRORS as why:
        return report_refusal("record", why)
    print(f"{recorder.line_count} lines, {event_count} events, in {options.output}")
    return 0


COMMAND = Command(
    "record",
    "Opens the table's devices and writes every byte and every change of an input pin to FILE, until "
    "Ctrl-C. `tablectl capture play` puts the file through the same drivers again. The file holds tags: keep it as you "
    "would keep a list of the deck.",
    Option("output FILE", "a file that does not exist yet"),
    *make_device_options(device=True, seconds=True),
    run=run,
    as_table_user=True,
)
