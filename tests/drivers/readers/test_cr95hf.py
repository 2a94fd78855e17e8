"""What is special to a CR95HF: guard time, settings, broken answers; bytes of others (tests/drivers/vectors.jsonl)."""

from functools import partial

import pytest

from drivers.contract.driver_interface import MIN_TICK_INTERVAL_S, DeviceEvent, DeviceReady, TagRead
from drivers.ports.byte_port import open_port
from drivers.readers.cr95hf import GUARD_TIME_S, INVENTORY, SELECT_15693, SET_TIMER_W, Cr95Hf, parse_frame
from drivers.readers.framing import FrameDecoder
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.readers.cr95hf_simulator import IDENTITY, Cr95HfSimulator
from tests.drivers import device_vectors
from tests.drivers.serving import list_tags, serve

find_vector = partial(device_vectors.find_vector, "cr95hf")
SELECT, REQA, SET_ARC_B = (bytes.fromhex(text) for text in ("02020200", "04022607", "0904680101DF"))
OK, NOTHING = b"\0\0", b"\x87\0"
BROKEN_BYTE = bytes.fromhex("9005001E250000")
"""Seen in ST community 37117."""


def decode_frames(data: bytes) -> list[bytes]:
    frames = FrameDecoder(parse_frame)
    return [item for item in frames.feed(data) + frames.discard_partial() if isinstance(item, bytes)]


@pytest.mark.parametrize(
    ("meaning", "wanted"),
    [
        ("REQA answer", ["8044 00 28 00 00"]),
        ("cascade level 1", ["80 88 04 15 24 BD 28 00 00"]),
        ("SAK 04", ["80 04 DA 17 08 00 00"]),
        ("cascade level 2", ["80 8A 16 3C 81 21 28 00 00"]),
        ("error answer as one user saw it over SPI", []),
        ("result 83 without data", ["83"]),
    ],
)
def test_answers_of_others_are_judged(meaning: str, wanted: list[str]) -> None:
    assert decode_frames(find_vector(meaning)) == [bytes.fromhex(text) for text in wanted]


def test_nothing_is_swallowed_behind_what_one_user_saw_over_spi() -> None:
    for answer in (OK, NOTHING, find_vector("REQA answer")):
        assert len(decode_frames(find_vector("error answer as one") + answer)) == 1


def test_answer_with_a_broken_byte_swallows_nothing() -> None:
    assert decode_frames(BROKEN_BYTE + NOTHING + BROKEN_BYTE + OK) == [
        bytes.fromhex(text) for text in ("90001E250000", "87", "90001E250000", "00")
    ]
    frames = FrameDecoder(parse_frame)
    found = [item for byte in BROKEN_BYTE + NOTHING for item in frames.feed(bytes((byte,)))]
    assert found == [bytes.fromhex("90001E250000"), b"\x87"]


class Talk:
    """A driver for cards of type A that is answered by hand."""

    def __init__(self) -> None:
        self.driver = Cr95Hf("shoe", protocol="iso14443a")
        self.now = 0.0
        self.events: list[DeviceEvent] = []

    def expect(self, asked: bytes, answer: bytes) -> None:
        self.now += 0.01
        assert self.driver.on_tick(self.now)[0] == asked
        self.events += self.driver.receive_data(answer, self.now + 0.003)

    def greet(self) -> None:
        self.driver.on_port_opened()
        for asked, answer in ((b"\x55", b"\x55"), (b"\x01\0", IDENTITY), (SELECT, OK), (SET_TIMER_W, OK)):
            self.expect(asked, answer)
        self.expect(SET_ARC_B, OK)

    def read_card(self) -> None:
        """Answer as the card of ST community 37117 does."""
        self.expect(REQA, find_vector("REQA answer"))
        self.expect(bytes.fromhex("0403932008"), find_vector("cascade level 1"))
        self.expect(bytes.fromhex("04089370 88041524BD28"), find_vector("SAK 04"))
        self.expect(bytes.fromhex("0403952008"), find_vector("cascade level 2"))

    def select(self) -> None:
        self.expect(SELECT, OK)
        self.expect(find_vector("TimerW for 14443A"), OK)
        self.expect(SET_ARC_B, OK)


def test_card_of_others_is_read_with_the_settings_of_others() -> None:
    talk = Talk()
    for ready in (1, 2):
        talk.greet()
        talk.expect(REQA, NOTHING)
        talk.read_card()
        talk.select()
        talk.read_card()
        assert talk.events.count(DeviceReady("shoe")) == ready
        assert talk.events[-1] == TagRead("shoe", "0415248A163C81")
        talk.select()


