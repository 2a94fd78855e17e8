"""`tablectl check` and its schema."""

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from config.config_error import ConfigError
from config.table_file import DEMO_FILE, load_table_file
from controller.app.commissioning import table_file_check
from controller.app.commissioning.table_file_check import find_doubts, find_refused_keys
from controller.app.commissioning.table_file_schema import make_table_schema
from controller.app.simulation.simulated_deck_list import load_listed_deck
from controller.cli.table import check_command
from drivers.contract.driver_registry import DRIVERS, load_driver_class

Tablectl = Callable[..., tuple[int, str, str]]
TableFile = Callable[[str], Path]


def test_every_mistake_is_named_with_its_line(tablectl: Tablectl, table: TableFile) -> None:
    path = table(
        """
[device.shoe]
driver = "rdm6300"
port = "/dev/ttyUSB0"
model = "rdm6301"

[device.gate]
driver = "gate"
pin = 4
open_level = "high"
fail_safe = "locked"

[device.lamp]
driver = "lamps_594"
"""
    )
    status, out, _ = tablectl("check", path)
    assert status == 2
    lines = path.read_text().splitlines()
    model = lines.index('model = "rdm6301"') + 1
    assert f"table.toml:{model}: device.shoe.model: it must be 'rdm6300' or" in out
    assert f"table.toml:{lines.index('pin = 4') + 1}: device.gate.pin: pin 4 is pulled up while the board boots" in out
    assert "device.lamp.driver: there is no driver 'lamps_594'; there are barcode, bridge" in out
    assert "3 mistakes in" in out


@pytest.mark.parametrize(
    ("devices", "words"),
    [
        ('[device.a]\ndriver = "ssi"\n', "device.a.port: is missing; driver 'ssi' speaks on a byte port"),
        (
            '[device.a]\ndriver = "ssi"\nport = "/dev/x"\n[device.b]\ndriver = "ssi"\nport = "/dev/x"\n',
            "device.b.port: is the port of device 'a' already; one device, one port",
        ),
        (
            '[device.a]\ndriver = "ssi"\nport = "/dev/x"\n[antennas]\na = "seat 0"\n',
            'antennas.a: must be "board", "muck" or a seat such as "seat 3", not \'seat 0\'',
        ),
        (
            '[device.a]\ndriver = "ssi"\nport = "/dev/x"\n[antennas]\na = "seat 2"\n',
            "antennas.a: needs a [shoe] with its deck",
        ),
        (
            '[device.a]\ndriver = "ssi"\nport = "/dev/x"\n[antennas]\na = { 1 = "board", 2 = 3 }\n',
            "antennas.a.2: must be",
        ),
        (
            '[device.a]\ndriver = "pn532"\nport = "/dev/x"\n[antennas]\na = { 1 = "board" }\n',
            "antennas.a.1: device 'a' has no antenna '1'; it names none of its antennas: a = \"board\"",
        ),
        (
            '[device.a]\ndriver = "thingmagic"\nport = "/dev/x"\nregion = "europe"\n[antennas]\na = { 2 = "muck" }\n',
            "antennas.a.2: device 'a' has no antenna '2'; it names them 1",
        ),
    ],
)
def test_what_does_not_fit_together(tablectl: Tablectl, table: TableFile, devices: str, words: str) -> None:
    status, out, _ = tablectl("check", table(devices))
    assert status == 2
    assert words in out


def test_two_names_of_one_port(tablectl: Tablectl, table: TableFile, tmp_path: Path) -> None:
    (tmp_path / "ttyUSB0").touch()
    (tmp_path / "by-id").symlink_to(tmp_path / "ttyUSB0")
    devices = f'[device.a]\ndriver = "ssi"\nport = "{tmp_path}/ttyUSB0"\n[device.b]\ndriver = "ssi"\n'
    status, out, _ = tablectl("check", table(f'{devices}port = "{tmp_path}/by-id"\n'))
    assert status == 2
    assert "device.b.port: is the port of device 'a' already; one device, one port" in out


def test_the_set_up_is_checked_with_the_line_of_its_key(tablectl: Tablectl, table: TableFile) -> None:
    path = table("")
    path.write_text(path.read_text().replace("button = 1", "button = 3"))
    status, out, _ = tablectl("check", path)
    assert status == 2
    line = path.read_text().splitlines().index("button = 3") + 1
    assert f"table.toml:{line}: table.button: nobody sits at `button` 3; it is one of 1, 2, 4" in out


