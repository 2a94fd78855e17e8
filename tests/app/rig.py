"""A whole table on a bench with a clock that the test moves: real drivers, real frames, no thread and no sleep."""

import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from queue import Empty
from types import TracebackType
from typing import Any, Self

from config.table_file import DEMO_FILE, TableFile, load_table_file
from controller.app.simulation.simulated_people import SimulatedPeople
from controller.app.table.required_devices import find_required_devices
from controller.app.table.session_start import resume_or_begin
from controller.app.table.table_devices import attach_simulators, build_devices, make_device_map, start_pins
from controller.app.workshop.table_workshop import TableWorkshop
from controller.core.protocol import script_lines
from controller.core.protocol.events import Event
from controller.runtime.broadcast.card_release import CardRelease
from controller.runtime.devices.deck_list_formats import parse_deck_list
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.device_threads import PinSampler
from controller.runtime.devices.port_messages import PortBytesReceived, PortLost, PortOpened
from controller.runtime.devices.workshop import is_out_of_service
from controller.runtime.faults.fault_table import make_clear_event
from controller.runtime.faults.self_check import SelfCheckResult
from controller.runtime.journal.hand_index import HAND_INDEX_FILE, HandIndex
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.certificate_watch import CertificateCheck
from controller.runtime.loop.loop_parts import LoopParts
from controller.runtime.loop.meter import Meter
from controller.runtime.loop.processed_entry import EntryListener
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import SIMULATION, TableView
from drivers.panels.key_panel import KeyPanel
from drivers.panels.key_tracker import SETTLE_SAMPLES
from drivers.ports.byte_port import BytePort, open_port
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.panels.contacts import SimulatedKeys

SAMPLE = 0.005
TICK_SAMPLES = 4
REST = 10 * SETTLE_SAMPLES * SAMPLE
"""So long after its last edge a key of the panel has certainly settled."""


def demo(**table: object) -> TableFile:
    """The demo table, with parts of its `table` line replaced."""
    file = load_table_file(DEMO_FILE)
    return replace(file, table_line={**file.table_line, **table})


def demo_deck() -> Deck:
    listed = load_table_file(DEMO_FILE).simulation.deck_list
    assert listed is not None
    return parse_deck_list("demo", listed.read_text())


