"""A start from a snapshot stands as a start from the beginning, and a snapshot that is not right is not used."""

from base64 import b64encode
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints
from zlib import compress

import pytest

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.model.hand import Hand
from controller.core.model.setup import Setup, Stakes
from controller.core.model.table_memory import TableMemory, is_same_at_rest, make_resting_memory
from controller.core.model.table_state import TableState, TableUndo
from controller.core.protocol.events import EntryUndone, Event, PlayerActed
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import DealStep
from controller.core.protocol.table_error import Refused
from controller.core.values import value
from controller.core.values.piles import PlacedCard
from controller.core.values.seat_state import SeatState
from controller.runtime.faults.notices import NoticeCode
from controller.runtime.journal import journal, system_clocks
from controller.runtime.journal.entry_result import EntryResult, handle_entry
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.proof.chain import verify_journal
from controller.runtime.journal.recovery import journal_replay
from controller.runtime.journal.recovery import snapshot as snapshot_module
from controller.runtime.journal.recovery.journal_replay import (
    compare_with_replay,
    make_idle_snapshot,
    recover_table,
    restore_from_snapshot,
)
from controller.runtime.journal.recovery.snapshot import (
    SNAPSHOT_VERSION,
    RestingTable,
    SetupReference,
    Snapshot,
    SnapshotError,
    compute_form_digest,
    is_of_this_form,
    parse_snapshot,
    render_snapshot,
)
from controller.runtime.journal.sealing.hand_reader import make_current_key_finder
from controller.runtime.loop.snapshot_keeper import IDLE_DELAY_S
from tests.app.rig import Rig
from tests.core.arbitrary import WatchedTable, play_to_the_end
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
    return journal_replay._load_snapshot(archive, session, parse_table_line) is not None


def test_the_end_of_a_hand_is_kept_when_the_table_rests(tmp_path: Path) -> None:
    """A start plays the hand that was over and the one that is on: from the end of the one before."""
    with Rig(tmp_path, lossless=True) as rig:
        play_hands_with_rests(rig, 4, 2)
        number = rig.output["hand"]
    archive = JournalReader.open(tmp_path / "journal.sqlite")
    session = archive.find_last_session()
    assert session is not None
    kept = journal_replay._load_snapshot(archive, session, parse_table_line)
    assert kept is not None
    assert kept.memory.state.hand_count == number - 2
    assert not kept.memory.state.plan
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


@pytest.mark.parametrize(("seed", "interval"), [(1, 20), (2, 20), (3, 70)])
def test_a_start_from_a_snapshot_stands_as_one_from_the_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, interval: int
) -> None:
    """After each hand, or after several: then the snapshot before is older than the entry that it begins with."""
    monkeypatch.setattr(journal, "SNAPSHOT_INTERVAL_ENTRIES", interval)
    stood = play_table(tmp_path, seed, 110 if interval == 20 else 240)
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
    again, found = table.copy(), list[object]()
    while True:
        state = again.outcome.state
        found.append((state.hand_count, state.phase, state.seating.state_by_seat))
        try:
            again.handle(EntryUndone())
        except Refused:
            return found


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


def make_snapshot(table: Table) -> Snapshot:
    """A table after entry 9, and what else a snapshot keeps."""
    ruling = {"finding": "two-shown", "cite": ["R7-1"], "seat": 2}
    return Snapshot(9, table.to_memory(), 1.5, (ruling,), 1, frozenset({"reader"}))


@pytest.mark.parametrize(("book", "game"), PAIRS)
def test_a_table_is_the_same_after_it_was_written_down(book: str, game: str) -> None:
    table = table_of(book, game)
    for _ in range(WHOLE):
        play_hand(table)
    data = render_snapshot(make_snapshot(table))
    again = parse_snapshot(data, table.outcome.state.setup)
    assert again == make_snapshot(table)
    assert len(data) < 5000
    play_hand(Table.from_memory(again.memory))


