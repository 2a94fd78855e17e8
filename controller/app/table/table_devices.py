"""Builds the devices of a table from its configuration: drivers, ports, pins, and who translates what they say."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from config.table_file import SHOE_PLACE, TableFile
from controller.plug_ins import PlugInError
from controller.runtime.devices.antenna_translator import AntennaTranslator
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.panel_translator import KeyMapError, PanelTranslator
from controller.runtime.devices.shoe_translator import ShoeTranslator
from drivers.contract.device_errors import DriverConfigError, PinError
from drivers.contract.driver_interface import ByteDriver, PinDriver, Pins, TagReader, is_full_duplex
from drivers.contract.driver_registry import build_driver
from drivers.pins.gpio_header import find_port_signals, find_spi_bus
from drivers.ports.control_lines import ControlLines, find_missing_line
from drivers.simulators.bench.bench import Bench


@dataclass(frozen=True, slots=True)
class TableDevices:
    """The drivers of a table, by name; `port_urls` are the ports of those on byte ports.

    `control_lines` are the levels that the file wants of lines of these ports, by device.
    """

    byte_drivers: Mapping[str, ByteDriver]
    pin_drivers: Mapping[str, PinDriver]
    port_urls: Mapping[str, str]
    control_lines: Mapping[str, ControlLines] = field(default_factory=dict)


def build_devices(file: TableFile) -> TableDevices:
    """Make every driver, each on a port or pins of its own; raises `ConfigError` naming file, line and key."""
    devices = build_unchecked_devices(file)
    refuse_shared(file, devices)
    return devices


def build_unchecked_devices(file: TableFile) -> TableDevices:
    """Make every driver, whatever the others use; raises `ConfigError` naming file, line and key."""
    byte_drivers: dict[str, ByteDriver] = {}
    pin_drivers: dict[str, PinDriver] = {}
    urls: dict[str, str] = {}
    control_lines: dict[str, ControlLines] = {}
    for name, section in file.devices.items():
        try:
            driver = build_driver(section.driver, name, section.driver_keys)
        except DriverConfigError as error:
            raise file.make_error(error.message, "device", name, *(error.key or "").split(".")) from error
        if isinstance(driver, ByteDriver):
            if section.port is None:
                raise file.make_error(
                    f"is missing; driver {section.driver!r} speaks on a byte port", "device", name, "port"
                )
            byte_drivers[name] = driver
            urls[name] = section.port
            control_lines[name] = ControlLines(section.dtr, section.rts)
            if (missing := find_missing_line(section.port, control_lines[name])) is not None:
                raise file.make_error(missing[1], "device", name, missing[0])
        else:
            for key, level in (("dtr", section.dtr), ("rts", section.rts)):
                if level is not None:
                    text = f"driver {section.driver!r} is on pins and has no line {key.upper()}; take it out"
                    raise file.make_error(text, "device", name, key)
            if section.port is not None:
                raise file.make_error(f"driver {section.driver!r} is on pins and has no port", "device", name, "port")
            pin_drivers[name] = driver
    return TableDevices(byte_drivers, pin_drivers, urls, control_lines)


def refuse_shared(file: TableFile, devices: TableDevices) -> None:
    """Refuse a port or a pin that two devices use, and a pin that is a port's; raises `ConfigError`."""
    _refuse_shared_ports(file, devices.port_urls)
    _refuse_lights_beside_others(file, devices)
    _refuse_shared_pins(file, devices.pin_drivers)
    _refuse_pins_of_ports(file, devices)


def resolve_port(url: str) -> str:
    """Follow the links of a device's node: one port may have several names, and a bus several speeds."""
    if "://" not in url:
        return os.path.realpath(url)
    return url.partition("?")[0] if url.startswith("spi://") else url


def _refuse_shared_ports(file: TableFile, urls: Mapping[str, str]) -> None:
    users: dict[str, str] = {}
    for name, url in urls.items():
        node = resolve_port(url)
        if node in users:
            text = f"is the port of device {users[node]!r} already; one device, one port"
            raise file.make_error(text, "device", name, "port")
        users[node] = name


