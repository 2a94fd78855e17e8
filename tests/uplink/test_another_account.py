"""The journal as another account reads it: the house lets in a group, and that reads the journal alone."""

import os
import pwd
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.runtime.journal.journal import Journal
from controller.runtime.storage.state_directory import JOURNAL_FILE

READ = """
import sys
from pathlib import Path
from controller.uplink.uplink_outbox import UplinkOutbox
outbox = UplinkOutbox(Path(sys.argv[1]))
reach = outbox.read_position()
head, number = None, 0
while (batch := outbox.read_batch_after(head, reach.last_record)) is not None:
    from controller.room_contract.batch import Head
    head = Head(batch.journal, batch.records[-1].number, batch.records[-1].chain)
    number += len(batch.records)
closed = []
for path in Path(sys.argv[1]).iterdir():
    try:
        path.read_bytes()
    except PermissionError:
        closed.append(path.name)
print(reach.last_record, number, *sorted(closed))
"""


@pytest.fixture
def state() -> Iterator[Path]:
    with TemporaryDirectory(prefix="state-") as folder:
        before = os.umask(0o077)
        yield Path(folder)
        os.umask(before)


def journal_in(state: Path) -> Journal:
    journal = Journal(state / JOURNAL_FILE)
    journal.begin_run("boot", "1")
    journal.begin_session({"mode": "live"})
    journal.finish_hand()
    assert journal.rotate()
    journal.append_note("call", {"wanted": True, "by": ""})
    return journal


def modes(state: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in state.iterdir() if path.suffix != ".pub"}


def test_the_journal_is_the_tables_own_unless_the_house_lets_a_group_in(state: Path) -> None:
    state.chmod(0o750)
    journal_in(state).close()
    assert set(modes(state).values()) == {0o600}
    state.chmod(0o2750)
    journal = Journal(state / JOURNAL_FILE)
    found = modes(state)
    shared = {name for name, mode in found.items() if mode == 0o640}
    assert {"journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", "journal-1.sqlite", "journal.tail"} == shared
    assert {mode for name, mode in found.items() if name not in shared} == {0o600}
    journal.close()
    state.chmod(0o700)
    Journal(state / JOURNAL_FILE).close()
    assert set(modes(state).values()) == {0o600}, "and it is taken back"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can read as another account")
def test_another_account_of_the_group_reads_the_journal_in_use_and_nothing_else(state: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    os.chown(state, -1, nobody.pw_gid)
    state.chmod(0o2750)
    journal = journal_in(state)
    done = subprocess.run(
        ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups",
         sys.executable, "-B", "-c", READ, str(state)],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-800:]
    last, number, *closed = done.stdout.split()
    assert int(last) == int(number) == journal.read_head()[0]
    assert set(closed) >= {"device.key", "journal.head", "journal.head-copy"}
    assert not [name for name in closed if name.startswith("journal") and not name.startswith("journal.head")]
    journal.close()
