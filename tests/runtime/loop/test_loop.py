"""The order of things in the loop, and what it does when something under it fails."""

import errno
import json
import logging
import os
import pty
import tty
from collections.abc import Mapping, Sequence

import pytest
from pytest_mock import MockerFixture

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.protocol import events, vocabulary
from controller.runtime.broadcast.card_release import CardRelease, ReleaseItem
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.device_monitor import DEVICE_LIFE, DeviceMonitor, DeviceState
from controller.runtime.devices.port_messages import PortBytesReceived, PortLost, PortOpened
from controller.runtime.journal.entry_result import INTERNAL_FAULT_CODE, handle_entry
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.recovery.journal_replay import RecoveryError, compare_with_replay, recover_table
from controller.runtime.life_cycle import LifeCycle
from controller.runtime.loop.loop_messages import EntryBatch
from controller.runtime.loop.loop_parts import LoopParts
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import LIVE, TableView
from controller.runtime.staff.entry_signature import Signer
from controller.runtime.storage.sqlite_database import DatabaseError
from drivers.contract.driver_interface import (
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    KeyFreed,
    KeyStuck,
    NoiseDropped,
    Pins,
    Signals,
    TagRead,
)
from drivers.ports.byte_port import open_port
from drivers.shoe.shoe_gate import ShoeGate
from drivers.simulators.bench.bench import Bench
from tests.runtime.conftest import TABLE


class Speaker:
    """The smallest device on a byte port: each byte it sends is one thing that happened; it shows lamps as text."""

    baudrate = 9600
    parity = "N"
    stopbits = 1.0

    def __init__(self, name: str) -> None:
        self.name = name

    def on_port_opened(self) -> bytes:
        return b"hello\n"

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        del now
        said: dict[int, DeviceEvent] = {
            ord("n"): NoiseDropped(self.name, 3, "test"),
            ord("l"): DeviceLost(self.name, "silent"),
            ord("r"): DeviceReady(self.name),
            ord("s"): KeyStuck(self.name, "done"),
            ord("f"): KeyFreed(self.name, "done"),
            ord("t"): TagRead(self.name, "77"),
        }
        return [said[byte] for byte in data]

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        if now > 1000:
            raise ZeroDivisionError(now)
        return b"", ()

    def show_signals(self, signals: Signals) -> bytes:
        return f"act {signals.lamps.act} deal {signals.lamps.deal}\n".encode()


class Table3:
    """A table of three with one device, its loop and its journal."""

    def __init__(
        self,
        journal: Journal,
        devices: DeviceMap | None = None,
        health: DeviceMonitor | None = None,
        parts: LoopParts | None = None,
        opened: Mapping[str, object] = TABLE,
    ) -> None:
        self.journal = journal
        self.now = 10.0
        journal.begin_run("boot", "test")
        self.session = journal.begin_session({"mode": LIVE, "table": "{}"})
        table = Table()
        entry = journal.append_entry(opened, "configuration")
        given = handle_entry(table, parse_table_line(opened), entry)
        journal.record_result(entry, given.compute_digest(given.to_output_line()), None)
        self.table = table
        self.standings: list[TableView] = []
        self.reopened: list[str] = []
        self.loop = TableLoop(
            recover_table(journal, self.session, parse_table_line),
            journal,
            devices or DeviceMap(byte_drivers={"desk": Speaker("desk")}),
            health or DeviceMonitor({"desk": "speaker"}, {}),
            mode=LIVE,
            clock=lambda: self.now,
            parts=parts or LoopParts(reopen_port=self.reopened.append),
        )
        self.loop.subscribe(self.standings.append)
        self.loop.start()

    def enter(self, event: events.Event, by: Signer | None = None) -> TableView:
        self.loop.submit_entry(event, "test", by)
        self.drain()
        return self.standings[-1]

    def say(self, data: bytes) -> TableView:
        self.loop.put(PortBytesReceived("desk", data, self.now))
        self.drain()
        return self.standings[-1]

    def drain(self) -> None:
        while not self.loop._inbox.is_empty():
            self.loop.handle_message(self.loop._inbox.get_nowait(), self.now)

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(entry.script_line) for entry in self.journal.read_entries(self.session)]


@pytest.fixture
def three(journal: Journal) -> Table3:
    return Table3(journal)