class Rig:
    """One start of a table on `directory`; leaving it without `stop` is a cut of the power."""

    def __init__(
        self,
        directory: Path,
        *,
        file: TableFile | None = None,
        fresh: bool = False,
        void_hand: bool = False,
        lossless: bool = False,
        opened: bool = True,
        reader: str = "shoe",
        confirmed: bool = True,
        check: Callable[[], tuple[SelfCheckResult, ...]] | None = None,
        meter: Meter | None = None,
        release: CardRelease | None = None,
        certificate: CertificateCheck | None = None,
        listeners: Sequence[EntryListener] = (),
        mode: str = SIMULATION,
    ) -> None:
        """Start. `confirmed`: the dealer has compared the table after a cut of the power, as he must, and said so."""
        self.file = file or demo()
        self.name = reader
        self.clock = ManualClock()
        self.bench = Bench(clock=self.clock)
        self.deck = demo_deck()
        self.tags = {card: tag for tag, card in self.deck.card_by_tag.items()}
        self.journal = Journal(directory / "journal.sqlite")
        if lossless:
            self.journal._db.execute("PRAGMA synchronous=OFF")  # many hands, and no power to be cut
            self.journal._write_ahead_log.sync_file = lambda _handle: None
        settled = self.journal.last_entry_number
        self.power_lost = self.journal.begin_run("boot", "test")
        devices = build_devices(self.file)
        self.urls = attach_simulators(self.bench, self.file, devices)
        self.recovered = resume_or_begin(self.journal, self.file, mode, fresh=fresh, void_hand=void_hand)
        start_pins(self.file, devices, self.bench.pins)
        edge = make_device_map(self.file, devices, self.bench.pins, self.deck)
        self.device_map = edge
        health = DeviceMonitor(
            {name: self.file.devices[name].driver for name in devices.byte_drivers},
            {name: self.file.devices[name].driver for name in devices.pin_drivers},
            self.recovered.lost_devices,
            find_required_devices(self.file),
        )
        self.workshop = TableWorkshop(
            self.file,
            directory,
            serving=lambda: is_out_of_service(self.loop.outcome.state),
            to_deal=edge.set_deck,
            to_record=self._deck_registered,
            check=check or (lambda: ()),
        )
        self.reopened: list[str] = []
        self.meter = meter
        self.hands = HandIndex(directory / HAND_INDEX_FILE, self.journal.list_sessions()[-1].number, settled)
        self.loop = TableLoop(
            self.recovered,
            self.journal,
            edge,
            health,
            mode=mode,
            power_lost=self.power_lost,
            clock=self.clock,
            parts=LoopParts(
                reopen_port=self.reopened.append,
                workshop=self.workshop,
                hand_index=self.hands,
                self_check=check,
                meter=meter,
                card_release=release,
                check_certificate=certificate,
                listeners=listeners,
            ),
        )
        on_pins = devices.pin_drivers.values()
        others = tuple(driver for driver in on_pins if not isinstance(driver, KeyPanel))
        put, lock = self.loop.put, self.loop.pins_lock
        self.sampler = PinSampler(tuple(on_pins), self.bench.pins, put, self.clock, lock)
        self.sampler_at_rest = PinSampler(others, self.bench.pins, put, self.clock, lock)
        self.fingers = [
            simulator for simulator in self.bench._simulator_by_device.values() if isinstance(simulator, SimulatedKeys)
        ]
        self.started = self.clock()
        self.standings: list[TableView] = []
        self.loop.subscribe(self.standings.append)
        self.loop.start()
        self.reader = devices.byte_drivers[reader]
        self.port: BytePort | None = None
        if opened:
            self.open_port()
        if confirmed:
            self.clear("power-lost")

    def _deck_registered(self, deck: Deck, by: str) -> None:
        self.loop.record_deck_registration(deck, by)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.port is not None:
            self.port.close()
        self.bench.close()
        self.hands.close()
        self.journal.close()

    def open_port(self) -> None:
        """Plug the reader in: its port opens."""
        self.port = open_port(self.urls[self.name], self.reader, read_seconds=0)
        self.loop.put(PortOpened(self.name, self.port, self.clock()))
        self.run(0.1)

    def lose_port(self, why: str) -> None:
        """Pull the reader's plug: its thread says so."""
        assert self.port is not None
        self.port.close()
        self.port = None
        self.loop.put(PortLost(self.name, why, self.clock()))
        self.run(0.1)

    def clear(self, code: str) -> None:
        """Say that a fault is over, if it is up."""
        if any(fault.code == code for fault in self.standing.faults):
            self.enter(make_clear_event(code))

    @property
    def standing(self) -> TableView:
        return self.standings[-1]

    @property
    def output(self) -> dict[str, Any]:
        return dict(self.standing.output_line)

    def run(self, seconds: float) -> None:
        """Let time pass, in steps of one sample of the pins; the loop's own come as seldom as in the program."""
        socket, rest = self.bench.find_or_add_port(self.urls[self.name]), self._rest_of_keys()
        for step in range(1, round(seconds / SAMPLE) + 1):
            self.clock.advance(SAMPLE)
            (self.sampler if self.clock() < rest else self.sampler_at_rest).sample(self.clock())
            if data := socket.read(64):
                self.loop.put(PortBytesReceived(self.name, data, self.clock()))
            self.drain()
            if not step % TICK_SAMPLES:
                self.loop.on_tick(self.clock())

    def _rest_of_keys(self) -> float:
        """When every key will have been up for so long that a sample of it says nothing, but for a finger that comes.

        Half of a rig's time went into keys that nobody touches.
        """
        contacts = [contact for panel in self.fingers for contact in panel._contact_by_key.values()]
        if any(len(contact._moments) % 2 for contact in contacts):
            return inf
        return max((contact._moments[-1] for contact in contacts if contact._moments), default=self.started) + REST

    def drain(self) -> None:
        """Let the loop take everything that waits on its queue."""
        while True:
            try:
                message = self.loop._inbox.get_nowait()
            except Empty:
                return
            self.loop.handle_message(message, self.clock())

    def press(self, key: str) -> None:
        """Press a key of the panel, long enough to count."""
        self.bench.panel("panel").tap(key)
        self.run(1.2 if key in ("all_in", "misdeal") else 0.35)

    def card(self, card: str) -> None:
        """Pull a card out of the shoe."""
        self.tag(self.tags[card])

    def tag(self, tag: str) -> None:
        self.bench.reader(self.name).present(tag)
        self.run(0.3)
        self.bench.reader(self.name).remove(tag)

    def deal(self, cards: Iterable[str]) -> None:
        """Pull cards out of the shoe, one after another."""
        for card in cards:
            self.card(card)

    def enter(self, entry: Event | Mapping[str, Any], by: str = "page") -> None:
        """Enter an event, or a line of the table script, and let the table take it."""
        self.loop.submit_entry(script_lines.parse_line(entry) if isinstance(entry, Mapping) else entry, by)
        self.drain()

    def play_out(self) -> None:
        """Let everybody fold, and confirm what else is asked for, until the hand is over."""
        while self.output["next"]:
            self.press("fold" if self.output["next"][0]["step"] == "act" else "done")

    def read_lines(self, session: int = -1) -> list[dict[str, Any]]:
        """What a session's entries say, the newest session's unless told otherwise."""
        entries = self.journal.read_entries(self.journal.list_sessions()[session])
        return [json.loads(entry.script_line) for entry in entries]

    def room(self, seed: int, mistakes: float = 0.02) -> SimulatedPeople:
        return SimulatedPeople(
            self.bench.reader(self.name),
            self.bench.panel("panel"),
            self.bench.gate("gate"),
            tuple(self.deck.card_by_tag),
            seed=seed,
            mistakes=mistakes,
            touch=lambda line: self.loop.submit_entry(script_lines.parse_line(line), "page"),
        )

    def live(self, room: SimulatedPeople, moves: int) -> None:
        """Let people make some moves, each as soon as the table has noticed the one before."""
        for _ in range(moves):
            entry = self.standing.entry
            move = room.choose_move(self.output, self.standing.refusal is not None, self.standing.faults)
            if move is None:
                self.run(0.05)
                continue
            room.make_move(move, self.output)
            for _ in range(40):
                self.run(0.05)
                if self.standing.entry > entry:
                    break
            room.clear_reader(self.standing.entry > entry)
            if move.key is not None:
                self.run(0.35)

    def read_lasting_state(self) -> tuple[object, ...]:
        """What must be the same after a restart; lamps and gate as the wires have them."""
        output = self.output
        kept = ("next", "phase", "street", "hand", "lamps", "gate", "piles", "board", "stacks", "pots", "bets")
        return (*(output[key] for key in kept), self.lit_seats(), self.bench.gate("gate").is_open())

    def lit_seats(self) -> dict[str, tuple[int, ...]]:
        """Seats whose lamps show anything during two seconds of their patterns."""
        seen: dict[str, set[int]] = {}
        for _ in range(20):
            for role, seats in self.bench.lamps("lamps").lit_seats().items():
                seen.setdefault(role, set()).update(seats)
            self.run(0.1)
        return {role: tuple(sorted(seats)) for role, seats in seen.items()}


def random_deck(seed: int) -> list[str]:
    cards = sorted(demo_deck().card_by_tag.values())
    random.Random(seed).shuffle(cards)
    return cards
