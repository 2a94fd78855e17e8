"""From the last byte of a card on the wire to the lamp of the next seat, with the journal on the disk in between.

The floor beside it, in the same run and in turns with it: the same byte over the same kind of pseudo-terminal, read by
the same port code, one durable commit, and a byte back. There are two: `floor` waits for the disk exactly as the
journal does, `sqlite` by a commit of SQLite with the settings of all databases of a table. What is above the floor is
ours: the queue, the driver, the translator, the record made and sealed, the core, the bits shifted to the lamps. Clocks
on the wall measure the disk and whoever else uses the machine, so they are printed and compared with nothing.

What counts is the processor time of the whole table, from the first byte of a card to the lamp, over a loop of plain
Python that another process runs as rarely as cards come. Both find their code and data gone from the caches.

The table, each floor and the far ends of the wires are processes of their own, as at a table, where the far end is
a reader and a chain of lamps: nobody waits for another's interpreter.

    python -m benchmarks.lamp_latency [CARDS]
"""

import os
import pty
import select
import sqlite3
import statistics
import struct
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.event_cost import measure_yardstick_us
from config.table_file import DEMO_FILE, TableFile, load_table_file
from controller.app.table.session_start import resume_or_begin
from controller.app.table.table_devices import TableDevices, build_devices, make_device_map
from controller.core.protocol.events import Event, HandStarted, PlayerActed, StepConfirmed
from controller.core.protocol.steps import ActStep
from controller.core.protocol.vocabulary import ActionType
from controller.runtime.devices.deck_list_formats import parse_deck_list
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.device_threads import PinSampler, PortReader
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.chain import ORIGIN, make_record
from controller.runtime.journal.write_ahead_log import GROWTH_STEP_BYTES, WriteAheadLog
from controller.runtime.loop import inbox
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import SIMULATION, TableView
from controller.runtime.storage.sqlite_database import open_database
from controller.web.publishing.page_state_hub import PageStateHub
from drivers.ports.byte_port import open_port
from drivers.readers.rdm6300 import Rdm6300
from drivers.simulators.readers.rdm6300_simulator import build_frame

TIMED_CARDS_PER_HAND = 11
"""Of the twelve cards to six players, those after which another seat's card lamp lights."""

CARDS_PER_BLOCK = 55
"""Cards between two blocks of the floors."""

CARD_INTERVAL_S = 0.004
"""Seconds between two cards: enough for what the table does when the lamp is lit."""

IDLE_S = 0.2
"""How long the table is watched at rest before each block of cards."""

PERCENTILES = (10, 50, 95, 99)
"""The first of them is what it takes while nobody else wants processor or disk."""

RAISED_BYTES_PER_S = 50 * inbox.MAX_SOURCE_BYTES_PER_S

RECORD_BODY = '{"entry":1,"session":1,"run":1,"source":"shoe","line":{"ev":"card"},"rest":"%s"}' % ("x" * 270)
"""As long as the body of a card."""


CLOCK = struct.Struct("<Q")
"""Processor time of a process, in nanoseconds, as it travels over a wire."""


class LampChainPins:
    """Pins that cost nothing; a latched lamp chain answers on the terminal."""

    def __init__(self, latch_pin: int, answer: int) -> None:
        self._latch_pin = latch_pin
        self._answer_fd = answer

    def setup_input(self, pin: int, pull_up: bool) -> None:
        """Do nothing."""

    def setup_output(self, pin: int, level: bool) -> None:
        """Do nothing."""

    def read(self, pin: int) -> bool:
        """Return the level of a key that nobody presses."""
        del pin
        return True

    def write(self, pin: int, level: bool) -> None:
        """Answer the latch with the processor time that the process has had."""
        if pin == self._latch_pin and level:
            os.write(self._answer_fd, CLOCK.pack(time.process_time_ns()))

    def close(self) -> None:
        """Do nothing."""


