"""A start from a snapshot stands as a start from the beginning, and a snapshot that is not right is not used."""

import json
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zlib import compress

import pytest

from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.model.setup import Setup
from controller.core.protocol.events import Event
from controller.core.values import value
from controller.runtime.faults.notices import NoticeCode
from controller.runtime.journal import journal, system_clocks
from controller.runtime.journal.entry_result import EntryResult, handle_entry
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.proof.chain import verify_journal
from controller.runtime.journal.recovery import journal_replay
from controller.runtime.journal.recovery.journal_replay import compare_with_replay, recover_table
from controller.runtime.journal.recovery.snapshot import (
    SNAPSHOT_VERSION,
    Snapshot,
    SnapshotError,
    from_document,
    parse_snapshot,
    render_snapshot,
    to_document,
)
from controller.runtime.journal.recovery.snapshot_codec import SnapshotCodecError, SnapshotSchema
from controller.runtime.journal.sealing.hand_reader import make_current_key_finder
from controller.runtime.loop.snapshot_keeper import IDLE_DELAY_S
from tests.app.rig import Rig
from tests.core.test_state_without_end import PAIRS, WHOLE, play_hand, table_of


@pytest.fixture
def frequent_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "SNAPSHOT_INTERVAL_ENTRIES", 20)


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second that the clock is asked for its day, it is another day."""
    real, count = system_clocks.format_wall_time, iter(range(10**9))
    monkeypatch.setattr(system_clocks, "format_wall_time", lambda: f"20{20 + next(count) // 40 % 80:02}{real()[4:]}")


def play_table(directory: Path, seed: int, moves: int = 110) -> tuple[object, ...]:
    with Rig(directory, lossless=True) as rig:
        rig.live(rig.room(seed, mistakes=0.05), moves)
        assert rig.output["hand"] >= 2
        return rig.read_lasting_state()


def play_hands_with_rests(rig: Rig, seed: int, hands: int) -> None:
    """Play so many hands, the table at rest for a moment after each; the next one begins."""
    room = rig.room(seed)
    for hand in range(hands):
        while rig.output["hand"] == hand or rig.output["next"]:
            rig.live(room, 1)
        rig.run(IDLE_DELAY_S + 0.1)
    while rig.output["hand"] == hands:
        rig.live(room, 1)


def started_from_snapshot(archive: JournalReader) -> bool:
    session = archive.find_last_session()
    assert session is not None
    found, start = journal_replay._load_snapshot(archive, session, parse_table_line)
    return found is not None and start > 0


def test_the_end_of_a_hand_is_kept_when_the_table_rests(tmp_path: Path) -> None:
    """A start plays no hand again whose key is gone: only the one that is on, and that it can open."""
    with Rig(tmp_path, lossless=True) as rig:
        play_hands_with_rests(rig, 4, 2)
        number = rig.output["hand"]
    archive = JournalReader.open(tmp_path / "journal.sqlite")
    session = archive.find_last_session()
    assert session is not None
    found, _ = journal_replay._load_snapshot(archive, session, parse_table_line)
    assert found is not None
    assert found.last_result is not None
    assert found.last_result.outcome.state.hand_count == number - 1
    archive.close()


def test_a_table_that_rests_over_midnight_writes_nothing_while_somebody_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is read is not closed; that was tried, with a record, fifty times a second."""
    with Rig(tmp_path, lossless=True) as rig:
        room = rig.room(1)
        while rig.output["hand"] < 1 or rig.output["next"]:
            rig.live(room, 1)
        rig.run(IDLE_DELAY_S + 0.1)
        real = system_clocks.format_wall_time
        monkeypatch.setattr(system_clocks, "format_wall_time", lambda: f"2099{real()[4:]}")
        with closing(JournalReader.open(tmp_path / "journal.sqlite")) as reader:
            before = reader.read_head()
            rig.run(2.0)
            assert rig.journal.needs_rotation
            assert reader.read_head() == before


@pytest.mark.usefixtures("frequent_snapshots")
def test_a_table_that_never_rests_is_written_down_after_so_many_entries(tmp_path: Path) -> None:
    """And not after every hand, which would hold up the first card of the next."""
    with closing(Journal(tmp_path / "journal.sqlite")) as file:
        file.begin_run("boot", "program")
        file.begin_session({})
        for entry in range(1, 42):
            file.append_entry({"ev": "say"}, "test")
            file.record_result(entry, "digest", None)
            file.finish_hand()  # as at the end of a hand
            assert file.needs_snapshot(at_leisure=True)
            assert file.needs_snapshot(at_leisure=False) == (entry in (20, 40))
            if file.needs_snapshot(at_leisure=False):
                file.store_snapshot(b"", entry)
                assert not file.needs_snapshot(at_leisure=True)


