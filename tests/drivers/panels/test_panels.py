"""Panels behind shift registers and in a matrix: each key and no other, read off the pins."""

from collections.abc import Callable

import pytest

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import KeyPressed, PinDriver
from drivers.panels.panel_165 import Panel165
from drivers.panels.panel_matrix import PanelMatrix
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from tests.drivers.serving import sample

INPUTS = {f"k{n}": n for n in range(24)}
PLACES = {f"{row}{column}": (row, column) for row in range(3) for column in range(4)}

Make = Callable[[Bench], PinDriver]


def chain(bench: Bench) -> PinDriver:
    wiring = {"load_pin": 7, "clock_pin": 8, "data_pin": 12, "chips": 3, "keys": INPUTS}
    bench.add_device("panel_165", "panel", wiring)
    return Panel165("panel", load_pin=7, clock_pin=8, data_pin=12, chips=3, keys=INPUTS)


def matrix(bench: Bench) -> PinDriver:
    rows, columns = (16, 19, 13), (20, 21, 26, 6)
    bench.add_device("panel_matrix", "panel", {"rows": rows, "columns": columns, "keys": PLACES})
    return PanelMatrix("panel", rows=rows, columns=columns, keys=PLACES)


@pytest.mark.parametrize(("make", "keys"), [(chain, INPUTS), (matrix, PLACES)], ids=["chain", "matrix"])
def test_each_key_and_no_other(make: Make, keys: dict[str, object], bench: Bench, clock: ManualClock) -> None:
    driver = make(bench)
    driver.start(bench.pins)
    assert sample(driver, bench.pins, clock, 0.1) == []
    for key in keys:
        bench.panel("panel").tap(key)
        assert sample(driver, bench.pins, clock, 0.3) == [KeyPressed("panel", key)]


@pytest.mark.parametrize(("make", "keys"), [(chain, ("k0", "k7", "k8")), (matrix, ("00", "01", "10"))])
def test_three_keys_at_once_make_no_fourth(make: Make, keys: tuple[str, ...], bench: Bench, clock: ManualClock) -> None:
    driver = make(bench)
    driver.start(bench.pins)
    sample(driver, bench.pins, clock, 0.1)
    for key in keys:
        bench.panel("panel").press(key)
    pressed = [event.key for event in sample(driver, bench.pins, clock, 1) if isinstance(event, KeyPressed)]
    assert sorted(pressed) == sorted(keys)


def test_chain_takes_all_keys_in_at_one_instant(bench: Bench, clock: ManualClock) -> None:
    """A key that changes while the chain is shifted out is seen as it was when the chain was loaded."""
    driver = chain(bench)
    driver.start(bench.pins)
    panel = bench.panel("panel")
    sample(driver, bench.pins, clock, 0.1)
    bench.pins.watch(8, lambda *_: panel.press("k23"))
    driver.sample(bench.pins, clock())
    clock.advance(0.1)
    assert sample(driver, bench.pins, clock, 0.1) == [KeyPressed("panel", "k23")]


@pytest.mark.parametrize(
    ("make", "key", "message"),
    [
        (
            lambda: Panel165("p", load_pin=7, clock_pin=8, data_pin=12, chips=1, keys={"a": 8}),
            "keys.a",
            "there is no input 8; there are 0 to 7",
        ),
        (
            lambda: Panel165("p", load_pin=7, clock_pin=8, data_pin=12, chips=1, keys={"a": 1, "b": 1}),
            "keys.b",
            "input 1 is already 'a'",
        ),
        (
            lambda: Panel165("p", load_pin=7, clock_pin=8, data_pin=8, chips=1, keys={"a": 1}),
            "data_pin",
            "pin 8 is already 'clock_pin'; give every role a pin of its own",
        ),
        (
            lambda: Panel165("p", load_pin=7, clock_pin=8, data_pin=12, chips=0, keys={"a": 1}),
            "chips",
            "a chain has at least one chip, not 0",
        ),
        (
            lambda: Panel165("p", load_pin=7, clock_pin=8, data_pin=12, chips=1, keys={}),
            "keys",
            "a panel needs at least one key: name = input",
        ),
        (
            lambda: PanelMatrix("p", rows=[4], columns=[5], keys={"a": [0, 1]}),
            "keys.a",
            "[0, 1] is no place; it must be [row, column], 0 to 0 and 0 to 0",
        ),
        (
            lambda: PanelMatrix("p", rows=[4], columns=[5], keys={"a": [0, 0], "b": [0, 0]}),
            "keys.b",
            "there is another key at [0, 0]",
        ),
        (
            lambda: PanelMatrix("p", rows=[4], columns=[4], keys={"a": [0, 0]}),
            "columns.0",
            "pin 4 is already 'rows.0'; give every role a pin of its own",
        ),
    ],
)
def test_refusals(make: Callable[[], PinDriver], key: str, message: str) -> None:
    with pytest.raises(DriverConfigError) as caught:
        make()
    assert (caught.value.key, caught.value.message) == (key, message)
