"""docs/hardware/starter.md to the letter: wires, parts, minutes, commands, and the first hand at simulated far ends."""

import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config.table_file import DEMO_FILE, load_table_file
from controller.app.commissioning.table_file_check import find_problems, find_refused_keys
from controller.app.commissioning.wiring import NAME_BY_HEADER_PIN, read_wiring
from controller.app.commissioning.wiring_drawing import render_wiring_svg
from controller.app.diagnostics import machine_checks, machine_ports
from controller.app.diagnostics.machine_ports import MachinePort, UsbDevice
from controller.app.table import table_devices
from controller.cli import table_options
from controller.cli.table import doctor_command
from controller.runtime.devices.deck_store import STANDARD_DECK, DeckStore
from controller.runtime.loop.table_view import LIVE
from drivers.contract.driver_interface import CardEdgeSensed, DeviceEvent
from drivers.pins.gpio_header import FIXED_PULL_UP_PINS, SPI_0_SIGNALS, UART_0_SIGNALS
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.simulated_pins import SimulatedPins
from tests.app.whole_table import WholeTable
from tests.cli.conftest import World, list_page_rows
from tests.docs.test_commands_and_links import ROOT, calls

Tablectl = Callable[..., tuple[int, str, str]]

FILE = DEMO_FILE.parent / "starter.toml"
PAGE = ROOT / "docs/hardware/starter.md"
TEXT = PAGE.read_text(encoding="utf-8")
read_rows = partial(list_page_rows, TEXT)
PORT = "sim://rdm6300/shoe"
"""Where the simulated reader is; the page's is the name of a USB cable."""

WALKED = [
    "3. The program",
    "4. The table's file and the serial port",
    "5. Is it right?",
    "6. Every key, card and lamp",
    "7. The deck",
    "8. The service",
]
"""The sections whose commands `test_from_nothing_to_the_first_hand` types."""

KEYS = ["next", "fold", "undo", "card", "exposed", "boxed", "premature", "floor"]
LED_PINS = [18, 23, 24, 25, 12, 16, 20, 21]


def read_section(title: str) -> str:
    return re.split(r"^##+ ", TEXT[TEXT.index(f"# {title}\n") :], maxsplit=1, flags=re.MULTILINE)[0].partition("\n")[2]


def read_commands(text: str) -> list[str]:
    return re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE)


def test_every_wire_is_one_of_the_file_and_the_other_way_round() -> None:
    wiring = read_wiring(load_table_file(FILE))
    assert (wiring.conflicts, wiring.notes) == ((), ())
    told = {}
    for pin, name, _, end in read_rows("pin | GPIO | wire"):
        assert NAME_BY_HEADER_PIN[int(pin)] == name.replace(" ", "")
        if name.startswith("GPIO"):
            told[int(pin)] = end
    assert told.keys() == {wire.header_pin for wire in wiring.wires}
    for wire in wiring.wires:
        end = told[wire.header_pin]
        match wire.device:
            case "panel":
                assert f"`{wire.role.removeprefix('key ')}`; its other side to rail –" in end
                assert wire.end == "key to ground"
            case "lamps":
                seat = wire.role.removeprefix("lamp of ")
                assert end == f"560 Ω, then the long leg of the LED of {seat}; its short leg to rail –"
                assert wire.end.endswith("through 560 Ω to ground")
            case _:
                assert (wire.device, wire.role) == ("mouth", "edge")
                assert "light barrier" in end
    assert wiring.connections[0].port in TEXT
    drawing = (PAGE.parent / "starter.svg").read_text(encoding="utf-8")
    assert render_wiring_svg(wiring, "Wiring of starter") == drawing


def test_colours_and_numbers_go_together() -> None:
    colours = ["brown", "red", "orange", "yellow", "green", "blue", "violet", "grey"]
    rows = read_rows("pin | GPIO | wire")
    assert ", ".join(f"{number} {colour}" for number, colour in enumerate(colours, 1)) in " ".join(TEXT.split())
    for what in ("key {}, ", "LED of seat {};"):
        assert [next(row[2] for row in rows if what.format(number) in row[3]) for number in range(1, 9)] == colours
    assert [int(row[0]) % 2 for row in rows if "key" in row[3]] == [1] * 8
    assert [int(row[0]) % 2 for row in rows if "LED" in row[3]] == [0] * 8


