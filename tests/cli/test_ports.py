"""`tablectl ports`, `udev` and `wiring`."""

import os
import pwd
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config.table_file import load_table_file
from controller.app.commissioning.header_load import MAX_HEADER_CURRENT_MA, HeaderLoad
from controller.app.commissioning.udev_rules import render_udev_rules
from controller.app.commissioning.wiring import NAME_BY_HEADER_PIN, PIN_BY_BCM_NUMBER, read_wiring
from controller.app.commissioning.wiring_drawing import CLASH_COLOUR
from controller.app.diagnostics import machine_ports as ports_module
from controller.app.diagnostics.machine_ports import MachinePort, UsbDevice, list_other_ports, list_serial_ports
from drivers.pins import gpio_header

WHO = pwd.getpwuid(os.geteuid()).pw_name

Tablectl = Callable[..., tuple[int, str, str]]
TableFile = Callable[[str], Path]


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """The root of a machine with an FTDI adapter, a nameless CH340, an empty UART and a scanner that types."""
    root = tmp_path / "machine"

    def write(file: str, text: str = "") -> Path:
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def adapter(bus: str, tty: str, **facts: str) -> None:
        for name, text in facts.items():
            write(f"sys/devices/{bus}/{name}", text + "\n")
        write(f"sys/devices/{bus}/{bus}:1.0/bInterfaceNumber", "00\n")
        device = root / f"sys/devices/{bus}/{bus}:1.0/{tty}"
        device.mkdir(parents=True)
        (root / f"sys/class/tty/{tty}").mkdir(parents=True)
        (root / f"sys/class/tty/{tty}/device").symlink_to(device)
        write(f"dev/{tty}")

    adapter("1-1", "ttyUSB0", idVendor="0403", idProduct="6001", serial="A9", product="FT232R USB UART")
    adapter("1-2", "ttyUSB1", idVendor="1a86", idProduct="7523", product="USB Serial")
    (root / "sys/class/tty/ttyS0/device").mkdir(parents=True)
    write("sys/class/tty/ttyS0/type", "0\n")
    write("dev/ttyS0")
    (root / "sys/class/tty/tty1").mkdir()
    for folder, link, node in (
        ("serial/by-id", "usb-FTDI_FT232R_USB_UART_A9-if00-port0", "ttyUSB0"),
        ("serial/by-path", "platform-usb-0:1:1.0-port0", "ttyUSB0"),
        ("serial/by-path", "platform-usb-0:2:1.0-port0", "ttyUSB1"),
        ("input/by-id", "usb-Honeywell_1450g-event-kbd", "input/event3"),
    ):
        write("dev/input/event3")
        (root / f"dev/{folder}").mkdir(parents=True, exist_ok=True)
        (root / f"dev/{folder}/{link}").symlink_to(root / f"dev/{node}")
    write("dev/spidev0.0")
    write("proc/77/comm", "minicom\n")
    (root / "proc/77/fd").mkdir()
    os.symlink("/dev/ttyUSB0", root / "proc/77/fd/3")
    return root


def test_ports_by_their_stable_names(machine: Path) -> None:
    first, second = list_serial_ports(machine)
    assert (first.node, first.stable_name) == (
        "/dev/ttyUSB0",
        "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A9-if00-port0",
    )
    assert first.usb_device == UsbDevice("0403", "6001", "A9", "FT232R USB UART", "00")
    assert first.users == ("minicom (pid 77)",)
    assert second.stable_name == "/dev/serial/by-path/platform-usb-0:2:1.0-port0"
    assert second.usb_device is not None
    assert second.usb_device.serial == ""
    scanner, spi = list_other_ports(machine)
    assert scanner.stable_name == "/dev/input/by-id/usb-Honeywell_1450g-event-kbd"
    assert (spi.node, spi.stable_name) == ("/dev/spidev0.0", None)


