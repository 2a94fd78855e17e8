"""The example tables, whole: hands dealt, a reader pulled out, a board that restarts, a card that is not read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from config.table_file import DEMO_FILE, load_table_file
from controller.app.commissioning.table_file_check import find_problems
from controller.app.commissioning.wiring import read_wiring
from controller.app.commissioning.wiring_drawing import render_wiring_svg
from controller.app.workshop.lamp_test import find_lamp_seats
from controller.runtime.faults.fault_table import make_clear_event
from controller.runtime.faults.notices import NoticeCode
from drivers.simulators.bridge_simulator import BridgeSimulator
from tests.app.whole_table import WholeTable

FILES = [
    DEMO_FILE.parent / f"{name}.toml" for name in ("rfid-shoe", "barcode-shoe", "seat-leds", "starter", "seat-antennas")
]
PAGES = Path(__file__).parents[3] / "docs/hardware"
DECK = ["As", "Kd", "7c", "2h", "9s", "Jd", "4c", "5h", "Qs", "8d", "Tc", "6h", "3s", "Ah", "2c", "Kc"]


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WholeTable]:
    with WholeTable(request.param, tmp_path) as table:
        yield table


@pytest.fixture
def board(tmp_path: Path) -> Iterator[WholeTable]:
    with WholeTable(FILES[1], tmp_path) as table:
        yield table


@pytest.mark.parametrize("path", FILES, ids=lambda file: file.stem)
def test_example_is_right_and_explained(path: Path) -> None:
    assert find_problems(path) == []
    file = load_table_file(path)
    wiring = read_wiring(file)
    assert wiring.conflicts == ()
    page = (PAGES / f"{path.stem}.md").read_text(encoding="utf-8")
    for cable in wiring.connections:
        assert cable.port in page
    for wire in wiring.wires:
        assert f"GPIO {wire.bcm_number}" in page, f"the page does not say what GPIO {wire.bcm_number} is for"
    drawing = (PAGES / f"{path.stem}.svg").read_text(encoding="utf-8")
    for wire in wiring.wires:
        assert f"{wire.device} {wire.role}" in drawing


def test_eight_seats_have_leds_on_the_pins_of_one_pi() -> None:
    file = load_table_file(DEMO_FILE.parent / "seat-leds.toml")
    assert file.table_line["places"] == 8
    seats = find_lamp_seats(file)
    assert {"attention", "act", "deal", "button", "small_blind", "big_blind"} == seats.keys()
    assert set(seats.values()) == {(1, 2, 3, 4, 5, 6, 7, 8)}
    wiring = read_wiring(file)
    assert [cable.device for cable in wiring.connections] == ["shoe"], "the reader is on USB"
    assert wiring.load is not None
    assert wiring.load.led_count == 16
    page = (PAGES / "seat-leds.md").read_text(encoding="utf-8")
    assert f"{wiring.load.resistor_ohm} Ω take {wiring.load.current_ma:.0f} mA" in page
    assert render_wiring_svg(wiring, "Wiring of seat-leds") == (PAGES / "seat-leds.svg").read_text(encoding="utf-8")


def deal(table: WholeTable, cards: Iterator[str], count: int) -> None:
    for _ in range(count):
        assert table.await_gate()
        before = table.count_matching_lines(ev="card")
        table.card(next(cards))
        assert table.count_matching_lines(ev="card") == before + 1


def test_a_hand_is_dealt_and_folded(table: WholeTable) -> None:
    assert not table.gate_is_open()
    cards = iter(DECK)
    table.press("next")
    deal(table, cards, 12)
    assert table.output["phase"] == "bet"
    assert not table.gate_is_open()
    lamps = table.output["lamps"]
    beside = (
        {*lamps["button"], *lamps["small_blind"], *lamps["big_blind"]} if table.file.path.stem == "starter" else set()
    )
    assert {*table.lit_seats("act")} - beside == {*lamps["act"]}, "a single LED a seat shows button and blinds, too"
    for _ in range(5):
        table.press("fold")
    assert table.count_matching_lines(ev="act", do="fold") == 5
    assert table.output["phase"] not in ("bet", "halted")
    assert not table.has_notice(NoticeCode.NO_EDGE)


def test_a_card_that_is_not_read(table: WholeTable) -> None:
    table.press("next")
    table.card("As", read=False)
    assert table.count_matching_lines(ev="card", card=None) == 1
    table.card("Kd")
    assert table.count_matching_lines(ev="card") == 2


def test_reader_pulled_out_and_put_back_in_mid_hand(table: WholeTable) -> None:
    cards = iter(DECK)
    table.press("next")
    deal(table, cards, 4)
    table.bench.unplug("shoe")
    table.run(0.2)
    assert table.output["phase"] == "halted"
    assert not table.gate_is_open()
    state = {device.name: device for device in table.standings[-1].devices}["shoe"]
    assert state.state == "lost"
    assert "plug" in state.why
    table.press("card")
    assert table.count_matching_lines(ev="card", card=None) == 1, "the hand goes on by keys"
    table.bench.replug("shoe")
    table.run(2.0)
    assert table.output["phase"] == "deal"
    deal(table, cards, 7)
    assert table.output["phase"] == "bet"
    assert (table.count_matching_lines(status="lost"), table.count_matching_lines(status="back")) == (1, 1)


def test_lid_and_jam(table: WholeTable) -> None:
    assert table.file.shoe is not None
    sensors = table.bench.sensors(str(table.file.shoe.edge))
    table.press("next")
    if table.file.shoe.lid is not None:
        sensors.move_lid(open_it=True)
        table.run(0.5)
        assert (table.output["phase"], table.gate_is_open()) == ("halted", False)
        sensors.move_lid(open_it=False)
        table.run(0.5)
    assert (table.output["phase"], table.gate_is_open()) == ("deal", True)
    sensors.jam()
    table.run(2.0)
    assert table.output["phase"] == "halted"
    sensors.clear()
    table.run(0.5)
    assert table.output["phase"] == "deal"
    assert table.has_notice(NoticeCode.JAM_UNREAD)


def test_board_restarts_in_mid_hand(board: WholeTable) -> None:
    cards = iter(DECK)
    board.press("next")
    deal(board, cards, 3)
    button = board.lit_seats("button")
    board.bench.find_simulator("bridge", BridgeSimulator).reset()
    board.run(1.0)
    assert (
        board.count_matching_lines(id="bridge", status="lost"),
        board.count_matching_lines(id="bridge", status="back"),
    ) == (1, 1)
    assert board.has_notice(NoticeCode.EVENTS_MISSED)
    notice = next(notice for notice in board.standings[-1].notices if notice.code is NoticeCode.EVENTS_MISSED)
    assert "compare the table with this page" in notice.text
    assert board.lit_seats("button") == button, "everything is shown again"
    assert not board.gate_is_open(), "a card may have been missed: somebody must compare first"
    board.loop.submit_entry(make_clear_event("events-missed"), "page")
    deal(board, cards, 9)
    assert board.output["phase"] == "bet"


def test_gate_that_the_board_holds_shut_is_said(board: WholeTable) -> None:
    board.press("next")
    board.bench.find_simulator("bridge", BridgeSimulator).board._gate_on_ms = 2900
    board.run(1.0)
    assert board.has_notice(NoticeCode.GATE_HELD)
    assert not board.gate_is_open()
    board.run(11.0)
    assert board.gate_is_open()


def test_reader_set_to_another_speed_is_said(tmp_path: Path) -> None:
    with WholeTable(FILES[1], tmp_path, speeds={"shoe": 4800}) as table:
        for card in DECK[:8]:
            table.bench.reader("shoe").present(table.tags[card])
            table.run(0.5)
        assert table.has_notice(NoticeCode.WRONG_SPEED)


def test_bad_line_to_the_board(tmp_path: Path) -> None:
    """Keys, cards and gate over a line that flips and loses: each exactly once."""
    with WholeTable(FILES[1], tmp_path, {"bridge": "flip=0.002&drop=0.002&seed=4"}) as table:
        cards = iter(DECK)
        table.run(1.0)
        table.press("next")
        table.run(0.5)
        for _ in range(12):
            assert table.await_gate()
            table.card(next(cards))
        for _ in range(5):
            table.press("fold")
            table.run(0.5)
        assert (table.count_matching_lines(ev="start"), table.count_matching_lines(ev="card")) == (1, 12)
        assert table.count_matching_lines(ev="act", do="fold") == 5
