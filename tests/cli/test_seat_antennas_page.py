"""docs/hardware/seat-antennas.md to the letter: wires, parts, commands, and a hand dealt onto simulated antennas."""

import re
import shlex
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config.table_file import DEMO_FILE, load_table_file
from controller.app.commissioning.table_file_check import find_problems, find_refused_keys
from controller.app.commissioning.wiring import read_wiring
from controller.app.commissioning.wiring_drawing import render_wiring_svg
from controller.app.diagnostics import machine_ports
from controller.app.diagnostics.machine_ports import MachinePort, UsbDevice
from controller.app.table import table_devices
from controller.runtime.devices.deck_store import STANDARD_DECK
from controller.runtime.faults.notices import NoticeCode
from controller.runtime.loop.table_view import LIVE
from drivers.pins.gpio_header import UART_0_SIGNALS
from drivers.simulators.bench.bench import Bench
from tests.app.whole_table import WholeTable
from tests.cli.conftest import World, list_page_rows
from tests.docs.test_commands_and_links import ROOT

FILE = DEMO_FILE.parent / "seat-antennas.toml"
PAGE = ROOT / "docs/hardware/seat-antennas.md"
TEXT = PAGE.read_text(encoding="utf-8")
read_rows = partial(list_page_rows, TEXT)
FLAT_TEXT = " ".join(TEXT.split())
SEATS = range(1, 9)
PORTS = {name: f"sim://{driver}/{name}" for name, driver in (("shoe", "pn532"), ("seats", "pepper_c1"))}
DEALT_SEATS = [2, 3, 5, 6, 8, 1] * 2
"""Who gets a card, in order: six players, the button at seat 1."""


def test_every_wire_is_one_of_the_file_and_the_other_way_round() -> None:
    wiring = read_wiring(load_table_file(FILE))
    assert wiring.conflicts == ()
    told: list[tuple[int, int, str]] = []
    for pins, names, end in read_rows("pin | GPIO"):
        role = {
            "first": "attention lamp of seat {}",
            "second": "button lamp of seat {}",
            "keys": "key {}",
            "output": "edge",
        }
        words = re.findall(r"`(\w+)`", end) or re.findall(r"\d", end.partition(":")[0]) or [""]
        told += [
            (int(pin), int(name.removeprefix("GPIO ")), role[end.split()[0]].format(word))
            for pin, name, word in zip(pins.split(", "), names.split(", "), words, strict=True)
        ]
    assert sorted(told) == sorted((wire.header_pin, wire.bcm_number, wire.role) for wire in wiring.wires)
    assert [[f"`{cable.port}`", "115200 8N1"] for cable in wiring.connections] == [
        row[:2] for row in read_rows("port | line")
    ]
    assert {14, 15} <= UART_0_SIGNALS.keys() & {wire.bcm_number for wire in wiring.wires}, "why the console goes off"
    drawing = (PAGE.parent / "seat-antennas.svg").read_text(encoding="utf-8")
    assert render_wiring_svg(wiring, "Wiring of seat-antennas") == drawing


def test_parts_and_power_add_up() -> None:
    file = load_table_file(FILE)
    load = read_wiring(file).load
    assert load is not None
    parts = {row[1].partition(",")[0]: row[0] for row in read_rows("number | part")}
    assert parts["antenna 13.56 MHz with cable"] == str(len(SEATS))
    assert parts["LED"] == parts[f"resistor {load.resistor_ohm} Ω"] == str(load.led_count)
    assert parts["push button"] == str(len(file.key_lines_by_panel["panel"]))
    *power, total = [(what, int(current)) for what, current in read_rows("what, with everything on at once")]
    assert total == ("in all", sum(current for _, current in power))
    assert dict(power)["sixteen LEDs"] == round(load.current_ma)
    readers = sum(current for what, current in power if "PN532" in what or "Pepper" in what)
    assert f"the {readers} mA of the two readers" in FLAT_TEXT
    assert f"{9 * 150} mA, and their adapters 20 mA each: {9 * (150 + 20)} mA in all" in FLAT_TEXT


def test_antenna_lies_at_the_seat_of_its_number_and_wants_the_decks_shoe(tmp_path: Path) -> None:
    file = load_table_file(FILE)
    assert file.places_by_reader == {"seats": {str(seat): f"seat {seat}" for seat in SEATS}}
    assert [*find_refused_keys(file)] == []
    path = tmp_path / "table.toml"
    path.write_text(re.sub(r"(?ms)^\[shoe\].*?^$", "", FILE.read_text(encoding="utf-8")), encoding="utf-8")
    [problem] = find_problems(path)
    assert "needs a [shoe] with its deck" in str(problem)
    assert "a file with `[antennas]` and no `[shoe]` is refused" in FLAT_TEXT


