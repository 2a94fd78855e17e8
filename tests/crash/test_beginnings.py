"""A table is cut off, or its disk fails, at the first and the last writes of a session, a hand and a file."""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config.table_file import DEMO_FILE, TableFile, load_table_file
from config.table_line import parse_table_line
from controller.app.table.session_start import resume_or_begin
from controller.core.protocol import script_lines
from controller.core.protocol.steps import DealStep
from controller.core.protocol.table_display import Phase
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.faults.fault_table import CONTROLLER_SOURCE, make_raise_event
from controller.runtime.journal import journal as journal_module
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.chain import JournalRecord
from controller.runtime.journal.proof.head_file import HeadFile
from controller.runtime.journal.recovery.journal_replay import RecoveredTable, recover_table
from controller.runtime.journal.sealing import hand_seal
from controller.runtime.loop.loop_messages import EntrySubmitted
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import SIMULATION
from controller.runtime.storage.sqlite_database import DatabaseError
from drivers.simulators.bench.manual_clock import ManualClock
from tests.core.arbitrary import iter_obedient_answers
from tests.crash.disk import PRELOAD, DiskMishap, build

UP = ("deck-count", "deck-foreign")


class CutError(Exception):
    """The power went."""


def open_journal(directory: Path) -> Journal:
    journal = Journal(directory / "journal.sqlite")
    journal.begin_run("boot", "1.0")
    return journal


def list_faults(recovered: RecoveredTable) -> list[str]:
    return sorted(recovered.table.outcome.state.faults)


@pytest.fixture
def file() -> TableFile:
    return load_table_file(DEMO_FILE)


