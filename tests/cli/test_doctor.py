"""`tablectl doctor`: each trouble is a sentence with its remedy."""

import os
import pwd
import time
import tty
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_mock import MockerFixture

from config.table_file import DEMO_FILE, load_table_file
from controller.app.diagnostics import device_checks, machine_checks
from controller.app.diagnostics.check_result import CheckGrade, CheckResult
from controller.app.diagnostics.device_checks import DeviceCheck, check_decks
from controller.app.diagnostics.machine_checks import MachineCheck, explain_group_access
from controller.app.diagnostics.machine_ports import MachinePort
from controller.app.table.table_devices import build_devices
from controller.runtime.devices.deck_list_formats import parse_deck_list
from controller.runtime.devices.deck_store import DeckStore
from drivers.contract.device_errors import PinError
from drivers.contract.driver_interface import Pins
from drivers.contract.driver_registry import build_driver
from drivers.ports.byte_port import open_port
from tests.cli.conftest import World

Tablectl = Callable[..., tuple[int, str, str]]
TableFile = Callable[[str], Path]

WHO = pwd.getpwuid(os.geteuid()).pw_name

SHOE = '[device.shoe]\ndriver = "rdm6300"\nport = "{port}"\n'
BOARD = '[device.board]\ndriver = "feig"\nport = "sim://feig/board"\n'
PINS = (
    '[device.panel]\ndriver = "key_panel"\nstuck_seconds = 2\n[device.panel.keys]\ndone = 5\n'
    '[device.mouth]\ndriver = "shoe_sensors"\nedge_pin = 4\nlid_pin = 27\njam_seconds = 1\n'
)


def examine_devices(
    path: Path, world: World, pins: Pins | None = None, ports: tuple[MachinePort, ...] = ()
) -> dict[str, CheckResult]:
    file = load_table_file(path)
    found = DeviceCheck(file, build_devices(file), pins, world.clock, world.wait, list(ports)).check_devices()
    return {finding.subject.split()[0]: finding for finding in found}


def test_a_reader_that_answers(table: TableFile, world: World) -> None:
    world.bench.add_port("sim://feig/board")
    found = examine_devices(table(BOARD), world)["board"]
    assert (found.grade, found.text) == (CheckGrade.GOOD, "answers on sim://feig/board at 38400 8E1")


@pytest.mark.parametrize(
    ("bus", "grade", "text", "remedy"),
    [
        ("chip", CheckGrade.GOOD, "answers on sim://rc522/seat4?bus=chip at SPI mode 0", ""),
        ("low", CheckGrade.BAD, "its bus reads all 00", "are its 3.3V and its RST at 3.3 V"),
        ("high", CheckGrade.BAD, "its bus reads all FF", "is the reader plugged in, and at this chip select?"),
    ],
)
def test_a_reader_on_spi(table: TableFile, world: World, bus: str, grade: CheckGrade, text: str, remedy: str) -> None:
    """It has no speed of its own, and nobody is sent to TX and RX."""
    world.bench.add_port(f"sim://rc522/seat4?bus={bus}")
    device = f'[device.seat4]\ndriver = "rc522"\nport = "sim://rc522/seat4?bus={bus}"\n'
    found = examine_devices(table(device), world)["seat4"]
    assert (found.grade, found.text) == (grade, text)
    assert remedy in (found.remedy or "")


def test_spi_that_is_switched_off(table: TableFile, world: World) -> None:
    device = '[device.seat4]\ndriver = "rc522"\nport = "spi:///dev/spidev9.0"\n'
    path = table(device)
    found = examine_devices(path, world)["seat4"]
    named = f"(named in {path}, [device.seat4] port)"
    assert (found.grade, found.text) == (CheckGrade.BAD, f"spi:///dev/spidev9.0 {named}: the bus is not there")
    assert "switch SPI on (raspi-config" in (found.remedy or "")


