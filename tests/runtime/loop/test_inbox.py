"""The loop's queue: what is dropped, what is taken first, and how long one device keeps another waiting."""

import os
import pty
import threading
import time
import tty
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from controller.core.protocol import events
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.device_threads import PortReader
from controller.runtime.devices.panel_translator import PanelTranslator
from controller.runtime.devices.port_messages import PortBytesReceived, PortLost
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.inbox import (
    EFFECT_COST_BYTES,
    MAX_BURST_BYTES,
    MAX_SLICE_BYTES,
    MAX_SOURCE_BYTES_PER_S,
    Inbox,
)
from controller.runtime.loop.loop_messages import (
    BroadcastDelayChanged,
    EntrySubmitted,
    FloorCalled,
    LoopMessage,
    StopRequested,
)
from controller.runtime.loop.table_timekeeper import TableTimekeeper
from controller.runtime.loop.table_view import TableView
from drivers.contract.driver_interface import DeviceEvent, KeyPressed
from tests.runtime.loop.test_loop import Speaker, Table3


def take_all_messages(inbox: Inbox) -> list[LoopMessage]:
    found = []
    while not inbox.is_empty():
        found.append(inbox.get_nowait())
    return found


def test_a_source_has_a_budget_of_bytes_and_the_others_have_theirs() -> None:
    inbox = Inbox()
    chunk = bytes(MAX_BURST_BYTES // 4)
    assert [inbox.put(PortBytesReceived("loud", chunk, 1.0)) for _ in range(6)] == [True] * 4 + [False] * 2
    assert inbox.put(PortBytesReceived("quiet", chunk, 1.0))
    assert inbox.take_dropped_counts() == {"loud": 2}
    assert inbox.take_dropped_counts() == {}
    assert inbox.put(PortBytesReceived("loud", bytes(MAX_SOURCE_BYTES_PER_S // 10), 1.11)), "time gives it back"


def test_a_line_of_115200_baud_is_never_dropped() -> None:
    inbox = Inbox()
    for hundredth in range(1000):
        assert inbox.put(PortBytesReceived("reader", bytes(115), hundredth / 100))
        take_all_messages(inbox)


def test_work_is_taken_off_the_budget_of_whoever_makes_it() -> None:
    inbox = Inbox()
    key = PortBytesReceived("panel", b"k", 1.0)
    for _ in range(MAX_BURST_BYTES // EFFECT_COST_BYTES):
        assert inbox.put(key)
        inbox.charge(key, 1, 1.0)
    assert not inbox.put(PortBytesReceived("panel", bytes(EFFECT_COST_BYTES), 1.0))
    assert inbox.put(PortLost("panel", "unplugged", 1.0)), "what must be heard is"


def test_what_a_person_enters_is_refused_and_not_counted_as_missed() -> None:
    inbox = Inbox()
    wish = EntrySubmitted(events.EntryUndone(), "page", 1.0)
    inbox.charge(wish, MAX_BURST_BYTES, 1.0)
    assert not inbox.put(wish)
    assert inbox.take_dropped_counts() == {}


def test_a_key_waits_for_one_slice_of_whoever_talks_without_end() -> None:
    inbox = Inbox()
    inbox.put(PortBytesReceived("loud", bytes(MAX_BURST_BYTES), 1.0))
    inbox.put(PortBytesReceived("panel", b"k", 1.0))
    first = inbox.get_nowait()
    assert isinstance(first, PortBytesReceived)
    assert (first.device, len(first.data)) == ("panel", 1)


def test_devices_that_keep_to_their_budget_are_heard_in_the_order_in_which_they_spoke() -> None:
    inbox = Inbox()
    for number in range(50):
        inbox.put(PortBytesReceived(f"device {number % 3}", bytes([number]), 1.0))
    assert [message.data[0] for message in take_all_messages(inbox) if isinstance(message, PortBytesReceived)] == list(
        range(50)
    )


def test_an_end_is_taken_first_and_taken_while_the_queue_is_being_looked_at() -> None:
    inbox = Inbox()
    inbox.put(PortBytesReceived("loud", bytes(MAX_BURST_BYTES), 1.0))
    with inbox._lock:  # a signal handler interrupts whoever holds it
        assert inbox.put(StopRequested("SIGINT", 1.0))
    assert inbox.get_nowait() == StopRequested("SIGINT", 1.0)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.binary(max_size=3 * MAX_SLICE_BYTES)), max_size=30))
def test_what_a_source_said_is_heard_whole_and_in_order(said: list[tuple[str, bytes]]) -> None:
    inbox = Inbox()
    wanted, heard = Counter[str](), dict.fromkeys("abc", b"")
    for number, (name, data) in enumerate(said):
        assert inbox.put(PortBytesReceived(name, data, 1.0 + number))
        wanted[name] += len(data)
    for message in take_all_messages(inbox):
        assert isinstance(message, PortBytesReceived)
        assert len(message.data) <= MAX_SLICE_BYTES
        heard[message.device] += message.data
    assert heard == {name: b"".join(data for one, data in said if one == name) for name in "abc"}


def test_calls_and_agreements_have_a_budget_and_a_withdrawal_is_never_dropped() -> None:
    inbox = Inbox()
    flood = 2 * MAX_BURST_BYTES // EFFECT_COST_BYTES
    assert (
        sum(inbox.put(FloorCalled(number % 2 == 0, "Ada", 1.0)) for number in range(flood))
        == MAX_BURST_BYTES // EFFECT_COST_BYTES
    )
    assert inbox.put(EntrySubmitted(events.EntryUndone(), "page", 1.0)), (
        "who calls without end keeps nobody else from entering"
    )
    assert (
        sum(inbox.put(BroadcastDelayChanged(300, (), 1.0)) for _ in range(flood))
        == MAX_BURST_BYTES // EFFECT_COST_BYTES
    )
    assert inbox.put(BroadcastDelayChanged(None, (), 1.0))
    assert inbox.take_dropped_counts() == {}, "who said it was told"


class Keys(Speaker):
    """A panel on a byte port: each byte is a key."""

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        del now
        return [KeyPressed(self.name, "undo") for _ in data]

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        del now
        return b"", ()


PRESSES = 100
PRESS_SECONDS = 1.25 * EFFECT_COST_BYTES / MAX_SOURCE_BYTES_PER_S
"""A key of the quiet panel no sooner than this after the one before: what it makes the loop do is within its budget."""
MIN_PRESSES = int(0.95 * PRESSES)
MAX_DELAY_S = 0.05
MAX_STOP_S = 1.0
PATIENCE = 60.0


class FloodedTable:
    """A table with two panels on real ports, one of which never stops talking."""

    def __init__(self, journal: Journal) -> None:
        journal._write_ahead_log.sync_file = lambda _handle: None  # the disk of whoever tests is not what is measured
        panels = {name: PanelTranslator(name, {"undo": {"ev": "undo"}}, places=3) for name in ("desk", "noisy")}
        devices = DeviceMap(byte_drivers={name: Keys(name) for name in panels}, panel_by_device=panels)
        self.table = Table3(journal, devices, DeviceMonitor(dict.fromkeys(panels, "keys"), {}))
        self.loop = self.table.loop
        self.loop.clock = time.monotonic
        self.loop._time = TableTimekeeper(time.monotonic(), 0.0)
        self.opened = threading.Event()
        """Both ports are open: what is sent sooner is lost, because opening a port empties it."""
        self.answered = threading.Event()
        self.refused: object = None
        self.loop.subscribe(self._see)
        self.masters: dict[str, int] = {}
        self.readers: list[PortReader] = []
        for name, driver in devices.byte_drivers.items():
            master, slave = pty.openpty()
            tty.setraw(slave)
            os.set_blocking(master, False)
            self.masters[name] = master
            reader = PortReader(name, os.ttyname(slave), driver, self.loop.put, time.monotonic)
            os.close(slave)
            self.readers.append(reader)
        self.flooding = threading.Event()
        self.sent = 0

    def _see(self, standing: TableView) -> None:
        if all(device.state == "ready" for device in standing.devices):
            self.opened.set()
        if standing.refusal is not None and standing.refusal is not self.refused and standing.refusal.source == "desk":
            self.refused = standing.refusal
            self.answered.set()

    def flood(self) -> None:
        """Send valid keys, 1.5 MB a second of them as far as the port takes them."""
        while not self.flooding.wait(0.0025):
            with suppress(BlockingIOError):
                self.sent += os.write(self.masters["noisy"], bytes(4096))

    def press(self) -> float:
        """Press the key of the other panel; return after how many seconds the table has answered."""
        self.answered.clear()
        pressed = time.monotonic()
        os.write(self.masters["desk"], b"u")
        assert self.answered.wait(PATIENCE), "the key was never heard"
        answered = time.monotonic() - pressed
        self.flooding.wait(PRESS_SECONDS - answered)
        return answered


def test_no_device_that_talks_without_end_keeps_a_key_or_the_end_waiting(journal: Journal) -> None:
    flooded = FloodedTable(journal)
    loop = threading.Thread(target=flooded.loop.run)
    flood = threading.Thread(target=flooded.flood)
    for thread in (*flooded.readers, loop):
        thread.start()
    try:
        assert flooded.opened.wait(PATIENCE), "the ports never opened"
        quiet = sorted(flooded.press() for _ in range(PRESSES))
        flood.start()
        waits = sorted(flooded.press() for _ in range(PRESSES))
        assert waits[MIN_PRESSES] <= max(MAX_DELAY_S, 60 * quiet[MIN_PRESSES]), (
            "the second: on a machine that is busy already"
        )
        assert "queue-full" in {fault.code for fault in flooded.table.standings[-1].faults}, "it is said, and it halts"
        asked = time.monotonic()
        flooded.loop.stop("SIGINT")
        loop.join(PATIENCE)
        assert time.monotonic() - asked <= max(MAX_STOP_S, 20 * waits[-1])
    finally:
        flooded.loop.stop("the test is over")
        flooded.flooding.set()
        for reader in flooded.readers:
            reader.stop()
        for thread in (loop, flood, *flooded.readers):
            if thread.ident is not None:
                thread.join(PATIENCE)
        for master in flooded.masters.values():
            os.close(master)
