"""How long a tag must lie over each reader: measured anew, with the times of its simulator and where they are from."""

from collections.abc import Callable
from importlib import import_module
from inspect import getsource
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.reader_dwell import main, measure_percents, render_table
from config.table_file import load_table_file
from controller.app.diagnostics.check_result import CheckGrade
from controller.app.diagnostics.dwell_checks import check_dwells
from drivers.contract.driver_registry import DRIVERS
from drivers.readers.dwell_times import DWELLS_MS, READER_DWELLS, ReaderDwell, find_dwell
from drivers.readers.rc522 import Rc522
from drivers.simulators.bench.manual_clock import ManualClock

ROOT = Path(__file__).parents[3]


def measure_empty_look(module: ModuleType) -> float:
    """How long the simulated bus is busy with an RC522's look, in seconds: no constant, but its bytes and its waits."""
    clock, driver = ManualClock(), Rc522("seat4")
    simulator = module.Rc522Simulator(clock)
    for _ in range(3):
        clock.advance(1.0)
        simulator.receive_data(driver.on_tick(clock())[0])
        asked_at = clock()
        clock.advance(1.0)
        ((answered_at, answer),) = simulator.take_frames()
        driver.receive_data(answer, clock())
    return round(float(answered_at - asked_at), 4)


ANSWER_TIME_BY_DRIVER: dict[str, Callable[[ModuleType], float]] = {
    "cr95hf": lambda module: module.INVENTORY_DELAY_S,
    "feig": lambda module: module.INVENTORY_DELAY_S,
    "lines": lambda module: module.REPEAT_INTERVAL_S,
    "pepper_c1": lambda module: module.LOOK_DELAY_S + module.LOOK_DELAY_PER_TAG_S,
    "pn532": lambda module: module.INVENTORY_DELAY_S,
    "rc522": measure_empty_look,
    "rdm6300": lambda module: module.REPEAT_INTERVAL_S,
    "s6350": lambda module: module.INVENTORY_DELAY_S,
    "thingmagic": lambda module: module.RECORD_INTERVAL_S,
}


def find_row(driver: str, **keys: object) -> ReaderDwell:
    row = find_dwell(driver, keys)
    assert row is not None
    return row


def import_simulator(driver: str) -> ModuleType:
    return import_module(f"drivers.simulators.readers.{driver}_simulator")


# The readers of the tables that we recommend, at once; the others with the long tests.
RECOMMENDED = ("pn532", "tags = 1"), ("rdm6300", "RDM6300")


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row,
            id=f"{row.driver} {row.label}",
            marks=() if (row.driver, row.label.replace("`", "")) in RECOMMENDED else pytest.mark.slow,
        )
        for row in READER_DWELLS
    ],
)
def test_the_figures_are_those_of_a_live_table(row: ReaderDwell) -> None:
    assert measure_percents(row) == row.percents


def test_the_recommended_reader_of_a_shoe_is_quick_enough() -> None:
    """docs/hardware/rfid-shoe.md: a card is drawn past in 60 ms, its tag is over an antenna of 4 cm for some 40 ms."""
    share_by_dwell = dict(zip(DWELLS_MS, find_row("pn532", tags=1).percents, strict=True))
    assert share_by_dwell[60] == 100
    assert share_by_dwell[40] >= 50
    silent = next(row for row in READER_DWELLS if row.query == "nack=silent")
    assert dict(zip(DWELLS_MS, silent.percents, strict=True))[60] == 100, "nothing hangs on NACK"


@pytest.mark.parametrize("row", READER_DWELLS, ids=lambda row: f"{row.driver} {row.label}")
def test_each_time_is_its_simulators_and_has_its_source_there(row: ReaderDwell) -> None:
    simulator = import_simulator(row.driver)
    seconds = ANSWER_TIME_BY_DRIVER[row.driver](simulator)
    if row.driver == "pn532":
        assert simulator.INVENTORY_DELAY_S >= 0.025, "no quicker than anybody measured"
    if row.query.startswith("inventory_seconds="):
        seconds = float(row.query.partition("=")[2])
    elif row.query.startswith("model=id"):
        seconds = simulator.FIRST_READ_DELAY_S
    assert seconds * 1000 == pytest.approx(row.answer_ms)
    source = row.source.replace("as ISO", "ISO").replace("16 slots of ", "").split(":")[0].split(",")[0]
    assert source in " ".join(getsource(simulator).split())


