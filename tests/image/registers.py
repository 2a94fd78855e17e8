"""What the chip's pins did: QEMU's own log of each write to a register, put through the far ends of our devices."""

import re
from pathlib import Path

from drivers.simulators.simulated_pins import SimulatedPins

TRACE = "memory_region_ops_write"
"""QEMU's trace event, one a write to a device's register: `… addr 0x3f20001c value 0x20000 size 4 …`."""

GPSET0, GPCLR0, GPLEV0 = 0x3F20001C, 0x3F200028, 0x3F200034
"""Put pins 0 to 31 high, low; their levels (BCM2837 ARM Peripherals, 6.1)."""

WRITTEN = re.compile(rf"addr {GPSET0 & ~0xFF:#x}".removesuffix("00").encode() + rb"(1c|28) value 0x([0-9a-f]+)")


class TracedPins:
    """Pins that do what the log says they did; `SimulatedPins` to those who are wired to them."""

    def __init__(self, log: Path, pins: SimulatedPins, which: tuple[int, ...]) -> None:
        self.pins = pins
        self._file = log.open("rb")
        self._which = which
        self._rest = b""
        self._there: set[int] = set()

    def follow(self) -> None:
        """Take what has been logged since."""
        lines = (self._rest + self._file.read()).split(b"\n")
        self._rest = lines.pop()
        for line in lines:
            found = WRITTEN.search(line)
            if found is not None:
                self._put(int(found.group(2), 16), high=found.group(1) == b"1c")

    def close(self) -> None:
        """Look no further."""
        self._file.close()

    def _put(self, mask: int, *, high: bool) -> None:
        for pin in self._which:
            if mask >> pin & 1:
                if pin in self._there:
                    self.pins.write(pin, high)
                else:
                    self._there.add(pin)
                    self.pins.setup_output(pin, high)
