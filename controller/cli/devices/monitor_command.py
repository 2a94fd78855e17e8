"""`tablectl monitor`: what devices say, as they say it; of a tag, its coming and going, and how often it was read."""

import argparse
import time
from collections.abc import Mapping

from controller.cli.devices.device_access import (
    COMMAND_ERRORS,
    CommandError,
    make_device_options,
    open_device_access,
    poll_events,
    report_refusal,
)
from controller.command_table import Command, Option


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 ended, 1 refused, 2 the file cannot be used."""
    from controller.app.workshop.deck_verification import load_card_text_by_tag
    from controller.app.workshop.device_console import Traffic
    from controller.app.workshop.device_event_text import describe_event, format_hex
    from controller.app.workshop.tag_presence import TagPresence, TagStay
    from controller.runtime.service.table_activity import is_hand_in_progress
    from controller.runtime.storage.sqlite_database import DatabaseError
    from drivers.contract.driver_interface import DeviceEvent, TagRead, TagReader

    began = time.monotonic()

    def print_line(at: float, device: str, text: str) -> None:
        print(f"{at:9.3f}  {device:<12} {text}", flush=True)

    def print_traffic(traffic: Traffic, now: float) -> None:
        if options.raw and traffic.data:
            print_line(now - began, traffic.device, f"{'>' if traffic.is_outgoing else '<'} {format_hex(traffic.data)}")

    known: Mapping[str, str] = {}

    presence = TagPresence({})

    def print_stay(stay: TagStay, word: str, at: float) -> None:
        read = describe_event(TagRead(stay.device, stay.tag, stay.antenna))
        print_line(at, stay.device, f"{read} {word}: {stay.describe_reads()}")

    def print_gone(at: float) -> None:
        for stay in presence.take_gone(at):
            print_stay(stay, "gone", at)

    def on_event(event: DeviceEvent, at: float) -> None:
        if isinstance(event, TagRead) and not options.each_read and not presence.take_read(event, at):
            return
        face = known.get(event.tag, "of no registered deck") if options.faces and isinstance(event, TagRead) else None
        print_line(at, event.device, describe_event(event) if face is None else f"{describe_event(event)}: {face}")

    try:
        with open_device_access(options) as site, site.open_console(print_traffic) as station:
            if options.faces and is_hand_in_progress(site.file.state_directory):
                raise CommandError("a hand is in progress: its cards lie face down; finish it first")
            known = load_card_text_by_tag(site.file.state_directory) if options.faces else {}
            readers = {n: d for n, d in site.devices.byte_drivers.items() if isinstance(d, TagReader)}
            presence = TagPresence({name: reader.absence_timeout_s for name, reader in readers.items()})
            at = 0.0
            for at in poll_events(station, on_event, seconds=options.seconds):
                print_gone(at)
            for stay in presence.list_present():
                print_stay(stay, "still there", at)
    except (*COMMAND_ERRORS, DatabaseError) as why:
        return report_refusal("monitor", why)
    return 0


COMMAND = Command(
    "monitor",
    "Opens the table's devices and prints what they say: seconds, device, event. For use while the "
    "table is out of service. Tags are shown as they are read, and nothing is dealt. A tag has a line when it "
    "comes and one when it goes, with how often it was read. Readers are asked as often as at a table in play. "
    "With --faces each registered tag is named as a card; not while a hand is in progress.",
    *make_device_options(device=True, seconds=True),
    Option("--raw", "also the bytes: < from the device, > to it", flag=True),
    Option("--each-read", "a line for each read of a tag, for programs", flag=True),
    Option("--faces", "say which card a registered tag is", flag=True),
    run=run,
    as_table_user=True,
)
