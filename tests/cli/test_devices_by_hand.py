"""`monitor`, `record`, `play`, `lamps test`, `gate test`: devices on a bench in a technician's hands."""

import fcntl
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.app.table import table_devices as build_devices_module
from controller.runtime.devices.deck_store import STANDARD_DECK, Deck, DeckStore
from drivers.contract.device_errors import PinError
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bridge_simulator import BridgeSimulator
from drivers.simulators.sound.buzzer_simulator import BuzzerSimulator
from tests.cli.conftest import World

Tablectl = Callable[..., tuple[int, str, str]]
TableFile = Callable[[str], Path]

SHOE = '[device.shoe]\ndriver = "rdm6300"\nport = "sim://rdm6300/shoe"\n'
PANEL = '[device.panel]\ndriver = "key_panel"\n[device.panel.keys]\ndone = 5\nundo = 6\n'
LAMPS = (
    '[device.lamps]\ndriver = "lamps_595"\ndata_pin = 22\nclock_pin = 23\nlatch_pin = 24\nenable_pin = 25\nchips = 1\n'
    "[device.lamps.outputs]\nact = { 1 = 0, 2 = 1 }\nbutton = { 1 = 2, 2 = 3 }\n"
)
LEDS = (
    '[device.lamps]\ndriver = "lamps_pins"\n'
    "[device.lamps.outputs]\nact = { 1 = 9, 2 = 10 }\nbutton = { 1 = 11, 2 = 12 }\n"
)
GATE = '[device.gate]\ndriver = "gate"\npin = 17\nopen_level = "high"\nfail_safe = "locked"\n'
BRIDGE = (
    '[device.bridge]\ndriver = "bridge"\nport = "sim://bridge/bridge"\ngate = true\nsensors = ["edge"]\n'
    "[device.bridge.keys]\ndone = 0\n[device.bridge.outputs]\nact = { 1 = 0 }\n"
)
TAG = "6F007B3972"


def test_monitor_shows_tags_keys_and_a_pulled_cable(
    tablectl: Tablectl, table: TableFile, world: World, on_pins: Callable[[Path], Bench]
) -> None:
    path = table(SHOE + PANEL)
    bench = on_pins(path)
    bench.add_port("sim://rdm6300/shoe")
    world.schedule(0.5, lambda: bench.reader("shoe").present(TAG))
    world.schedule(0.6, lambda: bench.panel("panel").tap("done"))
    world.schedule(0.8, lambda: bench.reader("shoe").remove(TAG))
    world.schedule(1.5, lambda: bench.unplug("shoe"))
    world.schedule(2.0, lambda: bench.replug("shoe"))
    world.schedule(4.0, lambda: bench.reader("shoe").present(TAG))
    status, out, _ = tablectl("monitor", "--config", path, "--raw", "--seconds", 5)
    assert status == 0
    lines = out.splitlines()
    assert any(line.endswith("panel        key done") for line in lines)
    assert any("shoe         < 02 36 46" in line for line in lines)
    assert any("lost: the port has gone while reading" in line for line in lines)
    times = [float(line.split()[0]) for line in lines if line.endswith(f"tag {TAG}")]
    assert times[0] < 1
    assert times[-1] > 4, "it is read again when its cable is back"


def test_monitor_of_one_device(tablectl: Tablectl, table: TableFile, world: World) -> None:
    world.bench.add_port("sim://rdm6300/shoe")
    path = table(SHOE + BRIDGE)
    assert "bridge" not in tablectl("monitor", "--config", path, "--device", "shoe", "--seconds", 1)[1]
    status, _, why = tablectl("monitor", "--config", path, "--device", "boot", "--seconds", 1)
    assert (status, "there is no device 'boot'" in why) == (1, True)


