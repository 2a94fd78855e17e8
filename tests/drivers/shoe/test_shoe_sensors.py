import pytest

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import (
    SAMPLE_INTERVAL_S,
    CardEdgeSensed,
    DeviceEvent,
    EventsMissed,
    FaceSensed,
    LidMoved,
    PinEdge,
    ShoeJammed,
)
from drivers.pins.edge_queue import MAX_PENDING_EDGES
from drivers.shoe.level_sensor import EdgeDebouncer, LevelChange
from drivers.shoe.shoe_sensors import ShoeSensors
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.shoe.shoe_sensors_simulator import ShoeSensorsSimulator

BUSY_S = 0.02
"""How long a Pi may look elsewhere: the writing of its card, another thread."""

PINS = {"edge_pin": 4, "face_pin": 18, "lid_pin": 27}


class Mouth:
    def __init__(self, bench: Bench, clock: ManualClock) -> None:
        bench.add_device("shoe_sensors", "mouth", PINS)
        simulator = bench.sensors("mouth")
        assert isinstance(simulator, ShoeSensorsSimulator)
        self.simulator = simulator
        self.driver = ShoeSensors("mouth", edge_pin=4, face_pin=18, lid_pin=27)
        self.driver.start(bench.pins)
        self.bench, self.clock = bench, clock

    def run(self, seconds: float, *, late: int | None = None) -> list[DeviceEvent]:
        """Take samples; that with the number `late` comes `BUSY_S` behind the one before."""
        events: list[DeviceEvent] = []
        for n in range(round(seconds / SAMPLE_INTERVAL_S)):
            self.clock.advance(BUSY_S if n == late else SAMPLE_INTERVAL_S)
            events += self.driver.sample(self.bench.pins, self.clock())
        return events

    def cover(self, begins: float, ends: float) -> None:
        """Cover the beam from so many seconds after now until so many."""
        now = self.clock()
        self.simulator.cover_edge(now + begins, now + ends)


@pytest.fixture
def mouth(bench: Bench, clock: ManualClock) -> Mouth:
    return Mouth(bench, clock)


@pytest.mark.parametrize("seconds", [0.03, 0.1, 0.3])
def test_cards_of_all_speeds_are_counted(mouth: Mouth, seconds: float) -> None:
    for _ in range(5):
        mouth.simulator.pass_card(seconds)
        assert mouth.run(seconds + 0.1) == [CardEdgeSensed("mouth", True), CardEdgeSensed("mouth", False)]


@pytest.mark.parametrize("late", range(10))
def test_busy_pi_sees_what_covers_the_edge_for_30_ms(mouth: Mouth, late: int) -> None:
    mouth.simulator.pass_card(0.03)
    assert mouth.run(0.2, late=late) == [CardEdgeSensed("mouth", True), CardEdgeSensed("mouth", False)]


def test_face_is_told_before_the_edge(mouth: Mouth) -> None:
    mouth.simulator.pass_card(face_up=True)
    assert mouth.run(0.02) == [FaceSensed("mouth", True), CardEdgeSensed("mouth", True)]


def test_card_that_stands_is_a_jam_once(mouth: Mouth) -> None:
    mouth.simulator.jam()
    assert mouth.run(1.45) == [CardEdgeSensed("mouth", True)]
    assert mouth.run(10) == [ShoeJammed("mouth")]
    mouth.simulator.clear()
    assert mouth.run(1) == [CardEdgeSensed("mouth", False)]
    mouth.simulator.pass_card()
    assert mouth.run(1) == [CardEdgeSensed("mouth", True), CardEdgeSensed("mouth", False)]


def test_lid_bounces_and_is_told_once(mouth: Mouth) -> None:
    mouth.run(0.1)
    mouth.simulator.move_lid(open_it=True)
    assert mouth.run(0.2) == [LidMoved("mouth", True)]
    mouth.simulator.move_lid(open_it=False)
    assert mouth.run(0.2) == [LidMoved("mouth", False)]


def test_lid_open_at_the_start_is_told(mouth: Mouth) -> None:
    mouth.simulator.move_lid(open_it=True)
    mouth.clock.advance(1)
    assert mouth.run(0.2) == [LidMoved("mouth", True)]


