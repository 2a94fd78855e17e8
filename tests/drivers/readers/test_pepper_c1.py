"""Eccel Pepper C1: frames of others, antennas in turn, trouble, and readers that somebody has set otherwise."""

from collections.abc import Callable, Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import (
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    NoiseDropped,
    TagRead,
    TagReader,
)
from drivers.contract.driver_registry import build_driver
from drivers.ports.byte_port import BytePort, open_port
from drivers.readers.framing import Frame, Noise
from drivers.readers.pepper_c1 import (
    MAX_PAYLOAD_BYTES,
    RECOVERY_S,
    REPEAT,
    PepperC1,
    build_command,
    parse_frame,
    parse_tag,
)
from drivers.readers.poll_session import STEADY_S
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.readers.pepper_c1_simulator import PepperC1Simulator, build_tag
from tests.drivers import device_vectors
from tests.drivers.device_vectors import DeviceVector, load_vectors
from tests.drivers.serving import serve

VECTORS = load_vectors("pepper_c1")
find_vector = partial(device_vectors.find_vector, "pepper_c1")
READY = DeviceReady("table", "2.56.2249")
UID4, UID7, ISO15693_UID = "74541265", "045D9A31C00001", "E01624010A7F8F04"
OFF, VERSION, COUNT = build_command(0x06, 0), build_command(0x0B), build_command(0x02)


# Frames.


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.meaning[:40])
def test_frames_of_others_are_ours(vector: DeviceVector) -> None:
    payload = vector.data[5:-2]
    assert parse_frame(vector.data) == Frame(len(vector.data), payload)
    assert build_command(*payload) == vector.data


def test_what_the_driver_asks_is_what_the_makers_library_asks() -> None:
    asked = {OFF, VERSION, COUNT, build_command(0x0F, 3), build_command(0x03, 0), REPEAT}
    assert asked <= {vector.data for vector in VECTORS if not vector.is_from_device}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("F4", "no frame start"),
        ("F5 03 00 FD", "length and complement differ"),
        ("F5 03 00 FC FE", "length and complement differ"),
        ("F5 02 00 FD FF", "not the length of an answer"),
        ("F5 A3 00 5C FF", "not the length of an answer"),
        ("F5 03 00 FC FF 01 D1 F0", "wrong checksum"),
    ],
)
def test_what_is_no_frame_is_said_at_once(data: str, reason: str) -> None:
    assert parse_frame(bytes.fromhex(data)) == Noise(reason)


@given(st.integers(0, 14), st.integers(0, 7))
def test_no_flipped_bit_makes_another_frame(at: int, bit: int) -> None:
    data = bytearray(find_vector("ACK GET_UID"))
    data[at] ^= 1 << bit
    assert not isinstance(parse_frame(bytes(data)), Frame)


def test_what_is_held_back_is_bounded() -> None:
    driver = PepperC1("table")
    for at in range(2000):
        driver.receive_data(b"\xf5\xa0\x00\x5f\xff" + bytes(40), at * 0.001)
    assert len(driver._receiver._decoder._pending) <= MAX_PAYLOAD_BYTES + 7


@pytest.mark.parametrize(
    ("uid", "tag"),
    [
        ("74541265", UID4),  # Eccel manual 1356NFC, 3.1.5
        ("045D9A31C00001", UID7),
        ("048F7F0A012416E0", ISO15693_UID),  # 3.6.2
        ("E01624010A7F8F04", ISO15693_UID),
        ("048F7F0A01241600", None),
        ("DEADBEEF1234", None),
        ("", None),
    ],
)
def test_a_uid_has_the_length_of_its_kind(uid: str, tag: str | None) -> None:
    assert parse_tag(bytes.fromhex(uid)) == tag


# Talking by hand: what is asked, and what answers of others make of it.


