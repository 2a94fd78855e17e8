"""A coil for intermittent duty is never on longer than its maker allows, whatever the table wants.

Duty cycle as makers of solenoids state it (VDE 0580, "ED"): a longest on-time, and the rest that it needs after that.
"""

from collections.abc import Iterator

import pytest

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import SAMPLE_INTERVAL_S, DeviceEvent, GateHeldShut, Signals
from drivers.shoe.shoe_gate import START_HEAT_SHARE, ShoeGate
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.shoe.shoe_gate_simulator import ShoeGateSimulator
from tests.drivers.serving import sample

PIN, MAX_ON_S, REST_S = 17, 20.0, 60.0
KEYS = {"pin": PIN, "open_level": "high", "fail_safe": "locked", "max_on_seconds": MAX_ON_S, "rest_seconds": REST_S}


def make_gate(**keys: object) -> ShoeGate:
    return ShoeGate("gate", **{**KEYS, **keys})  # type: ignore[arg-type]


class GateLine:
    """A gate, its coil at the far end of the wire, and the clock that the test moves."""

    def __init__(self, bench: Bench, clock: ManualClock, gate: ShoeGate) -> None:
        self.clock, self.bench, self.gate = clock, bench, gate
        bench.add_device("gate", "gate", KEYS)
        self.coil = bench.find_simulator("gate", ShoeGateSimulator)
        gate.start(bench.pins)

    def want(self, gate_open: bool) -> None:
        self.gate.show_signals(Signals(gate_open=gate_open), self.bench.pins)

    def sample_for(self, seconds: float, *, step_s: float = SAMPLE_INTERVAL_S) -> list[DeviceEvent]:
        return sample(self.gate, self.bench.pins, self.clock, seconds, step_s)


@pytest.fixture
def line() -> Iterator[GateLine]:
    clock = ManualClock()
    with Bench("gate limit", clock=clock) as bench:
        yield GateLine(bench, clock, make_gate())


@pytest.fixture
def cool_line(line: GateLine) -> GateLine:
    line.sample_for(REST_S, step_s=0.5)
    return line


def test_gate_shuts_at_the_limit_says_so_and_opens_again_by_itself(cool_line: GateLine) -> None:
    cool_line.want(True)
    assert not cool_line.sample_for(MAX_ON_S - 0.1)
    assert cool_line.coil.is_open()
    (held,) = cool_line.sample_for(0.2)
    assert isinstance(held, GateHeldShut)
    assert held.reason == "its coil has been on long enough and rests: the gate opens again by itself in 60 s"
    assert not cool_line.coil.is_open()
    assert not cool_line.sample_for(REST_S - 0.3)
    assert not cool_line.coil.is_open()
    assert not cool_line.sample_for(0.4)
    assert cool_line.coil.is_open()
    assert not cool_line.coil.is_overheated()


def test_limit_reached_twice_is_said_twice(cool_line: GateLine) -> None:
    cool_line.want(True)
    events = cool_line.sample_for(2 * (MAX_ON_S + REST_S) + 1)
    assert [type(event) for event in events] == [GateHeldShut, GateHeldShut]
    assert not cool_line.coil.is_overheated()


def test_many_short_openings_heat_it_as_one_long_one_does(cool_line: GateLine) -> None:
    for _ in range(60):
        cool_line.want(True)
        cool_line.sample_for(0.9)
        cool_line.want(False)
        cool_line.sample_for(0.1)
    assert not cool_line.coil.is_overheated()
    assert not cool_line.coil.is_open()


def test_undo_does_not_make_the_coil_cool(cool_line: GateLine) -> None:
    cool_line.want(True)
    cool_line.sample_for(MAX_ON_S - 1)
    cool_line.want(False)  # undo
    cool_line.sample_for(0.05)
    cool_line.want(True)  # and the card is due again
    assert [type(event) for event in cool_line.sample_for(1.5)] == [GateHeldShut]
    assert not cool_line.coil.is_overheated()


def test_card_that_falls_due_while_it_rests_is_told_how_long_that_lasts(cool_line: GateLine) -> None:
    cool_line.want(True)
    cool_line.sample_for(MAX_ON_S + 0.1)
    cool_line.want(False)
    assert not cool_line.sample_for(40)
    cool_line.want(True)
    cool_line.want(True)  # every outcome is shown; one card is due
    (held,) = cool_line.sample_for(0.1)
    assert isinstance(held, GateHeldShut)
    assert held.reason.endswith("opens again by itself in 20 s")
    cool_line.want(True)  # and what else is entered meanwhile says it no second time
    assert not cool_line.sample_for(0.1)
    assert not cool_line.coil.is_open()


def test_card_that_falls_due_as_the_rest_ends_is_let_out_without_a_word(cool_line: GateLine) -> None:
    cool_line.want(True)
    cool_line.sample_for(MAX_ON_S + 0.1)
    cool_line.want(False)
    cool_line.sample_for(REST_S - 1)
    cool_line.want(True)
    assert not cool_line.sample_for(2, step_s=2)
    assert cool_line.coil.is_open()


