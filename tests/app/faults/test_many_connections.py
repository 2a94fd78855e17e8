"""Whoever may connect to the page may connect as often as they like: the table deals on, and the page comes back."""

import http.client
import resource
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from config.table_file import DEMO_FILE
from controller.runtime.journal.journal_reader import JournalReader
from controller.web.serving.listener import MIN_CONNECTIONS, PageError, compute_max_connections
from tests.app.table.test_process import port_of

FILES = 150
"""How many files the table may open: it needs some forty itself."""

BURST = 400
ENTRIES = 10
"""So many more are seen each time that the table plays on."""

PATIENCE = 120.0

LIMITED = (
    "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({0}, {0})); "
    "from controller.cli import main; raise SystemExit(main())"
)


@contextmanager
def limited_table(directory: Path, *, tls: bool) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A simulated table that plays by itself, as fast as it can, and may open few files."""
    text = DEMO_FILE.read_text().replace('"demo-deck.csv"', f'"{DEMO_FILE.parent / "demo-deck.csv"}"')
    text = text.replace("speed = 1\n", "speed = 20\n")
    if tls:
        from tests.web.test_tls import certificate

        certificate(directory)
        text = text.replace("[page]", '[page]\ncertificate = "page.pem"\nkey = "page.key"')
    file = directory / "table.toml"
    file.write_text(text)
    command = (sys.executable, "-c", LIMITED.format(FILES), "run", "--simulate", "--port", "0")
    where = ("--config", str(file), "--state", str(directory / "state"))
    process = subprocess.Popen((*command, *where), stderr=subprocess.PIPE, text=True, bufsize=1)
    try:
        yield process, port_of(process)
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()


def entries(directory: Path) -> int:
    journal = JournalReader.open(directory / "state" / "journal.sqlite")
    try:
        return journal.last_entry_number
    finally:
        journal.close()


def plays_on(directory: Path, process: "subprocess.Popen[str]") -> None:
    """See that the table takes a whole hand's entries."""
    wanted, ends = entries(directory) + ENTRIES, time.monotonic() + PATIENCE
    while entries(directory) < wanted:
        assert process.poll() is None, "the table has ended"
        assert time.monotonic() < ends, "the table stands still"
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)


def status(port: int, *, tls: bool) -> int:
    """Ask for the page, as often as it takes until the silent ones are gone."""
    context = ssl._create_unverified_context()
    ends = time.monotonic() + PATIENCE
    while True:
        page = (
            http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=context)
            if tls
            else http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        )
        try:
            page.request("GET", "/state")
            return page.getresponse().status
        except (OSError, http.client.HTTPException):
            assert time.monotonic() < ends, "the page did not come back"
        finally:
            page.close()


@pytest.mark.parametrize(
    "tls",
    [
        False,
        pytest.param(True, marks=pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate")),
    ],
    ids=["plain", "TLS"],
)
def test_more_connections_than_files_leave_the_table_dealing(tmp_path: Path, *, tls: bool) -> None:
    with limited_table(tmp_path, tls=tls) as (process, port):
        with ExitStack() as silent:
            for number in range(BURST):
                one = silent.enter_context(socket.socket())
                one.setblocking(False)
                one.bind((f"127.0.0.{2 + number % 100}", 0))
                one.connect_ex(("127.0.0.1", port))
            plays_on(tmp_path, process)
        assert status(port, tls=tls) == 200
        plays_on(tmp_path, process)


def test_a_process_that_may_open_too_few_files_is_told_how_many() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, before[1]))
        with pytest.raises(PageError, match=r"may open 40 files and needs .*LimitNOFILE"):
            compute_max_connections()
        resource.setrlimit(resource.RLIMIT_NOFILE, (1000, before[1]))
        assert compute_max_connections() > MIN_CONNECTIONS
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
