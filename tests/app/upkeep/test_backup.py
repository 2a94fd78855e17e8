"""A backup restored on a new card is the same table, and nothing of a hand in play is in it."""

import io
import json
import os
import re
import sqlite3
import tarfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_mock import MockerFixture

from config.file_library import Library
from config.table_file import TableFile, load_table_file
from controller.app.upkeep.backup import MAX_READ_BYTES, BackupError, make_backup, restore
from controller.app.upkeep.page_certificate import make_certificate
from controller.app.upkeep.second_store import SecondStore
from controller.app.upkeep.table_copy import CopyError, copy_journal, copy_table
from controller.cli import main
from controller.runtime.devices.deck_store import DeckStore
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.proof.chain import verify_journal
from controller.runtime.storage.plain_file import RESERVED_BYTES
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import DECK_IN_PLAY_FILE, TABLE_DATABASE_FILE
from tests.app.rig import Rig, demo


@pytest.fixture
def file(tmp_path: Path) -> TableFile:
    """The demo table with a state of its own, in a file of its own."""
    text = demo().path.read_text()
    (tmp_path / "etc").mkdir()
    path = tmp_path / "etc" / "table.toml"
    path.write_text(re.sub(r'(?m)^directory = ".*?"', f'directory = "{tmp_path / "state"}"', text))
    (tmp_path / "etc" / "demo-deck.csv").write_bytes((demo().path.parent / "demo-deck.csv").read_bytes())
    return load_table_file(path)


@pytest.fixture
def played_table_file(file: TableFile) -> TableFile:
    with Rig(file.state_directory, file=file) as rig:
        rig.journal.end_run("test")
    return file


def records(path: Path) -> list[tuple[int, str]]:
    with closing(JournalReader.open(path)) as archive:
        return [(record.number, record.chain) for record in archive.read_records(linked=True)]


def pack_backup(file: TableFile, *, keys: bool) -> bytes:
    output = io.BytesIO()
    make_backup(file, file.state_directory, output, keys=keys, program="test")
    return output.getvalue()


def test_what_is_restored_is_the_same_table(played_table_file: TableFile, tmp_path: Path) -> None:
    backup = tmp_path / "backup.tar"
    (played_table_file.state_directory / DECK_IN_PLAY_FILE).write_text("second\n")
    backup.write_bytes(pack_backup(played_table_file, keys=True))
    before = records(played_table_file.state_directory / "journal.sqlite")
    played_table_file.state_directory.rename(tmp_path / "dead-card")
    done = restore(backup, tmp_path / "new" / "table.toml")
    assert (done.has_keys, done.aside_folder, done.state_directory) == (True, None, played_table_file.state_directory)
    assert (tmp_path / "new" / "table.toml").read_bytes() == played_table_file.path.read_bytes()
    assert (tmp_path / "new" / "demo-deck.csv").exists()
    assert (played_table_file.state_directory / DECK_IN_PLAY_FILE).read_text() == "second\n", (
        "the deck that is dealt from"
    )
    after = records(played_table_file.state_directory / "journal.sqlite")
    assert after == before[: len(after)]
    assert len(after) >= len(before) - 1, "all up to the last signed head"
    restored = load_table_file(tmp_path / "new" / "table.toml")
    with Rig(restored.state_directory, file=restored) as rig:
        rig.journal.end_run("test")  # it goes on
    assert records(played_table_file.state_directory / "journal.sqlite")[: len(after)] == after


def test_without_the_keys_a_new_journal_begins(played_table_file: TableFile, tmp_path: Path) -> None:
    backup = tmp_path / "backup.tar"
    backup.write_bytes(pack_backup(played_table_file, keys=False))
    with tarfile.open(backup) as archive:
        names = archive.getnames()
    assert not [name for name in names if name.endswith(".key")]
    played_table_file.state_directory.rename(tmp_path / "dead-card")
    assert not restore(backup, tmp_path / "new" / "table.toml").has_keys
    assert not (played_table_file.state_directory / "journal.sqlite").exists()
    assert records(played_table_file.state_directory / "restored-journal" / "journal.sqlite")
    with Rig(played_table_file.state_directory, file=played_table_file) as rig:
        rig.journal.end_run("test")


