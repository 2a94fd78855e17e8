"""Examines the devices of a table: opens every one, asks what can be asked, and judges what comes.

It takes a few seconds, in which nobody should touch anything. What a silent device can only show when a card or a
finger comes is said as such. A device that makes noise, or does not answer, is asked at the other usual speeds.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from config.table_file import TableFile
from controller.app.diagnostics.check_result import CheckResult, report_bad, report_doubtful, report_good
from controller.app.diagnostics.machine_checks import explain_group_access
from controller.app.diagnostics.machine_ports import MachinePort
from controller.app.table.table_devices import TableDevices
from controller.app.workshop.deck_recovery import describe_absent_file, read_recorded_decks
from controller.app.workshop.device_console import DeviceConsole
from controller.app.workshop.device_event_text import describe_event
from controller.runtime.devices.deck_store import DeckError, DeckStore
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import TABLE_DATABASE_FILE
from drivers.contract.device_errors import PortBusyError, PortError, PortForbiddenError, PortLostError, PortUnknownError
from drivers.contract.driver_interface import (
    SAMPLE_INTERVAL_S,
    ByteDriver,
    CardEdgeSensed,
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    EdgeDriver,
    KeyPressed,
    KeyStuck,
    LidMoved,
    NoiseDropped,
    Pins,
    ShoeJammed,
    TagRead,
    TagReader,
    is_full_duplex,
)
from drivers.contract.driver_registry import build_driver, list_driver_keys
from drivers.ports.byte_port import open_port
from drivers.ports.control_lines import choose_control_lines
from drivers.ports.port_holders import find_holders

LISTEN_DURATION_S = 3.0
"""How long the devices are listened to: longer than any of them takes to answer."""

SPEED_TRIAL_DURATION_S = 1.5
"""How long another speed is tried."""

LINE_SPEEDS = (
    (9600, "N"), (19200, "N"), (38400, "N"), (57600, "N"), (115200, "N"), (9600, "E"), (38400, "E"), (115200, "E"),
    (4800, "N"), (230400, "N"),
)  # fmt: skip
"""Speeds and parities that are tried, the usual ones first."""

LINE_KEYS = ("baudrate", "parity")
"""The keys of a device by which the file sets its line, where its driver has them."""

Wait = Callable[[float], None]
Clock = Callable[[], float]


@dataclass(slots=True)
class DeviceEvents:
    """What one device said while it was listened to."""

    events: list[DeviceEvent] = field(default_factory=list)

    def find_first(self, *kinds: type[DeviceEvent]) -> DeviceEvent | None:
        """The first event of these kinds."""
        return next((event for event in self.events if isinstance(event, kinds)), None)

    def count_dropped_bytes(self) -> int:
        """Bytes that made no sense."""
        return sum(event.byte_count for event in self.events if isinstance(event, NoiseDropped))


@dataclass(slots=True)
class _LineSettings:
    baudrate: int
    parity: str
    stopbits: float
    is_full_duplex: bool = False

    def __str__(self) -> str:
        if self.is_full_duplex:
            return "SPI mode 0"
        return f"{self.baudrate} 8{self.parity}{self.stopbits:g}"


class DeviceCheck:
    """One look at the devices of a table. `ports` is what is plugged in, to say who holds a port."""

    def __init__(
        self,
        file: TableFile,
        devices: TableDevices,
        pins: Pins | None,
        clock: Clock,
        wait: Wait,
        ports: list[MachinePort],
    ) -> None:
        self._file = file
        self._devices = devices
        self._pins = pins
        self._clock = clock
        self._wait = wait
        self._users_by_port = {port.node: port.users for port in ports} | {
            str(p.stable_name): p.users for p in ports if p.stable_name
        }

    def check_devices(self) -> Iterator[CheckResult]:
        """Examine everything, in the order of the file."""
        heard = self._listen()
        for name in self._file.devices:
            if name in self._devices.byte_drivers:
                yield self._check_port_device(name, heard[name])
            elif self._pins is not None:
                yield from self._check_pin_device(name, heard[name])

    def _listen(self) -> Mapping[str, DeviceEvents]:
        heard = {name: DeviceEvents() for name in self._file.devices}
        drivers = self._devices.pin_drivers if self._pins is not None else {}
        lines = self._devices.control_lines
        with DeviceConsole(
            self._devices.byte_drivers, self._devices.port_urls, drivers, self._pins, control_lines=lines
        ) as station:
            for event in station.start():
                heard[event.device].events.append(event)
            ends = self._clock() + LISTEN_DURATION_S
            while self._clock() < ends:
                for event in station.poll(self._clock()):
                    heard[event.device].events.append(event)
                self._wait(SAMPLE_INTERVAL_S)
        return heard

    def _check_port_device(self, name: str, heard: DeviceEvents) -> CheckResult:
        driver, url = self._devices.byte_drivers[name], self._devices.port_urls[name]
        about = f"{name} ({self._file.devices[name].driver})"
        line = _LineSettings(driver.baudrate, driver.parity, driver.stopbits, is_full_duplex(driver))
        refusal = self._try_opening(name, url, driver)
        if refusal is not None:
            return self._explain_open_failure(name, about, refusal)
        others = ", ".join(find_holders(url)) if "://" not in url else ""
        if others:
            text = f"{url} is open in {others} as well: what the device says reaches one of the two"
            return report_bad(about, text, "end that program")
        levels = choose_control_lines(url, self._devices.control_lines[name])
        told = f"{line}, {levels}" if levels is not None and not url.startswith("sim://") else str(line)
        if heard.find_first(TagRead, DeviceReady) is not None:
            noise = heard.count_dropped_bytes()
            if noise:
                text = f"answers on {url} at {told}, and {noise} bytes made no sense"
                return report_doubtful(
                    about, text, "look at the cable: too long, too near to a motor or lamp, no common ground"
                )
            return report_good(about, f"answers on {url} at {told}")
        lost = heard.find_first(DeviceLost)
        if lost is not None or heard.count_dropped_bytes():
            no_sense = self._explain_no_sense(about, heard, lost, line)
            no_sense = replace(no_sense, remedy=f"{no_sense.remedy}{_suggest_dtr(told)}")
            return self._check_other_speeds(name, about, line) or no_sense
        if isinstance(driver, TagReader):
            return report_doubtful(
                about,
                f"{url} is open at {told}; it says nothing by itself",
                f"hold a card to it: tablectl monitor --device {name}{_suggest_dtr(told)}",
            )
        return report_good(
            about, f"{url} is open at {told}; it cannot say whether anything is there: tablectl lamps test"
        )

    def _try_opening(self, name: str, url: str, driver: ByteDriver) -> PortError | None:
        try:
            port = open_port(url, driver, read_seconds=0, control_lines=self._devices.control_lines[name])
        except PortError as why:
            return why
        try:
            port.close()
        except PortLostError as why:
            return why
        return None

    def _explain_open_failure(self, name: str, about: str, why: PortError) -> CheckResult:
        text, _, remedy = why.message.partition("; ")
        named = f"named in {self._file.path}, [device.{name}] port"
        if why.url.startswith("sim://") and isinstance(why, PortUnknownError):
            remedy = "it is a simulated port: give the device its real one (tablectl ports lists them)"
        elif isinstance(why, PortBusyError):
            users = ", ".join(self._users_by_port.get(why.url, ()))
            holder = f" ({users})" if users and users not in text else ""
            remedy = f"end that program{holder} first, or give the device a port of its own"
        elif isinstance(why, PortForbiddenError):
            remedy = explain_group_access(
                "dialout" if "://" not in why.url else "input" if why.url.startswith("evdev") else "spi"
            )
        return report_bad(about, f"{why.url} ({named}): {text}", remedy or "tablectl ports lists what is plugged in")

    def _check_other_speeds(self, name: str, about: str, line: _LineSettings) -> CheckResult | None:
        """Ask at the other speeds; `None` when it answers at none of them."""
        url = self._devices.port_urls[name]
        if line.is_full_duplex or ("://" in url and not url.startswith(("sim://", "rfc2217://"))):
            return None
        for baudrate, parity in LINE_SPEEDS:
            speed = _LineSettings(baudrate, parity, line.stopbits)
            if speed != line and self._is_answering_at(name, url, speed):
                settable = [
                    key.name for key in list_driver_keys(self._file.devices[name].driver) if key.name in LINE_KEYS
                ]
                or_else = f", or {' and '.join(settable)} in the file to what it is set to" if settable else ""
                text = f"it speaks at {speed}, and its driver listens at {line}"
                return report_bad(about, text, f"set the device to {line}{or_else}")
        return None

    def _is_answering_at(self, name: str, url: str, speed: _LineSettings) -> bool:
        section = self._file.devices[name]
        driver = build_driver(section.driver, name, section.driver_keys)
        assert isinstance(driver, ByteDriver)
        try:
            port = open_port(url, speed, read_seconds=0, control_lines=self._devices.control_lines[name])
        except PortError:  # this port cannot be set so, and the device neither
            return False
        try:
            port.write(driver.on_port_opened())
            ends = self._clock() + SPEED_TRIAL_DURATION_S
            while self._clock() < ends:
                now = self._clock()
                events = list(driver.receive_data(port.read(), now))
                data, more = driver.on_tick(now)
                if any(isinstance(event, TagRead | DeviceReady) for event in (*events, *more)):
                    return True
                port.write(data)
                self._wait(SAMPLE_INTERVAL_S)
        except PortLostError:
            return False
        finally:
            with suppress(PortLostError):
                port.close()
        return False

    def _explain_no_sense(
        self, about: str, heard: DeviceEvents, lost: DeviceEvent | None, line: _LineSettings
    ) -> CheckResult:
        if heard.count_dropped_bytes() and lost is None:
            return report_bad(
                about,
                f"{heard.count_dropped_bytes()} bytes came at {line}, and none of them makes sense",
                "it is another kind of device than its driver is for, or its wires TX and ground are bad",
            )
        assert lost is not None
        text, _, remedy = describe_event(lost).removeprefix("lost: ").partition("; ")
        return report_bad(about, text, remedy or "look at its supply and at TX and RX, which must cross")

    def _check_pin_device(self, name: str, heard: DeviceEvents) -> Iterator[CheckResult]:
        about = f"{name} ({self._file.devices[name].driver})"
        lost = heard.find_first(DeviceLost)
        if isinstance(lost, DeviceLost):
            text, _, remedy = lost.reason.partition("; ")
            yield report_bad(about, text, remedy or "look at the wiring: tablectl wiring")
            return
        troubles = [finding for event in heard.events if (finding := _judge_event(about, event)) is not None]
        driver = self._devices.pin_drivers[name]
        if isinstance(driver, EdgeDriver) and driver.min_sampled_s and driver.is_sampled:
            text = f"no edges are told of its pins: less than {driver.min_sampled_s * 1000:.0f} ms may pass unseen"
            remedy = "install rpi-lgpio where it is missing, or put the sensor on a board (driver bridge)"
            troubles.append(report_doubtful(about, text, remedy))
        yield from troubles
        if not troubles:
            yield report_good(about, "its pins are set up; look at it: tablectl monitor, lamps test, gate test")


def _suggest_dtr(told: str) -> str:
    """Say what helps a board that waits for DTR, where it is low."""
    waits = "; if it is a board with USB of its own that waits for DTR, dtr = true in the file"
    return waits if re.search(r"DTR (and RTS )?low", told) else ""


def _judge_event(about: str, event: DeviceEvent) -> CheckResult | None:
    """What an event means that comes while nobody touches anything."""
    match event:
        case KeyStuck():
            return report_bad(about, describe_event(event), "free it, or look for a wire to ground: tablectl wiring")
        case KeyPressed(key=key):
            text = f"key {key} went down, and nobody should have touched it"
            return report_doubtful(about, text, "if nobody did, its wire is loose: tablectl wiring")
        case LidMoved(is_open=True):
            return report_doubtful(about, "the lid is open, or its wire is cut", "close the lid")
        case ShoeJammed():
            return report_bad(about, "something covers the card edge", "take the card out, clean the beam")
        case CardEdgeSensed(is_covered=True):
            return report_doubtful(about, "something covered the card edge just now", "clean the beam, keep hands away")
        case _:
            return None


def check_decks(file: TableFile) -> Iterator[CheckResult]:
    """Examine the registered decks: is the one in play there."""
    if file.shoe is None:
        return
    path = file.state_directory / TABLE_DATABASE_FILE
    wanted = file.shoe.deck
    remedy = f"register it: tablectl deck register {wanted} (card by card), or tablectl deck import {wanted} FILE"
    try:
        decks = DeckStore(path, create=False)
    except DatabaseError as why:
        if path.exists():
            text, _, then = str(why).partition("; ")
            yield report_bad("decks", text, then or remedy)
        else:
            yield report_bad("decks", f"{path} is missing; {_describe_no_deck(file.state_directory)}", remedy)
        return
    try:
        names = decks.list_names()
        if not names:
            yield report_bad("decks", f"{path} has no deck; {_describe_no_deck(file.state_directory)}", remedy)
            return
        deck = decks.get(wanted)
        yield report_good("decks", f"{wanted}: {len(deck.card_by_tag)} cards, checksum {deck.compute_checksum()}")
    except DeckError:
        text = f"[shoe] wants deck {wanted!r}, and registered are {', '.join(names)}"
        yield report_bad("decks", text, f"{remedy}; or correct [shoe] deck")
    except DatabaseError as why:
        text, _, then = str(why).partition("; ")
        yield report_bad("decks", text, then or remedy)
    finally:
        decks.close()


def _describe_no_deck(directory: Path) -> str:
    """Say that no deck is registered; and which ones the journal knows, that a start restores."""
    try:
        known, absent = ", ".join(sorted(read_recorded_decks(directory))), describe_absent_file(directory)
    except DatabaseError:  # said where the journal is checked
        known, absent = "", None
    more = f"; the journal knows {known}, and a start of the table restores what it can" if known else ""
    return f"no deck is registered in {directory}{more}{f'; but {absent}' if absent else ''}"
