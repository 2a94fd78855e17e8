"""What every driver must do, one body for all: `drivers.conformance`, over the registry, never over a list.

The far end of every wire is the driver's simulator. A driver without a simulator, without a section in docs/devices.md
or without an example there turns this red. Drivers made wrong on purpose show that the checks can tell.
"""

import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_mock import MockerFixture

from drivers.conformance import configuration_checks as settings_module
from drivers.conformance.byte_checks import check_any_bytes
from drivers.conformance.check_bench import open_bench
from drivers.conformance.checks import Check, list_checks, run_check
from drivers.conformance.documented_driver import DocumentedDriver, parse_driver_page
from drivers.conformance.port_checks import DriverHarness
from drivers.contract import driver_registry as registry_module
from drivers.contract.driver_interface import ByteDriver, DeviceEvent, DeviceLost, DeviceReady, NoiseDropped, TagReader
from drivers.contract.driver_registry import DRIVERS, load_driver_class
from drivers.lamps.lamps_595 import Lamps595
from drivers.readers.rdm6300 import Rdm6300
from drivers.readers.s6350 import S6350
from drivers.scanners.barcode_scanner import BarcodeScanner
from drivers.shoe.shoe_gate import ShoeGate
from drivers.simulators import SIMULATORS

PAGE = (Path(__file__).parents[3] / "docs" / "devices.md").read_text(encoding="utf-8")


@cache
def load_documented_driver(driver: str) -> DocumentedDriver:
    return parse_driver_page(driver, PAGE)


CASES = [(driver, check) for driver in sorted(DRIVERS) for check in list_checks(load_documented_driver(driver))]


@pytest.mark.parametrize(("driver", "check"), CASES, ids=[f"{driver}-{check.name}" for driver, check in CASES])
def test_every_driver_does_what_a_driver_must(driver: str, check: Check) -> None:
    assert run_check(check) is None, driver


def test_every_driver_has_a_simulator() -> None:
    assert SIMULATORS.keys() == DRIVERS.keys()


@pytest.mark.parametrize("driver", sorted(DRIVERS))
def test_page_lists_every_driver(driver: str) -> None:
    assert f"| [`{driver}`](#{driver}) |" in PAGE


def test_checks_are_as_many_as_there_are_things_to_hold() -> None:
    """A check that silently left out whole kinds of devices would pass for ever."""
    held = [(driver, check.name) for driver, check in CASES]
    readers = [driver for driver in DRIVERS if isinstance(load_documented_driver(driver).build_driver(), TagReader)]
    assert len(readers) >= 11
    assert [name for driver, name in held].count("mangled conversations leave nothing behind") == len(readers)
    assert len(held) > 230
    wanted = {"its far end has the same keys", "it agrees with its far end", "lamps show what the table says"}
    assert wanted <= {name for _, name in held}


ON_PORTS = sorted(name for name in DRIVERS if isinstance(load_documented_driver(name).build_driver(), ByteDriver))


@pytest.mark.parametrize("driver", ON_PORTS)
@settings(max_examples=25)
@given(chunks=st.lists(st.tuples(st.binary(max_size=40), st.floats(0, 1)), max_size=20))
def test_any_bytes_at_any_time_are_values(driver: str, chunks: list[tuple[bytes, float]]) -> None:
    check_any_bytes(load_documented_driver(driver), chunks)


@pytest.mark.parametrize("driver", [driver for driver in ON_PORTS if driver != "rc522"])  # no adapter is on an SPI bus
def test_adapter_that_holds_back_the_first_data_is_no_loss(driver: str) -> None:
    """At a ttyUSB of a Raspberry Pi the first data after an opening may take 1 s longer (nfcpy, `pn532.py`)."""
    subject = load_documented_driver(driver)
    said = []
    for faults in ("", "first=1"):
        with open_bench() as (_, clock):
            line = DriverHarness(subject.build_byte_driver(), subject.port_url(faults), clock)
            for seconds in (0.9, 3.0, 0.9, 3.0):
                said.append([event for event in line.run(seconds) if isinstance(event, (DeviceLost, DeviceReady))])
                if seconds > 1:
                    line.port.close()
                    line = DriverHarness(line.driver, subject.port_url(faults), clock)
    at_once, held_back = said[:4], said[4:]
    assert held_back[::2] == [[], []]
    for n in (1, 3):
        # A GM65 that says its banner once it is greeted is ready twice; it is the last word that counts.
        assert held_back[n][-1:] == (at_once[n - 1] + at_once[n])[-1:]
        assert not any(isinstance(event, DeviceLost) for event in held_back[n])


# Drivers made wrong on purpose.


class Raises(Rdm6300):
    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        if len(data) > 20:
            raise IndexError("list index out of range")
        return super().receive_data(data, now)


