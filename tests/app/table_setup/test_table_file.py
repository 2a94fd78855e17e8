"""The file of a table: every refusal names file, line and key."""

from collections.abc import Callable
from pathlib import Path

import pytest

from config.config_error import ConfigError
from config.line_index import LineIndex
from config.table_file import DEMO_FILE, TableFile, load_table_file
from controller.app.table.session_start import resume_or_begin
from controller.app.table.table_devices import build_devices, make_device_map
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.table_view import SIMULATION
from tests.app.rig import demo_deck

Change = Callable[[str, str], TableFile]


@pytest.fixture
def load_changed_file(tmp_path: Path) -> Change:
    """Load the demo table with one text replaced by another."""

    def load(old: str, new: str) -> TableFile:
        text = DEMO_FILE.read_text()
        assert old in text
        path = tmp_path / "table.toml"
        path.write_text(text.replace(old, new, 1))
        return load_table_file(path)

    return load


def line_of(text: str) -> int:
    """The line of the demo file that begins so."""
    return next(number for number, line in enumerate(DEMO_FILE.read_text().splitlines(), 1) if line.startswith(text))


def test_the_demo_table_loads_whole() -> None:
    file = load_table_file(DEMO_FILE)
    devices = build_devices(file)
    assert set(devices.byte_drivers) == {"shoe"}
    assert set(devices.pin_drivers) == {"gate", "lamps", "panel"}
    edge = make_device_map(file, devices, None, demo_deck())
    assert set(edge.panel_by_device) == {"panel"}
    assert set(edge.shoe_by_device) == {"shoe"}


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("[state]", "[stat]", "[state]", "stat: is unknown here; known: table, "),
        ("directory =", "dir =", "directory =", "state.dir: is unknown here; known: directory"),
        ('directory = "var/demo"', "directory = 3", "directory =", "state.directory: must be a text, not 3"),
        ('reader = "shoe"', 'reader = "boot"', "reader =", "shoe.reader: names device 'boot', which is not configured"),
        ('driver = "rdm6300"', "", "[device.shoe]", "device.shoe.driver: is missing"),
        ("[keys.panel]", "[keys.pannel]", "[keys.panel]", "keys.pannel: names device 'pannel'"),
        ("port = 8080", "port = 80800", "port = 8080", "page.port: must be 0 (any free port) to 65535"),
        ("port = 8080", "port = true", "port = 8080", "page.port: must be a port number, not True"),
        ("port = 8080", "names = [3]", "port = 8080", "page.names: must be a list of host names"),
        ("seed = 7", 'seed = "x"', "seed =", "simulation.seed: must be a whole number"),
        ("speed = 1", "mistakes = 2", "speed =", "simulation.mistakes: must be 0"),
        ("speed = 1", "speed = 0", "speed =", "simulation.speed: must be 0.1 to 100"),
        ('done = { ev = "done" }', "done = 3", "done = { ev", "keys.panel.done: must be a line of the table script"),
        ('rulebook = "roberts-7"', 'ev = "table"', "rulebook =", "table.ev: is not written here"),
        ('rulebook = "roberts-7"', "live = false", "rulebook =", "table.live: is not written here: every table of"),
    ],
)
def test_a_wrong_key_is_refused_with_its_place(
    load_changed_file: Change, old: str, new: str, line: str, message: str
) -> None:
    with pytest.raises(ConfigError) as error:
        load_changed_file(old, new)
    assert f"table.toml:{line_of(line)}: {message}" in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('driver = "gate"', 'driver = "gait"', 'driver = "gate"', "device.gate.driver: there is no driver 'gait'"),
        ("pin = 17", "pine = 17", "pin = 17", "device.gate.pine: driver 'gate' has no such key"),
        (
            "pin = 17",
            "pin = 22",
            "[device.lamps]",
            "device.lamps: its data is on pin 22, which is the gate of device 'gate'",
        ),
        ("pin = 17", 'port = "/dev/x"\npin = 17', "pin = 17", "device.gate.port: driver 'gate' is on pins"),
        ('port = "sim://rdm6300/shoe"', "", "[device.shoe]", "device.shoe.port: is missing"),
        ("done = 5", "", "done = { ev", "keys.panel.done: panel 'panel' has no such key"),
        ('undo = { ev = "undo" }', "", "[keys.panel]", "keys.panel.undo: is missing"),
        ('{ ev = "done" }', '{ ev = "dun" }', "done = { ev", "keys.panel.done: `ev` cannot be 'dun'"),
        ('reader = "shoe"', 'reader = "gate"', "reader =", "shoe.reader: device 'gate' reads no tags"),
    ],
)
def test_a_wrong_device_is_refused_with_its_place(
    load_changed_file: Change, old: str, new: str, line: str, message: str
) -> None:
    file = load_changed_file(old, new)
    with pytest.raises(ConfigError) as error:
        make_device_map(file, build_devices(file), None, demo_deck())
    places = (f"table.toml:{line_of(line)}: {message}", f"table.toml:{line_of(line) - 1}: {message}")
    assert str(error.value).startswith(places)


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load_table_file(tmp_path / "missing.toml")
    path = tmp_path / "table.toml"
    path.write_text("[table")
    with pytest.raises(ConfigError, match="is no TOML"):
        load_table_file(path)
    path.write_text("[table]\ngame = holdem\n")
    with pytest.raises(ConfigError, match=r"table\.toml:2: is no TOML"):
        load_table_file(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="is no UTF-8 text"):
        load_table_file(path)