def test_a_reader_that_only_speaks_when_a_card_comes(table: TableFile, world: World) -> None:
    world.bench.add_port("sim://rdm6300/shoe")
    found = examine_devices(table(SHOE.format(port="sim://rdm6300/shoe")), world)["shoe"]
    assert found.grade is CheckGrade.DOUBTFUL
    assert found.remedy == "hold a card to it: tablectl monitor --device shoe"


@pytest.mark.parametrize("set_to", [19200, 38400, 115200])
def test_wrong_baud_rate_is_found_out(table: TableFile, world: World, set_to: int) -> None:
    simulator = world.bench.add_port("sim://rdm6300/shoe")
    simulator.baudrate = set_to
    world.bench.reader("shoe").present("6F007B3972")
    found = examine_devices(table(SHOE.format(port="sim://rdm6300/shoe")), world)["shoe"]
    assert found.grade is CheckGrade.BAD
    assert found.text == f"it speaks at {set_to} 8N1, and its driver listens at 9600 8N1"
    assert found.remedy == "set the device to 9600 8N1", "its driver has no key for another speed"


@pytest.mark.parametrize(
    ("driver", "simulated", "taken"), [("de2120", 9600, 115200), ("gm65", 115200, 9600), ("ssi", 38400, 9600)]
)
def test_scanner_that_another_program_has_set_to_its_speed(
    table: TableFile, world: World, driver: str, simulated: int, taken: int
) -> None:
    """It is silent at the speed of its driver, and the doctor says which key of the file helps."""
    url = f"sim://{driver}/shoe?baudrate={simulated}"
    world.bench.add_port(url)
    text = SHOE.replace('"rdm6300"', f'"{driver}"').format(port=url)
    found = examine_devices(table(text), world)["shoe"]
    assert found.text == f"it speaks at {simulated} 8N1, and its driver listens at {taken} 8N1"
    assert found.remedy == f"set the device to {taken} 8N1, or baudrate in the file to what it is set to"
    text = text.replace("[device.shoe]", f"[device.shoe]\nbaudrate = {simulated}")
    found = examine_devices(table(text), world)["shoe"]
    assert found.text.startswith(f"answers on {url} at {simulated} 8N1")


def test_wrong_parity_is_found_out(table: TableFile, world: World) -> None:
    simulator = world.bench.add_port("sim://feig/board")
    simulator.parity = "N"
    found = examine_devices(table(BOARD), world)["board"]
    assert found.text == "it speaks at 38400 8N1, and its driver listens at 38400 8E1"
    assert found.remedy == "set the device to 38400 8E1, or baudrate in the file to what it is set to"


def test_nobody_there(table: TableFile, world: World) -> None:
    world.bench.add_port("sim://feig/board?drop=1")
    found = examine_devices(table(BOARD), world)["board"]
    assert found.grade is CheckGrade.BAD
    assert found.remedy


def test_another_device_than_the_driver_is_for(table: TableFile, world: World) -> None:
    world.bench.add_port("sim://barcode/shoe")
    for n in range(9):
        world.schedule(0.3 * n, lambda: world.bench.reader("shoe").present("D07-001122"))
    found = examine_devices(table(SHOE.format(port="sim://barcode/shoe")), world)["shoe"]
    assert found.grade is CheckGrade.BAD
    assert "none of them makes sense" in found.text
    assert "another kind of device" in found.remedy


def test_noise_between_good_frames_is_the_cable(table: TableFile, world: World) -> None:
    world.bench.add_port("sim://feig/board?burst=0.5&seed=3")
    found = examine_devices(table(BOARD.replace("feig/board", "feig/board?burst=0.5&seed=3")), world)["board"]
    assert found.grade is CheckGrade.DOUBTFUL
    assert "made no sense" in found.text
    assert "cable" in found.remedy


def test_a_port_that_is_not_there(table: TableFile, world: World) -> None:
    path = table(SHOE.format(port="/dev/serial/by-id/none"))
    found = examine_devices(path, world)["shoe"]
    named = f"(named in {path}, [device.shoe] port)"
    assert found.text == f"/dev/serial/by-id/none {named}: nothing is plugged in there"
    assert found.remedy == "plug the device in, or correct the name"


