"""GM65 engines that answer something else than they are asked, and those that start again and again."""

from collections.abc import Callable

import pytest

from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady, EventsMissed, NoiseDropped, TagRead
from drivers.scanners import gm65
from drivers.scanners.gm65 import Gm65
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.scanners.gm65_simulator import BAUDRATES, Gm65Simulator, build_answer, encode_baudrate
from tests.drivers.scanners.conversation import Conversation
from tests.drivers.serving import list_states

STEP_S = 0.02


def answer_well(asked: bytes) -> bytes:
    return build_answer(b"\x39\x01" if asked == gm65.ASK_BAUD else b"\0")


class Gm65Line:
    """A driver whose engine answers each command as `answer` says; `asked` is what was sent."""

    def __init__(self, answer: Callable[[bytes], bytes] = answer_well, baudrate: int = 9600) -> None:
        self.driver = Gm65("shoe", baudrate=baudrate)  # type: ignore[arg-type]
        self.answer = answer
        self.now = 1.0
        self.asked: list[bytes] = []
        self.driver.on_port_opened()

    def run(self, seconds: float) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for _ in range(round(seconds / STEP_S)):
            self.now += STEP_S
            data, more = self.driver.on_tick(self.now)
            events += more
            if data:
                self.asked.append(data)
                events += self.driver.receive_data(self.answer(data), self.now)
        return events

    def receive(self, data: bytes) -> list[DeviceEvent]:
        return list(self.driver.receive_data(data, self.now))


# The greeting.


@pytest.mark.parametrize("baudrate", BAUDRATES)
def test_an_engine_that_answers_as_it_is_asked_is_ready(baudrate: int) -> None:
    """The GM65 manual has 39 01 in zone 002A at 9600, 1A 00 at 115200."""
    data = encode_baudrate(baudrate)
    line = Gm65Line(lambda asked: build_answer(data) if asked == gm65.ASK_BAUD else answer_well(asked), baudrate)
    assert line.run(30.0) == [DeviceReady("shoe")]


def test_an_engine_whose_answers_end_as_those_of_clones_is_ready() -> None:
    """Amperstrand/gm65-scanner: 33 31 in place of each answer's CRC."""
    line = Gm65Line(lambda asked: answer_well(asked)[:-2] + gm65.CONSTANT_TAIL)
    assert line.run(30.0) == [DeviceReady("shoe")]


WRONG_ANSWERS: dict[str, Callable[[bytes], bytes]] = {
    "wrong check": lambda asked: answer_well(asked)[:-2] + b"\x12\x34",
    "the check of another answer": lambda asked: answer_well(asked)[:-2] + b"\xe4\xac",
    "empty": lambda _: build_answer(b""),
    "the same to everything": lambda _: build_answer(b"\0"),
    "two bytes to everything": lambda _: build_answer(b"\x39\x01"),
    "half a speed": lambda asked: build_answer(b"\x1a") if asked == gm65.ASK_BAUD else answer_well(asked),
    "no speed": lambda asked: build_answer(b"\0\0") if asked == gm65.ASK_BAUD else answer_well(asked),
    "writes are refused": lambda asked: build_answer(b"\1") if asked == gm65.TAKE_INTERVAL_AWAY else answer_well(asked),
    "three wrong answers at once": lambda _: build_answer(b"") * 3,
}


@pytest.mark.parametrize("answer", WRONG_ANSWERS.values(), ids=WRONG_ANSWERS)
def test_an_engine_that_answers_something_else_is_not_ready(answer: Callable[[bytes], bytes]) -> None:
    line = Gm65Line(answer)
    events = line.run(30.0)
    assert list_states(events) == [DeviceLost]
    (lost,) = [event for event in events if isinstance(event, DeviceLost)]
    assert "answers" in lost.reason
    line.answer = answer_well
    assert list_states(line.run(3.0)) == [DeviceReady]


def test_wrong_answers_to_one_question_count_once() -> None:
    line = Gm65Line(lambda _: build_answer(b"") * 20)
    assert list_states(line.run(0.4)) == []


@pytest.mark.parametrize("answer", [b"\x03\0\0\1\0\x33\x31", b"\2\1\0\1\0\x33\x31", b"OK\r\n", b"\6"])
def test_what_is_no_answer_is_no_life(answer: bytes) -> None:
    line = Gm65Line(lambda _: answer)
    assert list_states(line.run(30.0)) == [DeviceLost]


def test_one_damaged_answer_is_asked_for_again() -> None:
    line = Gm65Line()
    assert line.run(2.0) == [DeviceReady("shoe")]
    for _ in range(3):
        line.answer = WRONG_ANSWERS["empty"]
        sent = len(line.asked)
        while len(line.asked) < sent + 2:
            assert line.run(STEP_S) == []
        line.answer = answer_well
        assert line.run(5.0) == []