def test_empty_field_is_asked_at_once_and_a_used_one_is_made_anew() -> None:
    talk = Talk()
    talk.greet()
    for _ in range(3):
        talk.expect(REQA, NOTHING)
    talk.expect(REQA, BROKEN_BYTE)
    talk.select()
    talk.expect(REQA, b"\x8a\0")
    talk.select()
    talk.expect(REQA, find_vector("REQA answer"))
    talk.expect(bytes.fromhex("0403932008"), BROKEN_BYTE)
    talk.select()
    assert talk.events == [DeviceReady("shoe")]


def test_reader_that_refuses_a_setting_goes_on_without_it() -> None:
    talk = Talk()
    for asked, answer in ((b"\x55", b"\x55"), (b"\x01\0", IDENTITY), (SELECT, OK)):
        talk.expect(asked, answer)
    talk.expect(SET_TIMER_W, b"\x82\0")
    talk.expect(SET_ARC_B, find_vector("result 83 without data"))
    talk.expect(REQA, NOTHING)
    assert talk.events == [DeviceReady("shoe")]


@pytest.mark.parametrize("protocol", ["iso15693", "iso14443a"])
def test_tag_is_given_its_guard_time_however_quick_the_loop(protocol: str, bench: Bench, clock: ManualClock) -> None:
    """ST waits 5.1 ms before REQA and 5 ms before Inventory; with a tick each millisecond nothing was read before."""
    driver = Cr95Hf("shoe", protocol="iso15693" if protocol == "iso15693" else "iso14443a")
    port = open_port("sim://cr95hf/shoe", driver, read_seconds=0)
    tag = Cr95HfSimulator.nth_tag(1) if protocol == "iso15693" else "0415248A163C81"
    bench.reader("shoe").present(tag)
    reads = list_tags(serve(driver, port, clock, 1.0, step_s=0.001))
    assert set(reads) == {tag}
    assert len(reads) > 5


@pytest.mark.parametrize(
    ("protocol", "settings", "first_question"),
    [("iso15693", (), INVENTORY), ("iso14443a", (SET_TIMER_W, SET_ARC_B), REQA)],
    ids=["15693", "14443a"],
)
def test_question_after_selecting_waits_and_asks_to_be_woken(
    protocol: str, settings: tuple[bytes, ...], first_question: bytes
) -> None:
    """The guard time begins with the answer to the selection; what is set meanwhile, at once, is a part of it."""
    driver = Cr95Hf("shoe", protocol="iso15693" if protocol == "iso15693" else "iso14443a")
    driver.on_port_opened()
    select = SELECT if settings else SELECT_15693
    now = awake_at = 0.0
    for asked in (b"\x55", b"\x01\0", select, *settings):
        assert driver.on_tick(now)[0] == asked
        now += 0.001
        driver.receive_data({b"\x55": b"\x55", b"\x01\0": IDENTITY}.get(asked, OK), now)
        awake_at = now + GUARD_TIME_S if asked == select else awake_at
    assert driver.on_tick(now)[0] == b""
    assert driver.next_tick_at(now) == pytest.approx(max(awake_at, now + MIN_TICK_INTERVAL_S))
    assert driver.on_tick(awake_at - 0.0001)[0] == b""
    assert driver.on_tick(awake_at + 1e-9)[0] == first_question


@pytest.mark.parametrize(("waited_s", "answers"), [(0.0035, False), (0.0051, True)])
@pytest.mark.parametrize(
    ("select", "tag", "question"), [(SELECT, "0415248A163C81", REQA), (SELECT_15693, "E004015012345601", INVENTORY)]
)
def test_simulated_tag_needs_its_guard_time(
    select: bytes, tag: str, question: bytes, waited_s: float, answers: bool, clock: ManualClock
) -> None:
    simulator = Cr95HfSimulator(clock)
    simulator.present(tag)
    simulator.receive_data(b"\x55" + select)
    clock.advance(waited_s)
    simulator.receive_data(question)
    clock.advance(0.02)
    assert (simulator.take_frames()[-1][1] != NOTHING) == answers


def test_simulator_knows_the_registers_of_others(clock: ManualClock) -> None:
    simulator = Cr95HfSimulator(clock)

    def ask(data: bytes) -> list[bytes]:
        simulator.receive_data(data)
        clock.advance(0.02)
        return [frame for _, frame in simulator.take_frames()]

    assert ask(b"\x55\x55") == [b"\x55"]
    assert ask(find_vector("ProtocolSelect 14443A as ST")) == [OK]
    assert ask(find_vector("TimerW for 14443A")) == [OK]
    assert ask(find_vector("ARC_B gain for 15693")) == [OK]
    assert simulator.registers == {0x3A: bytes.fromhex("5A04"), 0x68: bytes.fromhex("01D0")}
    assert ask(bytes.fromhex("0803680100")) == [bytes.fromhex("0001D0")]
    assert ask(find_vector("ProtocolSelect 15693")) == [OK]
    assert simulator.registers == {}