@pytest.mark.parametrize(("book", "game"), PAIRS)
def test_a_table_at_rest_deals_the_next_hand_as_the_one_that_knows_the_last(book: str, game: str) -> None:
    table = table_of(book, game)
    for _ in range(WHOLE):
        play_hand(table)
    kept = replace(make_snapshot(table), rest=RestingTable(12, make_resting_memory(table.outcome)))
    data = render_snapshot(kept)
    assert len(data) < 5000
    again = parse_snapshot(data, table.outcome.state.setup)
    assert again == kept
    assert again.rest is not None
    state = again.rest.memory.state
    assert (state.state_before_hand, state.state_before_last_hand, state.undo) == (None, None, TableUndo())
    resting = Table.from_memory(again.rest.memory)
    play_hand(table)
    play_hand(resting)
    said, stood = (EntryResult(1, one.outcome, None).to_output_line() for one in (resting, table))
    assert said == stood
    assert is_same_at_rest(resting.outcome.state, table.outcome.state)


def test_two_tables_at_rest_differ_by_all_that_the_next_hand_begins_with() -> None:
    table = table_of("roberts-7", "holdem")
    for _ in range(2):
        play_hand(table)
    state = table.outcome.state
    assert is_same_at_rest(state, value.replace(state, hand=None, undo=TableUndo(), state_before_last_hand=None))
    earlier = state.state_before_last_hand
    assert earlier is not None
    for name in ("seating", "hand_count", "button"):
        assert not is_same_at_rest(state, value.replace(state, **{name: getattr(earlier, name)})), name
    for line in ({"ev": "away", "seat": 1}, {"ev": "time", "t": 7.0}, {"ev": "device", "id": "shoe", "status": "lost"}):
        other = table.copy()
        other.handle(parse_line(line))
        assert not is_same_at_rest(state, other.outcome.state), line


def test_what_is_kept_beside_the_table_is_taken_up_too() -> None:
    outcome = WatchedTable({**LINE, "rulebook": "wsop-live-2024"}).take({"ev": "start", "bomb_pot": 4})
    assert outcome is not None
    kept = make_snapshot(table_of("roberts-7", "holdem"))
    kept = replace(kept, memory=value.replace(kept.memory, rulings=outcome.rulings))
    found = restore_from_snapshot(kept, 9, 9)
    assert make_idle_snapshot(found) == journal_replay.make_snapshot(found) == kept
    assert found.table.outcome.rulings == outcome.rulings != ()