def test_two_programs_on_one_port(table: TableFile, world: World) -> None:
    url = "sim://rdm6300/shoe"
    other = open_port(url, build_driver("rdm6300", "other", {}))  # type: ignore[arg-type]  # a driver on a port
    ports = (MachinePort(url, None, None, "dialout", True, ("minicom (pid 77)",)),)
    found = examine_devices(table(SHOE.format(port=url)), world, ports=ports)["shoe"]
    other.close()
    assert found.text.startswith(f"{url} (named in ")
    assert found.text.endswith("table.toml, [device.shoe] port): another program holds the port")
    assert found.remedy == "end that program (minicom (pid 77)) first, or give the device a port of its own"


def test_a_port_that_another_program_reads_without_a_lock(
    table: TableFile, world: World, mocker: MockerFixture
) -> None:
    mocker.patch.object(device_checks, "find_holders", return_value=("cat (pid 9)",))
    far, near = os.openpty()
    url = os.ttyname(near)
    found = examine_devices(table(SHOE.format(port=url)), world)["shoe"]
    assert found.grade is CheckGrade.BAD
    assert found.text == f"{url} is open in cat (pid 9) as well: what the device says reaches one of the two"
    assert found.remedy == "end that program"
    os.close(near)
    os.close(far)


@pytest.mark.parametrize(
    ("levels", "text", "is_dtr_suggested"),
    [
        ("", "DTR and RTS low", True),
        ("rts = true", "DTR low and RTS high", True),
        ("dtr = true", "DTR high and RTS low", False),
    ],
)
def test_silent_reader_on_a_serial_port_is_told_with_its_control_lines(
    table: TableFile, world: World, levels: str, text: str, *, is_dtr_suggested: bool
) -> None:
    far, near = os.openpty()
    tty.setraw(near)
    device = f'[device.r]\ndriver = "lines"\nantennas = ["1"]\nport = "{os.ttyname(near)}"\n{levels}\n'
    try:
        found = examine_devices(table(device), world)["r"]
    finally:
        os.close(near)
        os.close(far)
    assert found.text.endswith(f"is open at 115200 8N1, {text}; it says nothing by itself")
    assert ("dtr = true in the file" in found.remedy) is is_dtr_suggested


@pytest.mark.parametrize(("levels", "is_heard"), [("", False), ("dtr = true", True)])
def test_board_that_waits_for_dtr_answers_the_examination_when_the_file_says_so(
    table: TableFile, world: World, levels: str, *, is_heard: bool
) -> None:
    url = "sim://feig/board?needs_dtr=1"
    world.bench.add_port(url)
    found = examine_devices(table(f"{BOARD.replace('sim://feig/board', url)}{levels}\n"), world)["board"]
    assert (found.grade is CheckGrade.GOOD) is is_heard


def test_a_simulated_port_without_a_simulation(table: TableFile, world: World) -> None:
    found = examine_devices(table(SHOE.format(port="sim://rdm6300/shoe?bench=none")), world)["shoe"]
    assert found.remedy == "it is a simulated port: give the device its real one (tablectl ports lists them)"


def test_a_port_that_is_forbidden(table: TableFile, world: World, mocker: MockerFixture) -> None:
    mocker.patch("serial.serialposix.os.open", side_effect=PermissionError(13, "Permission denied"))
    found = examine_devices(table(SHOE.format(port="/dev/ttyS7")), world)["shoe"]
    assert found.text.startswith("/dev/ttyS7 (named in ")
    assert found.text.endswith("table.toml, [device.shoe] port): this user may not open it")
    assert found.remedy == f"sudo usermod -a -G dialout {WHO}, then log in again"


