"""The watchdog is fed while everything turns, and not one moment longer."""

import logging
import os
import pty
import threading
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from time import monotonic

import pytest
from pytest_mock import MockerFixture

from controller.runtime.devices.device_threads import OPEN_TIMEOUT_S, ROUND_TIMEOUT_S, PinSampler, PortReader
from controller.runtime.devices.port_messages import PortOpened
from controller.runtime.loop.loop_messages import LoopMessage
from controller.runtime.service.systemd_notifier import SystemdNotifier
from controller.runtime.service.watchdog import (
    DEAD_WORKER_GRACE_S,
    FEEDS_PER_INTERVAL,
    MIN_STATUS_INTERVAL_S,
    SLOW_COMMIT_S,
    SLOW_DISK_INTERVAL_S,
    WORKER_CHECK_INTERVAL_S,
    Pulse,
    Watchdog,
    WorkerDiedError,
)
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.serving.listener import listen
from controller.web.serving.page_server import PageServer
from controller.web.site import make_app
from drivers.contract.device_errors import PinError
from drivers.panels.key_panel import KeyPanel
from drivers.ports.byte_port import BytePort
from drivers.readers.rdm6300 import Rdm6300
from drivers.simulators.bench.bench import Bench
from tests.runtime.service.test_notify import Manager

PATIENCE = 60.0
"""How long a test waits for a thread or a process."""
SECONDS = 10.0
FEED = SECONDS / FEEDS_PER_INTERVAL


class Worker:
    """A worker whose life is in the test's hand."""

    def __init__(self, name: str, clock: Callable[[], float]) -> None:
        self.pulse = Pulse(name, 5.0, clock)
        self.alive = True

    def is_alive(self) -> bool:
        return self.alive


class Rig:
    """A watchdog of two workers, and the manager's end of its socket."""

    def __init__(self, directory: Path) -> None:
        address = str(directory / "notify")
        self.manager = Manager(address)
        environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": str(int(SECONDS * 1e6))}
        self.now = 100.0
        self.workers = [Worker("the reader of shoe", self.clock), Worker("the page", self.clock)]
        self.notifier = SystemdNotifier(environment)
        self.watchdog = Watchdog(self.notifier, self.workers)

    def clock(self) -> float:
        return self.now

    def turn(self, seconds: float, *, beating: tuple[int, ...] = (0, 1)) -> list[str]:
        """Let time pass in the loop's rounds, with some of the workers at work; return what the manager heard."""
        for _ in range(round(seconds / 0.05)):
            self.now += 0.05
            for number in beating:
                self.workers[number].pulse.beat()
            self.watchdog.on_loop_round(self.now)
        return self.manager.read_lines()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    yield rig
    rig.notifier.close()
    rig.manager.end.close()


def test_ready_only_when_every_worker_has_beaten(rig: Rig) -> None:
    assert rig.turn(3.0, beating=(0,)) == []
    assert rig.turn(0.05) == ["READY=1", "WATCHDOG=1"]


def test_it_is_fed_four_times_in_its_time(rig: Rig) -> None:
    heard = rig.turn(2 * SECONDS)
    assert heard.count("READY=1") == 1
    assert 2 * FEEDS_PER_INTERVAL - 1 <= heard.count("WATCHDOG=1") <= 2 * FEEDS_PER_INTERVAL + 1


def test_a_loop_that_does_not_turn_feeds_nothing(rig: Rig) -> None:
    rig.turn(1.0)
    for worker in rig.workers:
        worker.pulse.beat()
    assert rig.manager.read_lines() == [], "only the loop feeds, however well the workers are"


