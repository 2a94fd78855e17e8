"""Examines the devices of a table: opens every one, asks what can be asked, and judges what comes.

It takes a few seconds, in which nobody should touch anything. What a silent device can only show when a card or a
finger comes is said as such. A device that makes noise, or does not answer, is asked at the other usual speeds.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from config.table_file import TableFile
from controller.app.doctor.check_result import Finding, bad, doubtful, good
from controller.app.doctor.machine_checks import joining
from controller.app.doctor.ports import Port
from controller.app.table.build_devices import Devices
from controller.app.workshop.device_words import words
from controller.app.workshop.station import Station
from controller.runtime.devices.decks import DeckError, Decks
from controller.runtime.journal.database import DatabaseError
from controller.runtime.state_directory import TABLE_FILE
from drivers.contract.base import (
    SAMPLE_SECONDS,
    ByteDriver,
    CardEdge,
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    Jammed,
    KeyPressed,
    KeyStuck,
    LidMoved,
    Noise,
    Pins,
    TagRead,
    TagReader,
)
from drivers.contract.errors import PortBusyError, PortError, PortForbiddenError, PortLostError, PortUnknownError
from drivers.contract.registry import build, keys_of
from drivers.ports.holders import holders
from drivers.ports.open_port import open_port

LISTEN_SECONDS = 3.0
"""How long the devices are listened to: longer than any of them takes to answer."""

SPEED_SECONDS = 1.5
"""How long another speed is tried."""

SPEEDS = (
    (9600, "N"), (19200, "N"), (38400, "N"), (57600, "N"), (115200, "N"), (9600, "E"), (38400, "E"), (115200, "E"),
    (4800, "N"), (230400, "N"),
)  # fmt: skip
"""Speeds and parities that are tried, the usual ones first."""

LINE_KEYS = ("baudrate", "parity")
"""The keys of a device by which the file sets its line, where its driver has them."""

Wait = Callable[[float], None]
Clock = Callable[[], float]


@dataclass(slots=True)
class Heard:
    """What one device said while it was listened to."""

    events: list[DeviceEvent] = field(default_factory=list)

    def first(self, *kinds: type[DeviceEvent]) -> DeviceEvent | None:
        """The first event of these kinds."""
        return next((event for event in self.events if isinstance(event, kinds)), None)

    def dropped(self) -> int:
        """Bytes that made no sense."""
        return sum(event.dropped for event in self.events if isinstance(event, Noise))


@dataclass(slots=True)
class _Speed:
    baudrate: int
    parity: str
    stopbits: float

    def __str__(self) -> str:
        return f"{self.baudrate} 8{self.parity}{self.stopbits:g}"


class Examination:
    """One look at the devices of a table. `ports` is what is plugged in, to say who holds a port."""

    def __init__(
        self, file: TableFile, devices: Devices, pins: Pins | None, clock: Clock, wait: Wait, ports: list[Port]
    ) -> None:
        self._file = file
        self._devices = devices
        self._pins = pins
        self._clock = clock
        self._wait = wait
        self._users = {port.node: port.users for port in ports} | {str(p.stable): p.users for p in ports if p.stable}

    def findings(self) -> Iterator[Finding]:
        """Examine everything, in the order of the file."""
        heard = self._listen()
        for name in self._file.devices:
            if name in self._devices.byte_drivers:
                yield self._on_port(name, heard[name])
            elif self._pins is not None:
                yield from self._on_pins(name, heard[name])

    def _listen(self) -> Mapping[str, Heard]:
        heard = {name: Heard() for name in self._file.devices}
        drivers = self._devices.pin_drivers if self._pins is not None else {}
        with Station(self._devices.byte_drivers, self._devices.urls, drivers, self._pins) as station:
            for event in station.start():
                heard[event.device].events.append(event)
            ends = self._clock() + LISTEN_SECONDS
            while self._clock() < ends:
                for event in station.turn(self._clock()):
                    heard[event.device].events.append(event)
                self._wait(SAMPLE_SECONDS)
        return heard

    def _on_port(self, name: str, heard: Heard) -> Finding:
        driver, url = self._devices.byte_drivers[name], self._devices.urls[name]
        about = f"{name} ({self._file.devices[name].driver})"
        line = _Speed(driver.baudrate, driver.parity, driver.stopbits)
        refusal = self._refusal(url, driver)
        if refusal is not None:
            return self._cannot_open(about, refusal)
        others = ", ".join(holders(url)) if "://" not in url else ""
        if others:
            text = f"{url} is open in {others} as well: what the device says reaches one of the two"
            return bad(about, text, "end that program")
        if heard.first(TagRead, DeviceReady) is not None:
            noise = heard.dropped()
            if noise:
                text = f"answers on {url} at {line}, and {noise} bytes made no sense"
                return doubtful(
                    about, text, "look at the cable: too long, too near to a motor or lamp, no common ground"
                )
            return good(about, f"answers on {url} at {line}")
        lost = heard.first(DeviceLost)
        if lost is not None or heard.dropped():
            return self._wrong_speed(name, about, line) or self._no_sense(about, heard, lost, line)
        if isinstance(driver, TagReader):
            return doubtful(
                about,
                f"{url} is open at {line}; it says nothing by itself",
                f"hold a card to it: tablectl monitor --device {name}",
            )
        return good(about, f"{url} is open at {line}; it cannot say whether anything is there: tablectl lamps test")

    def _refusal(self, url: str, driver: ByteDriver) -> PortError | None:
        try:
            port = open_port(url, driver, read_seconds=0)
        except PortError as why:
            return why
        try:
            port.close()
        except PortLostError as why:
            return why
        return None

    def _cannot_open(self, about: str, why: PortError) -> Finding:
        text, _, remedy = why.message.partition("; ")
        if why.url.startswith("sim://") and isinstance(why, PortUnknownError):
            remedy = "it is a simulated port: give the device its real one (tablectl ports lists them)"
        elif isinstance(why, PortBusyError):
            users = ", ".join(self._users.get(why.url, ()))
            holder = f" ({users})" if users and users not in text else ""
            remedy = f"end that program{holder} first, or give the device a port of its own"
        elif isinstance(why, PortForbiddenError):
            remedy = joining("dialout" if "://" not in why.url else "input" if why.url.startswith("evdev") else "spi")
        return bad(about, f"{why.url}: {text}", remedy or "tablectl ports lists what is plugged in")

    def _wrong_speed(self, name: str, about: str, line: _Speed) -> Finding | None:
        """Ask at the other speeds; `None` when it answers at none of them."""
        url = self._devices.urls[name]
        if "://" in url and not url.startswith(("sim://", "rfc2217://")):
            return None
        for baudrate, parity in SPEEDS:
            speed = _Speed(baudrate, parity, line.stopbits)
            if speed != line and self._answers(name, url, speed):
                settable = [key.name for key in keys_of(self._file.devices[name].driver) if key.name in LINE_KEYS]
                or_else = f", or {' and '.join(settable)} in the file to what it is set to" if settable else ""
                text = f"it speaks at {speed}, and its driver listens at {line}"
                return bad(about, text, f"set the device to {line}{or_else}")
        return None

    def _answers(self, name: str, url: str, speed: _Speed) -> bool:
        section = self._file.devices[name]
        driver = build(section.driver, name, section.keys)
        assert isinstance(driver, ByteDriver)
        try:
            port = open_port(url, speed, read_seconds=0)
        except PortError:  # this port cannot be set so, and the device neither
            return False
        try:
            port.write(driver.hello())
            ends = self._clock() + SPEED_SECONDS
            while self._clock() < ends:
                now = self._clock()
                events = list(driver.received(port.read(), now))
                data, more = driver.tick(now)
                if any(isinstance(event, TagRead | DeviceReady) for event in (*events, *more)):
                    return True
                port.write(data)
                self._wait(SAMPLE_SECONDS)
        except PortLostError:
            return False
        finally:
            with suppress(PortLostError):
                port.close()
        return False

    def _no_sense(self, about: str, heard: Heard, lost: DeviceEvent | None, line: _Speed) -> Finding:
        if heard.dropped() and lost is None:
            return bad(
                about,
                f"{heard.dropped()} bytes came at {line}, and none of them makes sense",
                "it is another kind of device than its driver is for, or its wires TX and ground are bad",
            )
        assert lost is not None
        text, _, remedy = words(lost).removeprefix("lost: ").partition("; ")
        return bad(about, text, remedy or "look at its supply and at TX and RX, which must cross")

    def _on_pins(self, name: str, heard: Heard) -> Iterator[Finding]:
        about = f"{name} ({self._file.devices[name].driver})"
        lost = heard.first(DeviceLost)
        if isinstance(lost, DeviceLost):
            text, _, remedy = lost.why.partition("; ")
            yield bad(about, text, remedy or "look at the wiring: tablectl wiring")
            return
        troubles = [finding for event in heard.events if (finding := _trouble(about, event)) is not None]
        yield from troubles
        if not troubles:
            yield good(about, "its pins are set up; look at it: tablectl monitor, lamps test, gate test")


def _trouble(about: str, event: DeviceEvent) -> Finding | None:
    """What an event means that comes while nobody touches anything."""
    match event:
        case KeyStuck():
            return bad(about, words(event), "free it, or look for a wire to ground: tablectl wiring")
        case KeyPressed(key=key):
            text = f"key {key} went down, and nobody should have touched it"
            return doubtful(about, text, "if nobody did, its wire is loose: tablectl wiring")
        case LidMoved(open=True):
            return doubtful(about, "the lid is open, or its wire is cut", "close the lid")
        case Jammed():
            return bad(about, "something covers the card edge", "take the card out, clean the beam")
        case CardEdge(covered=True):
            return doubtful(about, "something covered the card edge just now", "clean the beam, keep hands away")
        case _:
            return None


def deck_findings(file: TableFile) -> Iterator[Finding]:
    """Examine the registered decks: is the one in play there."""
    if file.shoe is None:
        return
    path = file.directory / TABLE_FILE
    wanted = file.shoe.deck
    remedy = f"register it: tablectl deck register {wanted} (card by card), or tablectl deck import {wanted} FILE"
    try:
        decks = Decks(path, create=False)
    except DatabaseError:
        yield bad("decks", f"no deck is registered in {file.directory}", remedy)
        return
    try:
        names = decks.names()
        if not names:
            yield bad("decks", f"no deck is registered in {file.directory}", remedy)
            return
        deck = decks.get(wanted)
        yield good("decks", f"{wanted}: {len(deck.cards)} cards, checksum {deck.checksum()}")
    except DeckError:
        text = f"[shoe] wants deck {wanted!r}, and registered are {', '.join(names)}"
        yield bad("decks", text, f"{remedy}; or correct [shoe] deck")
    finally:
        decks.close()