@pytest.mark.usefixtures("frequent_snapshots")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_start_from_a_snapshot_stands_as_one_from_the_beginning(tmp_path: Path, seed: int) -> None:
    stood = play_table(tmp_path, seed)
    archive = JournalReader.open(tmp_path / "journal.sqlite")
    session, keys = archive.list_sessions()[0], make_current_key_finder(tmp_path)
    assert started_from_snapshot(archive)
    short = recover_table(archive, session, parse_table_line, keys)
    (tmp_path / "snapshot").rename(tmp_path / "elsewhere")
    whole = recover_table(archive, session, parse_table_line, keys)
    (tmp_path / "elsewhere").rename(tmp_path / "snapshot")
    archive.close()
    assert short.last_result is not None
    assert whole.last_result is not None
    assert short.last_result.to_output_line() == whole.last_result.to_output_line()
    for name in ("entry_count", "table_time_s", "rulings", "rulings_hand", "lost_devices"):
        assert getattr(short, name) == getattr(whole, name), name
    assert list_undo_states(short.table) == list_undo_states(whole.table)
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stood
        rig.live(rig.room(seed + 1), 20)


def list_undo_states(table: Table) -> list[object]:
    """How the table stands each time that the last entry is taken back."""
    kept = table.to_memory()
    return [(one.hand_count, one.phase, one.seating.state_by_seat) for one in (kept.state, *kept.undo_states)]


@pytest.mark.usefixtures("frequent_snapshots", "days")
def test_the_chain_and_the_session_run_on_through_many_files(tmp_path: Path) -> None:
    stood = play_table(tmp_path, 3, 160)
    archive = JournalReader.open(tmp_path / "journal.sqlite")
    assert len(archive.list_files()) > 2
    proof = verify_journal(archive.read_records(linked=False))
    assert proof.last_record == archive.read_head()[0]
    (session,) = archive.list_sessions()
    found = compare_with_replay(archive, session, parse_table_line)
    assert found.first_difference is None
    assert found.entry_count == proof.entry_count == archive.last_entry_number == archive.count_entries(session)
    assert started_from_snapshot(archive)
    archive.close()
    closed = [path for path in archive.list_files() if path != archive.path]
    assert all(not path.with_name(f"{path.name}-wal").exists() for path in closed)
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stood
    for path in closed:
        alone = JournalReader.open(path)
        assert verify_journal(alone.read_records(linked=False)).record_count > 1
        alone.close()


@pytest.mark.usefixtures("frequent_snapshots")
@pytest.mark.parametrize("damage", ["flipped", "empty", "missing"])
def test_a_snapshot_that_is_not_the_recorded_one_is_not_used(tmp_path: Path, damage: str) -> None:
    stood = play_table(tmp_path, 1)
    path = tmp_path / "snapshot"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    if damage == "flipped":
        path.write_bytes(data)
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        path.unlink()
    archive = JournalReader.open(tmp_path / "journal.sqlite")
    assert not started_from_snapshot(archive)
    archive.close()
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stood


def make_snapshot(*, hands: int = 1) -> Snapshot:
    """A table of hold'em after some hands, and what else a snapshot keeps."""
    table = Table()
    table.handle(parse_table_line(LINE))
    for _ in range(hands):
        play_hand(table)
    ruling = {"finding": "two-shown", "cite": ["R7-1"], "seat": 2}
    return Snapshot(9, table.to_memory(), 1.5, (ruling,), 1, frozenset({"reader"}), 9)


@pytest.mark.parametrize(("book", "game"), PAIRS)
def test_a_table_is_the_same_after_it_was_written_down(book: str, game: str) -> None:
    table = table_of(book, game)
    for _ in range(WHOLE):
        play_hand(table)
    data = render_snapshot(replace(make_snapshot(hands=0), memory=table.to_memory()))
    again = parse_snapshot(data, table.outcome.state.setup)
    assert again.memory == table.to_memory()
    assert render_snapshot(again) == data
    assert len(data) < 5000
    play_hand(Table.from_memory(again.memory))


@pytest.mark.parametrize(
    "data",
    [b"", b"nonsense", b"\x80\x05N.", *map(compress, [b"", b"{}", b"[" * 100_000, b'{"version":1}', b'{"version":0}'])],
)
def test_a_snapshot_of_any_bytes_is_refused(data: bytes) -> None:
    with pytest.raises(SnapshotError):
        parse_snapshot(data, setup())


def test_a_snapshot_makes_nothing_but_data_of_the_table() -> None:
    found = to_document(make_snapshot())
    for name in ("os.system", "table.Table", "journal.Journal"):
        other = {**found, "classes": [[name, fields] for _, fields in found["classes"]]}
        with pytest.raises(SnapshotError, match="something else"):
            from_document(other, setup())