def test_no_command_runs_beside_the_controller(tablectl: Tablectl, table: TableFile, tmp_path: Path) -> None:
    path = table(SHOE)
    (tmp_path / "state").mkdir()
    with (tmp_path / "state" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for words in (("monitor",), ("lamps", "test"), ("gate", "test"), ("record", tmp_path / "x")):
            status, _, why = tablectl(*words, "--config", path)
            assert status == 1
            assert "the controller is running" in why
            assert "systemctl stop table-controller" in why


def test_record_and_play_tell_the_same_story(
    tablectl: Tablectl, table: TableFile, world: World, on_pins: Callable[[Path], Bench], tmp_path: Path
) -> None:
    path = table(SHOE + PANEL + BRIDGE)
    bench = on_pins(path)
    bench.add_port("sim://rdm6300/shoe")
    bench.add_port("sim://bridge/bridge", {"keys": {"done": 0}, "outputs": {"act": {"1": 0}}})
    world.schedule(0.5, lambda: bench.reader("shoe").present(TAG))
    world.schedule(0.8, lambda: bench.reader("shoe").remove(TAG))
    world.schedule(1.0, lambda: bench.panel("panel").tap("undo"))
    world.schedule(1.5, lambda: bench.panel("bridge").tap("done"))
    world.schedule(2.0, lambda: bench.sensors("bridge").pass_card())
    record = tmp_path / "traffic.jsonl"
    status, out, told = tablectl("record", record, "--config", path, "--seconds", 3)
    assert status == 0
    assert record.stat().st_mode & 0o077 == 0, "it holds tags"
    live = [line.split(maxsplit=1)[1] for line in told.splitlines()]
    status, out, _ = tablectl("play", record)
    assert status == 0
    assert sorted(line.split(maxsplit=1)[1] for line in out.splitlines()) == sorted(live)
    assert any("key undo" in line for line in live)
    assert any("edge covered" in line for line in live)
    status, _, why = tablectl("record", record, "--config", path, "--seconds", 1)
    assert (status, "File exists" in why) == (1, True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: this is no record of raw traffic"),
        ("{}\n", "line 1: this is no record of raw traffic"),
        ("[1]\n", "line 1: is no line of a record"),
        ('{"record": "raw traffic", "version": 9, "devices": {}}\n', "of version 9, and this program reads 1"),
        (
            '{"record": "raw traffic", "version": 1, "devices": {"a": {"driver": "x", "keys": {}}}}\n',
            "device 'a' cannot be made again",
        ),
        ('{"record": "raw traffic", "version": 1, "devices": {}}\nx\n', "line 2: is no JSON"),
    ],
)
def test_what_is_no_record(tablectl: Tablectl, tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "record"
    path.write_text(text)
    status, _, why = tablectl("play", path)
    assert status == 1
    assert words in why


@pytest.mark.parametrize("lamps", [LAMPS, LEDS], ids=["chain", "pins"])
def test_every_lamp_is_lit_alone_as_it_is_named(
    tablectl: Tablectl, table: TableFile, world: World, on_pins: Callable[[Path], Bench], lamps: str
) -> None:
    path = table(lamps)
    bench = on_pins(path)
    seen: list[dict[str, tuple[int, ...]]] = []
    for n in range(6):
        world.schedule(
            1.1 + 2 * n, lambda: seen.append({r: s for r, s in bench.lamps("lamps").lit_seats().items() if s})
        )
    status, out, _ = tablectl("lamps", "test", "--config", path)
    assert status == 0
    assert out.splitlines() == [
        "act, seat 1", "act, seat 2", "button, seat 1", "button, seat 2", "act, all seats", "button, all seats",
    ]  # fmt: skip
    assert seen == [
        {"act": (1,)}, {"act": (2,)}, {"button": (1,)}, {"button": (2,)}, {"act": (1, 2)}, {"button": (1, 2)},
    ]  # fmt: skip
    assert not any(bench.lamps("lamps").lit_seats().values()), "left dark"


def test_one_lamp(tablectl: Tablectl, table: TableFile, world: World) -> None:
    world.bench.add_port("sim://bridge/bridge", {"outputs": {"act": {"1": 0}}})
    path = table(BRIDGE)
    status, out, _ = tablectl("lamps", "test", "--config", path, "--role", "act", "--seat", 1)
    assert (status, out.splitlines()[0]) == (0, "act, seat 1")
    status, _, why = tablectl("lamps", "test", "--config", path, "--seat", 9)
    assert (status, "there is no such lamp" in why) == (1, True)
    status, _, why = tablectl("lamps", "test", "--config", table(SHOE))
    assert (status, "has no lamps" in why) == (1, True)


def test_gate_on_a_pin(tablectl: Tablectl, table: TableFile, world: World, on_pins: Callable[[Path], Bench]) -> None:
    path = table(GATE)
    bench = on_pins(path)
    seen: list[bool] = []
    for n in range(5):
        world.schedule(1.0 + 2 * n, lambda: seen.append(bench.gate("gate").is_open()))
    status, out, _ = tablectl("gate", "test", "--config", path, "--times", 2)
    assert (status, seen) == (0, [False, True, False, True, False])
    assert out.splitlines()[0] == "gate: without power it must be locked"
    assert not bench.gate("gate").is_open()


def test_gate_of_a_controller_that_was_killed(
    tablectl: Tablectl, table: TableFile, on_pins: Callable[[Path], Bench], mocker: MockerFixture, tmp_path: Path
) -> None:
    path = table(GATE)
    bench = on_pins(path)
    mocker.patch.object(build_devices_module, "open_pins", return_value=bench.pins)
    assert tablectl("gate", "safe", "--config", path) == (0, "every device on pins is in its safe place\n", "")
    assert [(done.pin, done.kind, done.level) for done in bench.pins.history] == [(17, "output", False)]
    with pytest.raises(PinError, match="given back"):
        bench.pins.read(17)
    (tmp_path / "state").mkdir(exist_ok=True)
    with (tmp_path / "state/lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        status, _, why = tablectl("gate", "safe", "--config", path)
    assert (status, "the controller is running" in why) == (1, True)


def test_a_table_without_pins_has_nothing_to_put_safe(tablectl: Tablectl, table: TableFile) -> None:
    assert "no device of this table is on pins" in tablectl("gate", "safe", "--config", table(BRIDGE))[1]


def test_gate_on_the_board_with_its_lid_open(tablectl: Tablectl, table: TableFile, world: World) -> None:
    world.bench.add_port("sim://bridge/bridge", {})
    world.schedule(0.5, lambda: world.bench.sensors("bridge").move_lid(open_it=True))
    status, out, _ = tablectl("gate", "test", "--config", table(BRIDGE), "--times", 1)
    assert status == 1
    assert "the board keeps the gate shut: the lid is open" in out
    status, _, why = tablectl("gate", "test", "--config", table(SHOE))
    assert (status, "has no gate" in why) == (1, True)


BUZZER = '[device.sound]\ndriver = "buzzer"\npin = 18\nsounds = ["stop"]\n'


def test_each_sound_is_named_and_the_wanted_ones_are_heard(
    tablectl: Tablectl, table: TableFile, on_pins: Callable[[Path], Bench]
) -> None:
    path = table(SHOE + BUZZER)
    bench = on_pins(path)
    status, out, _ = tablectl("sound", "test", "--config", path)
    assert (status, out.splitlines()) == (0, ["due", "stop", "floor", "taken-back"])
    assert len(bench.find_simulator("sound", BuzzerSimulator).tones) == 2, (
        "a stop is two tones, and nothing else is wanted"
    )
    status, _, why = tablectl("sound", "test", "--config", table(SHOE))
    assert (status, "no device of driver buzzer" in why) == (1, True)


def test_a_board_lets_its_buzzer_be_heard(tablectl: Tablectl, table: TableFile, world: World) -> None:
    path = table(BRIDGE.replace("gate = true", "gate = true\nbuzzer = 40"))
    world.bench.add_port("sim://bridge/bridge", {"buzzer": 40})
    board = world.bench.find_simulator("bridge", BridgeSimulator)
    heard: list[bool] = []
    for tenth in range(20, 80):
        world.schedule(tenth / 10, lambda: heard.append(board.is_sounding()))
    status, out, _ = tablectl("sound", "test", "--config", path)
    assert (status, out.splitlines()[-1]) == (0, "taken-back")
    assert any(heard)
    assert not all(heard)


def test_monitor_names_registered_cards_between_hands_only(
    tablectl: Tablectl, table: TableFile, world: World, tmp_path: Path
) -> None:
    path = table(SHOE)
    world.bench.add_port("sim://rdm6300/shoe")
    decks = DeckStore(tmp_path / "state" / "table.sqlite")
    decks.register(Deck("red", {TAG if card == "Qh" else f"T{card}": card for card in STANDARD_DECK}))
    decks.close()
    world.schedule(0.5, lambda: world.bench.reader("shoe").present(TAG))
    out = tablectl("monitor", "--config", path, "--seconds", 1)[1]
    assert f"tag {TAG}\n" in out
    world.bench.reader("shoe").remove(TAG)
    world.schedule(0.5, lambda: world.bench.reader("shoe").present(TAG))
    assert f"tag {TAG}: queen of hearts (red)" in tablectl("monitor", "--config", path, "--faces", "--seconds", 1)[1]
    (tmp_path / "state" / "hand.key").write_bytes(b"x")
    status, out, why = tablectl("monitor", "--config", path, "--faces", "--seconds", 1)
    assert (status, out) == (1, "")
    assert "a hand is in progress: its cards lie face down" in why


def test_a_deck_dealt_through_names_the_swapped(
    tablectl: Tablectl, table: TableFile, world: World, tmp_path: Path
) -> None:
    path = table(SHOE + '[shoe]\ndeck = "red"\nreader = "shoe"\n')
    world.bench.add_port("sim://rdm6300/shoe")
    tags = {card: world.bench.reader("shoe").nth_tag(number) for number, card in enumerate(STANDARD_DECK)}
    decks = DeckStore(tmp_path / "state" / "table.sqlite")
    decks.register(Deck("red", {tag: card for card, tag in tags.items()}))
    decks.close()
    tags["As"], tags["2s"] = tags["2s"], tags["As"]
    for number, card in enumerate(STANDARD_DECK):
        world.schedule(1.0 + number, partial(world.bench.reader("shoe").present, tags[card]))
        world.schedule(1.6 + number, partial(world.bench.reader("shoe").remove, tags[card]))
    status, out, _ = tablectl("deck", "deal", "red", "--config", path, "--seconds", 60)
    assert status == 1
    assert "asked for was the ace of spades, and the tag says 2 of spades" in out
    assert "the ace of spades and the 2 of spades are swapped" in out
    assert out.splitlines()[-1] == "52 cards dealt, 1 wrong"