class Talk:
    """A driver that is asked for its next bytes, and told an answer."""

    def __init__(self, *antennas: int) -> None:
        self.driver, self.now = PepperC1("table", antennas=antennas or (1,)), 1.0
        self.driver.on_port_opened()

    def ask(self, seconds: float = 0.02) -> bytes:
        return self.tick(seconds)[0]

    def tick(self, seconds: float = 0.02) -> tuple[bytes, Sequence[DeviceEvent]]:
        self.now += seconds
        return self.driver.on_tick(self.now)

    def answer(self, *payload: int) -> list[DeviceEvent]:
        return self.hear(build_command(*payload))

    def hear(self, data: bytes) -> list[DeviceEvent]:
        self.now += 0.005
        return list(self.driver.receive_data(data, self.now))

    def look(self) -> None:
        """Until it has asked how many tags are at its first antenna."""
        self.greet()
        self.ask()
        self.answer(0x00, 0x0F)
        assert self.ask() == COUNT

    def greet(self) -> list[DeviceEvent]:
        assert self.ask() == OFF
        assert self.answer(0x00, 0x06) == []
        assert self.ask() == VERSION
        return self.hear(find_vector("ACK GET_VERSION"))


def test_a_round_by_bytes_of_the_maker() -> None:
    talk = Talk(3, 8)
    assert talk.greet() == [DeviceReady("table", "2.56.FAKE")]
    assert talk.ask() == find_vector("SET_ACTIVE_ANTENNA 3")
    assert talk.hear(find_vector("ACK SET_ACTIVE_ANTENNA")) == []
    assert talk.ask() == find_vector("GET_TAG_COUNT")
    assert talk.hear(find_vector("ACK GET_TAG_COUNT: one tag")) == []
    assert talk.ask() == find_vector("GET_UID of the first tag")
    assert talk.hear(find_vector("ACK GET_UID")) == [TagRead("table", UID4, "3")]
    assert talk.ask() == build_command(0x0F, 8)
    talk.hear(find_vector("ACK SET_ACTIVE_ANTENNA"))
    assert talk.ask() == COUNT
    assert talk.hear(find_vector("ACK GET_TAG_COUNT: no tag")) == []
    assert talk.ask() == build_command(0x0F, 3)


def test_a_reader_that_started_anew_meanwhile_is_told_its_antenna_again() -> None:
    """It stands at its first antenna then, and what it finds there would lie at another place."""
    talk = Talk(3, 8)
    talk.look()
    assert talk.ask(0.4) == b""
    assert talk.ask(0.2) == build_command(0x0F, 3)
    assert talk.answer(0x00, 0x02, 1) == []  # late, and of nobody knows which antenna
    assert talk.ask() == b""
    talk.answer(0x00, 0x0F)
    assert talk.ask() == COUNT


def test_a_damaged_answer_is_asked_for_again_but_once() -> None:
    talk = Talk()
    talk.look()
    damaged = bytearray(find_vector("ACK GET_TAG_COUNT: one tag"))
    damaged[7] ^= 1
    assert [event.reason for event in talk.hear(bytes(damaged)) if isinstance(event, NoiseDropped)] == [
        "wrong checksum"
    ]
    assert talk.ask() == find_vector("ERROR without arguments")
    talk.hear(bytes(damaged))
    assert talk.ask() == b""
    assert talk.answer(0x00, 0x02, 1) == []
    assert talk.ask() == build_command(0x03, 0)


def test_an_answer_broken_off_is_asked_for_again() -> None:
    talk = Talk()
    talk.ask()
    talk.hear(find_vector("ACK GET_VERSION")[:-1])
    assert talk.ask(0.1) == b""
    assert talk.ask() == REPEAT


def test_a_question_that_came_damaged_is_asked_anew_at_once() -> None:
    talk = Talk(3)
    talk.greet()
    assert talk.ask() == build_command(0x0F, 3)
    assert talk.hear(find_vector("ERROR: a frame came with a wrong CRC")) == []
    assert talk.ask() == build_command(0x0F, 3)
    for _ in range(2):
        talk.hear(find_vector("ERROR: a frame came with a wrong CRC"))
        _, events = talk.tick()
    assert [type(event) for event in events] == [DeviceLost]


@pytest.mark.parametrize("error", [find_vector("ERROR for DUMMY"), build_command(0xFF), build_command(0xFF, 0x0B)])
def test_an_error_about_another_question_changes_nothing(error: bytes) -> None:
    talk = Talk()
    assert talk.ask() == OFF
    assert talk.hear(error) == []
    assert talk.answer(0x00, 0x06) == []
    assert talk.ask() == VERSION


def test_a_reader_that_refuses_the_greeting_is_greeted_anew_after_a_while() -> None:
    talk = Talk()
    talk.ask()
    lost = talk.answer(0xFF, 0x06, 0x02, 0x25)
    assert lost == [DeviceLost("table", "it refuses command 06: it cannot now (error 25)")]
    assert talk.ask(0.5) == b""
    assert talk.ask(0.6) == OFF


