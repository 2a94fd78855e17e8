"""A whole table in the guest of tests/hardware/run: the real command, pins of a real kernel, a reader on a USB port.

The reader is pulled out and put back in mid-hand, the program is ended and killed; the gate is read back from the
kernel's line. The far ends of the wires are at the host, and do what they are asked over `TABLE_HOST`.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serial

from config.table_file import DEMO_FILE
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.storage.sqlite_database import DatabaseError
from drivers.contract.driver_interface import SAMPLE_INTERVAL_S, TagRead
from drivers.contract.driver_registry import build_driver
from drivers.ports.byte_port import open_port

LINES = os.environ.get("GPIO_SIM", "")
READER = os.environ.get("TABLE_READER", "")
SCANNER = os.environ.get("TABLE_SCANNER", "")

pytestmark = [
    pytest.mark.elsewhere,
    pytest.mark.skipif(not READER, reason="needs the guest of tests/hardware/run"),
    pytest.mark.timeout(2400),
]

GATE, START, CARD = 17, 4, 5
PATIENCE = 300.0
"""The guest is emulated, on a machine with other things to do: it has taken two minutes to start the program."""

TABLECTL = [sys.executable, "-X", "faulthandler", "-c", "import sys; from controller.cli import main; sys.exit(main())"]


def wait_until(what: Callable[[], Any], words: str, seconds: float = PATIENCE, told: Callable[[], str] = str) -> Any:  # noqa: ANN401 - whatever it is
    """Wait for something to become true; return it. `told` adds to a failure."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError(f"{words}: not within {seconds:g} s\n{told()}")


def describe_run(running: "Running") -> str:
    """What was entered and said, for a failure, and where the program hangs if it does."""
    if running.process.poll() is None:
        running.end(signal.SIGABRT)
    return "\n".join([*(str(line) for line in running.lines()[1:]), running.read_log()])


def level(line: int) -> bool:
    return Path(f"{LINES}/sim_gpio{line}/value").read_text(encoding="ascii").strip() == "1"


def pull(line: int, up: bool) -> None:
    Path(f"{LINES}/sim_gpio{line}/pull").write_text("pull-up" if up else "pull-down", encoding="ascii")


def bounce(line: int, up: bool) -> None:
    """Move a contact, with all its bouncing."""
    for n in range(11):
        pull(line, up == (n % 2 == 0))
        time.sleep(0.0003)


@pytest.fixture(scope="module")
def host() -> Iterator[Callable[[str], None]]:
    """Ask the host for something, and wait until it is done."""
    with serial.Serial(os.environ["TABLE_HOST"], 115200, timeout=PATIENCE) as port:

        def ask(words: str) -> None:
            port.write(words.encode("ascii") + b"\n")
            assert port.readline() == b"done\n"

        yield ask


class Running:
    """`tablectl run` on this kernel, and what its journal says."""

    def __init__(self, config: Path, state: Path) -> None:
        self._state = state
        self._words = config.with_name(f"words-{time.monotonic_ns()}")
        with self._words.open("wb") as words:
            self.process = subprocess.Popen([*TABLECTL, "run", "--config", str(config), "--port", "0"], stderr=words)

    def read_log(self) -> str:
        """What the program told its log."""
        return self._words.read_text(encoding="utf-8", errors="replace")

    def lines(self) -> list[dict[str, Any]]:
        """Everything entered so far."""
        path = self._state / "journal.sqlite"
        if not path.exists():
            return []
        try:
            archive = JournalReader.open(path)
        except DatabaseError:  # it is being made
            return []
        try:
            return [
                json.loads(entry.script_line)
                for session in archive.list_sessions()
                for entry in archive.read_entries(session)
            ]
        finally:
            archive.close()

    def count(self, **wanted: object) -> int:
        return sum(all(line.get(key) == value for key, value in wanted.items()) for line in self.lines())

    def running(self) -> None:
        """Fail at once where the program has ended by itself."""
        assert self.process.poll() is None, describe_run(self)

    def press(self, line: int, key: str, **wanted: object) -> None:
        """Press a key, with contacts that bounce, until what it enters is entered.

        A key that went down before the panel first looked is told to be stuck: then a person lets go and presses
        again. How long a press must be depends on how fast the guest samples its pins, so it is no fixed time.
        """
        self.running()
        before = self.count(**wanted)
        stuck, free = f"Key '{key}' is stuck", f"Key '{key}' is free again"
        times = self.read_log().count(stuck)
        bounce(line, up=False)
        wait_until(
            lambda: self.count(**wanted) > before or self.read_log().count(stuck) > times,
            f"key {key} is heard",
            told=lambda: describe_run(self),
        )
        bounce(line, up=True)
        if self.count(**wanted) == before:
            wait_until(
                lambda: self.read_log().count(free) > times, f"key {key} is free again", told=lambda: describe_run(self)
            )
            self.press(line, key, **wanted)

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Callable[[], Running]]:
    """Start the table; the same one again when called again."""
    state, config = tmp_path / "state", tmp_path / "table.toml"
    text = DEMO_FILE.read_text(encoding="utf-8")
    text = text.replace('"sim://rdm6300/shoe"', f'"{READER}"').replace('"var/demo"', f'"{state}"')
    text = text.replace('done = { ev = "done" }', 'done = { ev = "card", card = "unread" }')
    config.write_text(text, encoding="utf-8")
    listed = DEMO_FILE.parent / "demo-deck.csv"
    subprocess.run([*TABLECTL, "deck", "import", "demo", str(listed), "--config", str(config)], check=True)
    for line in range(28):
        pull(line, up=line != GATE)
    started: list[Running] = []

    def start() -> Running:
        started.append(Running(config, state))
        return started[-1]

    yield start
    for running in started:
        if running.process.poll() is None:
            running.end(signal.SIGKILL)