def test_cut_wire_reads_as_an_open_lid(bench: Bench, clock: ManualClock) -> None:
    driver = ShoeSensors("mouth", lid_pin=27)
    driver.start(bench.pins)
    events = [event for n in range(20) for event in driver.sample(bench.pins, clock() + n * SAMPLE_INTERVAL_S)]
    assert events == [LidMoved("mouth", True)]


def test_cut_wire_of_the_edge_reads_as_free(bench: Bench, clock: ManualClock) -> None:
    driver = ShoeSensors("mouth", edge_pin=4)
    driver.start(bench.pins)
    assert [event for n in range(20) for event in driver.sample(bench.pins, clock() + n * SAMPLE_INTERVAL_S)] == []


def test_no_sensor_at_all_is_refused() -> None:
    with pytest.raises(DriverConfigError, match="none of edge_pin, face_pin, lid_pin is given"):
        ShoeSensors("mouth")


# Edges with their time: nothing is lost between two looks.

COVERED, FREE = CardEdgeSensed("mouth", True), CardEdgeSensed("mouth", False)


def hold_up(mouth: Mouth, seconds: float) -> None:
    """Let the program do something else."""
    mouth.clock.advance(seconds)


def test_a_card_of_10_ms_is_seen_while_the_program_is_held_up_for_40(mouth: Mouth) -> None:
    mouth.run(0.1)
    for _ in range(50):
        began = mouth.clock()
        mouth.simulator.pass_card(0.010)
        hold_up(mouth, 0.040)
        events = mouth.run(0.03)
        assert events == [COVERED, FREE]
        assert [event.at for event in events if isinstance(event, CardEdgeSensed)] == pytest.approx(
            [began + 0.008, began + 0.018]
        )


def test_without_edges_that_card_is_lost_and_the_sampling_goes_on(bench: Bench, clock: ManualClock) -> None:
    """What this is for, and the fall-back: as over `RPi.GPIO`."""
    covered_until = 0.0
    bench.pins.drive(4, lambda: clock() >= covered_until)
    driver = ShoeSensors("mouth", edge_pin=4)
    driver.start(bench.pins)
    assert driver.sample(bench.pins, clock()) == []
    covered_until = clock() + 0.010
    clock.advance(0.040)
    assert [driver.sample(bench.pins, clock()) for _ in range(4)] == [[]] * 4
    covered_until = clock() + 1
    assert [driver.sample(bench.pins, clock()) for _ in range(2)] == [[], [COVERED]]


def test_two_cards_10_ms_apart_are_two_however_late_they_are_looked_at(mouth: Mouth) -> None:
    mouth.run(0.1)
    for begins in (0.0, 0.025, 0.050):
        mouth.cover(begins, begins + 0.015)
    hold_up(mouth, 0.2)
    assert mouth.run(0.1) == [COVERED, FREE] * 3


@pytest.mark.parametrize("period_s", [0.010, 0.00833])
def test_a_lamp_that_flickers_into_the_beam_is_no_card(mouth: Mouth, period_s: float) -> None:
    mouth.run(0.1)
    for n in range(7):
        mouth.cover(n * period_s, (n + 0.5) * period_s)
    assert mouth.run(0.1) == []
    hold_up(mouth, 0.1)
    assert mouth.run(0.1) == []


def test_a_card_whose_edge_flutters_is_one(mouth: Mouth) -> None:
    mouth.run(0.1)
    for begins, ends in ((0, 0.002), (0.004, 0.005), (0.006, 0.06), (0.063, 0.065), (0.066, 0.067)):
        mouth.cover(begins, ends)
    assert mouth.run(0.2) == [COVERED, FREE]


def test_the_second_time_is_as_the_first_with_edges_that_come_late(bench: Bench, mouth: Mouth) -> None:
    """lgpio keeps an edge for half a millisecond, and its thread waits for the interpreter."""
    bench.pins.edge_delay_s = 0.012
    mouth.run(0.1)
    for _ in range(5):
        mouth.simulator.pass_card(0.010)
        hold_up(mouth, 0.040)
        assert mouth.run(0.06) == [COVERED, FREE]
        began = mouth.clock()
        mouth.simulator.pass_card(0.1)
        events = mouth.run(0.2)
        assert events == [COVERED, FREE]
        assert [event.at for event in events if isinstance(event, CardEdgeSensed)] == pytest.approx(
            [began + 0.008, began + 0.108]
        )