def test_an_engine_whose_answers_are_wrong_from_some_time_on_is_lost() -> None:
    line = Gm65Line()
    line.run(2.0)
    line.answer = WRONG_ANSWERS["empty"]
    assert list_states(line.run(60.0)) == [DeviceLost]


def test_late_answer_to_an_earlier_question_completes_nothing() -> None:
    line = Gm65Line(lambda _: b"")
    line.run(0.1)
    line.receive(answer_well(gm65.ASK_BAUD))
    line.run(0.1)
    assert line.asked == [gm65.ASK_BAUD, gm65.TAKE_INTERVAL_AWAY]
    line.receive(answer_well(gm65.ASK_BAUD))
    line.run(0.1)
    assert line.asked == [gm65.ASK_BAUD, gm65.TAKE_INTERVAL_AWAY]


def test_an_engine_at_another_speed_than_the_file_says_answers_the_doctor() -> None:
    """It opens the port at other speeds for the same driver."""
    line = Gm65Line(lambda asked: build_answer(b"\x1a\0") if asked == gm65.ASK_BAUD else answer_well(asked))
    assert line.run(3.0) == [DeviceReady("shoe")]


# Restarts.


def make_pair(banner: str) -> tuple[Conversation, Gm65Simulator]:
    """A driver and its simulator."""
    clock = ManualClock()
    engine = Gm65Simulator(clock, banner=banner)
    return Conversation(Gm65("shoe"), engine, clock, STEP_S), engine


@pytest.mark.parametrize("banner", ["<{simulated engine}>", ""])
def test_one_restart_says_that_cards_may_have_been_missed(banner: str) -> None:
    line, engine = make_pair(banner)
    events = line.run(8.0)
    assert [type(event) for event in events if not isinstance(event, NoiseDropped)] == [DeviceReady]
    for _ in range(3):
        engine.restart()
        events = [event for event in line.run(60.0) if not isinstance(event, NoiseDropped)]
        assert [type(event) for event in events] == [EventsMissed, DeviceReady]


@pytest.mark.parametrize(("banner", "ready_count"), [("<{simulated engine}>", 0), ("", 4)])
def test_an_engine_that_starts_again_and_again_is_lost(banner: str, ready_count: int) -> None:
    """Its supply breaks down. One that says nothing when it starts is seen by its pause, and only when it is asked."""
    line, engine = make_pair(banner)
    line.run(2.0)
    events: list[DeviceEvent] = []
    for _ in range(6):
        engine.restart()
        events += line.run(4.0)
    assert list_states(events)[-1] is DeviceLost
    (lost,) = [event for event in events if isinstance(event, DeviceLost)]
    assert "again and again" in lost.reason
    events = []
    for _ in range(30):
        engine.restart()
        events += line.run(4.0)
    assert list_states(events).count(DeviceReady) <= ready_count
    engine.present("D07-31")
    assert TagRead("shoe", "D07-31") in line.run(1.0), "its cards are still read"
    states = list_states(line.run(2 * gm65.RESTART_WINDOW_S))
    assert states[-1:] == [DeviceReady], "it has been up for long enough"
    engine.restart()
    line.run(2 * gm65.RESTART_WINDOW_S)
    engine.restart()
    assert DeviceLost not in list_states(line.run(10.0)), "one restart a minute is no breakdown"


def test_a_port_that_was_opened_anew_forgets_the_restarts() -> None:
    line, engine = make_pair("<{simulated engine}>")
    for _ in range(6):
        engine.restart()
        line.run(4.0)
    line.driver.on_port_opened()
    assert list_states(line.run(2.0)) == [DeviceReady]


def test_several_lines_of_one_banner_are_one_restart() -> None:
    line = Gm65Line()
    line.run(2.0)
    events = line.receive(b"<{one}>\r\n<{two}>\r\n<{three}>\r\n<{four}>\r\n") + line.run(2.0)
    assert list_states(events) == [DeviceReady]


def test_a_banner_of_a_lost_engine_is_no_second_loss() -> None:
    line = Gm65Line(lambda _: b"")
    assert list_states(line.run(5.0)) == [DeviceLost]
    line.receive(b"<{hello}>\r\n")
    assert list_states(line.run(10.0)) == []


def test_remembered_restarts_are_bounded() -> None:
    line = Gm65Line()
    for _ in range(1000):
        line.now += 1.5
        line.receive(b"<{hello}>\r\n")
    assert len(repr(vars(line.driver))) < 4000
