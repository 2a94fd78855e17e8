"""What is wired where: the pin table of a table's file, and every conflict in it by name."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from config.table_file import DeviceSection, TableFile
from controller.app.commissioning.header_load import HeaderLoad
from controller.app.table.table_devices import find_lights_beside_others, resolve_port
from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import ByteDriver, PinDriver, is_full_duplex
from drivers.contract.driver_registry import build_driver
from drivers.lamps.lamp_patterns import ROLES
from drivers.pins.gpio_header import (
    FIXED_PULL_UP_PINS,
    SPI_0_SIGNALS,
    UART_0_SIGNALS,
    find_chip_select,
    find_port_signals,
    get_power_on_level,
)
from drivers.ports.control_lines import BOTH_LOW, ControlLines, choose_control_lines, find_missing_line

DEFAULT_PLACES = 10
"""How many seats a table has whose file does not say it."""

NAME_BY_HEADER_PIN: Mapping[int, str] = {
    1: "3V3", 2: "5V", 3: "GPIO2", 4: "5V", 5: "GPIO3", 6: "GND", 7: "GPIO4", 8: "GPIO14", 9: "GND", 10: "GPIO15",
    11: "GPIO17", 12: "GPIO18", 13: "GPIO27", 14: "GND", 15: "GPIO22", 16: "GPIO23", 17: "3V3", 18: "GPIO24",
    19: "GPIO10", 20: "GND", 21: "GPIO9", 22: "GPIO25", 23: "GPIO11", 24: "GPIO8", 25: "GND", 26: "GPIO7", 27: "GPIO0",
    28: "GPIO1", 29: "GPIO5", 30: "GND", 31: "GPIO6", 32: "GPIO12", 33: "GPIO13", 34: "GND", 35: "GPIO19",
    36: "GPIO16", 37: "GPIO26", 38: "GPIO20", 39: "GND", 40: "GPIO21",
}  # fmt: skip
"""The forty-pin header of every Raspberry Pi since the B+: number of the pin on the board -> what it is."""

PIN_BY_BCM_NUMBER: Mapping[int, int] = {
    int(name[4:]): pin for pin, name in NAME_BY_HEADER_PIN.items() if name.startswith("GPIO")
}
"""BCM number -> number of the pin on the board."""

_WIRE_ENDS: Mapping[tuple[str, str], str] = {
    ("buzzer", "buzzer"): "base of the buzzer's transistor through 1 kΩ; an active buzzer, with a tone of its own",
    ("gate", "gate"): "driver of the gate; 10 kΩ to its fail-safe side, a flyback diode across a coil",
    ("lamps_595", "data"): "SER of the nearest 74HC595",
    ("lamps_595", "clock"): "SRCLK of every 74HC595",
    ("lamps_595", "latch"): "RCLK of every 74HC595",
    ("lamps_595", "enable"): "OE of every 74HC595; 10 kΩ to 3.3 V",
    ("panel_165", "load"): "SH/LD of every 74HC165",
    ("panel_165", "clock"): "CLK of every 74HC165",
    ("panel_165", "data"): "QH of the nearest 74HC165",
    ("shoe_sensors", "edge"): "beam in the mouth of the shoe",
    ("shoe_sensors", "face"): "face sensor of the shoe",
    ("shoe_sensors", "lid"): "contact of the lid",
}
"""Driver and role -> where the wire ends; a role that is not here speaks for itself."""

_BUS_WIRE_ENDS: Mapping[str, str] = {
    "SCLK": "SCK of the reader", "MOSI": "MOSI of the reader", "MISO": "MISO of the reader",
}  # fmt: skip
"""Signal of an SPI bus -> where its wire ends; what is not here is the chip select."""

CHIP_SELECT_END = "SDA (that is SS) of the reader"

SPI_LINE = "SPI mode 0"
"""The line of a device on an SPI bus that answers while it is written to."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire: `end` is a pin of the header, or an input or output of the board.

    `is_bus` says that others on the same bus have a wire to the same pin.
    """

    device: str
    role: str
    bcm_number: int
    end: str
    is_bus: bool = False

    @property
    def header_pin(self) -> int:
        """The number of the pin on the board."""
        return PIN_BY_BCM_NUMBER[self.bcm_number]


@dataclass(frozen=True, slots=True)
class PortConnection:
    """A device on a port."""

    device: str
    driver: str
    port: str
    line_settings: str


@dataclass(frozen=True, slots=True)
class BoardWire:
    """One input or output of the microcontroller board."""

    device: str
    purpose: str
    chain_position: int
    chip_pin: str


@dataclass(frozen=True, slots=True)
class Wiring:
    """Everything that is wired; `conflicts` cannot work as it is, `notes` are to be known.

    `load` is what LEDs and buzzers take from the header, where there are LEDs on pins.
    """

    wires: tuple[Wire, ...]
    connections: tuple[PortConnection, ...]
    board_wires: tuple[BoardWire, ...]
    conflicts: tuple[str, ...]
    notes: tuple[str, ...]
    load: HeaderLoad | None


def read_wiring(file: TableFile) -> Wiring:
    """Read the wiring off a table's file; what is wrong with a device is a conflict, not an exception."""
    wires: list[Wire] = []
    cables: list[PortConnection] = []
    board: list[BoardWire] = []
    conflicts: list[str] = []
    for name, section in file.devices.items():
        try:
            driver = build_driver(section.driver, name, section.driver_keys)
        except DriverConfigError as error:
            conflicts.append(str(error))
            continue
        if isinstance(driver, PinDriver):
            if section.port is not None:
                conflicts.append(f"{name!r} has a port; driver {section.driver!r} is on pins: take its port out")
            if section.dtr is not None or section.rts is not None:
                conflicts.append(f"{name!r} has dtr or rts; driver {section.driver!r} is on pins: take them out")
            wires += [Wire(name, role, pin, _describe_end(section, role)) for role, pin in driver.pins_used().items()]
        elif isinstance(driver, ByteDriver):
            line = f"{driver.baudrate} 8{driver.parity}{driver.stopbits:g}"
            if is_full_duplex(driver):
                line = SPI_LINE
            if section.port is None:
                conflicts.append(f"{name!r} has no port; driver {section.driver!r} speaks on a byte port")
            else:
                wanted = ControlLines(section.dtr, section.rts)
                if (missing := find_missing_line(section.port, wanted)) is not None:
                    conflicts.append(f"{name!r}: {missing[1]}")
                elif (levels := choose_control_lines(section.port, wanted)) not in (None, BOTH_LOW):
                    line = f"{line}, {levels}"
                cables.append(PortConnection(name, section.driver, section.port, line))
            board += _iter_board_wires(section)
    conflicts += [*_find_shared_pins(wires), *_find_shared_ports(cables), *_find_pins_of_ports(wires, cables)]
    on_ports = {cable.device: (cable.port, cable.line_settings == SPI_LINE) for cable in cables}
    conflicts += [f"{name!r} {text}" for name, text in find_lights_beside_others(on_ports)]
    notes = [*_find_notes(wires), *_find_glowing_leds(file, wires), *_find_supply_notes(cables)]
    notes += find_unlimited_gates(file).values()
    notes += [text for path, text in find_absent_seats(file) if path[0] != "keys"]
    wires += _iter_bus_wires(cables)
    load = _compute_header_load(file, wires)
    if load is not None:
        wires = [_add_led_end(file.devices[wire.device], wire, load) for wire in wires]
        if load.is_too_much:
            conflicts.append(load.describe_excess())
    return Wiring(tuple(wires), tuple(cables), tuple(board), tuple(conflicts), tuple(notes), load)