def test_a_row_says_nothing_of_what_another_object_says() -> None:
    """A number that names a row of another class than its place wants, or one that names it in turn, is refused."""
    found = to_document(make_snapshot())
    state = next(row for row in found["rows"] if found["classes"][row[0]][0] == "state.State")
    fields = found["classes"][state[0]][1]
    leaf = next(number for number, row in enumerate(found["rows"]) if not any(isinstance(one, dict) for one in row[1:]))
    for number, why in ((leaf, "cannot stand there"), (-1, "cannot stand there"), (0, "made of itself")):
        state[1 + fields.index("hand")] = {"#": number}
        with pytest.raises(SnapshotError, match=why):
            from_document(found, setup())


def test_a_snapshot_of_the_other_program_is_read() -> None:
    """Fields that only one of two programs knows: unknown ones are passed over, missing ones have their default."""
    found = to_document(make_snapshot())
    kinds = dict(found["classes"])
    for index, (name, fields) in enumerate(found["classes"]):
        for row in found["rows"]:
            if row[0] == index and name == "state.TableKill":
                row[1 + fields.index("won_last")] = "of a later program"
        if name == "state.TableKill":
            fields[fields.index("won_last")] = "won_earlier"
    assert "won_earlier" in kinds["state.TableKill"]
    again = from_document(found, setup())
    assert again.memory == value.replace(
        make_snapshot().memory,
        state=again.memory.state,
        undo_states=again.memory.undo_states,
    )
    assert again.memory.state.kill.last_winner is None
    assert again.memory.state.seating.state_by_seat == make_snapshot().memory.state.seating.state_by_seat


def test_fields_that_have_got_a_group_of_their_own_are_found_in_both_programs() -> None:
    flat: dict[str, Any] = {
        "classes": [["test_snapshot.Flat", ["number", "pot", "bets"]]],
        "rows": [[0, 7, 30, [[1, 10]]]],
    }
    grouped: dict[str, Any] = {
        "classes": [["test_snapshot.GroupedFields", ["number", "money"]], ["test_snapshot.Money", ["pot", "bets"]]],
        "rows": [[0, 7, {"#": 1}], [1, 30, [[1, 10]]]],
    }
    assert SnapshotSchema(Flat).encode(Flat(7, 30, {1: 10}), {}) == flat
    assert SnapshotSchema(GroupedFields).encode(GroupedFields(7, Money(30, {1: 10})), {}) == grouped
    flat["classes"][0][0] = "test_snapshot.GroupedFields"
    grouped["classes"][0][0] = "test_snapshot.Flat"
    assert SnapshotSchema(GroupedFields).decode(flat, {}, {}) == GroupedFields(7, Money(30, {1: 10}))
    assert SnapshotSchema(Flat).decode(grouped, {}, {}) == Flat(7, 30, {1: 10})


def test_objects_in_a_group_that_only_the_other_program_knows_are_found() -> None:
    found: dict[str, Any] = {
        "classes": [["test_snapshot.Chain", ["number", "links"]], ["test_snapshot.Links", ["link", "ring"]]],
        "rows": [[0, 1, {"#": 1}], [1, {"#": 2}, []], [0, 2, {"#": 3}], [1, None, []]],
    }
    assert SnapshotSchema(Chain).decode(found, {}, {}) == Chain(1, Chain(2, None, ()), ())


def test_what_needs_an_object_of_an_unknown_class_is_done_without_where_it_may_be() -> None:
    found = SnapshotSchema(Chain).encode(Chain(1, Chain(2, None, ()), ()), {})
    found["classes"].append(["test_snapshot.Ring", []])
    found["rows"].append([1])
    found["rows"][1][3] = [{"#": 2}]
    assert SnapshotSchema(Chain).decode(found, {}, {}) == Chain(1, None, ())
    found["rows"][0][3] = [{"#": 2}]
    with pytest.raises(SnapshotCodecError, match="something else"):
        SnapshotSchema(Chain).decode(found, {}, {})


def test_nothing_recurses_into_what_hangs_on_the_state() -> None:
    chain: Chain | None = None
    for number in range(5000):
        chain = Chain(number, chain, ())
    found: Chain | None = SnapshotSchema(Chain).decode(SnapshotSchema(Chain).encode(chain, {}), {}, {})
    for number in reversed(range(5000)):
        assert found is not None
        assert found.number == number
        found = found.link


