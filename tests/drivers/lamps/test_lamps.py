"""The lamp language, and the shift-register chain that speaks it, read off the pins."""

from collections.abc import Callable
from dataclasses import fields
from itertools import combinations

import pytest

from controller.core.protocol.display import Lamps
from drivers.contract.base import SAMPLE_SECONDS, Signals
from drivers.contract.errors import DriverConfigError
from drivers.lamps.lamp_language import PATTERNS, ROLES, SLOT_SECONDS
from drivers.lamps.lamps_595 import REFRESH_SECONDS, Lamps595
from drivers.sim.bench.bench import Bench
from drivers.sim.bench.clock import HandClock
from drivers.sim.lamps.lamps_595 import Lamps595Twin

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
    "deal": {"1": 22, "2": 23},
}

Make = Callable[..., Signals]


# The language.


def test_every_role_of_the_core_has_a_pattern() -> None:
    assert set(ROLES) == {field.name for field in fields(Lamps)}


@pytest.mark.parametrize("role", ROLES)
def test_pattern_begins_lit_and_lasts_two_seconds(role: str) -> None:
    assert PATTERNS[role][0] == "#"
    assert len(PATTERNS[role]) * SLOT_SECONDS == CYCLE


@pytest.mark.parametrize("role", ROLES)
def test_no_more_than_three_flashes_in_any_second(role: str) -> None:
    pattern = PATTERNS[role] * 2
    second = round(1 / SLOT_SECONDS)
    for start in range(len(PATTERNS[role])):
        window = pattern[start : start + second]
        assert window.count(".#") <= 3


def test_patterns_differ_however_they_are_shifted() -> None:
    for one, other in combinations(PATTERNS.values(), 2):
        assert other not in one + one


# The chain.


class Chain:
    def __init__(self, bench: Bench, clock: HandClock) -> None:
        bench.add_device("lamps_595", "lamps", {**WIRING, "outputs": OUTPUTS})
        self.twin = bench.find("lamps", Lamps595Twin)
        self.driver = Lamps595(
            "lamps", data_pin=22, clock_pin=23, latch_pin=24, enable_pin=25, chips=3, outputs=OUTPUTS
        )
        self.bench, self.clock = bench, clock
        self.driver.start(bench.pins)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / SAMPLE_SECONDS)):
            self.clock.advance(SAMPLE_SECONDS)
            self.driver.sample(self.bench.pins, self.clock())

    def lit(self) -> dict[str, tuple[int, ...]]:
        return {role: seats for role, seats in self.twin.lit().items() if seats}


@pytest.fixture
def chain(bench: Bench, clock: HandClock) -> Chain:
    return Chain(bench, clock)


def test_dark_until_the_whole_chain_was_written(chain: Chain, signals: Make) -> None:
    """The registers hold bits of chance after power-on, and no output may drive before the first latch."""
    alight: list[bool] = []
    chain.bench.pins.watch(22, lambda *_: alight.append(any(chain.twin.outputs())))
    chain.bench.pins.watch(23, lambda *_: alight.append(any(chain.twin.outputs())))
    assert not any(chain.twin.outputs())
    chain.driver.perform(signals(act=(1, 2)), chain.bench.pins)
    assert len(alight) > 48
    assert not any(alight)
    assert chain.lit() == {"act": (1, 2), "attention": (1, 2)}


def test_each_role_and_seat_lights_its_own_output(chain: Chain, signals: Make) -> None:
    for role, seats in OUTPUTS.items():
        for seat, output in seats.items():
            chain.driver.perform(signals(**{role: (int(seat),)}), chain.bench.pins)
            assert [n for n, lit in enumerate(chain.twin.outputs()) if lit] == [output]


@pytest.mark.parametrize("role", ROLES)
def test_pattern_is_seen_at_the_pins(chain: Chain, signals: Make, role: str) -> None:
    chain.run(0.1)
    chain.driver.perform(signals(**{role: (2,)}), chain.bench.pins)
    seen = ""
    for _ in PATTERNS[role]:
        chain.run(0.06)
        seen += "#" if 2 in chain.twin.lit()[role] else "."
        chain.run(SLOT_SECONDS - 0.06)
    assert seen == PATTERNS[role]


def test_lamp_that_stays_goes_on_with_its_pattern(chain: Chain, signals: Make) -> None:
    """A `perform` that changes nothing must not restart a blink, or a busy table would never blink."""
    chain.run(0.1)
    dark = 0
    for _ in range(40):
        chain.driver.perform(signals(act=(1,)), chain.bench.pins)
        chain.run(0.05)
        dark += not chain.lit()
    assert 15 <= dark <= 25


def test_more_urgent_role_shows_on_a_shared_lamp(chain: Chain, signals: Make) -> None:
    chain.run(0.1)
    chain.driver.perform(signals(act=(1,), attention=(1,)), chain.bench.pins)
    seen = ""
    for _ in PATTERNS["attention"]:
        chain.run(0.06)
        seen += "#" if chain.lit() else "."
        chain.run(SLOT_SECONDS - 0.06)
    assert seen == PATTERNS["attention"]


def test_flipped_latch_is_repaired(chain: Chain, signals: Make) -> None:
    chain.driver.perform(signals(button=(1,)), chain.bench.pins)
    chain.twin.flip(16)
    assert chain.lit() == {"button": (1,), "small_blind": (1,)}
    chain.run(REFRESH_SECONDS + SAMPLE_SECONDS)
    assert chain.lit() == {"button": (1,)}


def test_nothing_is_written_while_nothing_changes(chain: Chain, signals: Make) -> None:
    chain.driver.perform(signals(button=(1,)), chain.bench.pins)
    chain.run(0.1)
    chain.bench.pins.history.clear()
    chain.run(REFRESH_SECONDS - 0.2)
    assert not chain.bench.pins.history


def test_outputs_off_at_the_end(chain: Chain, signals: Make) -> None:
    chain.driver.perform(signals(button=(1,)), chain.bench.pins)
    chain.driver.stop(chain.bench.pins)
    assert chain.bench.pins.driven(25) is True
    assert not any(chain.twin.outputs())


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