def test_udev_rules(machine: Path) -> None:
    text = render_udev_rules(list_serial_ports(machine), {"/dev/ttyUSB0": "shoe"})
    lines = text.splitlines()
    (shoe,) = [line for line in lines if "table/shoe" in line]
    assert shoe == (
        'SUBSYSTEM=="tty", ATTRS{idVendor}=="0403", ATTRS{idProduct}=="6001", ATTRS{serial}=="A9", '
        'ENV{ID_USB_INTERFACE_NUM}=="00", SYMLINK+="table/shoe", GROUP="dialout", MODE="0660", '
        'ENV{ID_MM_DEVICE_IGNORE}="1", ATTR{device/latency_timer}="1"'
    )
    (nameless,) = [line for line in lines if "table/port2" in line]
    assert "serial" not in nameless
    assert "# It has no serial number: a second one of its kind would match too; then use its by-path name." in lines
    assert "No USB serial port is plugged in now" in render_udev_rules([], {})


def test_the_commands(tablectl: Tablectl, table: TableFile, mocker: MockerFixture) -> None:
    port = MachinePort(
        "/dev/ttyUSB0", "/dev/serial/by-id/a", UsbDevice("1", "2", "", "X", ""), "dialout", False, ("y (pid 1)",)
    )
    bus = MachinePort("/dev/spidev0.0", None, None, "spi", True, ())
    mocker.patch.object(ports_module, "list_serial_ports", return_value=[port])
    mocker.patch.object(ports_module, "list_other_ports", return_value=[bus])
    status, out, _ = tablectl("ports")
    assert status == 0
    assert out.splitlines() == [
        "/dev/serial/by-id/a",
        "    X (1:2, without a serial number)",
        "    now /dev/ttyUSB0",
        f"    this user may not open it: sudo usermod -a -G dialout {WHO}, then log in again",
        "    open in y (pid 1)",
        "spi:///dev/spidev0.0",
    ]
    path = table('[device.shoe]\ndriver = "ssi"\nport = "/dev/ttyUSB0"\n')
    assert "table/shoe" in tablectl("udev", "--config", path)[1]
    path.write_text("x")
    assert tablectl("udev", "--config", path)[0] == 2
    assert tablectl("wiring", "--config", path)[0] == 2
    mocker.patch.object(ports_module, "list_serial_ports", return_value=[])
    mocker.patch.object(ports_module, "list_other_ports", return_value=[])
    assert tablectl("ports")[1].startswith("nothing is plugged in")


# Wiring.

CLASHES = """
[device.gate]
driver = "gate"
pin = 17
open_level = "high"
fail_safe = "locked"
[device.panel]
driver = "key_panel"
[device.panel.keys]
done = 17
undo = 10
up = 14
down = 2
hat = 0
[device.ring]
driver = "lamps_ws2812"
port = "spi:///dev/spidev0.0"
lights = 1
outputs = { act = { 1 = 0 } }
[device.shoe]
driver = "rdm6300"
port = "/dev/serial0"
[device.other]
driver = "rdm6300"
port = "/dev/serial0"
[device.broken]
driver = "gate"
pin = 40
open_level = "high"
fail_safe = "locked"
"""


def test_every_conflict_is_named(table: TableFile) -> None:
    wiring = read_wiring(load_table_file(table(CLASHES)))
    text = "\n".join(wiring.conflicts)
    for words in (
        "GPIO 17 (pin 11) is gate of 'gate' and key done of 'panel': give one of them another pin",
        "GPIO 10 (pin 19) is key undo of 'panel', and MOSI of the port of 'ring': give 'panel' another pin",
        "GPIO 14 (pin 8) is key up of 'panel', and TXD of the port of 'shoe'",
        "/dev/serial0 is the port of 'shoe' and of 'other': one device, one port",
        "there is no pin 40",
    ):
        assert words in text
    notes = "\n".join(wiring.notes)
    assert "fixed pull-up of 1.8 kΩ" in notes
    assert "EEPROM" in notes


BUZZERS = "".join(f'[device.b{pin}]\ndriver = "buzzer"\npin = {pin}\n' for pin in range(9, 27))
LEDS_BESIDE_BUZZERS = '[device.lamps]\ndriver = "lamps_pins"\noutputs = { act = { 1 = 27, 2 = 4, 3 = 5, 4 = 6 } }\n'
UART_READER = '[device.shoe]\ndriver = "rdm6300"\nport = "/dev/serial0"\n'
LED_AT = '[device.lamps]\ndriver = "lamps_pins"\noutputs = {{ act = {{ 1 = {pin} }} }}\n'
KEY_AT = '[device.panel]\ndriver = "key_panel"\nkeys = {{ done = {pin} }}\n[keys.panel]\ndone = {{ ev = "done" }}\n'
STRING = (
    '[device.ring]\ndriver = "lamps_ws2812"\nport = "spi:///dev/spidev0.0"\nlights = 1\noutputs = { act = { 1 = 0 } }\n'
)
SPI_READER = '[device.seat4]\ndriver = "rc522"\nport = "spi:///dev/spidev0.0"\n'