def test_an_event_is_in_the_journal_before_the_table_handles_it(three: Table3, mocker: MockerFixture) -> None:
    handle = Table.handle
    seen: list[int] = []

    def note_journal_and_handle(table: Table, event: events.Event, line: int | None = None) -> Outcome:
        other = JournalReader.open(three.journal.path)
        seen.append(other.last_entry_number)
        other.close()
        return handle(table, event, line)

    mocker.patch.object(Table, "handle", note_journal_and_handle)
    entry = three.standings[-1].entry
    three.enter(events.HandStarted())
    three.enter(events.CardDealt("As"))
    assert seen == [entry + 1, entry + 2]


def test_a_table_is_taken_up_behind_an_entry_on_which_the_program_failed_once(
    three: Table3, mocker: MockerFixture
) -> None:
    """The program is mended meanwhile: what it would do now with that entry is not what the table stood on."""
    handle = Table.handle

    def breaks(table: Table, event: events.Event, line: int | None = None) -> Outcome:
        if isinstance(event, events.HandStarted):
            raise ZeroDivisionError
        return handle(table, event, line)

    patched = mocker.patch.object(Table, "handle", breaks)
    three.enter(events.HandStarted())
    mocker.stop(patched)
    three.enter(events.TimePassed())
    stood = three.standings[-1].output_line
    recovered = recover_table(three.journal, three.session, parse_table_line)
    assert recovered.last_result is not None
    assert {**recovered.last_result.to_output_line(), "line": 0} == {**stood, "line": 0}


def test_a_journal_that_cannot_be_written_stops_the_table_unacted(three: Table3, mocker: MockerFixture) -> None:
    from controller.runtime.storage.sqlite_database import DatabaseError

    mocker.patch.object(Journal, "append_entry", side_effect=DatabaseError("the disk is full"))
    handled = mocker.spy(Table, "handle")
    with pytest.raises(DatabaseError, match="disk is full"):
        three.enter(events.HandStarted())
    assert handled.call_count == 0
    assert three.loop.outcome.state.hand is None


