"""SSI scanners after they were found: asked and set again, and those that only pretend to keep what they are told."""

import pytest

from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady, EventsMissed, NoiseDropped, TagRead
from drivers.readers.framing import FrameDecoder
from drivers.scanners import ssi
from drivers.scanners.ssi import BareText, Ssi
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.scanners.ssi_simulator import SsiSimulator
from tests.drivers.scanners.conversation import Conversation
from tests.drivers.scanners.ssi_line import (
    ASK,
    NAK_DENIED,
    NAK_RESEND,
    PACKETS_OFF,
    PACKETS_ON,
    SET_FOR_GOOD,
    SET_FOR_NOW,
    SsiLine,
    with_resend_bit,
)
from tests.drivers.serving import list_states, list_tags

SETTING_PACKETS = [SET_FOR_GOOD, with_resend_bit(SET_FOR_GOOD), SET_FOR_NOW, with_resend_bit(SET_FOR_NOW)]
DECODE_AS = ssi.build_packet(ssi.DECODE_DATA, b"\x03AS", source=ssi.FROM_DECODER)
DECODE_AS_AGAIN = ssi.build_packet(ssi.DECODE_DATA, b"\x03AS", source=ssi.FROM_DECODER, status=ssi.RETRANSMISSION)


def make_ready_line() -> SsiLine:
    line = SsiLine()
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_ON)
    assert line.events == [DeviceReady("shoe")]
    line.sent.clear()
    line.events.clear()
    return line


class SsiPair(Conversation):
    """An SSI driver and its simulator; `packets` are what the driver sent, without what wakes the scanner."""

    def __init__(self, mishap: str = "none") -> None:
        clock = ManualClock()
        self.scanner = SsiSimulator(clock, mishap=mishap)
        super().__init__(Ssi("shoe"), self.scanner, clock)

    @property
    def packets(self) -> list[bytes]:
        return [data.removesuffix(b"\0") for data in self.sent if len(data) > 1]

    def count_writes_for_good(self) -> int:
        return sum(self.packets.count(packet) for packet in (SET_FOR_GOOD, with_resend_bit(SET_FOR_GOOD)))


# A scanner that is ready.


def test_a_silent_scanner_is_asked_and_lost() -> None:
    line = make_ready_line()
    line.run(ssi.IDLE_CHECK_INTERVAL_S + 0.1)
    assert line.packets() == [ASK]
    assert line.events == []
    line.run(3.0)
    assert list_states(line.events) == [DeviceLost]
    line.run(60.0)
    assert list_states(line.events) == [DeviceLost]
    line.run_until(ASK)
    line.answer(ssi.PARAM_SEND, PACKETS_ON)
    assert list_states(line.events) == [DeviceLost, DeviceReady]


def test_a_scanner_that_answers_stays_ready_without_a_word_and_is_set_to_nothing() -> None:
    pair = SsiPair()
    assert list_states(pair.run(2.0)) == [DeviceReady]
    pair.sent.clear()
    assert pair.run(60.0) == []
    assert set(pair.packets) == {ASK}
    assert len(pair.packets) == pytest.approx(60.0 / ssi.IDLE_CHECK_INTERVAL_S, abs=2)


def test_a_scanner_that_sends_cards_is_not_asked() -> None:
    pair = SsiPair()
    pair.run(2.0)
    pair.sent.clear()
    codes = []
    for number in range(30):
        pair.scanner.present(pair.scanner.nth_tag(number))
        codes += list_tags(pair.run(1.0))
    assert codes == [pair.scanner.nth_tag(number) for number in range(30)]
    assert set(pair.packets) == {ssi.build_packet(ssi.CMD_ACK)}


@pytest.mark.parametrize("mishap", ["none", "forgets"])
def test_a_scanner_without_its_setting_is_set_again_before_it_sends_a_card(mishap: str) -> None:
    """CR6080 guide p188: removing power discards temporary changes. The port stays open meanwhile."""
    pair = SsiPair(mishap)
    pair.run(2.0)
    pair.scanner.is_set_for_good = False
    for _ in range(3):  # the second time, and the third
        pair.scanner.restart()
        pair.run(ssi.IDLE_CHECK_INTERVAL_S + 1.0)
        pair.scanner.present("D07-01")
        assert list_tags(pair.run(1.0)) == (["D07-01"] if mishap == "none" else [])
    assert pair.count_writes_for_good() == 1


def test_a_returned_port_is_asked_at_once_and_may_write_once_more() -> None:
    pair = SsiPair()
    pair.run(2.0)
    pair.scanner.is_set_for_good = False
    pair.scanner.restart()
    pair.open_port()
    assert list_states(pair.run(1.0)) == [DeviceReady]
    assert pair.count_writes_for_good() == 2


