"""A technician at a table whose devices stand on a bench, in a time that passes only while a command waits."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_mock import MockerFixture

from config.table_file import load_table_file
from controller.app.table.table_devices import build_devices
from controller.cli.decks import deck_register_command
from controller.cli.devices import device_access, monitor_command, record_command
from controller.cli.table import doctor_command
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock

TABLE = """
[table]
rulebook = "roberts-7"
game = "holdem"
betting = { structure = "no-limit", small_blind = 1, big_blind = 2 }
places = 8
button = 1
seats = [ { seat = 1, stack = 200 }, { seat = 2, stack = 200 }, { seat = 4, stack = 200 } ]
sensors = ["identity"]

[state]
directory = "DIRECTORY"
"""

TIMED = (device_access, monitor_command, record_command, deck_register_command, doctor_command)
"""The commands that ask what time it is, or wait."""


class World:
    """The bench, and what people do at which second."""

    def __init__(self, clock: ManualClock, bench: Bench) -> None:
        self.clock = clock
        self.bench = bench
        self._plans: list[tuple[float, Callable[[], object]]] = []

    def schedule(self, seconds: float, action: Callable[[], object]) -> None:
        """Do `action` so many seconds from now."""
        self._plans.append((self.clock() + seconds, action))

    def wait(self, seconds: float) -> None:
        """Let time pass, as `time.sleep` does."""
        self.clock.advance(seconds)
        due = sorted((plan for plan in self._plans if plan[0] <= self.clock()), key=lambda plan: plan[0])
        self._plans = [plan for plan in self._plans if plan[0] > self.clock()]
        for _, action in due:
            action()


def list_page_rows(text: str, first_column: str) -> list[list[str]]:
    """The rows of the table of a page whose head begins with these columns."""
    head = text.index(f"\n| {first_column} |") + 1
    rows = [line.strip("| ").split(" | ") for line in text[head:].partition("\n\n")[0].splitlines()]
    return rows[2:]


@pytest.fixture
def world(mocker: MockerFixture) -> Iterator[World]:
    clock = ManualClock()
    with Bench(clock=clock) as bench:
        world = World(clock, bench)
        real = SimpleNamespace(monotonic=clock, sleep=world.wait)
        for module in TIMED:
            mocker.patch.object(module, "time", real)
        yield world


@pytest.fixture
def table(tmp_path: Path) -> Callable[[str], Path]:
    """Write a table's file with these devices; return its path."""

    def write(devices: str) -> Path:
        path = tmp_path / "table.toml"
        path.write_text(TABLE.replace("DIRECTORY", str(tmp_path / "state")) + devices, encoding="utf-8")
        return path

    return write


@pytest.fixture
def on_pins(world: World, mocker: MockerFixture) -> Callable[[Path], Bench]:
    """Wire the devices of a file to the bench's pins, and let commands find those."""

    def wire(path: Path) -> Bench:
        file = load_table_file(path)
        for name in build_devices(file).pin_drivers:
            world.bench.add_device(file.devices[name].driver, name, file.devices[name].driver_keys)
        mocker.patch.object(device_access, "open_pins", side_effect=lambda _: world.bench.pins.reopen())
        return world.bench

    return wire
