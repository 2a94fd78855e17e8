"""What an entry leaves to be shown: its notices, its number, and that the power was cut."""

import pytest
from pytest_mock import MockerFixture

from controller.core.protocol.events import (
    CardDealt,
    EntryUndone,
    Event,
    HandStarted,
    PlayerActed,
    Report,
    StepConfirmed,
    TimePassed,
)
from controller.core.protocol.vocabulary import ActionType, ReportKind
from controller.runtime.faults.fault_table import CONTROLLER_SOURCE
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import RecoveredTable
from controller.runtime.loop.loop_parts import LoopParts
from controller.runtime.loop.notice_board import NoticeBoard
from controller.runtime.loop.processed_entry import ProcessedEntry
from controller.runtime.loop.shown_entry import ShownEntry
from controller.runtime.loop.snapshot_keeper import IDLE_DELAY_S
from controller.runtime.loop.snapshot_writer import SnapshotWriter
from controller.runtime.loop.tournament_timer import CLOCK_SOURCE
from tests.runtime.loop.test_loop import Table3


class EntryRecorder:
    """Remembers what it heard last."""

    def __init__(self) -> None:
        self.heard: list[ProcessedEntry] = []

    def on_entry(self, processed: ProcessedEntry) -> None:
        self.heard.append(processed)


@pytest.fixture
def recorder() -> EntryRecorder:
    return EntryRecorder()


@pytest.fixture
def three(journal: Journal, recorder: EntryRecorder) -> Table3:
    return Table3(journal, parts=LoopParts(listeners=[recorder]))


@pytest.mark.parametrize(
    ("event", "source", "codes"),
    [
        (CardDealt(None), "shoe", [NoticeCode.CARD_UNREAD]),
        (CardDealt(None), "page", []),
        (CardDealt(None, is_foreign=True), "shoe", []),
        (CardDealt("As"), "shoe", []),
    ],
)
def test_a_card_that_left_the_shoe_unread_is_a_notice(
    three: Table3, recorder: EntryRecorder, event: Event, source: str, codes: list[NoticeCode]
) -> None:
    three.enter(HandStarted())
    three.loop._handle_event(event, source, three.now)
    board = NoticeBoard({"shoe"}, None)
    for heard in recorder.heard:  # a foreign card is a fault besides, which is an entry of its own
        board.on_entry(heard)
    assert [notice.code for notice in board.notices] == codes


def test_that_the_gate_was_held_is_shown_until_it_is_shut_by_right(three: Table3, recorder: EntryRecorder) -> None:
    board = NoticeBoard((), None)
    board.post(Notice(NoticeCode.GATE_HELD, "gate", "Held."))
    board.post(Notice(NoticeCode.KEY_STUCK, "panel", "Stuck."))
    three.enter(HandStarted())
    board.on_entry(recorder.heard[-1])
    assert [notice.code for notice in board.notices] == [NoticeCode.KEY_STUCK, NoticeCode.GATE_HELD]
    while three.loop.outcome.gate_open:
        three.enter(CardDealt(None))
    board.on_entry(recorder.heard[-1])
    assert [notice.code for notice in board.notices] == [NoticeCode.KEY_STUCK]


def test_a_mark_of_the_timer_makes_no_touch_come_too_late(three: Table3) -> None:
    entry = three.enter(HandStarted()).entry
    three.loop._handle_event(TimePassed(), CLOCK_SOURCE, three.now)
    assert (three.standings[-1].entry, three.journal.last_entry_number) == (entry, entry + 1)


def test_a_cut_is_shown_until_somebody_enters_something(three: Table3, recorder: EntryRecorder) -> None:
    three.enter(HandStarted())
    table = RecoveredTable(three.table, last_result=recorder.heard[-1].result)
    shown = ShownEntry(table, 1, power_lost=True)
    for source in (CLOCK_SOURCE, CONTROLLER_SOURCE, "page"):
        assert shown.power_lost
        three.loop._handle_event(StepConfirmed(), source, three.now)
        shown.on_entry(recorder.heard[-1])
    assert not shown.power_lost
    shown.on_started()
    assert shown.power_lost, "what the start itself enters was nobody's entry"


def test_what_can_be_amended_is_told_as_it_was_published(three: Table3) -> None:
    assert three.loop.list_amendable_entries() == []
    three.enter(HandStarted())
    assert len(three.loop.list_amendable_entries()) == 1


def test_a_table_rests_half_a_second_after_its_last_entry(three: Table3, mocker: MockerFixture) -> None:
    written = mocker.spy(SnapshotWriter, "write_snapshot_if_due")
    three.now += 10
    three.enter(HandStarted())
    written.reset_mock()
    three.loop.on_tick(three.now + IDLE_DELAY_S - 0.1)
    assert written.call_count == 0
    three.loop.on_tick(three.now + IDLE_DELAY_S)
    assert written.call_args.kwargs == {"at_leisure": True}


def test_a_ruling_that_changed_nothing_is_known_to_be_taken_back(three: Table3, recorder: EntryRecorder) -> None:
    """So it is after a restart, and an earlier ruling that stands is not taken back by an undo of something else."""
    three.enter(HandStarted())
    for _ in range(6):
        three.enter(CardDealt(None))
    for seat, action in ((1, ActionType.CALL), (2, ActionType.CALL), (4, ActionType.CHECK)):
        three.enter(PlayerActed(seat, action))
    for _ in range(4):
        three.enter(CardDealt(None))

    def read_shown() -> tuple[bool, bool]:
        restarted = ShownEntry(
            RecoveredTable(
                three.loop._table, last_result=recorder.heard[-1].result, rulings=three.standings[-1].rulings,
                rulings_hand=three.standings[-1].rulings_hand,
            ),
            1, power_lost=False,
        )  # fmt: skip
        return three.standings[-1].is_ruling_taken_back, restarted.is_ruling_taken_back

    three.enter(Report(ReportKind.NOT_SHUFFLED))
    assert three.standings[-1].rulings
    assert read_shown() == (False, False)
    fold = PlayerActed(2, ActionType.FOLD)
    three.enter(fold)
    three.enter(EntryUndone())
    assert read_shown() == (False, False), "that was the fold"
    three.enter(EntryUndone())
    assert read_shown() == (True, True)
    three.enter(fold)
    assert read_shown() == (True, True)
    three.enter(Report(ReportKind.NOT_SHUFFLED))
    assert read_shown() == (False, False)