def test_a_right_file_is_said_to_be_right(tablectl: Tablectl) -> None:
    status, out, _ = tablectl("check", DEMO_FILE)
    assert status == 0
    assert "is right: holdem by roberts-7; shoe (rdm6300)" in out


def test_antennas_fit_a_reader_and_a_deck(tablectl: Tablectl, table: TableFile) -> None:
    path = table(
        '[device.shoe]\ndriver = "ssi"\nport = "/dev/x"\n[shoe]\ndeck = "red"\nreader = "shoe"\n'
        '[device.uhf]\ndriver = "thingmagic"\nport = "/dev/y"\nregion = "europe"\nantenna_ports = [1, 2]\n'
        '[antennas]\nuhf = { 1 = "board", 2 = "seat 3" }\n'
    )
    assert tablectl("check", path)[0] == 0


ANTENNAS_IN_SHOE = (
    '[device.a]\ndriver = "lines"\nport = "/dev/x"\nantennas = ["1", "2"]\n'
    '[device.b]\ndriver = "lines"\nport = "/dev/y"\nantennas = ["1", "2"]\n'
    '[shoe]\ndeck = "red"\nreader = "a"\n[antennas]\n'
)


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ('a = { 1 = "shoe", 2 = "muck" }\nb = { 1 = "board", 2 = "seat 3" }\n', "is right"),
        ('a = { 1 = "board", 2 = "muck" }\n', "antennas.a: device 'a' is a sensor of the shoe already; say which"),
        ('a = "board"\n', "antennas.a: device 'a' is a sensor of the shoe already; say which"),
        ('a = "shoe"\n', 'antennas.a: must be "board", "muck" or a seat'),
        ('b = { 1 = "shoe", 2 = "muck" }\n', "antennas.b.1: device 'b' is not the `reader` of [shoe]"),
        ('a = { 1 = "shoe", 3 = "muck" }\n', "antennas.a.3: device 'a' has no antenna '3'; it names them 1, 2"),
    ],
)
def test_a_reader_of_the_shoe_may_have_antennas_elsewhere(
    tablectl: Tablectl, table: TableFile, places: str, words: str
) -> None:
    status, out, err = tablectl("check", table(ANTENNAS_IN_SHOE + places))
    assert words in out + err
    assert (status == 0) == (words == "is right")


def test_keys_that_a_table_in_play_always_refuses_are_named_and_no_mistake(
    tablectl: Tablectl, table: TableFile
) -> None:
    path = table(
        '[device.p]\ndriver = "key_panel"\n[device.p.keys]\na = 5\nb = 6\nc = 9\nd = 10\ne = 11\nf = 12\n[keys.p]\n'
        'a = { ev = "floor", decide = "misdeal" }\nb = { ev = "call-floor" }\nc = { ev = "halt", on = true }\n'
        'd = { ev = "undo" }\ne = { ev = "report", what = "exposed", witnessed = true }\nf = { ev = "next" }\n'
    )
    status, out, _ = tablectl("check", path)
    assert status == 0
    named = [line for line in out.splitlines() if line.startswith("look: ")]
    assert [line.partition("keys.p.")[2][:1] for line in named] == ["a", "c", "e"]
    assert "Only the floor decides" in named[0]
    assert "call-floor" in named[0]


LAMPS = {
    "lamps_pins": '[device.l]\ndriver = "lamps_pins"\n[device.l.outputs]\nact = { 8 = 11, SEAT = 10 }\n',
    "lamps_595": '[device.l]\ndriver = "lamps_595"\ndata_pin = 22\nclock_pin = 23\nlatch_pin = 24\nenable_pin = 25\n'
    "chips = 1\n[device.l.outputs]\nact = { 8 = 1, SEAT = 0 }\n",
    "lamps_ws2812": '[device.l]\ndriver = "lamps_ws2812"\nport = "spi:///dev/spidev0.0"\nlights = 2\n'
    "[device.l.outputs]\nact = { 8 = 1, SEAT = 0 }\n",
    "bridge": '[device.l]\ndriver = "bridge"\nport = "/dev/table/l"\n[device.l.outputs]\nact = { 8 = 1, SEAT = 0 }\n',
}


@pytest.mark.parametrize("driver", LAMPS)
@pytest.mark.parametrize(("seat", "is_named"), [(7, False), (9, True), (10, True)])
def test_lamp_of_a_seat_that_is_not_there_is_named_and_no_mistake(
    tablectl: Tablectl, table: TableFile, driver: str, seat: int, *, is_named: bool
) -> None:
    path = table(LAMPS[driver].replace("SEAT", str(seat)))
    status, out, _ = tablectl("check", path)
    text = f"'l' has a lamp act of seat {seat}, which never lights: the table has seats 1 to 8 (places in [table])"
    assert status == 0
    assert (f"device.l.outputs.act.{seat}: {text}" in out) is is_named
    status, out, _ = tablectl("wiring", "--config", path)
    assert status == 0
    assert (text in " ".join(out.split())) is is_named


