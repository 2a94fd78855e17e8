"""How long a tag must lie over a reader to be read, through the loop of a live table: its dwell.

All of it runs on simulated time: the real `TableLoop.run`, drivers and simulators, with a queue that lets a
millisecond go by where the real one waits. So a busy machine changes nothing, and each run finds the same. What the
processor takes for itself is not in it (docs/runtime.md, Figures: about a millisecond a card).

Both directions of the line are paced by its speed, and its adapter hands bytes on once a millisecond, as an FT232R set
to low latency does. A tag comes at another moment of the poll each time.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import sqrt
from pathlib import Path
from queue import Empty

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.runtime.devices.antenna_translator import AntennaTranslator
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.port_messages import PortBytesReceived, PortOpened
from controller.runtime.journal.entry_result import handle_entry
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import recover_table
from controller.runtime.loop.inbox import Inbox
from controller.runtime.loop.loop_messages import LoopMessage
from controller.runtime.loop.loop_parts import LoopParts
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import SIMULATION
from drivers.contract.driver_interface import ByteDriver, DeviceEvent, PortSettings, TagRead, is_full_duplex
from drivers.contract.driver_registry import build_driver
from drivers.ports.byte_port import BytePort, open_port
from drivers.readers.dwell_times import DWELLS_MS, READER_DWELLS, ReaderDwell
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.readers.pn532_simulator import Pn532Simulator

STEP_S = 0.001
"""How far time goes at once: what a USB serial adapter holds bytes back (1 ms, FT232R with its latency timer at 1)."""

TRIALS = 25
"""Tags of each dwell."""

START_UP_S = 3.0
SPACING_S = 0.3173
"""Seconds between two tags, in which a read is waited for, and `SPREAD_S` at most more."""

SPREAD_S = 0.2
GOLDEN_RATIO = (sqrt(5) - 1) / 2
"""Its multiples, without their whole parts, lie evenly: so no reader's poll keeps step with the tags."""

REQUIRED_KEYS_BY_DRIVER: Mapping[str, Mapping[str, object]] = {"thingmagic": {"region": "europe"}}
"""Keys that a driver wants and that change nothing here."""

TABLE: Mapping[str, object] = {
    "ev": "table",
    "rulebook": "roberts-7",
    "game": "holdem",
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "places": 6,
    "button": 1,
    "seats": [{"seat": seat, "player": f"player {seat}", "stack": 200} for seat in (1, 2)],
}


class PacedPort:
    """A simulated port on which what is written takes its time, too."""

    def __init__(self, port: BytePort, settings: PortSettings, clock: ManualClock) -> None:
        self._port = port
        self._byte_s = 0.0 if is_full_duplex(settings) else 10 / settings.baudrate  # a bus is paced by its simulator
        self._clock = clock
        self._outgoing: list[tuple[float, bytes]] = []
        self._busy_until = 0.0

    def write(self, data: bytes) -> None:
        """Put bytes on the line; they reach the reader as a whole when the last of them is through."""
        if data:
            self._busy_until = max(self._busy_until, self._clock()) + len(data) * self._byte_s
            self._outgoing.append((self._busy_until, data))

    def read(self) -> bytes:
        """Let the line go on as far as it is, and return what has come."""
        while self._outgoing and self._outgoing[0][0] <= self._clock():
            self._port.write(self._outgoing.pop(0)[1])
        return self._port.read()


