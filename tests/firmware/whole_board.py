"""A table that is played on a board: the runtime's loop and real drivers here, keys, lamps, gate and card edge there.

The controller's clock is the board's, so a busy machine slows both alike, and every wait is for a condition, with a
limit in seconds of the board. The scanner of the shoe stands on the simulator's bench with the same clock.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from queue import Empty
from types import TracebackType
from typing import Any, Self

import serial

from config.table_file import TableFile
from controller.app.table.session_start import resume_or_begin
from controller.app.table.table_devices import TableDevices, attach_simulators, build_devices, make_device_map
from controller.runtime.devices.deck_list_formats import parse_deck_list
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.port_messages import PortBytesReceived, PortOpened
from controller.runtime.faults.fault_table import make_clear_event
from controller.runtime.faults.notices import NoticeCode
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import SIMULATION, TableView
from drivers.bridge import Bridge
from drivers.contract.driver_interface import TICK_INTERVAL_S
from drivers.ports.byte_port import BytePort, open_port
from drivers.simulators.bench.bench import Bench
from firmware_bridge import limits
from tests.audited import Auditor
from tests.firmware.ends import AvrEnd
from tests.wire.bench import FarEnd

BOARD, READER = "bridge", "shoe"
EPOCH = 100.0
"""What the controller's clock shows when the board's shows nothing."""

PATIENCE = 15.0
"""Limit of a wait, in seconds of the board: longer than a gate takes to cool down."""

PRESS_SECONDS = 0.06
HELD_SECONDS = 1.0
APART_SECONDS = 0.25
"""From one press of a key to the next: what comes sooner is taken for its bouncing."""

PASSAGE_SECONDS = 0.06
"""How long a card covers the edge, and the least time between two."""

SHUT_SECONDS = (limits.LEASE_MAX_MS + 50) / 1000
"""A gate that the table has locked for this long is shut, whatever was on its way."""


SCANNER_WAKES_SECONDS = 1.0
"""How long the scanner takes to wake and to be set to packets; a card before that comes as bare text."""


class NearEnd(BytePort):
    """The controller's end of the line to a board in this process."""

    def __init__(self, far: FarEnd) -> None:
        super().__init__("the board", serial.Serial(), low_latency=False)
        self._far = far
        self._arrived = b""

    def arrive(self, data: bytes) -> None:
        self._arrived += data

    def read(self) -> bytes:
        data, self._arrived = self._arrived, b""
        return data

    def write(self, data: bytes) -> None:
        self._far.write(data)