@pytest.mark.parametrize("number", [0, 1])
def test_other_readers_stand_in_place_of_the_pepper_c1(number: int, tmp_path: Path) -> None:
    other = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)[number]
    text, count = re.subn(r"(?ms)^\[device\.seats\].*?(?=^\[device\.mouth\])", other, FILE.read_text(encoding="utf-8"))
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    assert (count, find_problems(path)) == (1, [])


def hold(world: World, reader: str, tag: str, at: float, antenna: str | None = None) -> None:
    simulator = world.bench.reader(reader)
    world.schedule(at, lambda: simulator.present(tag, antenna))
    world.schedule(at + 2.0 if antenna else at + 0.3, lambda: simulator.remove(tag, antenna))


def test_every_command_is_typed(
    tablectl: Callable[..., tuple[int, str, str]],
    world: World,
    on_pins: Callable[[Path], Bench],
    mocker: MockerFixture,
    tmp_path: Path,
) -> None:
    path = tmp_path / "table.toml"
    text = FILE.read_text(encoding="utf-8").replace("var/seat-antennas", str(tmp_path / "state"))
    for name, url in PORTS.items():
        text = text.replace(f"/dev/table/{name}", url)
        world.bench.add_port(url)
    path.write_text(text.replace('"rfid-shoe-deck.csv"', f'"{FILE.parent}/rfid-shoe-deck.csv"'), encoding="utf-8")
    (tmp_path / "state").mkdir()
    mocker.patch.object(table_devices, "open_pins", side_effect=lambda _: world.bench.pins.reopen())
    usb = [
        MachinePort(f"/dev/ttyUSB{number}", None, UsbDevice("10c4", "ea60", serial, serial, "00"), "dialout", True, ())
        for number, serial in enumerate(("ADAPTER", "PEPPER"))
    ]
    mocker.patch.object(machine_ports, "list_serial_ports", return_value=usb)
    bench = on_pins(path)
    answers: dict[str, str] = {}
    commands = re.findall(r"^ {4}tablectl (.*)$", TEXT, re.MULTILINE)
    for command in commands:
        if command.startswith("monitor") and "--device" in command:
            for seat in SEATS:
                hold(world, "seats", f"04A035B2BC2B{seat:02X}", 5.0 * seat, str(seat))
        elif command.startswith("monitor"):
            world.schedule(5.0, lambda: bench.panel("panel").tap("premature"))
        elif command.startswith("deck"):
            for number in range(52):
                hold(world, "shoe", f"04A035B2BC2B{number:02X}", 1.0 + number)
        elif command.startswith("run"):
            continue  # the other tests of this file are such a table
        words = [str(path) if "/" in word else word for word in shlex.split(command)]
        status, answers[command], why = tablectl(*words)
        assert (why, status) == ("", 1 if command.startswith("doctor") else 0), answers[command]
    ports, udev, check, wiring, doctor, antennas, _, others, register = answers.values()
    assert commands[-1].startswith("run --config")
    assert all(name in ports and name in udev for name in ("ADAPTER", "PEPPER"))
    assert "is right" in check
    assert f"seats   pepper_c1  {PORTS['seats']}" in wiring
    bad = [line.split()[1] for line in doctor.splitlines() if line.startswith("  BAD")]
    assert [subject for subject in bad if subject not in ("disk:", "board:")] == ["decks:"], doctor
    read = re.findall(r"tag 04A035B2BC2B(\d\d) at antenna (\d)\s*$", antennas, re.MULTILINE)
    assert [(int(tag), int(antenna)) for tag, antenna in read] == [(seat, seat) for seat in SEATS], antennas
    assert "panel" in others
    assert "premature" in others
    assert "registered red: 52 cards" in register


@pytest.fixture
def table(tmp_path: Path) -> Iterator[WholeTable]:
    with WholeTable(FILE, tmp_path, mode=LIVE) as table:
        table.press("next")
        yield table


def lay(table: WholeTable, card: str, seat: int, *, read: bool = True) -> None:
    """Deal a card out of the shoe onto the antenna of a seat."""
    table.card(card, read=read)
    table.bench.reader("seats").present(table.tags[card], str(seat))


def count_seen(table: WholeTable, card: str, seat: int) -> int:
    return table.count_matching_lines(ev="seen", card=card, at=f"seat {seat}")


def test_a_hand_is_dealt_onto_the_antennas(table: WholeTable) -> None:
    for card, seat in zip(STANDARD_DECK, DEALT_SEATS, strict=False):
        lay(table, card, seat)
    table.run(1.5)
    assert table.output["phase"] == "bet"
    assert all(count_seen(table, card, seat) == 1 for card, seat in zip(STANDARD_DECK, DEALT_SEATS, strict=False))
    assert table.count_matching_lines(ev="seen") == 12
    assert (table.output["rulings"], table.standings[-1].notices) == ([], ())
    for _ in range(5):
        table.press("fold")
    assert table.output["phase"] not in ("bet", "halted")


