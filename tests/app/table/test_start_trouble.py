"""A start on a full or read-only disk, or beside a stranger's lock: a page says so, and it goes on by itself."""

import errno
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from config.language_file import load_language
from controller.app.table import start_trouble
from controller.app.table.start_trouble import StartTroubleError, report_start_trouble
from controller.runtime.service import systemd_notifier
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import (
    JOURNAL_FILE,
    LOCK_FILE,
    STAFF_FILE,
    TABLE_DATABASE_FILE,
)
from controller.runtime.storage.storage_trouble import StorageTrouble, find_trouble
from controller.web.pages.start_trouble_page import START_TROUBLE_CODES
from controller.web.wording.error_catalogue import load_catalogue
from tests.crash import disk
from tests.runtime.service.test_notify import Manager
from tests.runtime.storage.test_file_holders import IN_WAL, SECRET, hold

PATIENCE_S = 60.0
STARTED = """
import os, signal, sys
from pathlib import Path
from controller.cli import main
if os.environ.get("FAIL_WORD"):
    from tests.crash.disk import Disk, DiskMishap, Step
    disk = Disk()
    disk.watch(Path(os.environ["FAIL_BELOW"]), None)
    code = int(os.environ["FAIL_CODE"])
    disk.arm(Step(DiskMishap.FAIL_FROM_THEN_ON, 1, os.environ["FAIL_WORD"], code))
    signal.signal(signal.SIGUSR1, lambda *_: disk.arm(Step()))
raise SystemExit(main())
"""
"""The command, on a disk that fails on some file until the signal says that it is well."""


@dataclass
class StartedTable:
    """A table that was started, and what is at its port."""

    process: "subprocess.Popen[str]"
    port: int
    log: Path

    def ask(self, path: str, accept: str = "text/html", method: str = "GET", **cookie: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            cookies = "; ".join(f"{name}={value}" for name, value in cookie.items())
            headers = {"Accept": accept} | ({"Cookie": cookies} if cookies else {})
            connection.request(method, path, None, headers)
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()

    def wait_for(self, is_so: Callable[[int, str], bool], path: str = "/") -> str:
        """What the page answers once it is as wanted; fails where the program has ended."""
        last = ""
        for _ in range(int(PATIENCE_S * 10)):
            assert self.process.poll() is None, self.log.read_text()
            try:
                status, last = self.ask(path)
            except OSError:
                status = 0
            if status and is_so(status, last):
                return last
            time.sleep(0.1)
        raise AssertionError(f"it never came to be so: {last}; {self.log.read_text()}")

    def wait_for_trouble(self) -> str:
        return self.wait_for(lambda status, _: status == 503)

    def wait_for_table(self) -> None:
        self.wait_for(lambda status, text: status == 200 and '"mode":"simulation"' in text.replace(" ", ""), "/state")

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)


def find_free_port() -> int:
    """A port that nobody has, and that the kernel gives to nobody: below its ephemeral ones (ip(7))."""
    first = 20_000 + os.getpid() % 10_000
    for port in range(first, first + 2000):
        with socket.socket() as free, suppress(OSError):
            free.bind(("0.0.0.0", port))
            return port
    raise AssertionError("no port is free")


@contextmanager
def start(state: Path, log: Path, *options: str, **environment: str) -> Iterator[StartedTable]:
    port = find_free_port()
    words = [sys.executable, "-c", STARTED, "run", "--simulate", "--paused", "--no-mistakes"]
    words += ["--state", str(state), "--port", str(port), *options]
    with (
        log.open("w") as told,
        subprocess.Popen(words, stderr=told, text=True, env={**os.environ, **environment}) as process,
    ):
        try:
            yield StartedTable(process, port, log)
        finally:
            process.kill()


def play_once(state: Path, log: Path) -> None:
    """Let a table be, so that it has every file."""
    with start(state, log) as started:
        started.wait_for_table()
        assert started.end() == 0


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("cc") is None:
        pytest.skip("the disk is compiled with cc")
    return disk.build(tmp_path_factory.mktemp("disk"))


@pytest.mark.parametrize(
    ("word", "code", "is_new"),
    [
        ("journal.tail", errno.ENOSPC, False),
        (STAFF_FILE, errno.ENOSPC, False),
        (LOCK_FILE, errno.ENOSPC, True),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                ("journal.head", errno.ENOSPC, False),
                *((word, errno.ENOSPC, True) for word in (JOURNAL_FILE, "device.key", TABLE_DATABASE_FILE, STAFF_FILE)),
                ("journal.tail", errno.EROFS, False),
                (TABLE_DATABASE_FILE, errno.EIO, True),
            )
        ),
    ],
)
def test_a_disk_that_fails_at_any_file_has_a_page_that_says_so_and_the_table_goes_on(
    tmp_path: Path, library: Path, word: str, code: int, is_new: bool
) -> None:
    state, log = tmp_path / "state", tmp_path / "log"
    if not is_new:
        play_once(state, log)
    wanted = {errno.ENOSPC: "disk-full", errno.EROFS: "disk-read-only", errno.EIO: "disk-failing"}[code]
    broken = {disk.PRELOAD: str(library), "FAIL_WORD": word, "FAIL_BELOW": str(state), "FAIL_CODE": str(code)}
    with start(state, log, **broken) as started:
        page = started.wait_for_trouble()
        assert load_catalogue()["page", wanted].technician_advice in page
        assert str(state) in page
        assert f'"code":"{wanted}"' in started.ask("/api/v1/health", "*/*")[1]
        started.process.send_signal(signal.SIGUSR1)
        started.wait_for_table()
        assert started.end() == 0
    assert "Traceback" not in log.read_text()
    play_once(state, log)