class BoardTable:
    """One start of a table whose board is `far`. `host_runs` off is a controller that hangs."""

    def __init__(self, file: TableFile, directory: Path, far: FarEnd) -> None:
        self.far = far
        self._file = file
        self._bench = Bench(clock=self.clock)
        self._deck = _deck_of(file)
        self._tags = {card: tag for tag, card in self._deck.card_by_tag.items()}
        wired: Mapping[str, Any] = file.devices[BOARD].driver_keys
        self.inputs: Mapping[str, int] = wired["keys"]
        self._hold: Sequence[str] = wired["hold"]
        self._outputs: Mapping[str, Mapping[str, int]] = wired["outputs"]
        devices = build_devices(file)
        bridge = devices.byte_drivers[BOARD]
        assert isinstance(bridge, Bridge)
        self.driver = bridge
        urls = attach_simulators(self._bench, file, replace(devices, port_urls={READER: devices.port_urls[READER]}))
        self._auditor = Auditor(directory)
        self._journal = Journal(directory / "journal.sqlite")
        self._journal.begin_run("boot", "test")
        self._loop = self._make_loop(devices)
        self._standings: list[TableView] = []
        self._loop.subscribe(self._standings.append)
        self._loop.start()
        self.host_runs = True
        self.gate_moves: list[tuple[float, bool]] = [(far.now, far.gate_open)]
        """When the gate moved, by the board's clock, and whether it has been open since."""
        self._may_be_open_until = 0.0
        self._next_tick = 0.0
        self._pressed_at: dict[str, float] = {}
        line: BytePort = NearEnd(far)
        if isinstance(far, AvrEnd):
            line = open_port(far.give_port_away(), bridge, read_seconds=0)
        scanner = open_port(urls[READER], devices.byte_drivers[READER], read_seconds=0)
        self._ports = {BOARD: line, READER: scanner}
        for name, port in self._ports.items():
            self._loop.put(PortOpened(name, port, self.clock()))
        self.wait_for(lambda: self.state(BOARD) == self.state(READER) == "ready", "board and scanner answer")
        self.wait_until(self.far.now + SCANNER_WAKES_SECONDS)

    def _make_loop(self, devices: TableDevices) -> TableLoop:
        recovered = resume_or_begin(self._journal, self._file, SIMULATION)
        drivers = {name: self._file.devices[name].driver for name in devices.byte_drivers}
        return TableLoop(
            recovered,
            self._journal,
            make_device_map(self._file, devices, None, self._deck),
            DeviceMonitor(drivers, {}, recovered.lost_devices),
            mode=SIMULATION,
            clock=self.clock,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for port in self._ports.values():
            port.close()
        self._bench.close()
        self._journal.close()

    def clock(self) -> float:
        return EPOCH + self.far.now

    # Time

    def step(self) -> None:
        """Let about a millisecond of the board pass, and the controller do what there is to do."""
        said = self.far.step()
        line = self._ports[BOARD]
        if isinstance(line, NearEnd):
            line.arrive(said)
        if self.far.gate_open != self.gate_moves[-1][1]:
            self.gate_moves.append((self.far.now, self.far.gate_open))
        if self.host_runs:
            self._serve()
            if self.output["gate"] == "open":
                self._may_be_open_until = self.far.now + SHUT_SECONDS
        late = self.far.now - self._may_be_open_until
        assert not self.far.gate_open or late <= 0, f"the gate is open {late:.3f} s after its last lease can have ended"

    def _serve(self) -> None:
        now = self.clock()
        for name, port in self._ports.items():
            if data := port.read():
                self._loop.put(PortBytesReceived(name, data, now))
        while True:
            try:
                self._loop.handle_message(self._loop._inbox.get_nowait(), now)
            except Empty:
                break
        if now >= self._next_tick:
            self._loop.on_tick(now)
            self._next_tick = now + TICK_INTERVAL_S

    def wait_for(self, done: Callable[[], bool], what: str, limit: float = PATIENCE) -> None:
        """Wait until `done`; `what` is what did not come when the limit has passed."""
        end = self.far.now + limit
        while not done():
            assert self.far.now < end, f"not within {limit} s of the board: {what}; last: {self._last()}"
            self.step()

    def wait_until(self, when: float) -> None:
        """Let people take their time: until the board's clock shows `when`."""
        while self.far.now < when:
            self.step()

    def _last(self) -> str:
        standing = self._standings[-1]
        return f"entry {standing.entry}, {standing.output_line['phase']}, {standing.refusal}, {standing.notices}"

    # What people do

    def enter_line(self, line: Mapping[str, object], key: str | None) -> None:
        """Enter a line of a table script as people do: by `key`, or by the card that leaves the shoe."""
        before = len(self.read_entries())
        if key is None:
            self.pull(str(line["card"]), lambda: len(self.read_entries()) > before)
        else:
            self.press(key, lambda: len(self.read_entries()) > before)
        assert len(self.read_entries()) == before + 1

    def faults(self) -> list[str]:
        """The faults that are latched."""
        return [fault.code for fault in self._standings[-1].faults if fault.id]

    def clear(self, code: str) -> None:
        """Say that a fault is over."""
        self._loop.submit_entry(make_clear_event(code), "page")

    def press(self, key: str, done: Callable[[], bool]) -> None:
        """Press a key, long enough to count, until something is `done`; then let it go."""
        held = HELD_SECONDS if key in self._hold else PRESS_SECONDS
        self.wait_until(self._pressed_at.get(key, -1.0) + APART_SECONDS)
        number = self.inputs[key]
        self._pressed_at[key] = self.far.now
        self.far.key(number, True)
        self.wait_until(self.far.now + held)
        self.wait_for(done, f"key {key!r} does its work")
        self.far.key(number, False)

    def pull(self, card: str, done: Callable[[], bool]) -> None:
        """Pull a card past edge and scanner as soon as the gate lets it out."""
        self.wait_for(lambda: self.far.gate_open, "the gate opens")
        self.far.cover(True)
        covered_at = self.far.now
        self.wait_for(lambda: self.driver._levels["edge"], "the edge is covered")
        self._bench.reader(READER).present(self._tags[card])
        self.wait_for(done, f"{card} is entered")
        self.wait_until(covered_at + PASSAGE_SECONDS)
        self.far.cover(False)
        self.wait_for(lambda: not self.driver._levels["edge"], "the edge is free")

    # What is to be seen

    @property
    def output(self) -> dict[str, Any]:
        """The table's last line, but its number."""
        return {key: value for key, value in self._standings[-1].output_line.items() if key != "line"}

    def state(self, device: str) -> str:
        return next((one.state for one in self._standings[-1].devices if one.name == device), "")

    def read_entries(self, *kinds: str) -> list[dict[str, Any]]:
        """What the journal has of these kinds, without the times; all but what devices said of themselves, if none."""
        if self._known != self._standings[-1].entry:
            self._known = self._standings[-1].entry
            lines = self._auditor.lines(self._journal)
            self._lines = [{key: value for key, value in line.items() if key != "t"} for line in lines]
        return [
            line for line in self._lines if (line["ev"] in kinds if kinds else line["ev"] not in ("table", "device"))
        ]

    _known = -1
    _lines: Sequence[dict[str, Any]] = ()

    def list_notice_codes(self) -> list[NoticeCode]:
        return [notice.code for notice in self._standings[-1].notices]

    def await_lamps(self) -> None:
        """Wait until each lamp that the table wants has shone, and meanwhile no other."""
        wanted = {
            lamp
            for role, lamps in self._outputs.items()
            for seat, lamp in lamps.items()
            if int(seat) in self.output["lamps"][role]
        }
        seen: set[int] = set()

        def has_shown_all() -> bool:
            if self.far.lit_seats <= wanted:
                seen.update(self.far.lit_seats)
            else:
                seen.clear()
            return seen == wanted

        self.wait_for(has_shown_all, f"lamps {sorted(wanted)} shine alone")

    def await_gate(self) -> None:
        """Wait until the gate stands as the table has it."""
        self.wait_for(
            lambda: self.far.gate_open == (self.output["gate"] == "open"), f"the gate is {self.output['gate']}"
        )


def _deck_of(file: TableFile) -> Deck:
    assert file.shoe is not None
    assert file.simulation.deck_list is not None
    return parse_deck_list(file.shoe.deck, file.simulation.deck_list.read_text(encoding="utf-8"))