def _refuse_lights_beside_others(file: TableFile, devices: TableDevices) -> None:
    """Refuse a device on the SPI bus of lights: these have no chip select."""
    users = {name: (url, is_full_duplex(devices.byte_drivers[name])) for name, url in devices.port_urls.items()}
    for name, text in find_lights_beside_others(users):
        raise file.make_error(text, "device", name, "port")


def find_lights_beside_others(users: Mapping[str, tuple[str, bool]]) -> Iterator[tuple[str, str]]:
    """Name each device that shares an SPI bus with lights, and say why it cannot.

    `users` is device -> port, and whether it has a chip select: a string of lights has none, and takes what the others
    are sent.
    """
    bus_by_device = {name: bus for name, (url, _) in users.items() if (bus := find_spi_bus(resolve_port(url)))}
    for lights, bus in bus_by_device.items():
        for other in bus_by_device if not users[lights][1] else ():
            if other != lights and bus_by_device[other] == bus:
                yield (
                    other,
                    f"is on the bus of device {lights!r}, which has no chip select and shows what {other!r} is sent; "
                    f"put {other!r} on the other bus (dtoverlay=spi1-3cs and spi:///dev/spidev1.0)",
                )


def _refuse_shared_pins(file: TableFile, drivers: Mapping[str, PinDriver]) -> None:
    users: dict[int, str] = {}
    for name, driver in drivers.items():
        for role, pin in driver.pins_used().items():
            if pin in users:
                raise file.make_error(f"its {role} is on pin {pin}, which is {users[pin]}", "device", name)
            users[pin] = f"the {role} of device {name!r}"


def _refuse_pins_of_ports(file: TableFile, devices: TableDevices) -> None:
    """Refuse a pin by which a port speaks: once the port is open, whatever hangs on that pin hears it."""
    for port_name, url in devices.port_urls.items():
        signals = find_port_signals(resolve_port(url))
        for name, driver in devices.pin_drivers.items():
            for role, pin in driver.pins_used().items():
                if pin in signals:
                    whose = f"{signals[pin]} of the port of device {port_name!r} ({url})"
                    raise file.make_error(f"its {role} is on pin {pin}, which is {whose}", "device", name)


def open_pins(devices: TableDevices) -> Pins | None:
    """Take the pins of this machine, if any device needs them. Raises `drivers.contract.device_errors.PinError`."""
    if not devices.pin_drivers:
        return None
    from drivers.pins.rpi_pins import RpiPins

    return RpiPins()


def attach_simulators(bench: Bench, file: TableFile, devices: TableDevices) -> dict[str, str]:
    """Put the far end of every device on the bench; return the ports to open instead of the real ones.

    A port that is `sim://` already keeps its faults.
    """
    urls = {
        name: url if url.startswith("sim://") else f"sim://{file.devices[name].driver}/{name}"
        for name, url in devices.port_urls.items()
    }
    for name in (*devices.pin_drivers, *urls):
        section = file.devices[name]
        try:
            if name in urls:
                bench.add_port(urls[name], section.driver_keys)
            else:
                bench.add_device(section.driver, name, section.driver_keys)
        except (PlugInError, ValueError) as why:  # no such far end, or faults of its cable that are none
            raise file.make_error(str(why), "device", name, "driver") from why
    return urls


def start_pins(file: TableFile, devices: TableDevices, pins: Pins | None) -> None:
    """Set every pin up in its safe state. Raises `ConfigError` naming the device whose pins cannot be had."""
    if pins is None:
        return
    for name, driver in devices.pin_drivers.items():
        try:
            driver.start(pins)
        except PinError as error:
            raise file.make_error(str(error), "device", name) from error


