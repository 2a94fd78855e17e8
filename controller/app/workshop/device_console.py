"""A table's devices in the hands of a technician: opened, spoken to and listened to, without a table behind them.

The same drivers on the same ports and pins as in `controller.runtime`, but in one thread and told the time: `poll`
looks at everything once. Drivers are ticked by the schedule of a live table, so that a reader is no quicker here than
in play. Nothing here knows a deck, so nothing here can tell whose card a tag is.
"""

import select
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from drivers.contract.device_errors import PinError, PortError, PortLostError
from drivers.contract.driver_interface import (
    SAMPLE_INTERVAL_S,
    ByteDriver,
    DeviceEvent,
    DeviceLost,
    PinDriver,
    Pins,
    Signals,
)
from drivers.contract.tick_schedule import TickSchedule
from drivers.ports.byte_port import BytePort, open_port
from drivers.ports.control_lines import KIND_DECIDES, ControlLines

RETRY_INTERVAL_S = 1.0
"""How long after a failure a port is tried again."""

CLOCK_TOLERANCE_S = 0.0001
"""By how much a wait may seem to end early."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """Raw bytes of one device.

    `is_outgoing` when they went to it, `is_startup` when they are its greeting on a new port.
    """

    device: str
    is_outgoing: bool
    data: bytes = field(repr=False)
    is_startup: bool = False


class DeviceConsole:
    """The devices, each on its port or pins. Close it, or use it in a `with`.

    `traffic` is told every byte, with the time. A port that cannot be opened, or is lost, is a `DeviceLost` and tried
    again every second.
    """

    def __init__(
        self,
        byte_drivers: Mapping[str, ByteDriver],
        urls: Mapping[str, str],
        pin_drivers: Mapping[str, PinDriver],
        pins: Pins | None,
        *,
        traffic: Callable[[Traffic, float], None] = lambda _traffic, _now: None,
        control_lines: Mapping[str, ControlLines] | None = None,
    ) -> None:
        self._byte_drivers = byte_drivers
        self._port_urls = urls
        self._control_lines = control_lines or {}
        self._pin_drivers = dict(pin_drivers)
        self._pins = pins
        self._on_traffic = traffic
        self._ports: dict[str, BytePort] = {}
        self._schedule_by_device: dict[str, TickSchedule] = {}
        """Device -> when its driver is ticked, since its port was opened."""
        self._next_sample_at = float("-inf")
        self._retry_at_by_device = dict.fromkeys(byte_drivers, float("-inf"))
        self._failure_by_device: dict[str, str] = {}
        self._last_signals: Signals | None = None
        self._started_drivers: list[PinDriver] = []

    def __enter__(self) -> "DeviceConsole":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> list[DeviceEvent]:
        """Set the pins up in their safe state; return the devices whose pins cannot be had."""
        lost: list[DeviceEvent] = []
        for name, driver in self._pin_drivers.items():
            try:
                assert self._pins is not None
                driver.start(self._pins)
            except PinError as why:
                lost.append(DeviceLost(name, str(why)))
            else:
                self._started_drivers.append(driver)
        return lost

    def poll(self, now: float) -> list[DeviceEvent]:
        """Read every port once, tick the drivers that are due, and sample every pin where that is due.

        Call it again after `wait_for_data`, or every `SAMPLE_INTERVAL_S`.
        """
        events: list[DeviceEvent] = []
        for name in self._byte_drivers:
            if name not in self._ports:
                events += self._open(name, now)
            else:
                try:
                    events += self._poll_port(name, now)
                except PortLostError as why:
                    events += self._on_port_lost(name, why, now)
        if now < self._next_sample_at:
            return events
        self._next_sample_at = now + SAMPLE_INTERVAL_S - CLOCK_TOLERANCE_S
        for driver in tuple(self._started_drivers):
            try:
                assert self._pins is not None
                events += driver.sample(self._pins, now)
            except PinError as refused:
                self._started_drivers.remove(driver)
                events.append(DeviceLost(driver.name, str(refused)))
        return events

    def wait_for_data(self, now: float, sleep: Callable[[float], object]) -> None:
        """Wait until a port has bytes, a driver is due or pins are to be sampled, and no longer than until that.

        `sleep` waits where no port can be waited for.
        """
        due_at = min((schedule.next_tick_at for schedule in self._schedule_by_device.values()), default=float("inf"))
        left_s = max(0.0, min(SAMPLE_INTERVAL_S, due_at - now))
        files = [number for port in self._ports.values() if (number := port.fileno()) is not None]
        if files:
            select.select(files, [], [], left_s)
        else:
            sleep(SAMPLE_INTERVAL_S)

    def perform(self, signals: Signals, now: float) -> list[DeviceEvent]:
        """Show the signals on every device."""
        self._last_signals = signals
        events: list[DeviceEvent] = []
        for driver in self._started_drivers:
            try:
                assert self._pins is not None
                driver.show_signals(signals, self._pins)
            except PinError as refused:
                events.append(DeviceLost(driver.name, str(refused)))
        for name in tuple(self._ports):
            self._schedule_by_device[name].on_signals_shown()
            try:
                self._write(name, self._byte_drivers[name].show_signals(signals), now)
            except PortLostError as why:
                events += self._on_port_lost(name, why, now)
        return events

    def close(self) -> None:
        """Leave every pin safe and give everything back."""
        started, self._started_drivers = self._started_drivers, []
        for driver in started:
            assert self._pins is not None
            with suppress(PinError):  # the pins are gone; their resistors hold the safe state
                driver.stop(self._pins)
        ports, self._ports = self._ports, {}
        for port in ports.values():
            with suppress(PortLostError):  # as above
                port.close()
        if self._pins is not None:
            self._pins.close()
            self._pins = None

    def _open(self, name: str, now: float) -> Sequence[DeviceEvent]:
        if now < self._retry_at_by_device[name]:
            return ()
        driver = self._byte_drivers[name]
        try:
            lines = self._control_lines.get(name, KIND_DECIDES)
            port = open_port(self._port_urls[name], driver, read_seconds=0, control_lines=lines)
            self._ports[name] = port
            self._schedule_by_device[name] = TickSchedule(driver)
            self._failure_by_device.pop(name, None)
            greeting = driver.on_port_opened()
            self._on_traffic(Traffic(name, is_outgoing=True, data=greeting, is_startup=True), now)
            port.write(greeting)
            if self._last_signals is not None:
                self._write(name, driver.show_signals(self._last_signals), now)
        except PortError as why:
            return self._on_port_lost(name, why, now)
        return ()

    def _on_port_lost(self, name: str, why: PortError, now: float) -> Sequence[DeviceEvent]:
        self._retry_at_by_device[name] = now + RETRY_INTERVAL_S
        port = self._ports.pop(name, None)
        self._schedule_by_device.pop(name, None)
        if port is not None:
            with suppress(PortLostError):  # it is being given up; that it was gone already is no news
                port.close()
        if self._failure_by_device.get(name) == why.message:
            return ()
        self._failure_by_device[name] = why.message
        return (DeviceLost(name, why.message),)

    def _poll_port(self, name: str, now: float) -> list[DeviceEvent]:
        driver, schedule = self._byte_drivers[name], self._schedule_by_device[name]
        events: list[DeviceEvent] = []
        if data := self._ports[name].read():
            self._on_traffic(Traffic(name, is_outgoing=False, data=data), now)
            events += driver.receive_data(data, now)
            schedule.on_data_received(now)
        if not schedule.is_due(now):
            return events
        answer, more = driver.on_tick(now)
        schedule.on_ticked(now, has_sent=bool(answer))
        self._write(name, answer, now)
        return [*events, *more]

    def _write(self, name: str, data: bytes, now: float) -> None:
        if data:
            self._on_traffic(Traffic(name, is_outgoing=True, data=data), now)
            self._ports[name].write(data)
