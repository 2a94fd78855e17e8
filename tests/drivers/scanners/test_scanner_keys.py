"""What the numbers in a scanner's table may be: each has a range, and a refusal names the key and the range."""

import math
from typing import Literal, get_args, get_origin

import pytest

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import TagReader
from drivers.contract.driver_registry import DRIVERS, build_driver, list_driver_keys

READERS_OF_LINES = [name for name, where in DRIVERS.items() if where.startswith("drivers.scanners.")] + ["rdm6300"]


def list_number_keys(accepted: float) -> list[tuple[str, str]]:
    return [
        (driver, key.name)
        for driver in READERS_OF_LINES
        for key in list_driver_keys(driver)
        if key.is_right(accepted)
        and get_origin(key.annotation) is not Literal
        and not any(get_origin(part) is Literal for part in get_args(key.annotation))
    ]


@pytest.mark.parametrize(("driver", "key"), list_number_keys(7))
@pytest.mark.parametrize("value", [-1, -(10**9), 10**9, 10**30])
def test_a_number_out_of_range_is_refused(driver: str, key: str, value: int) -> None:
    with pytest.raises(DriverConfigError, match=rf"'shoe', key '{key}': it must be .* to .*, not {value}"):
        build_driver(driver, "shoe", {key: value})


@pytest.mark.parametrize(("driver", "key"), list_number_keys(7.5))
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.001])
def test_no_number_at_all_is_refused(driver: str, key: str, value: float) -> None:
    with pytest.raises(DriverConfigError, match=rf"'shoe', key '{key}': it must be "):
        build_driver(driver, "shoe", {key: value})


@pytest.mark.parametrize(("driver", "key"), list_number_keys(7))
@pytest.mark.parametrize("value", ["6", True, [6], {}])
def test_what_is_no_number_is_refused(driver: str, key: str, value: object) -> None:
    with pytest.raises(DriverConfigError, match=rf"'shoe', key '{key}': it must be a .*number"):
        build_driver(driver, "shoe", {key: value})


@pytest.mark.parametrize("driver", ["barcode", "de2120", "gm65", "keyboard_scanner"])
def test_length_is_that_of_a_line(driver: str) -> None:
    for value in (1, 6, 256):
        build_driver(driver, "shoe", {"length": value})
    for bad in (0, 257):
        with pytest.raises(DriverConfigError, match=rf"'length': it must be 1 to 256 characters, not {bad}"):
            build_driver(driver, "shoe", {"length": bad})


@pytest.mark.parametrize("driver", ["barcode", "de2120", "gm65", "keyboard_scanner", "ssi"])
def test_same_code_seconds_are_up_to_ten(driver: str) -> None:
    for value in (0, 0.5, 10):
        made = build_driver(driver, "shoe", {"same_code_seconds": value})
        assert isinstance(made, TagReader)
        assert made.absence_timeout_s == value
    with pytest.raises(DriverConfigError, match=r"'same_code_seconds': it must be 0 to 10 seconds, not 10\.5"):
        build_driver(driver, "shoe", {"same_code_seconds": 10.5})


def test_speeds_of_a_barcode_scanner() -> None:
    for value in (300, 31250, 2_000_000):
        build_driver("barcode", "shoe", {"baudrate": value})
    for bad in (0, 299, 2_000_001):
        with pytest.raises(DriverConfigError, match=rf"'baudrate': it must be 300 to 2000000, not {bad}"):
            build_driver("barcode", "shoe", {"baudrate": bad})


def test_frames_to_confirm_with() -> None:
    for value in (1, 10):
        build_driver("rdm6300", "shoe", {"confirm_frames": value})
    for bad in (0, 11):
        with pytest.raises(DriverConfigError, match=rf"'confirm_frames': it must be 1 to 10, not {bad}"):
            build_driver("rdm6300", "shoe", {"confirm_frames": bad})