def _compute_header_load(file: TableFile, wires: list[Wire]) -> HeaderLoad | None:
    drivers = [file.devices[wire.device].driver for wire in wires]
    return HeaderLoad(drivers.count("lamps_pins"), drivers.count("buzzer")) if "lamps_pins" in drivers else None


def _add_led_end(section: DeviceSection, wire: Wire, load: HeaderLoad) -> Wire:
    """Say of the wire of an LED what it shows, and which resistor it wants."""
    outputs = section.driver_keys.get("outputs")
    if section.driver != "lamps_pins" or not isinstance(outputs, Mapping):
        return wire
    roles = [role.replace("_", " ") for role in ROLES if wire.bcm_number in outputs.get(role, {}).values()]
    side = "3.3 V, its short leg to the pin" if _lights_at_low(section) else "ground"
    return replace(wire, end=f"LED for {', '.join(roles)}, through {load.resistor_ohm} Ω to {side}")


def find_absent_seats(file: TableFile) -> Iterator[tuple[tuple[str, ...], str]]:
    """Lamps, antennas and keys of seats that the table does not have, each with its place in the file.

    No mistake: a table may be wired for ten and be played at eight.
    """
    places = file.table_line.get("places", DEFAULT_PLACES)
    if not isinstance(places, int):
        return

    def is_absent(seat: object) -> bool:
        return isinstance(seat, int) and seat > places

    only = f"the table has seats 1 to {places} (places in [table])"
    for name, section in file.devices.items():
        outputs = section.driver_keys.get("outputs")
        for role, seats in outputs.items() if isinstance(outputs, Mapping) else ():
            for seat in seats if isinstance(seats, Mapping) else ():
                if seat.isdecimal() and is_absent(int(seat)):
                    path = ("device", name, "outputs", role, seat)
                    yield (
                        path,
                        f"{name!r} has a lamp {role.replace('_', ' ')} of seat {seat}, which never lights: {only}",
                    )
    for name, place_by_antenna in file.places_by_reader.items():
        for antenna, place in place_by_antenna.items():
            word, _, seat = place.partition(" ")
            if word == "seat" and is_absent(int(seat)):
                where = ("antennas", name, *(() if antenna is None else (antenna,)))
                yield where, f"{name!r} reads at {place}, and what it reads there is nobody's card: {only}"
    for name, meaning_by_key in file.key_lines_by_panel.items():
        for key, meaning in meaning_by_key.items():
            if is_absent(meaning.get("seat")):
                text = f"key {key!r} of {name!r} is for seat {meaning['seat']}, and is always refused: {only}"
                yield ("keys", name, key), text


