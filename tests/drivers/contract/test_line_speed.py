"""A device that stands at another speed than its driver is silent; where the file names that speed it is read."""

from collections.abc import Mapping
from inspect import signature
from pathlib import Path

import pytest

from drivers.conformance.check_bench import open_bench
from drivers.conformance.documented_driver import parse_driver_page
from drivers.conformance.port_checks import DriverHarness
from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import ByteDriver, DeviceLost, DeviceReady
from drivers.contract.driver_registry import DRIVERS, build_driver, load_driver_class
from tests.drivers.serving import list_tags

PAGE = (Path(__file__).parents[3] / "docs" / "devices.md").read_text(encoding="utf-8")
WITH_SPEED = sorted(driver for driver in DRIVERS if "baudrate" in signature(load_driver_class(driver)).parameters)


def build_byte_driver(driver: str, device: str, keys: Mapping[str, object]) -> ByteDriver:
    made = build_driver(driver, device, keys)
    assert isinstance(made, ByteDriver)
    return made


def test_what_has_a_speed_is_found() -> None:
    assert {"barcode", "de2120", "feig", "gm65", "lines", "s6350", "ssi", "thingmagic"} <= set(WITH_SPEED)


@pytest.mark.parametrize("driver", WITH_SPEED)
def test_device_at_another_speed_is_silent_and_at_its_own_is_read(driver: str) -> None:
    subject = parse_driver_page(driver, PAGE)
    keys = {**subject.keys, "baudrate": 9600 if subject.keys["baudrate"] != 9600 else 38400}
    url = f"{str(subject.port).partition('?')[0]}?baudrate={keys['baudrate']}"
    with open_bench() as (bench, clock):
        bench.add_port(url, subject.keys)
        for other, wanted in ((subject.keys, False), (keys, True)) * 2:
            line = DriverHarness(build_byte_driver(driver, subject.device, other), url, clock)
            events = line.run(3.0)
            reader = bench.reader(subject.device)
            reader.present(reader.nth_tag(0))
            events += line.run(1.0)
            reader.remove()
            events += line.run(1.0)
            line.port.close()
            assert (reader.nth_tag(0) in list_tags(events)) == wanted
            assert not any(isinstance(event, DeviceLost if wanted else DeviceReady) for event in events)


@pytest.mark.parametrize("driver", WITH_SPEED)
def test_simulated_device_stands_at_the_speed_of_its_file(driver: str) -> None:
    subject = parse_driver_page(driver, PAGE)
    keys = {**subject.keys, "baudrate": 9600 if subject.keys["baudrate"] != 9600 else 38400}
    with open_bench() as (bench, clock):
        bench.add_port(subject.port_url(), keys)
        line = DriverHarness(build_byte_driver(driver, subject.device, keys), subject.port_url(), clock)
        line.run(3.0)
        reader = bench.reader(subject.device)
        reader.present(reader.nth_tag(0))
        assert reader.nth_tag(0) in list_tags(line.run(1.0))


@pytest.mark.parametrize(("driver", "keys"), [("feig", {}), ("s6350", {}), ("thingmagic", {"region": "europe"})])
def test_a_speed_that_a_reader_has_not_is_refused(driver: str, keys: dict[str, str]) -> None:
    with pytest.raises(DriverConfigError, match=r"'seat1', key 'baudrate': it must be .*57600.* not 31250"):
        build_driver(driver, "seat1", {**keys, "baudrate": 31250})