def test_pins_are_judged(table: TableFile, world: World) -> None:
    path = table(PINS)
    file = load_table_file(path)
    for name in build_devices(file).pin_drivers:
        world.bench.add_device(file.devices[name].driver, name, file.devices[name].driver_keys)
    world.bench.panel("panel").press("done")
    world.bench.sensors("mouth").jam()
    found = examine_devices(path, world, world.bench.pins)
    assert found["panel"].text == "key done is stuck"
    assert found["panel"].grade is CheckGrade.BAD
    assert found["mouth"].text in ("something covers the card edge", "something covered the card edge just now")


def test_quiet_pins_are_good(table: TableFile, world: World) -> None:
    path = table(PINS)
    file = load_table_file(path)
    for name in build_devices(file).pin_drivers:
        world.bench.add_device(file.devices[name].driver, name, file.devices[name].driver_keys)
    assert {finding.grade for finding in examine_devices(path, world, world.bench.pins).values()} == {CheckGrade.GOOD}


@pytest.mark.parametrize(("sensors", "is_told"), [("edge_pin = 4", True), ("lid_pin = 4", False)])
def test_a_beam_without_edges_is_doubtful(
    table: TableFile, world: World, mocker: MockerFixture, sensors: str, *, is_told: bool
) -> None:
    path = table(f'[device.mouth]\ndriver = "shoe_sensors"\nlid_open_level = "low"\n{sensors}\n')
    world.bench.add_device("shoe_sensors", "mouth", load_table_file(path).devices["mouth"].driver_keys)
    mocker.patch.object(world.bench.pins, "watch_edges", return_value=False)
    found = examine_devices(path, world, world.bench.pins)["mouth"]
    assert found.grade is (CheckGrade.DOUBTFUL if is_told else CheckGrade.GOOD)
    assert ("no edges are told of its pins: less than 30 ms may pass unseen" in found.text) == is_told


# Decks.

IN_SHOE = '[shoe]\ndeck = "red"\nreader = "shoe"\n' + SHOE.format(port="/dev/x")


def test_deck_registry(table: TableFile, tmp_path: Path) -> None:
    file = load_table_file(table(IN_SHOE))
    (found,) = check_decks(file)
    none = f"no deck is registered in {tmp_path}/state"
    assert (found.grade, found.text) == (CheckGrade.BAD, f"{tmp_path}/state/table.sqlite is missing; {none}")
    assert found.remedy.startswith("register it: tablectl deck register red")
    decks = DeckStore(file.state_directory / "table.sqlite")
    decks.register(parse_deck_list("blue", (DEMO_FILE.parent / "demo-deck.csv").read_text()))
    (found,) = check_decks(file)
    assert found.text == "[shoe] wants deck 'red', and registered are blue"
    decks.register(parse_deck_list("red", (DEMO_FILE.parent / "demo-deck.csv").read_text().replace("4B", "5E")))
    decks.close()
    (found,) = check_decks(file)
    assert (found.grade, found.text.startswith("red: 52 cards")) == (CheckGrade.GOOD, True)
    assert list(check_decks(load_table_file(table("")))) == []


# The machine.


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """The root of a Raspberry Pi, as far as it is looked at."""
    root = tmp_path / "pi"
    for file, text in {
        "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
        "dev/gpiochip0": "",
        "run/systemd/timesync/synchronized": "",
        "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
    }.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text)
    return root


def machine(root: Path, path: Path) -> dict[str, CheckResult]:
    file = load_table_file(path)
    (file.state_directory).mkdir(parents=True, exist_ok=True)
    return {finding.subject: finding for finding in MachineCheck(root).check_machine(file, build_devices(file))}


def test_a_good_machine(pi: Path, table: TableFile, mocker: MockerFixture) -> None:
    mocker.patch.object(machine_checks, "find_installed_package", return_value="rpi-lgpio")
    mocker.patch("os.fdatasync")
    found = machine(pi, table(PINS))
    assert "Raspberry Pi 4 Model B Rev 1.4, kernel" in found["board"].text
    assert {about: finding.grade for about, finding in found.items() if finding.grade is not CheckGrade.GOOD} == {}