@pytest.mark.parametrize(("seat", "is_named"), [(8, False), (9, True)])
def test_key_and_antenna_of_a_seat_that_is_not_there_are_named(
    tablectl: Tablectl, table: TableFile, seat: int, *, is_named: bool
) -> None:
    path = table(
        '[device.p]\ndriver = "key_panel"\n[device.p.keys]\na = 5\nb = 6\n'
        f'[keys.p]\na = {{ ev = "act", do = "fold", seat = {seat} }}\n'
        'b = { ev = "act", do = "fold", seat = "turn" }\n'
        f'{ANTENNAS_IN_SHOE}a = {{ 1 = "shoe", 2 = "seat {seat}" }}\n'
    )
    status, out, _ = tablectl("check", path)
    assert status == 0
    assert (f"keys.p.a: key 'a' of 'p' is for seat {seat}, and is always refused" in out) is is_named
    assert (f"antennas.a.2: 'a' reads at seat {seat}, and" in out) is is_named
    assert "keys.p.b" not in out


ON_PIN = {
    "lamps_pins": '[device.d]\ndriver = "lamps_pins"\n[device.d.outputs]\nact = { 1 = PIN }\n',
    "lamps_595": '[device.d]\ndriver = "lamps_595"\ndata_pin = 22\nclock_pin = 23\nlatch_pin = PIN\nenable_pin = 25\n'
    "chips = 1\n[device.d.outputs]\nact = { 1 = 0 }\n",
    "buzzer": '[device.d]\ndriver = "buzzer"\npin = PIN\nsounds_at = "high"\n',
    "gate": '[device.d]\ndriver = "gate"\npin = PIN\nopen_level = "high"\nfail_safe = "locked"\n',
    "key_panel": '[device.d]\ndriver = "key_panel"\n[device.d.keys]\na = PIN\n[keys.d]\na = { ev = "done" }\n',
    "panel_165": '[device.d]\ndriver = "panel_165"\nload_pin = PIN\nclock_pin = 16\ndata_pin = 12\nchips = 1\n'
    '[device.d.keys]\na = 0\n[keys.d]\na = { ev = "done" }\n',
    "panel_matrix": '[device.d]\ndriver = "panel_matrix"\nrows = [PIN]\ncolumns = [20]\n[device.d.keys]\na = [0, 0]\n'
    '[keys.d]\na = { ev = "done" }\n',
    "shoe_sensors": '[device.d]\ndriver = "shoe_sensors"\nedge_pin = PIN\n',
}
"""Every driver on pins, one of its pins being PIN."""


def test_every_driver_on_pins_is_tried() -> None:
    on_pins = {driver for driver in DRIVERS if "sample" in dir(load_driver_class(driver))}
    assert set(ON_PIN) == on_pins


@pytest.mark.parametrize("driver", ON_PIN)
@pytest.mark.parametrize(
    ("port", "pin", "is_refused"),
    [
        ("/dev/serial0", 14, True),
        ("/dev/ttyAMA0", 15, True),
        ("/dev/ttyS0", 14, True),
        ("/dev/ttyUSB0", 14, False),
        ("spi:///dev/spidev0.0", 10, True),
        ("spi:///dev/spidev0.1", 11, True),
        ("spi:///dev/spidev0.0", 13, False),
    ],
)
def test_check_and_wiring_refuse_the_same_pin_of_a_port(
    tablectl: Tablectl, table: TableFile, driver: str, port: str, pin: int, *, is_refused: bool
) -> None:
    other = (
        f'[device.r]\ndriver = "lamps_ws2812"\nport = "{port}"\nlights = 1\n[device.r.outputs]\nact = {{ 1 = 0 }}\n'
        if port.startswith("spi")
        else f'[device.r]\ndriver = "rdm6300"\nport = "{port}"\n'
    )
    device = ON_PIN[driver].replace("PIN", str(pin))
    for text in (other + device, device + other):
        path = table(text)
        _, checked, _ = tablectl("check", path)
        status, wired, _ = tablectl("wiring", "--config", path)
        assert (f"on pin {pin}, which is " in checked) is is_refused
        assert (f"GPIO {pin} (pin " in wired and "CONFLICTS" in wired) is is_refused
        assert status == (2 if is_refused else 0)


