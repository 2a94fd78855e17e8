"""`tablectl play`: a record of raw traffic through the real drivers again."""

import argparse
import sys

from controller.command_table import Command, Option


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 played, 1 the file is no record."""
    from controller.app.workshop.device_event_text import describe_event
    from controller.app.workshop.traffic_capture import CaptureError, CapturePlayback

    try:
        with sys.stdin if options.record == "-" else open(options.record, encoding="utf-8") as file:
            for at, event in CapturePlayback(file).play_events():
                print(f"{at:9.3f}  {event.device:<12} {describe_event(event)}")
    except (UnicodeDecodeError, CaptureError) as why:
        print(f"tablectl play: {options.record}: {why}", file=sys.stderr)
        return 1
    return 0


COMMAND = Command(
    "play",
    "Reads a file made by `tablectl capture record` and prints what the drivers of this program make of it. "
    "Needs no hardware and touches none.",
    Option("record FILE", "the record; - for standard input"),
    run=run,
)