@pytest.mark.parametrize(
    ("package", "model", "kernel", "grade", "words"),
    [
        (
            "rpi-lgpio",
            "Pi 4 Model B Rev 1.4",
            "6.6.31",
            CheckGrade.GOOD,
            "which Raspberry Pi 4 Model B Rev 1.4 with kernel 6.6.31 needs",
        ),
        ("RPi.GPIO", "Pi 4 Model B Rev 1.4", "6.6.31", CheckGrade.DOUBTFUL, "can have rpi-lgpio, which tells edges"),
        (
            "RPi.GPIO",
            "Pi 5 Model B Rev 1.0",
            "6.6.31",
            CheckGrade.BAD,
            "cannot drive the pins of Raspberry Pi 5 Model B",
        ),
        (
            "rpi-lgpio",
            "Pi 4 Model B Rev 1.4",
            "5.4.83",
            CheckGrade.BAD,
            "cannot drive the pins of Raspberry Pi 4 Model B",
        ),
    ],
)
def test_the_library_of_the_pins_is_named_and_the_one_that_the_board_needs(
    pi: Path,
    table: TableFile,
    mocker: MockerFixture,
    package: str,
    model: str,
    kernel: str,
    grade: CheckGrade,
    words: str,
) -> None:
    mocker.patch.object(machine_checks, "find_installed_package", return_value=package)
    mocker.patch("platform.release", return_value=kernel)
    (pi / "proc/device-tree/model").write_text(f"Raspberry {model}\0")
    found = machine(pi, table(PINS))["pins"]
    assert (found.grade, found.text.startswith(f"{package} is installed")) == (grade, True)
    assert words in found.text
    other = "rpi-lgpio (the extra [pi5])" if package == "RPi.GPIO" else "RPi.GPIO (the extra [pi])"
    remedy = f"uninstall {package}, then install {other}; never have both"
    assert found.remedy == ("" if grade is CheckGrade.GOOD else remedy)


def test_no_pi(tmp_path: Path, table: TableFile, mocker: MockerFixture) -> None:
    mocker.patch.object(machine_checks, "find_installed_package", side_effect=PinError("none"))
    found = machine(tmp_path, table(PINS))
    assert found["board"].grade is CheckGrade.BAD
    assert "this machine is no Raspberry Pi" in found["board"].text
    assert "devices of the table are on pins: panel, mouth" in found["board"].text
    assert "microcontroller board (driver bridge)" in found["board"].remedy
    assert machine(tmp_path, table(""))["board"].grade is CheckGrade.GOOD


def test_clock_disk_and_supply(pi: Path, table: TableFile, mocker: MockerFixture) -> None:
    (pi / "sys/devices/platform/soc/soc:firmware/get_throttled").write_text("50005\n")
    (pi / "run/systemd/timesync/synchronized").unlink()
    mocker.patch("shutil.disk_usage", return_value=SimpleNamespace(free=5_000_000))
    path = table("")
    found = machine(pi, path)
    assert found["power"].text == (
        "the supply is too weak at this moment; the processor is throttled at this moment; the supply was too weak "
        "since the start; the processor was throttled since the start"
    )
    assert found["clock"].grade is CheckGrade.DOUBTFUL
    mocker.patch("time.localtime", return_value=time.gmtime(0))
    mocker.patch.object(machine_checks, "_measure_commit_s", side_effect=OSError(30, "Read-only file system"))
    found = machine(pi, path)
    assert (found["clock"].grade, found["disk"].grade) == (CheckGrade.BAD, CheckGrade.BAD)
    assert "mounted to be read only" in found["disk"].text


SWAPS = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"


