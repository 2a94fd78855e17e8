"""`tablectl monitor`: what the devices say, as they say it."""

import argparse
import time
from collections.abc import Mapping

from controller.cli.devices.on_site import REFUSALS, CommandRefused, add_options, listen, on_site, refused


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "monitor",
        description="Opens the table's devices and prints what they say: seconds, device, event. For use while the "
        "table is out of service. Tags are shown as they are read, and nothing is dealt. With --faces each registered "
        "tag is named as a card; not while a hand is in progress.",
    )
    add_options(parser, device=True, seconds=True)
    parser.add_argument("--raw", action="store_true", help="also the bytes: < from the device, > to it")
    parser.add_argument("--faces", action="store_true", help="say which card a registered tag is")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 ended, 1 refused, 2 the file cannot be used."""
    from controller.app.release.safe_moment import hand_lives
    from controller.app.workshop.deal_through import faces
    from controller.app.workshop.device_words import hexed, words
    from controller.app.workshop.station import Traffic
    from controller.runtime.journal.database import DatabaseError
    from drivers.contract.base import DeviceEvent, TagRead

    began = time.monotonic()

    def line(at: float, device: str, text: str) -> None:
        print(f"{at:9.3f}  {device:<12} {text}", flush=True)

    def raw(traffic: Traffic, now: float) -> None:
        if options.raw and traffic.data:
            line(now - began, traffic.device, f"{'>' if traffic.sent else '<'} {hexed(traffic.data)}")

    known: Mapping[str, str] = {}

    def told(event: DeviceEvent, at: float) -> None:
        face = known.get(event.tag, "of no registered deck") if options.faces and isinstance(event, TagRead) else None
        line(at, event.device, words(event) if face is None else f"{words(event)}: {face}")

    try:
        with on_site(options) as site, site.station(raw) as station:
            if options.faces and hand_lives(site.file.directory):
                raise CommandRefused("a hand is in progress: its cards lie face down; finish it first")
            known = faces(site.file.directory) if options.faces else {}
            for _ in listen(station, told, seconds=options.seconds):
                pass
    except (*REFUSALS, DatabaseError) as why:
        return refused("monitor", why)
    return 0