class TagMeter:
    """Remembers which tags were read."""

    def __init__(self) -> None:
        self.tags: set[str] = set()

    def on_device_event(self, event: DeviceEvent) -> None:
        """A device said something."""
        if isinstance(event, TagRead):
            self.tags.add(event.tag)

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Count nothing else."""
        return lambda *_args, **_kwargs: None


@dataclass
class SimulatedInbox(Inbox):
    """The loop's queue in simulated time: while it waits, the line goes on and people do what is planned."""

    clock: ManualClock
    port: PacedPort
    plans: list[tuple[float, Callable[[], object]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def get(self, timeout: float) -> LoopMessage:
        """Wait for a message; raises `queue.Empty` after `timeout` seconds."""
        ends = self.clock() + timeout
        while True:
            while self.plans and self.plans[0][0] <= self.clock():
                self.plans.pop(0)[1]()
            if data := self.port.read():
                self.put(PortBytesReceived("reader", data, self.clock()))
            if not self.is_empty():
                return self.get_nowait()
            if self.clock() >= ends:
                raise Empty
            self.clock.advance(min(STEP_S, max(ends - self.clock(), 1e-6)))


def measure_percents(row: ReaderDwell) -> tuple[int, ...]:
    """Return for each of `DWELLS_MS` how many of a hundred tags are read."""
    clock, driver = ManualClock(), row.driver
    keys = {**row.keys, **REQUIRED_KEYS_BY_DRIVER.get(driver, {})}
    with tempfile.TemporaryDirectory() as directory, Bench("dwell", clock=clock) as bench:
        device = build_driver(driver, "reader", keys)
        assert isinstance(device, ByteDriver)
        url = f"sim://{driver}/reader?bench=dwell" + (f"&{row.query}" if row.query else "")
        bench.add_port(url, keys)
        port = PacedPort(open_port(url, device, read_seconds=0), device, clock)
        meter, inbox = TagMeter(), SimulatedInbox(clock, port)
        loop = _make_loop(
            Journal(Path(directory) / "journal.sqlite"), device, clock, driver, LoopParts(inbox=inbox, meter=meter)
        )
        reader = bench.reader("reader")
        make_tag = Pn532Simulator.nth_tag if keys.get("protocol") == "iso14443a" else reader.nth_tag
        at, tag_by_trial = clock() + START_UP_S, dict[tuple[int, int], str]()
        for dwell_ms in DWELLS_MS:
            for trial in range(TRIALS):
                tag = tag_by_trial[dwell_ms, trial] = make_tag(len(tag_by_trial))
                inbox.plans += [(at, partial(reader.present, tag)), (at + dwell_ms / 1000, reader.remove)]
                at += SPACING_S + SPREAD_S * (len(tag_by_trial) * GOLDEN_RATIO % 1)
        inbox.plans.append((at, partial(loop.stop, "done")))
        loop.put(PortOpened("reader", port, clock()))  # type: ignore[arg-type]
        loop.run()
        return tuple(
            100 * sum(tag_by_trial[dwell_ms, trial] in meter.tags for trial in range(TRIALS)) // TRIALS
            for dwell_ms in DWELLS_MS
        )


def render_table(dwells: Sequence[ReaderDwell] = READER_DWELLS) -> list[str]:
    """Make the table of docs/devices.md: per cent of tags read, by reader and dwell."""
    head = ["| reader | cards |", *(f" {dwell_ms} ms |" for dwell_ms in DWELLS_MS), " an answer takes | by |"]
    lines = ["".join(head), "|" + "---|" * (len(DWELLS_MS) + 4)]
    for row in dwells:
        shares = " | ".join(str(percent) for percent in row.percents)
        lines.append(f"| `{row.driver}` | {row.label or 'all'} | {shares} | {row.answer_ms:g} ms | {row.source} |")
    return lines


def main() -> dict[str, float]:
    """Print the table anew; return the dwell, in milliseconds, at which the recommended reader of a shoe reads all."""
    measured = [replace(row, percents=measure_percents(row)) for row in READER_DWELLS]
    print("tags read of a hundred, by how long each lies there, on simulated time")
    print("\n".join(render_table(measured)))
    shoe = next(row for row in measured if row.driver == "pn532" and row.keys == {"tags": 1})
    return {"shoe-dwell-ms": float(shoe.find_whole_dwell_ms() or 2 * DWELLS_MS[-1])}


def _make_loop(journal: Journal, device: ByteDriver, clock: ManualClock, driver: str, parts: LoopParts) -> TableLoop:
    journal.begin_run("benchmark", "benchmark")
    session = journal.begin_session({"mode": SIMULATION, "table": "{}"})
    entry = journal.append_entry(TABLE, "configuration")
    given = handle_entry(Table(), parse_table_line(TABLE), entry)
    journal.record_result(entry, given.compute_digest(given.to_output_line()), None)
    place = AntennaTranslator("reader", Deck("none", {}), {None: "muck"}, gone_after=0.0)
    loop = TableLoop(
        recover_table(journal, session, parse_table_line),
        journal,
        DeviceMap(byte_drivers={"reader": device}, antennas_by_device={"reader": place}),
        DeviceMonitor({"reader": driver}, {}),
        mode=SIMULATION,
        clock=clock,
        parts=parts,
    )
    loop.start()
    return loop


if __name__ == "__main__":
    main()