def find_unlimited_gates(file: TableFile) -> Mapping[str, str]:
    """The gates on pins whose coil may be on for ever, each with what is to be said of it."""
    return {
        name: f"the coil of {name!r} is on for as long as a card is due, which can be minutes, and one for "
        "intermittent duty burns; give it max_on_seconds and rest_seconds, or say continuous_duty = true if it is "
        "rated 100 % ED, a latch or a servo"
        for name, section in file.devices.items()
        if section.driver == "gate"
        and section.driver_keys.get("max_on_seconds") is None
        and section.driver_keys.get("continuous_duty") is not True
    }


def _find_glowing_leds(file: TableFile, wires: list[Wire]) -> Iterator[str]:
    """Name the LEDs that the board's own pull of their pin lights a little until the program comes."""
    for wire in wires:
        section = file.devices[wire.device]
        if section.driver != "lamps_pins" or get_power_on_level(wire.bcm_number) == _lights_at_low(section):
            continue
        pulled, others = ("down", "0 to 8") if _lights_at_low(section) else ("up", "9 to 27")
        yield (
            f"GPIO {wire.bcm_number} (pin {wire.header_pin}, {wire.role} of {wire.device!r}): is pulled {pulled} while "
            f"the board boots, and its LED may glow; {others} are not"
        )


def _lights_at_low(section: DeviceSection) -> bool:
    return section.driver_keys.get("active_low") is True


def _describe_end(section: DeviceSection, role: str) -> str:
    if section.driver == "key_panel":
        return "key to 3.3 V" if section.driver_keys.get("pressed_level") == "high" else "key to ground"
    if section.driver == "panel_matrix":
        return "keys of this line, a 1N4148 each with its ring to the row"
    return _WIRE_ENDS.get((section.driver, role), role)


