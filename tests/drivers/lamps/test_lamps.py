"""The lamp language, and the shift-register chain that speaks it, read off the pins."""

from collections.abc import Callable
from dataclasses import fields
from itertools import combinations

import pytest

from controller.core.protocol.table_display import Lamps
from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import SAMPLE_INTERVAL_S, Signals
from drivers.lamps.lamp_patterns import PATTERN_BY_ROLE, ROLES, SLOT_DURATION_S
from drivers.lamps.lamps_595 import REFRESH_INTERVAL_S, Lamps595
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.lamps.lamps_595_simulator import Lamps595Simulator
from tests.drivers.serving import sample

CYCLE = 2.0

WIRING = {"data_pin": 22, "clock_pin": 23, "latch_pin": 24, "enable_pin": 25, "chips": 3}
OUTPUTS = {
    "act": {"1": 0, "2": 1},
    "attention": {"1": 0, "2": 1},
    "button": {"1": 8, "2": 15},
    "small_blind": {"1": 16, "2": 17},
    "big_blind": {"1": 18, "2": 19},
    "kill": {"1": 2, "2": 3},
    "winner_button": {"1": 4, "2": 5},
    "choice": {"1": 6, "2": 7},
    "middle_blind": {"1": 9, "2": 10},
    "deal": {"1": 22, "2": 23},
}

Make = Callable[..., Signals]


# The language.


def test_every_role_of_the_core_has_a_pattern() -> None:
    assert set(ROLES) == {field.name for field in fields(Lamps)}


@pytest.mark.parametrize("role", ROLES)
def test_pattern_begins_lit_and_lasts_two_seconds(role: str) -> None:
    assert PATTERN_BY_ROLE[role][0] == "#"
    assert len(PATTERN_BY_ROLE[role]) * SLOT_DURATION_S == CYCLE


@pytest.mark.parametrize("role", ROLES)
def test_no_more_than_three_flashes_in_any_second(role: str) -> None:
    pattern = PATTERN_BY_ROLE[role] * 2
    second = round(1 / SLOT_DURATION_S)
    for start in range(len(PATTERN_BY_ROLE[role])):
        window = pattern[start : start + second]
        assert window.count(".#") <= 3


def test_patterns_differ_however_they_are_shifted() -> None:
    for one, other in combinations(PATTERN_BY_ROLE.values(), 2):
        assert other not in one + one


# The chain.


class Chain:
    def __init__(self, bench: Bench, clock: ManualClock) -> None:
        bench.add_device("lamps_595", "lamps", {**WIRING, "outputs": OUTPUTS})
        self.simulator = bench.find_simulator("lamps", Lamps595Simulator)
        self.driver = Lamps595(
            "lamps", data_pin=22, clock_pin=23, latch_pin=24, enable_pin=25, chips=3, outputs=OUTPUTS
        )
        self.bench, self.clock = bench, clock
        self.driver.start(bench.pins)

    def run(self, seconds: float) -> None:
        sample(self.driver, self.bench.pins, self.clock, seconds)

    def lit_seats(self) -> dict[str, tuple[int, ...]]:
        return {role: seats for role, seats in self.simulator.lit_seats().items() if seats}


@pytest.fixture
def chain(bench: Bench, clock: ManualClock) -> Chain:
    return Chain(bench, clock)


def test_dark_until_the_whole_chain_was_written(chain: Chain, signals: Make) -> None:
    """The registers hold bits of chance after power-on, and no output may drive before the first latch."""
    alight: list[bool] = []
    chain.bench.pins.watch(22, lambda *_: alight.append(any(chain.simulator.output_levels())))
    chain.bench.pins.watch(23, lambda *_: alight.append(any(chain.simulator.output_levels())))
    assert not any(chain.simulator.output_levels())
    chain.driver.show_signals(signals(act=(1, 2)), chain.bench.pins)
    assert len(alight) > 48
    assert not any(alight)
    assert chain.lit_seats() == {"act": (1, 2), "attention": (1, 2)}