@pytest.mark.parametrize(
    ("devices", "words"),
    [
        (UART_READER + LED_AT.format(pin=14), "is lamp of seat 1 of 'lamps', and TXD of the port of 'shoe'"),
        (LED_AT.format(pin=15) + UART_READER, "is lamp of seat 1 of 'lamps', and RXD of the port of 'shoe'"),
        (STRING + KEY_AT.format(pin=8), "GPIO 8 (pin 24) is key done of 'panel', and CE0 of the port of 'ring'"),
        (LED_AT.format(pin=9) + KEY_AT.format(pin=9), "GPIO 9 (pin 21) is lamp of seat 1 of 'lamps' and key done of"),
        (UART_READER + UART_READER.replace("shoe", "muck"), "/dev/serial0 is the port of 'shoe' and of 'muck'"),
        (LED_AT.format(pin=28), "there is no pin 28"),
        (UART_READER.replace('port = "/dev/serial0"', ""), "'shoe' has no port; driver 'rdm6300' speaks on a"),
        (LED_AT.format(pin=9) + 'port = "/dev/serial0"\n', "'lamps' has a port; driver 'lamps_pins' is on pins"),
        (BUZZERS + LEDS_BESIDE_BUZZERS, "take at most 52.8 mA; the header bears 50 mA in all"),
        (UART_READER + LED_AT.format(pin=9) + KEY_AT.format(pin=8), None),
        (STRING + LED_AT.format(pin=14), None),
        (SPI_READER + KEY_AT.format(pin=7), "GPIO 7 (pin 26) is key done of 'panel', and CE1 of the port of 'seat4'"),
        (SPI_READER + KEY_AT.format(pin=18), None),
        (SPI_READER.replace("0.0", "1.0") + KEY_AT.format(pin=18), "key done of 'panel', and CE0 of the port of"),
        (SPI_READER.replace("0.0", "1.0") + KEY_AT.format(pin=17), None),
        (SPI_READER.replace("0.0", "1.2") + KEY_AT.format(pin=17), "key done of 'panel', and CE1 of the port of"),
        (SPI_READER.replace("0.0", "1.2") + KEY_AT.format(pin=8), None),
        (STRING + SPI_READER.replace("0.0", "0.1"), "is on the bus of device 'ring', which has no chip select"),
        (SPI_READER.replace("0.0", "0.1") + STRING, "put 'seat4' on the other bus (dtoverlay=spi1-3cs"),
        (STRING + SPI_READER.replace("0.0", "1.0"), None),
        (SPI_READER + SPI_READER.replace("0.0", "0.1").replace("seat4", "seat5"), None),
        (SPI_READER + SPI_READER.replace("0.0", "0.0?hz=500000").replace("seat4", "seat5"), "one device, one port"),
        (UART_READER.replace("/dev/serial0", "/dev/table/shoe") + LED_AT.format(pin=14), None),
    ],
)  # fmt: skip
def test_check_finds_what_wiring_finds(tablectl: Tablectl, table: TableFile, devices: str, words: str | None) -> None:
    path = table(devices)
    wired, out, _ = tablectl("wiring", "--config", path)
    checked, told, _ = tablectl("check", path)
    assert (wired, checked) == ((0, 0) if words is None else (2, 2)), told
    assert words is None or words in out
    drawn, _, why = tablectl("wiring", "--config", path, "--svg")
    assert drawn == wired
    assert words is None or words in why