@pytest.mark.usefixtures("frequent_snapshots")
def test_a_snapshot_that_cannot_be_written_does_not_end_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(SnapshotSchema, "encode", fails)
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(1), 110)
        assert any(notice.code is NoticeCode.SNAPSHOT_FAILED for notice in rig.standing.notices)
        stood = rig.read_lasting_state()
    assert "the table cannot be written down (RecursionError)" in caplog.text
    monkeypatch.undo()
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stood


@dataclass(frozen=True, slots=True)
class Money:
    pot: int
    bets: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Flat:
    number: int
    pot: int
    bets: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GroupedFields:
    number: int
    money: Money


@dataclass(frozen=True, slots=True)
class Chain:
    number: int
    link: "Chain | None"
    ring: "tuple[Chain, ...]"


LINE = {
    "ev": "table",
    "rulebook": "roberts-7",
    "game": "holdem",
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "seats": [{"seat": seat, "stack": 200} for seat in (1, 2, 3)],
    "button": 1,
}


def setup() -> Setup:
    return parse_table_line(LINE).setup


SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.mark.parametrize("version", range(1, SNAPSHOT_VERSION + 1))
def test_a_snapshot_of_every_version_since_the_first_is_taken_up(version: int) -> None:
    """Each was written by the program of its time; none of these files is ever written anew."""
    recorded = json.loads((SNAPSHOTS / f"version-{version}.json").read_text())
    found = from_document(recorded["snapshot"], parse_table_line(recorded["table"]).setup)
    assert (found.entry, found.table_time_s, found.rulings_hand, found.lost_devices, found.entry_count) == (
        77,
        12.5,
        9,
        frozenset({"muck"}),
        77,
    )
    assert found.rulings == ({"finding": "boxed", "cite": ["R7-3"], "seat": 3},)
    table = Table.from_memory(found.memory)
    output = outcome_rendering.render_outcome(table.outcome, 77)
    lamps = {role: output["lamps"][role] for role in recorded["output"]["lamps"]}  # later programs have more roles
    assert recorded["output"].items() <= {**output, "lamps": lamps}.items()
    assert [chair.player for chair in found.memory.state.seating.state_by_seat.values() if chair.is_away] == ["Cem"]
    play_hand(table)
    assert table.outcome.state.hand_count == recorded["output"]["hand"] + 1


def test_a_start_plays_no_more_than_the_hand_that_is_on_however_long_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it takes no longer after a million entries, with any program; without a snapshot it says how far it is."""
    with Rig(tmp_path, lossless=True) as rig:
        play_hands_with_rests(rig, 1, 2)
    asked: list[int] = []

    def record_handled_entry(table: Table, event: Event, entry: int) -> EntryResult:
        asked.append(entry)
        return handle_entry(table, event, entry)

    monkeypatch.setattr(journal_replay, "handle_entry", record_handled_entry)
    monkeypatch.setattr(journal_replay, "PROGRESS_INTERVAL_ENTRIES", 10)
    archive = JournalReader.open(tmp_path / "journal.sqlite")
    (session,), keys = archive.list_sessions(), make_current_key_finder(tmp_path)
    found, _ = journal_replay._load_snapshot(archive, session, parse_table_line)
    assert found is not None
    recover_table(archive, session, parse_table_line, keys)
    assert asked == list(range(found.entry_count + 1, archive.last_entry_number + 1))
    (tmp_path / "snapshot").unlink()
    said: list[tuple[int, int]] = []
    recover_table(archive, session, parse_table_line, keys, lambda done, last: said.append((done, last)))
    assert said == [(done, archive.last_entry_number) for done in range(10, archive.last_entry_number + 1, 10)]
    archive.close()


def test_a_table_of_mixed_games_is_taken_up_with_its_game_and_its_place_in_the_rotation() -> None:
    games = [{"game": "holdem", "hands": 1}, {"game": "short-deck", "hands": 2}, {"game": "razz", "hands": 1}]
    stakes = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
    line = {"ev": "table", "rulebook": "tda-2024", "game": "holdem", "betting": stakes, "rotation": games, "button": 1}
    line["seats"] = [{"seat": seat, "stack": 500} for seat in (1, 2, 3)]
    table = Table()
    table.handle(parse_table_line(line))
    for _ in range(2):
        play_hand(table)
    found = from_document(
        to_document(Snapshot(7, table.to_memory(), 1.0, (), 0, frozenset(), 7)), parse_table_line(line).setup
    )
    state, again = table.outcome.state, found.memory.state
    assert (again.setup.game, again.setup.deck_size, again.rotation_state) == (
        state.setup.game,
        36,
        state.rotation_state,
    )
    taken_up = Table.from_memory(found.memory)
    for _ in range(2):
        play_hand(taken_up)
    assert taken_up.outcome.state.setup.game.name == "razz"