def test_nothing_opens_after_the_rest_when_no_card_is_due(cool_line: GateLine) -> None:
    cool_line.want(True)
    cool_line.sample_for(MAX_ON_S + 0.1)
    cool_line.want(False)
    assert not cool_line.sample_for(2 * REST_S, step_s=0.5)
    assert not cool_line.coil.is_open()


def test_start_gives_no_fresh_on_time(line: GateLine) -> None:
    """Nobody knows how long the coil was on before: it opens, for a tenth of its longest on-time."""
    line.want(True)
    assert line.coil.is_open()
    assert not line.sample_for((1 - START_HEAT_SHARE) * MAX_ON_S - 0.1)
    assert [type(event) for event in line.sample_for(0.2)] == [GateHeldShut]
    assert not line.coil.is_open()


def test_second_start_of_one_program_goes_on_with_what_it_knows(cool_line: GateLine) -> None:
    cool_line.want(True)
    cool_line.sample_for(MAX_ON_S - 0.5)
    cool_line.gate.stop(cool_line.bench.pins)
    assert not cool_line.coil.is_open()
    cool_line.want(True)
    assert [type(event) for event in cool_line.sample_for(0.6)] == [GateHeldShut]


def test_late_sample_is_counted_whole(cool_line: GateLine) -> None:
    cool_line.want(True)
    cool_line.sample_for(MAX_ON_S / 2)
    assert [type(event) for event in cool_line.sample_for(MAX_ON_S, step_s=MAX_ON_S)] == [GateHeldShut]
    assert not cool_line.coil.is_open()


def test_coil_that_was_on_too_long_by_a_late_sample_rests_the_longer(cool_line: GateLine) -> None:
    cool_line.want(True)
    cool_line.sample_for(MAX_ON_S - 0.1)
    cool_line.clock.advance(2.1)
    (held,) = cool_line.gate.sample(cool_line.bench.pins, cool_line.clock())
    assert isinstance(held, GateHeldShut)
    assert held.reason.endswith(f"opens again by itself in {REST_S + 2 * REST_S / MAX_ON_S:.0f} s")
    cool_line.sample_for(REST_S + 5)
    assert not cool_line.coil.is_open()
    cool_line.sample_for(1.5)
    assert cool_line.coil.is_open()


def test_stop_while_it_rests_leaves_it_safe(cool_line: GateLine) -> None:
    cool_line.want(True)
    cool_line.sample_for(MAX_ON_S + 1)
    cool_line.gate.stop(cool_line.bench.pins)
    for _ in range(round(2 * REST_S)):
        cool_line.sample_for(1, step_s=0.5)
        assert not cool_line.coil.is_open()


@pytest.mark.parametrize("keys", [{}, {"continuous_duty": True}])
def test_gate_without_a_limit_stays_open(keys: dict[str, object], bench: Bench) -> None:
    gate = ShoeGate("gate", pin=PIN, open_level="high", fail_safe="locked", **keys)  # type: ignore[arg-type]
    gate.start(bench.pins)
    gate.show_signals(Signals(gate_open=True), bench.pins)
    assert not [event for hour in range(100) for event in gate.sample(bench.pins, 3600.0 * hour)]
    assert bench.pins.get_driven_level(PIN)


def test_simulated_coil_overheats_without_the_limit() -> None:
    """The far end is no friend of the driver: the same coil on a gate that knows no limit burns."""
    clock = ManualClock()
    with Bench("gate without limit", clock=clock) as hot:
        hot.add_device("gate", "gate", KEYS)
        coil = hot.find_simulator("gate", ShoeGateSimulator)
        gate = ShoeGate("gate", pin=PIN, open_level="high", fail_safe="locked")
        gate.start(hot.pins)
        gate.show_signals(Signals(gate_open=True), hot.pins)
        clock.advance(MAX_ON_S + 2)
        assert coil.is_overheated()


@pytest.mark.parametrize(
    ("keys", "key", "words"),
    [
        ({"rest_seconds": None}, "rest_seconds", "is missing beside max_on_seconds"),
        ({"max_on_seconds": None}, "max_on_seconds", "is missing beside rest_seconds"),
        ({"max_on_seconds": 0.5}, "max_on_seconds", "it must be 1 to 3600 seconds, not 0.5"),
        ({"max_on_seconds": float("nan")}, "max_on_seconds", "it must be 1 to 3600 seconds, not nan"),
        ({"rest_seconds": float("inf")}, "rest_seconds", "it must be 1 to 3600 seconds, not inf"),
        ({"rest_seconds": 0}, "rest_seconds", "it must be 1 to 3600 seconds, not 0"),
        ({"continuous_duty": True}, "continuous_duty", "needs no limit"),
        ({"pin": 5, "fail_safe": "open"}, "max_on_seconds", "is on while the gate is locked"),
    ],
)
def test_limit_that_makes_no_sense_is_refused(keys: dict[str, object], key: str, words: str) -> None:
    with pytest.raises(DriverConfigError) as caught:
        make_gate(**keys)
    assert caught.value.key == key
    assert words in caught.value.message