def _iter_board_wires(section: DeviceSection) -> Iterator[BoardWire]:
    if section.driver != "bridge":
        return
    keys, outputs, buzzer = (section.driver_keys.get(name) for name in ("keys", "outputs", "buzzer"))
    if isinstance(keys, Mapping):
        for key, number in keys.items():
            chip = f"{'ABCDEFGH'[number % 8]} of 74HC165 number {number // 8 + 1}"
            yield BoardWire(section.name, f"key {key} to ground, 10 kΩ to 5 V", number, chip)
    if isinstance(outputs, Mapping):
        for role, seats in outputs.items():
            for seat, number in seats.items():
                chip = f"Q{'ABCDEFGH'[number % 8]} of 74HC595 number {number // 8 + 1}"
                yield BoardWire(section.name, f"lamp {role.replace('_', ' ')} of seat {seat}", number, chip)
    if isinstance(buzzer, int):
        yield BoardWire(
            section.name,
            _WIRE_ENDS["buzzer", "buzzer"],
            buzzer,
            f"Q{'ABCDEFGH'[buzzer % 8]} of 74HC595 number {buzzer // 8 + 1}",
        )


def _find_shared_pins(wires: list[Wire]) -> Iterator[str]:
    first: dict[int, Wire] = {}
    for wire in wires:
        other = first.setdefault(wire.bcm_number, wire)
        if other is not wire:
            yield (
                f"GPIO {wire.bcm_number} (pin {wire.header_pin}) is {other.role} of {other.device!r} and {wire.role} "
                f"of {wire.device!r}: give one of them another pin"
            )


def _find_shared_ports(cables: list[PortConnection]) -> Iterator[str]:
    first: dict[str, PortConnection] = {}
    for cable in cables:
        other = first.setdefault(resolve_port(cable.port), cable)
        if other is not cable:
            yield f"{cable.port} is the port of {other.device!r} and of {cable.device!r}: one device, one port"


def _find_pins_of_ports(wires: list[Wire], cables: list[PortConnection]) -> Iterator[str]:
    for cable in cables:
        taken = find_port_signals(resolve_port(cable.port))
        for wire in wires:
            if wire.bcm_number in taken:
                yield (
                    f"GPIO {wire.bcm_number} (pin {wire.header_pin}) is {wire.role} of {wire.device!r}, and "
                    f"{taken[wire.bcm_number]} of the "
                    f"port of {cable.device!r}: give {wire.device!r} another pin"
                )


def _iter_bus_wires(cables: list[PortConnection]) -> Iterator[Wire]:
    """The wires of a reader on an SPI bus; readers on one bus share all but the chip select."""
    for cable in cables:
        node = resolve_port(cable.port)
        if cable.line_settings != SPI_LINE:
            continue
        for pin, signal in find_port_signals(node).items():
            if not signal.startswith("CE") or signal == find_chip_select(node):
                yield Wire(cable.device, signal, pin, _BUS_WIRE_ENDS.get(signal, CHIP_SELECT_END), True)


def _find_supply_notes(cables: list[PortConnection]) -> Iterator[str]:
    for cable in cables:
        if cable.driver == "rc522":
            yield (
                f"{cable.device!r}: an RC522 wants 3.3 V (pin 1 or 17), and 5 V can destroy it; ground to pin 25, "
                f"RST to 3.3 V as well, IRQ stays free"
            )


def _find_notes(wires: list[Wire]) -> Iterator[str]:
    for wire in wires:
        where = f"GPIO {wire.bcm_number} (pin {wire.header_pin}, {wire.role} of {wire.device!r})"
        if wire.bcm_number in (0, 1):
            yield f"{where}: the board reads an EEPROM here while it boots; take another pin if one is free"
        elif wire.bcm_number in FIXED_PULL_UP_PINS:
            yield f"{where}: has a fixed pull-up of 1.8 kΩ and is the I²C bus where that is switched on"
        elif wire.bcm_number in UART_0_SIGNALS:
            yield f"{where}: is the serial console unless that is switched off (raspi-config, Serial Port)"
        elif wire.bcm_number in SPI_0_SIGNALS:
            yield f"{where}: is {SPI_0_SIGNALS[wire.bcm_number]} where SPI is switched on (dtparam=spi=on)"