def test_no_key_of_a_hand_is_ever_in_it(played_table_file: TableFile) -> None:
    (played_table_file.state_directory / "hand.key").write_bytes(b"secret")
    for keys in (False, True):
        assert b"hand.key" not in pack_backup(played_table_file, keys=keys)


def test_a_table_that_is_there_is_put_aside_only_when_that_is_said(
    played_table_file: TableFile, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.tar"
    backup.write_bytes(pack_backup(played_table_file, keys=True))
    with pytest.raises(BackupError, match="--replace puts it aside"):
        restore(backup, played_table_file.path)
    done = restore(backup, played_table_file.path, replace=True)
    assert done.aside_folder is not None
    assert (done.aside_folder / "journal.sqlite").exists()
    assert (played_table_file.state_directory / "journal.sqlite").exists()


def test_nothing_is_restored_under_a_running_table(played_table_file: TableFile, tmp_path: Path) -> None:
    file = played_table_file
    from controller.app.table.table_run import _lock_state_directory

    backup = tmp_path / "backup.tar"
    backup.write_bytes(pack_backup(file, keys=True))
    with _lock_state_directory(file.state_directory), pytest.raises(BackupError, match="the table is running"):
        restore(backup, file.path)


def make_forged_backup(content: dict[str, bytes], listed: dict[str, object] | None = None) -> bytes:
    output = io.BytesIO()
    import hashlib

    files = {name: hashlib.sha256(data).hexdigest() for name, data in content.items()}
    text = json.dumps(listed or {"backup": 1, "made": "", "keys": False, "files": files}).encode()
    with tarfile.open(fileobj=output, mode="w") as archive:
        for name, data in {"backup.json": text, **content}.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return output.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no whole backup|damaged"),
        (b"x" * 2000, "no whole backup"),
        (make_forged_backup({"../../etc/passwd": b"x"}), "belongs to no table"),
        (make_forged_backup({"/etc/passwd": b"x"}), "belongs to no table"),
        (make_forged_backup({"state/../../x": b"x"}), "belongs to no table"),
        (make_forged_backup({"else/x": b"x"}), "belongs to no table"),
        (make_forged_backup({}, {"backup": 2, "files": {}}), "of version 2"),
        (make_forged_backup({"state/x": b"x"}, {"backup": 1, "files": {"state/x": "0"}}), "damaged: state/x"),
        (make_forged_backup({}, {"backup": 1, "files": {"state/x": "0"}}), "damaged: state/x"),
        (make_forged_backup({}), "table's file in it cannot be used"),
    ],
)
def test_what_is_no_backup_changes_nothing(tmp_path: Path, data: bytes, words: str) -> None:
    (tmp_path / "x.tar").write_bytes(data)
    with pytest.raises(BackupError, match=words):
        restore(tmp_path / "x.tar", tmp_path / "etc" / "table.toml")
    assert list((tmp_path / "etc").iterdir()) == []


