"""A speed that a device cannot have is refused by its key, before a port is opened with it."""

import pytest

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import ByteDriver
from drivers.contract.driver_registry import DRIVERS, build_driver, list_driver_keys

REQUIRED_KEYS_BY_DRIVER: dict[str, dict[str, object]] = {
    "lines": {"antennas": ["1"]},
    "thingmagic": {"region": "europe"},
}

SETTABLE = [driver for driver in DRIVERS if any(key.name == "baudrate" for key in list_driver_keys(driver))]


def make_driver(driver: str, baudrate: object) -> ByteDriver:
    made = build_driver(driver, "it", {**REQUIRED_KEYS_BY_DRIVER.get(driver, {}), "baudrate": baudrate})
    assert isinstance(made, ByteDriver)
    return made


def test_drivers_whose_speed_is_set_in_the_file() -> None:
    assert SETTABLE == ["barcode", "de2120", "feig", "gm65", "lines", "s6350", "ssi", "thingmagic"]


@pytest.mark.parametrize("driver", SETTABLE)
@pytest.mark.parametrize("baudrate", [0, -9600, 1, 299, 2_000_001, 10**12, 9600.0, 9600.5, True, "9600", [9600], None])
def test_speed_that_no_device_has_is_refused_by_its_key(driver: str, baudrate: object) -> None:
    with pytest.raises(DriverConfigError) as caught:
        make_driver(driver, baudrate)
    assert caught.value.key == "baudrate"
    assert caught.value.message.startswith("it must be ")
    assert caught.value.message.endswith(f", not {baudrate!r}")


@pytest.mark.parametrize(
    ("driver", "speeds"),
    [
        ("feig", (4800, 9600, 19200, 38400, 57600, 115200)),
        ("s6350", (9600, 38400, 57600)),
        ("barcode", (300, 1200, 9600, 14400, 115200, 2_000_000)),
        ("lines", (1200, 9600, 115200, 250_000, 2_000_000)),
    ],
)
def test_speeds_that_the_manual_names_are_taken(driver: str, speeds: tuple[int, ...]) -> None:
    """FEIG: CFG1, byte BAUD, 5 to 10 (manual H90400-0e, 4.5). S6350: reference guide 11-06-21-700, jumpers."""
    assert [make_driver(driver, speed).baudrate for speed in speeds] == [*speeds]


@pytest.mark.parametrize(
    ("driver", "baudrate"), [("feig", 14400), ("feig", 230400), ("s6350", 19200), ("s6350", 115200)]
)
def test_speed_between_those_of_the_manual_is_refused(driver: str, baudrate: int) -> None:
    with pytest.raises(DriverConfigError, match=f"or 57600.*, not {baudrate}"):
        make_driver(driver, baudrate)