@pytest.mark.parametrize(
    ("swaps", "grade"),
    [
        (SWAPS, CheckGrade.GOOD),
        (f"{SWAPS}/dev/zram0 partition 100 0 100\n", CheckGrade.GOOD),
        (f"{SWAPS}/dev/zram0 partition 100 0 100\n/var/swap file 204796 0 -2\n", CheckGrade.DOUBTFUL),
        (None, None),
    ],
)
def test_swap_on_a_disk_is_said(pi: Path, table: TableFile, swaps: str | None, grade: CheckGrade | None) -> None:
    if swaps is not None:
        (pi / "proc").mkdir(exist_ok=True)
        (pi / "proc/swaps").write_text(swaps)
    found = machine(pi, table("")).get("swap")
    assert (found and found.grade) == grade
    assert grade is not CheckGrade.DOUBTFUL or (found and "/var/swap," in found.text and "zram" not in found.text)


def test_slow_and_full_disk(pi: Path, table: TableFile, mocker: MockerFixture) -> None:
    mocker.patch("shutil.disk_usage", return_value=SimpleNamespace(free=5_000_000))
    mocker.patch.object(machine_checks, "_measure_commit_s", return_value=0.2)
    file = load_table_file(table(""))
    found = [f for f in MachineCheck(pi).check_machine(file, build_devices(file)) if f.subject == "disk"]
    assert [finding.grade for finding in found] == [CheckGrade.BAD, CheckGrade.DOUBTFUL]
    assert "the table stops" in found[0].remedy
    assert "200.0 ms" in found[1].text


def test_forbidden_ports_and_pins(pi: Path, table: TableFile, mocker: MockerFixture) -> None:
    mocker.patch.object(machine_checks, "find_installed_package", return_value="rpi-lgpio")
    mocker.patch("os.access", return_value=False)
    (pi / "dev/ttyUSB0").touch()
    found = machine(pi, table(PINS + SHOE.format(port="/dev/ttyUSB0")))
    assert found["pins"].remedy.startswith(f"sudo usermod -a -G gpio {WHO}")
    assert "may not open /dev/ttyUSB0" in found["groups"].text


# The command.


def test_the_command_prints_sentences(tablectl: Tablectl, table: TableFile, world: World) -> None:
    world.bench.add_port("sim://feig/board")
    path = table(IN_SHOE + BOARD)
    status, out, _ = tablectl("doctor", "--config", path)
    assert status == 1
    lines = out.splitlines()
    assert "   ok  board (feig): answers on sim://feig/board at 38400 8E1" in lines
    named = f"(named in {path}, [device.shoe] port)"
    bad = lines.index(f"  BAD  shoe (rdm6300): /dev/x {named}: nothing is plugged in there")
    assert lines[bad + 1] == "       -> plug the device in, or correct the name"
    assert lines[-1].startswith("2 bad, ")


def test_a_wrong_file_comes_first(tablectl: Tablectl, table: TableFile) -> None:
    status, out, why = tablectl("doctor", "--config", table('[device.a]\ndriver = "x"\n'))
    assert (status, out) == (2, "")
    assert "there is no driver 'x'" in why
    assert "correct the file first (tablectl check)" in why


def test_what_it_advises_can_be_typed_as_it_stands(tablectl: Tablectl, table: TableFile, world: World) -> None:
    world.bench.add_port("sim://rdm6300/shoe")
    path = table(SHOE.format(port="sim://rdm6300/shoe") + '[shoe]\ndeck = "red"\nreader = "shoe"\n')
    out = tablectl("doctor", "--config", path)[1]
    assert f"hold a card to it: tablectl monitor --config {path} --device shoe" in out
    assert f"tablectl deck register --config {path} red" in out


def test_a_port_of_the_order_of_plugging_is_bad(tablectl: Tablectl, table: TableFile, world: World) -> None:
    path = table(SHOE.format(port="/dev/ttyUSB7"))
    assert world
    assert (
        "/dev/ttyUSB7 is another device when the plugs are in another order" in tablectl("doctor", "--config", path)[1]
    )
    status, out, _ = tablectl("check", path)
    assert (status, out.count("another device when the plugs")) == (2, 1)


def test_nobody_is_sent_into_the_group_of_root() -> None:
    assert "usermod" not in explain_group_access("root")
    assert "tablectl udev" in explain_group_access("root")