def run_baseline(far: str, directory: str, orders: Connection, *, by_sqlite: bool) -> None:
    """The process of a floor: byte in, one durable commit, byte out."""
    port = open_port(far, Rdm6300("floor", model="id-12la"))
    commit = _make_sqlite_commit(Path(directory)) if by_sqlite else _make_journal_commit(Path(directory))
    orders.send(None)
    while not orders.poll():
        if port.read():
            commit()
            port.write(b"x")


def run_yardstick(far: str, directory: str, orders: Connection) -> None:
    """The process of the yardstick: byte in, the loop of plain Python, the processor time of its process out."""
    del directory
    port = open_port(far, Rdm6300("yardstick", model="id-12la"))
    orders.send(None)
    while not orders.poll():
        if port.read():
            measure_yardstick_us()
            port.write(CLOCK.pack(time.process_time_ns()))


def _make_sqlite_commit(directory: Path) -> Callable[[], None]:
    db = open_database(directory / "floor.sqlite", 1, ("CREATE TABLE entry (line TEXT NOT NULL) STRICT",))

    def commit() -> None:
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO entry VALUES (?)", (RECORD_BODY,))
        db.execute("COMMIT")

    return commit


def _make_journal_commit(directory: Path) -> Callable[[], None]:
    tail, record = WriteAheadLog(directory / "floor.tail"), make_record(1, "entry", RECORD_BODY, ORIGIN)
    tail.open()

    def commit() -> None:
        tail.append([record])
        if tail.used_bytes > GROWTH_STEP_BYTES - 1000:
            tail.reset()

    return commit


class Peer:
    """The near side of a wire, with whatever process is behind it."""

    def __init__(self, process: Callable[..., None], directory: Path, **wanted: bool) -> None:
        self.near_fd, far = pty.openpty()
        tty.setraw(self.near_fd)
        self.command_pipe, theirs = get_context("spawn").Pipe()
        arguments = (os.ttyname(far), str(directory), theirs)
        self._process = get_context("spawn").Process(target=process, args=arguments, kwargs=wanted, daemon=True)
        self._process.start()
        self.tags = self.command_pipe.recv()
        pid = self._process.pid
        assert pid is not None
        self._clock = (~pid << 3) | 2  # its processor time, as clock_getcpuclockid(3) makes it
        self.processor_ns = 0

    def measure_answer_s(self, sent: bytes) -> float:
        """Send the last of what is sent, and return the seconds until an answer comes back."""
        while select.select([self.near_fd], [], [], 0)[0]:
            os.read(self.near_fd, 4096)
        begun = time.perf_counter()
        os.write(self.near_fd, sent)
        answer = os.read(self.near_fd, CLOCK.size)
        took = time.perf_counter() - begun
        if len(answer) == CLOCK.size:
            self.processor_ns = CLOCK.unpack(answer)[0]
        return took

    def read_clock(self) -> int:
        """Return the nanoseconds of processor time that the process has had."""
        return time.clock_gettime_ns(self._clock)

    def send_command(self, what: str) -> int:
        """Have the process do something, and return what it says."""
        self.command_pipe.send(what)
        answer: int = self.command_pipe.recv()
        return answer

    def end(self) -> None:
        """Stop."""
        self.command_pipe.send("end")
        self._process.join(10)


