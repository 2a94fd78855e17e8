"""The rules of pins: of the simulated ones, and of whatever library drives the real ones."""

import builtins
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from pytest_mock import MockerFixture

from drivers.contract.device_errors import PinError
from drivers.contract.driver_interface import Pins
from drivers.pins import rpi_pins
from drivers.pins.rpi_pins import RpiPins, read_board_model
from drivers.simulators.bench.bench import Bench
from drivers.simulators.simulated_pins import SimulatedPins


@pytest.fixture
def pins(bench: Bench) -> SimulatedPins:
    return bench.pins


def test_simulated_pins_are_pins(pins: SimulatedPins) -> None:
    assert isinstance(pins, Pins)


def test_input_follows_what_drives_it_and_else_its_pull(pins: SimulatedPins) -> None:
    pins.setup_input(4, pull_up=True)
    pins.setup_input(5, pull_up=False)
    assert (pins.read(4), pins.read(5)) == (True, False)
    pins.drive(4, lambda: False)
    assert pins.read(4) is False


def test_output_reads_back_and_is_seen(pins: SimulatedPins) -> None:
    edges: list[tuple[int, bool]] = []
    pins.watch(4, lambda pin, level: edges.append((pin, level)))
    assert pins.get_driven_level(4) is None
    pins.setup_output(4, True)
    pins.write(4, True)
    pins.write(4, False)
    assert pins.read(4) is False
    assert pins.get_driven_level(4) is False
    assert edges == [(4, True), (4, False)]


def test_forbidden_things_are_refused(pins: SimulatedPins) -> None:
    pins.setup_input(4, pull_up=True)
    pins.setup_output(5, False)
    with pytest.raises(PinError, match="pin 4 is an input and cannot be written"):
        pins.write(4, True)
    with pytest.raises(PinError, match="pin 6 is not set up and cannot be written"):
        pins.write(6, True)
    with pytest.raises(PinError, match="pin 6 was never set up"):
        pins.read(6)
    with pytest.raises(PinError, match="pin 5 is already in use"):
        pins.setup_input(5, pull_up=True)
    with pytest.raises(PinError, match="there is no pin 28"):
        pins.setup_output(28, True)
    with pytest.raises(PinError, match="two drivers on one wire"):
        pins.drive(5, lambda: True)
    pins.drive(7, lambda: True)
    with pytest.raises(PinError, match="two drivers on one wire"):
        pins.setup_output(7, True)
    pins.close()
    with pytest.raises(PinError, match="the pins were given back"):
        pins.read(4)


# The Raspberry Pi. The library is the edge of the process: it is replaced, the adapter is not.


class LgpioError(Exception):
    """As the real one: no relation to RuntimeError or OSError."""


class Library(ModuleType):
    """`RPi.GPIO` as both packages offer it; remembers what was asked."""

    BCM, IN, OUT, LOW, HIGH, PUD_UP, PUD_DOWN = 11, 1, 0, 0, 1, 22, 21

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        self.asked: list[tuple[Any, ...]] = []
        self.fails: dict[str, Exception] = {}

    def _ask(self, what: str, *arguments: object) -> int:
        if what in self.fails:
            raise self.fails[what]
        self.asked.append((what, *arguments))
        return 1

    def setwarnings(self, wanted: bool) -> None:
        self._ask("setwarnings", wanted)

    def setmode(self, mode: int) -> None:
        self._ask("setmode", mode)

    def setup(self, pin: int, direction: int, pull_up_down: int = 20, initial: int | None = None) -> None:
        self._ask("setup", pin, direction, pull_up_down, initial)

    def input(self, pin: int) -> int:
        return self._ask("input", pin)

    def output(self, pin: int, level: int) -> None:
        self._ask("output", pin, level)

    def cleanup(self, pins: list[int]) -> None:
        self._ask("cleanup", pins)


@pytest.fixture
def library(mocker: MockerFixture) -> Library:
    """A machine with rpi-lgpio that works."""
    made = Library()
    package = ModuleType("RPi")
    vars(package)["GPIO"] = made
    mocker.patch.dict(sys.modules, {"RPi": package, "RPi.GPIO": made, "lgpio": SimpleNamespace(error=LgpioError)})
    patch_installed_packages(mocker, "rpi-lgpio")
    return made


def patch_installed_packages(
    mocker: MockerFixture, *packages: str, model: str | None = "Raspberry Pi 4 Model B Rev 1.4"
) -> None:
    mocker.patch.object(rpi_pins, "_is_installed", side_effect=lambda package: package in packages)
    mocker.patch.object(rpi_pins, "read_board_model", return_value=model)


