"""A whole hand by each kind of reader: real driver, real kernel terminal, real frames; the same end as the script's."""

import json
import os
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config.table_file import DEMO_FILE
from config.table_line import parse_table_line
from controller.core.engine.output.outcome_rendering import render_outcome as shown
from controller.core.engine.table import Table
from controller.core.protocol import script_lines
from controller.core.protocol.steps import BettingRoundStep
from controller.runtime.devices.deck_list_formats import render_json
from controller.runtime.devices.deck_store import STANDARD_DECK, CardMarking, Deck
from drivers.contract.driver_registry import DRIVERS, import_class
from drivers.simulators import SIMULATORS
from drivers.simulators.bench.simulator_interfaces import ByteSimulator
from tests.app.whole_table import SAMPLE, WholeTable

BASE = DEMO_FILE.parent / "barcode-shoe.toml"
KEYS = {
    "barcode": "length = 6",
    "cr95hf": 'protocol = "iso15693"',
    "de2120": "length = 6",
    "feig": "",
    "gm65": "length = 6",
    "lines": "",
    "pepper_c1": "",
    "pn532": "tags = 1",
    "rdm6300": "",
    "s6350": "",
    "ssi": "",
    "thingmagic": 'region = "europe"',
}
PRINTED = ("barcode", "de2120", "gm65", "ssi")
NO_TERMINAL = ("keyboard_scanner", "rc522")
"""Readers that the kernel presents as an input device, or that are on an SPI bus."""

CARDS = ["As", "Kd", "7c", "2h", "9s", "Jd", "4c", "5h", "Qs", "8d", "Tc", "6h"]
HAND = [{"ev": "start"}, *({"ev": "card", "card": card} for card in CARDS), *([{"ev": "act", "do": "fold"}] * 5)]


def test_no_reader_is_forgotten() -> None:
    readers = {name for name in DRIVERS if hasattr(import_class(SIMULATORS[name]), "nth_tag")}
    assert readers == {*KEYS, *NO_TERMINAL}


class OnTerminal(WholeTable):
    """A table whose reader's simulator sits at the far end of a pseudo-terminal."""

    def __init__(self, path: Path, directory: Path) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self.master)
        os.set_blocking(self.master, False)
        self.simulator: ByteSimulator | None = None
        super().__init__(path, directory)
        self.ports.pop("shoe").close()
        self.simulator = self.bench.find_or_add_port(self.urls["shoe"]).simulator
        self.urls["shoe"] = os.ttyname(self._slave)
        self.run(2.0)

    def run(self, seconds: float) -> None:
        """Let time pass, and bytes go both ways through the kernel."""
        for _ in range(round(seconds / SAMPLE)):
            if self.simulator is not None:
                for _, frame in self.simulator.take_frames():
                    os.write(self.master, frame)
            super().run(SAMPLE)
            if self.simulator is not None:
                self._hear(self.simulator)

    def _hear(self, simulator: ByteSimulator) -> None:
        try:
            if data := os.read(self.master, 4096):
                simulator.receive_data(data)
        except BlockingIOError:
            return

    def close(self) -> None:
        os.close(self.master)
        os.close(self._slave)


@pytest.fixture(params=sorted(KEYS))
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OnTerminal]:
    kind: str = request.param
    nth_tag = import_class(SIMULATORS[kind]).nth_tag
    marks = CardMarking.PRINTED if kind in PRINTED else CardMarking.TAGGED
    deck = Deck("green", {nth_tag(number): card for number, card in enumerate(STANDARD_DECK)}, marks)
    (tmp_path / "barcode-shoe-deck.json").write_text(render_json(deck), encoding="utf-8")
    text = BASE.read_text(encoding="utf-8")
    text = text.replace('driver = "ssi"', f'driver = "{kind}"\n{KEYS[kind]}')
    (tmp_path / "table.toml").write_text(text, encoding="utf-8")
    with OnTerminal(tmp_path / "table.toml", tmp_path) as table:
        yield table
    table.close()


def by_script(line: dict[str, object]) -> dict[str, Any]:
    """How the hand ends when the same is written as a table script."""
    table = Table()
    table.handle(parse_table_line(line))
    for entry in HAND:
        plan = table.outcome.plan
        seat = {"seat": plan[0].seats[0]} if plan and isinstance(plan[0], BettingRoundStep) else {}
        table.handle(script_lines.parse_line({**entry, **seat}))
    return dict(shown(table.outcome, len(HAND)))


def test_a_hand_ends_as_the_script_says(table: OnTerminal) -> None:
    table.press("next")
    for card in CARDS:
        assert table.await_gate()
        table.card(card)
    for _ in range(5):
        table.press("fold")
    assert table.count_matching_lines(ev="card") == len(CARDS)
    wanted = json.loads(json.dumps(by_script(dict(table.file.table_line))))
    ended = json.loads(json.dumps(table.output))
    for key in ("phase", "next", "piles", "board", "button", "hand", "lamps", "gate"):
        assert ended.get(key) == wanted.get(key), key