def test_wiring_names_every_wire_of_a_reader_on_spi(tablectl: Tablectl, table: TableFile) -> None:
    """Two readers share a bus and not the chip select; that is no clash, neither in words nor in the drawing."""
    path = table(SPI_READER + SPI_READER.replace("0.0", "0.1").replace("seat4", "seat5"))
    status, out, _ = tablectl("wiring", "--config", path)
    assert status == 0
    rows = [line.split(maxsplit=4) for line in out.splitlines() if line[:2].isdigit()]
    assert [row[:4] for row in rows if row[2] == "seat5"] == [
        ["19", "10", "seat5", "MOSI"],
        ["21", "9", "seat5", "MISO"],
        ["23", "11", "seat5", "SCLK"],
        ["26", "7", "seat5", "CE1"],
    ]
    assert [row[4] for row in rows if row[3] == "CE0"] == ["SDA (that is SS) of the reader"]
    assert "3.3 V (pin 1 or 17), and 5 V can destroy it" in out
    assert CLASH_COLOUR not in tablectl("wiring", "--config", path, "--svg")[1]


def test_check_names_the_pin_of_the_readers_port(tablectl: Tablectl, table: TableFile) -> None:
    path = table(UART_READER + LED_AT.format(pin=14))
    line = path.read_text().splitlines().index("[device.lamps]") + 1
    assert (
        f"table.toml:{line}: device.lamps: its lamp of seat 1 is on pin 14, which is TXD of the port of device 'shoe' "
        "(/dev/serial0)"
    ) in tablectl("check", path)[1]


def test_a_port_is_known_by_whatever_name(tmp_path: Path, table: TableFile, mocker: MockerFixture) -> None:
    """A rule of udev gives the UART another name; a Pi 5 has another UART behind /dev/serial0."""
    uart, debug = tmp_path / "ttyAMA0", tmp_path / "ttyAMA10"
    (tmp_path / "shoe").symlink_to(uart)
    (tmp_path / "serial0").symlink_to(debug)
    mocker.patch.object(gpio_header, "UART_0_PORTS", (str(uart), str(tmp_path / "serial0")))
    for name, found in (("ttyAMA0", 1), ("shoe", 1), ("ttyAMA10", 0), ("serial0", 0)):
        file = load_table_file(table(UART_READER.replace("/dev/serial0", str(tmp_path / name)) + LED_AT.format(pin=14)))
        assert len(read_wiring(file).conflicts) == found, name
    both = UART_READER.replace("/dev/serial0", str(uart)) + UART_READER.replace(
        "/dev/serial0", str(tmp_path / "shoe")
    ).replace("shoe]", "muck]")
    assert len(read_wiring(load_table_file(table(both))).conflicts) == 1


def test_the_drawing_shows_every_wire(tablectl: Tablectl, table: TableFile) -> None:
    path = table(CLASHES)
    status, out, why = tablectl("wiring", "--config", path, "--svg")
    assert status == 2
    assert "GPIO 17" in why
    drawn = [text.text or "" for text in ET.fromstring(out).iter("{http://www.w3.org/2000/svg}text")]
    assert "gate gate + panel key done" in drawn
    assert any(text.startswith("Conflict: GPIO 17") for text in drawn)
    assert sum(text.startswith("GPIO") or "  GPIO" in text for text in drawn) == 28
    status, out, _ = tablectl("wiring", "--config", path)
    assert status == 2
    assert "CONFLICTS:" in out


SEAT_LEDS = """
[device.lamps]
driver = "lamps_pins"
[device.lamps.outputs]
act = { 1 = 9, 2 = 10 }
small_blind = { 1 = 11, 2 = 12 }
button = { 1 = 11, 2 = 12 }
"""


def test_leds_on_pins_have_their_resistors(tablectl: Tablectl, table: TableFile) -> None:
    path = table(SEAT_LEDS)
    status, out, _ = tablectl("wiring", "--config", path)
    assert status == 0
    lines = [line.split(maxsplit=3) for line in out.splitlines()]
    assert ["21", "9", "lamps", "act lamp of seat 1     LED for act, through 560 Ω to ground"] in lines
    assert ["23", "11", "lamps", "button lamp of seat 1  LED for button, small blind, through 560 Ω to ground"] in lines
    # (3.3 V - 1.8 V) / 560 Ω = 2.68 mA
    sentence = "the LEDs on pins (4, each through 560 Ω) take at most 10.7 mA; the header bears 50 mA in all"
    assert f"* {sentence}" in out
    drawn = [text.text for text in ET.fromstring(tablectl("wiring", "--config", path, "--svg")[1]).iter() if text.text]
    assert "lamps button lamp of seat 2" in drawn
    assert sentence in drawn
    path.write_text(path.read_text().replace('"lamps_pins"', '"lamps_pins"\nactive_low = true'))
    status, out, _ = tablectl("wiring", "--config", path)
    assert "LED for act, through 560 Ω to 3.3 V, its short leg to the pin" in out


