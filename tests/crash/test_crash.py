"""A short form of the crash campaign; CRASHES says how many kills and faults the long one has (`make crash`)."""

import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crash.cut import cut
from tests.crash.disk import PRELOAD, build

CRASHES = int(os.environ.get("CRASHES", "24"))

pytestmark = [
    pytest.mark.skipif(shutil.which("cc") is None, reason="the disk that fails is written in C, and there is no cc"),
    pytest.mark.timeout(1800 + CRASHES),
]


def campaign(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.crash", *arguments], capture_output=True, text=True, check=False
    )


def test_nothing_acknowledged_is_lost_and_no_table_stands_otherwise_after_a_crash() -> None:
    done = campaign(str(CRASHES), "--seed", "7")
    assert "acknowledged events lost 0, divergences 0, other failures 0" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0
    figures = re.search(r"kills (\d+), write faults and damages (\d+)", done.stdout)
    assert figures is not None
    assert sum(map(int, figures.groups())) >= CRASHES


def test_a_journal_that_does_not_wait_for_the_disk_loses_what_it_has_acknowledged() -> None:
    """The campaign can fail: this is its positive control."""
    done = campaign("16", "--careless", "--seed", "3")
    assert done.returncode == 1
    found = re.search(r"acknowledged events lost (\d+), divergences \d+, other failures (\d+)", done.stdout)
    assert found is not None, done.stderr
    assert sum(map(int, found.groups())) > 0, "neither missed silently nor by a start that said so"


WRITER = """
import os, sys
from pathlib import Path
from tests.crash.disk import Disk, DiskMishap, Step
directory, undo, what, nth, code = Path(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:])
disk = Disk()
disk.watch(directory, undo)
disk.arm(Step(DiskMishap(what), nth, "", code))
file = os.open(directory / "file", os.O_RDWR | os.O_CREAT, 0o600)  # 1
folder = os.open(directory, os.O_RDONLY)
try:
    for step in (
        lambda: os.pwrite(file, b"a" * 1024, 0),  # 2
        lambda: os.fsync(file),  # 3
        lambda: os.fsync(folder),  # 4
        lambda: os.pwrite(file, b"b" * 1024, 512),  # 5
        lambda: os.rename(directory / "file", directory / "other"),  # 6
    ):
        print(step(), flush=True)
except OSError as why:
    print(why.errno, flush=True)
"""


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("disk"))


def run_writer(disk: Path, tmp_path: Path, what: int, nth: int, code: int = 0) -> tuple[list[str], Path, Path]:
    directory, undo = tmp_path / "table", tmp_path / "undo"
    for folder in (directory, undo):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    command = [sys.executable, "-c", WRITER, str(directory), str(undo), str(what), str(nth), str(code)]
    environment = {**os.environ, PRELOAD: str(disk)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert not done.stderr
    return done.stdout.split(), directory, undo


def test_the_disk_fails_once_or_for_good_or_takes_a_part(disk: Path, tmp_path: Path) -> None:
    assert run_writer(disk, tmp_path, 0, 0)[0] == ["1024", "None", "None", "1024", "None"]
    assert run_writer(disk, tmp_path, 4, 3, 28)[0] == ["1024", "28"]
    assert run_writer(disk, tmp_path, 5, 2, 5)[0] == ["5"]
    said, directory, _ = run_writer(disk, tmp_path, 6, 2)
    assert 0 < int(said[0]) < 1024
    assert (directory / "other").exists()


def test_a_kill_comes_before_within_and_after_a_write(disk: Path, tmp_path: Path) -> None:
    found = []
    for what in (1, 2, 3):
        said, directory, _ = run_writer(disk, tmp_path, what, 2)
        assert not said
        found.append((directory / "file").stat().st_size)
    assert found[0] == 0
    assert 0 < found[1] < 1024
    assert found[2] == 1024


def test_a_cut_takes_back_what_was_not_waited_for_and_nothing_else(disk: Path, tmp_path: Path) -> None:
    seen: set[tuple[str, bytes]] = set()
    for seed in range(16):
        _, directory, undo = run_writer(disk, tmp_path, 3, 6)
        cut(directory, undo, random.Random(seed))
        (left,) = directory.iterdir()
        seen.add((left.name, left.read_bytes()))
    assert {name for name, _ in seen} == {"file", "other"}
    contents = {content for _, content in seen}
    assert {b"a" * 1024, b"a" * 512 + b"b" * 1024} <= contents
    assert all(content.startswith(b"a" * 512) for content in contents), "what was waited for has lasted"
    assert len(contents) > 2, "a write may be torn"
