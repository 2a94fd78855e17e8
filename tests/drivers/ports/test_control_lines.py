"""DTR and RTS: high where USB of its own waits for them, low where they reset a board, as the file says where it does.

Sources: TinyUSB `tud_cdc_n_connected`, "DTR (bit 0) active is considered as connected" (raspberrypi/debugprobe 32,
earlephilhower/arduino-pico 1620); Arduino AVR core, CDC.cpp, `Serial_::write`, "only try to send bytes if the
high-level CDC connection itself is open"; Linux, Documentation/admin-guide/devices.txt: ttyACM, ttyUSB.
"""

import os
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from time import monotonic

import pytest
import serial
from pytest_mock import MockerFixture

from controller.runtime.devices.device_threads import PortReader
from controller.runtime.devices.port_messages import PortOpened
from drivers.contract.device_errors import PortUnsuitableError
from drivers.contract.driver_interface import TagRead
from drivers.ports.byte_port import open_port
from drivers.ports.control_lines import KIND_DECIDES, ControlLines, choose_control_lines
from drivers.readers.lines import LineReader
from drivers.simulators.bench.bench import Bench
from tests.drivers.ports.test_ports import Settings

HIGH, LOW = ControlLines(dtr=True, rts=True), ControlLines(dtr=False, rts=False)


@pytest.fixture
def link(tmp_path: Path) -> Callable[[str, str], str]:
    """Lay a link to a node of /dev, as udev does."""

    def lay(name: str, node: str) -> str:
        path = tmp_path / name
        path.unlink(missing_ok=True)
        path.symlink_to(node)
        return str(path)

    return lay


@pytest.mark.parametrize(
    ("node", "levels"),
    [
        ("/dev/ttyACM0", HIGH),
        ("/dev/ttyACM17", HIGH),
        ("/dev/ttyUSB0", LOW),
        ("/dev/ttyAMA0", LOW),
        ("/dev/ttyS0", LOW),
        ("/dev/serial0", LOW),
        ("/dev/ttyACMX", LOW),
    ],
)
def test_kind_of_port_decides_behind_any_link(link: Callable[[str, str], str], node: str, levels: ControlLines) -> None:
    assert choose_control_lines(node, KIND_DECIDES) == levels
    by_id = link("usb-Arduino_Leonardo-if00", node)
    assert choose_control_lines(by_id, KIND_DECIDES) == levels
    assert choose_control_lines(link("table-shoe", by_id), KIND_DECIDES) == levels


def test_another_board_behind_the_same_name_is_judged_anew(link: Callable[[str, str], str]) -> None:
    name = link("shoe", "/dev/ttyUSB0")
    assert choose_control_lines(name, KIND_DECIDES) == LOW
    assert choose_control_lines(link("shoe", "/dev/ttyACM0"), KIND_DECIDES) == HIGH
    assert choose_control_lines(name, KIND_DECIDES) == HIGH


@pytest.mark.parametrize(
    ("url", "wanted", "levels"),
    [
        ("/dev/ttyACM0", ControlLines(dtr=False), ControlLines(dtr=False, rts=True)),
        ("/dev/ttyUSB0", ControlLines(dtr=True), ControlLines(dtr=True, rts=False)),
        ("/dev/ttyUSB0", HIGH, HIGH),
        ("rfc2217://table:4000", KIND_DECIDES, LOW),
        ("rfc2217://table:4000", HIGH, HIGH),
        ("sim://lines/shoe", HIGH, HIGH),
        ("socket://table:4000", KIND_DECIDES, None),
        ("evdev:///dev/input/event0", KIND_DECIDES, None),
        ("spi:///dev/spidev0.0", KIND_DECIDES, None),
    ],
)
def test_what_the_file_says_counts_before_the_kind(url: str, wanted: ControlLines, levels: ControlLines | None) -> None:
    assert choose_control_lines(url, wanted) == levels


@pytest.fixture
def opened_levels(mocker: MockerFixture) -> Iterator[tuple[str, list[tuple[bool, bool]]]]:
    """A pseudo-terminal that is taken for a ttyACM, and the levels at each of its openings and after."""
    far, near = os.openpty()
    tty.setraw(near)
    name = os.ttyname(near)
    levels: list[tuple[bool, bool]] = []
    really = serial.Serial.open

    def spying(port: serial.Serial) -> None:
        levels.append((port.dtr, port.rts))
        really(port)
        levels.append((port.dtr, port.rts))

    mocker.patch.object(serial.Serial, "open", spying)
    yield name, levels
    os.close(near)
    os.close(far)


def test_port_of_its_own_usb_opens_with_both_high(
    opened_levels: tuple[str, list[tuple[bool, bool]]], mocker: MockerFixture
) -> None:
    name, levels = opened_levels
    mocker.patch("os.path.realpath", return_value="/dev/ttyACM0")
    for _ in range(2):
        open_port(name, Settings()).close()
    assert levels == [(True, True)] * 4


@pytest.mark.parametrize(("dtr", "rts"), [(True, False), (False, True), (True, True), (False, False)])
def test_port_opens_with_the_levels_of_the_file(
    opened_levels: tuple[str, list[tuple[bool, bool]]], *, dtr: bool, rts: bool
) -> None:
    name, levels = opened_levels
    open_port(name, Settings(), control_lines=ControlLines(dtr, rts)).close()
    assert levels == [(dtr, rts)] * 2


@pytest.mark.parametrize("url", ["socket://127.0.0.1:9", "evdev:///dev/input/event0", "spi:///dev/spidev0.0"])
@pytest.mark.parametrize(("wanted", "line"), [(ControlLines(dtr=True), "DTR"), (ControlLines(rts=False), "RTS")])
def test_port_without_such_lines_is_refused(url: str, wanted: ControlLines, line: str) -> None:
    with pytest.raises(PortUnsuitableError, match=f":// has no line {line}; take {line.lower()} out"):
        open_port(url, Settings(), control_lines=wanted)


@pytest.mark.parametrize(("dtr", "is_heard"), [(None, False), (False, False), (True, True)])
def test_board_with_usb_of_its_own_is_silent_until_dtr_is_high(
    bench: Bench, dtr: bool | None, *, is_heard: bool
) -> None:
    reader = LineReader("home", antennas=["1"], repeats=False)
    for number in range(2):  # and the second time as the first
        port = open_port("sim://lines/home?needs_dtr=1", reader, read_seconds=0, control_lines=ControlLines(dtr=dtr))
        reader.on_port_opened()
        bench.reader("home").present(f"047BCB5196228{number}", "1")
        bench.clock.advance(1.0)  # type: ignore[attr-defined]  # a clock that the test moves
        events = [*reader.receive_data(port.read(), 1.0 + number)]
        assert any(isinstance(event, TagRead) for event in events) is is_heard
        bench.reader("home").remove()
        port.close()


def test_thread_that_reads_a_port_opens_it_so_each_time(opened_levels: tuple[str, list[tuple[bool, bool]]]) -> None:
    name, levels = opened_levels
    messages: Queue[object] = Queue()
    reader = PortReader("shoe", name, Settings(), messages.put, monotonic, ControlLines(dtr=True))
    reader.start()
    assert isinstance(messages.get(timeout=60), PortOpened)
    reader.reopen()
    while not isinstance(messages.get(timeout=60), PortOpened):
        pass
    reader.stop()
    reader.join(60)
    assert levels == [(True, False)] * 4
