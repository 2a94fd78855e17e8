"""What the technician's commands share: the table's file, its devices to themselves, and real time."""

import argparse
import fcntl
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from config.config_error import ConfigError
from config.table_file import TableFile, load_table_file
from controller.app.table.table_devices import TableDevices, build_devices, open_pins
from controller.app.workshop.device_console import DeviceConsole, Traffic
from controller.cli.table_options import make_table_options
from controller.command_table import Option
from controller.runtime.storage.state_directory import LOCK_FILE
from drivers.contract.device_errors import DeviceError
from drivers.contract.driver_interface import DeviceEvent, DeviceLost, Pins, Signals


class CommandError(Exception):
    """The command cannot be carried out; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class DeviceAccess:
    """A table's file and the drivers that the command wants of it."""

    file: TableFile
    devices: TableDevices

    def select_device(self, device: str) -> "DeviceAccess":
        """Leave out every device on a port but one, and all on pins."""
        byte_drivers = {device: self.devices.byte_drivers[device]}
        return replace(self, devices=replace(self.devices, byte_drivers=byte_drivers, pin_drivers={}))

    def open_console(
        self,
        traffic: Callable[[Traffic, float], None] = lambda _traffic, _now: None,
        wired: Callable[[Pins], Pins] = lambda pins: pins,
    ) -> DeviceConsole:
        """Open the devices, with `wired` between drivers and pins. Raises `PinError` where there are no pins."""
        devices = self.devices
        pins = open_pins(devices)
        there = None if pins is None else wired(pins)
        return DeviceConsole(
            devices.byte_drivers,
            devices.port_urls,
            devices.pin_drivers,
            there,
            traffic=traffic,
            control_lines=devices.control_lines,
        )


def make_device_options(*, device: bool = False, seconds: bool = False) -> tuple[Option, ...]:
    """The options of a command that opens the devices; `--device` and `--seconds` where it has them."""
    which = Option("--device NAME", "only this device of the table; may be repeated", repeated=True)
    how_long = Option("--seconds N", "end after so long (otherwise: Ctrl-C)", float)
    return (*make_table_options(), *[which] * device, *[how_long] * seconds)


def report_refusal(command: str, why: Exception) -> int:
    """Print why a command cannot be carried out; return the exit status."""
    print(f"tablectl {command}: {why}", file=sys.stderr)
    return 2 if isinstance(why, ConfigError) else 1


COMMAND_ERRORS = (ConfigError, CommandError, DeviceError)
"""What `report_refusal` is for."""


@contextmanager
def open_device_access(
    options: argparse.Namespace, wanted: Callable[[object], bool] = lambda _driver: True
) -> Iterator[DeviceAccess]:
    """Take the table out of service for a command, and make the drivers of the devices it is about.

    Raises `CommandError` while the controller runs, or when no device is left.
    """
    file = load_table_file(options.config)
    devices = build_devices(file)
    chosen = getattr(options, "device", None)
    for name in chosen or ():
        if name not in file.devices:
            raise CommandError(
                f"there is no device {name!r} in {file.path}; there are {', '.join(file.devices) or 'none'}"
            )

    def of_interest(drivers: Mapping[str, object]) -> set[str]:
        return {n for n, driver in drivers.items() if (chosen is None or n in chosen) and wanted(driver)}

    on_ports, on_pins = of_interest(devices.byte_drivers), of_interest(devices.pin_drivers)
    if not on_ports and not on_pins:
        raise CommandError(f"{file.path} has no device for this")
    kept = replace(
        devices,
        byte_drivers={n: driver for n, driver in devices.byte_drivers.items() if n in on_ports},
        pin_drivers={n: driver for n, driver in devices.pin_drivers.items() if n in on_pins},
    )
    with lock_out_controller(file.state_directory):
        yield DeviceAccess(file, kept)


@contextmanager
def lock_out_controller(directory: Path) -> Iterator[None]:
    """Keep the controller of this state directory from running meanwhile. Raises `CommandError` while it does."""
    try:
        handle = os.open(directory / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # it has never run here, or as somebody else: then the ports themselves say who holds them
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as why:
        os.close(handle)
        raise CommandError(
            f"the controller is running on {directory} and holds its devices: look at its page, or stop it first "
            "(systemctl stop table-controller)"
        ) from why
    try:
        yield
    finally:
        os.close(handle)


def show_each(station: DeviceConsole, steps: Sequence[tuple[str, Signals]], seconds: float) -> bool:
    """Show one after the other, each for so long, and say which; return whether no device was lost."""
    from controller.app.workshop.device_event_text import describe_event

    lost = False

    def on_event(event: DeviceEvent, at: float) -> None:  # noqa: ARG001 - when it was is no matter here
        nonlocal lost
        if isinstance(event, DeviceLost):
            lost = True
            print(f"{event.device}: {describe_event(event)}")

    shown = -1
    for at in poll_events(station, on_event, seconds=seconds * len(steps)):
        step = min(int(at / seconds), len(steps) - 1)
        if step != shown:
            shown = step
            text, signals = steps[step]
            print(text, flush=True)
            for event in station.perform(signals, at):
                on_event(event, at)
    return not lost


def poll_events(
    station: DeviceConsole, told: Callable[[DeviceEvent, float], None], *, seconds: float | None = None
) -> Iterator[float]:
    """Turn the station in real time until Ctrl-C, or for `seconds`; yield the seconds since the beginning."""
    began = time.monotonic()
    for event in station.start():
        told(event, 0.0)
    try:
        while seconds is None or time.monotonic() - began < seconds:
            now = time.monotonic()
            for event in station.poll(now):
                told(event, now - began)
            yield now - began
            station.wait_for_data(time.monotonic(), time.sleep)
    except KeyboardInterrupt:
        print()