class BenchmarkTable:
    """The demo table's devices and loop, with its reader on a pseudo-terminal."""

    def __init__(self, far: str, directory: Path) -> None:
        # Cards come as fast as the table takes them, which no shoe does: what one device may say is raised as much.
        inbox.MAX_SOURCE_BYTES_PER_S, inbox.MAX_BURST_BYTES = RAISED_BYTES_PER_S, RAISED_BYTES_PER_S
        file = load_table_file(DEMO_FILE)
        self.deck = _load_deck(file)
        built = build_devices(file)
        reader = Rdm6300("shoe", model="id-12la")
        devices = TableDevices({"shoe": reader}, built.pin_drivers, {"shoe": far})
        latch = file.devices["lamps"].driver_keys["latch_pin"]
        pins = LampChainPins(latch if isinstance(latch, int) else 0, os.open(far, os.O_WRONLY | os.O_NOCTTY))
        self.journal = Journal(directory / "journal.sqlite")
        self.journal.begin_run("benchmark", "benchmark")
        edge = make_device_map(file, devices, pins, self.deck)
        health = DeviceMonitor({"shoe": "rdm6300"}, dict.fromkeys(devices.pin_drivers, "pins"))
        self.loop = TableLoop(
            resume_or_begin(self.journal, file, SIMULATION), self.journal, edge, health, mode=SIMULATION
        )
        self.loop.subscribe(PageStateHub({}).publish)
        self.loop.subscribe(self._on_view_published)
        self._view_condition = threading.Condition()
        self._shown_entry = 0
        self.loop.start()
        self._threads: list[PortReader | PinSampler] = [
            PortReader("shoe", far, reader, self.loop.put, self.loop.clock),
            PinSampler(
                tuple(driver for name, driver in devices.pin_drivers.items() if name != "lamps"),
                pins,
                self.loop.put,
                self.loop.clock,
                self.loop.pins_lock,
            ),
        ]
        self._loop_thread = threading.Thread(target=self.loop.run, daemon=True)
        self._loop_thread.start()
        for thread in self._threads:
            thread.start()
        time.sleep(0.3)

    def start_hand(self) -> None:
        """Begin a hand of six players."""
        self.enter(HandStarted())

    def end_hand(self) -> None:
        """Fold it round, once all have their cards, and be ready for the next."""
        while not self.loop.outcome.plan or not isinstance(self.loop.outcome.plan[0], ActStep):
            time.sleep(0.001)
        while self.loop.outcome.plan and isinstance(step := self.loop.outcome.plan[0], ActStep):
            self.enter(PlayerActed(step.seat, ActionType.FOLD))
        while self.loop.outcome.plan:
            self.enter(StepConfirmed())

    def end(self) -> None:
        """Stop."""
        self.loop.stop("done")
        self._loop_thread.join()
        for thread in self._threads:
            thread.stop()
            thread.join()
        self.journal.end_run("done")
        self.journal.close()

    def enter(self, event: Event) -> None:
        """Enter something, and wait until it is shown."""
        entry = self._shown_entry
        self.loop.submit_entry(event, "benchmark")
        with self._view_condition:
            if not self._view_condition.wait_for(lambda: self._shown_entry > entry, 5):
                raise TimeoutError("the table did not notice")

    def _on_view_published(self, standing: TableView) -> None:
        with self._view_condition:
            self._shown_entry = standing.entry
            self._view_condition.notify_all()


def serve_table(far: str, directory: str, orders: Connection) -> None:
    """The process of the table: it starts and finishes a hand, and counts the bytes that it wrote."""
    table = BenchmarkTable(far, Path(directory))
    orders.send([tag for tag, _ in sorted(table.deck.card_by_tag.items(), key=lambda pair: pair[1])])
    deeds = {"start": table.start_hand, "finish": table.end_hand, "close": table.end}
    while (order := orders.recv()) != "end":
        if order in deeds:
            deeds[order]()
        orders.send(count_written_bytes())


class Dealer:
    """Deals hands to the table at the far end."""

    def __init__(self, table: Peer) -> None:
        self._table = table
        self._tag_index = 0
        self.processor: list[float] = []
        self._idle = 0.0

    def rest(self) -> None:
        """Measure what the table takes of a processor while no card comes; a card's own time is without it.

        On a busy machine the same card is longer on its way, and more ticks of the table fall into it.
        """
        begun, wall = self._table.read_clock(), time.perf_counter()
        time.sleep(IDLE_S)
        self._idle = (self._table.read_clock() - begun) / 1e9 / (time.perf_counter() - wall)

    def deal_hand(self) -> list[float]:
        """Deal a hand to six players, have it folded round; return the time of each card that lights a lamp."""
        self._table.send_command("start")
        times = [self._time_card() for _ in range(TIMED_CARDS_PER_HAND)]
        time.sleep(CARD_INTERVAL_S)
        os.write(self._table.near_fd, self._make_next_frame())
        self._table.send_command("finish")
        return times

    def _time_card(self) -> float:
        """Let one card pass; return the seconds from its last byte to the lamp."""
        time.sleep(CARD_INTERVAL_S)
        frame = self._make_next_frame()
        begun, wall = self._table.read_clock(), time.perf_counter()
        os.write(self._table.near_fd, frame[:-1])
        time.sleep(CARD_INTERVAL_S / 2)
        took = self._table.measure_answer_s(frame[-1:])
        waited = time.perf_counter() - wall
        self.processor.append((self._table.processor_ns - begun) / 1e9 - waited * self._idle)
        return took

    def _make_next_frame(self) -> bytes:
        self._tag_index += 1
        return build_frame(self._table.tags[self._tag_index % len(self._table.tags)], newline=True)