@pytest.mark.parametrize("answer", [(ssi.PARAM_SEND, b"\xff"), (ssi.CMD_NAK, NAK_DENIED)])
def test_a_scanner_that_does_not_tell_is_set_again_and_its_silence_is_noticed(answer: tuple[int, bytes]) -> None:
    line = SsiLine()
    for _ in range(3):
        line.run_until(ASK)
        line.answer(*answer)
        line.run_until(SET_FOR_NOW)
        line.answer(ssi.CMD_ACK)
    assert line.events == [DeviceReady("shoe")]
    line.run(10.0)
    assert list_states(line.events) == [DeviceReady, DeviceLost]


# One that does not keep what it acknowledges.


def test_a_setting_is_asked_for_after_it_was_acknowledged() -> None:
    line = SsiLine()
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_OFF)
    line.run(0.1)
    line.answer(ssi.CMD_ACK)
    line.run(0.1)
    assert line.events == []
    assert line.packets() == [ASK, SET_FOR_GOOD, ASK]
    line.answer(ssi.PARAM_SEND, PACKETS_ON)
    assert line.events == [DeviceReady("shoe")]


def test_a_setting_that_is_kept_for_now_only_is_written_for_good_only_once() -> None:
    line = SsiLine()
    line.run(0.1)
    for wanted in (SET_FOR_GOOD, SET_FOR_NOW):
        line.answer(ssi.PARAM_SEND, PACKETS_OFF)
        line.run(0.1)
        assert line.packets()[-1] == wanted
        line.answer(ssi.CMD_ACK)
        line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_ON)
    assert line.events == [DeviceReady("shoe")]


def test_a_clone_that_keeps_nothing_is_lost_and_its_memory_is_spared() -> None:
    pair = SsiPair("forgets")
    events = pair.run(3.0)
    (lost,) = [event for event in events if isinstance(event, DeviceLost)]
    assert list_states(events) == [DeviceLost]
    assert "does not keep" in lost.reason
    assert "238" in lost.reason
    for number in range(120):
        pair.scanner.present(pair.scanner.nth_tag(number))
        events = pair.run(1.0)
        assert not list_states(events)
    assert pair.count_writes_for_good() == 1
    assert sum(pair.packets.count(packet) for packet in SETTING_PACKETS) <= 2 * 120 / ssi.SLOW_RETRY_INTERVAL_S + 4


def test_unanswered_writes_for_good_are_one_packet_and_its_two_resends() -> None:
    line = SsiLine()
    for _ in range(5):
        line.run_until(ASK)
        line.answer(ssi.PARAM_SEND, PACKETS_OFF)
        line.run(3.0)
    assert line.packets().count(SET_FOR_GOOD) == 1
    assert line.packets().count(with_resend_bit(SET_FOR_GOOD)) == 2
    assert line.packets().count(SET_FOR_NOW) >= 4


def test_a_question_after_the_acknowledgement_that_is_not_answered_ends_in_a_setting_for_now() -> None:
    line = SsiLine()
    line.run(0.1)
    line.answer(ssi.PARAM_SEND, PACKETS_OFF)
    line.run(0.1)
    line.answer(ssi.CMD_ACK)
    line.run_until(SET_FOR_NOW)
    line.answer(ssi.CMD_ACK)
    assert line.events == [DeviceReady("shoe")]


# One that understands nothing.


def test_an_engine_that_wants_each_packet_again_is_lost_and_tried_slowly() -> None:
    pair = SsiPair("misunderstands")
    events = pair.run(2.0)
    assert list_states(events) == [DeviceLost]
    assert len(pair.packets) == ssi.MAX_RESEND_REQUESTS
    assert list_states(pair.run(60.0)) == []
    assert len(pair.packets) <= ssi.MAX_RESEND_REQUESTS * (60.0 / ssi.SLOW_RETRY_INTERVAL_S + 1)
    pair.scanner.mishap = "none"
    assert list_states(pair.run(2 * ssi.SLOW_RETRY_INTERVAL_S)) == [DeviceReady]


def test_many_refusals_of_one_packet_count_once() -> None:
    line = SsiLine()
    line.run(0.1)
    line.receive(ssi.build_packet(ssi.CMD_NAK, NAK_RESEND, source=ssi.FROM_DECODER) * 50)
    line.run(0.1)
    assert line.packets() == [ASK, with_resend_bit(ASK)]
    assert line.events == []


def test_an_engine_that_refuses_is_tried_slowly() -> None:
    line = SsiLine()
    for _ in range(6000):
        line.run(0.01)
        if line.sent[-1][1] != b"\0" and line.sent[-1][0] > line.now - 0.015:
            line.answer(ssi.CMD_NAK, NAK_DENIED)
    assert list_states(line.events) == [DeviceLost]
    assert len(line.packets()) <= 2 * (120.0 / ssi.SLOW_RETRY_INTERVAL_S + 1)


# Bare text.