def test_a_short_flutter_of_which_only_the_beginning_has_come_is_no_card(bench: Bench, mouth: Mouth) -> None:
    bench.pins.edge_delay_s = 0.012
    mouth.run(0.1)
    mouth.cover(0, 0.005)
    assert mouth.run(0.1) == []


def test_a_flutter_before_a_card_is_none_where_edges_come_behind_a_hold_up(bench: Bench, mouth: Mouth) -> None:
    """What held the sampler up held up the thread that brings the edges: the sampler may run first."""
    mouth.run(0.1)
    mouth.cover(0.0, 0.005)
    mouth.cover(0.038, 0.138)
    assert mouth.run(0.005) == []
    bench.pins.edge_delay_s = 0.037
    mouth.clock.advance(0.037)
    assert list(mouth.driver.sample(bench.pins, mouth.clock())) == []
    bench.pins.edge_delay_s = 0.0
    assert mouth.run(0.3) == [COVERED, FREE]


def test_an_edge_out_of_turn_is_no_time_that_passes() -> None:
    debouncer = EdgeDebouncer(0.25)
    assert [debouncer.apply_edge(*edge) for edge in ((False, 11.0), (True, 10.5), (False, 11.125))] == [None] * 3
    assert debouncer.settle(12.0) is None
    assert debouncer.apply_edge(True, 12.0) is None
    assert debouncer.apply_edge(False, 13.0) == LevelChange(True, 12.25)


def test_a_card_in_the_mouth_at_the_start_is_told(bench: Bench, clock: ManualClock) -> None:
    bench.add_device("shoe_sensors", "mouth", PINS)
    bench.sensors("mouth").jam()
    clock.advance(1)
    driver = ShoeSensors("mouth", edge_pin=4)
    driver.start(bench.pins)
    events = [event for n in range(3) for event in driver.sample(bench.pins, clock() + n * SAMPLE_INTERVAL_S)]
    assert events == [COVERED]


def test_a_card_before_the_first_look_is_seen(mouth: Mouth) -> None:
    mouth.simulator.pass_card(0.010)
    hold_up(mouth, 0.040)
    assert mouth.run(0.01) == [COVERED, FREE]


def test_edges_that_never_come_are_made_up_for_by_the_level(bench: Bench, mouth: Mouth) -> None:
    mouth.run(0.1)
    bench.pins.edge_delay_s = float("inf")
    for _ in range(2):
        mouth.simulator.jam()
        assert mouth.run(0.2) == [COVERED]
        mouth.simulator.clear()
        assert mouth.run(0.2) == [FREE]


def test_a_flood_of_edges_is_told_once_and_the_level_counts(bench: Bench, mouth: Mouth) -> None:
    flicker_until = 0.0

    def list_edges(since: float, until: float) -> list[PinEdge]:
        count = 2 * MAX_PENDING_EDGES if since < flicker_until else 0
        return [PinEdge(n % 2 == 0, since + (until - since) * (n - 0.9 * (n % 2)) / count) for n in range(count)]

    bench.pins.drive(4, lambda: True, list_edges)
    mouth.run(0.1)
    for _ in range(2):
        flicker_until = mouth.clock() + 0.5
        (missed,) = mouth.run(0.5)
        assert isinstance(missed, EventsMissed)
        assert missed.reason == "the sensor on pin 4 flickers faster than it can be followed; clean the beam"
        assert mouth.run(2) == []


def test_a_card_that_has_left_during_a_long_hold_up_is_no_jam(bench: Bench, mouth: Mouth) -> None:
    mouth.simulator.pass_card(0.1)
    assert mouth.run(0.05) == [COVERED]
    bench.pins.edge_delay_s = float("inf")
    hold_up(mouth, 3)
    assert mouth.run(SAMPLE_INTERVAL_S) == []
    bench.pins.edge_delay_s = 0.012
    assert mouth.run(0.05) == [FREE]


def test_a_card_face_up_is_seen_behind_a_hold_up(mouth: Mouth) -> None:
    mouth.run(0.1)
    mouth.simulator.pass_card(0.012, face_up=True)
    hold_up(mouth, 0.040)
    assert mouth.run(0.03) == [FaceSensed("mouth", True), COVERED, FaceSensed("mouth", False), FREE]
