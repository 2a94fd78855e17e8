"""`tablectl gate`: the gate of the shoe opens and locks, or is put to its safe place."""

import argparse
from collections.abc import Mapping

from controller.cli.devices.device_access import (
    COMMAND_ERRORS,
    CommandError,
    lock_out_controller,
    make_device_options,
    open_device_access,
    poll_events,
    report_refusal,
)
from controller.command_table import Command, Option

OPEN_DURATION_S = 2.0
"""Shorter than a microcontroller board lets a coil be on."""

MAX_HEAT_SHARE = 0.5
"""How much of its longest on-time all openings of the test may use of a coil that has one."""


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 refused or lost, 2 the file cannot be used."""
    from controller.app.table.required_devices import find_gate_devices
    from controller.app.workshop.device_event_text import describe_event
    from drivers.contract.driver_interface import DeviceEvent, DeviceLost, GateHeldShut, Signals

    failed = False

    def on_event(event: DeviceEvent, at: float) -> None:  # noqa: ARG001 - when it was is no matter here
        nonlocal failed
        if isinstance(event, DeviceLost | GateHeldShut):
            failed = True
            print(f"{event.device}: {describe_event(event)}")

    try:
        with open_device_access(options) as site:
            gates = [site.file.devices[name] for name in find_gate_devices(site.file)]
            if not gates:
                raise CommandError(
                    f"{site.file.path} has no gate: no device of driver gate, no bridge with gate = true"
                )
            for section in gates:
                rests = section.driver_keys.get("fail_safe", "locked")
                print(f"{section.name}: without power it must be {rests}")
            open_s, wait_s = _plan_openings([section.driver_keys for section in gates], options.times)
            if wait_s:
                print(f"the coil rests for {wait_s:.0f} s first: nobody knows how warm it is")
            with site.open_console() as station:
                shown: bool | None = None
                for at in poll_events(station, on_event, seconds=wait_s + open_s * (2 * options.times + 1)):
                    wanted = at > wait_s and int((at - wait_s) / open_s) % 2 == 1
                    if wanted != shown:
                        shown = wanted
                        print("open" if wanted else "locked", flush=True)
                        for event in station.perform(Signals(gate_open=wanted), at):
                            on_event(event, at)
    except COMMAND_ERRORS as why:
        return report_refusal("gate", why)
    print("the gate is left in its fail-safe place")
    return 1 if failed else 0


def _plan_openings(gates: list[Mapping[str, object]], times: int) -> tuple[float, float]:
    """How long each opening lasts, and how long to wait before the first, so that no coil's limit ends the test."""
    from drivers.shoe.shoe_gate import START_HEAT_SHARE

    limits = [
        (float(on), float(rest))
        for keys in gates
        if isinstance(on := keys.get("max_on_seconds"), int | float)
        and isinstance(rest := keys.get("rest_seconds"), int | float)
    ]
    count = max(times, 1)
    open_s = min([OPEN_DURATION_S, *(MAX_HEAT_SHARE * on / count for on, _ in limits)])
    return open_s, max([0.0, *((open_s * count / on - (1 - START_HEAT_SHARE)) * rest for on, rest in limits)])


def run_safe(options: argparse.Namespace) -> int:
    """Run `gate safe`; return the exit status: 0 done, 1 refused, 2 the file cannot be used."""
    from config.table_file import load_table_file
    from controller.app.table.table_devices import build_devices, open_pins, start_pins

    try:
        file = load_table_file(options.config)
        devices = build_devices(file)
        with lock_out_controller(file.state_directory):
            pins = open_pins(devices)
            if pins is None:
                print("no device of this table is on pins: a board puts its own outputs to their safe place")
                return 0
            try:
                start_pins(file, devices, pins)  # taking a pin sets it up in its safe state
                for driver in devices.pin_drivers.values():
                    driver.stop(pins)
            finally:
                pins.close()
    except COMMAND_ERRORS as why:
        return report_refusal("gate", why)
    print("every device on pins is in its safe place")
    return 0


COMMAND = Command(
    "gate",
    "Tries the gate of the shoe by hand, while the table is out of service.",
    Command(
        "test",
        "open and lock the gate",
        *make_device_options(),
        Option("--times N", "how often (3)", int, default=3),
        description="Opens the gate for two seconds and locks it again, and says so as it does. Take the cards out "
        "first. Then cut the power by hand and see that the gate takes the place that fail_safe says.",
        run=run,
    ),
    Command(
        "safe",
        "put every device on pins to its safe place",
        *make_device_options(),
        description="Puts the gate, and every other device on pins, to the place it takes without power, and gives the "
        "pins back. For after a controller that was killed: the kernel leaves its outputs as they were.",
        run=run_safe,
    ),
    as_table_user=True,
)
