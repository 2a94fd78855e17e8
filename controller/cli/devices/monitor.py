"""`tablectl monitor`: what the devices say, as they say it."""

import argparse
import time

from controller.cli.devices.on_site import REFUSALS, add_options, listen, on_site, refused


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "monitor",
        description="Opens the table's devices and prints what they say: seconds, device, event. For use while the "
        "table is out of service. Tags are shown as they are read; no card is named, and nothing is dealt.",
    )
    add_options(parser, device=True, seconds=True)
    parser.add_argument("--raw", action="store_true", help="also the bytes: < from the device, > to it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 ended, 1 refused, 2 the file cannot be used."""
    from controller.app.workshop.device_words import hexed, words
    from controller.app.workshop.station import Traffic
    from drivers.contract.base import DeviceEvent

    began = time.monotonic()

    def line(at: float, device: str, text: str) -> None:
        print(f"{at:9.3f}  {device:<12} {text}", flush=True)

    def raw(traffic: Traffic, now: float) -> None:
        if options.raw and traffic.data:
            line(now - began, traffic.device, f"{'>' if traffic.sent else '<'} {hexed(traffic.data)}")

    def told(event: DeviceEvent, at: float) -> None:
        line(at, event.device, words(event))

    try:
        with on_site(options) as site, site.station(raw) as station:
            for _ in listen(station, told, seconds=options.seconds):
                pass
    except REFUSALS as why:
        return refused("monitor", why)
    return 0