def test_table_without_places_has_ten_seats(tablectl: Tablectl, table: TableFile) -> None:
    path = table(LAMPS["lamps_pins"].replace("SEAT", "11"))
    path.write_text(path.read_text().replace("places = 8\n", ""))
    assert "the table has seats 1 to 10" in tablectl("check", path)[1]


SERIAL = '[device.r]\ndriver = "lines"\nantennas = ["1"]\nport = '


@pytest.mark.parametrize(
    ("device", "words"),
    [
        (f'{SERIAL}"/dev/table/r"\ndtr = true\nrts = false\n', "is right"),
        (f'{SERIAL}"rfc2217://host:4000"\ndtr = true\n', "is right"),
        (f'{SERIAL}"/dev/table/r"\ndtr = 1\n', "device.r.dtr: must be true or false, not 1"),
        (f'{SERIAL}"/dev/table/r"\nrts = "high"\n', "device.r.rts: must be true or false, not 'high'"),
        (f'{SERIAL}"socket://host:4000"\ndtr = true\n', "device.r.dtr: socket:// has no line DTR; take dtr out"),
        (f'{SERIAL}"socket://host:4000"\nrts = false\n', "device.r.rts: socket:// has no line RTS; take rts out"),
        ('[device.g]\ndriver = "buzzer"\npin = 18\nsounds_at = "high"\ndtr = true\n', "is on pins and has no line DTR"),
    ],
)
def test_levels_of_control_lines(tablectl: Tablectl, table: TableFile, device: str, words: str) -> None:
    path = table(device)
    status, out, _ = tablectl("check", path)
    assert words in out
    assert (status == 0) == (words == "is right")
    assert (tablectl("wiring", "--config", path)[0] == 0) == (words == "is right")


@pytest.mark.parametrize(
    ("port", "words"),
    [
        ("/etc/passwd", "this is a file and no port; name a serial port, under /dev/serial/by-id"),
        ("/dev", "this is a directory and no port"),
        ("/dev/null", "this is a device without a line and no port"),
        ("spy:///dev/ttyACM0?file=/tmp/x", "no port begins with spy://"),
    ],
)
def test_what_is_no_port_is_named_with_its_line(tablectl: Tablectl, table: TableFile, port: str, words: str) -> None:
    status, out, _ = tablectl("check", table(f'{SERIAL}"{port}"\n'))
    assert status == 2
    assert f"device.r.port: {port}: {words}" in out


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ("", "115200 8N1"),
        ("dtr = true", "115200 8N1, DTR high and RTS low"),
        ("dtr = true\nrts = true", "DTR and RTS high"),
    ],
)
def test_wiring_says_which_lines_are_high(tablectl: Tablectl, table: TableFile, levels: str, words: str) -> None:
    _, out, _ = tablectl("wiring", "--config", table(f'{SERIAL}"/dev/ttyUSB0"\n{levels}\n'))
    assert words in out
    _, out, _ = tablectl("wiring", "--config", table(f'{SERIAL}"/dev/ttyACM0"\n{levels}\n'))
    assert "DTR and RTS high" in out


GATE = '[device.gate]\ndriver = "gate"\npin = 17\nopen_level = "high"\nfail_safe = "locked"\n'


@pytest.mark.parametrize(
    ("keys", "is_named"),
    [
        ("", True),
        ("continuous_duty = false\n", True),
        ("continuous_duty = true\n", False),
        ("max_on_seconds = 30\nrest_seconds = 90\n", False),
    ],
)
def test_gate_whose_coil_may_burn_is_named_and_no_mistake(
    tablectl: Tablectl, table: TableFile, keys: str, *, is_named: bool
) -> None:
    path = table(GATE + keys)
    status, out, _ = tablectl("check", path)
    assert status == 0
    assert ("look: " in out and "intermittent duty burns; give it max_on_seconds and rest_seconds" in out) is is_named
    status, out, _ = tablectl("wiring", "--config", path)
    assert status == 0
    assert ("duty burns" in " ".join(out.split())) is is_named


@pytest.mark.parametrize("name", ["demo", "rfid-shoe", "barcode-shoe", "seat-leds", "starter", "seat-antennas"])
def test_no_example_is_doubtful(name: str) -> None:
    assert [*find_doubts(load_table_file(DEMO_FILE.parent / f"{name}.toml"))] == []