def test_no_reader_is_left_out() -> None:
    readers = {name for name, where in DRIVERS.items() if where.startswith("drivers.readers")}
    assert {row.driver for row in READER_DWELLS} == readers == set(ANSWER_TIME_BY_DRIVER)


def test_the_table_of_the_page_is_that_of_the_figures() -> None:
    page = (ROOT / "docs/devices.md").read_text(encoding="utf-8")
    section = page.partition("## Dwell\n")[2].partition("\n## ")[0]
    assert [line for line in section.splitlines() if line.startswith("|")] == render_table()


def test_the_bench_keeps_the_shoes_dwell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    row = find_row("pn532", tags=1)
    monkeypatch.setattr("benchmarks.reader_dwell.READER_DWELLS", (row,))
    assert main() == {"shoe-dwell-ms": 40}
    assert render_table((row,))[-1] in capsys.readouterr().out


def make_file(tmp_path: Path, driver: str, keys: str) -> Path:
    path = tmp_path / "table.toml"
    example = (ROOT / "config/tables/rfid-shoe.toml").read_text(encoding="utf-8")
    before, _, rest = example.partition("[device.shoe] ")
    _, _, after = rest.partition("\n\n")
    path.write_text(
        f'{before}[device.shoe]\ndriver = "{driver}"\nport = "/dev/table/shoe"\n{keys}\n\n{after}', encoding="utf-8"
    )
    return path


@pytest.mark.parametrize(
    ("driver", "keys", "grade", "said"),
    [
        ("pn532", "tags = 1", CheckGrade.GOOD, "lies there 40 ms, as its simulator has it; of those"),
        ("pn532", "tags = 1", CheckGrade.GOOD, "it reads 100 of 100"),
        ("cr95hf", "", CheckGrade.GOOD, "it reads 100 of 100"),
        ("rdm6300", "", CheckGrade.DOUBTFUL, "lies there 150 ms"),
        ("rdm6300", 'model = "id-12la"', CheckGrade.DOUBTFUL, "lies there 80 ms"),
    ],
)
def test_doctor_says_it_beside_the_speed_of_dealing(
    driver: str, keys: str, grade: CheckGrade, said: str, tmp_path: Path
) -> None:
    (found,) = check_dwells(load_table_file(make_file(tmp_path, driver, keys)))
    assert (found.subject, found.grade) == (f"dwell of shoe ({driver})", grade)
    assert said in found.text
    assert "two to three a second, some 40 ms each" in found.text
    assert bool(found.remedy) == (grade is CheckGrade.DOUBTFUL)


@pytest.mark.parametrize("keys", ["", "tags = 2"], ids=["by default", "said"])
def test_doctor_wants_a_shoe_to_ask_its_pn532_for_one_tag(keys: str, tmp_path: Path) -> None:
    """Some chips of firmware 1.6 that are asked for two name a single tag every second time (NXP thread 481864)."""
    (found,) = check_dwells(load_table_file(make_file(tmp_path, "pn532", keys)))
    assert found.grade is CheckGrade.DOUBTFUL
    assert found.text == "some such chips read none that lies there 200 ms"
    assert found.remedy.startswith("set tags = 1:")


def test_a_seat_may_ask_for_the_two_that_lie_there(tmp_path: Path) -> None:
    seat = '\n[device.seat1]\ndriver = "pn532"\nport = "/dev/table/seat1"\n\n[antennas]\nseat1 = "seat 1"\n'
    path = make_file(tmp_path, "pn532", "tags = 1")
    path.write_text(path.read_text(encoding="utf-8") + seat, encoding="utf-8")
    found = {check.subject: check for check in check_dwells(load_table_file(path))}
    assert found["dwell of seat1 (pn532)"].grade is CheckGrade.GOOD
    assert found["dwell of seat1 (pn532)"].text == "reads every tag that lies there 40 ms, as its simulator has it"


def test_no_table_of_ours_asks_the_pn532_of_its_shoe_for_two() -> None:
    asked = [
        (path.name, device.driver_keys.get("tags"))
        for path in sorted((ROOT / "config/tables").glob("*.toml"))
        if (file := load_table_file(path)).shoe is not None
        and (device := file.devices[file.shoe.reader]).driver == "pn532"
    ]
    assert asked
    assert {tags for _, tags in asked} == {1}
