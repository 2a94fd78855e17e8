"""Any table's file as a whole on a bench, in a time that the test moves, served as the runtime serves it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from queue import Empty
from types import TracebackType
from typing import Any, Self

from config.table_file import load_table_file
from controller.app.table.required_devices import find_required_devices
from controller.app.table.session_start import resume_or_begin
from controller.app.table.table_devices import attach_simulators, build_devices, make_device_map, start_pins
from controller.runtime.devices.deck_list_formats import parse_deck_list
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.device_threads import PinSampler
from controller.runtime.devices.port_messages import PortBytesReceived, PortLost, PortOpened
from controller.runtime.faults.notices import NoticeCode
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import SIMULATION, TableView
from drivers.contract.device_errors import PortError, PortLostError
from drivers.ports.byte_port import BytePort, open_port
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from tests.audited import Auditor

SAMPLE = 0.005
TICK_SAMPLES = 4


class WholeTable:
    """One start of a table; `faults` are what is wrong with a device's cable, `speeds` what a device is set to.

    `deck` is the registered one; without it the file's list of a simulated deck is dealt.
    """

    def __init__(
        self,
        path: Path,
        directory: Path,
        faults: Mapping[str, str] | None = None,
        speeds: Mapping[str, int] | None = None,
        deck: Deck | None = None,
        mode: str = SIMULATION,
    ) -> None:
        file = load_table_file(path)
        self.file = replace(file, table_line={**file.table_line})
        self.clock = ManualClock()
        self.bench = Bench(clock=self.clock)
        assert file.shoe is not None
        if deck is None:
            assert file.simulation.deck_list is not None
            deck = parse_deck_list(file.shoe.deck, file.simulation.deck_list.read_text(encoding="utf-8"))
        self.deck = deck
        self.tags = {card: tag for tag, card in self.deck.card_by_tag.items()}
        self.auditor = Auditor(directory)
        self.journal = Journal(directory / "journal.sqlite")
        self.journal.begin_run("boot", "test")
        self.devices = build_devices(self.file)
        wires = {
            name: f"sim://{file.devices[name].driver}/{name}?{(faults or {}).get(name, '')}".rstrip("?")
            for name in self.devices.port_urls
        }
        self.urls = attach_simulators(self.bench, self.file, replace(self.devices, port_urls=wires))
        for name, speed in (speeds or {}).items():
            self.bench.find_or_add_port(self.urls[name]).simulator.baudrate = speed
        recovered = resume_or_begin(self.journal, self.file, mode)
        start_pins(self.file, self.devices, self.bench.pins)
        edge = make_device_map(self.file, self.devices, self.bench.pins, self.deck)
        self.loop = TableLoop(
            recovered,
            self.journal,
            edge,
            DeviceMonitor(
                {name: file.devices[name].driver for name in self.devices.byte_drivers},
                {name: file.devices[name].driver for name in self.devices.pin_drivers},
                recovered.lost_devices,
                find_required_devices(file),
            ),
            mode=mode,
            clock=self.clock,
        )
        self.sampler = PinSampler(
            tuple(self.devices.pin_drivers.values()), self.bench.pins, self.loop.put, self.clock, self.loop.pins_lock
        )
        self.standings: list[TableView] = []
        self.loop.subscribe(self.standings.append)
        self.loop.start()
        self.samples = 0
        self.ports: dict[str, BytePort] = {}
        self.run(1.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for port in self.ports.values():
            port.close()
        self.bench.close()
        self.journal.close()

    @property
    def output(self) -> dict[str, Any]:
        return dict(self.standings[-1].output_line)

    def run(self, seconds: float) -> None:
        """Let time pass, in steps of one sample of the pins; the loop's own come as seldom as in the program."""
        for _ in range(round(seconds / SAMPLE)):
            self.clock.advance(SAMPLE)
            self.sampler.sample(self.clock())
            for name, url in self.urls.items():
                self._serve(name, url)
            self._drain()
            self.samples += 1
            if not self.samples % TICK_SAMPLES:
                self.loop.on_tick(self.clock())

    def _serve(self, name: str, url: str) -> None:
        if name not in self.ports:
            try:
                self.ports[name] = open_port(url, self.devices.byte_drivers[name], read_seconds=0)
            except PortError as why:
                self.loop.put(PortLost(name, why.message, self.clock()))
            else:
                self.loop.put(PortOpened(name, self.ports[name], self.clock()))
            return
        try:
            if data := self.ports[name].read():
                self.loop.put(PortBytesReceived(name, data, self.clock()))
        except PortLostError as why:
            self.ports.pop(name).close()
            self.loop.put(PortLost(name, why.message, self.clock()))

    def _drain(self) -> None:
        while True:
            try:
                message = self.loop._inbox.get_nowait()
            except Empty:
                return
            self.loop.handle_message(message, self.clock())

    # What people do

    @property
    def panel(self) -> str:
        return next(iter(self.file.key_lines_by_panel))

    def press(self, key: str) -> None:
        self.bench.panel(self.panel).tap(key)
        self.run(1.3 if key in ("all_in", "misdeal") else 0.45)

    def card(self, card: str, *, read: bool = True) -> None:
        """Pull a card out of the shoe, past edge and reader."""
        assert self.file.shoe is not None
        assert self.file.shoe.edge is not None
        reader = self.bench.reader(self.file.shoe.reader)
        self.bench.sensors(self.file.shoe.edge).pass_card(0.25)
        if read:
            reader.present(self.tags[card])
        self.run(0.45)
        reader.remove(self.tags[card])
        self.run(0.6)

    def await_gate(self) -> bool:
        """Wait, as a dealer must, until a card can be had; return whether one can."""
        for _ in range(120):
            if self.gate_is_open():
                return True
            self.run(0.1)
        return False

    def gate_is_open(self) -> bool:
        """Whether a card can be had; at a table without a gate, whether one is due."""
        if "bridge" not in self.urls and "gate" not in self.file.devices:
            return bool(self.output["gate"] == "open")
        return self.bench.gate("bridge" if "bridge" in self.urls else "gate").is_open()

    def lit_seats(self, role: str) -> tuple[int, ...]:
        """Seats whose lamp of a role shows anything during two seconds."""
        seen: set[int] = set()
        for _ in range(20):
            seen.update(self.bench.lamps("bridge" if "bridge" in self.urls else "lamps").lit_seats()[role])
            self.run(0.1)
        return tuple(sorted(seen))

    def count_matching_lines(self, **wanted: object) -> int:
        """How often the journal has a line like this."""
        lines = self.auditor.lines(self.journal)
        return sum(all(line.get(key) == value for key, value in wanted.items()) for line in lines)

    def has_notice(self, code: NoticeCode) -> bool:
        return any(notice.code is code for notice in self.standings[-1].notices)