@pytest.mark.parametrize("ahead", [0, 2])
def test_a_card_at_the_wrong_seat_is_found_and_one_that_was_held_there_taken_back(
    table: WholeTable, ahead: int
) -> None:
    """`ahead` are the cards that the dealer has dealt on before the antenna's turn comes."""
    lay(table, "As", 2)
    table.card("Kd")
    for card in ("7c", "2h")[:ahead]:
        table.card(card)
    table.bench.reader("seats").present(table.tags["Kd"], "5")
    table.run(1.6)
    [ruling] = table.output["rulings"]
    assert (ruling["finding"], ruling["verdict"], ruling["seat"]) == ("wrong-seat", "misdeal", 3)
    assert ruling["cite"]
    assert "by Robert's Rules a misdeal on the first cards" in FLAT_TEXT
    table.bench.reader("seats").remove(table.tags["Kd"], "5")
    table.bench.reader("seats").present(table.tags["Kd"], "3")
    table.press("undo")
    table.run(2.0)
    assert (table.output["phase"], table.output["rulings"]) == ("deal", [])
    assert count_seen(table, "Kd", 3) == 1


def test_a_card_that_passes_another_seats_antenna_is_no_card_there(table: WholeTable) -> None:
    """Every part of a round: it is read there once or not at all, and lies at its own seat."""
    assert "A card that is read in passing, by one look, counts for nothing" in FLAT_TEXT
    seats = table.bench.reader("seats")
    for passed, (card, seat) in enumerate(zip(STANDARD_DECK, DEALT_SEATS, strict=False)):
        table.card(card)
        seats.present(table.tags[card], "4")
        table.run(0.15)
        seats.remove(table.tags[card], "4")
        seats.present(table.tags[card], str(seat))
        table.run(1.6 + 0.05 * passed)
        assert table.output["rulings"] == []
        assert count_seen(table, card, 4) == 0
        assert count_seen(table, card, seat) == 1


def test_antennas_name_what_the_shoe_did_not(table: WholeTable) -> None:
    lay(table, "As", 2, read=False)
    table.run(1.6)
    table.bench.unplug("shoe")
    table.run(0.2)
    table.press("card")
    table.bench.reader("seats").present(table.tags["Kd"], "3")
    table.run(1.6)
    assert table.count_matching_lines(ev="card", card=None) == 2
    assert (count_seen(table, "As", 2), count_seen(table, "Kd", 3)) == (1, 1)
    assert table.output["rulings"] == []
    # Known by name now, either card is missed where it belongs when it turns up elsewhere.
    table.bench.replug("shoe")
    table.run(2.0)
    table.bench.reader("seats").present(table.tags["Kd"], "6")
    table.run(2.0)
    assert [ruling["finding"] for ruling in table.output["rulings"]] == ["wrong-seat"]


def test_strange_card_is_noticed_and_a_lost_reader_stops_nothing(table: WholeTable) -> None:
    table.bench.reader("seats").present("04FFFFFFFFFFFF", "4")
    table.run(1.6)
    [notice] = [each for each in table.standings[-1].notices if each.code is NoticeCode.FOREIGN_TAG]
    assert "seat 4" in notice.text
    table.bench.unplug("seats")
    table.run(0.5)
    assert {device.name: device.state for device in table.standings[-1].devices}["seats"] == "lost"
    table.card("As")
    assert (table.output["phase"], table.count_matching_lines(ev="card", card="As")) == ("deal", 1)


@pytest.mark.parametrize(("cards", "told_s"), [(0, 1.2), (2, 1.6)])
def test_a_card_is_known_within_two_rounds(table: WholeTable, cards: int, told_s: float) -> None:
    """The times of the page: from the card's coming, at whatever moment of the round, until the table knows."""
    assert "over eight empty antennas takes 0.6 s, and 0.8 s with two cards at each" in FLAT_TEXT
    assert "within two rounds, 1.2 or 1.6 s, the table knows" in FLAT_TEXT
    seats = table.bench.reader("seats")
    table.card("As")
    for seat in SEATS:
        for number in range(cards):
            seats.present(f"04FFFFFFFF{seat:02X}{number:02X}", str(seat))
    table.run(2.0)
    times = []
    for moment in range(12):
        table.run(0.13 * moment)  # every part of a round
        seats.present(table.tags["As"], "2")
        for step in range(1, 40):
            table.run(0.05)
            if count_seen(table, "As", 2) > moment:
                times.append(step * 0.05)
                break
        seats.remove(table.tags["As"], "2")
        table.run(4.0)
    assert len(times) == 12
    assert told_s * 0.75 < max(times) <= told_s + 0.1, times


def test_an_antenna_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    with WholeTable(FILE, tmp_path, {"seats": "failing=3"}) as table:
        table.run(4.0)
        [seats] = [device for device in table.standings[-1].devices if device.name == "seats"]
        assert seats.why.startswith("its antenna 3 cannot be used")
        assert "`its antenna 3 cannot be used`" in TEXT