def test_each_role_and_seat_lights_its_own_output(chain: Chain, signals: Make) -> None:
    for role, seats in OUTPUTS.items():
        for seat, output in seats.items():
            chain.driver.show_signals(signals(**{role: (int(seat),)}), chain.bench.pins)
            assert [n for n, lit in enumerate(chain.simulator.output_levels()) if lit] == [output]


@pytest.mark.parametrize("role", ROLES)
def test_pattern_is_seen_at_the_pins(chain: Chain, signals: Make, role: str) -> None:
    chain.run(0.1)
    chain.driver.show_signals(signals(**{role: (2,)}), chain.bench.pins)
    seen = ""
    for _ in PATTERN_BY_ROLE[role]:
        chain.run(0.06)
        seen += "#" if 2 in chain.simulator.lit_seats()[role] else "."
        chain.run(SLOT_DURATION_S - 0.06)
    assert seen == PATTERN_BY_ROLE[role]


def test_lamp_that_stays_goes_on_with_its_pattern(chain: Chain, signals: Make) -> None:
    """A `perform` that changes nothing must not restart a blink, or a busy table would never blink."""
    chain.run(0.1)
    dark = 0
    for _ in range(40):
        chain.driver.show_signals(signals(act=(1,)), chain.bench.pins)
        chain.run(0.05)
        dark += not chain.lit_seats()
    assert 15 <= dark <= 25


def test_more_urgent_role_shows_on_a_shared_lamp(chain: Chain, signals: Make) -> None:
    chain.run(0.1)
    chain.driver.show_signals(signals(act=(1,), attention=(1,)), chain.bench.pins)
    seen = ""
    for _ in PATTERN_BY_ROLE["attention"]:
        chain.run(0.06)
        seen += "#" if chain.lit_seats() else "."
        chain.run(SLOT_DURATION_S - 0.06)
    assert seen == PATTERN_BY_ROLE["attention"]


def test_flipped_latch_is_repaired(chain: Chain, signals: Make) -> None:
    chain.driver.show_signals(signals(button=(1,)), chain.bench.pins)
    chain.simulator.flip_latch(16)
    assert chain.lit_seats() == {"button": (1,), "small_blind": (1,)}
    chain.run(REFRESH_INTERVAL_S + SAMPLE_INTERVAL_S)
    assert chain.lit_seats() == {"button": (1,)}


def test_nothing_is_written_while_nothing_changes(chain: Chain, signals: Make) -> None:
    chain.driver.show_signals(signals(button=(1,)), chain.bench.pins)
    chain.run(0.1)
    chain.bench.pins.history.clear()
    chain.run(REFRESH_INTERVAL_S - 0.2)
    assert not chain.bench.pins.history


def test_outputs_off_at_the_end(chain: Chain, signals: Make) -> None:
    chain.driver.show_signals(signals(button=(1,)), chain.bench.pins)
    chain.driver.stop(chain.bench.pins)
    assert chain.bench.pins.get_driven_level(25) is True
    assert not any(chain.simulator.output_levels())


@pytest.mark.parametrize(
    ("chips", "outputs", "key", "message"),
    [
        (0, {"act": {"1": 0}}, "chips", "a chain has at least one chip, not 0"),
        (1, {"act": {"1": 8}}, "outputs.act.1", "there is no output 8; there are 0 to 7"),
        (1, {"act": {"one": 0}}, "outputs.act.one", "a seat is a number from 1, not 'one'"),
        (1, {"actt": {"1": 0}}, "outputs.actt", f"there is no such role; there are {', '.join(ROLES)}"),
        (1, {}, "outputs", "no lamp is named: role -> seat -> output"),
    ],
)
def test_refusals(chips: int, outputs: dict[str, dict[str, int]], key: str, message: str) -> None:
    with pytest.raises(DriverConfigError) as caught:
        Lamps595("lamps", data_pin=1, clock_pin=2, latch_pin=3, chips=chips, outputs=outputs)
    assert (caught.value.key, caught.value.message) == (key, message)
