"""Who hears of an entry, and why in this order: each reason that `entry_listeners` gives is broken by a swap here."""

from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.core.protocol.events import CardDealt, DeviceChanged, HandStarted, StepConfirmed
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.journal.hand_index import HandQuery
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.processed_entry import ProcessedEntry
from controller.runtime.loop.table_view import TableView
from controller.runtime.storage.sqlite_database import DatabaseError
from drivers.contract.driver_interface import DeviceEvent
from tests.app.rig import Rig


class EntryRecorder:
    """Remembers what it heard, and what the table had published by then."""

    def __init__(self) -> None:
        self.heard: list[ProcessedEntry] = []
        self.rig: Rig | None = None
        self.shown_entries: list[int] = []

    def on_entry(self, processed: ProcessedEntry) -> None:
        self.heard.append(processed)
        if self.rig is not None:
            self.shown_entries.append(self.rig.standing.entry)


class HandsThisHour:
    """A field of the page's kind, made without the loop: the numbers of the hands that ended in the last hour."""

    def __init__(self) -> None:
        self._ended_at_by_hand: dict[int, float] = {}

    def on_entry(self, processed: ProcessedEntry) -> None:
        if processed.is_hand_over:
            self._ended_at_by_hand[processed.outcome.state.hand_count] = processed.received_at

    def list_hands(self, now: float) -> list[int]:
        return [hand for hand, at in self._ended_at_by_hand.items() if now - at <= 3600]


class SlowMeter:
    """Remembers how long each entry took."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def on_device_event(self, event: DeviceEvent) -> None: ...

    def on_notice(self, notice: Notice) -> None: ...

    def on_entry(self, processed: ProcessedEntry, seconds: float) -> None:  # noqa: ARG002 - as a meter is told
        self.seconds.append(seconds)

    def on_entry_refused(self, code: str) -> None: ...

    def on_commit(self, seconds: float) -> None: ...


def play_to_end(rig: Rig, unread: int = 0) -> None:
    """Play a hand in which the last `unread` of twelve cards are not read and everybody folds."""
    rig.press("start")
    rig.deal(list(rig.tags)[: 12 - unread])
    for _ in range(unread):
        rig.enter(CardDealt(None), "shoe")
    rig.play_out()


def test_the_gate_is_open_before_the_result_is_written(tmp_path: Path, mocker: MockerFixture) -> None:
    record, open_at = Journal.record_result, []
    with Rig(tmp_path) as rig:

        def note_gate_and_record(journal: Journal, entry: int, *result: object) -> None:
            open_at.append(rig.bench.gate("gate").is_open())
            record(journal, entry, *result)  # type: ignore[arg-type]

        mocker.patch.object(Journal, "record_result", note_gate_and_record)
        rig.enter(HandStarted())
    assert open_at == [True]


def test_a_page_that_hears_of_the_end_of_a_hand_finds_it_in_the_list(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        found: list[bool] = []

        def look(view: TableView) -> None:
            if view.output_line["phase"] == "idle" and view.output_line["hand"]:
                found.append(any(row.over for row in rig.hands.find(HandQuery()).hands))

        rig.loop.subscribe(look)
        play_to_end(rig)
    assert found[0]


def test_nobody_is_shown_what_the_journal_could_not_keep(tmp_path: Path, mocker: MockerFixture) -> None:
    with Rig(tmp_path) as rig:
        shown = len(rig.standings)
        mocker.patch.object(Journal, "record_result", side_effect=DatabaseError("full"))
        rig.loop.submit_entry(HandStarted(), "page")
        with pytest.raises(DatabaseError):
            rig.drain()
        assert [[fault.code for fault in view.faults] for view in rig.standings[shown:]] == [["journal-trouble"]]


def test_a_notice_comes_with_the_entry_that_it_is_about(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        shown = len(rig.standings)
        rig.enter(CardDealt(None), "shoe")
        assert rig.standings[shown].notices[0].code is NoticeCode.CARD_UNREAD


def test_what_counts_the_time_of_an_entry_counts_its_publication(tmp_path: Path) -> None:
    meter = SlowMeter()
    with Rig(tmp_path, meter=meter) as rig:
        rig.loop.subscribe(lambda _view: rig.clock.advance(0.25))
        rig.enter(HandStarted())
    assert meter.seconds[-1] == pytest.approx(0.25)


def test_a_fault_that_comes_of_an_entry_finds_everybody_where_the_entry_left_them(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    """The alarm enters the fault while the list of the entry is not through."""
    recorder = EntryRecorder()
    stored = mocker.spy(Journal, "store_snapshot")
    mocker.patch.object(
        Journal, "needs_snapshot", lambda journal, at_leisure: not journal._cards.is_hand_in_progress  # noqa: ARG005
    )  # fmt: skip
    with Rig(tmp_path, listeners=[recorder]) as rig:
        play_to_end(rig, unread=3)
        last = rig.journal.last_entry_number
        assert [fault.code for fault in rig.standing.faults] == ["reader-failing"]
        numbers = [heard.entry_number for heard in recorder.heard]
        assert numbers == sorted(numbers)
        assert isinstance(recorder.heard[-1].event, DeviceChanged)
        followed = rig.loop._snapshots._snapshot_writer._recovered.last_result
        assert followed is not None
        assert followed.entry_number == last, "the writer follows the entries in their order"
        assert {call.args[2] for call in stored.call_args_list if call.args[2] >= last - 1} == {last}
        assert rig.loop._router._cards_out_at is not None
        assert rig.loop._router._cards_out_at[0] is rig.loop.outcome


def test_a_field_of_the_page_is_counted_without_the_loop(tmp_path: Path) -> None:
    hands, recorder = HandsThisHour(), EntryRecorder()
    with Rig(tmp_path, listeners=[hands, recorder]) as rig:
        recorder.rig = rig
        play_to_end(rig)
        half = rig.clock()
        rig.clock.advance(1800)
        rig.enter({"ev": "stack", "seat": 1, "stack": 300})  # no hand ends with it
        play_to_end(rig)
        assert hands.list_hands(rig.clock()) == [1, 2]
        assert hands.list_hands(half + 3601) == [2]
        heard = recorder.heard[-len(recorder.shown_entries) :]
        assert recorder.shown_entries == [each.entry_number for each in heard], "each was published before"


def test_what_was_entered_is_told_beside_what_it_meant(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
    recorder = EntryRecorder()
    with Rig(tmp_path, confirmed=False, listeners=[recorder]) as rig:
        rig.enter(StepConfirmed())
        heard = recorder.heard[-1]
        assert (heard.told, type(heard.event)) == (StepConfirmed(), DeviceChanged)
        assert (heard.event.time_s, heard.source, heard.received_at) == (heard.time_s, "page", rig.clock())
        assert heard.outcome.state.is_hand_on
        assert not heard.is_hand_over
