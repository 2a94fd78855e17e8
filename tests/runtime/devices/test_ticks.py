"""When drivers are ticked: as often as the loop looks, or when they ask to be, and never more often than that."""

from collections.abc import Callable, Sequence
from math import inf, nan
from queue import Empty

import pytest
from pytest_mock import MockerFixture

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.runtime.devices.device_bus import DeviceBus, DeviceMap
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.port_messages import PortBytesReceived, PortOpened
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.loop_messages import LoopMessage
from drivers.contract.driver_interface import (
    TICK_INTERVAL_S,
    DeviceEvent,
    DeviceLost,
    TickScheduler,
    find_next_tick,
    find_regular_tick,
)
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


class Poller(TickedSpeaker):
    """Has something to send at each tick."""

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        super().on_tick(now)
        return b"?", ()


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
    ("driver", "interval_ms"), [(TickedSpeaker(), 20), (ScheduledSpeaker(lambda now: now - 1), 5)], ids=["none", "past"]
)
def test_the_most_that_silence_brings_however_often_the_loop_looks(
    driver: TickedSpeaker, interval_ms: int, mocker: MockerFixture
) -> None:
    assert Rig(driver, mocker).look(100, interval_ms=1) == list(range(0, 100, interval_ms))


def test_drivers_without_a_wish_are_due_together() -> None:
    """So that many of them wake the loop no more often than one, whenever each was heard last."""
    assert {round(find_regular_tick(START_S + late / 1000), 6) for late in range(15)} == {START_S + 0.02}
    assert find_regular_tick(START_S + 0.016) == pytest.approx(START_S + 0.04)


def test_news_brings_a_tick_whatever_was_asked_for(mocker: MockerFixture) -> None:
    rig = Rig(ScheduledSpeaker(lambda _now: None), mocker)
    assert rig.look(100) == [0]
    rig.bus.receive_data("desk", b"n", START_S + 0.1)
    assert rig.driver.ticks_ms == [0, 100], "at once, and not at the next look"
    assert rig.look(200) == []
    rig.bus.show_outcome(OUTCOME)
    assert rig.look(300) == [200]
    rig.open()
    assert rig.look(400) == [300]


def test_what_answers_at_once_is_not_asked_thousands_of_times(mocker: MockerFixture) -> None:
    """A far end that is no serial line may answer each poll in no time: 500 polls a second, and no loop of its own."""
    rig = Rig(Poller(), mocker)
    rig.look(1)
    for late_us in range(0, 100_000, 100):
        rig.bus.receive_data("desk", b"n", START_S + late_us / 1_000_000)
    assert 45 <= len(rig.driver.ticks_ms) <= 51
    assert rig.bus.next_tick_at == pytest.approx(START_S + 0.1, abs=0.003), "and it is not forgotten"


def test_no_byte_of_a_port_that_is_gone_ticks_its_driver(mocker: MockerFixture) -> None:
    rig = Rig(Poller(), mocker)
    rig.look(1)
    rig.bus.forget_port("desk")
    rig.bus.receive_data("desk", b"n", START_S + 1)
    assert (rig.driver.ticks_ms, rig.bus.next_tick_at) == ([0], inf)


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
    three.loop.put(PortBytesReceived("desk", b"n", START_S + 0.11))
    three.drain()
    assert (late.ticks_ms, len(plain.ticks_ms)) == ([0, 60, 110], 6), "what is heard of one device ticks no other"


def test_what_came_with_one_read_is_one_tick(journal: Journal, mocker: MockerFixture) -> None:
    """However finely the queue cuts it: all of it came at the same time."""
    plain = TickedSpeaker()
    three = Table3(journal, DeviceMap({"desk": plain}), DeviceMonitor({"desk": "x"}, {}))
    three.loop.put(PortOpened("desk", mocker.Mock(), three.now))
    three.drain()
    plain.ticks_ms.clear()
    three.loop.put(PortBytesReceived("desk", b"n" * 1000, START_S + 0.01))
    three.drain()
    assert plain.ticks_ms == [10]


def test_the_loop_wakes_for_a_wish_and_not_more_often(journal: Journal, mocker: MockerFixture) -> None:
    """`run` itself, in a time that passes only while it waits."""
    wishing, plain = ScheduledSpeaker(lambda now: now + 0.007), TickedSpeaker("other")
    three = Table3(
        journal, DeviceMap({"desk": wishing, "other": plain}), DeviceMonitor({"desk": "x", "other": "x"}, {})
    )
    wakes = 0

    def wait(timeout: float) -> LoopMessage:
        nonlocal wakes
        wakes += 1
        if not three.loop._inbox.is_empty():
            return three.loop._inbox.get_nowait()
        three.now += timeout * LATE + 1e-9
        if three.now > START_S + 0.1:
            three.loop.stop("enough")
        raise Empty

    mocker.patch.object(three.loop._inbox, "get", wait)
    for device in ("desk", "other"):
        three.loop.put(PortOpened(device, mocker.Mock(), three.now))
    three.loop.run()
    assert wishing.ticks_ms[:6] == [0, 7, 14, 21, 28, 35]
    assert plain.ticks_ms[:5] == [0, 20, 40, 60, 80]
    assert wakes < 30
