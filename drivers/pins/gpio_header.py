"""The forty-pin header: which pins there are, how each is pulled while nobody has set it up, and which a port takes."""

import re
from collections.abc import Mapping

from drivers.contract.device_errors import DriverConfigError

PIN_NUMBERS = range(28)
"""The BCM numbers the header brings out."""

PULLED_UP_PINS = range(9)
"""The BCM numbers that are pulled up from power-on until a program sets them up; the others are pulled down.

Source: the power-on table of the BCM2835 and its successors.
"""

FIXED_PULL_UP_PINS = (2, 3)
"""The BCM numbers with a pull-up of 1.8 kΩ on the board, which no program takes away.

Source: Raspberry Pi documentation, "GPIO and the 40-pin header".
"""

SPI_PORT_PATTERN = re.compile(r"spi:///dev/(spidev[0-9]+)\.([0-9]+)")
SPI_0_PORT_PREFIX = "spi:///dev/spidev0."
SPI_0_SIGNALS: Mapping[int, str] = {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"}
"""BCM number -> what it is where SPI 0 is in use; the kernel's driver takes both chip selects for either device."""

SPI_1_PORT_PATTERN = re.compile(r"spi:///dev/spidev1\.([0-2])(?![0-9])")
SPI_1_SIGNALS: Mapping[int, str] = {19: "MISO", 20: "MOSI", 21: "SCLK"}
SPI_1_CHIP_SELECT_PINS = (18, 17, 16)
"""The BCM numbers of CE0 to CE2 of SPI 1: `dtoverlay=spi1-1cs` takes the first, `spi1-3cs` all of them."""

UART_0_PORTS = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
"""Names of the UART on the header, whichever of the board's two it is."""

UART_0_SIGNALS: Mapping[int, str] = {14: "TXD", 15: "RXD"}


def check_pins(device: str, pins: Mapping[str, int]) -> None:
    """Refuse, with `DriverConfigError`, a pin that does not exist or has two roles; `pins` is key -> pin."""
    users: dict[int, str] = {}
    for key, pin in pins.items():
        if pin not in PIN_NUMBERS:
            first, last = PIN_NUMBERS[0], PIN_NUMBERS[-1]
            raise DriverConfigError(device, key, f"there is no pin {pin}; a BCM number is {first} to {last}")
        if pin in users:
            raise DriverConfigError(
                device, key, f"pin {pin} is already {users[pin]!r}; give every role a pin of its own"
            )
        users[pin] = key


def get_power_on_level(pin: int) -> bool:
    """Return the level a pin without an outside resistor has until a program sets it up."""
    return pin in PULLED_UP_PINS


def find_port_signals(node: str) -> Mapping[int, str]:
    """Return the pins that a port takes: BCM number -> signal. `node` is the port's device, its links followed."""
    if node in UART_0_PORTS:
        return UART_0_SIGNALS
    if found := SPI_1_PORT_PATTERN.match(node):
        selects = SPI_1_CHIP_SELECT_PINS[: int(found[1]) + 1]
        return {**{pin: f"CE{number}" for number, pin in enumerate(selects)}, **SPI_1_SIGNALS}
    return SPI_0_SIGNALS if node.startswith(SPI_0_PORT_PREFIX) else {}


def find_spi_bus(node: str) -> str | None:
    """Name the bus that a port is on, such as `spidev0`; nothing where it is on none."""
    found = SPI_PORT_PATTERN.match(node)
    return None if found is None else found[1]


def find_chip_select(node: str) -> str | None:
    """Name the chip select of a port, such as `CE1`; nothing where it is on no SPI bus."""
    found = SPI_PORT_PATTERN.match(node)
    return None if found is None else f"CE{found[2]}"
