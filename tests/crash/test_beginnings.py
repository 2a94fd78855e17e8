"""A table is cut off, or its disk fails, at the first and the last writes of a session, a hand and a file."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config.setup import open_table
from config.table_file import DEMO, TableFile, load_table
from controller.app.session import take_up
from controller.core import script
from controller.core.outcome import Phase
from controller.core.steps import Deal
from controller.runtime.devices.edge import Edge
from controller.runtime.devices.health import Health
from controller.runtime.faults.alarm import OWN
from controller.runtime.faults.faults import raised
from controller.runtime.journal import journal as journal_module
from controller.runtime.journal import sealing
from controller.runtime.journal.chain import Record
from controller.runtime.journal.database import DatabaseError
from controller.runtime.journal.head_file import HeadFile
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery import Recovered, recover
from controller.runtime.loop import Loop
from controller.runtime.messages import Entered
from controller.runtime.standing import SIMULATION
from drivers.sim.clock import HandClock
from tests.core.arbitrary import as_told

UP = ("deck-count", "deck-foreign")


class CutError(Exception):
    """The power went."""


def opened(directory: Path) -> Journal:
    journal = Journal(directory / "journal.sqlite")
    journal.begin_run("boot", "1.0")
    return journal


def down(recovered: Recovered) -> list[str]:
    return sorted(recovered.table.outcome.state.down)


@pytest.fixture
def file() -> TableFile:
    return load_table(DEMO)


@pytest.mark.parametrize("writes", range(5))
def test_faults_stay_latched_when_a_new_session_is_cut_off_after_any_of_its_first_writes(
    tmp_path: Path, file: TableFile, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    journal = opened(tmp_path)
    take_up(journal, file, SIMULATION)
    for code in UP:
        journal.append(script.write(raised(code)), OWN)
    left = writes
    commit = journal._commit

    def until_the_cut(records: Sequence[Record]) -> None:
        nonlocal left
        if not left:
            raise CutError
        left -= 1
        commit(records)

    monkeypatch.setattr(journal, "_commit", until_the_cut)
    if writes < 4:
        with pytest.raises(CutError):
            take_up(journal, file, SIMULATION, fresh=True)
    else:
        take_up(journal, file, SIMULATION, fresh=True)
    journal.close()
    for _ in range(2):
        again = opened(tmp_path)
        recovered = take_up(again, file, SIMULATION)
        assert down(recovered) == [f"fault:{code} lost" for code in UP]
        assert again.last == 3 + (3 if writes else 0), "each fault is entered once"
        again.close()


def test_a_fault_that_was_cleared_in_a_short_session_does_not_come_back(tmp_path: Path, file: TableFile) -> None:
    journal = opened(tmp_path)
    take_up(journal, file, SIMULATION)
    journal.append(script.write(raised(UP[0])), OWN)
    take_up(journal, file, SIMULATION, fresh=True)
    journal.append({"ev": "device", "id": f"fault:{UP[0]}", "status": "back", "t": 1.0}, "page")
    journal.close()
    again = opened(tmp_path)
    assert down(take_up(again, file, SIMULATION)) == []
    again.close()


def test_the_key_of_the_first_hand_has_a_name_that_lasts(
    tmp_path: Path, file: TableFile, mocker: MockerFixture
) -> None:
    journal = opened(tmp_path)
    take_up(journal, file, SIMULATION)
    synced = mocker.spy(sealing, "sync_folder")
    journal.append({"ev": "start", "t": 0.0}, "page")
    synced.assert_called_once_with(tmp_path)
    journal.close()


def test_a_key_that_cannot_be_written_ends_the_run(tmp_path: Path, file: TableFile) -> None:
    journal = opened(tmp_path)
    take_up(journal, file, SIMULATION)
    (tmp_path / "hand.key").mkdir()
    with pytest.raises(DatabaseError, match=r"hand\.key: the key of the hand cannot be written"):
        journal.append({"ev": "start", "t": 0.0}, "page")
    with pytest.raises(DatabaseError, match="only within a run"):
        journal.append({"ev": "undo", "t": 0.0}, "page")
    journal.close()


def test_a_file_that_cannot_be_closed_ends_the_run(tmp_path: Path, file: TableFile) -> None:
    journal = opened(tmp_path)
    take_up(journal, file, SIMULATION)
    (tmp_path / "journal-1.sqlite").mkdir()
    with pytest.raises(DatabaseError, match=r"journal-1\.sqlite: cannot be made of journal\.sqlite"):
        journal.rotate()
    with pytest.raises(DatabaseError, match="only within a run"):
        journal.append({"ev": "undo", "t": 0.0}, "page")
    journal.close()


def test_a_snapshot_counts_the_entry_after_which_a_fault_was_latched(
    tmp_path: Path, file: TableFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "SNAPSHOT_ENTRIES", 1)
    journal, clock = opened(tmp_path), HandClock()
    recovered = take_up(journal, file, SIMULATION)
    loop = Loop(recovered, journal, Edge(), Health({}, {}), mode=SIMULATION, clock=clock)
    loop.start()

    def enter(line: dict[str, object]) -> None:
        loop.turn(Entered(script.read(line), "page", clock()), clock())

    enter({"ev": "start"})
    while loop.outcome.state.planned_phase is not Phase.IDLE:
        before = loop.outcome
        for line in as_told(before):
            enter({"ev": "card", "card": None} if isinstance(before.state.plan[0], Deal) else line)
            if loop.outcome is not before:
                break
    assert "fault:reader-failing lost" in loop.outcome.state.down
    session = journal.last_session()
    assert session is not None
    assert next(journal.newest("snapshot")).read()["entry"] >= journal.last - 1
    assert recover(journal, session, open_table).entries == journal.last
    journal.close()


def test_a_key_and_a_head_that_are_taken_in_parts_are_whole(
    tmp_path: Path, file: TableFile, mocker: MockerFixture
) -> None:
    pwrite = os.pwrite
    mocker.patch("os.pwrite", side_effect=lambda handle, data, at: pwrite(handle, data[:5], at))
    journal = opened(tmp_path)
    take_up(journal, file, SIMULATION)
    journal.append({"ev": "start", "t": 0.0}, "page")
    assert journal.hand_key() is not None
    head = journal.head()
    journal.close()
    assert HeadFile(tmp_path / "journal.head").read() == head