class Sleeps(Rdm6300):
    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        time.sleep(0.1)
        return super().on_tick(now)


class Hoards(Rdm6300):
    def __init__(self, name: str, **keys: Any) -> None:  # noqa: ANN401
        super().__init__(name, **keys)
        self.hoard: list[bytes] = []

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        self.hoard.append(data)
        return super().receive_data(data, now)


class Believes(BarcodeScanner):
    """Takes what comes for tags, whole or not."""

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        return [event for event in super().receive_data(data, now) if not isinstance(event, NoiseDropped)]


class Repeats(Rdm6300):
    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:  # noqa: ARG002 (as every driver)
        return [NoiseDropped(self.name, 9 * len(data), "everything")] if data else []


class UntickedReader(S6350):
    """Wants no tick, although it must ask again where no answer comes."""

    def next_tick_at(self, now: float) -> float | None:
        del now
        return None


class Vague(Rdm6300):
    def next_tick_at(self, now: float) -> Any:  # noqa: ANN401
        del now
        return "soon"


class Fickle(Rdm6300):
    asked = 0

    def next_tick_at(self, now: float) -> float | None:
        self.asked += 1
        return now + self.asked


class StaysOpen(ShoeGate):
    def stop(self, pins: Any) -> None:  # noqa: ANN401
        """Leave it."""


class Dark(Lamps595):
    def show_signals(self, signals: Any, pins: Any) -> None:  # noqa: ANN401
        """Show nothing."""


@pytest.mark.parametrize(
    ("driver", "wrong", "check", "words"),
    [
        ("rdm6300", Raises, "mangled conversations leave nothing behind", "IndexError at tests.*: list index out of"),
        ("rdm6300", Sleeps, "any bytes at any time are values", r"it sleeps \(0.1 s\)"),
        ("rdm6300", Hoards, "mangled conversations leave nothing behind", "its memory has no bound"),
        ("barcode", Believes, "mangled conversations leave nothing behind", r"says that 0 were dropped"),
        ("rdm6300", Repeats, "any bytes at any time are values", "bytes were dropped, and"),
        ("rdm6300", Repeats, "tags are read, clean", "0 of 10 tags were read; 10 are wanted"),
        ("s6350", UntickedReader, "tags are read, lost bytes", r"\d of 10 tags were read; 6 are wanted"),
        ("rdm6300", Vague, "it says when it wants to be ticked", "gives 'soon', which is neither seconds nor None"),
        ("rdm6300", Fickle, "it says when it wants to be ticked", "another time when it is asked once more"),
        ("gate", StaysOpen, "pins are set up as declared and left safe", "`stop` leaves the device otherwise"),
        ("lamps_595", Dark, "it agrees with its far end", "other lamps are alight than the table says"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else None,
)
def test_a_driver_that_is_wrong_is_found(
    mocker: MockerFixture, driver: str, wrong: type, check: str, words: str
) -> None:
    right = load_driver_class(driver)
    mocker.patch.object(
        registry_module, "load_driver_class", side_effect=lambda name: wrong if name == driver else right
    )
    mocker.patch.object(registry_module, "list_driver_keys", return_value=())
    mocker.patch.object(registry_module, "find_key_errors", return_value=[])
    (found,) = [each for each in list_checks(load_documented_driver(driver)) if each.name == check]
    with pytest.raises(AssertionError, match=words):
        assert (said := run_check(found)) is None, said


def test_a_module_that_knows_the_clock_is_no_drivers(mocker: MockerFixture) -> None:
    mocker.patch.object(settings_module, "load_driver_class", return_value=threading.Timer)
    (found,) = [
        each
        for each in list_checks(load_documented_driver("gate"))
        if each.name == "it holds no port, thread, clock or chance"
    ]
    assert "a driver holds no port, no thread, no clock and no chance" in str(run_check(found))


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("", "its page has no section `## gate`"),
        ("## gate\nA gate.\n", "has no example"),
        ("## gate\n```toml\n[device.gate]\ndriver = 'lamps'\n```\n", 'is to say driver = "gate"'),
        ("## gate\n```toml\n[gate]\ndriver = 'gate'\n```\n", r"is to be one table \[device.NAME\]"),
    ],
)
def test_a_page_that_says_too_little_is_found(page: str, words: str) -> None:
    with pytest.raises(Exception, match=words):
        parse_driver_page("gate", page)


def test_what_is_left_out_of_the_page_is_found() -> None:
    short: Callable[[str, str], DocumentedDriver] = lambda old, new: parse_driver_page("gate", PAGE.replace(old, new))  # noqa: E731
    said = [run_check(check) for check in list_checks(short("open_level", "level"))]
    assert any("its page does not explain the key `open_level`" in str(each) for each in said)
    assert any("needs it" in str(each) or "has no such key" in str(each) for each in said)