def test_while_the_disk_is_slow_the_manager_waits_longer_and_then_as_before(rig: Rig) -> None:
    rig.turn(1.0)
    for _ in range(2):  # and the second time
        rig.watchdog.on_commit(SLOW_COMMIT_S - 0.1, rig.now)
        assert rig.manager.read_lines() == []
        rig.watchdog.on_commit(5.0, rig.now)
        assert rig.manager.read_lines() == [f"WATCHDOG_USEC={SLOW_DISK_INTERVAL_S * 1e6:.0f}"]
        rig.now += SLOW_DISK_INTERVAL_S - 5  # the loop waits for the disk
        assert "WATCHDOG=1" in rig.turn(1.0)
        assert f"WATCHDOG_USEC={SECONDS * 1e6:.0f}" in rig.turn(4.0 + SECONDS)
        assert set(rig.turn(2 * SLOW_DISK_INTERVAL_S)) == {"WATCHDOG=1"}


def test_a_slow_disk_covers_up_no_worker(rig: Rig) -> None:
    rig.turn(1.0)
    rig.watchdog.on_commit(5.0, rig.now)
    rig.manager.read_lines()
    assert "WATCHDOG=1" not in rig.turn(SLOW_DISK_INTERVAL_S, beating=(0,))[3:]


def test_without_a_manager_a_slow_disk_asks_nobody() -> None:
    watchdog = Watchdog(SystemdNotifier({}), [])
    watchdog.on_commit(5.0, 0.0)
    assert watchdog._slow_disk_until is None


