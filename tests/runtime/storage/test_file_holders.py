"""Whoever holds a file of the table is named, soon: by a lock of any kind, or because it has it open."""

import fcntl
import os
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from controller.app.table.table_run import StartError, _lock_state_directory
from controller.runtime.devices.deck_store import APPLICATION_ID as DECKS
from controller.runtime.devices.deck_store import DeckStore
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.staff.admission import AdmissionError
from controller.runtime.staff.permissions import Role, TokenRole
from controller.runtime.staff.staff_store import StaffStore
from controller.runtime.staff.token_store import TokenStore
from controller.runtime.storage import file_holders
from controller.runtime.storage.file_holders import describe_holders, find_holders
from controller.runtime.storage.sqlite_database import DatabaseError, open_read_only
from controller.runtime.storage.state_directory import (
    JOURNAL_FILE,
    LOCK_FILE,
    STAFF_FILE,
    TABLE_DATABASE_FILE,
    TOKENS_FILE,
)
from tests.runtime.staff.test_staff import CHEAP

SECRET = "swordfish"

SOON_S = 4.0
"""Who waits for a table to start does not take it for dead yet."""

IN_ROLLBACK = """
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode=DELETE")
db.execute("BEGIN EXCLUSIVE")
"""
IN_WAL = """
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA locking_mode=EXCLUSIVE")
db.execute("BEGIN EXCLUSIVE")
"""
IN_USE = "db = sqlite3.connect(sys.argv[1], isolation_level=None); db.execute('BEGIN EXCLUSIVE')"
FLOCK = "handle = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT); fcntl.flock(handle, fcntl.LOCK_EX)"
OPEN_FILE_LOCK = """
handle = os.open(sys.argv[1], os.O_RDWR)
fcntl.fcntl(handle, fcntl.F_OFD_SETLK, struct.pack("hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, 0x4000_0000, 512, 0))
"""