@pytest.mark.parametrize(("active_low", "pulled"), [(False, "up"), (True, "down")])
def test_led_that_glows_while_the_board_boots_is_noted(table: TableFile, active_low: bool, pulled: str) -> None:
    lamps = f'[device.lamps]\ndriver = "lamps_pins"\nactive_low = {str(active_low).lower()}\n'
    wiring = read_wiring(load_table_file(table(lamps + "outputs = { act = { 1 = 4, 2 = 9 } }\n")))
    bcm, others = (9, "0 to 8") if active_low else (4, "9 to 27")
    (note,) = [note for note in wiring.notes if "boots, and" in note]
    assert f"GPIO {bcm} (" in note
    assert f"is pulled {pulled} while the board boots, and its LED may glow; {others} are not" in note


@pytest.mark.parametrize(("leds", "ohms"), [(1, 560), (18, 560), (19, 680), (22, 680), (23, 820), (26, 820), (27, 820)])
def test_resistors_keep_all_leds_within_what_the_header_bears(leds: int, ohms: int) -> None:
    load = HeaderLoad(leds, 0)
    assert load.resistor_ohm == ohms
    assert load.current_ma == pytest.approx(leds * 1500 / ohms)
    assert load.current_ma <= MAX_HEADER_CURRENT_MA
    assert load.current_ma / leds <= 3, "the maker counts on 3 mA a pin"


def test_buzzers_and_leds_share_the_header(table: TableFile) -> None:
    """A transistor's base through 1 kΩ takes 2.6 mA."""
    assert HeaderLoad(18, 1).resistor_ohm == 680
    assert HeaderLoad(18, 1).current_ma == pytest.approx(18 * 1500 / 680 + 2.6)
    (conflict,) = read_wiring(load_table_file(table(BUZZERS + LEDS_BESIDE_BUZZERS))).conflicts
    assert conflict == (
        "the LEDs on pins (4, each through 1000 Ω) and the buzzers (18) take at most 52.8 mA; the header bears 50 mA "
        "in all: put lamps on a chain of 74HC595 (driver lamps_595)"
    )


def test_the_board_is_wired_too(tablectl: Tablectl, table: TableFile) -> None:
    path = table(
        '[device.bridge]\ndriver = "bridge"\nport = "/dev/table/bridge"\nbuzzer = 47\n[device.bridge.keys]\ndone = 9\n'
        "[device.bridge.outputs]\nact = { 3 = 17 }\n"
    )
    status, out, _ = tablectl("wiring", "--config", path)
    assert status == 0
    assert "B of 74HC165 number 2" in out
    assert "QB of 74HC595 number 3" in out
    assert "lamp act of seat 3" in out
    assert "QH of 74HC595 number 6" in out
    assert "buzzer's transistor" in out
    status, out, _ = tablectl("wiring", "--config", path, "--svg")
    drawn = [text.text or "" for text in ET.fromstring(out).iter("{http://www.w3.org/2000/svg}text")]
    assert {"bridge: 74HC165 number 2", "B", "key done", "bridge: 74HC595 number 3", "QB"} <= set(drawn)
    assert not any("GPIO" in text for text in drawn), "no pin of the header is used"


def test_the_header_is_the_real_one() -> None:
    """Pins that everybody who ever wired a Pi knows, and none twice."""
    assert sorted(PIN_BY_BCM_NUMBER) == list(range(28))
    assert [PIN_BY_BCM_NUMBER[n] for n in (2, 3, 4, 17, 18, 27, 22, 10, 9, 11, 5, 6, 13, 19, 26, 21, 20, 16, 12)] == [
        3, 5, 7, 11, 12, 13, 15, 19, 21, 23, 29, 31, 33, 35, 37, 40, 38, 36, 32,
    ]  # fmt: skip
    assert [pin for pin, name in NAME_BY_HEADER_PIN.items() if name == "GND"] == [6, 9, 14, 20, 25, 30, 34, 39]
