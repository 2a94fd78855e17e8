"""The pin drivers over the true `RPi.GPIO` (the extra [pi]), on a file in place of the chip's registers.

`RPi.GPIO` maps `/dev/gpiomem` and touches registers (source/c_gpio.c), so a file there stands for a chip whose far end
nobody moves: what is set up and driven is read in it, and what a beam does is written to it. It wants a Raspberry Pi's
`/proc/cpuinfo` (source/cpuinfo.c), which `tests/hardware/guest.sh` lays over the guest's. What a chip makes of its
registers is not here; no emulated machine at hand has both the registers and a kernel with `/dev/gpiomem`.
"""

import os
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers.contract.driver_interface import SAMPLE_INTERVAL_S, CardEdgeSensed, DeviceEvent, KeyPressed, Signals
from drivers.panels.key_panel import KeyPanel
from drivers.pins.rpi_pins import RpiPins
from drivers.shoe.shoe_gate import ShoeGate
from drivers.shoe.shoe_sensors import ShoeSensors

REGISTERS = os.environ.get("GPIO_REGISTERS")

pytestmark = [
    pytest.mark.elsewhere,
    pytest.mark.skipif(REGISTERS is None, reason="needs a file of registers in /dev/gpiomem: GPIO_REGISTERS names it"),
]

GPFSEL0, GPSET0, GPCLR0, GPLEV0, PULLS_2711 = 0, 7, 10, 13, 57
"""Words of the registers (BCM2835 ARM Peripherals, 6.1; BCM2711 ARM Peripherals, 5.2)."""

PULL_UP_2711 = 1


def read_word(number: int) -> int:
    word: int = struct.unpack_from("<I", Path(str(REGISTERS)).read_bytes(), 4 * number)[0]
    return word


def write_word(number: int, word: int) -> None:
    with Path(str(REGISTERS)).open("r+b") as file:
        file.seek(4 * number)
        file.write(struct.pack("<I", word))


def set_level(pin: int, high: bool) -> None:
    write_word(GPLEV0, read_word(GPLEV0) & ~(1 << pin) | high << pin)


def get_function(pin: int) -> int:
    """Return what a pin is for: 0 an input, 1 an output."""
    return read_word(GPFSEL0 + pin // 10) >> pin % 10 * 3 & 7


@pytest.fixture
def pins() -> Iterator[RpiPins]:
    for word in range(64):
        write_word(word, 0)
    pins = RpiPins()
    yield pins
    pins.close()


def sample_events(driver: KeyPanel | ShoeSensors, pins: RpiPins, samples: int = 10) -> list[DeviceEvent]:
    return [event for n in range(samples) for event in driver.sample(pins, time.monotonic() + n * SAMPLE_INTERVAL_S)]


def test_it_is_the_true_one_and_tells_no_edges(pins: RpiPins) -> None:
    assert pins.package == "RPi.GPIO"
    pins.setup_input(4, pull_up=True)
    assert not pins.watch_edges(4)


def test_the_gate_is_driven_and_given_back(pins: RpiPins, signals: Callable[..., Signals]) -> None:
    driver = ShoeGate("gate", pin=17, open_level="high", fail_safe="locked")
    driver.start(pins)
    assert (get_function(17), read_word(GPCLR0) >> 17 & 1) == (1, 1)
    driver.show_signals(signals(gate_open=True), pins)
    assert read_word(GPSET0) >> 17 & 1 == 1
    write_word(GPCLR0, 0)
    driver.stop(pins)
    assert read_word(GPCLR0) >> 17 & 1 == 1
    pins.close()
    assert get_function(17) == 0


def test_a_key_is_pulled_up_and_heard(pins: RpiPins) -> None:
    driver = KeyPanel("dealer", keys={"done": 5})
    set_level(5, high=True)
    driver.start(pins)
    assert get_function(5) == 0
    assert read_word(PULLS_2711) >> 10 & 3 == PULL_UP_2711
    assert sample_events(driver, pins) == []
    set_level(5, high=False)
    assert sample_events(driver, pins) == [KeyPressed("dealer", "done")]


def test_the_card_edge_is_sampled(pins: RpiPins) -> None:
    driver = ShoeSensors("mouth", edge_pin=4)
    set_level(4, high=True)
    driver.start(pins)
    assert sample_events(driver, pins) == []
    for _ in range(2):
        set_level(4, high=False)
        assert sample_events(driver, pins) == [CardEdgeSensed("mouth", True)]
        set_level(4, high=True)
        assert sample_events(driver, pins) == [CardEdgeSensed("mouth", False)]