@pytest.mark.parametrize(
    ("package", "sensors", "is_told"),
    [("RPi.GPIO", "edge_pin = 4", True), ("RPi.GPIO", "lid_pin = 4", False), ("rpi-lgpio", "edge_pin = 4", False)],
)
def test_a_library_without_edges_is_told_where_a_card_may_pass_unseen(
    tablectl: Tablectl, table: TableFile, mocker: MockerFixture, package: str, sensors: str, *, is_told: bool
) -> None:
    mocker.patch.object(table_file_check, "find_installed_package", return_value=package)
    path = table(f'[device.mouth]\ndriver = "shoe_sensors"\n{sensors}\n')
    status, out, _ = tablectl("check", path)
    assert status == 0
    told = [line for line in out.splitlines() if line.startswith("look: ")]
    assert len(told) == is_told
    assert not is_told or "device.mouth: RPi.GPIO tells no edges" in told[0]
    assert not is_told or "for less than 30 ms may pass unseen; install rpi-lgpio" in told[0]
    assert not is_told or "put the sensor on a microcontroller board (driver bridge)" in told[0]


@pytest.mark.parametrize("name", ["demo", "rfid-shoe", "barcode-shoe", "seat-leds", "starter", "seat-antennas"])
def test_no_key_of_an_example_is_always_refused(name: str) -> None:
    assert [*find_refused_keys(load_table_file(DEMO_FILE.parent / f"{name}.toml"))] == []


TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


def faults(value: object, schema: Mapping[str, Any], root: Mapping[str, Any], at: str = "") -> list[str]:
    """What a validator would say: the part of JSON Schema that ours uses."""
    if "$ref" in schema:
        return faults(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, at)
    found = []
    if "type" in schema and not isinstance(value, TYPES[schema["type"]]):
        return [f"{at}: no {schema['type']}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: not one of {schema['enum']}")
    if "const" in schema and value != schema["const"]:
        found.append(f"{at}: not {schema['const']}")
    if "anyOf" in schema and all(faults(value, option, root, at) for option in schema["anyOf"]):
        found.append(f"{at}: none of its kinds")
    for part in schema.get("allOf", ()):
        if not faults(value, part["if"], root, at):
            found += faults(value, part["then"], root, at)
    if isinstance(value, dict):
        found += [f"{at}.{key}: missing" for key in schema.get("required", ()) if key not in value]
        for key, entry in value.items():
            if key in schema.get("properties", {}):
                found += faults(entry, schema["properties"][key], root, f"{at}.{key}")
            elif schema.get("additionalProperties") is False:
                found.append(f"{at}.{key}: unknown")
            elif isinstance(schema.get("additionalProperties"), dict):
                found += faults(entry, schema["additionalProperties"], root, f"{at}.{key}")
    if isinstance(value, list) and "items" in schema:
        found += [
            fault for n, entry in enumerate(value) for fault in faults(entry, schema["items"], root, f"{at}[{n}]")
        ]
    return found


def test_schema_takes_what_the_program_takes() -> None:
    schema = json.loads(json.dumps(make_table_schema()))
    page = (Path(__file__).parents[2] / "docs/devices.md").read_text()
    assert faults(tomllib.loads(DEMO_FILE.read_text()), schema, schema) == []
    for block in page.split("```toml\n")[1:]:
        example = tomllib.loads(block.partition("```")[0])
        assert faults(example, {**schema, "required": []}, schema) == []


def test_schema_refuses_what_the_program_refuses() -> None:
    schema = make_table_schema()
    demo = tomllib.loads(DEMO_FILE.read_text())
    assert any(".colour: unknown" in fault for fault in faults({**demo, "colour": 1}, schema, schema))
    demo["table"]["live"] = True
    demo["device"]["shoe"]["model"] = "x"
    demo["device"]["gate"]["pins"] = 3
    found = faults(demo, schema, schema)
    assert any(fault.startswith(".device.shoe.model: not one of") for fault in found)
    assert ".device.gate.pins: unknown" in found
    assert ".table.live: unknown" in found, "the program says it, no file"


def test_schema_on_the_command_line(tablectl: Tablectl) -> None:
    status, out, _ = tablectl("check", "--schema")
    assert status == 0
    assert json.loads(out)["title"] == "A poker table"
    with pytest.raises(SystemExit):
        tablectl("check")