def test_no_pin_is_one_by_which_the_board_speaks(tmp_path: Path) -> None:
    """So the reader can be on the Pi's own serial port with one line of the file changed, as the page says."""
    wires = read_wiring(load_table_file(FILE)).wires
    used = {wire.bcm_number for wire in wires}
    assert not used & {0, 1, *FIXED_PULL_UP_PINS, *UART_0_SIGNALS, *SPI_0_SIGNALS}
    path = tmp_path / "starter.toml"
    line = next(line for line in read_commands(read_section("Without the cable")) if "sed" in line)
    path.write_text(FILE.read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run([*shlex.split(line.removeprefix("sudo "))[:-1], path], check=True)
    assert load_table_file(path).devices["shoe"].port == "/dev/serial0"
    assert find_problems(path) == []


def test_keys_are_explained_and_no_table_in_play_refuses_one() -> None:
    file = load_table_file(FILE)
    assert [row[0].strip("`") for row in read_rows("key | when")] == [*file.key_lines_by_panel["panel"]] == KEYS
    assert [*find_refused_keys(file)] == []


def test_parts_power_and_minutes_add_up() -> None:
    load = read_wiring(load_table_file(FILE)).load
    assert load is not None
    *power, total = [(what, int(current)) for what, current in read_rows("what | mA at 5 V")]
    assert dict(power)["eight LEDs"] == round(load.current_ma)
    assert total == ("in all", sum(current for _, current in power))
    parts = {row[1].partition(",")[0]: row for row in read_rows("number | part | maker's number")}
    assert all(row[2] and row[3] for row in parts.values())
    assert parts["RDM6300 with its coil"][3] == f"less than {dict(power)['RDM6300 with its coil']} mA at 5 V"
    assert parts["USB serial cable with signals of 5 V"][3] == f"{dict(power)['chip in the USB cable']} mA at 5 V"
    assert parts["slotted light barrier"][3] == f"{dict(power)['light barrier']} mA at 3.3 V"
    assert round((3.3 - 1.25) / 150 * 1000) == dict(power)["light barrier"], "1.25 V at the emitter: Vishay 81147"
    assert parts["LED 5 mm"][3] == f"{load.current_ma / load.led_count:.1f} mA each at 3.3 V"
    assert parts["resistor 560 Ω (green"][0] == parts["LED 5 mm"][0] == str(load.led_count)
    assert sum(int(row[2]) for row in read_rows(" | step | minutes".strip())) == 60


DONE_ELSEWHERE = {
    "scp -r table-controller pi@table.local:": "",
    "ssh -L 8080:127.0.0.1:8080 pi@table.local": "",
    "sudo apt update": "",
    "sudo apt install python3-venv make git openssl python3-rpi-lgpio": "",
    "sudo make -C table-controller install": "make install",
    "sudo udevadm control --reload": "",
    "sudo udevadm trigger": "",
    "sudo systemctl enable --now table-controller": "systemctl enable --now table-controller",
    "systemctl status table-controller": "systemctl status table-controller",
    "sudo journalctl -u table-controller --grep one-time": "journalctl -u table-controller",
}
"""What only a Raspberry Pi can do, and how docs/installing.md or docs/technician.md have it."""


def test_light_barrier_as_it_is_wired_is_free_until_a_card_comes() -> None:
    """Its transistor conducts while light falls on it, and pulls the pin to ground against the 10 kΩ to 3.3 V."""
    [end] = [end for _, name, _, end in read_rows("pin | GPIO | wire") if name == "GPIO 26"]
    assert end == "the leg of the light barrier marked + on its side D, and from there 10 kΩ to rail +"
    assert ["the second leg on side E, the second on side D", "rail –"] in read_rows("light barrier, other legs")
    clock = ManualClock()
    pins = SimulatedPins(clock)
    covered = False
    pins.drive(26, lambda: covered)
    driver = table_devices.build_devices(load_table_file(FILE)).pin_drivers["mouth"]
    driver.start(pins)
    seen: list[DeviceEvent] = []
    for sample in range(40):
        covered = 10 <= sample < 30
        clock.advance(0.005)
        seen += driver.sample(pins, clock())
    assert seen == [CardEdgeSensed("mouth", is_covered=True), CardEdgeSensed("mouth", is_covered=False)]


class Walk:
    """Types the page's commands in their order; what is not of `tablectl` is done for real in a folder, or is known."""

    def __init__(self, root: Path, tablectl: Tablectl) -> None:
        self.root = root
        self.table_file = root / "etc/table-controller/table.toml"
        self._tablectl = tablectl
        for folder in ("etc/table-controller", "etc/udev/rules.d", "usr/local/bin", "state"):
            (root / folder).mkdir(parents=True)
        program = root / "opt/table-controller/current"
        (program / "venv/bin").mkdir(parents=True)
        (program / "config").mkdir()
        for file in FILE.parent.glob("*.*"):
            (program / "config" / file.name).write_bytes(file.read_bytes())

    def type(self, command: str) -> tuple[int, str]:
        """Do what a line of the page says; return its status and output."""
        if command in DONE_ELSEWHERE:
            pages = [(ROOT / f"docs/{page}.md").read_text(encoding="utf-8") for page in ("installing", "technician")]
            assert any(DONE_ELSEWHERE[command] in page for page in pages)
            return 0, ""
        here = re.sub(r"/(?=(?:opt|etc|usr)/)", f"{self.root}/", command)
        here = here.replace("/var/lib/table-controller", str(self.root / "state")).replace("sudo ", "")
        status, given = 0, ""
        for part in re.split(r" \| ", here):
            words = shlex.split(part)
            if words[0] == "tablectl":
                status, given, why = self._tablectl(*words[1:])
                assert not why, why
            else:
                done = subprocess.run(words, input=given, capture_output=True, text=True, check=True)
                given = done.stdout
        if command.endswith("table.toml"):
            text = self.table_file.read_text(encoding="utf-8")
            self.table_file.write_text(text.replace("/dev/table/shoe", PORT), encoding="utf-8")
        return status, given


@pytest.fixture
def walk(
    tmp_path: Path, tablectl: Tablectl, mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch, world: World
) -> Walk:
    """A fresh Raspberry Pi with the cable plugged in."""
    walk = Walk(tmp_path, tablectl)
    monkeypatch.setattr(table_options, "INSTALLED_TABLE_FILE", walk.table_file)
    monkeypatch.setattr(doctor_command, "INSTALLED_TABLE_FILE", walk.table_file)
    mocker.patch.object(machine_checks, "read_board_model", return_value="Raspberry Pi 4 Model B Rev 1.5")
    mocker.patch.object(table_devices, "open_pins", side_effect=lambda _: world.bench.pins.reopen())
    cable = MachinePort(
        "/dev/ttyUSB0", "/dev/serial/by-id/usb-FTDI_TTL232R_FT9", UsbDevice("0403", "6001", "FT9", "TTL232R", "00"),
        "dialout", True, (),
    )  # fmt: skip
    mocker.patch.object(machine_ports, "list_serial_ports", return_value=[cable])
    world.bench.add_port(PORT)
    return walk


def watch_leds(world: World, seconds: float) -> Callable[[], Iterator[set[int]]]:
    """Look at the pins of the LEDs so long; the answer gives which were lit together, one after the other."""
    seen: list[frozenset[int]] = []
    for number in range(round(seconds * 20)):
        world.schedule(
            number / 20,
            lambda: seen.append(frozenset(pin for pin in LED_PINS if world.bench.pins.get_driven_level(pin))),
        )
    return lambda: (set(lit) for lit, _ in groupby(lit for lit in seen if lit))


def hold_card(world: World, tag: str, at: float) -> None:
    reader = world.bench.reader("shoe")
    world.schedule(at, lambda: reader.present(tag))
    world.schedule(at + 0.3, lambda: reader.remove(tag))


def test_from_nothing_to_the_first_hand(
    walk: Walk, world: World, on_pins: Callable[[Path], Bench], tmp_path: Path
) -> None:
    steps = [re.sub(r"^\[|\]\(.*$", "", row[1]) for row in read_rows("| step | minutes")]
    sections = re.findall(r"^### (\d)\. (.*)$", TEXT, re.MULTILINE)
    assert [title.lower() for _, title in sections] == [step.lower() for step in steps]

    program, named, right, tried, registered, served = (read_commands(read_section(title)) for title in WALKED)
    for command in program:
        assert walk.type(command)[0] == 0
    assert (tmp_path / "usr/local/bin/tablectl").is_symlink()

    for _ in range(2):  # somebody does it again
        answers = [walk.type(command) for command in named]
    assert [status for status, _ in answers] == [0] * 5
    assert "TTL232R" in answers[1][1]
    rules = (tmp_path / "etc/udev/rules.d/70-table.rules").read_text(encoding="utf-8")
    assert 'ATTRS{serial}=="FT9"' in rules
    assert 'SYMLINK+="table/shoe"' in rules
    bench = on_pins(walk.table_file)

    check, wiring, doctor = [walk.type(command) for command in right]
    assert (check[0], "is right" in check[1], "look" in check[1]) == (0, True, False)
    assert wiring[0] == 0
    assert f"shoe    rdm6300  {PORT}" in wiring[1]
    bad = [line.split()[1] for line in doctor[1].splitlines() if line.startswith("  BAD")]
    assert [subject for subject in bad if subject != "disk:"] == ["decks:"], doctor[1]
    looks = re.findall(r"^ look {2}(\w+)", doctor[1], re.MULTILINE)
    assert {*looks} >= {"shoe", "dwell"}, "it hears nothing of a reader that only speaks, and is slow"
    assert "`dwell`" in read_section("5. Is it right?")

    monitor, lamps = tried
    for number, key in enumerate(KEYS):
        world.schedule(1.0 + number, partial(bench.panel("panel").tap, key))
    world.schedule(20.0, lambda: bench.sensors("mouth").pass_card(0.3))
    hold_card(world, "6F007B3900", 20.0)
    status, out = walk.type(monitor)
    assert (status, re.findall(r"panel +key (\w+)", out)) == (0, KEYS)
    assert [line.split(maxsplit=2)[1:] for line in out.splitlines()[8:]][:1] == [["mouth", "edge covered"]]
    assert "tag 6F007B3900" in out
    assert "edge free" in out
    lit = watch_leds(world, 20.0)
    assert walk.type(lamps)[0] == 0
    alone = [pins for pins, _ in groupby(lit())]
    assert alone == [*({pin} for pin in LED_PINS), set(LED_PINS)]

    [register] = registered
    for number in range(52):
        hold_card(world, f"6F{0x007B3900 + number:08X}", 1.0 + number)
    status, out = walk.type(register)
    assert (status, "registered red: 52 cards" in out) == (0, True), out
    assert walk.type("sudo tablectl doctor")[1].count("decks") == 1

    for command in served:
        assert walk.type(command) == (0, "")
    unit = (ROOT / "systemd/table-controller.service").read_text(encoding="utf-8")
    assert "run --config /etc/table-controller/table.toml" in unit

    decks = DeckStore(tmp_path / "state/table.sqlite")
    deck = decks.get("red")
    decks.close()
    assert set(deck.card_by_tag.values()) == set(STANDARD_DECK)
    (tmp_path / "first").mkdir()
    bench.close()
    with WholeTable(walk.table_file, tmp_path / "first", deck=deck, mode=LIVE) as table:
        play_first_hand(table)


def measure_duty(table: WholeTable, seat: int) -> float:
    """Of two seconds, which is one pattern: the part in which the pin of a seat's LED was high."""
    high = 0
    for _ in range(100):
        table.run(0.02)
        high += bool(table.bench.pins.get_driven_level(LED_PINS[seat - 1]))
    return high / 100


def deal(table: WholeTable, cards: Iterator[str]) -> int:
    """Deal while the LEDs or the page want cards; return how many."""
    count = 0
    while table.gate_is_open():
        table.card(next(cards))
        count += 1
    return count


def play_first_hand(table: WholeTable) -> None:
    """The list of the page's last step, line by line."""
    cards = iter(STANDARD_DECK)
    told = read_section("9. The first hand")
    assert "at seats 1, 2, 4, 5, 7 and 8, with the button at seat 1" in told
    assert not any(map(table.bench.pins.get_driven_level, LED_PINS))
    table.press("next")
    assert "The LED of seat 2 winks" in told
    assert 0.65 < measure_duty(table, 2) < 0.85
    assert (measure_duty(table, 1), measure_duty(table, 3)) == (1.0, 0.0)
    assert 0.65 < measure_duty(table, 4) < 0.85, "the big blind"
    assert "Deal twelve cards" in told
    assert deal(table, cards) == 12
    assert "the LED of seat 5 blinks slowly" in told
    assert 0.4 < measure_duty(table, 5) < 0.6
    assert "seat 5 has folded, and seat 7 acts" in told
    table.press("fold")
    assert (measure_duty(table, 5), 0.4 < measure_duty(table, 7) < 0.6) == (0.0, True)
    for burn_and_board in (4, 2, 2):
        table.press("next")
        assert deal(table, cards) == burn_and_board
    table.press("next")
    assert table.output["phase"] == "showdown"
    table.press("next")
    assert table.output["phase"] == "idle"
    table.press("next")
    assert "the button is at seat 2" in told
    assert table.output["lamps"]["button"] == [2]
    assert table.count_matching_lines(ev="card", card=None) == 0
    assert table.standings[-1].notices == ()


def test_each_key_at_a_table_in_play(tmp_path: Path) -> None:
    """`next` and `fold` are in the first hand; here are the other six."""
    with WholeTable(FILE, tmp_path, mode=LIVE) as table:
        cards = iter(STANDARD_DECK)
        table.press("next")
        table.card(next(cards))
        table.press("exposed")
        assert table.output["rulings"][-1]["finding"] == "exposed"
        table.press("undo")
        table.press("boxed")
        assert table.output["rulings"][-1]["finding"] == "boxed"
        table.press("undo")
        assert (table.output["phase"], table.output["rulings"]) == ("deal", [])
        table.press("card")
        assert table.count_matching_lines(ev="card", card=None) == 1
        assert deal(table, cards) == 10
        table.card(next(cards))
        assert "premature" in table.output["next"][0]["options"]
        table.press("premature")
        assert table.output["rulings"][-1]["finding"] == "premature"
        table.press("floor")
        assert table.standings[-1].floor_called
        table.run(2.0)
        table.press("floor")
        assert not table.standings[-1].floor_called, "once more: the call is taken back"


def test_every_command_that_the_page_names_is_typed_in_the_walk() -> None:
    walked = [line for title in WALKED for line in read_commands(read_section(title))]
    other = [line for line in read_commands(TEXT) if line not in walked]
    assert other == read_commands(read_section("Without the cable")), "nobody walks these commands"
    typed = {words for line in walked for words in re.findall(r"(?<!/)tablectl ([a-z]+)", line)}
    assert {call[0] for call in calls(PAGE) if call[0].isalpha()} <= typed


@pytest.mark.parametrize(("over_the_coil_s", "read"), [(0.15, True), (0.06, False)])
def test_two_cards_a_second_are_read_and_a_hasty_one_is_counted(
    over_the_coil_s: float, read: bool, tmp_path: Path
) -> None:
    assert "about 0.15 s, alone. **Two cards a second is the most**" in " ".join(TEXT.split())
    with WholeTable(FILE, tmp_path, mode=LIVE) as table:
        table.press("next")
        for card in STANDARD_DECK[:12]:
            tag = table.tags[card]
            table.bench.sensors("mouth").pass_card(over_the_coil_s)
            table.bench.reader("shoe").present(tag)
            table.run(over_the_coil_s)
            table.bench.reader("shoe").remove(tag)
            table.run(0.5 - over_the_coil_s)
        table.run(1.0)
        assert table.count_matching_lines(ev="card") == 12
        assert table.count_matching_lines(ev="card", card=None) == (0 if read else 12)