@contextmanager
def hold(path: Path, how: str) -> Iterator[int]:
    """Another process that holds a file; its command line has a password in it."""
    text = f"import fcntl, os, sqlite3, struct, sys\n{how}\nprint('held', flush=True)\nsys.stdin.read()"
    words = [sys.executable, "-c", text, str(path), f"--password={SECRET}", SECRET, f"http://u:{SECRET}@127.0.0.1/"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        yield other.pid
        assert other.stdin is not None
        other.stdin.close()


def make_table(folder: Path) -> None:
    """Every file of a table that lies still."""
    journal = Journal(folder / JOURNAL_FILE)
    journal.begin_run("boot", "1")
    journal.begin_session({"mode": "live"})
    journal.end_run("clean")
    journal.close()
    DeckStore(folder / TABLE_DATABASE_FILE).close()
    StaffStore(folder / STAFF_FILE, cost=CHEAP).close()
    tokens = TokenStore(folder / TOKENS_FILE)
    tokens.add("lamp", TokenRole.WATCH)
    tokens.close()


OPENERS: dict[str, Callable[[Path], object]] = {
    JOURNAL_FILE: lambda folder: Journal(folder / JOURNAL_FILE),
    TABLE_DATABASE_FILE: lambda folder: DeckStore(folder / TABLE_DATABASE_FILE),
    STAFF_FILE: lambda folder: StaffStore(folder / STAFF_FILE, cost=CHEAP),
    TOKENS_FILE: lambda folder: TokenStore(folder / TOKENS_FILE).list_tokens(),
}


@pytest.mark.parametrize("how", [IN_ROLLBACK, IN_WAL, OPEN_FILE_LOCK], ids=["rollback", "wal", "open file"])
@pytest.mark.parametrize("opened", OPENERS)
def test_who_holds_a_database_is_named_soon_and_without_its_secrets(tmp_path: Path, opened: str, how: str) -> None:
    make_table(tmp_path)
    with hold(tmp_path / opened, how) as process_id:
        began = monotonic()
        with pytest.raises((DatabaseError, AdmissionError)) as why:
            OPENERS[opened](tmp_path)
        assert monotonic() - began < SOON_S
        text = str(why.value)
        assert opened in text
        assert f"process {process_id}: {Path(sys.executable).name}" in text
        assert "end it, or wait" in text
        assert SECRET not in text
        assert "sqlite3" not in text
    OPENERS[opened](tmp_path)


def test_whoever_only_reads_waits_for_nobody(tmp_path: Path) -> None:
    make_table(tmp_path)
    with hold(tmp_path / JOURNAL_FILE, IN_ROLLBACK), hold(tmp_path / TABLE_DATABASE_FILE, IN_ROLLBACK):
        assert JournalReader.open(tmp_path / JOURNAL_FILE).read_head()[0]
        open_read_only(tmp_path / TABLE_DATABASE_FILE, DECKS).close()


def test_who_works_at_the_staff_while_another_holds_it_is_told_so_and_the_log_has_the_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    staff = StaffStore(tmp_path / STAFF_FILE, cost=CHEAP)
    staff.enrol("Ada", Role.TECHNICIAN, "270561", staff.redeem_code(staff.make_one_time_code()))
    staff._db.execute("PRAGMA busy_timeout=50")
    with hold(tmp_path / STAFF_FILE, IN_USE) as other:
        with pytest.raises(AdmissionError, match=r"staff\.sqlite cannot be used \(file-held\)"):
            staff.sign_in("Ada", "270561")
        assert f"process {other}" in caplog.text
        assert SECRET not in caplog.text
    assert staff.sign_in("Ada", "270561").name == "Ada"


def test_a_stranger_who_holds_the_journal_in_wal_mode_lets_a_start_go_on_where_nothing_is_left_to_be_written(
    tmp_path: Path,
) -> None:
    make_table(tmp_path)
    with hold(tmp_path / JOURNAL_FILE, IN_USE) as other:
        journal = Journal(tmp_path / JOURNAL_FILE)
        journal.begin_run("boot", "1")
        with pytest.raises(DatabaseError, match=f"process {other}"):
            journal.merge_tail()
        journal.close()
    again = Journal(tmp_path / JOURNAL_FILE)
    assert again.begin_run("boot", "1"), "the run whose table was never shut"
    again.close()


def test_who_holds_the_directory_is_named(tmp_path: Path) -> None:
    with (
        hold(tmp_path / LOCK_FILE, FLOCK) as other,
        pytest.raises(StartError, match=f"another controller is running .*process {other}.*stop it first"),
        _lock_state_directory(tmp_path),
    ):
        raise AssertionError("two have it")
    with _lock_state_directory(tmp_path):
        pass


def test_whoever_only_waits_and_whoever_has_another_file_is_not_named(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.touch()
    other_device = "ff:ff"
    inode = mine.stat().st_ino
    here = f"{os.major(mine.stat().st_dev):02x}:{os.minor(mine.stat().st_dev):02x}"
    proc = tmp_path / "proc"
    (proc / "71").mkdir(parents=True)
    (proc / "71" / "cmdline").write_bytes(b"/usr/bin/sqlite3\0-cmd\0.open\0")
    (proc / "71" / "comm").write_text("sqlite3\n")
    rows = [
        f"1: POSIX  ADVISORY  WRITE 70 {other_device}:{inode} 0 EOF",
        f"2: POSIX  ADVISORY  READ 72 {here}:{inode} 0 EOF",
        f"3: FLOCK  ADVISORY  WRITE 71 {here}:{inode} 0 EOF",
        f"3: -> FLOCK  ADVISORY  WRITE 73 {here}:{inode} 0 EOF",
        f"4: FLOCK  ADVISORY  WRITE {os.getpid()} {here}:{inode} 0 EOF",
        f"5: FLOCK  ADVISORY  WRITE 0 {here}:{inode} 0 EOF",
        "6: nonsense",
    ]
    (proc / "locks").write_text("\n".join(rows))
    assert describe_holders(mine, proc) == "process 71: sqlite3 …"
    (proc / "locks").write_text(rows[1])
    assert [str(each) for each in find_holders(mine, proc)] == ["process 72"], "whose command line nobody may read"
    (proc / "locks").write_text(rows[0])
    assert describe_holders(mine, proc) == file_holders.UNSEEN_HOLDER_TEXT
    assert describe_holders(tmp_path / "none", proc) == file_holders.UNSEEN_HOLDER_TEXT


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("/usr/bin/sqlite3 {here} -key hunter2", "sqlite3 {here} …"),
        ("/opt/venv/bin/python3 {here}/tablectl journal export --script", "python3 {here}/tablectl journal export …"),
        ("tablectl staff add", "tablectl staff add"),
        ("mount.cifs //server/share hunter2", "mount.cifs …"),
        ("backup http://u:hunter2@127.0.0.1/ PASSWORD=hunter2", "backup …"),
        ("", "kernel-thread"),
        ("/bin/x" + " /" * 200, "x" + " /" * 59 + "…"),
    ],
)
def test_of_a_command_line_no_word_is_told_that_may_be_a_secret(tmp_path: Path, line: str, shown: str) -> None:
    (tmp_path / "tablectl").touch()
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "cmdline").write_bytes(line.format(here=tmp_path).replace(" ", "\0").encode())
    (tmp_path / "7" / "comm").write_text("kernel-thread\n")
    assert file_holders._read_command(7, tmp_path) == shown.format(here=tmp_path)[:120]


def test_a_lock_of_this_program_itself_names_nobody(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    handle = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.fcntl(handle, fcntl.F_SETLK, struct.pack("hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
    assert find_holders(path) == ()
    os.close(handle)
