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
from controller.app.workshop.station import Traffic
from drivers.contract.base import SAMPLE_SECONDS, ByteDriver, DeviceEvent, PinDriver, Pins
from drivers.contract.errors import DriverConfigError, PinError
from drivers.contract.registry import build

VERSION = 1


class RecordError(Exception):
    """The file is no record, or a damaged one; the message says where and why."""


class Recorder:
    """Writes a record. `now` must be kept up to date by whoever turns the devices."""

    def __init__(self, file: TextIO, devices: Iterable[DeviceSection], began: str) -> None:
        self._file = file
        self._levels: dict[int, bool] = {}
        self.now = 0.0
        self.lines = 0
        described = {
            section.name: {"driver": section.driver, "port": section.port, "keys": dict(section.keys)}
            for section in devices
        }
        self._write({"record": "raw traffic", "version": VERSION, "began": began, "devices": described})

    def traffic(self, traffic: Traffic, now: float) -> None:
        """Write bytes of a device."""
        way = "opened" if traffic.opening else "out" if traffic.sent else "in"
        self._write({"at": round(now, 4), "device": traffic.device, way: traffic.data.hex()})

    def level(self, pin: int, level: bool) -> None:
        """Write the level of an input when it changed."""
        if self._levels.get(pin) != level:
            self._levels[pin] = level
            self._write({"at": round(self.now, 4), "pin": pin, "level": level})

    def end(self) -> None:
        """Write when it ended: silence to the end is news too."""
        self._write({"at": round(self.now, 4), "end": True})

    def _write(self, line: Mapping[str, object]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        self.lines += 1


class RecordedPins:
    """Pins whose every reading is told; satisfies `drivers.contract.base.Pins`."""

    def __init__(self, pins: Pins, told: Callable[[int, bool], None]) -> None:
        self._pins = pins
        self._told = told

    def setup_input(self, pin: int, pull_up: bool) -> None:
        """Make `pin` an input."""
        self._pins.setup_input(pin, pull_up)

    def setup_output(self, pin: int, level: bool) -> None:
        """Make `pin` an output that starts at `level`."""
        self._pins.setup_output(pin, level)

    def read(self, pin: int) -> bool:
        """Return the level now, and tell it."""
        level = self._pins.read(pin)
        self._told(pin, level)
        return level

    def write(self, pin: int, level: bool) -> None:
        """Drive an output."""
        self._pins.write(pin, level)

    def close(self) -> None:
        """Give the pins back."""
        self._pins.close()


class PlayedPins:
    """Pins whose inputs stand as a record says; what is written to them is forgotten."""

    def __init__(self) -> None:
        self.levels: dict[int, bool] = {}

    def setup_input(self, pin: int, pull_up: bool) -> None:
        """Let an input stand at its resistor until the record says otherwise."""
        self.levels.setdefault(pin, pull_up)

    def setup_output(self, pin: int, level: bool) -> None:
        """Take an output."""
        self.levels[pin] = level

    def read(self, pin: int) -> bool:
        """Return the level that the record has now."""
        if pin not in self.levels:
            raise PinError(f"pin {pin} was never set up; call setup_input first")
        return self.levels[pin]

    def write(self, pin: int, level: bool) -> None:
        """Drive an output."""
        self.levels[pin] = level

    def close(self) -> None:
        """Do nothing."""


class Playback:
    """A record, ready to be played. Raises `RecordError`."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = enumerate(lines, start=1)
        header = self._next()
        if header is None or header.get("record") != "raw traffic":
            raise RecordError("line 1: this is no record of raw traffic; `tablectl record` makes one")
        if header.get("version") != VERSION:
            raise RecordError(f"line 1: it is of version {header.get('version')!r}, and this program reads {VERSION}")
        self.drivers: dict[str, ByteDriver | PinDriver] = {}
        for name, device in header["devices"].items():
            try:
                self.drivers[name] = build(device["driver"], name, device["keys"])
            except (DriverConfigError, KeyError) as why:
                raise RecordError(f"line 1: device {name!r} cannot be made again: {why}") from why
        self.began = str(header.get("began", ""))
        self._pins = PlayedPins()
        self._open: set[str] = set()
        self._now = 0.0

    def events(self) -> Iterator[tuple[float, DeviceEvent]]:
        """Play it; time passes as fast as it can be worked through."""
        for driver in self.drivers.values():
            if isinstance(driver, PinDriver):
                driver.start(self._pins)
        while (line := self._next()) is not None:
            yield from self._pass(float(line["at"]))
            yield from self._happens(line)

    def _happens(self, line: Mapping[str, Any]) -> Iterator[tuple[float, DeviceEvent]]:
        if "pin" in line:
            self._pins.levels[int(line["pin"])] = bool(line["level"])
            return
        driver = self.drivers.get(line.get("device", ""))
        if isinstance(driver, ByteDriver):
            if "opened" in line:
                self._open.add(driver.name)
                driver.hello()
            elif "in" in line:
                for event in driver.received(bytes.fromhex(line["in"]), self._now):
                    yield self._now, event

    def _pass(self, until: float) -> Iterator[tuple[float, DeviceEvent]]:
        """Let time pass for the drivers as it did then."""
        while self._now < until:
            self._now = min(self._now + SAMPLE_SECONDS, until)
            for driver in self.drivers.values():
                if isinstance(driver, PinDriver):
                    events = driver.sample(self._pins, self._now)
                else:
                    events = driver.tick(self._now)[1] if driver.name in self._open else ()
                for event in events:
                    yield self._now, event

    def _next(self) -> dict[str, Any] | None:
        for number, text in self._lines:
            if not text.strip():
                continue
            try:
                line = json.loads(text)
                if isinstance(line, dict) and (number == 1 or isinstance(line.get("at"), int | float)):
                    return line
            except (ValueError, RecursionError) as why:
                said = why.msg if isinstance(why, json.JSONDecodeError) else "too deep, or a number too long"
                raise RecordError(f"line {number}: is no JSON ({said})") from why
            raise RecordError(f"line {number}: is no line of a record")
        return None