@contextmanager
def mount(folder: Path, options: str) -> Iterator[Path]:
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("a small disk is mounted by root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


FEW_BYTES, FEW_FILES = "size=2m", "size=8m,nr_inodes=50"


@pytest.mark.parametrize(
    ("options", "left", "is_new"),
    [
        (FEW_BYTES, 0, True),
        (FEW_FILES, None, False),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                *((FEW_BYTES, left, True) for left in (8, 40, 300)),
                *((FEW_BYTES, left, False) for left in (0, 8, 40)),
                (FEW_FILES, None, True),
            )
        ),
    ],
)
def test_a_full_disk_has_a_page_that_says_so_and_the_table_goes_on_when_there_is_room(
    tmp_path: Path, options: str, left: int | None, is_new: bool
) -> None:
    with mount(tmp_path / "small", options) as small:
        if not is_new:
            play_once(small / "state", tmp_path / "log")
        fill = small / "fill"
        fill.mkdir()
        with suppress(OSError):
            for number in range(1000 if left is None else 0):
                (fill / str(number)).touch()
            with (fill / "0").open("wb", buffering=0) as file:
                while left is not None and file.write(bytes(1024)):
                    pass
        if left:
            os.truncate(fill / "0", (fill / "0").stat().st_size - left * 1024)
        with start(small / "state", tmp_path / "log") as started:
            page = started.wait_for_trouble()
            assert "No room is left" in page
            assert "disk is full" in page
            shutil.rmtree(fill)
            started.wait_for_table()
            assert started.end() == 0


def test_a_disk_that_is_mounted_to_be_read_has_a_page_that_says_so(tmp_path: Path) -> None:
    with mount(tmp_path / "small", "size=8m") as small:
        play_once(small / "state", tmp_path / "log")
        subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
        with start(small / "state", tmp_path / "log") as started:
            assert "can only be read" in started.wait_for_trouble()
            german = started.ask("/", language="de")[1]
            assert load_language("de").translate("The table's disk can only be read.") in german
            assert '<html lang="de">' in german
            spanish = started.ask("/technician", language="es")[1]
            assert "monte" in spanish or "móntelo" in spanish
            subprocess.run(["mount", "-o", "remount,rw", str(small)], check=True)
            started.wait_for_table()
            assert started.end() == 0


def test_a_stranger_who_holds_the_journal_is_named_on_the_tables_own_screen_and_it_goes_on_without_him(
    tmp_path: Path,
) -> None:
    state = tmp_path / "state"
    play_once(state, tmp_path / "log")
    began = time.monotonic()
    with hold(state / JOURNAL_FILE, IN_WAL) as stranger, start(state, tmp_path / "log") as started:
        page = started.wait_for_trouble()
        assert time.monotonic() - began < 20
        assert f"process {stranger}" in page
        assert SECRET not in page
        time.sleep(2 * start_trouble.MIN_WAIT_S)
        assert f"process {stranger}" in started.wait_for_trouble(), "and it waits"
        assert "started again" not in started.log.read_text(), "without a try that can only fail"
        assert started.end() == 0, "it can be ended while it waits"
    play_once(state, tmp_path / "log")


def test_a_service_manager_hears_that_it_waits_and_is_fed(tmp_path: Path) -> None:
    manager = Manager(str(tmp_path / "notify"))
    state = tmp_path / "state"
    play_once(state, tmp_path / "log")
    with (
        hold(state / JOURNAL_FILE, IN_WAL),
        start(state, tmp_path / "log", NOTIFY_SOCKET=str(tmp_path / "notify"), WATCHDOG_USEC="4000000") as started,
    ):
        started.wait_for_trouble()
        time.sleep(4.0)
        heard = manager.read_lines()
        assert heard.count("WATCHDOG=1") > 1
        assert systemd_notifier.READY in heard
        assert any(line.startswith("STATUS=cannot start: ") and JOURNAL_FILE in line for line in heard)
        assert systemd_notifier.STOPPING not in heard, "else it would be killed while it waits"
        assert started.end() == 0
        assert manager.read_lines()[-1] == systemd_notifier.STOPPING
    manager.end.close()


def test_every_trouble_has_its_code_and_its_texts() -> None:
    assert {code.value for code in START_TROUBLE_CODES} == {trouble.value for trouble in StorageTrouble}
    for code in START_TROUBLE_CODES:
        assert load_catalogue()["page", code.value].technician_advice
        for name in ("de", "es"):
            texts = load_catalogue()["page", code.value].texts
            assert all(load_language(name).translate(text) != text for text in texts)


@pytest.mark.parametrize(
    "error",
    [
        PermissionError(errno.EACCES, "Permission denied"),
        FileNotFoundError(errno.ENOENT, "none"),
        DatabaseError("damaged"),
    ],
)
def test_what_will_not_pass_is_no_trouble_that_is_waited_out(tmp_path: Path, error: Exception) -> None:
    assert find_trouble(error, tmp_path) is None
    with pytest.raises(type(error)), report_start_trouble(tmp_path):
        raise error


def test_the_cause_is_found_behind_an_error_that_hides_it(tmp_path: Path) -> None:
    def fail() -> None:
        try:
            raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "snapshot"))
        except OSError:
            raise DatabaseError("it did not work") from None

    with pytest.raises(StartTroubleError) as why, report_start_trouble(tmp_path):
        fail()
    assert why.value.trouble is StorageTrouble.FULL
    assert str(why.value).startswith(f"{tmp_path}: the disk is full")
