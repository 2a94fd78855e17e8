"""The threads at the edge, on a real pseudo-terminal and on simulated pins."""

import os
import pty
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from time import monotonic

import pytest
from pytest_mock import MockerFixture

from controller.runtime.devices.device_threads import PinSampler, PortReader
from controller.runtime.devices.port_messages import DeviceEventsReported, PortBytesReceived, PortLost, PortOpened
from controller.runtime.loop.loop_messages import LoopMessage
from drivers.contract.device_errors import PortLostError
from drivers.contract.driver_interface import SAMPLE_INTERVAL_S, CardEdgeSensed, DeviceLost, KeyPressed, Pins
from drivers.panels.key_panel import KeyPanel
from drivers.ports.byte_port import BytePort
from drivers.readers.rdm6300 import Rdm6300
from drivers.shoe.shoe_sensors import ShoeSensors
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock

FRAME = bytes.fromhex("02 31 30 30 30 38 36 46 34 34 34 32 36 03")
"""An RDM6300 frame as captured: tag 100086F444."""
PATIENCE = 60.0


class Line:
    """A pseudo-terminal whose name stays the same when it is unplugged and plugged in again."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.plug()

    def plug(self) -> None:
        self.near, self.far = pty.openpty()
        tty.setraw(self.near)
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(os.ttyname(self.far))

    def unplug(self) -> None:
        os.close(self.far)
        os.close(self.near)
        self.link.unlink()


@pytest.fixture
def queue() -> "SimpleQueue[LoopMessage]":
    return SimpleQueue()


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    line = Line(tmp_path / "shoe")
    yield line
    if line.link.exists():
        line.unplug()


def test_a_port_is_read_lost_and_opened_again(line: Line, queue: "SimpleQueue[LoopMessage]") -> None:
    reader = PortReader("shoe", str(line.link), Rdm6300("shoe"), queue.put, monotonic)
    reader.start()
    assert isinstance(queue.get(timeout=PATIENCE), PortOpened)
    os.write(line.near, FRAME)
    data = b""
    while len(data) < len(FRAME):
        message = queue.get(timeout=PATIENCE)
        assert isinstance(message, PortBytesReceived)
        data += message.data
    assert data == FRAME
    line.unplug()
    lost = queue.get(timeout=PATIENCE)
    assert isinstance(lost, PortLost)
    line.plug()
    while isinstance(message := queue.get(timeout=PATIENCE), PortLost):
        pass
    assert isinstance(message, PortOpened)
    reader.reopen()
    assert isinstance(queue.get(timeout=PATIENCE), PortOpened)
    reader.stop()
    reader.join(PATIENCE)
    assert not reader.is_alive()


def test_a_port_that_opens_and_is_gone_at_once_is_tried_less_and_less_often(
    line: Line, queue: "SimpleQueue[LoopMessage]", mocker: MockerFixture
) -> None:
    """A converter that hangs lets itself be opened and fails at the first read; each time costs two journal entries."""
    pauses: list[float] = []
    reader = PortReader("shoe", str(line.link), Rdm6300("shoe"), queue.put, monotonic)

    def record_wait(seconds: float) -> bool:
        pauses.append(seconds)
        if len(pauses) == 8:
            reader.stop()
        return False

    mocker.patch.object(reader._stop_requested, "wait", record_wait)
    mocker.patch.object(BytePort, "read", side_effect=PortLostError("shoe", "gone while reading"))
    reader.run()
    assert pauses == [0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0]


def test_a_port_that_is_not_there_is_said(tmp_path: Path, queue: "SimpleQueue[LoopMessage]") -> None:
    reader = PortReader("shoe", str(tmp_path / "missing"), Rdm6300("shoe"), queue.put, monotonic)
    reader.start()
    lost = queue.get(timeout=PATIENCE)
    assert isinstance(lost, PortLost)
    assert "nothing is plugged in there" in lost.reason
    reader.stop()
    reader.join(PATIENCE)


def test_pins_are_sampled_by_their_own_thread(queue: "SimpleQueue[LoopMessage]") -> None:
    with Bench("sampled") as bench:
        bench.add_device("key_panel", "panel", {"keys": {"done": 5}})
        driver = KeyPanel("panel", keys={"done": 5})
        driver.start(bench.pins)
        sampler = PinSampler((driver,), bench.pins, queue.put, monotonic, threading.Lock())
        for _ in range(8):
            sampler.sample(monotonic())
        sampler.start()
        bench.panel("panel").press("done")
        said = queue.get(timeout=PATIENCE)
        assert isinstance(said, DeviceEventsReported)
        assert said.events == (KeyPressed("panel", "done"),)
        bench.pins.close()
        lost = queue.get(timeout=PATIENCE)
        assert isinstance(lost, DeviceEventsReported)
        assert [type(event) for event in lost.events] == [DeviceLost]
        sampler.join(PATIENCE)
        assert not sampler.is_alive()


def test_a_card_edge_is_told_with_the_time_of_its_edge(queue: "SimpleQueue[LoopMessage]") -> None:
    """Held up for 40 ms: the moments are those of the kernel, and each is a message."""
    clock = ManualClock()
    with Bench("edges", clock=clock) as bench:
        bench.add_device("shoe_sensors", "mouth", {"edge_pin": 4})
        driver = ShoeSensors("mouth", edge_pin=4)
        driver.start(bench.pins)
        sampler = PinSampler((driver,), bench.pins, queue.put, clock, threading.Lock())
        sampler.sample(clock())
        bench.sensors("mouth").pass_card(0.010)
        clock.advance(0.040)
        for _ in range(2):  # what held the sampler up may have held up the edges too
            sampler.sample(clock())
            clock.advance(SAMPLE_INTERVAL_S)
        said = [queue.get(timeout=PATIENCE), queue.get(timeout=PATIENCE)]
    assert [(m.events, round(m.at, 6)) for m in said if isinstance(m, DeviceEventsReported)] == [
        ((CardEdgeSensed("mouth", True),), 100.008),
        ((CardEdgeSensed("mouth", False),), 100.018),
    ]


def test_a_sampler_that_fails_unforeseen_loses_its_devices(queue: "SimpleQueue[LoopMessage]") -> None:
    class FailingKeyPanel(KeyPanel):
        def sample(self, pins: Pins, now: float) -> tuple[()]:
            raise ZeroDivisionError(pins, now)

    with Bench("broken") as bench:
        sampler = PinSampler(
            (FailingKeyPanel("panel", keys={"done": 5}),), bench.pins, queue.put, monotonic, threading.Lock()
        )
        sampler.start()
        lost = queue.get(timeout=PATIENCE)
        assert isinstance(lost, DeviceEventsReported)
        (event,) = lost.events
        assert isinstance(event, DeviceLost)
        assert "ZeroDivisionError" in event.reason
        sampler.join(PATIENCE)
        sampler.stop()
