"""Seat lamps that are one LED a pin, read off the pins."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from drivers.contract.device_errors import DriverConfigError, PinError
from drivers.contract.driver_interface import Signals
from drivers.lamps.lamp_patterns import PATTERN_BY_ROLE, ROLES, SLOT_DURATION_S
from drivers.lamps.lamps_pins import LampsPins
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.lamps.lamps_pins_simulator import LampsPinsSimulator
from drivers.simulators.simulated_pins import SimulatedPins
from tests.drivers.serving import sample

OUTPUTS = {
    "attention": {"1": 9, "2": 10},
    "act": {"1": 9, "2": 10},
    "deal": {"1": 9, "2": 10},
    "button": {"1": 11, "2": 12},
    "small_blind": {"1": 11, "2": 12},
    "kill": {"2": 13},
}
PINS = (9, 10, 11, 12, 13)

Make = Callable[..., Signals]


class SeatLeds:
    """A driver and its LEDs on one bench."""

    def __init__(self, bench: Bench, clock: ManualClock, *, active_low: bool) -> None:
        bench.add_device("lamps_pins", "lamps", {"outputs": OUTPUTS, "active_low": active_low})
        self.simulator = bench.find_simulator("lamps", LampsPinsSimulator)
        self.driver = LampsPins("lamps", outputs=OUTPUTS, active_low=active_low)
        self.bench, self.clock, self.active_low = bench, clock, active_low
        self.driver.start(bench.pins)

    def run(self, seconds: float) -> None:
        sample(self.driver, self.bench.pins, self.clock, seconds)

    def lit_pins(self) -> list[int]:
        """Which pins drive their LED, by the levels on the wire."""
        return [pin for pin in PINS if self.bench.pins.get_driven_level(pin) is not self.active_low]

    def show(self, signals: Signals) -> None:
        self.driver.show_signals(signals, self.bench.pins)

    def watch_pattern(self, pin: int, marks: int) -> str:
        seen = ""
        for _ in range(marks):
            self.run(0.06)
            seen += "#" if pin in self.lit_pins() else "."
            self.run(SLOT_DURATION_S - 0.06)
        return seen


@pytest.fixture(params=[False, True], ids=["to ground", "to 3.3 V"])
def leds(request: pytest.FixtureRequest, bench: Bench, clock: ManualClock) -> SeatLeds:
    return SeatLeds(bench, clock, active_low=request.param)


def test_dark_until_the_first_signals(leds: SeatLeds) -> None:
    assert {change.kind for change in leds.bench.pins.history} == {"output"}
    assert {change.level for change in leds.bench.pins.history} == {leds.active_low}, "set up dark, without a flash"
    leds.run(2.0)
    assert leds.lit_pins() == []


@pytest.mark.parametrize(("role", "seat"), [(role, int(seat)) for role, seats in OUTPUTS.items() for seat in seats])
def test_each_lamp_is_on_its_own_pin(leds: SeatLeds, signals: Make, role: str, seat: int) -> None:
    leds.show(signals(**{role: (seat,)}))
    assert leds.lit_pins() == [OUTPUTS[role][str(seat)]]
    assert seat in leds.simulator.lit_seats()[role]


@pytest.mark.parametrize("role", OUTPUTS)
def test_steady_and_blinking_as_the_lamp_language_has_it(leds: SeatLeds, signals: Make, role: str) -> None:
    leds.run(0.1)
    leds.show(signals(**{role: (2,)}))
    pattern = PATTERN_BY_ROLE[role]
    assert leds.watch_pattern(OUTPUTS[role]["2"], 2 * len(pattern)) == 2 * pattern


def test_the_most_urgent_role_shows_on_a_seats_led(leds: SeatLeds, signals: Make) -> None:
    leds.run(0.1)
    leds.show(signals(act=(1,), attention=(1,), deal=(2,), button=(1,), small_blind=(1,)))
    assert leds.watch_pattern(9, 16) == PATTERN_BY_ROLE["attention"]
    leds.show(signals(act=(1,), deal=(2,), button=(1,), small_blind=(1,)))
    assert leds.watch_pattern(11, 16) == PATTERN_BY_ROLE["button"]


def test_signals_shown_again_change_nothing(leds: SeatLeds, signals: Make) -> None:
    """A table says the same many times a second; neither the pattern nor the pins may notice."""
    leds.run(0.1)
    seen = []
    for _ in range(40):
        leds.show(signals(act=(1,), button=(2,)))
        leds.run(0.05)
        seen.append(9 in leds.lit_pins())
    assert sum(one != other for one, other in pairwise(seen)) in (3, 4), "two seconds have two flashes"
    leds.show(signals(button=(2,)))
    leds.bench.pins.history.clear()
    leds.run(5.0)
    assert not leds.bench.pins.history


def test_dark_at_the_end_and_stays_so(leds: SeatLeds, signals: Make) -> None:
    leds.show(signals(attention=(1, 2), button=(1,)))
    for _ in range(2):
        leds.driver.stop(leds.bench.pins)
        assert leds.lit_pins() == []
    leds.run(2.0)
    assert leds.lit_pins() == [], "what was shown is over"


def test_started_again_it_waits_for_signals(leds: SeatLeds, signals: Make) -> None:
    leds.show(signals(button=(1,)))
    again = SimulatedPins(leds.clock)
    leds.driver.start(again)
    leds.driver.sample(again, leds.clock())
    assert {again.get_driven_level(pin) for pin in PINS} == {leds.active_low}
    leds.driver.show_signals(signals(button=(1,)), again)
    assert again.get_driven_level(11) is not leds.active_low


def test_a_pin_that_once_could_not_be_written_is_written_again(leds: SeatLeds, signals: Make) -> None:
    class Refusing(SimulatedPins):
        refuses = True

        def write(self, pin: int, level: bool) -> None:
            if self.refuses and pin == 11:
                raise PinError("pin 11 cannot be written")
            super().write(pin, level)

    pins = Refusing(leds.clock)
    leds.driver.start(pins)
    with pytest.raises(PinError):
        leds.driver.show_signals(signals(button=(1,)), pins)
    assert pins.get_driven_level(11) is leds.active_low
    pins.refuses = False
    leds.driver.sample(pins, leds.clock())
    assert pins.get_driven_level(11) is not leds.active_low


def test_all_other_leds_go_out_where_one_pin_cannot_be_written(leds: SeatLeds, signals: Make) -> None:
    class Refusing(SimulatedPins):
        refused: int | None = None

        def write(self, pin: int, level: bool) -> None:
            if pin == self.refused:
                raise PinError(f"pin {pin} cannot be written")
            super().write(pin, level)

    pins = Refusing(leds.clock)
    leds.driver.start(pins)
    leds.driver.show_signals(signals(button=(1, 2)), pins)
    lit = [pin for pin in PINS if pins.get_driven_level(pin) is not leds.active_low]
    assert len(lit) == 2
    pins.refused = lit[0]
    with pytest.raises(PinError):
        leds.driver.stop(pins)
    assert [pin for pin in PINS if pins.get_driven_level(pin) is not leds.active_low] == lit[:1]


def test_pins_are_named_by_seat(leds: SeatLeds) -> None:
    assert leds.driver.pins_used() == {
        "attention lamp of seat 1": 9,
        "attention lamp of seat 2": 10,
        "button lamp of seat 1": 11,
        "button lamp of seat 2": 12,
        "kill lamp of seat 2": 13,
    }
    alone = LampsPins("lamps", outputs={role: {"1": 9, "2": 10} for role in ROLES})
    assert alone.pins_used() == {"lamp of seat 1": 9, "lamp of seat 2": 10}


def test_it_lights_at_high_level_unless_told() -> None:
    pins = SimulatedPins(ManualClock())
    LampsPins("lamps", outputs={"act": {"1": 9}}).start(pins)
    assert pins.get_driven_level(9) is False


@pytest.mark.parametrize(
    ("pin", "active_low", "glows"), [(2, False, True), (3, False, True), (3, True, False), (9, False, False)]
)
def test_led_at_the_fixed_pull_ups_glows_while_nobody_drives_it(pin: int, active_low: bool, glows: bool) -> None:
    """Raspberry Pi documentation, GPIO: "GPIO2 and GPIO3 have fixed pull-up resistors" (1.8 kΩ to 3.3 V)."""
    outputs = {"act": {"1": pin}}
    simulator = LampsPinsSimulator(SimulatedPins(ManualClock()), outputs=outputs, active_low=active_low)
    assert simulator.lit_seats() == {"act": (1,) if glows else ()}
    if glows:
        with pytest.raises(DriverConfigError, match=f"pin {pin} has a fixed pull-up of 1.8 kΩ"):
            LampsPins("lamps", outputs=outputs, active_low=active_low)
    else:
        assert LampsPins("lamps", outputs=outputs, active_low=active_low).pins_used() == {"lamp of seat 1": pin}


@pytest.mark.parametrize(
    ("outputs", "key", "message"),
    [
        ({"act": {"1": 28}}, "outputs.act.1", "there is no pin 28; a BCM number is 0 to 27"),
        ({"act": {"1": -1}}, "outputs.act.1", "there is no pin -1; a BCM number is 0 to 27"),
        ({"act": {"one": 9}}, "outputs.act.one", "a seat is a number from 1, not 'one'"),
        ({"actt": {"1": 9}}, "outputs.actt", f"there is no such role; there are {', '.join(ROLES)}"),
        ({}, "outputs", "no lamp is named: role -> seat -> output"),
        ({"act": {}}, "outputs", "no lamp is named: role -> seat -> output"),
        (
            {"button": {"2": 9}, "act": {"1": 9}},
            "outputs.button.2",
            "pin 9 is the lamp of seat 1 already; roles of one seat may share a lamp, seats may not",
        ),
    ],
)
def test_refusals(outputs: dict[str, dict[str, int]], key: str, message: str) -> None:
    with pytest.raises(DriverConfigError) as caught:
        LampsPins("lamps", outputs=outputs)
    assert (caught.value.key, caught.value.message) == (key, message)
