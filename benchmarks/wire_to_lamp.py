"""From the last byte of a card on the wire to the lamp of the next seat, with the journal on the disk in between.

The floor beside it, in the same run and in turns with it: the same byte over the same kind of pseudo-terminal, read by
the same port code, one SQLite commit with the journal's own settings, and a byte back. What is above the floor is ours:
the driver, the translator, the core, the queue, and the bits shifted to the lamps.

    python -m benchmarks.wire_to_lamp [CARDS]
"""

import os
import pty
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
import tty
from pathlib import Path

from config.table_file import DEMO, TableFile, load_table
from controller.app.table.build_devices import Devices, build_devices, make_device_map
from controller.app.table.session import take_up
from controller.core.protocol.events import (
    Act,
    Done,
    Event,
    Start,
)
from controller.core.protocol.steps import Act as ActStep
from controller.core.protocol.vocabulary import Do
from controller.runtime.devices.decklists import read_list
from controller.runtime.devices.decks import Deck
from controller.runtime.devices.health import Health
from controller.runtime.devices.readers import PinSampler, PortReader
from controller.runtime.journal.database import open_database
from controller.runtime.journal.journal import Journal
from controller.runtime.loop import inbox
from controller.runtime.loop.loop import Loop
from controller.runtime.loop.standing import SIMULATION, Standing
from controller.web.serving.hub import Hub
from drivers.ports.open_port import open_port
from drivers.readers.rdm6300 import Rdm6300
from drivers.sim.readers.rdm6300 import frame_of

CARDS_A_DEAL = 11
"""Of the twelve cards to six players, those after which another seat's card lamp lights."""

BLOCK = 55
"""Cards between two blocks of the floor."""


class LampWire:
    """Pins that cost nothing; a latched lamp chain answers on the terminal, once for each card."""

    def __init__(self, latch_pin: int, answer: int) -> None:
        self._latch_pin = latch_pin
        self._answer = answer
        self.armed = False

    def setup_input(self, pin: int, pull_up: bool) -> None:
        """Do nothing."""

    def setup_output(self, pin: int, level: bool) -> None:
        """Do nothing."""

    def read(self, pin: int) -> bool:
        """Return the level of a key that nobody presses."""
        del pin
        return True

    def write(self, pin: int, level: bool) -> None:
        """Notice the latch."""
        if pin == self._latch_pin and level and self.armed:
            self.armed = False
            os.write(self._answer, b"L")

    def close(self) -> None:
        """Do nothing."""


class Floor:
    """Byte in, one durable commit, byte out."""

    def __init__(self, directory: Path) -> None:
        self.near, self.far = pty.openpty()
        tty.setraw(self.near)
        self._port = open_port(os.ttyname(self.far), Rdm6300("floor", model="id-12la"))
        self._db = open_database(directory / "floor.sqlite", 1, ("CREATE TABLE entry (line TEXT NOT NULL) STRICT",))
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._ending = False
        self._thread.start()

    def once(self) -> float:
        """Return the seconds of one echo."""
        begun = time.perf_counter()
        os.write(self.near, b"x")
        os.read(self.near, 1)
        return time.perf_counter() - begun

    def end(self) -> None:
        """Stop."""
        self._ending = True
        self._thread.join()
        self._port.close()
        self._db.close()

    def _run(self) -> None:
        while not self._ending:
            if self._port.read():
                self._db.execute("BEGIN IMMEDIATE")
                self._db.execute('INSERT INTO entry VALUES (\'{"ev":"card","card":"As","t":12.345}\')')
                self._db.execute("COMMIT")
                self._port.write(b"x")


RAISED = 50 * inbox.BYTES_A_SECOND


