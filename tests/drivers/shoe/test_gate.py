from collections.abc import Callable
from typing import Literal

import pytest

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import Signals
from drivers.shoe.shoe_gate import ShoeGate
from drivers.simulators.bench.bench import Bench
from drivers.simulators.shoe.shoe_gate_simulator import ShoeGateSimulator

Level = Literal["high", "low"]
Rest = Literal["locked", "open"]

WIRINGS: list[tuple[int, Level, Rest]] = [
    (17, "high", "locked"),
    (5, "low", "locked"),
    (5, "high", "open"),
    (17, "low", "open"),
]


@pytest.mark.parametrize(("pin", "open_level", "fail_safe"), WIRINGS)
def test_gate_rests_where_it_must(
    pin: int, open_level: Level, fail_safe: Rest, bench: Bench, signals: Callable[..., Signals]
) -> None:
    bench.add_device("gate", "gate", {"pin": pin, "open_level": open_level, "fail_safe": fail_safe})
    simulator = bench.find_simulator("gate", ShoeGateSimulator)
    subject = ShoeGate("gate", pin=pin, open_level=open_level, fail_safe=fail_safe)
    rests_open = fail_safe == "open"
    assert simulator.is_open() is rests_open
    subject.start(bench.pins)
    assert simulator.is_open() is rests_open
    subject.show_signals(signals(gate_open=True), bench.pins)
    assert simulator.is_open()
    assert bench.pins.get_driven_level(pin) is (open_level == "high")
    subject.show_signals(signals(gate_open=False), bench.pins)
    assert not simulator.is_open()
    subject.stop(bench.pins)
    assert simulator.is_open() is rests_open
    bench.pins.close()
    assert simulator.is_open() is rests_open


def test_no_moment_off_the_safe_level_at_the_start(bench: Bench) -> None:
    ShoeGate("gate", pin=17, open_level="high", fail_safe="locked").start(bench.pins)
    assert [change.level for change in bench.pins.history] == [False]


@pytest.mark.parametrize(
    ("pin", "open_level", "fail_safe", "message"),
    [
        (
            5,
            "high",
            "locked",
            "pin 5 is pulled up while the board boots, which is not the fail-safe level; take 9 to 27",
        ),
        (
            17,
            "low",
            "locked",
            "pin 17 is pulled down while the board boots, which is not the fail-safe level; take 2 to 8",
        ),
        (40, "high", "locked", "there is no pin 40; a BCM number is 0 to 27"),
    ],
)
def test_pin_that_would_move_the_gate_at_boot_is_refused(
    pin: int, open_level: Level, fail_safe: Rest, message: str
) -> None:
    with pytest.raises(DriverConfigError) as caught:
        ShoeGate("gate", pin=pin, open_level=open_level, fail_safe=fail_safe)
    assert caught.value.message == message