def test_calls_reach_the_library(library: Library) -> None:
    pins = RpiPins()
    assert isinstance(pins, Pins)
    pins.setup_input(5, pull_up=True)
    pins.setup_input(6, pull_up=False)
    pins.setup_output(17, level=True)
    assert pins.read(5) is True
    pins.write(17, False)
    pins.close()
    pins.close()
    assert library.asked == [
        ("setwarnings", False),
        ("setmode", 11),
        ("setup", 5, 1, 22, None),
        ("setup", 6, 1, 21, None),
        ("setup", 17, 0, 20, 1),
        ("input", 5),
        ("output", 17, 0),
        ("cleanup", [5, 6, 17]),
    ]


@pytest.mark.parametrize("error", [RuntimeError("no"), OSError("no"), ValueError("no"), LgpioError("no")])
@pytest.mark.parametrize("what", ["setmode", "setup", "input", "output", "cleanup"])
def test_whatever_the_library_raises_is_a_pin_error(library: Library, what: str, error: Exception) -> None:
    library.fails[what] = error

    def use() -> None:
        pins = RpiPins()
        pins.setup_output(17, False)
        pins.read(17)
        pins.write(17, True)
        pins.close()

    with pytest.raises(PinError, match=r"\(no\)$"):
        use()


def test_no_library(mocker: MockerFixture) -> None:
    patch_installed_packages(mocker)
    with pytest.raises(
        PinError,
        match=r"no GPIO library is installed; .* apt install python3-rpi-lgpio",
    ):
        RpiPins()


def test_both_libraries(mocker: MockerFixture) -> None:
    patch_installed_packages(mocker, "RPi.GPIO", "rpi-lgpio")
    with pytest.raises(PinError, match="are both installed and own the same file; uninstall both"):
        RpiPins()


@pytest.mark.parametrize("model", ["Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi 500 Rev 1.0"])
def test_old_library_on_a_pi_5(mocker: MockerFixture, model: str) -> None:
    patch_installed_packages(mocker, "RPi.GPIO", model=model)
    with pytest.raises(
        PinError, match=f"RPi.GPIO cannot work on a {model}; uninstall RPi.GPIO, then install rpi-lgpio"
    ):
        RpiPins()


def test_no_raspberry_pi(mocker: MockerFixture) -> None:
    """Both packages raise RuntimeError, not ImportError, when imported elsewhere."""
    patch_installed_packages(mocker, "rpi-lgpio", model=None)
    really = builtins.__import__

    def refusing(name: str, *arguments: Any, **more: Any) -> ModuleType:  # noqa: ANN401 - the signature of __import__
        if name.startswith("RPi"):
            raise RuntimeError("This module can only be run on a Raspberry Pi!")
        return really(name, *arguments, **more)

    mocker.patch("builtins.__import__", side_effect=refusing)
    with pytest.raises(PinError, match="rpi-lgpio will not run here: this machine is no Raspberry Pi") as caught:
        RpiPins()
    assert str(caught.value).endswith("without pins it can only simulate")


def test_file_of_the_library_deleted_by_uninstalling_the_other(mocker: MockerFixture) -> None:
    patch_installed_packages(mocker, "rpi-lgpio")
    mocker.patch.dict(sys.modules, {"RPi": None})
    with pytest.raises(PinError, match="rpi-lgpio is installed and yet cannot be imported"):
        RpiPins()


def test_model_of_the_board(tmp_path: Path) -> None:
    file = tmp_path / "model"
    assert read_board_model(file) is None
    file.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\x00")
    assert read_board_model(file) == "Raspberry Pi 4 Model B Rev 1.4"


def test_the_library_finds_a_place_for_its_pipe(
    tmp_path: Path, mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lgpio 0.2.2.0 makes `.lgd-nfy0` in the working directory when it is imported, and fails where it may not."""
    patch_installed_packages(mocker, "rpi-lgpio")
    (tmp_path / "packages/RPi").mkdir(parents=True)
    (tmp_path / "packages/RPi/__init__.py").touch()
    (tmp_path / "packages/RPi/GPIO.py").write_text(
        "from pathlib import Path\nPath('.lgd-nfy0').touch()\nSTOOD = Path.cwd()\nBCM = 11\n"
        "def setwarnings(_): ...\ndef setmode(_): ...\n"
    )
    for name in ("RPi", "RPi.GPIO"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(tmp_path / "packages")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    stood = RpiPins()._gpio.STOOD
    assert Path.cwd() == tmp_path / "here"
    assert list((tmp_path / "here").iterdir()) == [], "nothing is left where the program stands"
    assert stood != Path.cwd()
    assert not stood.exists()
