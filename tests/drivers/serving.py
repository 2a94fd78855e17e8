"""Drivers served as a table's loop serves them, in a time that only the test moves, and what their events say."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from drivers.contract.driver_interface import (
    SAMPLE_INTERVAL_S,
    ByteDriver,
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    PinDriver,
    Pins,
    TagRead,
)
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.bench.simulator_interfaces import ByteSimulator


class FarEnd(Protocol):
    """What a driver is served from: a port, or a simulator on a perfect cable."""

    def read(self) -> bytes: ...

    def write(self, data: bytes, /) -> None: ...


@dataclass
class PerfectCable:
    """A simulator without a port; `sent` is what it was told, piece by piece."""

    simulator: ByteSimulator

    def __post_init__(self) -> None:
        self.sent: list[bytes] = []

    def read(self) -> bytes:
        return b"".join(data for _, data in self.simulator.take_frames())

    def write(self, data: bytes, /) -> None:
        if data:
            self.sent.append(data)
            self.simulator.receive_data(data)


def serve(
    driver: ByteDriver, far_end: FarEnd, clock: ManualClock, seconds: float, step_s: float = 0.02
) -> list[DeviceEvent]:
    """Let time go by, with a read and a tick at each step; what the driver says meanwhile."""
    events: list[DeviceEvent] = []
    for _ in range(round(seconds / step_s)):
        clock.advance(step_s)
        events += driver.receive_data(far_end.read(), clock())
        data, more = driver.on_tick(clock())
        events += more
        far_end.write(data)
    return events


def sample(
    driver: PinDriver, pins: Pins, clock: ManualClock, seconds: float, step_s: float = SAMPLE_INTERVAL_S
) -> list[DeviceEvent]:
    """Let time go by, with a sample at each step; what the driver says meanwhile."""
    events: list[DeviceEvent] = []
    for _ in range(round(seconds / step_s)):
        clock.advance(step_s)
        events += driver.sample(pins, clock())
    return events


def list_tags(events: Iterable[DeviceEvent]) -> list[str]:
    """The tags or codes that were read, in their order."""
    return [event.tag for event in events if isinstance(event, TagRead)]


def list_states(events: Iterable[DeviceEvent]) -> list[type[DeviceEvent]]:
    """Whether the device came and went, in its order."""
    return [type(event) for event in events if isinstance(event, DeviceReady | DeviceLost)]