def _load_deck(file: TableFile) -> Deck:
    listed = file.simulation.deck_list
    assert listed is not None
    return parse_deck_list("demo", listed.read_text(encoding="utf-8"))


def measure(cards: int, directory: Path) -> tuple[dict[str, list[float]], float]:
    """Return seconds, about `cards` of each, and the bytes given to files a hand.

    `table` and the floors are of the wall; `processor` and `yardstick` are processor time.
    """
    table = Peer(serve_table, directory)
    floors = {
        "floor": Peer(run_baseline, directory, by_sqlite=False),
        "sqlite": Peer(run_baseline, directory, by_sqlite=True),
    }
    plain = Peer(run_yardstick, directory)
    dealer, hands = Dealer(table), 0
    times: dict[str, list[float]] = {"table": [], **{name: [] for name in floors}, "yardstick": []}
    try:
        dealer.deal_hand()
        for floor in floors.values():
            for _ in range(20):
                floor.measure_answer_s(b"x")
        begun = table.send_command("given")
        while len(times["table"]) < cards:
            dealer.rest()
            for _ in range(CARDS_PER_BLOCK // TIMED_CARDS_PER_HAND):
                times["table"] += dealer.deal_hand()
                hands += 1
            for name, floor in floors.items():
                for _ in range(CARDS_PER_BLOCK):
                    time.sleep(CARD_INTERVAL_S / 2)
                    times[name].append(floor.measure_answer_s(b"x"))
            for _ in range(CARDS_PER_BLOCK):
                time.sleep(CARD_INTERVAL_S)
                before = plain.read_clock()
                plain.measure_answer_s(b"x")
                times["yardstick"].append((plain.processor_ns - before) / 1e9)
        written = (table.send_command("close") - begun) / hands
    finally:
        for each in (table, plain, *floors.values()):
            each.end()
    return {**times, "processor": dealer.processor}, written


def count_written_bytes() -> int:
    """Return the bytes that this process has handed to write(2) so far."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar:"))


def main(cards: int = 1500) -> dict[str, float]:
    """Print p50, p95, p99 and the ratios; return the processor time of a card, and the kilobytes given a hand."""
    scratch = Path("build")  # on the disk of the checkout: the memory that /tmp often is has no commit to wait for
    scratch.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=scratch) as directory:
        times, written = measure(cards, Path(directory))
    print(f"card byte in to lamp out, durable journal, {len(times['table'])} cards, SQLite {sqlite3.sqlite_version}")
    for name, each in times.items():
        print(
            f"  {name:6}: "
            + "  ".join(f"p{percent} {_compute_percentile_ms(each, percent):6.2f} ms" for percent in PERCENTILES)
        )
    processor = _compute_percentile_ms(times["processor"], 50) / _compute_percentile_ms(times["yardstick"], 50)
    print(f"  processor time, first byte to lamp, over plain Python that is as cold: {processor:.2f}")
    for name in ("floor", "sqlite"):
        found = ", ".join(
            f"p{p} {_compute_percentile_ms(times['table'], p) / _compute_percentile_ms(times[name], p):.2f}"
            for p in PERCENTILES
        )
        print(f"  table / {name}: {found}")
    print(f"  given to the file system: {written / 1000:.1f} kB a hand")
    return {"lamp-processor": processor, "kilobytes-a-hand": written / 1000}


def _compute_percentile_ms(times: list[float], percent: int) -> float:
    return 1000 * statistics.quantiles(times, n=100)[percent - 1]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1500)