def test_a_silent_worker_is_not_covered_up(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    rig.turn(1.0)
    with caplog.at_level(logging.WARNING):
        rig.turn(5.0 + FEED, beating=(0,))
        assert rig.turn(3 * SECONDS, beating=(0,)) == []
    assert [record.getMessage().partition(" does not")[0] for record in caplog.records] == ["the page"]
    assert rig.turn(FEED).count("WATCHDOG=1") >= 1, "it is well again"
    assert "the page turns again" in caplog.text


def test_a_dead_worker_is_not_covered_up(rig: Rig) -> None:
    rig.turn(1.0)
    rig.workers[0].alive = False
    assert rig.turn(DEAD_WORKER_GRACE_S - WORKER_CHECK_INTERVAL_S).count("WATCHDOG=1") <= 1
    with pytest.raises(WorkerDiedError, match="the reader of shoe has died"):
        rig.turn(3 * SECONDS)
    assert rig.manager.read_lines() == []


def test_a_worker_may_announce_a_long_round(rig: Rig) -> None:
    rig.turn(1.0)
    rig.workers[0].pulse.beat(OPEN_TIMEOUT_S)
    assert rig.turn(OPEN_TIMEOUT_S - 1.0, beating=(1,)).count("WATCHDOG=1") >= 4
    rig.turn(1.0 + FEED, beating=(1,))
    assert rig.turn(SECONDS, beating=(1,)) == []


def test_the_status_is_told_when_it_changes_and_not_too_often(rig: Rig) -> None:
    rig.watchdog.set_status("live, idle")
    assert "STATUS=live, idle" in rig.turn(0.1)
    assert not any("STATUS" in line for line in rig.turn(SECONDS))
    told = []
    for number in range(100):
        rig.watchdog.set_status(f"live, hand {number}")
        told += [line for line in rig.turn(0.05) if line.startswith("STATUS")]
    assert len(told) <= 100 * 0.05 / MIN_STATUS_INTERVAL_S + 1
    assert "STATUS=live, hand 99" in [*told, *rig.turn(2 * MIN_STATUS_INTERVAL_S)], "the last one is never left out"


def test_what_the_manager_could_not_take_is_said_again(rig: Rig) -> None:
    while rig.notifier.send("FILLER=1"):
        pass
    rig.watchdog.set_status("live, idle")
    rig.now += 0.05
    for worker in rig.workers:
        worker.pulse.beat()
    rig.watchdog.on_loop_round(rig.now)
    assert "READY=1" not in rig.manager.read_lines()
    assert {"READY=1", "WATCHDOG=1", "STATUS=live, idle"} <= set(rig.turn(1.0))


class WaitingQueue(SimpleQueue[LoopMessage]):
    """The loop's queue; a test waits on it for what a thread puts there."""

    def wait_for_port(self) -> BytePort:
        while True:
            message = self.get(timeout=PATIENCE)
            if isinstance(message, PortOpened):
                return message.port


def test_the_reader_of_a_port_beats_with_and_without_a_device(tmp_path: Path) -> None:
    queue, beaten = WaitingQueue(), threading.Semaphore(0)

    def clock() -> float:
        beaten.release()
        return monotonic()

    near, far = pty.openpty()
    tty.setraw(near)
    link = tmp_path / "shoe"
    reader = PortReader("shoe", str(link), Rdm6300("shoe"), queue.put, clock)
    assert not reader.pulse.is_beating(monotonic())
    reader.start()
    try:
        queue.get(timeout=PATIENCE)  # lost: nothing is plugged in there
        assert reader.pulse.is_beating(monotonic()), "a device that is not there is no failure of its reader"
        link.symlink_to(os.ttyname(far))
        queue.wait_for_port()
        for _ in range(5):
            assert beaten.acquire(timeout=PATIENCE)
        assert reader.pulse.is_beating(monotonic())
    finally:
        reader.stop()
        reader.join(PATIENCE)
        os.close(near)
        os.close(far)
    assert not reader.pulse.is_beating(monotonic() + OPEN_TIMEOUT_S + ROUND_TIMEOUT_S)


def test_a_reader_that_hangs_in_a_read_is_missed(mocker: MockerFixture) -> None:
    queue, hangs, go_on = WaitingQueue(), threading.Event(), threading.Event()

    def read(_port: BytePort) -> bytes:
        hangs.set()
        go_on.wait(PATIENCE)
        return b""

    mocker.patch.object(BytePort, "read", read)
    near, far = pty.openpty()
    notifier = SystemdNotifier({})
    reader = PortReader("shoe", os.ttyname(far), Rdm6300("shoe"), queue.put, monotonic)
    watchdog = Watchdog(notifier, [reader])
    reader.start()
    try:
        assert hangs.wait(PATIENCE)
        assert watchdog.find_missing_workers(monotonic()) == frozenset()
        assert watchdog.find_missing_workers(monotonic() + ROUND_TIMEOUT_S + 0.1) == {"the reader of shoe"}
    finally:
        go_on.set()
        reader.stop()
        reader.join(PATIENCE)
        os.close(near)
        os.close(far)


def test_a_sampler_that_dies_is_missed(mocker: MockerFixture) -> None:
    with Bench() as bench:
        driver = KeyPanel("panel", keys={"start": 4})
        driver.start(bench.pins)
        queue: SimpleQueue[LoopMessage] = SimpleQueue()
        sampler = PinSampler((driver,), bench.pins, queue.put, monotonic, threading.Lock())
        watchdog = Watchdog(SystemdNotifier({}), [sampler])
        mocker.patch.object(bench.pins, "read", side_effect=PinError("the pins are gone"))
        sampler.start()
        sampler.join(PATIENCE)
        assert watchdog.find_missing_workers(monotonic()) == {"the sampler of the pins"}


def test_the_page_beats_from_when_it_serves() -> None:
    hub = PageStateHub({})
    server = PageServer(make_app(hub, ("127.0.0.1",), None), listen("127.0.0.1", 0), hub)
    watchdog = Watchdog(SystemdNotifier({}), [server])
    assert watchdog.find_missing_workers(monotonic()) == {"the page"}
    beaten = threading.Event()
    beat = server.pulse.beat

    def beat_and_signal(silence: float | None = None) -> None:
        beat(silence)
        beaten.set()

    server.pulse.beat = beat_and_signal  # type: ignore[method-assign]  # to wait for it without asking again and again
    server.start()
    assert beaten.wait(PATIENCE)
    assert watchdog.find_missing_workers(monotonic()) == frozenset()
    server.end()
    assert watchdog.find_missing_workers(monotonic()) == {"the page"}