def test_pushed_tags_are_no_cards() -> None:
    """A layout without antenna is the maker's, one with it a table builder's (IntersynergyTech/PepperC1Tools)."""
    talk = Talk()
    for pushed in (find_vector("pushed event"), build_command(0xFE, 0x03, 0x00, 0x04, 0x08, *bytes.fromhex(UID4))):
        assert talk.hear(pushed) == []
    talk.greet()
    assert talk.hear(find_vector("pushed event")) == []
    assert talk.ask() == OFF  # somebody has turned it on meanwhile
    for _ in range(100):
        talk.hear(find_vector("pushed event"))
    assert talk.answer(0x00, 0x06) == []
    assert talk.ask() == VERSION


@pytest.mark.parametrize("number", [0x01, 0x02, 0x03, 0x05, 0x06])
def test_what_the_air_does_is_no_trouble_of_the_reader(number: int) -> None:
    """Eccel manual 1356NFC, 3.1.2: no reply, wrong CRC, collision, invalid frame, response against the protocol."""
    talk = Talk(1, 2)
    talk.look()
    assert talk.answer(0xFF, 0x02, 0x01, number) == []
    assert talk.ask() == build_command(0x0F, 2)


DISTURBED = (0xFF, 0x02, 0x01, 0x10)
NO_TAG = (0x00, 0x02, 0)


def run_disturbed(talk: Talk, seconds: float, is_disturbed: Callable[[int], bool]) -> list[DeviceEvent]:
    """Answer each look by its number."""
    events: list[DeviceEvent] = []
    ends, looks = talk.now + seconds, 0
    while talk.now < ends:
        asked, more = talk.tick()
        events += more
        if asked == COUNT:
            looks += 1
            events += talk.answer(*(DISTURBED if is_disturbed(looks) else NO_TAG))
        elif asked in (OFF, VERSION):
            events += talk.answer(0x00, asked[5])
        elif asked:
            events += talk.answer(0x00, 0x0F)
    return events


def test_one_disturbed_look_is_no_loss() -> None:
    """It would halt the table."""
    talk = Talk()
    talk.greet()
    assert run_disturbed(talk, 60, lambda look: look % 20 == 0) == []