def test_lines_finds_keys_and_falls_back_to_the_table_round_them() -> None:
    lines = LineIndex('a = 1\n[b]\n"c" = 2\nd.e = 3\n[[f]]\ng = 4\n[h . i]\n')
    assert [lines.find_line(*path.split(".")) for path in ("a", "b", "b.c", "b.d.e", "b.x", "f.0.g", "h.i", "z")] == [
        1,
        2,
        3,
        4,
        2,
        6,
        7,
        1,
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('game = "holdem"', 'game = "holden"', "game =", "table.game: `game` cannot be 'holden'"),
        ('rulebook = "roberts-7"', 'rulebook = "roberts"', "rulebook =", "table.rulebook: `rulebook` cannot be"),
        ("button = 1", "button = 9", "button =", "table.button: `button`"),
    ],
)
def test_a_set_up_that_is_refused_is_refused_at_its_key(
    load_changed_file: Change, tmp_path: Path, old: str, new: str, line: str, message: str
) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    journal.begin_run("boot", "test")
    with pytest.raises(ConfigError) as error:
        resume_or_begin(journal, load_changed_file(old, new), SIMULATION)
    journal.close()
    assert f"table.toml:{line_of(line)}: {message}" in str(error.value)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("[room]", "room.key: is missing"),
        ('[room]\nkey = "c0ffee"', "room.key: must be the room's public key, 64 signs"),
        (f'[room]\nkey = "{"A" * 64}"', "room.key: must be the room's public key"),
        (f'[room]\nkey = "{"a" * 64}"\nasks = 1', "room.asks: must be true or false"),
        (f'[room]\nkey = "{"a" * 64}"\nask = true', "room.ask: is unknown here; known: key, asks"),
    ],
)
def test_a_room_is_named_by_its_key_or_refused(load_changed_file: Change, section: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_changed_file("[state]", f"{section}\n\n[state]")
    assert message in str(error.value)


def test_no_room_asks_unless_the_file_says_so(load_changed_file: Change) -> None:
    assert load_changed_file("[state]", "[state]").room is None
    room = load_changed_file("[state]", f'[room]\nkey = "{"0f" * 32}"\n\n[state]').room
    assert room is not None
    assert (room.public_key, room.may_ask) == (bytes.fromhex("0f" * 32), False)