def make_device_map(file: TableFile, devices: TableDevices, pins: Pins | None, deck: Deck | None) -> DeviceMap:
    """Say who translates what each device says. Raises `ConfigError`."""
    panels = {name: make_panel(file, name) for name in file.key_lines_by_panel}
    shoes: dict[str, ShoeTranslator] = {}
    if file.shoe is not None and deck is not None:
        reader = devices.byte_drivers.get(file.shoe.reader)
        if not isinstance(reader, TagReader):
            raise file.make_error(f"device {file.shoe.reader!r} reads no tags or codes", "shoe", "reader")
        shoe = ShoeTranslator(
            file.shoe.reader, deck, edge_sensor=file.shoe.edge is not None, gone_after=reader.absence_timeout_s
        )
        shoes = dict.fromkeys(file.shoe.devices(), shoe)
    antennas = _make_antennas(file, devices, deck)
    return DeviceMap(devices.byte_drivers, devices.pin_drivers, pins, shoes, panels, antennas)


def _make_antennas(file: TableFile, devices: TableDevices, deck: Deck | None) -> dict[str, AntennaTranslator]:
    made: dict[str, AntennaTranslator] = {}
    for name, places in file.places_by_reader.items():
        reader = devices.byte_drivers.get(name)
        if not isinstance(reader, TagReader):
            raise file.make_error(f"device {name!r} reads no tags or codes", "antennas", name)
        _refuse_unknown_antennas(file, name, reader, places)
        if deck is None:
            raise file.make_error("needs a [shoe] with its deck, to know which tag is which card", "antennas", name)
        _refuse_misplaced_shoe(file, name, places)
        elsewhere = {antenna: place for antenna, place in places.items() if place != SHOE_PLACE}
        made[name] = AntennaTranslator(
            name,
            deck,
            elsewhere,
            gone_after=reader.absence_timeout_s,
            shoe_antennas=places.keys() - elsewhere.keys(),
        )
    return made


def _refuse_misplaced_shoe(file: TableFile, name: str, places: Mapping[str | None, str]) -> None:
    """Refuse a reader of the shoe none of whose antennas is there, and another's antenna in the shoe."""
    in_shoe = [antenna for antenna, place in places.items() if place == SHOE_PLACE]
    if file.shoe is None or name != file.shoe.reader:
        if file.shoe is not None and name in file.shoe.devices():
            raise file.make_error(f"device {name!r} is a sensor of the shoe already", "antennas", name)
        for antenna in in_shoe:
            text = f'device {name!r} is not the `reader` of [shoe], so that none of its antennas is "{SHOE_PLACE}"'
            raise file.make_error(text, "antennas", name, str(antenna))
    elif not in_shoe:
        text = f'device {name!r} is a sensor of the shoe already; say which of its antennas is there: "{SHOE_PLACE}"'
        raise file.make_error(text, "antennas", name)


def _refuse_unknown_antennas(file: TableFile, name: str, reader: TagReader, places: Mapping[str | None, str]) -> None:
    """Refuse the name of an antenna that the reader never gives: what it hears there would be lost."""
    named: tuple[str, ...] = getattr(reader, "antennas", ())
    for antenna, place in places.items():
        if antenna is not None and antenna not in named:
            accepted = (
                f"it names them {', '.join(named)}" if named else f'it names none of its antennas: {name} = "{place}"'
            )
            raise file.make_error(f"device {name!r} has no antenna {antenna!r}; {accepted}", "antennas", name, antenna)


def make_panel(file: TableFile, name: str) -> PanelTranslator:
    """Give the keys of a panel their meanings. Raises `ConfigError`."""
    meanings = file.key_lines_by_panel[name]
    there = file.devices[name].driver_keys.get("keys")
    if isinstance(there, Mapping):
        for key in meanings:
            if key not in there:
                raise file.make_error(f"panel {name!r} has no such key; it has {', '.join(there)}", "keys", name, key)
        for key in there:
            if key not in meanings:
                raise file.make_error(
                    f"is missing: every key of the panel has a meaning in [keys.{name}]", "keys", name, key
                )
    places = file.table_line.get("places", 10)
    try:
        return PanelTranslator(name, meanings, places=places if isinstance(places, int) else 10)
    except KeyMapError as error:
        raise file.make_error(str(error), "keys", name, error.key) from error