@pytest.mark.parametrize("period", [2, 3, 7, 50])
def test_a_reader_that_is_disturbed_by_turns_does_not_fill_the_journal(period: int) -> None:
    talk = Talk()
    talk.greet()
    events = run_disturbed(talk, 600, lambda look: look // period % 2 == 0)
    assert len(events) <= 2 * 600 / RECOVERY_S


def test_a_reader_that_is_disturbed_all_the_time_is_lost_once() -> None:
    talk = Talk()
    talk.greet()
    lost = DeviceLost("table", "its antenna 1 cannot be used: another field disturbs it (error 10)")
    assert run_disturbed(talk, 60, lambda _: True) == [lost]
    assert [type(event) for event in run_disturbed(talk, 60, lambda _: False)] == [DeviceReady]


def test_a_reader_that_cannot_now_is_lost_once() -> None:
    """It is told anew not to look by itself, now and then, and is not well by that."""
    talk = Talk()
    talk.greet()
    events: list[DeviceEvent] = []
    while talk.now < 60:
        asked, more = talk.tick()
        events += more
        if asked:
            events += talk.answer(*((0xFF, 0x02, 0x01, 0x25) if asked == COUNT else (0x00, asked[5])))
    assert [type(event) for event in events] == [DeviceReady, DeviceLost]
    talk.driver.on_port_opened()
    assert [type(event) for event in talk.greet()] == [DeviceReady]


def test_a_tag_that_left_before_it_was_asked_for_is_passed_over() -> None:
    talk = Talk(1, 2)
    talk.look()
    talk.answer(0x00, 0x02, 2)
    talk.ask()
    assert talk.answer(0xFF, 0x03, 0x02, 0x21) == []
    assert talk.ask() == build_command(0x0F, 2)


def test_a_reader_without_multiplexer_is_not_told_its_antenna_until_it_may_be_another() -> None:
    talk = Talk()
    for _ in range(2):
        talk.driver.on_port_opened()
        talk.greet()
        assert talk.ask() == build_command(0x0F, 1)
        assert talk.answer(0xFF, 0x0F, 0x02, 0x24) == []
        for _ in range(3):
            assert talk.ask() == COUNT
            talk.answer(0x00, 0x02, 0)


def test_a_uid_of_no_length_is_noise_and_shows_no_digit() -> None:
    talk = Talk()
    talk.look()
    talk.answer(0x00, 0x02, 1)
    talk.ask()
    events = talk.answer(0x00, 0x03, 0x01, 0x00, 0xDE, 0xAD, 0xBE)
    assert events == [NoiseDropped("table", 5, "not the length of a UID")]
    assert talk.ask() == build_command(0x0F, 1)


@pytest.mark.parametrize("payload", [(0x00, 0x02), (0x00, 0x02, 0)])
def test_no_count_is_no_tag(payload: tuple[int, ...]) -> None:
    talk = Talk(1, 2)
    talk.look()
    talk.answer(*payload)
    assert talk.ask() == build_command(0x0F, 2)


def test_more_tags_than_a_look_finds_are_not_asked_for() -> None:
    talk = Talk(1, 2)
    talk.look()
    talk.answer(0x00, 0x02, 255)
    for number in range(5):
        assert talk.ask() == build_command(0x03, number)
        talk.answer(0x00, 0x03, *build_tag(PepperC1Simulator.nth_tag(number)))
    assert talk.ask() == build_command(0x0F, 2)


# At the bench.


class AtTheBench:
    """A driver and its simulator on a cable."""

    def __init__(self, bench: Bench, clock: ManualClock, query: str = "", antennas: Sequence[int] = (1,)) -> None:
        self.bench, self.clock, self.query = bench, clock, query
        self.driver = PepperC1("table", antennas=antennas)
        self.port = self.open()
        simulator = bench.add_port(self.url)
        assert isinstance(simulator, PepperC1Simulator)
        self.simulator = simulator

    @property
    def url(self) -> str:
        return f"sim://pepper_c1/table?{self.query}" if self.query else "sim://pepper_c1/table"

    def open(self) -> BytePort:
        port = open_port(self.url, self.driver, read_seconds=0)
        port.write(self.driver.on_port_opened())
        return port

    def run(self, seconds: float) -> list[DeviceEvent]:
        return serve(self.driver, self.port, self.clock, seconds)


@pytest.fixture
def at_the_bench(bench: Bench, clock: ManualClock) -> AtTheBench:
    return AtTheBench(bench, clock, antennas=range(1, 9))


def list_reads(events: Sequence[DeviceEvent]) -> set[tuple[str | None, str]]:
    return {(event.antenna, event.tag) for event in events if isinstance(event, TagRead)}


def list_states(events: Sequence[DeviceEvent]) -> list[DeviceEvent]:
    return [event for event in events if isinstance(event, DeviceReady | DeviceLost)]


def test_two_cards_at_each_of_eight_antennas(at_the_bench: AtTheBench) -> None:
    reader = at_the_bench.simulator
    assert list_states(at_the_bench.run(0.2)) == [READY]
    wanted = {(str(number), reader.nth_tag(2 * number + half)) for number in range(1, 9) for half in (0, 1)}
    for antenna, tag in wanted:
        reader.present(tag, antenna)
    at_the_bench.run(1.3)  # the round under way
    events = at_the_bench.run(1.3)
    assert list_reads(events) == wanted
    assert list_states(events) == []


def test_how_long_a_round_takes(at_the_bench: AtTheBench) -> None:
    """Ticked 50 times a second and no more: with two cards at each antenna 1.3 s, with none 0.8 s.

    A table's loop goes on as soon as an answer is there; tests/cli/test_seat_antennas_page.py has its times.
    """
    reader = at_the_bench.simulator
    reader.present(UID4, "1")
    times = [at_the_bench.clock() for _ in range(300) if list_reads(at_the_bench.run(0.02))]
    assert times[-1] - times[-2] == pytest.approx(0.82, abs=0.041)
    for number in range(16):
        reader.present(reader.nth_tag(number), str(number // 2 + 1))
    reader.remove(UID4)
    tag = reader.nth_tag(0)
    times = [at_the_bench.clock() for _ in range(300) if ("1", tag) in list_reads(at_the_bench.run(0.02))]
    assert times[-1] - times[-2] == pytest.approx(1.28, abs=0.041)
    assert times[-1] - times[-2] + 0.5 < at_the_bench.driver.absence_timeout_s  # one lost answer makes no new card


def test_a_card_that_moves_is_read_where_it_lies(at_the_bench: AtTheBench) -> None:
    reader = at_the_bench.simulator
    reader.present(UID7, "2")
    assert list_reads(at_the_bench.run(2.0)) == {("2", UID7)}
    reader.remove(UID7)
    reader.present(UID7, "7")
    at_the_bench.run(0.2)
    assert list_reads(at_the_bench.run(1.5)) == {("7", UID7)}
    reader.remove()
    at_the_bench.run(0.2)
    assert list_reads(at_the_bench.run(1.5)) == set()


def test_all_kinds_of_tags_at_one_antenna(bench: Bench, clock: ManualClock) -> None:
    """Of six, five are found: the reader's own limit."""
    pepper = AtTheBench(bench, clock)
    tags = [UID4, UID7, ISO15693_UID, "E004010012345678", "045D9A31C00002", "045D9A31C00003"]
    for tag in tags:
        pepper.simulator.present(tag)
    assert list_reads(pepper.run(1.5)) == {("1", tag) for tag in tags[:5]}


def test_a_c1_without_multiplexer(bench: Bench, clock: ManualClock) -> None:
    pepper = AtTheBench(bench, clock, "mux=no")
    pepper.simulator.present(UID7)
    events = pepper.run(1.0)
    assert list_states(events) == [READY]
    assert list_reads(events) == {("1", UID7)}
    with pytest.raises(ValueError, match="no antenna 2"):
        pepper.simulator.present(UID7, "2")


def test_a_c1_that_is_to_have_more_antennas_says_what_it_is(bench: Bench, clock: ManualClock) -> None:
    pepper = AtTheBench(bench, clock, "mux=no", antennas=(1, 2))
    pepper.simulator.present(UID7)
    events = pepper.run(2.0)
    assert list_states(events) == [
        READY,
        DeviceLost(
            "table",
            "its antenna 1 cannot be used: it knows no such command (error 24); "
            "a C1 without multiplexer has one antenna: antennas = [1]",
        ),
    ]
    assert list_reads(events) == set()


def test_an_antenna_that_fails_is_told_and_the_others_read_on(bench: Bench, clock: ManualClock) -> None:
    pepper = AtTheBench(bench, clock, "failing=2", antennas=(1, 2, 3))
    pepper.simulator.present(UID4, "1")
    pepper.simulator.present(UID7, "3")
    events = pepper.run(5.0)
    assert list_states(events) == [
        READY,
        DeviceLost("table", "its antenna 2 cannot be used: its field cannot be made (error 0A)"),
    ]
    assert list_reads(events) == {("1", UID4), ("3", UID7)}
    pepper.simulator._failing_antennas = frozenset()
    assert list_states(pepper.run(2.0)) == [READY]
    pepper.simulator._failing_antennas = frozenset((2,))
    assert len(list_states(pepper.run(2.0))) == 1  # and told again


@pytest.mark.parametrize("query", ["polling=yes", "polling=yes&push=json"])
def test_a_reader_that_somebody_left_pushing(bench: Bench, clock: ManualClock, query: str) -> None:
    """Its web page makes it push at its start; raw text has no frame (eccel-dev/ha-pepper-c1, coordinator.py)."""
    pepper = AtTheBench(bench, clock, query, antennas=(1, 2))
    pepper.simulator.present(UID7, "2")
    events = pepper.run(2.0)
    assert list_states(events) == [READY]
    assert list_reads(events) == {("2", UID7)}
    pepper.simulator.restart()
    events = pepper.run(6.0)
    assert [type(event) for event in list_states(events)] == [DeviceLost, DeviceReady]
    assert list_reads(events) == {("2", UID7)}


@pytest.mark.parametrize("tags", [[UID7], []])
def test_a_reader_that_is_let_push_meanwhile(bench: Bench, clock: ManualClock, tags: list[str]) -> None:
    """Where there is a tag it is pushed; where there is none only the refusal of a look tells."""
    pepper = AtTheBench(bench, clock, "push=none" if not tags else "")
    for tag in tags:
        pepper.simulator.present(tag)
    pepper.run(1.0)
    for _ in range(2):
        pepper.simulator.poll(on=True)
        events = pepper.run(6.0)
        assert not any(isinstance(event, DeviceLost) for event in events)
        pepper.simulator.present(UID7)
        assert list_reads(pepper.run(0.5)) == {("1", UID7)}


def test_a_reader_that_others_let_push_all_the_time_is_told_once_in_a_while(bench: Bench, clock: ManualClock) -> None:
    pepper = AtTheBench(bench, clock, "push=none")
    events: list[DeviceEvent] = []
    for _ in range(1000):
        pepper.simulator.poll(on=True)
        events += pepper.run(0.02)
    states = list_states(events)
    assert {state.reason for state in states if isinstance(state, DeviceLost)} == {
        "its antenna 1 cannot be used: it cannot now (error 25)"
    }
    assert len(states) <= 10


def test_pushes_without_end_do_not_keep_it_from_asking() -> None:
    talk = Talk()
    talk.greet()
    greetings = 0
    for _ in range(500):
        talk.hear(find_vector("pushed event"))
        asked = talk.ask()
        greetings += asked == OFF
        if asked:
            talk.answer(0x00, asked[5], 0)
    assert greetings == 3  # in 12.5 seconds


def test_a_reader_that_starts_anew_reads_no_card_at_the_wrong_place(bench: Bench, clock: ManualClock) -> None:
    pepper = AtTheBench(bench, clock, antennas=(1, 5))
    pepper.simulator.present(UID4, "1")
    pepper.simulator.present(UID7, "5")
    events: list[DeviceEvent] = []
    for step in range(12):
        events += pepper.run(0.5 + 0.02 * step)
        pepper.simulator.restart()
        events += pepper.run(3.0 + STEADY_S)
    assert list_reads(events) == {("1", UID4), ("5", UID7)}
    states = list_states(events)
    assert [type(event) for event in states] == [DeviceReady, *[DeviceLost, DeviceReady] * 12]


def test_a_lost_port_and_its_return(bench: Bench, clock: ManualClock) -> None:
    pepper = AtTheBench(bench, clock, antennas=(1, 5))
    pepper.simulator.present(UID7, "5")
    pepper.run(1.0)
    for _ in range(2):
        bench.unplug("table")
        pepper.port.close()
        bench.replug("table")
        pepper.port = pepper.open()
        events = pepper.run(1.0)
        assert list_states(events) == [READY]
        assert list_reads(events) == {("5", UID7)}


def test_a_reader_at_another_speed_is_told_as_silent(bench: Bench, clock: ManualClock) -> None:
    bench.add_port("sim://pepper_c1/table")
    driver = PepperC1("table")
    driver.baudrate = 9600
    pepper = AtTheBench.__new__(AtTheBench)
    pepper.bench, pepper.clock, pepper.query, pepper.driver = bench, clock, "", driver
    pepper.port = pepper.open()
    states = list_states(pepper.run(3.0))
    assert [type(event) for event in states] == [DeviceLost]


@pytest.mark.parametrize(
    ("antennas", "words"),
    [
        ([], "from 1 to 8, each once"),
        ([0], "from 1 to 8, each once"),
        ([9], "from 1 to 8, each once"),
        ([1, 1], "from 1 to 8, each once"),
        (["1"], "a list, each entry a whole number"),
        (3, "a list, each entry a whole number"),
    ],
)
def test_bad_antennas_are_refused(antennas: object, words: str) -> None:
    with pytest.raises(DriverConfigError, match=words) as refusal:
        build_driver("pepper_c1", "table", {"antennas": antennas})
    assert str(refusal.value).startswith("device 'table', key 'antennas': ")


def test_its_antennas_have_their_numbers_as_names() -> None:
    driver = build_driver("pepper_c1", "table", {"antennas": [8, 3]})
    assert isinstance(driver, TagReader)
    assert isinstance(driver, PepperC1)
    assert driver.antennas == ("8", "3")


@pytest.mark.parametrize("query", ["mux=maybe", "polling=1", "push=xml", "failing=9", "failing=x"])
def test_the_far_end_refuses_what_no_reader_is(bench: Bench, query: str) -> None:
    with pytest.raises(ValueError, match=r"mux|failing"):
        bench.add_port(f"sim://pepper_c1/other?{query}")
