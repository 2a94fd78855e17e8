import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from drivers.contract.device_errors import (
    DriverConfigError,
    PortLostError,
    PortMissingError,
    PortUnknownError,
    PortUnsuitableError,
)
from drivers.contract.driver_interface import Signals
from drivers.lamps.lamp_patterns import PATTERN_BY_ROLE, SLOT_DURATION_S
from drivers.lamps.lamps_ws2812 import LampsWs2812, build_frame, encode_byte
from drivers.ports.byte_port import open_port
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.lamps.lamps_ws2812_simulator import LampsWs2812Simulator

OUTPUTS = {"act": {"1": 0, "2": 1}, "button": {"1": 0, "2": 2}}


def test_one_byte_on_the_bus() -> None:
    assert encode_byte(0xA5) == bytes.fromhex("D3 49 A6")


def test_frame_of_forty_lights() -> None:
    """Nine bytes a light, a low byte before, and at least 280 µs of low line behind (84 bytes at 2.4 MHz)."""
    data = build_frame([(255, 255, 255)] * 40)
    assert data[0] == 0
    assert len(data.rstrip(b"\0")) == 1 + 360
    assert len(data) - 361 >= 84


def test_colour_goes_green_red_blue() -> None:
    simulator = LampsWs2812Simulator(lambda: 0.0)
    simulator.receive_data(build_frame([(1, 2, 3), (0, 0, 0), (255, 128, 0)]))
    assert simulator.colours() == ((1, 2, 3), (0, 0, 0), (255, 128, 0))


def test_light_keeps_its_colour_when_the_latch_is_too_short() -> None:
    simulator = LampsWs2812Simulator(lambda: 0.0)
    simulator.receive_data(build_frame([(1, 2, 3)]))
    simulator.receive_data(build_frame([(9, 9, 9)])[:-40])
    assert simulator.colours() == ((1, 2, 3),)


def test_pattern_and_colour_of_a_shared_light(
    bench: Bench, clock: ManualClock, signals: Callable[..., Signals]
) -> None:
    driver = LampsWs2812("ring", lights=3, outputs=OUTPUTS, colours={"act": "00FF80"}, brightness=1)
    port = open_port("sim://lamps_ws2812/ring", driver, read_seconds=0)
    simulator = bench.find_simulator("ring", LampsWs2812Simulator)
    port.write(driver.on_port_opened())
    assert simulator.colours() == ((0, 0, 0),) * 3
    driver.on_tick(clock())
    port.write(driver.show_signals(signals(act=(1,), button=(1, 2))))
    seen = ""
    for _ in PATTERN_BY_ROLE["act"]:
        clock.advance(SLOT_DURATION_S / 2)
        port.write(driver.on_tick(clock())[0])
        seen += {(0, 255, 128): "#", (0, 0, 0): "."}[simulator.colours()[0]]
        assert simulator.colours()[2] == (255, 255, 255)
        clock.advance(SLOT_DURATION_S / 2)
    assert seen == PATTERN_BY_ROLE["act"]


def test_nothing_is_sent_while_nothing_changes(signals: Callable[..., Signals]) -> None:
    driver = LampsWs2812("ring", lights=3, outputs=OUTPUTS)
    driver.on_tick(1.0)
    driver.show_signals(signals(button=(1,)))
    assert driver.on_tick(1.2) == (b"", ())
    assert driver.on_tick(1.6)[0] != b""


@pytest.mark.parametrize(
    ("lights", "colours", "brightness", "key", "message"),
    [
        (0, {}, 1.0, "lights", "it must be 1 to 150, not 0"),
        (3, {}, 0.0, "brightness", "it must be more than 0 and at most 1, not 0"),
        (3, {"act": "green"}, 1.0, "colours.act", "a colour has six hexadecimal digits, RRGGBB, not 'green'"),
        (3, {"act": "00FF0"}, 1.0, "colours.act", "a colour has six hexadecimal digits, RRGGBB, not '00FF0'"),
        (2, {}, 1.0, "outputs.button.2", "there is no output 2; there are 0 to 1"),
    ],
)
def test_refusals(lights: int, colours: dict[str, str], brightness: float, key: str, message: str) -> None:
    with pytest.raises(DriverConfigError) as caught:
        LampsWs2812("ring", lights=lights, outputs=OUTPUTS, colours=colours, brightness=brightness)
    assert (caught.value.key, caught.value.message) == (key, message)


# The port. A file stands for the bus; only its settings are the kernel's own affair.


@pytest.fixture
def bus(tmp_path: Path, mocker: MockerFixture) -> Path:
    mocker.patch("fcntl.ioctl", return_value=0)
    file = tmp_path / "spidev0.0"
    file.touch()
    return file


def test_port_writes_whole_transfers(bus: Path) -> None:
    driver = LampsWs2812("ring", lights=3, outputs=OUTPUTS)
    port = open_port(f"spi://{bus}?hz=2400000", driver, read_seconds=0)
    port.write(driver.on_port_opened())
    assert bus.read_bytes() == driver.on_port_opened()
    assert port.read() == b""
    with pytest.raises(PortLostError, match="more than the 4096 of one transfer"):
        port.write(bytes(5000))
    port.close()


def test_bus_that_is_not_there_or_cannot_be_set(bus: Path, mocker: MockerFixture) -> None:
    driver = LampsWs2812("ring", lights=3, outputs=OUTPUTS)
    with pytest.raises(PortMissingError):
        open_port("spi:///dev/spidev9.9", driver)
    with pytest.raises(PortUnknownError, match=r"it should read spi:///dev/spidev0\.0"):
        open_port(f"spi://{bus}?speed=1", driver)
    mocker.patch("fcntl.ioctl", side_effect=OSError(errno.EINVAL, os.strerror(22)))
    with pytest.raises(PortUnsuitableError):
        open_port(f"spi://{bus}", driver)