def test_a_failure_of_the_program_changes_nothing_and_shows_no_card(
    three: Table3, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    three.enter(events.HandStarted())
    before = three.standings[-1].output_line
    handle = Table.handle

    def fail_on_card(table: Table, event: events.Event, line: int | None = None) -> Outcome:
        if isinstance(event, events.CardDealt):
            raise KeyError(event.card)
        return handle(table, event, line)

    mocker.patch.object(Table, "handle", fail_on_card)
    with caplog.at_level(logging.DEBUG):
        standing = three.enter(events.CardDealt("Qd"))
    mocker.stopall()
    assert standing.refusal is not None
    assert standing.refusal.code == INTERNAL_FAULT_CODE
    assert {key: standing.output_line[key] for key in ("next", "piles")} == {
        key: before[key] for key in ("next", "piles")
    }
    assert (before["gate"], standing.output_line["gate"], standing.output_line["phase"]) == ("open", "locked", "halted")
    assert "KeyError" in caplog.text
    assert "Qd" not in caplog.text
    assert "Qd" not in repr(standing)
    assert [fault.code for fault in three.enter(events.CardDealt("2c")).faults] == ["program-fault"]


def test_a_table_that_cannot_even_be_halted_ends(three: Table3, mocker: MockerFixture) -> None:
    three.enter(events.HandStarted())
    mocker.patch.object(Table, "handle", side_effect=KeyError("Qd"))
    with pytest.raises(RuntimeError, match="cannot even be halted"):
        three.enter(events.CardDealt("Qd"))


def test_a_subscriber_that_fails_does_not_stop_the_table(three: Table3, caplog: pytest.LogCaptureFixture) -> None:
    def fail(standing: TableView) -> None:
        raise ValueError(standing.number)

    three.loop._publisher._subscribers.insert(0, fail)
    assert three.enter(events.HandStarted()).output_line["hand"] == 1
    assert "a subscriber failed: ValueError" in caplog.text


def test_a_table_that_was_shown_halted_lives_although_it_could_not_be_shown_just_before(three: Table3) -> None:
    def fail_once(_standing: TableView) -> None:
        three.loop._publisher._subscribers.remove(fail_once)
        raise ValueError

    three.loop.subscribe(fail_once)
    three.enter(events.HandStarted())
    three.loop._fault_alarm.latch_faults(["program-fault"], three.now)
    three.loop.on_tick(three.now)
    assert three.standings[-1].output_line["phase"] == "halted"


def test_a_table_that_cannot_be_shown_is_halted_and_then_ends(three: Table3) -> None:
    wrong = [True]

    def fail(_standing: TableView) -> None:
        if wrong[0]:
            raise ValueError

    three.loop.subscribe(fail)
    three.enter(events.HandStarted())
    wrong[0] = False
    three.loop.on_tick(three.now)
    assert three.standings[-1].output_line["phase"] == "halted"
    assert [fault.code for fault in three.standings[-1].faults] == ["program-fault"]
    three.loop.on_tick(three.now)
    wrong[0] = True
    three.enter(events.HandStarted())
    with pytest.raises(RuntimeError, match="cannot be shown"):
        three.loop.on_tick(three.now)


def test_what_a_device_says_is_counted_told_or_noted(three: Table3) -> None:
    assert three.say(b"nn").devices[0].noise == 0, "noise alone is not worth a publication"
    assert "stuck" in three.say(b"s").notices[0].text
    assert "free again" in three.say(b"f").notices[0].text
    assert "does not say what it is for" in three.say(b"t").notices[0].text
    assert three.standings[-1].devices[0].noise == 6
    assert three.lines()[1:] == []


def test_a_driver_that_fails_is_a_lost_device(three: Table3, caplog: pytest.LogCaptureFixture) -> None:
    assert three.say(b"?").devices[0].why == "its driver failed (KeyError); start the controller again"
    assert [line.get("status") for line in three.lines()[1:]] == ["lost"]
    assert "the driver of desk failed: KeyError" in caplog.text
    three.say(b"?")
    assert len(three.lines()) == 2


def test_a_driver_that_fails_at_every_look_says_it_once_for_each_opening(
    three: Table3, caplog: pytest.LogCaptureFixture
) -> None:
    near, far = pty.openpty()
    tty.setraw(near)
    try:
        for opening in (1, 2):
            port = open_port(os.ttyname(far), Speaker("desk"))
            three.loop.put(PortOpened("desk", port, three.now))
            three.drain()
            before = len(three.standings)
            for look in range(100):
                three.loop.on_tick(2000.0 + look)
                three.drain()
            assert caplog.text.count("ZeroDivisionError in") == opening
            assert len(three.standings) <= before + 1, "and nobody is told the same fifty times a second"
            port.close()
    finally:
        os.close(near)
        os.close(far)
    assert three.standings[-1].devices[0].state == "lost"


def test_what_a_device_does_without_a_row_halts_the_table_and_leaves_the_device(
    three: Table3, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    cut = LifeCycle([move for move in DEVICE_LIFE.moves if move.trigger != "answered"], DeviceState)
    mocker.patch("controller.runtime.devices.device_monitor.DEVICE_LIFE", cut)
    three.enter(events.HandStarted())
    before = three.say(b"l").devices
    for _twice in range(2):
        standing = three.say(b"r")
        assert [(fault.code, fault.id) for fault in standing.faults][1:] == [("program-fault", "fault:program-fault")]
        assert standing.devices == before
    assert len(three.lines()) == 4, "configuration, start, lost, and the fault once"
    assert "answered in DeviceState.GONE, for which there is no row" in caplog.text
    assert "stuck" in three.say(b"rs").notices[0].text, "what was said with it is heard"


class FailingShoeGate(ShoeGate):
    """A device on pins whose driver fails."""

    def show_signals(self, signals: Signals, pins: Pins) -> None:
        raise ZeroDivisionError(signals, pins)


def test_a_driver_on_pins_that_fails_is_a_lost_device_and_the_others_are_shown(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    with Bench("ring") as bench:
        bench.add_device("gate", "gate", {"pin": 17, "open_level": "high", "fail_safe": "locked"})
        gate = ShoeGate("gate", pin=17, open_level="high", fail_safe="locked")
        gate.start(bench.pins)
        broken = FailingShoeGate("ring", pin=27, open_level="high", fail_safe="locked")
        devices = DeviceMap(pin_drivers={"ring": broken, "gate": gate}, pins=bench.pins)
        three = Table3(journal, devices, DeviceMonitor({}, {"ring": "lamps", "gate": "gate"}))
        three.enter(events.HandStarted())
        assert bench.gate("gate").is_open() is three.loop.outcome.gate_open
    assert [line.get("id") for line in three.lines() if line["ev"] == "device"] == ["ring"]
    assert caplog.text.count("the driver of ring failed: ZeroDivisionError") == 1


def test_a_device_is_lost_once_and_back_once(three: Table3) -> None:
    for _ in range(2):
        three.loop.put(PortLost("desk", "unplugged", three.now))
    three.drain()
    three.say(b"l")
    assert [line.get("status") for line in three.lines()[1:]] == ["lost"]
    assert three.standings[-1].devices[0].why == "unplugged"
    three.say(b"r")
    assert [line.get("status") for line in three.lines()[1:]] == ["lost"], "it answers, but its port is not open"


def test_time_never_goes_back_whatever_thread_was_late(three: Table3) -> None:
    three.now = 20.0
    three.enter(events.HandStarted())
    three.loop.put(PortLost("desk", "unplugged", 15.0))
    three.drain()
    assert [line["t"] for line in three.lines()[1:]] == [10.0, 10.0]


def test_the_longest_wait_on_the_queue_is_known(three: Table3) -> None:
    three.loop.put(PortBytesReceived("desk", b"n", three.now))
    three.now += 0.25
    three.drain()
    assert three.loop.max_queue_delay_s == 0.25


def has_received(terminal: int, wanted: bytes) -> bool:
    """Whether a terminal's other end said just this; a busy machine may hand it over in pieces."""
    said = b""
    while len(said) < len(wanted):
        said += os.read(terminal, len(wanted) - len(said))
    return said == wanted


def test_an_opened_port_is_greeted_and_shown_everything(three: Table3) -> None:
    near, far = pty.openpty()
    tty.setraw(near)
    try:
        three.enter(events.HandStarted())
        port = open_port(os.ttyname(far), Speaker("desk"))
        three.loop.put(PortOpened("desk", port, three.now))
        three.drain()
        assert has_received(near, b"hello\nact () deal (2,)\n")
        three.enter(events.CardDealt("As"))
        assert has_received(near, b"act () deal (4,)\n")
        port.close()
    finally:
        os.close(near)
        os.close(far)


def test_a_write_that_fails_is_a_lost_device_and_the_port_is_opened_again(three: Table3) -> None:
    near, far = pty.openpty()
    port = open_port(os.ttyname(far), Speaker("desk"))
    three.loop.put(PortOpened("desk", port, three.now))
    three.drain()
    os.close(near)
    os.close(far)
    three.enter(events.HandStarted())
    assert three.reopened == ["desk"]
    assert three.lines()[-1] == {"ev": "device", "t": 0.0, "id": "desk", "status": "lost"}
    port.close()


def test_stop_ends_the_run(three: Table3) -> None:
    three.enter(events.HandStarted())
    three.loop.submit_entry(events.EntryUndone(), "test")
    three.loop.stop("SIGTERM")
    assert three.loop.run() == "SIGTERM"
    assert three.standings[-1].output_line["hand"] == 1, "an end is taken before what waits"


def test_of_one_touch_nothing_is_entered_after_what_the_table_refuses(three: Table3) -> None:
    """A fold that the floor does not let stand must not leave the next seat's fold behind, out of turn."""
    three.enter(events.HandStarted())
    _enter_together(three, events.StepConfirmed(), events.EntryUndone())
    assert [line["ev"] for line in three.lines()] == ["table", "start", "done"]
    _enter_together(three, events.EntryUndone(), events.HandStarted())
    assert [line["ev"] for line in three.lines()][3:] == ["undo", "start"]


def _enter_together(three: Table3, *several: events.Event) -> None:
    batch = EntryBatch()
    for event in several:
        three.loop.submit_entry(event, "page", None, batch)
    three.drain()


def test_a_record_that_now_gives_something_else_stops_the_start(three: Table3) -> None:
    three.enter(events.HandStarted())
    three.journal.record_result(
        three.journal.append_entry({"ev": "card", "card": "As", "t": 1.0}, "shoe"), "0" * 64, None
    )
    three.journal.end_run("test")
    found = compare_with_replay(three.journal, three.session, parse_table_line)
    assert found.first_difference == 3
    with pytest.raises(RecoveryError, match="entry 3 of the journal gives another outcome than was recorded"):
        recover_table(three.journal, three.session, parse_table_line)


def test_an_entry_that_cannot_be_read_any_more_is_named(three: Table3) -> None:
    three.enter(events.HandStarted())
    three.journal.append_entry({"ev": "riffle"}, "test")
    with pytest.raises(RecoveryError, match=r"entry 3 of the journal gives another outcome .* --void-hand"):
        recover_table(three.journal, three.session, parse_table_line)
    with pytest.raises(RecoveryError, match="entry 3 of the journal cannot be read any more"):
        compare_with_replay(three.journal, three.session, parse_table_line)
    empty = three.journal.begin_session({})
    with pytest.raises(RecoveryError, match="has no entry"):
        recover_table(three.journal, empty, parse_table_line)


@pytest.mark.parametrize("failing", ["an entry", "the end of a hand", "a sign-in"])
def test_a_journal_that_cannot_be_written_is_shown_before_the_table_stops(
    three: Table3, mocker: MockerFixture, failing: str
) -> None:
    three.enter(events.HandStarted())
    for card in ("As", "Kd", "7h", "2c", "9s", "Jd"):
        three.enter(events.CardDealt(card))
    step = three.standings[-1].output_line["next"]
    assert isinstance(step, list)
    first = step[0]["seat"]
    three.enter(events.PlayerActed(first, vocabulary.ActionType.FOLD))
    step = three.standings[-1].output_line["next"]
    assert isinstance(step, list)
    three.enter(events.PlayerActed(step[0]["seat"], vocabulary.ActionType.FOLD))
    handle = Table.handle

    def fail() -> None:
        mocker.patch.object(three.journal._write_ahead_log, "sync_file", side_effect=OSError(errno.EIO, "no disk"))

    def fail_at_hand_end(table: Table, event: events.Event, line: int | None = None) -> Outcome:
        if failing == "the end of a hand":
            fail()
        return handle(table, event, line)

    mocker.patch.object(Table, "handle", fail_at_hand_end)
    if failing != "the end of a hand":
        fail()
    if failing == "a sign-in":
        three.loop.record_sign_in("Ada", "floor", "00")
    else:
        three.loop.submit_entry(events.StepConfirmed(), "test")
    with pytest.raises(DatabaseError, match="cannot be written"):
        three.drain()
    assert [fault.code for fault in three.standings[-1].faults] == ["journal-trouble"]


def notes(three: Table3, kind: str) -> list[dict[str, object]]:
    return [record.parse_body() for record in three.journal.read_newest_records(kind)]


def test_a_call_that_changes_nothing_is_neither_recorded_nor_shown(three: Table3) -> None:
    three.loop.set_floor_called(True, "Ada")
    three.drain()
    shown = len(three.standings)
    for _ in range(50):
        three.loop.set_floor_called(True, "Ada")
    three.drain()
    assert (len(notes(three, "call")), len(three.standings)) == (1, shown)
    three.loop.set_floor_called(False, "Bo")
    three.drain()
    assert (len(notes(three, "call")), three.standings[-1].floor_called) == (2, False)


def test_a_flood_of_withdrawals_waits_once_and_does_nothing_where_nothing_is_agreed(three: Table3) -> None:
    released: list[ReleaseItem] = []
    three.loop._card_release = CardRelease(released.append)
    shown = len(three.standings)
    for _ in range(3000):
        assert three.loop.change_broadcast_delay(None, ())
    assert three.loop.waiting_count == 1
    three.drain()
    assert (notes(three, "broadcast"), len(three.standings), released) == ([], shown, [])


def test_a_withdrawal_after_an_agreement_is_heard_though_one_waits_before_it(three: Table3) -> None:
    three.loop._card_release = release = CardRelease(lambda _: None)
    for delay in (None, 300, None, None):
        assert three.loop.change_broadcast_delay(delay, ())
    assert three.loop.waiting_count == 3
    three.drain()
    assert release.delay_s is None
    assert [note["delay"] for note in notes(three, "broadcast")] == [None, 300]
    three.loop.change_broadcast_delay(300, ())
    three.drain()
    three.loop.change_broadcast_delay(None, ())
    three.drain()
    assert release.delay_s is None
