"""When drivers are ticked: as often as the loop looks, or when they ask to be, and never more often than that."""

from collections.abc import Callable, Sequence
from math import nan

import pytest
from pytest_mock import MockerFixture

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.runtime.devices.device_bus import DeviceBus, DeviceMap
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.port_messages import PortBytesReceived, PortOpened
from controller.runtime.journal.journal import Journal
from drivers.contract.driver_interface import TICK_INTERVAL_S, DeviceEvent, DeviceLost, TickScheduler, find_next_tick
from tests.runtime.conftest import TABLE
from tests.runtime.loop.test_loop import Speaker, Table3

START_S = 10.0
OUTCOME = Table().handle(parse_table_line(TABLE))


class TickedSpeaker(Speaker):
    """Remembers when it was ticked, in milliseconds from the start."""

    def __init__(self, name: str = "desk") -> None:
        super().__init__(name)
        self.ticks_ms: list[int] = []

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        self.ticks_ms.append(round((now - START_S) * 1000))
        return b"", ()


class ScheduledSpeaker(TickedSpeaker):
    """Asks for its next tick as it is told to."""

    def __init__(self, wanted: Callable[[float], float | None]) -> None:
        super().__init__()
        self._wanted = wanted

    def next_tick_at(self, now: float) -> float | None:
        return self._wanted(now)


class Rig:
    """A driver on a bus that looks at it every `interval_ms`."""

    def __init__(self, driver: TickedSpeaker, mocker: MockerFixture) -> None:
        self.lost: list[DeviceLost] = []
        self.bus = DeviceBus(DeviceMap({"desk": driver}), lost=self.lost.append, gone=lambda _device, _why: None)
        self.driver, self.port, self.now_ms = driver, mocker.Mock(), 0
        self.open()

    def open(self) -> None:
        self.bus.on_port_opened("desk", self.port, OUTCOME)

    def look(self, until_ms: int, interval_ms: int = 20) -> list[int]:
        """The ticks of the driver until then."""
        self.driver.ticks_ms.clear()
        while self.now_ms < until_ms:
            self.bus.tick_driver("desk", START_S + self.now_ms * LATE / 1000)
            self.now_ms += interval_ms
        return self.driver.ticks_ms


LATE = 1.000001
"""No look of a loop is early."""

EVERY_20_MS = [0, 20, 40, 60, 80]


@pytest.mark.parametrize(
    ("wanted", "ticks_ms"),
    [
        (lambda now: now + TICK_INTERVAL_S, EVERY_20_MS),
        (lambda now: now + 0.04, [0, 40, 80]),
        (lambda now: now + 0.05, [0, 60]),
        (lambda now: now + 0.001, EVERY_20_MS),
        (lambda now: now, EVERY_20_MS),
        (lambda now: now - 1000, EVERY_20_MS),
        (lambda _now: 0, EVERY_20_MS),
        (lambda _now: nan, EVERY_20_MS),
        (lambda _now: START_S + 0.07, [0, 80]),
        (lambda _now: None, [0]),
        (lambda _now: float("inf"), [0]),
    ],
)
def test_a_driver_is_ticked_when_it_asks_to_be(
    wanted: Callable[[float], float | None], ticks_ms: list[int], mocker: MockerFixture
) -> None:
    assert Rig(ScheduledSpeaker(wanted), mocker).look(100) == ticks_ms


def test_a_driver_that_asks_for_nothing_is_ticked_at_every_look(mocker: MockerFixture) -> None:
    assert not isinstance(TickedSpeaker(), TickScheduler)
    assert find_next_tick(TickedSpeaker(), START_S) == START_S + TICK_INTERVAL_S
    assert Rig(TickedSpeaker(), mocker).look(100) == EVERY_20_MS


@pytest.mark.parametrize(
    "driver", [TickedSpeaker(), ScheduledSpeaker(lambda now: now - 1)], ids=["default", "the past"]
)
def test_none_is_ticked_faster_than_every_20_ms_however_often_the_loop_looks(
    driver: TickedSpeaker, mocker: MockerFixture
) -> None:
    assert Rig(driver, mocker).look(100, interval_ms=5) == EVERY_20_MS


def test_news_brings_a_tick_whatever_was_asked_for(mocker: MockerFixture) -> None:
    rig = Rig(ScheduledSpeaker(lambda _now: None), mocker)
    assert rig.look(100) == [0]
    rig.bus.receive_data("desk", b"n", START_S + 0.1)
    assert rig.look(200) == [100]
    rig.bus.show_outcome(OUTCOME)
    assert rig.look(300) == [200]
    rig.open()
    assert rig.look(400) == [300]


@pytest.mark.parametrize("wrong", ["soon", None], ids=["no time", "raises"])
def test_a_wish_that_is_none_is_a_lost_device_that_is_ticked_on(wrong: object, mocker: MockerFixture) -> None:
    def return_wrong_tick(_now: float) -> float | None:
        return wrong / 0 if wrong is None else wrong  # type: ignore[operator, return-value]  # that is what is wrong

    rig = Rig(ScheduledSpeaker(return_wrong_tick), mocker)
    assert rig.look(100) == EVERY_20_MS
    assert [event.reason for event in rig.lost] == ["its driver failed (TypeError); start the controller again"]


def test_the_loop_ticks_by_the_wish_of_each_driver(journal: Journal, mocker: MockerFixture) -> None:
    late, plain = ScheduledSpeaker(lambda now: now + 0.06), TickedSpeaker("other")
    three = Table3(journal, DeviceMap({"desk": late, "other": plain}), DeviceMonitor({"desk": "x", "other": "x"}, {}))
    for device in ("desk", "other"):
        three.loop.put(PortOpened(device, mocker.Mock(), three.now))
    three.drain()
    for number in range(6):
        three.loop.on_tick(START_S + number * LATE * 0.02)
    assert (late.ticks_ms, plain.ticks_ms) == ([0, 60], [0, 20, 40, 60, 80, 100])
    three.loop.put(PortBytesReceived("desk", b"n", START_S + 0.1))
    three.drain()
    three.loop.on_tick(START_S + 0.12)
    assert late.ticks_ms[-1] == 120
