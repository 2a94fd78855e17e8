"""Raw traffic of a table's devices in a file, and the same file through the real drivers again.

A record is JSON, a line each. The first names the devices with their drivers and keys; then, with `at` in seconds,
comes what happened on the wires: `opened` (a port, with the greeting sent), `in` and `out` (bytes in hexadecimal), and
`pin` with its `level`, and the `end`. It holds tags, and a list of the deck would turn those into cards: a record is as
private as the journal.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TextIO

from config.table_file import DeviceSection
from controller.app.workshop.device_console import Traffic
from controller.strict_json import RepeatedKeyError, parse_json
from drivers.contract.device_errors import DriverConfigError, PinError
from drivers.contract.driver_interface import SAMPLE_INTERVAL_S, ByteDriver, DeviceEvent, PinDriver, Pins
from drivers.contract.driver_registry import build_driver

FORMAT_VERSION = 1


class CaptureError(Exception):
    """The file is no record, or a damaged one; the message says where and why."""


class CaptureWriter:
    """Writes a record. `now` must be kept up to date by whoever turns the devices."""

    def __init__(self, file: TextIO, devices: Iterable[DeviceSection], began: str) -> None:
        self._file = file
        self._level_by_pin: dict[int, bool] = {}
        self.now = 0.0
        self.line_count = 0
        described = {
            section.name: {"driver": section.driver, "port": section.port, "keys": dict(section.driver_keys)}
            for section in devices
        }
        self._write_line({"record": "raw traffic", "version": FORMAT_VERSION, "began": began, "devices": described})

    def write_traffic(self, traffic: Traffic, now: float) -> None:
        """Write bytes of a device."""
        way = "opened" if traffic.is_startup else "out" if traffic.is_outgoing else "in"
        self._write_line({"at": round(now, 4), "device": traffic.device, way: traffic.data.hex()})

    def write_level(self, pin: int, level: bool) -> None:
        """Write the level of an input when it changed."""
        if self._level_by_pin.get(pin) != level:
            self._level_by_pin[pin] = level
            self._write_line({"at": round(self.now, 4), "pin": pin, "level": level})

    def end(self) -> None:
        """Write when it ended: silence to the end is news too."""
        self._write_line({"at": round(self.now, 4), "end": True})

    def _write_line(self, line: Mapping[str, object]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        self.line_count += 1


class CapturingPins:
    """Pins whose every reading is told; satisfies `drivers.contract.driver_interface.Pins`."""

    def __init__(self, pins: Pins, told: Callable[[int, bool], None]) -> None:
        self._pins = pins
        self._on_level = told

    def setup_input(self, pin: int, pull_up: bool) -> None:
        """Make `pin` an input."""
        self._pins.setup_input(pin, pull_up)

    def setup_output(self, pin: int, level: bool) -> None:
        """Make `pin` an output that starts at `level`."""
        self._pins.setup_output(pin, level)

    def read(self, pin: int) -> bool:
        """Return the level now, and tell it."""
        level = self._pins.read(pin)
        self._on_level(pin, level)
        return level

    def write(self, pin: int, level: bool) -> None:
        """Drive an output."""
        self._pins.write(pin, level)

    def close(self) -> None:
        """Give the pins back."""
        self._pins.close()


class CapturedPins:
    """Pins whose inputs stand as a record says; what is written to them is forgotten."""

    def __init__(self) -> None:
        self.level_by_pin: dict[int, bool] = {}

    def setup_input(self, pin: int, pull_up: bool) -> None:
        """Let an input stand at its resistor until the record says otherwise."""
        self.level_by_pin.setdefault(pin, pull_up)

    def setup_output(self, pin: int, level: bool) -> None:
        """Take an output."""
        self.level_by_pin[pin] = level

    def read(self, pin: int) -> bool:
        """Return the level that the record has now."""
        if pin not in self.level_by_pin:
            raise PinError(f"pin {pin} was never set up; call setup_input first")
        return self.level_by_pin[pin]

    def write(self, pin: int, level: bool) -> None:
        """Drive an output."""
        self.level_by_pin[pin] = level

    def close(self) -> None:
        """Do nothing."""


class CapturePlayback:
    """A record, ready to be played. Raises `CaptureError`."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = enumerate(lines, start=1)
        header = self._read_line()
        if header is None or header.get("record") != "raw traffic":
            raise CaptureError("line 1: this is no record of raw traffic; `tablectl record` makes one")
        if header.get("version") != FORMAT_VERSION:
            raise CaptureError(
                f"line 1: it is of version {header.get('version')!r}, and this program reads {FORMAT_VERSION}"
            )
        self.driver_by_device: dict[str, ByteDriver | PinDriver] = {}
        for name, device in header["devices"].items():
            try:
                self.driver_by_device[name] = build_driver(device["driver"], name, device["keys"])
            except (DriverConfigError, KeyError) as why:
                raise CaptureError(f"line 1: device {name!r} cannot be made again: {why}") from why
        self.started_at = str(header.get("began", ""))
        self._pins = CapturedPins()
        self._open_devices: set[str] = set()
        self._now = 0.0

    def play_events(self) -> Iterator[tuple[float, DeviceEvent]]:
        """Play it; time passes as fast as it can be worked through."""
        for driver in self.driver_by_device.values():
            if isinstance(driver, PinDriver):
                driver.start(self._pins)
        while (line := self._read_line()) is not None:
            yield from self._advance_time(float(line["at"]))
            yield from self._apply_line(line)

    def _apply_line(self, line: Mapping[str, Any]) -> Iterator[tuple[float, DeviceEvent]]:
        if "pin" in line:
            self._pins.level_by_pin[int(line["pin"])] = bool(line["level"])
            return
        driver = self.driver_by_device.get(line.get("device", ""))
        if isinstance(driver, ByteDriver):
            if "opened" in line:
                self._open_devices.add(driver.name)
                driver.on_port_opened()
            elif "in" in line:
                for event in driver.receive_data(bytes.fromhex(line["in"]), self._now):
                    yield self._now, event

    def _advance_time(self, until: float) -> Iterator[tuple[float, DeviceEvent]]:
        """Let time pass for the drivers as it did then."""
        while self._now < until:
            self._now = min(self._now + SAMPLE_INTERVAL_S, until)
            for driver in self.driver_by_device.values():
                if isinstance(driver, PinDriver):
                    events = driver.sample(self._pins, self._now)
                else:
                    events = driver.on_tick(self._now)[1] if driver.name in self._open_devices else ()
                for event in events:
                    yield self._now, event

    def _read_line(self) -> dict[str, Any] | None:
        for number, text in self._lines:
            if not text.strip():
                continue
            try:
                line = parse_json(text)
                if isinstance(line, dict) and (number == 1 or isinstance(line.get("at"), int | float)):
                    return line
            except (ValueError, RecursionError) as why:
                said = "too deep, or a number too long"
                if isinstance(why, json.JSONDecodeError | RepeatedKeyError):
                    said = why.msg if isinstance(why, json.JSONDecodeError) else str(why)
                raise CaptureError(f"line {number}: is no JSON ({said})") from why
            raise CaptureError(f"line {number}: is no line of a record")
        return None
