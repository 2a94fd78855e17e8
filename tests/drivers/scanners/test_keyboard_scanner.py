import errno
import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_mock import MockerFixture, MockType

from drivers.contract.device_errors import PortBusyError, PortForbiddenError, PortLostError, PortMissingError
from drivers.contract.driver_interface import DeviceEvent, NoiseDropped, TagRead
from drivers.ports.byte_port import open_port
from drivers.ports.handlers.protocol_evdev import EVIOCGRAB
from drivers.scanners.keyboard_scanner import EVENT_STRUCT, KeyboardScanner
from drivers.simulators.bench.bench import Bench

ENTER = 28


def stroke(*keys: int) -> bytes:
    """What the kernel says when keys are pressed and released one after the other."""
    return b"".join(
        EVENT_STRUCT.pack(1, 2, 1, key, value) + EVENT_STRUCT.pack(1, 2, 0, 0, 0) for key in keys for value in (1, 0)
    )


def make_shifted_stroke(key: int) -> bytes:
    return EVENT_STRUCT.pack(1, 2, 1, 42, 1) + stroke(key) + EVENT_STRUCT.pack(1, 2, 1, 42, 0)


def test_event_is_as_the_kernel_has_it() -> None:
    assert EVENT_STRUCT.size == 2 * struct.calcsize("l") + 8


def test_typed_code() -> None:
    driver = KeyboardScanner("shoe")
    data = make_shifted_stroke(30) + stroke(31, ENTER) + stroke(11, 2, 12, 79, ENTER)
    assert driver.receive_data(data, 1.0) == [TagRead("shoe", "AS"), TagRead("shoe", "01-1")]


def test_autorepeat_is_no_second_character() -> None:
    driver = KeyboardScanner("shoe")
    held = EVENT_STRUCT.pack(1, 2, 1, 30, 1) + EVENT_STRUCT.pack(1, 2, 1, 30, 2) * 5 + EVENT_STRUCT.pack(1, 2, 1, 30, 0)
    assert driver.receive_data(held + stroke(ENTER), 1.0) == [TagRead("shoe", "A")]


@pytest.mark.parametrize("lost", [EVENT_STRUCT.pack(1, 2, 0, 3, 0), stroke(59)], ids=["events lost", "no character"])
def test_spoilt_code_is_noise(lost: bytes) -> None:
    driver = KeyboardScanner("shoe")
    events = driver.receive_data(stroke(30) + lost + stroke(31, ENTER) + stroke(32, ENTER), 1.0)
    assert events == [NoiseDropped("shoe", 3, "not printable"), TagRead("shoe", "D")]


def test_code_without_end_is_broken_off() -> None:
    driver = KeyboardScanner("shoe")
    driver.receive_data(stroke(30, 31), 1.0)
    assert driver.on_tick(1.1) == (b"", [])
    assert driver.on_tick(2.0) == (b"", [NoiseDropped("shoe", 2, "line broken off")])


def test_kernel_damages_nothing(bench: Bench) -> None:
    with pytest.raises(ValueError, match="nothing is damaged on the way from 'keyboard_scanner'"):
        bench.add_port("sim://keyboard_scanner/shoe?flip=0.1")


# The port. A named pipe stands for the input device; only the grabbing is the kernel's own affair.


@pytest.fixture
def grabbing(mocker: MockerFixture) -> MockType:
    return mocker.patch("fcntl.ioctl", return_value=0)


@pytest.fixture
def device(tmp_path: Path) -> Iterator[tuple[str, int]]:
    path = tmp_path / "event0"
    os.mkfifo(path)
    far = os.open(path, os.O_RDWR)
    yield f"evdev://{path}", far
    os.close(far)


def test_port_reads_events_and_grabs(device: tuple[str, int], grabbing: MockType) -> None:
    url, far = device
    driver = KeyboardScanner("shoe")
    port = open_port(url, driver)
    assert grabbing.call_args.args[1:] == (EVIOCGRAB, 1)
    os.write(far, stroke(30, 31, ENTER))
    events: list[DeviceEvent] = []
    for _ in range(3):
        events += driver.receive_data(port.read(), 1.0)
    assert events == [TagRead("shoe", "AS")]
    assert port.read() == b""
    with pytest.raises(PortLostError):
        port.write(b"x")
    port.close()
    assert port.read() == b""


def test_port_held_by_another(device: tuple[str, int], grabbing: MockType) -> None:
    grabbing.side_effect = OSError(errno.EBUSY, "Device or resource busy")
    with pytest.raises(PortBusyError):
        open_port(device[0], KeyboardScanner("shoe"))


def test_port_that_is_not_there_or_not_ours(mocker: MockerFixture) -> None:
    with pytest.raises(PortMissingError):
        open_port("evdev:///dev/input/by-id/nothing", KeyboardScanner("shoe"))
    mocker.patch("os.open", side_effect=PermissionError(errno.EACCES, "no"))
    with pytest.raises(PortForbiddenError):
        open_port("evdev:///dev/input/event0", KeyboardScanner("shoe"))


def test_unplugged(device: tuple[str, int], grabbing: MockType, mocker: MockerFixture) -> None:
    url, far = device
    port = open_port(url, KeyboardScanner("shoe"))
    assert grabbing.called
    os.write(far, b"x")
    mocker.patch("os.read", side_effect=OSError(errno.ENODEV, "No such device"))
    with pytest.raises(PortLostError):
        port.read()
