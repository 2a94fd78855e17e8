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

from config.setup import open_table
from config.table_file import DEMO, TableFile, load_table
from controller.app.table.session import take_up
from controller.core.protocol import script
from controller.core.protocol.display import Phase
from controller.core.protocol.steps import Deal
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.health import Health
from controller.runtime.faults.alarm import OWN
from controller.runtime.faults.faults import raised
from controller.runtime.journal import journal as journal_module
from controller.runtime.journal.database import DatabaseError
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.chain import Record
from controller.runtime.journal.proof.head_file import HeadFile
from controller.runtime.journal.recovery.recovery import Recovered, recover
from controller.runtime.journal.sealing import sealing
from controller.runtime.loop.loop import Loop
from controller.runtime.loop.messages import Entered
from controller.runtime.loop.standing import SIMULATION
from drivers.sim.bench.clock import HandClock
from tests.core.arbitrary import as_told
from tests.crash.disk import PRELOAD, What, build

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
    loop = Loop(recovered, journal, DeviceMap(), Health({}, {}), mode=SIMULATION, clock=clock)
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
    mocker.patch("os.pwrite", new=lambda handle, data, at: pwrite(handle, data[: len(data) // 2 + 1], at))
    journal = opened(tmp_path)
    take_up(journal, file, SIMULATION)
    journal.append({"ev": "start", "t": 0.0}, "page")
    assert journal.hand_key() is not None
    head = journal.head()
    journal.close()
    assert HeadFile(tmp_path / "journal.head").read() == head


STARTER = """
import sys
from pathlib import Path
from controller.runtime.journal.database import DatabaseError
from controller.runtime.journal.journal import Journal
from tests.crash.disk import Disk, Step, What
directory, what, nth, code = Path(sys.argv[1]), *map(int, sys.argv[2:])
disk = Disk()
disk.watch(directory, None)
disk.arm(Step(What(what), nth, "-shm", code))
try:
    journal = Journal(directory / "journal.sqlite")
    journal.begin_run("boot", "1.0")
    journal.close()
except DatabaseError as why:
    print(why)
print(disk.happened)
"""


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("disk"))


@pytest.mark.skipif(shutil.which("cc") is None, reason="the disk that fails is written in C, and there is no cc")
@pytest.mark.parametrize("shm", ["as it was", "none"])
@pytest.mark.parametrize("what", [What.FAIL_ONCE, What.FAIL_FROM_THEN_ON])
@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_start_that_fails_on_the_shared_memory_leaves_the_records_beside_it(
    tmp_path: Path, disk: Path, file: TableFile, nth: int, what: What, shm: str
) -> None:
    """SQLite's close would remove a `-wal` that it has not copied; see `database._close_untouched`."""
    journal, copy = opened(tmp_path), tmp_path / "killed"
    take_up(journal, file, SIMULATION)
    journal.append(script.write(raised(UP[0])), OWN)
    copy.mkdir()
    for path in tmp_path.iterdir():
        if path.is_file():
            shutil.copy(path, copy)
    last, head = journal.last, journal.head()
    journal.close()
    if shm == "none":
        (copy / "journal.sqlite-shm").unlink()
    command = [sys.executable, "-c", STARTER, str(copy), str(int(what)), str(nth), str(errno.EROFS)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, PRELOAD: str(disk)}
    ).stdout.splitlines()
    assert int(done[-1]), "the disk has failed"
    again = Journal(copy / "journal.sqlite")
    assert (again.last, again.missing) == (last, None)
    assert again.chain_at(head[0]) == head[1]
    again.close()
