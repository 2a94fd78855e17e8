import pytest

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import (
    SAMPLE_INTERVAL_S,
    CardEdgeSensed,
    DeviceEvent,
    FaceSensed,
    LidMoved,
    ShoeJammed,
)
from drivers.shoe.shoe_sensors import ShoeSensors
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock

BUSY_S = 0.02
"""How long a Pi may look elsewhere: the writing of its card, another thread."""

PINS = {"edge_pin": 4, "face_pin": 18, "lid_pin": 27}


class Mouth:
    def __init__(self, bench: Bench, clock: ManualClock) -> None:
        bench.add_device("shoe_sensors", "mouth", PINS)
        self.simulator = bench.sensors("mouth")
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


@pytest.fixture
def mouth(bench: Bench, clock: ManualClock) -> Mouth:
    return Mouth(bench, clock)


@pytest.mark.parametrize("seconds", [0.03, 0.1, 0.3])
def test_cards_of_all_speeds_are_counted(mouth: Mouth, seconds: float) -> None:
    for _ in range(5):
        mouth.simulator.pass_card(seconds)
        assert mouth.run(seconds + 0.1) == [CardEdgeSensed("mouth", True), CardEdgeSensed("mouth", False)]


@pytest.mark.parametrize(("seconds", "wanted"), [(0.03, True), (0.02, False)])
def test_busy_pi_sees_what_covers_the_edge_for_30_ms(mouth: Mouth, seconds: float, wanted: bool) -> None:
    seen = []
    for late in range(10):
        mouth.simulator.pass_card(seconds)
        seen.append(mouth.run(0.2, late=late) == [CardEdgeSensed("mouth", True), CardEdgeSensed("mouth", False)])
    assert all(seen) == wanted


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