class LiveTable:
    """The demo table's devices and loop, with its reader on a pseudo-terminal."""

    def __init__(self, directory: Path) -> None:
        # Cards come as fast as the table takes them, which no shoe does: what one device may say is raised as much.
        inbox.BYTES_A_SECOND, inbox.BURST = RAISED, RAISED
        self.near, self.far = pty.openpty()
        tty.setraw(self.near)
        file = load_table(DEMO)
        self.deck = _deck(file)
        self._tags = [tag for tag, _ in sorted(self.deck.cards.items(), key=lambda pair: pair[1])]
        built = build_devices(file)
        reader = Rdm6300("shoe", model="id-12la")
        devices = Devices({"shoe": reader}, built.pin_drivers, {"shoe": os.ttyname(self.far)})
        latch = file.devices["lamps"].keys["latch_pin"]
        self.pins = LampWire(latch if isinstance(latch, int) else 0, self.far)
        self.journal = Journal(directory / "journal.sqlite")
        self.journal.begin_run("benchmark", "benchmark")
        edge = make_device_map(file, devices, self.pins, self.deck)
        health = Health({"shoe": "rdm6300"}, dict.fromkeys(devices.pin_drivers, "pins"))
        self.loop = Loop(take_up(self.journal, file, SIMULATION), self.journal, edge, health, mode=SIMULATION)
        self.loop.subscribe(Hub({}).publish)
        self.loop.subscribe(self._see)
        self._seen = threading.Condition()
        self._entry = 0
        self._next = 0
        self.loop.start()
        self._threads: list[PortReader | PinSampler] = [
            PortReader("shoe", os.ttyname(self.far), reader, self.loop.put, self.loop.clock),
            PinSampler(
                tuple(driver for name, driver in devices.pin_drivers.items() if name != "lamps"),
                self.pins,
                self.loop.put,
                self.loop.clock,
                self.loop.pins_lock,
            ),
        ]
        self._runner = threading.Thread(target=self.loop.run, daemon=True)
        self._runner.start()
        for thread in self._threads:
            thread.start()
        time.sleep(0.3)

    def card(self) -> float:
        """Let one card pass; return the seconds from its last byte to the lamp."""
        frame = frame_of(self._tags[self._next % len(self._tags)], newline=True)
        self._next += 1
        os.write(self.near, frame[:-1])
        time.sleep(0.002)
        self.pins.armed = True
        entry = self._entry
        begun = time.perf_counter()
        os.write(self.near, frame[-1:])
        os.read(self.near, 1)
        spent = time.perf_counter() - begun
        self._wait_for(entry + 1)
        return spent

    def deal(self) -> list[float]:
        """Deal a hand to six players, fold it round, and be ready for the next; return the time of each card."""
        self._enter(Start())
        times = [self.card() for _ in range(CARDS_A_DEAL)]
        self.pins.armed = False
        self.card_unmeasured()
        while self.loop.outcome.plan and isinstance(step := self.loop.outcome.plan[0], ActStep):
            self._enter(Act(step.seat, Do.FOLD))
        while self.loop.outcome.plan:
            self._enter(Done())
        return times

    def card_unmeasured(self) -> None:
        """Let the last card of the deal pass."""
        entry = self._entry
        os.write(self.near, frame_of(self._tags[self._next % len(self._tags)], newline=True))
        self._next += 1
        self._wait_for(entry + 1)

    def end(self) -> None:
        """Stop."""
        self.loop.stop("done")
        self._runner.join()
        for thread in self._threads:
            thread.end()
            thread.join()
        self.journal.close()

    def _see(self, standing: Standing) -> None:
        with self._seen:
            self._entry = standing.entry
            self._seen.notify_all()

    def _enter(self, event: Event) -> None:
        entry = self._entry
        self.loop.enter(event, "benchmark")
        self._wait_for(entry + 1)

    def _wait_for(self, entry: int) -> None:
        with self._seen:
            if not self._seen.wait_for(lambda: self._entry >= entry, 5):
                raise TimeoutError("the table did not notice")


def _deck(file: TableFile) -> Deck:
    listed = file.simulation.deck_list
    assert listed is not None
    return read_list("demo", listed.read_text(encoding="utf-8"))


def measure(cards: int, directory: Path) -> tuple[list[float], list[float], float]:
    """Return the seconds of the floor and of the table, for about `cards` cards each, and the bytes given a hand."""
    floor, table = Floor(directory), LiveTable(directory)
    below: list[float] = []
    ours: list[float] = []
    written: list[int] = []
    try:
        table.deal()
        for _ in range(20):
            floor.once()
        while len(ours) < cards:
            block: list[float] = []
            while len(block) < BLOCK:
                before = given()
                block += table.deal()
                written.append(given() - before)
            ours += block
            for _ in block:
                time.sleep(0.002)
                below.append(floor.once())
    finally:
        table.end()
        floor.end()
    return below, ours, statistics.median(written)


def given() -> int:
    """Return the bytes that this process has handed to write(2) so far."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar:"))


def main(cards: int = 1500) -> dict[str, float]:
    """Print p50, p99 and the ratios; return those to the floor, and the kilobytes given a hand."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as directory:
        below, ours, written = measure(cards, Path(directory))
    print(f"card byte in to lamp out, durable journal, {len(ours)} cards, SQLite {sqlite3.sqlite_version}")
    for name, times in (("floor", below), ("table", ours)):
        print(f"  {name}: p50 {_at(times, 50):6.2f} ms  p99 {_at(times, 99):6.2f} ms")
    ratios = ", ".join(f"p{p} {_at(ours, p) / _at(below, p):.2f}" for p in (50, 99))
    print(f"  table / floor: {ratios} (aim: 2 at p99)")
    print(f"  given to the file system: {written / 1000:.1f} kB a hand")
    ratio = {f"lamp-p{percent}": _at(ours, percent) / _at(below, percent) for percent in (50, 99)}
    return {**ratio, "kilobytes-a-hand": written / 1000}


def _at(times: list[float], percent: int) -> float:
    return 1000 * statistics.quantiles(times, n=100)[percent - 1]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1500)
