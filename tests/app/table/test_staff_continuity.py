"""A staff's file that is missing, emptied, another one or an older copy: a fault, and no fresh table."""

import base64
import io
import logging
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from config.table_file import DEMO_FILE, PageSection, load_table_file
from controller.app.table.page_access import open_page_access
from controller.app.upkeep import table_copy
from controller.app.upkeep.table_copy import CopyError, copy_table
from controller.cli import main
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.recovery.known_staff import read_known_staff
from controller.runtime.loop.housekeeping import MACHINE_CHECK_INTERVAL_S
from controller.runtime.loop.staff_watch import StaffWatch
from controller.runtime.loop.table_view import LIVE
from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.permissions import Role, TokenRole
from controller.runtime.staff.room_staff_list import RoomStaffList
from controller.runtime.staff.staff_store import StaffStore, Warrant
from controller.runtime.staff.token_store import TokenStore
from controller.runtime.storage.state_directory import JOURNAL_FILE, STAFF_FILE, TOKENS_FILE
from controller.web.serving.listener import listen
from tests.app.rig import Rig
from tests.app.table.test_start_trouble import start
from tests.runtime.staff.test_staff import CHEAP

PIN, OTHER_PIN = "270561", "194728"
BY_CODE = Warrant("one-time code")
ROOM_KEY = SigningKey(b"r" * 32)


def open_staff(folder: Path) -> StaffStore:
    return StaffStore(folder / STAFF_FILE, cost=CHEAP)


def run_once(folder: Path) -> str | None:
    """A run of the table, which writes down which file it has; what is wrong with the file."""
    with closing(Journal(folder / JOURNAL_FILE)) as journal:
        journal.begin_run("boot", "1")
        watch = StaffWatch(journal, folder, lambda _trouble, _tokens: None)
        watch.check()
        journal.end_run("clean")
        return watch.trouble


def make_state(folder: Path) -> Path:
    """A table with three people, whose journal knows them; `early` is a copy from before the last two changes."""
    state = folder / "state"
    state.mkdir()
    with closing(open_staff(state)) as staff:
        staff.enrol("Ada", Role.TECHNICIAN, PIN, BY_CODE)
        staff.enrol("Ben", Role.FLOOR, PIN, BY_CODE)
    assert run_once(state) is None
    with closing(open_staff(state)) as staff:
        shutil.copy(state / STAFF_FILE, folder / "early")
        staff.remove("Ben", BY_CODE)
        staff.change_pin("Ada", PIN, OTHER_PIN)
    assert run_once(state) is None
    return state


def remove_files(state: Path) -> None:
    for each in state.glob(f"{STAFF_FILE}*"):
        each.unlink()


def put_nothing(state: Path) -> None:
    remove_files(state)
    (state / STAFF_FILE).touch()


def put_new(state: Path) -> None:
    remove_files(state)
    open_staff(state).close()


def put_stranger(state: Path) -> None:
    remove_files(state)
    with closing(open_staff(state)) as staff:
        staff.enrol("Eve", Role.TECHNICIAN, PIN, BY_CODE)


def put_early(state: Path) -> None:
    remove_files(state)
    shutil.copy(state.parent / "early", state / STAFF_FILE)


def empty_tables(state: Path) -> None:
    with closing(open_staff(state)) as staff:
        staff._db.execute("PRAGMA foreign_keys=OFF")
        staff._db.execute("DELETE FROM staff")
        staff._db.execute("DELETE FROM signing_key")
        staff._db.execute("DROP TABLE revision")
        for verb in ("insert", "update", "delete"):
            for table in ("staff", "signing_key", "room_list"):
                staff._db.execute(f"DROP TRIGGER {table}_{verb}_counted")


def flip_a_bit(state: Path) -> None:
    """In a row, which SQLite reads as it reads any other."""
    data = (state / STAFF_FILE).read_bytes()
    flipped = re.sub(rb"Ad[ac]", lambda name: name[0][:2] + bytes([name[0][2] ^ 2]), data)
    assert flipped != data
    (state / STAFF_FILE).write_bytes(flipped)


def flip_a_bit_of_an_index(state: Path) -> None:
    """So that who is there is not found any more."""
    data = (state / STAFF_FILE).read_bytes()
    index_page = next(at for at in range(0, len(data), 4096) if data[at] == 10 and b"ad" in data[at : at + 4096])
    where = data.index(b"ad", index_page) + 2
    (state / STAFF_FILE).write_bytes(data[:where] + bytes([data[where] ^ 2]) + data[where + 1 :])


DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "missing": (remove_files, "is missing"),
    "of no length": (put_nothing, "is missing"),
    "new": (put_new, "is another file"),
    "emptied": (empty_tables, "is another file"),
    "another table's": (put_stranger, "is another file"),
    "an older copy": (put_early, "is an older copy"),
    "a bit flipped": (flip_a_bit, "is damaged"),
    "a bit of an index flipped": (flip_a_bit_of_an_index, "is damaged"),
}


@pytest.fixture(params=DAMAGES)
def damage(request: pytest.FixtureRequest) -> tuple[Callable[[Path], None], str]:
    return DAMAGES[request.param]


@contextmanager
def announce(state: Path, trouble: str | None) -> Iterator[StaffStore]:
    with ExitStack() as stack:
        bound = listen("127.0.0.1", 0)
        stack.callback(bound.close)
        opened = open_page_access(stack, state, PageSection(), bound, LIVE)
        opened.staff.find_trouble = lambda: trouble
        opened.announce("http://127.0.0.1:8080/")
        yield opened.staff


def test_no_code_is_shown_and_nobody_let_in_by_a_file_that_is_not_the_tables(
    tmp_path: Path, damage: tuple[Callable[[Path], None], str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    state = make_state(tmp_path)
    damage[0](state)
    for _ in range(2):
        trouble = run_once(state)
        assert trouble is not None
        assert trouble.startswith(damage[1])
    with announce(state, trouble) as staff:
        assert "one-time code" not in caplog.text
        assert "tablectl staff accept" in caplog.text
        assert STAFF_FILE in caplog.text
        signed = RoomStaffList(1, []).sign(ROOM_KEY)
        attempts: tuple[Callable[[], object], ...] = (
            lambda: staff.sign_in("Ada", PIN),
            lambda: staff.sign_in("Ben", PIN),
            lambda: staff.sign_in("Eve", PIN),
            staff.make_one_time_code,
            lambda: staff.redeem_code("1234-5678"),
            lambda: staff.apply_room_list(RoomStaffList.parse(signed, ROOM_KEY.verify_key), ROOM_KEY.verify_key),
        )
        for attempt in attempts:
            with pytest.raises(AdmissionError) as why:
                attempt()
            assert why.value.code is RefusalCode.STAFF_FILE_REPLACED


def test_the_right_file_is_the_right_file_again(tmp_path: Path, damage: tuple[Callable[[Path], None], str]) -> None:
    state = make_state(tmp_path)
    shutil.copy(state / STAFF_FILE, tmp_path / "right")
    damage[0](state)
    assert run_once(state) is not None
    remove_files(state)
    shutil.copy(tmp_path / "right", state / STAFF_FILE)
    assert run_once(state) is None
    with closing(open_staff(state)) as staff:
        assert staff.sign_in("Ada", OTHER_PIN).name == "Ada"


@pytest.fixture
def type_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n" * 9))


@pytest.mark.usefixtures("type_yes")
def test_a_technician_at_the_machine_accepts_it_and_the_journal_keeps_that(
    tmp_path: Path, damage: tuple[Callable[[Path], None], str], capsys: pytest.CaptureFixture[str]
) -> None:
    state = make_state(tmp_path)
    damage[0](state)
    assert main(["staff", "code", "--state", str(state)]) == 1
    told = capsys.readouterr()
    assert damage[1] in told.err or "is another file" in told.err
    assert "staff accept" in told.err
    assert not told.out
    assert main(["staff", "accept", "--state", str(state)]) == 0
    assert main(["staff", "code", "--state", str(state)]) == 0
    for _ in range(2):
        assert run_once(state) is None
    with closing(Journal(state / JOURNAL_FILE)) as journal:
        notes = [record.parse_body() for record in journal.read_newest_records("staff")]
        assert any("in_place_of" in note for note in notes)
    assert main(["staff", "accept", "--state", str(state)]) == 0
    assert "nothing was changed" in capsys.readouterr().out
    damage[0](state)
    again = run_once(state)
    assert (again is None) is (damage[0] is put_early), "the second time it is a fault again, but for what was accepted"


def test_who_does_not_say_yes_accepts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state = make_state(tmp_path)
    put_new(state)
    monkeypatch.setattr("sys.stdin", io.StringIO("no\n"))
    assert main(["staff", "accept", "--state", str(state)]) == 1
    assert "nothing was changed" in capsys.readouterr().err
    assert run_once(state) is not None


def test_a_journal_of_an_older_program_knows_who_signed_in(tmp_path: Path) -> None:
    with closing(open_staff(tmp_path)) as staff:
        staff.enrol("Ada", Role.TECHNICIAN, PIN, BY_CODE)
        key = base64.b64encode(staff.sign_in("Ada", PIN).public_key).decode()
    with closing(Journal(tmp_path / JOURNAL_FILE)) as journal:
        journal.begin_run("boot", "1")
        journal.append_note("sign-in", {"name": "Zoe", "role": "floor", "key": "elsewhere", "at": "room"})
        journal.append_note("sign-in", {"name": "Ada", "role": "technician", "key": key})
        journal.append_note("sign-in", {"name": "Zoe", "role": "floor", "key": "elsewhere", "at": "drop-box"})
        known = read_known_staff(journal)
        assert known is not None
        assert (known.last_name, known.last_key) == ("Ada", key)
        journal.end_run("clean")
    shutil.copytree(tmp_path, tmp_path.parent / f"{tmp_path.name}-emptied", dirs_exist_ok=True)
    assert run_once(tmp_path) is None
    emptied = tmp_path.parent / f"{tmp_path.name}-emptied"
    put_new(emptied)
    trouble = run_once(emptied)
    assert trouble is not None
    assert "Ada" in trouble


def test_a_table_that_never_had_staff_has_no_trouble_and_no_record(tmp_path: Path) -> None:
    assert run_once(tmp_path) is None
    put_new(tmp_path)
    assert run_once(tmp_path) is None
    with closing(Journal(tmp_path / JOURNAL_FILE)) as journal:
        assert not list(journal.read_newest_records("staff"))


def test_an_older_list_of_the_room_brings_nobody_back_after_the_file_was_lost(tmp_path: Path) -> None:
    with closing(StaffStore(tmp_path / "room.sqlite", cost=CHEAP)) as room:
        room.enrol("Ray", Role.FLOOR, PIN, BY_CODE)
        room.enrol("Sue", Role.FLOOR, PIN, BY_CODE)
        with_ray = RoomStaffList(4, room.list_for_room())
        room.remove("Ray", BY_CODE)
        without = RoomStaffList(5, room.list_for_room())
    state = tmp_path / "state"
    state.mkdir()
    with closing(open_staff(state)) as staff:
        for one in (with_ray, without):
            staff.apply_room_list(one, ROOM_KEY.verify_key)
    assert run_once(state) is None
    put_new(state)
    with closing(Journal(state / JOURNAL_FILE)) as journal:
        known = read_known_staff(journal)
    assert known is not None
    with closing(open_staff(state)) as staff:
        staff.accept_in_place_of(known)
        with pytest.raises(AdmissionError) as why:
            staff.apply_room_list(with_ray, ROOM_KEY.verify_key)
        assert why.value.code is RefusalCode.OLDER_LIST
        staff.apply_room_list(without, ROOM_KEY.verify_key)
        assert [person.name for person in staff.list_people()] == ["Sue"]


@pytest.mark.usefixtures("type_yes")
@pytest.mark.parametrize("words", [("staff", "list"), ("staff", "accept"), ("token", "list")])
def test_where_the_journal_is_another_tables_that_is_named_and_not_the_files_that_are_right(
    tmp_path: Path, words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        state = make_state(tmp_path / name)
        with closing(open_tokens(state)) as tokens:
            tokens.add("hall", TokenRole.WATCH)
        run_once(state)
    capsys.readouterr()
    shutil.copy(state / JOURNAL_FILE, tmp_path / "one" / "state" / JOURNAL_FILE)
    assert main([*words, "--state", str(tmp_path / "one" / "state")]) == 1
    told = capsys.readouterr().err
    assert JOURNAL_FILE in told
    assert STAFF_FILE not in told
    assert TOKENS_FILE not in told


def test_damaged_rows_stay_damaged_whoever_changes_others(tmp_path: Path) -> None:
    state = make_state(tmp_path)
    flip_a_bit(state)
    with closing(open_staff(state)) as staff:
        staff.enrol("Cleo", Role.DEALER, PIN, BY_CODE)
    for _ in range(2):
        assert str(run_once(state)).startswith("is damaged")


def test_a_file_that_an_older_program_has_changed_is_whole(tmp_path: Path) -> None:
    """It counts its changes and knows of no digest."""
    state = make_state(tmp_path)
    for name in ("Bea", "Bo"):
        with closing(sqlite3.connect(state / STAFF_FILE)) as older, older:
            older.execute("UPDATE staff SET name = ? WHERE key = 'ben'", (name,))
        assert run_once(state) is None
        open_staff(state).close()
        assert run_once(state) is None
    flip_a_bit(state)
    assert str(run_once(state)).startswith("is damaged")


@pytest.mark.usefixtures("type_yes")
def test_a_damaged_file_of_which_the_journal_knows_nothing_is_accepted_too(tmp_path: Path) -> None:
    with closing(open_staff(tmp_path)) as staff:
        staff.enrol("Ada", Role.TECHNICIAN, PIN, BY_CODE)
    flip_a_bit(tmp_path)
    with closing(Journal(tmp_path / JOURNAL_FILE)) as journal:
        assert str(StaffWatch(journal, tmp_path, lambda *_: None).trouble).startswith("is damaged")
    assert main(["staff", "accept", "--state", str(tmp_path)]) == 0
    assert run_once(tmp_path) is None


@pytest.mark.usefixtures("type_yes")
def test_a_file_that_is_no_whole_database_is_not_accepted_and_one_that_is_missing_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = make_state(tmp_path)
    data = bytearray((state / STAFF_FILE).read_bytes())
    data[36:40] = (7).to_bytes(4, "big")  # so many free pages, which it has not
    (state / STAFF_FILE).write_bytes(data)
    assert str(run_once(state)).startswith("is damaged")
    assert main(["staff", "accept", "--state", str(state)]) == 1
    assert "cannot be used" in capsys.readouterr().err
    assert str(run_once(state)).startswith("is damaged")
    remove_files(state)
    assert main(["staff", "accept", "--state", str(state)]) == 0
    assert run_once(state) is None


@pytest.mark.usefixtures("type_yes")
def test_a_bit_of_a_token_that_was_flipped_is_damage(tmp_path: Path) -> None:
    state = make_state(tmp_path)
    with closing(open_tokens(state)) as tokens:
        tokens.add("hall", TokenRole.WATCH)
    assert find_trouble_with_tokens(state) is None
    (state / TOKENS_FILE).write_bytes((state / TOKENS_FILE).read_bytes().replace(b"hall", b"hell"))
    with closing(open_tokens(state)) as tokens:
        tokens.add("desk", TokenRole.WATCH)
    assert str(find_trouble_with_tokens(state)).startswith("is damaged")
    with pytest.raises(CopyError, match=TOKENS_FILE):
        copy_table(load_table_file(DEMO_FILE), state, tmp_path / "copy", keys=False)
    assert main(["staff", "accept", "--state", str(state)]) == 0
    assert find_trouble_with_tokens(state) is None
    with closing(open_tokens(state)) as tokens:
        tokens.revoke("desk")
    assert find_trouble_with_tokens(state) is None


def test_a_file_that_goes_while_the_table_runs_is_a_fault_at_once_and_no_hand_begins(tmp_path: Path) -> None:
    heard: list[str | None] = []
    with closing(open_staff(tmp_path)) as staff:
        staff.enrol("Ada", Role.TECHNICIAN, PIN, BY_CODE)
    with Rig(tmp_path) as rig:
        rig.loop._housekeeping._find_free_bytes = lambda: 1 << 40
        watch = StaffWatch(rig.journal, tmp_path, lambda trouble, _tokens: heard.append(trouble))
        rig.loop._housekeeping._staff_watch = watch
        rig.run(MACHINE_CHECK_INTERVAL_S + 0.1)
        assert [record.kind for record in rig.journal.read_newest_records("staff")] == ["staff"]
        rig.run(3 * MACHINE_CHECK_INTERVAL_S)
        assert len(list(rig.journal.read_newest_records("staff"))) == 1, "it is written down once"
        shutil.copy(tmp_path / STAFF_FILE, tmp_path / "kept")
        remove_files(tmp_path)
        rig.run(MACHINE_CHECK_INTERVAL_S + 0.1)
        assert [fault.code for fault in rig.standing.faults] == ["staff-replaced"]
        assert heard[-1] is not None
        rig.press("start")
        assert rig.output["phase"] == "halted"
        assert not rig.loop.outcome.state.is_hand_on
        shutil.copy(tmp_path / "kept", tmp_path / STAFF_FILE)
        rig.run(MACHINE_CHECK_INTERVAL_S + 0.1)
        assert heard[-1] is None


def test_a_copy_never_has_a_journal_that_knows_more_than_its_staff(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def note_journal(source: Path, _folder: Path) -> int:
        made.append(source.name)
        return 0

    monkeypatch.setattr(table_copy, "copy_journal", note_journal)
    monkeypatch.setattr(table_copy, "_copy_database", lambda source, _target, _mark: made.append(source.name))
    monkeypatch.setattr(table_copy, "list_config_files", lambda _file, keys: dict.fromkeys([], keys))
    state = make_state(tmp_path)
    copy_table(load_table_file(DEMO_FILE), state, tmp_path / "copy", keys=False)
    assert made == [JOURNAL_FILE, STAFF_FILE]


def find_trouble_with_tokens(folder: Path) -> str | None:
    with closing(Journal(folder / JOURNAL_FILE)) as journal:
        journal.begin_run("boot", "1")
        watch = StaffWatch(journal, folder, lambda _trouble, _tokens: None)
        watch.check()
        journal.end_run("clean")
        return watch.tokens_trouble


def open_tokens(state: Path) -> TokenStore:
    return TokenStore(state / TOKENS_FILE)


@pytest.mark.usefixtures("type_yes")
def test_a_token_that_was_withdrawn_comes_back_by_no_older_copy_and_by_no_other_file(tmp_path: Path) -> None:
    state = make_state(tmp_path)
    with closing(open_tokens(state)) as tokens:
        hall = tokens.add("hall", TokenRole.WATCH)
    shutil.copy(state / TOKENS_FILE, tmp_path / "early")
    assert find_trouble_with_tokens(state) is None
    with closing(open_tokens(state)) as tokens:
        tokens.revoke("hall")
    assert find_trouble_with_tokens(state) is None
    for again in range(2):
        for each in state.glob(f"{TOKENS_FILE}*"):
            each.unlink()
        assert str(find_trouble_with_tokens(state)).startswith("is missing or empty")
        shutil.copy(tmp_path / "early", state / TOKENS_FILE)
        trouble = find_trouble_with_tokens(state)
        assert trouble is not None
        assert trouble.startswith("is an older copy"), again
        with closing(open_tokens(state)) as tokens:
            tokens.find_trouble = partial(str, trouble)
            with pytest.raises(AdmissionError) as why:
                tokens.find(hall)
            assert why.value.code is RefusalCode.STAFF_FILE_REPLACED
            token = tokens.list_tokens()[0]
            with pytest.raises(AdmissionError):
                tokens.is_valid(token)
    for each in state.glob(f"{TOKENS_FILE}*"):
        each.unlink()
    assert main(["staff", "accept", "--state", str(state)]) == 0
    assert find_trouble_with_tokens(state) is None, "lost, and accepted as lost"
    for each in state.glob(f"{TOKENS_FILE}*"):
        each.unlink()
    with closing(open_tokens(state)) as tokens:
        tokens.add("other", TokenRole.WATCH)
    assert find_trouble_with_tokens(state) == "is another file than the table had"
    assert main(["staff", "accept", "--state", str(state)]) == 0
    assert find_trouble_with_tokens(state) is None
    assert find_trouble_with_tokens(state) is None


def is_staff_noted(folder: Path) -> bool:
    """Whether the journal knows which staff's file the table has."""
    with closing(JournalReader.open(folder / JOURNAL_FILE)) as journal:
        known = read_known_staff(journal)
    return known is not None and bool(known.people_count)


def test_the_program_itself_shows_no_code_and_its_page_says_why(tmp_path: Path) -> None:
    state, log = tmp_path / "state", tmp_path / "log"
    text = DEMO_FILE.read_text(encoding="utf-8").replace('host = "127.0.0.1"', 'host = "0.0.0.0"\nplain = true')
    file = tmp_path / "table.toml"
    file.write_text(text.replace('deck_list = "', f'deck_list = "{DEMO_FILE.parent}/'))
    options = ("--config", str(file))
    with start(state, log, *options) as started:
        started.wait_for(lambda status, _: status == 200, "/state")
        assert "one-time code" in log.read_text()
        with closing(open_staff(state)) as staff:
            staff.enrol("Ada", Role.TECHNICIAN, PIN, BY_CODE)
        assert started.end() == 0
    with start(state, log, *options) as started:
        started.wait_for(lambda status, text: status == 200 and "Ada" in text, "/staff")
        started.wait_for(lambda *_: is_staff_noted(state), "/state")
        assert started.end() == 0
    for _ in range(2):
        remove_files(state)
        with start(state, log, *options) as started:
            told = started.wait_for(lambda status, _: status == 503, "/staff")
            assert '"code":"staff-replaced"' in told
            assert "Ada" not in told
            assert '"staff-replaced"' in started.wait_for(lambda status, _: status == 200, "/state")
            assert started.end() == 0
        assert "one-time code" not in log.read_text()
        assert "tablectl staff accept" in log.read_text()
        assert "Traceback" not in log.read_text()
