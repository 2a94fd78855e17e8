"""A technician's devices are served as a live table serves them: no quicker, no slower, and without a busy loop."""

import os
import pty
import time
import tty
from collections.abc import Callable

import pytest

from controller.app.workshop.device_console import DeviceConsole, Traffic
from controller.runtime.devices.device_bus import DeviceBus, DeviceMap
from drivers.contract.driver_interface import ByteDriver
from drivers.contract.driver_registry import build_driver
from drivers.ports.byte_port import open_port
from drivers.readers.rdm6300 import Rdm6300
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from tests.runtime.devices.test_ticks import OUTCOME

DURATION_MS = 2000


def list_polls(poll: Callable[[float], object], clock: ManualClock, sent: list[float]) -> list[int]:
    """When what was sent, in milliseconds, looked at every millisecond."""
    begun = clock()
    for _ in range(DURATION_MS):
        clock.advance(0.001)
        poll(clock())
    return [round(1000 * (at - begun)) for at in sent]


def build(name: str) -> ByteDriver:
    driver = build_driver(name, "shoe", {})
    assert isinstance(driver, ByteDriver)
    return driver


def list_console_polls(name: str) -> list[int]:
    clock, sent = ManualClock(), list[float]()

    def on_traffic(traffic: Traffic, now: float) -> None:
        if traffic.is_outgoing and traffic.data:
            sent.append(now)

    with Bench(clock=clock):
        console = DeviceConsole({"shoe": build(name)}, {"shoe": f"sim://{name}/shoe"}, {}, None, traffic=on_traffic)
        with console:
            return list_polls(console.poll, clock, sent)


def list_live_polls(name: str) -> list[int]:
    clock, sent = ManualClock(), list[float]()
    with Bench(clock=clock):
        driver = build(name)
        bus = DeviceBus(DeviceMap({"shoe": driver}), lost=print, gone=print)
        port = open_port(f"sim://{name}/shoe", driver, read_seconds=0)

        class CountedPort:
            def write(self, data: bytes) -> None:
                if data:
                    sent.append(clock())
                port.write(data)

        def poll(now: float) -> None:
            if not bus.open_devices:
                bus.on_port_opened("shoe", CountedPort(), OUTCOME)  # type: ignore[arg-type]  # all that it uses
                return
            if data := port.read():
                bus.receive_data("shoe", data, now)
            bus.tick_driver("shoe", now)

        return list_polls(poll, clock, sent)


@pytest.mark.parametrize("name", ["pn532", "cr95hf", "feig", "s6350"])
def test_a_reader_is_asked_as_often_as_at_a_live_table(name: str) -> None:
    polls = list_live_polls(name)
    assert list_console_polls(name) == polls
    assert len(polls) > 25


def test_bytes_end_the_wait_and_silence_does_too() -> None:
    near, far = pty.openpty()
    tty.setraw(near)
    waits: list[float] = []
    with DeviceConsole({"shoe": Rdm6300("shoe")}, {"shoe": os.ttyname(far)}, {}, None) as console:
        console.wait_for_data(0.0, waits.append)
        assert waits == [0.005], "no port is open"
        console.poll(1.0)
        console.poll(1.0)
        os.write(near, b"x")
        begun = time.monotonic()
        for _ in range(100):
            console.wait_for_data(1.0, waits.append)
        assert time.monotonic() - begun < 0.25, "what is there is not waited for"
        console.poll(1.0)
        begun = time.monotonic()
        for _ in range(10):
            console.wait_for_data(1.006, waits.append)
        assert time.monotonic() - begun > 0.04, "and what is not, is"
    assert waits == [0.005]
    os.close(near)
    os.close(far)