def tags() -> Iterator[str]:
    rows = (DEMO_FILE.parent / "demo-deck.csv").read_text(encoding="utf-8").splitlines()[1:]
    return iter([row.partition(",")[0] for row in rows])


def plug_in_reader(host: Callable[[str], None]) -> None:
    """Have the reader plugged in, whatever another test left."""
    host("plug")
    wait_until(Path(READER).exists, "the kernel has found the reader")


def test_reader_pulled_and_put_back_in_mid_hand(table: Callable[[], Running], host: Callable[[str], None]) -> None:
    plug_in_reader(host)
    deck = tags()
    running = table()

    def wait(what: Callable[[], Any], words: str) -> None:
        def find_while_running() -> Any:  # noqa: ANN401 - whatever it is
            running.running()
            return what()

        wait_until(find_while_running, words, told=lambda: describe_run(running))

    wait(running.lines, "the table begins")
    wait(lambda: not level(25), "the lamps' outputs are let on once the chain was written")
    assert not level(GATE), "the gate is locked while nothing is due"

    def deal() -> None:
        before = running.count(ev="card")
        wait(lambda: level(GATE), "the gate opens for a card")
        host(f"present {next(deck)}")
        wait(lambda: running.count(ev="card") == before + 1, "the card is read")
        host("remove")

    running.press(START, "start", ev="start")
    deal()
    deal()
    host("unplug")
    wait(lambda: running.count(ev="device", id="shoe", status="lost"), "the reader is missed")
    wait(lambda: not level(GATE), "and the gate locked")
    running.press(CARD, "done", ev="card", card=None)
    host("plug")
    wait(lambda: running.count(ev="device", id="shoe", status="back"), "the reader is back")
    deal()
    assert running.count(ev="start") == 1
    assert running.count(ev="card") == 4
    assert running.count(ev="card", card=None) == 1, "the key counted once, for all its bouncing"
    wait(lambda: level(GATE), "the next card is due")
    assert running.end(signal.SIGTERM) == 0
    assert not level(GATE), "the gate is left locked"
    assert level(25), "and the lamps are left dark"

    running = table()
    wait(lambda: level(GATE), "after a start in mid-hand the table stands as it stood")
    deal()
    running.end(signal.SIGKILL)
    running = table()
    wait(lambda: running.count(id="fault:power-lost", status="lost"), "after a kill somebody must compare the cards")
    assert running.count(ev="card") == 5
    assert not level(GATE), "and meanwhile none comes"
    assert running.end(signal.SIGTERM) == 0


def test_doctor_on_this_machine(table: Callable[[], Running], host: Callable[[str], None], tmp_path: Path) -> None:
    del table
    plug_in_reader(host)
    command = [*TABLECTL, "doctor", "--config", str(tmp_path / "table.toml")]
    # Whether the line is low before or after the panel's first look is for the machine's speed to decide.
    noticed = ("key fold went down, and nobody should have touched it", "key fold is stuck")

    def run_doctor() -> str:
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as doctor:
            while doctor.poll() is None:
                pull(7, up=False)  # again and again: taking the line sets its resistor anew
                time.sleep(0.1)
            assert doctor.stdout is not None
            said = doctor.stdout.read()
        print(said)  # noqa: T201 - for the record
        assert "pins: rpi-lgpio is installed" in said
        assert f"{READER} is open at 9600 8N1" in said
        return said

    def has_panel_notice() -> bool:
        said = run_doctor()
        return any(f"panel (key_panel): {sentence}" in said for sentence in noticed)

    wait_until(has_panel_notice, "the key that is down is noticed in the seconds for which doctor looks")


def test_scanner_on_a_16550(host: Callable[[str], None]) -> None:
    driver = build_driver("barcode", "shoe", {"length": 6})
    port = open_port(SCANNER, driver)  # type: ignore[arg-type]  # a driver on a port
    try:
        host("scan D07-11")
        read: list[object] = []

        def has_read_code() -> bool:
            read.extend(driver.receive_data(port.read(), time.monotonic()))  # type: ignore[union-attr]  # as above
            time.sleep(SAMPLE_INTERVAL_S)
            return bool(read)

        wait_until(has_read_code, "the code is read")
        assert read == [TagRead("shoe", "D07-11")]
    finally:
        port.close()