MANY = """[table]
rulebook = "roberts-8"
game = "holdem"
betting = { structure = "no-limit", small_blind = 1, big_blind = 2, colour = "red" }
button = 9
places = 99
mode = "cahs"
seats = [{ seat = 1, stack = 200 }, { seat = 2, stack = 200 }]
sensor = ["identity"]

[state]
dir = "var"

[shoe]
deck = "red"
reader = "reader"
edge = "mouth"
smell = "nose"

[device.reader]
driver = "rdm6300"
port = "/dev/x"
model = "rdm6301"
confirm_frames = "two"
speed = 9600

[device.gate]
driver = "gate"
pin = 4
open_level = "high"
fail_safe = "locked"

[device.panel]
driver = "key_panel"
[device.panel.keys]
done = 5
undo = 6
fold = 13

[device.lamp]
driver = "lamps_594"

[device.other]
driver = "ssi"
port = "/dev/y"

[device.another]
driver = "barcode"
port = "/dev/y"

[keys.panel]
done = { ev = "dun" }
fold = { ev = "act", do = "fold" }
call = { ev = "done" }

[antennas]
other = "seat 0"

[page]
port = 80800
names = 3

[lamps]
bright = true
"""


def test_all_kinds_of_mistakes_are_told_in_one_go(tablectl: Tablectl, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(MANY)
    status, out, _ = tablectl("check", path)
    assert status == 2
    *told, last = out.splitlines()
    told = [sentence.removeprefix("table.toml:").partition(": ")[2][:60] for sentence in told]
    begun = [
        "table.rulebook: `rulebook` cannot be 'roberts-8'",
        "table.betting.colour: `betting` has no key `colour`",
        "table.places: `places` cannot be 99",
        "table.mode: `mode` cannot be 'cahs'",
        "table.sensor: the table line has no key `sensor`",
        "state.dir: is unknown here; known: directory",
        "state.directory: is missing",
        "shoe.edge: names device 'mouth'",
        "shoe.smell: is unknown here",
        "device.reader.model: it must be 'rdm6300' or",
        "device.reader.confirm_frames: it must be a whole number",
        "device.reader.speed: driver 'rdm6300' has no such key",
        "device.gate.pin: pin 4 is pulled up",
        "device.lamp.driver: there is no driver 'lamps_594'",
        "device.another.port: is the port of device 'other' already",
        "keys.panel.done: `ev` cannot be 'dun'",
        "keys.panel.fold: ",
        "keys.panel.undo: is missing",
        "keys.panel.call: panel 'panel' has no such key",
        'antennas.other: must be "board", "muck" or a seat',
        "page.port: must be 0 (any free port) to 65535",
        "page.names: must be a list of host names",
        "lamps: is unknown here",
    ]
    missing = [start for start in begun if not any(sentence.startswith(start[:60]) for sentence in told)]
    surplus = [sentence for sentence in told if not any(sentence.startswith(start[:60]) for start in begun)]
    assert (missing, surplus) == ([], [])
    assert last == f"{len(begun)} mistakes in {path}"


def add_simulation(path: Path, listed: str, more: str = "") -> Path:
    """A table whose deck is registered from that list when it is simulated."""
    (path.parent / "deck.csv").write_text(listed)
    path.write_text(f'{path.read_text()}\n[simulation]\ndeck_list = "deck.csv"\n{more}')
    return path


def decimal_list() -> str:
    """A deck list whose tags are decimal numbers of one length, so that they could be hex."""
    cards = [(rank, suit) for suit in "shdc" for rank in "A23456789TJQK"]
    return "UID,Rank,Suit\n" + "".join(f"{1_000_000_000 + n},{rank},{suit}\n" for n, (rank, suit) in enumerate(cards))


SHOE = '[shoe]\ndeck = "red"\nreader = "shoe"\n[device.shoe]\ndriver = "rdm6300"\nport = "sim://rdm6300/shoe"\n'


def test_the_list_of_the_simulated_deck(tablectl: Tablectl, table: TableFile) -> None:
    status, out, _ = tablectl("check", add_simulation(table(SHOE), decimal_list()))
    assert status == 2
    assert 'simulation.deck_list: deck.csv: the tags are all digits and of one length: say deck_tags = "hex" or' in out
    right = add_simulation(table(SHOE), decimal_list(), 'deck_tags = "decimal"\n')
    assert tablectl("check", right)[0] == 0
    deck = load_listed_deck(load_table_file(right))
    assert deck is not None
    assert deck.card_by_tag["003B9ACA00"] == "As"
    right.with_name("deck.csv").unlink()
    assert tablectl("check", right)[0] == 0, "a table that is in play needs no list"
    with pytest.raises(ConfigError, match=r"deck\.csv cannot be read: No such file or directory"):
        load_listed_deck(load_table_file(right))
    status, out, _ = tablectl(
        "check", add_simulation(table(SHOE), decimal_list()[:-20], 'deck_tags = "binary"\nspeed = 0\n')
    )
    assert "simulation.deck_tags: must be hex, decimal, text, not 'binary'" in out
    assert "simulation.speed: must be 0.1 to 100" in out
    assert status == 2


def test_listing_decks_leaves_no_trace(tablectl: Tablectl, table: TableFile, tmp_path: Path) -> None:
    path = table("")
    assert tablectl("deck", "list", "--config", path) == (
        0, "", "no deck is registered: see `tablectl deck register` and `tablectl deck import`\n"
    )  # fmt: skip
    status, _, said = tablectl("deck", "export", "red", "--config", path)
    assert (status, "there is no such file" in said) == (1, True)
    assert not (tmp_path / "state").exists()


def test_a_file_is_judged_where_it_is_put(
    tablectl: Tablectl, table: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The set-up page leaves a file beside the journal whose certificates lie beside the table's file."""
    installed = tmp_path / "etc/table.toml"
    monkeypatch.setattr(check_command, "INSTALLED_TABLE_FILE", installed)
    installed.parent.mkdir()
    installed.write_text("# the one before\n", encoding="utf-8")
    page = '[page]\nhost = "127.0.0.1"\nport = 8443\ncertificate = "tls/page.crt"\nkey = "tls/page.key"\n'
    wanted = table(page)
    text = wanted.read_text(encoding="utf-8")
    status, out, _ = tablectl("check", wanted, "--install")
    assert (status, f"{installed.parent / 'tls/page.crt'} cannot be read" in out) == (2, True), out
    assert installed.read_text(encoding="utf-8") == "# the one before\n"
    made, _, words = tablectl("certificate", "make", "table-07.local", "--folder", installed.parent / "tls")
    assert made == 0, words
    status, out, words = tablectl("check", wanted, "--install")
    assert status == 0, out + words
    assert installed.read_text(encoding="utf-8") == text
    left = {path.name for path in installed.parent.iterdir()}
    assert (left, wanted.exists()) == ({"table.toml", "table.toml.before", "tls"}, False)


RAKE = 'kind = "rake"\npercent = 5\n'


def write_collection(path: Path, section: str, **table_keys: str) -> dict[str, int]:
    """Put a collection into a table's file; returns the line of each of its keys, and of its header."""
    text = path.read_text()
    for key, value in table_keys.items():
        text = "\n".join(f"{key} = {value}" if line.startswith(f"{key} = ") else line for line in text.splitlines())
    path.write_text(f"{text.rstrip()}\n\n[collection]\n{section}")
    lines = path.read_text().splitlines()
    first = lines.index("[collection]")
    return {line.partition(" = ")[0]: number for number, line in enumerate(lines, 1) if number > first}


@pytest.mark.parametrize(
    ("section", "key", "words"),
    [
        ('kind = "tax"\n', "kind", "cannot be 'tax'; it may be none, rake, hand, button, time"),
        ("percent = 5\n", "[collection]", "kind"),
        ('kind = "hand"\nfee = 1\nraked = 2\n', "raked", "kind, percent, cap, step, caps,"),
        ('kind = "rake"\npercent = 5\nfee = 2\n', "fee", "a collection of kind `rake` does not use `fee`; it may have"),
        ('kind = "button"\nfee = 3\nminutes = 30\n', "minutes", "of kind `button` does not use `minutes`; it may"),
        ('kind = "time"\nfee = 3\n', "[collection]", "a collection of kind `time` needs the key `minutes`"),
        ('kind = "button"\n', "[collection]", "a collection of kind `button` needs the key `fee`"),
        ('kind = "rake"\npercent = 12\n', "percent", "cannot be 12; it is a whole or half number from 0 to 10"),
        ('kind = "rake"\npercent = 5.2\n', "percent", "cannot be 5.2; it is a whole or half number from 0 to 10"),
        ('kind = "hand"\nfee = 0\n', "fee", "`fee`"),
        ('kind = "time"\nfee = "six"\nminutes = 30\n', "fee", "cannot be 'six'; it is a whole number from 0"),
        (RAKE + "step = 0\n", "step", "cannot be 0; it is a whole number from 1"),
        (RAKE + "cap = -4\n", "cap", "cannot be -4; it is a whole number from 0"),
        (RAKE + "caps = [{ dealt = 3 }]\n", "caps", "it is a list of caps, each with `dealt` and `cap`"),
        (RAKE + "caps = [{ dealt = 3, cap = 2 }, { dealt = 3, cap = 4 }]\n", "caps", "one for a number of players"),
    ],
)
@pytest.mark.parametrize("place", ["section", "line"])
def test_a_wrong_collection_is_named_with_the_line_of_its_key(
    tablectl: Tablectl, table: TableFile, section: str, key: str, words: str, place: str
) -> None:
    path = table("")
    number_by_key = write_collection(path, section)
    named = "collection" if key == "[collection]" else f"collection.{key}"
    if place == "line":
        path.write_text(path.read_text().replace("[collection]", "[table.collection]"))
        named = f"table.{named}"
    status, out, _ = tablectl("check", path)
    assert status == 2
    assert words in out
    if (place, key) == ("section", "[collection]"):
        assert f"table.toml:{number_by_key[key]}: {named}" in out
    elif place == "section" or key != "[collection]":
        assert f"table.toml:{number_by_key.get(key)}: {named}" in out or f"`{key}`" in out
    assert "1 mistake in" in out


def test_every_mistake_of_a_collection_is_told_at_once(tablectl: Tablectl, table: TableFile) -> None:
    path = table("")
    write_collection(path, 'kind = "rake"\npercent = 5.2\nfee = 2\nstep = 0\n')
    _, out, _ = tablectl("check", path)
    assert "3 mistakes in" in out, out


def test_the_percentage_of_the_book_is_told_with_its_clause(tablectl: Tablectl, table: TableFile) -> None:
    """Covers: AU-8.2(a)."""
    path = table("")
    number_by_key = write_collection(path, 'kind = "rake"\npercent = 3\n', rulebook='"casino-au"')
    status, out, _ = tablectl("check", path)
    assert (status, "1 mistake in" in out) == (2, True)
    words = "`percent` cannot be 3; it is 0, or 5 to 10 (AU, clause 8.2(a))"
    assert f"table.toml:{number_by_key['percent']}: collection.percent: `collection`: {words}" in out


def test_a_tournament_has_no_collection(tablectl: Tablectl, table: TableFile) -> None:
    path = table('[tournament]\nschedule = "T2000"\n')
    text = path.read_text().replace("small_blind = 1, big_blind = 2", "")
    path.write_text(text.replace('"no-limit", ', '"no-limit"'))
    number_by_key = write_collection(path, RAKE)
    status, out, _ = tablectl("check", path)
    assert status == 2
    assert f"table.toml:{number_by_key['[collection]']}: collection: `collection`: a tournament has no" in out


def test_a_collection_is_said_once(tablectl: Tablectl, table: TableFile) -> None:
    path = table("")
    write_collection(path, RAKE)
    path.write_text(f"{path.read_text()}\n[table.collection]\n{RAKE}")
    _, out, _ = tablectl("check", path)
    assert "collection: is said in [table], too; leave one of them out" in out


@pytest.mark.parametrize(
    ("section", "key", "words"),
    [
        (RAKE + "step = 3\n", "step", "3 is no multiple of the smallest chip in play, 2: dealers need chips"),
        ('kind = "time"\nfee = 7\nminutes = 30\n', "fee", "7 is no multiple of the smallest chip in play, 2"),
        (
            RAKE + "caps = [{ dealt = 6, cap = 2 }, { dealt = 3, cap = 4 }]\n",
            "caps",
            "up to 6 players the cap is 2, and 4 with 3 or fewer",
        ),
        (RAKE + "cap = 3\ncaps = [{ dealt = 3, cap = 4 }]\n", "cap", "3 holds for more players than 3"),
        (RAKE + "step = 4\ncap = 6\ncaps = [{ dealt = 6, cap = 4 }, { dealt = 3, cap = 2 }]\n", None, ""),
        ('kind = "none"\n', None, ""),
        ('kind = "rake"\npercent = 0\ncap = 4\n', "kind", "takes nothing, as `percent` is 0: say 0.5 to 10, or none"),
    ],
)
def test_an_odd_collection_is_no_mistake_and_is_told(
    tablectl: Tablectl, table: TableFile, section: str, key: str | None, words: str
) -> None:
    path = table("")
    betting = '{ structure = "no-limit", small_blind = 2, big_blind = 4, chip = 2 }'
    number_by_key = write_collection(path, section, betting=betting)
    status, out, _ = tablectl("check", path)
    assert status == 0
    assert ("look: " in out) is (key is not None)
    if key is not None:
        assert f"table.toml:{number_by_key[key]}: collection.{key}: {words}" in out
