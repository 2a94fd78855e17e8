"""The forty-pin header: which pins there are, how each is pulled while nobody has set it up, and which a port takes."""

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

SPI_0_PORT_PREFIX = "spi:///dev/spidev0."
SPI_0_SIGNALS: Mapping[int, str] = {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"}
"""BCM number -> what it is where SPI 0 is in use; the kernel's driver takes both chip selects for either device."""

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
    return SPI_0_SIGNALS if node.startswith(SPI_0_PORT_PREFIX) else {}