def test_a_snapshot_holds_two_tables_beside_its_own() -> None:
    """That before the hand that is over, and that before the last entry with the one before its hand: no chain."""
    table = table_of("roberts-7", "holdem")
    for _ in range(3):
        play_hand(table)
    state = table.outcome.state
    assert state.undo.previous is not None
    assert state.state_before_hand is None
    for before in (state.state_before_last_hand, state.undo.previous.state.state_before_hand):
        assert before is not None
        beside = (before.hand, before.state_before_hand, before.state_before_last_hand, before.undo.previous)
        assert beside == (None, None, None, None)
    assert state.undo.previous.state.undo.previous is None


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\x80\x05N.", *map(compress, [b"", b"{}", b"[" * 100_000])])
def test_a_snapshot_of_any_bytes_is_refused(data: bytes) -> None:
    with pytest.raises(SnapshotError, match="of another form"):
        parse_snapshot(data, setup())


def test_a_snapshot_of_another_form_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another number, or a class with other fields, wherever it is."""
    data = render_snapshot(make_snapshot(table_of("roberts-7", "holdem")))
    for name, other in (("SNAPSHOT_VERSION", SNAPSHOT_VERSION + 1), ("compute_form_digest", lambda: "another")):
        with monkeypatch.context() as changed:
            changed.setattr(snapshot_module, name, other)
            with pytest.raises(SnapshotError, match="of another form"):
                parse_snapshot(data, setup())
            assert not is_of_this_form(b64encode(data).decode())
    assert is_of_this_form(b64encode(data).decode())


KINDS = [TableState, Hand, PlacedCard, PlayerActed, DealStep, SeatState, Stakes, Snapshot, RestingTable]


@pytest.mark.parametrize("kind", KINDS)
def test_the_form_tells_the_fields_of_every_class(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    now = compute_form_digest()
    name = next(iter(get_type_hints(kind)))
    monkeypatch.setitem(kind.__annotations__, name, bytes)
    compute_form_digest.cache_clear()
    assert compute_form_digest() != now
    monkeypatch.undo()
    compute_form_digest.cache_clear()
    assert compute_form_digest() == now


def test_a_snapshot_of_a_table_in_a_hand_is_refused() -> None:
    table = table_of("roberts-7", "holdem")
    table.handle(parse_line({"ev": "start"}))
    in_hand, setup = make_snapshot(table), table.outcome.state.setup
    idle = make_snapshot(table_of("roberts-7", "holdem"))
    for kept in (in_hand, replace(idle, rest=RestingTable(12, in_hand.memory))):
        with pytest.raises(SnapshotError, match="in the middle of a hand"):
            parse_snapshot(render_snapshot(kept), setup)


def test_a_bomb_pot_is_taken_up_with_the_game_that_was_made_for_it() -> None:
    watched = WatchedTable({**LINE, "rulebook": "wsop-live-2024"})
    assert watched.take({"ev": "start", "bomb_pot": 4}) is not None
    play_to_the_end(watched)
    state = watched.table.outcome.state
    assert state.hand_in_play.setup.game != state.setup.game
    assert parse_snapshot(render_snapshot(make_snapshot(watched.table)), state.setup) == make_snapshot(watched.table)


def test_a_game_that_the_book_has_not_any_more_is_no_fault_of_the_program() -> None:
    table = table_of("roberts-7", "holdem")
    fewer = value.replace(setup(), games=tuple(game for game in setup().games if game.name != "holdem"))
    with pytest.raises(SnapshotError, match="does not fit this table"):
        parse_snapshot(render_snapshot(make_snapshot(table)), fewer)


OTHER_LINE = {
    "ev": "table",
    "rulebook": "wsop-live-2024",
    "game": "short-deck",
    "betting": {"structure": "fixed-limit", "small_blind": 5, "big_blind": 10, "small_bet": 10, "big_bet": 20},
    "collection": {"kind": "rake", "percent": 5, "cap": 4},
    "seats": [{"seat": seat, "stack": 200, "player": f"P{seat}"} for seat in (1, 2, 3)],
    "button": 1,
}


@pytest.mark.parametrize("name", SetupReference.__struct_fields__)
def test_what_changed_of_the_set_up_since_the_file_comes_back(name: str) -> None:
    """What is no field of a reference is the file's, at every start."""
    file, state = setup(), WatchedTable(LINE).table.outcome.state
    given = getattr(parse_table_line(OTHER_LINE).setup, name)
    other = not file.has_joker if name == "has_joker" else given
    given_otherwise: dict[str, Any] = {name: other}
    changed = value.replace(state, setup=value.replace(state.setup, **given_otherwise))
    kept = Snapshot(9, TableMemory(changed, ()), 1.5, (), 1, frozenset())
    assert other != getattr(file, name)
    assert getattr(parse_snapshot(render_snapshot(kept), file).memory.state.setup, name) == other


@pytest.mark.usefixtures("frequent_snapshots")
def test_a_snapshot_that_cannot_be_written_does_not_end_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(snapshot_module, "_refer_to_setups", fails)
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(1), 110)
        assert any(notice.code is NoticeCode.SNAPSHOT_FAILED for notice in rig.standing.notices)
        stood = rig.read_lasting_state()
    assert "the table cannot be written down (RecursionError)" in caplog.text
    monkeypatch.undo()
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stood


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


def test_a_start_plays_no_more_than_two_hands_however_long_the_session(
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
    kept = journal_replay._load_snapshot(archive, session, parse_table_line)
    assert kept is not None
    recover_table(archive, session, parse_table_line, keys)
    assert asked == list(range(kept.entry + 1, archive.last_entry_number + 1))
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
    found = parse_snapshot(render_snapshot(make_snapshot(table)), parse_table_line(line).setup)
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