@pytest.mark.parametrize("text", [b"D07-31\r", b"AS\r\n", b"0123456789\t"])
def test_bare_text_is_no_card_and_is_counted(text: bytes) -> None:
    assert FrameDecoder(ssi.parse_packet).feed(text) == [BareText(len(text))]
    for size in (1, 3, 100):
        driver = Ssi("shoe")
        driver.on_port_opened()
        events: list[DeviceEvent] = []
        for at in range(0, len(text), size):
            events += driver.receive_data(text[at : at + size], 1.0)
        events += [event for at in (1.1, 2.0) for event in driver.on_tick(at)[1]]
        assert not list_tags(events)
        assert sum(event.byte_count for event in events if isinstance(event, NoiseDropped)) == len(text)


def test_a_packet_behind_bare_text_is_read() -> None:
    for text in (b"D07-31\r", b"D07-31", b"D", b"\r\n", b"A" * 300):
        assert list_tags(Ssi("shoe").receive_data(text + DECODE_AS, 1.0)) == ["AS"]
    long_code = b"X" * 30
    packet = ssi.build_packet(ssi.DECODE_DATA, b"\x03" + long_code, source=ssi.FROM_DECODER)
    assert list_tags(Ssi("shoe").receive_data(b"D07-31" + packet, 1.0)) == [long_code.decode("ascii")]


def test_a_card_before_the_scanner_sends_packets_is_said_to_be_missed() -> None:
    pair = SsiPair()
    pair.scanner.present("D07-31")
    events = pair.run(3.0)
    assert [type(event) for event in events] == [NoiseDropped, DeviceReady, EventsMissed]
    assert "D07-31" not in repr(events)
    assert pair.run(20.0) == []
    pair.open_port()  # the second time it sends packets at once
    pair.scanner.present("D07-32")
    events = pair.run(3.0)
    assert [type(event) for event in events] == [DeviceReady, TagRead]


def test_a_card_after_the_scanner_lost_its_setting_is_said_to_be_missed() -> None:
    pair = SsiPair()
    pair.run(8.0)
    pair.scanner.is_set_for_good = False
    pair.scanner.restart()
    pair.scanner.present("D07-31")
    pair.scanner.present("D07-32")
    events = pair.run(8.0)
    assert [type(event) for event in events if not isinstance(event, NoiseDropped)] == [EventsMissed]
    pair.scanner.is_set_for_good = False
    pair.scanner.restart()
    assert pair.run(8.0) == [], "no card came this time"


def test_text_in_a_damaged_packet_is_no_missed_card() -> None:
    """The scanner is not acknowledged and sends the packet again."""
    line = make_ready_line()
    line.run(4.0)
    line.receive(bytes.fromhex("08 F1 00 00 03 41 53 0D FE 61"))
    line.run_until(ASK)
    line.answer(ssi.PARAM_SEND, PACKETS_ON)
    assert {type(event) for event in line.events} == {NoiseDropped}


# A packet that comes again.


@pytest.mark.parametrize(("wait_s", "codes"), [(2.0, []), (9.9, []), (10.5, ["AS"]), (3600.0, ["AS"])])
def test_a_resent_packet_is_the_same_card_only_as_long_as_a_scanner_waits(wait_s: float, codes: list[str]) -> None:
    """DS4308 manual p7-17: a scanner waits at most 9.9 s for an ACK before it sends a packet again."""
    driver = Ssi("shoe")
    assert list_tags(driver.receive_data(DECODE_AS, 100.0)) == ["AS"]
    assert list_tags(driver.receive_data(DECODE_AS_AGAIN, 100.0 + wait_s)) == codes


def test_the_second_resend_is_timed_from_the_first() -> None:
    driver = Ssi("shoe")
    driver.receive_data(DECODE_AS, 100.0)
    assert not list_tags(driver.receive_data(DECODE_AS_AGAIN, 109.9))
    assert not list_tags(driver.receive_data(DECODE_AS_AGAIN, 119.8))


def test_a_packet_that_comes_again_after_the_port_was_lost_is_no_second_card() -> None:
    """Its acknowledgement was lost with the cable; the scanner has power of its own."""
    driver = Ssi("shoe")
    driver.on_port_opened()
    assert list_tags(driver.receive_data(DECODE_AS, 100.0)) == ["AS"]
    driver.on_port_opened()
    assert not list_tags(driver.receive_data(DECODE_AS_AGAIN, 102.0))
    assert ssi.build_packet(ssi.CMD_ACK) in driver.on_tick(102.0)[0]


def test_half_a_packet_does_not_outlast_its_port() -> None:
    driver = Ssi("shoe")
    driver.receive_data(DECODE_AS[:5], 1.0)
    driver.on_port_opened()
    assert list_tags(driver.receive_data(DECODE_AS[5:], 1.01)) == []
    assert list_tags(driver.receive_data(DECODE_AS, 1.02)) == ["AS"]


def test_acknowledgements_of_a_flood_are_bounded() -> None:
    driver = Ssi("shoe")
    for _ in range(1000):
        driver.receive_data(DECODE_AS, 1.0)
    assert len(driver.on_tick(1.0)[0]) < 200
