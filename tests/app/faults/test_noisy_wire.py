"""The real reader driver on a pseudo-terminal, real frames, the real threads: a card in, the right seat's lamp out."""

import os
import pty
import random
import threading
import tty
from pathlib import Path

import pytest

from controller.app.table.session_start import resume_or_begin
from controller.app.table.table_devices import (
    TableDevices,
    attach_simulators,
    build_devices,
    make_device_map,
    start_pins,
)
from controller.core.model.outcome import Outcome
from controller.core.protocol.events import (
    Event,
    HandStarted,
    PlayerActed,
    StepConfirmed,
)
from controller.core.protocol.steps import ActStep, DealStep
from controller.core.protocol.vocabulary import ActionType
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.device_threads import PortReader
from controller.runtime.devices.shoe_translator import find_cards_out
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import SIMULATION, TableView
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.readers.rdm6300_simulator import build_frame
from tests.app.rig import demo, demo_deck
from tests.audited import Auditor

PATIENCE = 60
"""How often a card is said again before the test gives up."""


class Wire:
    """A table whose reader hangs on a pseudo-terminal with a bad line; its lamps stand on a bench."""

    def __init__(self, directory: Path, seed: int, flip: float) -> None:
        self.near, self.far = pty.openpty()
        tty.setraw(self.near)
        self._chance = random.Random(seed)
        self._flip = flip
        self.bench = Bench(clock=ManualClock())
        self.auditor = Auditor(directory)
        self.journal = Journal(directory / "journal.sqlite")
        self.journal.begin_run("boot", "test")
        file, deck = demo(), demo_deck()
        devices = build_devices(file)
        attach_simulators(self.bench, file, TableDevices({}, devices.pin_drivers, {}))
        start_pins(file, devices, self.bench.pins)
        health = DeviceMonitor({"shoe": "rdm6300"}, dict.fromkeys(devices.pin_drivers, "pins"))
        edge = make_device_map(file, devices, self.bench.pins, deck)
        self.loop = TableLoop(
            resume_or_begin(self.journal, file, SIMULATION), self.journal, edge, health, mode=SIMULATION
        )
        self.loop.subscribe(self._see)
        self._news = threading.Condition()
        self._entry = 0
        self.loop.start()
        self._thread = threading.Thread(target=self.loop.run, daemon=True)
        self._reader = PortReader(
            "shoe", os.ttyname(self.far), devices.byte_drivers["shoe"], self.loop.put, self.loop.clock
        )
        self._thread.start()
        self._reader.start()

    def end(self) -> None:
        self.loop.stop("test")
        self._thread.join(60)
        self._reader.stop()
        self._reader.join(60)
        self.bench.close()
        self.journal.close()
        os.close(self.near)
        os.close(self.far)

    def card(self, tag: str) -> bool:
        """Hold a tag to the reader until the table has noticed a card; every frame goes through the bad line."""
        entry = self._entry
        for _ in range(PATIENCE):
            frame = build_frame(tag, newline=False)
            os.write(self.near, bytes(self._damage_byte(byte) for byte in frame))
            if self._wait_for_entry(entry, 0.03):
                return True
        return False

    def enter(self, event: Event) -> None:
        entry = self._entry
        self.loop.submit_entry(event, "test")
        assert self._wait_for_entry(entry, 5.0)

    def fold_round(self) -> None:
        while self.loop.outcome.plan and isinstance(step := self.loop.outcome.plan[0], ActStep):
            self.enter(PlayerActed(step.seat, ActionType.FOLD))
        while self.loop.outcome.plan:
            self.enter(StepConfirmed())

    def _damage_byte(self, byte: int) -> int:
        return byte ^ (1 << self._chance.randrange(8)) if self._chance.random() < self._flip else byte

    def _wait_for_entry(self, entry: int, seconds: float) -> bool:
        with self._news:
            return self._news.wait_for(lambda: self._entry > entry, seconds)

    def _see(self, standing: TableView) -> None:
        with self._news:
            self._entry = standing.entry
            self._news.notify_all()


def clockwise(outcome: Outcome) -> list[int]:
    """The seats that are dealt in, clockwise by their numbers from the button's left: not as the plan has them."""
    hand = outcome.state.hand_in_play
    assert hand.positions.button is not None
    return sorted(hand.dealing_order, key=lambda seat: (seat <= hand.positions.button, seat))  # type: ignore[operator]


@pytest.mark.parametrize(("seed", "flip"), [(1, 0.0), (2, 0.01), (3, 0.03)])
def test_every_card_lights_its_seat_and_no_wrong_card_is_ever_accepted(tmp_path: Path, seed: int, flip: float) -> None:
    deck = demo_deck()
    tags = sorted(deck.card_by_tag)
    random.Random(seed).shuffle(tags)
    wire = Wire(tmp_path, seed, flip)
    shown: list[str] = []
    try:
        for _ in range(4):
            wire.enter(HandStarted())
            dealt, lit = set[str](), list[int]()
            while isinstance(step := wire.loop.outcome.plan[0], DealStep):
                assert wire.bench.lamps("lamps").lit_seats()["deal"] == (step.seat,)
                assert wire.bench.gate("gate").is_open()
                lit.append(step.seat)
                shown.append(tags[len(shown)])
                assert wire.card(shown[-1])
                dealt.add(deck.card_by_tag[shown[-1]])
                assert find_cards_out(wire.loop.outcome).faces == dealt, "this card, and no other"
            assert lit == clockwise(wire.loop.outcome) * 2, "from the button's left, one card a turn"
            assert wire.bench.lamps("lamps").lit_seats()["deal"] == ()
            assert not wire.bench.gate("gate").is_open()
            wire.fold_round()
        lines = wire.auditor.lines(wire.journal)
    finally:
        wire.end()
    assert sum(line["ev"] == "card" for line in lines) == len(shown)
    assert not any(line.get("foreign") for line in lines)
