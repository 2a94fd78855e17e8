"""The rules of pins: of the simulated ones, and of whatever library drives the real ones."""

import builtins
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from pytest_mock import MockerFixture

from drivers.contract.device_errors import PinError
from drivers.contract.driver_interface import EdgeBatch, EdgePins, PinEdge, Pins
from drivers.pins import rpi_pins
from drivers.pins.edge_queue import EdgeQueue
from drivers.pins.rpi_pins import RpiPins, read_board_model
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
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
    with pytest.raises(PinError, match="pin 5 is no input and cannot be watched"):
        pins.watch_edges(5)
    with pytest.raises(PinError, match="pin 4 is not watched"):
        pins.take_edges(4)
    pins.close()
    with pytest.raises(PinError, match="the pins were given back"):
        pins.read(4)


def test_simulated_edges_come_once_and_with_their_time(bench: Bench, clock: ManualClock) -> None:
    edges = [PinEdge(False, 100.001), PinEdge(True, 100.002), PinEdge(False, 100.02)]
    bench.pins.drive(4, lambda: True, lambda since, until: [edge for edge in edges if since <= edge.at < until])
    bench.pins.drive(5, lambda: True)
    for pin in (4, 5, 6):
        bench.pins.setup_input(pin, pull_up=True)
    assert [bench.pins.watch_edges(pin) for pin in (4, 5, 6)] == [True, False, False]
    clock.advance(0.01)
    assert bench.pins.take_edges(4).edges == edges[:2]
    assert bench.pins.take_edges(4).edges == ()
    bench.pins.edge_delay_s = 0.005
    clock.advance(0.012)
    assert bench.pins.take_edges(4).edges == []
    clock.advance(0.005)
    assert bench.pins.take_edges(4).edges == edges[2:]


def test_a_full_queue_keeps_the_newest_edges_and_says_so_once() -> None:
    queue = EdgeQueue(max_edges=3)
    assert queue.take() == EdgeBatch()
    edges = [PinEdge(n % 2 == 0, float(n)) for n in range(4)]
    for edge in edges[:3]:
        queue.put(edge)
    assert queue.take() == EdgeBatch(tuple(edges[:3]))
    for edge in edges:
        queue.put(edge)
    assert queue.take() == EdgeBatch(tuple(edges[1:]), has_overflowed=True)
    assert queue.take() == EdgeBatch()
    for n in range(10_000):
        queue.put(PinEdge(True, float(n)))
    assert len(queue.take().edges) == 3


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

    # Of rpi-lgpio alone, and of lgpio below it.
    BOTH, BOTH_EDGES = 33, 3
    _chip: int | None = 7
    error = LgpioError

    def add_event_detect(self, pin: int, edge: int) -> None:
        self._ask("add_event_detect", pin, edge)

    def callback(self, chip: int, pin: int, edge: int, func: Callable[[int, int, int, int], None]) -> SimpleNamespace:
        self._ask("callback", chip, pin, edge)
        self.tell_edge = func
        return SimpleNamespace(cancel=lambda: self._ask("cancel", pin))


@pytest.fixture
def library(mocker: MockerFixture) -> Library:
    """A machine with rpi-lgpio that works."""
    made = Library()
    package = ModuleType("RPi")
    vars(package)["GPIO"] = made
    mocker.patch.dict(sys.modules, {"RPi": package, "RPi.GPIO": made, "lgpio": made})
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


def test_edges_come_by_lgpio_with_the_kernels_time(library: Library) -> None:
    """rpi-lgpio 0.6 `_set_alert`: add_event_detect claims the alert, and lgpio tells it to call-backs."""
    clock = ManualClock(1000.0)
    pins = RpiPins(clock)
    assert isinstance(pins, EdgePins)
    pins.setup_input(4, pull_up=True)
    assert pins.watch_edges(4)
    assert library.asked[-2:] == [("add_event_detect", 4, 33), ("callback", 7, 4, 3)]
    library.tell_edge(7, 4, 0, 999_960_000_000)
    library.tell_edge(7, 4, 1, 999_970_000_000)
    library.tell_edge(7, 4, 2, 999_980_000_000)  # a watchdog of lgpio's: no edge
    assert pins.take_edges(4) == EdgeBatch((PinEdge(False, 999.96), PinEdge(True, 999.97)))
    assert pins.take_edges(4) == EdgeBatch()
    pins.close()
    pins.close()
    assert library.asked[-2:] == [("cancel", 4), ("cleanup", [4])]


@pytest.mark.parametrize("stamp_ns", [1_795_000_000_000_000_000, 1, 1_000_000_000_001])
def test_a_stamp_of_another_clock_is_no_time(library: Library, stamp_ns: int) -> None:
    """ "It's probably best not to make any assumption as to the timestamp origin" (lgpio.callback)."""
    pins = RpiPins(ManualClock(1000.0))
    pins.setup_input(4, pull_up=True)
    pins.watch_edges(4)
    library.tell_edge(7, 4, 0, stamp_ns)
    assert pins.take_edges(4).edges == (PinEdge(False, 1000.0),)


@pytest.mark.parametrize("error", [RuntimeError("no"), LgpioError("no")])
def test_a_chip_without_interrupts_is_sampled(library: Library, error: Exception) -> None:
    """lgpio gives the line up before it asks for its edges (`lgGpioClaimAlert`), and its resistor with it."""
    pins = RpiPins()
    pins.setup_input(4, pull_up=True)
    library.fails["add_event_detect"] = error
    assert not pins.watch_edges(4)
    assert library.asked[-2:] == [("setup", 4, 1, 22, None)] * 2
    pins.close()
    assert library.asked[-1] == ("cleanup", [4])


def test_without_a_kernels_time_there_are_no_edges(library: Library, mocker: MockerFixture) -> None:
    """The true RPi.GPIO tells a call-back the pin and no time; another rpi-lgpio may hide its chip."""
    library._chip = None
    assert not RpiPins().watch_edges(4)
    library._chip = 7
    patch_installed_packages(mocker, "RPi.GPIO")
    assert not RpiPins().watch_edges(4)
    assert "add_event_detect" not in {asked[0] for asked in library.asked}


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