@pytest.mark.parametrize("writes", range(5))
def test_faults_stay_latched_when_a_new_session_is_cut_off_after_any_of_its_first_writes(
    tmp_path: Path, file: TableFile, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    journal = open_journal(tmp_path)
    resume_or_begin(journal, file, SIMULATION)
    for code in UP:
        journal.append_entry(script_lines.format_line(make_raise_event(code)), CONTROLLER_SOURCE)
    left = writes
    commit = journal._commit

    def until_the_cut(records: Sequence[JournalRecord]) -> None:
        nonlocal left
        if not left:
            raise CutError
        left -= 1
        commit(records)

    monkeypatch.setattr(journal, "_commit", until_the_cut)
    if writes < 4:
        with pytest.raises(CutError):
            resume_or_begin(journal, file, SIMULATION, fresh=True)
    else:
        resume_or_begin(journal, file, SIMULATION, fresh=True)
    journal.close()
    for _ in range(2):
        again = open_journal(tmp_path)
        recovered = resume_or_begin(again, file, SIMULATION)
        assert list_faults(recovered) == [f"fault:{code} lost" for code in UP]
        assert again.last_entry_number == 3 + (3 if writes else 0), "each fault is entered once"
        again.close()


def test_a_fault_that_was_cleared_in_a_short_session_does_not_come_back(tmp_path: Path, file: TableFile) -> None:
    journal = open_journal(tmp_path)
    resume_or_begin(journal, file, SIMULATION)
    journal.append_entry(script_lines.format_line(make_raise_event(UP[0])), CONTROLLER_SOURCE)
    resume_or_begin(journal, file, SIMULATION, fresh=True)
    journal.append_entry({"ev": "device", "id": f"fault:{UP[0]}", "status": "back", "t": 1.0}, "page")
    journal.close()
    again = open_journal(tmp_path)
    assert list_faults(resume_or_begin(again, file, SIMULATION)) == []
    again.close()


def test_the_key_of_the_first_hand_has_a_name_that_lasts(
    tmp_path: Path, file: TableFile, mocker: MockerFixture
) -> None:
    journal = open_journal(tmp_path)
    resume_or_begin(journal, file, SIMULATION)
    synced = mocker.spy(hand_seal, "sync_folder")
    journal.append_entry({"ev": "start", "t": 0.0}, "page")
    synced.assert_called_once_with(tmp_path)
    journal.close()


def test_a_key_that_cannot_be_written_ends_the_run(tmp_path: Path, file: TableFile) -> None:
    journal = open_journal(tmp_path)
    resume_or_begin(journal, file, SIMULATION)
    (tmp_path / "hand.key").mkdir()
    with pytest.raises(DatabaseError, match=r"hand\.key: the key of the hand cannot be written"):
        journal.append_entry({"ev": "start", "t": 0.0}, "page")
    with pytest.raises(DatabaseError, match="only within a run"):
        journal.append_entry({"ev": "undo", "t": 0.0}, "page")
    journal.close()


def test_a_file_that_cannot_be_closed_ends_the_run(tmp_path: Path, file: TableFile) -> None:
    journal = open_journal(tmp_path)
    resume_or_begin(journal, file, SIMULATION)
    (tmp_path / "journal-1.sqlite").mkdir()
    with pytest.raises(DatabaseError, match=r"journal-1\.sqlite: cannot be made of journal\.sqlite"):
        journal.rotate()
    with pytest.raises(DatabaseError, match="only within a run"):
        journal.append_entry({"ev": "undo", "t": 0.0}, "page")
    journal.close()


def test_a_snapshot_counts_the_entry_after_which_a_fault_was_latched(
    tmp_path: Path, file: TableFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "SNAPSHOT_INTERVAL_ENTRIES", 1)
    journal, clock = open_journal(tmp_path), ManualClock()
    recovered = resume_or_begin(journal, file, SIMULATION)
    loop = TableLoop(recovered, journal, DeviceMap(), DeviceMonitor({}, {}), mode=SIMULATION, clock=clock)
    loop.start()

    def enter(line: dict[str, object]) -> None:
        loop.handle_message(EntrySubmitted(script_lines.parse_line(line), "page", clock()), clock())

    enter({"ev": "start"})
    while loop.outcome.state.planned_phase is not Phase.IDLE:
        before = loop.outcome
        for line in iter_obedient_answers(before):
            enter({"ev": "card", "card": None} if isinstance(before.state.plan[0], DealStep) else line)
            if loop.outcome is not before:
                break
    assert "fault:reader-failing lost" in loop.outcome.state.faults
    session = journal.find_last_session()
    assert session is not None
    assert next(journal.read_newest_records("snapshot")).parse_body()["entry"] >= journal.last_entry_number - 1
    assert recover_table(journal, session, parse_table_line).entry_count == journal.last_entry_number
    journal.close()


def test_a_key_and_a_head_that_are_taken_in_parts_are_whole(
    tmp_path: Path, file: TableFile, mocker: MockerFixture
) -> None:
    pwrite = os.pwrite
    mocker.patch("os.pwrite", new=lambda handle, data, at: pwrite(handle, data[: len(data) // 2 + 1], at))
    journal = open_journal(tmp_path)
    resume_or_begin(journal, file, SIMULATION)
    journal.append_entry({"ev": "start", "t": 0.0}, "page")
    assert journal.read_hand_key() is not None
    head = journal.read_head()
    journal.close()
    assert HeadFile(tmp_path / "journal.head").read() == head


STARTER = """
import sys
from pathlib import Path
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.journal.journal import Journal
from tests.crash.disk import Disk, DiskMishap, Step
directory, what, nth, code = Path(sys.argv[1]), *map(int, sys.argv[2:])
disk = Disk()
disk.watch(directory, None)
disk.arm(Step(DiskMishap(what), nth, "-shm", code))
try:
    journal = Journal(directory / "journal.sqlite")
    journal.begin_run("boot", "1.0")
    journal.close()
except DatabaseError as why:
    print(why)
print(disk.mishap_count)
"""


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("disk"))


@pytest.mark.skipif(shutil.which("cc") is None, reason="the disk that fails is written in C, and there is no cc")
@pytest.mark.parametrize("shm", ["as it was", "none"])
@pytest.mark.parametrize("what", [DiskMishap.FAIL_ONCE, DiskMishap.FAIL_FROM_THEN_ON])
@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_start_that_fails_on_the_shared_memory_leaves_the_records_beside_it(
    tmp_path: Path, disk: Path, file: TableFile, nth: int, what: DiskMishap, shm: str
) -> None:
    """SQLite's close would remove a `-wal` that it has not copied; see `sqlite_database._close_keeping_wal`."""
    journal, copy = open_journal(tmp_path), tmp_path / "killed"
    resume_or_begin(journal, file, SIMULATION)
    journal.append_entry(script_lines.format_line(make_raise_event(UP[0])), CONTROLLER_SOURCE)
    copy.mkdir()
    for path in tmp_path.iterdir():
        if path.is_file():
            shutil.copy(path, copy)
    last, head = journal.last_entry_number, journal.read_head()
    journal.close()
    if shm == "none":
        (copy / "journal.sqlite-shm").unlink()
    command = [sys.executable, "-c", STARTER, str(copy), str(int(what)), str(nth), str(errno.EROFS)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, PRELOAD: str(disk)}
    ).stdout.splitlines()
    assert int(done[-1]), "the disk has failed"
    again = Journal(copy / "journal.sqlite")
    assert (again.last_entry_number, again.missing_head) == (last, None)
    assert again.find_chain(head[0]) == head[1]
    again.close()
