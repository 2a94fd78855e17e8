"""A start from a snapshot stands as a start from the beginning, and a snapshot that is not right is not used."""

import pickle
from pathlib import Path

import pytest

from config.setup import open_table
from controller.core.engine.table import Table
from controller.core.model.setup import Setup
from controller.runtime.journal import clocks, journal, recovery
from controller.runtime.journal.archive import Archive
from controller.runtime.journal.chain import verify
from controller.runtime.journal.recovery import check, recover
from controller.runtime.journal.snapshot import Snapshot, SnapshotError, read, written
from controller.runtime.journal.unsealing import keys_in_play
from tests.app.rig import Rig


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "SNAPSHOT_ENTRIES", 20)


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second that the clock is asked for its day, it is another day."""
    real, count = clocks.wall, iter(range(10**9))
    monkeypatch.setattr(clocks, "wall", lambda: f"20{20 + next(count) // 40 % 80:02}{real()[4:]}")


def played(directory: Path, seed: int, moves: int = 110) -> tuple[object, ...]:
    with Rig(directory, lossless=True) as rig:
        rig.live(rig.room(seed, mistakes=0.05), moves)
        assert rig.output["hand"] >= 2
        return rig.stands()


def started_from_snapshot(archive: Archive) -> bool:
    session = archive.last_session()
    assert session is not None
    found, start = recovery._from_snapshot(archive, session, open_table)
    return found is not None and start > 0


def test_the_end_of_every_hand_is_kept(tmp_path: Path) -> None:
    """A start plays no hand again whose key is gone: only the one that is on, and that it can open."""
    with Rig(tmp_path, lossless=True) as rig:
        while rig.output["hand"] < 3:
            rig.live(rig.room(4), 20)
        number = rig.output["hand"]
    archive = Archive.open(tmp_path / "journal.sqlite")
    session = archive.last_session()
    assert session is not None
    found, _ = recovery._from_snapshot(archive, session, open_table)
    assert found is not None
    assert found.last is not None
    assert found.last.outcome.state.number == number - 1
    archive.close()


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_start_from_a_snapshot_stands_as_one_from_the_beginning(tmp_path: Path, seed: int) -> None:
    stood = played(tmp_path, seed)
    archive = Archive.open(tmp_path / "journal.sqlite")
    session, keys = archive.sessions()[0], keys_in_play(tmp_path)
    assert started_from_snapshot(archive)
    short = recover(archive, session, open_table, keys)
    (tmp_path / "snapshot").rename(tmp_path / "elsewhere")
    whole = recover(archive, session, open_table, keys)
    (tmp_path / "elsewhere").rename(tmp_path / "snapshot")
    archive.close()
    assert short.last is not None
    assert whole.last is not None
    assert short.last.output() == whole.last.output()
    for name in ("entries", "t", "rulings", "ruled_in", "lost"):
        assert getattr(short, name) == getattr(whole, name), name
    assert undone(short.table) == undone(whole.table)
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.stands() == stood
        rig.live(rig.room(seed + 1), 20)


def undone(table: Table) -> list[object]:
    """How the table stands each time that the last entry is taken back."""
    state, _, entries = table.kept()
    return [(one.number, one.phase, one.chairs) for one in (state, *entries)]


@pytest.mark.usefixtures("often", "days")
def test_the_chain_and_the_session_run_on_through_many_files(tmp_path: Path) -> None:
    stood = played(tmp_path, 3, 160)
    archive = Archive.open(tmp_path / "journal.sqlite")
    assert len(archive.files()) > 2
    proof = verify(archive.records(linked=False))
    assert proof.last == archive.head()[0]
    (session,) = archive.sessions()
    found = check(archive, session, open_table)
    assert found.first_difference is None
    assert found.entries == proof.entries == archive.last == archive.count(session)
    assert started_from_snapshot(archive)
    archive.close()
    closed = [path for path in archive.files() if path != archive.path]
    assert all(not path.with_name(f"{path.name}-wal").exists() for path in closed)
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.stands() == stood
    for path in closed:
        alone = Archive.open(path)
        assert verify(alone.records(linked=False)).records > 1
        alone.close()


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("damage", ["flipped", "empty", "missing", "core"])
def test_a_snapshot_that_is_not_the_recorded_one_is_not_used(
    tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stood = played(tmp_path, 1)
    path = tmp_path / "snapshot"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    if damage == "flipped":
        path.write_bytes(data)
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "missing":
        path.unlink()
    else:
        monkeypatch.setattr(recovery, "core_mark", lambda: "another program")
    archive = Archive.open(tmp_path / "journal.sqlite")
    assert not started_from_snapshot(archive)
    archive.close()
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.stands() == stood


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (eval, ("1 + 1",))


@pytest.mark.parametrize(
    "name", ["os\nsystem", "builtins\neval", "controller.core.engine.table\nforgetting", "pathlib\nPath"]
)
def test_a_snapshot_names_nothing_but_data_of_the_core(name: str) -> None:
    with pytest.raises(SnapshotError, match="which is no data of the table"):
        read(f"c{name}\n.".encode(), setup())
    with pytest.raises(SnapshotError, match=r"builtins\.eval"):
        read(pickle.dumps(Evil(), protocol=5), setup())


@pytest.mark.parametrize("data", [b"", b"\x80\x05", b"\x80\x05N.", b"nonsense", pickle.dumps((1, 2))])
def test_a_snapshot_of_any_bytes_is_refused(data: bytes) -> None:
    with pytest.raises(SnapshotError):
        read(data, setup())


def test_a_table_is_the_same_after_it_was_written_down() -> None:
    table = Table()
    table.handle(open_table(LINE))
    data = written(Snapshot(1, table, 0.0, (), 0, frozenset(), 1))
    again = read(data, setup())
    assert again.table.outcome.state == table.outcome.state
    assert len(data) < 5000


LINE = {
    "ev": "table",
    "rulebook": "roberts-7",
    "game": "holdem",
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "seats": [{"seat": seat, "stack": 200} for seat in (1, 2, 3)],
    "button": 1,
}


def setup() -> Setup:
    return open_table(LINE).setup
