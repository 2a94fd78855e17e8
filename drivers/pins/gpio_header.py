"""The forty-pin header: which pins there are and how each is pulled while nobody has set it up."""

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