def test_a_backup_cut_short_at_any_place_is_refused(played_table_file: TableFile, tmp_path: Path) -> None:
    whole = pack_backup(played_table_file, keys=True)
    played_table_file.state_directory.rename(tmp_path / "dead-card")
    for share in range(0, 100, 7):
        (tmp_path / "x.tar").write_bytes(whole[: len(whole.rstrip(b"\0")) * share // 100 // 512 * 512])
        with pytest.raises(BackupError):
            restore(tmp_path / "x.tar", tmp_path / "new" / "table.toml")
        assert not played_table_file.state_directory.exists()


def test_the_second_store_gets_what_is_new_and_proves(file: TableFile, tmp_path: Path) -> None:
    there = tmp_path / "stick"
    with Rig(file.state_directory, file=file) as rig:
        rig.journal.end_run("test")
    first = copy_table(file, file.state_directory, there, keys=True)
    assert first > 0
    assert copy_table(file, file.state_directory, there, keys=True) == 0, "nothing is written twice"
    with Rig(file.state_directory, file=file) as rig:
        rig.journal.end_run("test")
    more = copy_table(file, file.state_directory, there, keys=True)
    assert 0 < more < first + 10
    copied = records(there / "state" / "journal.sqlite")
    assert copied == records(file.state_directory / "journal.sqlite")[: len(copied)]
    file.state_directory.rename(tmp_path / "dead-card")
    assert restore(there, tmp_path / "new" / "table.toml").has_keys
    with Rig(file.state_directory, file=file) as rig:
        rig.journal.end_run("test")


def test_a_journal_of_another_table_is_not_written_over(played_table_file: TableFile, tmp_path: Path) -> None:
    there = tmp_path / "stick"
    copy_table(played_table_file, played_table_file.state_directory, there, keys=False)
    other = replace(played_table_file, state_directory=tmp_path / "other")
    with Rig(other.state_directory, file=other) as rig:
        rig.journal.end_run("test")
    with pytest.raises(CopyError, match="is of another journal"):
        copy_table(other, other.state_directory, there, keys=False)


def test_a_file_that_was_closed_since_is_followed(played_table_file: TableFile, tmp_path: Path) -> None:
    """The journal goes on in a new file: its copy too, and the closed one is whole."""
    source, there = played_table_file.state_directory / "journal.sqlite", tmp_path / "stick"
    there.mkdir()
    copy_journal(source, there)
    with Rig(played_table_file.state_directory, file=played_table_file) as rig:
        rig.journal.rotate()
        rig.journal.end_run("test")
    copy_journal(source, there)
    assert sorted(path.name for path in there.glob("journal*")) == ["journal-1.sqlite", "journal.sqlite"]
    copied = records(there / "journal.sqlite")
    assert copied == records(source)[: len(copied)]
    from controller.cli.journal.verify_command import read_records

    assert verify_journal(read_records(sorted(there.glob("*.sqlite"))), None, []).first_record == 1


def test_a_copy_of_a_damaged_journal_names_the_journal(played_table_file: TableFile, tmp_path: Path) -> None:
    """And not the copy, which nothing is wrong with."""
    source = played_table_file.state_directory / "journal.sqlite"
    data = bytearray(source.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    source.write_bytes(data)
    with pytest.raises(CopyError, match=r"journal\.sqlite") as why:
        copy_table(played_table_file, played_table_file.state_directory, tmp_path / "stick", keys=False)
    assert "stick" not in str(why.value)


def test_a_record_that_can_be_none_is_damage_of_the_journal(played_table_file: TableFile, tmp_path: Path) -> None:
    source = played_table_file.state_directory / "journal.sqlite"
    strict, loose = "body TEXT NOT NULL", "body TEXT"

    def say_otherwise(before: str, after: str) -> None:
        with closing(sqlite3.connect(source)) as journal, journal:
            journal.execute("PRAGMA writable_schema=ON")
            journal.execute("UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'record'", (before, after))

    say_otherwise(strict, loose)
    with closing(sqlite3.connect(source)) as journal, journal:
        (trigger,) = journal.execute("SELECT sql FROM sqlite_schema WHERE name = 'record_no_update'").fetchone()
        journal.execute("DROP TRIGGER record_no_update")
        journal.execute("UPDATE record SET body = NULL WHERE number = 2")
        journal.execute(trigger)
    say_otherwise(loose, strict)
    with pytest.raises(DatabaseError, match=r"journal\.sqlite: the file is damaged"):
        copy_journal(source, tmp_path)


@pytest.mark.parametrize("left", [None, "another\n"])
def test_the_deck_in_play_is_copied_as_the_journal_knows_it(
    played_table_file: TableFile, tmp_path: Path, left: str | None
) -> None:
    """A table that is restored without its keys begins a journal, which knows of none."""
    state = played_table_file.state_directory
    DeckStore(state / TABLE_DATABASE_FILE).close()
    (state / DECK_IN_PLAY_FILE).write_text("first\n")
    copy_table(played_table_file, state, tmp_path / "stick", keys=False)
    assert (tmp_path / "stick" / "state" / DECK_IN_PLAY_FILE).read_text() == "first\n"
    with Rig(state, file=played_table_file) as rig:
        for name in ("third", "second"):
            rig.journal.append_note("deck", {"deck": name, "cards": 52, "checksum": "", "by": "", "in_play": True})
        rig.journal.append_note("deck", {"deck": "third", "cards": 52, "checksum": "", "by": ""})
    (state / DECK_IN_PLAY_FILE).unlink()
    if left is not None:
        (state / DECK_IN_PLAY_FILE).write_text(left)
    copy_table(played_table_file, state, tmp_path / "stick", keys=False)
    assert (tmp_path / "stick" / "state" / DECK_IN_PLAY_FILE).read_text() == "second\n"


def test_what_the_table_file_names_and_is_gone_is_missed(played_table_file: TableFile, tmp_path: Path) -> None:
    certificate, key = tmp_path / "page.crt", tmp_path / "page.key"
    page = replace(played_table_file.page, certificate=certificate, private_key=key)
    file = replace(played_table_file, page=page)
    make_certificate(tmp_path, ["127.0.0.1"])
    copy_table(file, file.state_directory, tmp_path / "stick", keys=True)
    for gone in (certificate, key, tmp_path / "ca.crt"):
        gone.rename(tmp_path / "spare")
        with pytest.raises(CopyError, match=gone.name):
            copy_table(file, file.state_directory, tmp_path / "stick", keys=True)
        (tmp_path / "spare").rename(gone)
    key.unlink()
    copy_table(file, file.state_directory, tmp_path / "stick", keys=False)


@pytest.mark.parametrize(
    ("named", "gone"),
    [
        ({"rulebook": "our-book"}, "rulebooks/our-book.toml"),
        ({"game": "our-game"}, "games/our-game.toml"),
        ({"rotation": [{"game": "holdem"}, {"game": "our-game"}]}, "games/our-game.toml"),
    ],
)
def test_what_the_table_line_names_of_the_house_and_is_gone_is_missed(
    played_table_file: TableFile, tmp_path: Path, named: dict[str, object], gone: str
) -> None:
    house = tmp_path / "etc" / "house"
    for name in ("rulebooks/our-book.toml", "games/our-game.toml"):
        (house / name).parent.mkdir(parents=True, exist_ok=True)
        (house / name).write_text("")
    line = {**played_table_file.table_line, **named}
    file = replace(played_table_file, library=Library(house), table_line=line)
    pack_backup(file, keys=False)
    (house / gone).unlink()
    with pytest.raises(CopyError, match=re.escape(f"{house / gone}: is missing, and the table had it: put it back")):
        pack_backup(file, keys=False)


def test_a_closed_file_that_is_elsewhere_is_not_in_a_backup_and_said_to_be(
    played_table_file: TableFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Rig(played_table_file.state_directory, file=played_table_file) as rig:
        rig.journal.rotate()
        rig.journal.end_run("test")
    make = ["backup", "make", str(tmp_path / "b.tar"), "--config", str(played_table_file.path)]
    assert main(make) == 0
    assert "journal-1.sqlite" not in capsys.readouterr().err
    (played_table_file.state_directory / "journal-1.sqlite").unlink()
    assert main(make) == 0
    assert "journal-1.sqlite was not here" in capsys.readouterr().err


def test_what_fails_is_said_once_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    tried: list[int] = []

    def copy() -> int:
        tried.append(1)
        if len(tried) < 3:
            raise CopyError("no stick")
        return 0

    store = SecondStore(copy, (CopyError,))
    for _ in range(3):
        store._copy_once()
    said = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert said == ["the second store is not up to date: no stick"]


def test_by_the_command(played_table_file: TableFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backup = tmp_path / "b.tar"
    assert main(["backup", "make", str(backup), "--keys", "--config", str(played_table_file.path)]) == 0
    assert "with the keys" in capsys.readouterr().out
    assert backup.stat().st_mode & 0o777 == 0o600
    assert main(["backup", "restore", str(backup), "--config", str(played_table_file.path)]) == 1
    assert "--replace puts it aside; nothing was changed" in capsys.readouterr().err
    assert main(["backup", "restore", str(backup), "--config", str(played_table_file.path), "--replace"]) == 0
    assert "systemctl start table-controller" in capsys.readouterr().out
    with (
        pytest.raises(sqlite3.Error),
        closing(sqlite3.connect(played_table_file.state_directory / "journal.sqlite")) as journal,
    ):
        journal.execute("DELETE FROM record")


def test_a_dead_card_costs_at_most_the_hand_in_play(file: TableFile, tmp_path: Path) -> None:
    """The card dies in the third hand: restored from the stick, the first two are there, and the table deals on."""
    there = tmp_path / "stick"
    store = SecondStore(lambda: copy_table(file, file.state_directory, there, keys=True), (CopyError,))
    with Rig(file.state_directory, file=file, lossless=True) as rig:
        room = rig.room(7, mistakes=0.0)
        for _ in range(400):
            rig.live(room, 1)
            store.on_view_published(rig.standing)
            if store._copy_requested.is_set():
                store._copy_requested.clear()
                store._copy_once()
            if rig.output["hand"] == 3 and rig.output["phase"] != "idle":
                break
        assert (rig.output["hand"], rig.output["phase"] != "idle") == (3, True)
    file.state_directory.rename(tmp_path / "dead-card")
    restore(there, tmp_path / "new" / "table.toml")
    with Rig(file.state_directory, file=file) as rig:
        assert (rig.output["hand"], rig.output["phase"]) == (2, "idle")
        rig.press("start")
        assert rig.output["hand"] == 3
        rig.journal.end_run("test")


def test_headers_are_looked_at_before_anything_is_unpacked(tmp_path: Path, mocker: MockerFixture) -> None:
    copied = mocker.patch("shutil.copyfileobj", side_effect=AssertionError("a byte was written"))
    archive = tmp_path / "x.tar"

    def check_refused(words: str) -> None:
        with pytest.raises(BackupError, match=words):
            restore(archive, tmp_path / "etc/table.toml")

    for name in ("state/x", "backup.json"):
        archive.write_bytes(make_forged_backup({"state/x": b"x"}))
        with tarfile.open(archive, "a") as opened:
            opened.addfile(tarfile.TarInfo(name))
        check_refused(f"holds {name} twice")
    archive.write_bytes(make_forged_backup({"state/x": b"x"}))
    mocker.patch("shutil.disk_usage", return_value=SimpleNamespace(free=RESERVED_BYTES))
    check_refused("200 MB free; 0 MB are wanted, and 200 MB stay free: make room")
    mocker.patch("controller.app.upkeep.backup.MAX_FILES", 0)
    check_refused("no backup of a table")
    long = tarfile.TarInfo("state/x")
    long.pax_headers = {"comment": "x" * (MAX_READ_BYTES + 1)}
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as opened:
        opened.addfile(long)
    check_refused("a header of it is too long")
    archive.unlink()
    os.mkfifo(archive)
    check_refused("is no backup and no second store")
    copied.assert_not_called()


def test_a_second_store_reaches_out_of_itself_by_no_link(played_table_file: TableFile, tmp_path: Path) -> None:
    store = tmp_path / "store"
    copy_table(played_table_file, played_table_file.state_directory, store, keys=True)
    (store / "state/shadow").symlink_to("/etc/passwd")
    with pytest.raises(BackupError, match="state/shadow: it is a link, and a plain file is wanted"):
        restore(store, tmp_path / "etc2/table.toml", replace=True)
    assert not (tmp_path / "etc2/table.toml").exists()


def test_no_backup_fills_the_card_of_a_table_that_plays(played_table_file: TableFile, mocker: MockerFixture) -> None:
    state = played_table_file.state_directory
    size = sum(path.stat().st_size for path in state.iterdir() if path.is_file())
    usage = mocker.patch("shutil.disk_usage", return_value=SimpleNamespace(free=RESERVED_BYTES + size))
    pack_backup(played_table_file, keys=False)
    with (state.parent / "beside.tar").open("wb") as output, pytest.raises(CopyError, match="stay free: make room"):
        make_backup(played_table_file, state, output, keys=False, program="test")
    usage.return_value = SimpleNamespace(free=RESERVED_BYTES + size - 1)
    with pytest.raises(CopyError, match="stay free: make room"):
        pack_backup(played_table_file, keys=False)
