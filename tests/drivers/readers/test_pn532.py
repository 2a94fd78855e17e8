import random
from functools import partial
from itertools import pairwise
from typing import Literal

import pytest

from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady, NoiseDropped, TagRead
from drivers.contract.tick_schedule import TickSchedule
from drivers.ports.byte_port import open_port
from drivers.readers.framing import FrameDecoder
from drivers.readers.pn532 import (
    ACK,
    GET_FIRMWARE,
    NACK,
    ONE_RETRY,
    QUIET_S,
    REPEAT_TIMEOUT_S,
    SAM_CONFIGURATION,
    WAKE_UP,
    Pn532,
    build_frame,
    parse_frame,
    parse_uids,
)
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.readers.pn532_simulator import Pn532Simulator, build_response, build_target
from tests.drivers import device_vectors
from tests.drivers.serving import list_states, list_tags, serve

TAGS = {
    "04A035B2BC2B80": "00 00 FF 0F F1 D5 4B 01 01 00 44 00 07 04 A0 35 B2 BC 2B 80 A1 00",
    "047BCB51962280": "00 00 FF 0F F1 D5 4B 01 01 00 44 00 07 04 7B CB 51 96 22 80 C0 00",
    "04416D412B0289": "00 00 FF 0F F1 D5 4B 01 01 00 44 00 07 04 41 6D 41 2B 02 89 EA 00",
    "047FA99A1F6680": "00 00 FF 0F F1 D5 4B 01 01 00 44 00 07 04 7F A9 9A 1F 66 80 C8 00",
    "9EB36E66": "00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 9E B3 6E 66 A9 00",
    "8A4CB512": "00 00 FF 0C F4 D5 4B 01 01 00 02 18 04 8A 4C B5 12 23 00",
}
TWO = "00 00 FF 1B E5 D5 4B 02 01 00 44 00 07 04 7B CB 51 96 22 80 02 00 44 00 07 04 A0 35 B2 BC 2B 80 80 00"
NONE = "00 00 FF 03 FD D5 4B 00 E0 00"
ACK_AND_SAM = "00 00 FF 00 FF 00 00 00 FF 02 FE D5 15 16 00"
FIRMWARE = "00 00 FF 06 FA D5 03 32 01 06 07 E8 00"
RF_CONFIGURED = "00 00 FF 02 FE D5 33 F8 00"


def decode_frames(data: bytes) -> list[bytes]:
    return [item for item in FrameDecoder(parse_frame).feed(data) if isinstance(item, bytes)]


@pytest.mark.parametrize(
    ("sent", "recorded"),
    [
        (WAKE_UP + build_frame(SAM_CONFIGURATION), "55 55" + " 00" * 14 + " 00 00 FF 03 FD D4 14 01 17 00"),
        (build_frame(bytes((0x14, 0x01, 0x14, 0x01))), "00 00 FF 05 FB D4 14 01 14 01 02 00"),
        (build_frame(GET_FIRMWARE), "00 00 FF 02 FE D4 02 2A 00"),
        (build_frame(bytes((0x4A, 1, 0))), "00 00 FF 04 FC D4 4A 01 00 E1 00"),
        (build_frame(bytes((0x4A, 2, 0))), "00 00 FF 04 FC D4 4A 02 00 E0 00"),
        (build_frame(ONE_RETRY), "00 00 FF 06 FA D4 32 05 01 00 01 F3 00"),
        (build_frame(bytes.fromhex("00313233")), "0000FF 05FB D4 00 313233 96 00"),
        (build_response(0x4B, b"\0"), NONE),
        (build_response(0x03, bytes.fromhex("32010607")), FIRMWARE),
        (build_response(0x01, b"456"), "0000FF 05FB D5 01 343536 8B 00"),
        (build_response(0x4B, b"\x01" + build_target(1, "04A035B2BC2B80")), TAGS["04A035B2BC2B80"]),
        (build_response(0x4B, b"\x02" + build_target(1, "047BCB51962280") + build_target(2, "04A035B2BC2B80")), TWO),
    ],
)
def test_frames_are_as_recorded(sent: bytes, recorded: str) -> None:
    assert sent == bytes.fromhex(recorded)


@pytest.mark.parametrize(("uid", "data"), TAGS.items())
def test_tag_is_read(uid: str, data: str) -> None:
    (answer,) = decode_frames(bytes.fromhex(data))
    assert list(parse_uids(answer[1:])) == [uid]


def test_two_tags_and_none() -> None:
    assert list(parse_uids(decode_frames(bytes.fromhex(TWO))[0][1:])) == ["047BCB51962280", "04A035B2BC2B80"]
    assert list(parse_uids(decode_frames(bytes.fromhex(NONE))[0][1:])) == []


def test_tag_with_an_answer_to_select_before_another() -> None:
    """ATS, with its own length byte first, only when SEL_RES has bit 5."""
    first = bytes.fromhex("01 0344 20 07 04112233445566 06 757781028000".replace(" ", ""))[:-1]
    data = b"\x02" + first + build_target(2, "9EB36E66")
    assert list(parse_uids(data)) == ["04112233445566", "9EB36E66"]


@pytest.mark.parametrize(
    "bad",
    [
        "0000FF 04FB D501343536 8B00",
        "0000FF 05FB D501343536 8A00",
        "0000FF 05FB D601343536 8A00",
    ],
)
def test_bad_sums_and_directions_are_refused(bad: str) -> None:
    assert decode_frames(bytes.fromhex(bad)) == []


def test_frame_that_lost_a_zero_of_its_uid_is_no_frame() -> None:
    """Its sum then counts as data and its end as the sum: both sums are right, and the tag would be another."""
    whole = build_response(0x4B, b"\x01" + build_target(1, "04A035B2BC2B00"))
    assert [list(parse_uids(frame[1:])) for frame in decode_frames(whole)] == [["04A035B2BC2B00"]]
    assert decode_frames(whole[:-3] + whole[-2:]) == []
    assert decode_frames(whole[:-3] + whole[-2:] + b"\xff") == []


def test_response_to_another_command_is_not_taken() -> None:
    driver = Pn532("seat4")
    driver.on_tick(0.0)
    assert driver.receive_data(bytes.fromhex("0000FF05FB D502343536 8A00"), 0.01) == []
    assert driver.on_tick(0.02)[0] == b""


def test_extended_frame() -> None:
    body = bytes((0xD5, 0x4B)) + bytes(258)
    data = b"\0\0\xff\xff\xff" + bytes((1, 4, 0xFB)) + body + bytes((-sum(body) & 0xFF, 0))
    assert decode_frames(data) == [body[1:]]


def make_ready_driver() -> Pn532:
    driver = Pn532("seat4")
    greet(driver, 0.0)
    return driver


def greet(driver: Pn532, now: float) -> None:
    for n, answer in enumerate((ACK_AND_SAM, FIRMWARE, RF_CONFIGURED)):
        driver.on_tick(now + n * 0.1)
        events = driver.receive_data(bytes.fromhex(answer), now + n * 0.1 + 0.01)
        assert list(events) == ([DeviceReady("seat4", "1.6")] if n == 2 else [])


POLL_FOR_TWO = bytes.fromhex("0000FF04FCD44A0200E000")
A_TAG, OTHER_TAG = "04A035B2BC2B80", "047BCB51962280"
A_READ, OTHER_READ = TagRead("seat4", A_TAG), TagRead("seat4", OTHER_TAG)


def poll_tags(driver: Pn532, answer: str, now: float) -> list[DeviceEvent]:
    assert driver.on_tick(now)[0] == POLL_FOR_TWO
    return list(driver.receive_data(ACK + bytes.fromhex(answer), now + 0.03))


def repeat_tags(driver: Pn532, answer: str, now: float) -> list[DeviceEvent]:
    """A NACK is answered without an ACK."""
    assert driver.on_tick(now)[0] == NACK
    return list(driver.receive_data(bytes.fromhex(answer), now + 0.004))


def test_tag_counts_when_its_answer_was_said_again() -> None:
    """UM0701-02, 6.2.1.4: a NACK asks for the last response once more."""
    driver = make_ready_driver()
    assert poll_tags(driver, NONE, 0.9) == []
    assert poll_tags(driver, TWO, 1.0) == []
    assert repeat_tags(driver, TWO, 1.03) == [OTHER_READ, A_READ]
    assert poll_tags(driver, TWO, 1.04) == [OTHER_READ, A_READ], "what is known is not asked for again"
    assert poll_tags(driver, TAGS[A_TAG], 1.1) == [A_READ]
    assert poll_tags(driver, NONE, 1.2) == []
    assert poll_tags(driver, TAGS[A_TAG], 2.5) == [], "it had left"
    assert repeat_tags(driver, TAGS[A_TAG], 2.6) == [A_READ]


def test_tag_beside_one_that_is_known_is_said_again() -> None:
    driver = make_ready_driver()
    poll_tags(driver, TAGS[A_TAG], 1.0)
    assert repeat_tags(driver, TAGS[A_TAG], 1.03) == [A_READ]
    assert poll_tags(driver, TWO, 1.04) == [A_READ]
    assert repeat_tags(driver, TWO, 1.08) == [OTHER_READ, A_READ]


def leave_unanswered(driver: Pn532, answer: str, now: float) -> None:
    """The chip does not answer a NACK, and is asked for tags again when it would have."""
    assert poll_tags(driver, answer, now) == []
    assert driver.on_tick(now + 0.03)[0] == NACK
    assert driver.on_tick(now + 0.05)[0] == b""
    assert driver.next_tick_at(now + 0.05) == pytest.approx(now + 0.03 + REPEAT_TIMEOUT_S)


def test_chip_that_knows_no_nack_is_polled_on_and_not_asked_so_again() -> None:
    driver = make_ready_driver()
    for begin in (10.0, 20.0):
        leave_unanswered(driver, TAGS[A_TAG], begin)
        assert poll_tags(driver, TAGS[A_TAG], begin + 0.056) == [A_READ]
    assert poll_tags(driver, TAGS[A_TAG], 30.0) == []
    assert poll_tags(driver, TAGS[A_TAG], 30.04) == [A_READ]
    driver.on_port_opened()
    greet(driver, 40)
    leave_unanswered(driver, TAGS[A_TAG], 41.0)
    assert poll_tags(driver, TAGS[A_TAG], 41.056) == [A_READ]


def test_nack_that_was_lost_now_and_then_changes_nothing() -> None:
    driver = make_ready_driver()
    for begin in range(10, 30, 2):
        leave_unanswered(driver, TAGS[A_TAG], begin)
        assert poll_tags(driver, TAGS[OTHER_TAG], begin + 0.056) == []
        assert repeat_tags(driver, TAGS[OTHER_TAG], begin + 0.1) == [OTHER_READ]


def test_no_nack_makes_a_chip_lost() -> None:
    driver = make_ready_driver()
    events: list[DeviceEvent] = []
    for begin in (10.0, 20.0):
        leave_unanswered(driver, TAGS[A_TAG], begin)
        for seconds in (0.06, 0.3, 0.5):
            data, more = driver.on_tick(begin + seconds)
            assert data == POLL_FOR_TWO
            events += more
        driver.receive_data(ACK + bytes.fromhex(NONE), begin + 0.51)
    assert events == []


def test_of_two_answers_that_differ_neither_counts() -> None:
    driver = make_ready_driver()
    poll_tags(driver, TAGS[A_TAG], 1.0)
    assert repeat_tags(driver, TAGS[OTHER_TAG], 1.03) == []
    assert poll_tags(driver, TAGS[A_TAG], 1.04) == []
    assert repeat_tags(driver, TAGS[A_TAG], 1.08) == [A_READ]
    assert poll_tags(driver, TWO, 1.09) == [A_READ]
    assert repeat_tags(driver, TAGS[A_TAG], 1.13) == [], "what is known is read with the next poll"
    assert poll_tags(driver, TAGS[A_TAG], 1.14) == [A_READ]


def test_chip_that_answers_a_nack_with_something_else_reads_as_ever() -> None:
    driver = make_ready_driver()
    for begin in (1.0, 1.1):
        poll_tags(driver, TAGS[A_TAG], begin)
        assert repeat_tags(driver, NONE, begin + 0.04) == []
    assert poll_tags(driver, TAGS[A_TAG], 1.2) == []
    assert poll_tags(driver, TAGS[A_TAG], 1.24) == [A_READ]


def damage(answer: str) -> bytes:
    """Return the answer with one bit wrong."""
    data = bytearray.fromhex(answer)
    data[-4] ^= 0x10
    return bytes(data)


def test_damaged_answer_is_asked_for_again_when_it_is_over() -> None:
    driver = make_ready_driver()
    assert driver.on_tick(1.0)[0] == POLL_FOR_TWO
    whole = damage(TAGS[A_TAG])
    assert driver.receive_data(ACK + whole[:-2], 1.030) == []
    (noise,) = driver.receive_data(whole[-2:], 1.031)
    assert isinstance(noise, NoiseDropped)
    assert driver.on_tick(1.031)[0] == b""
    assert driver.next_tick_at(1.031) == pytest.approx(1.031 + QUIET_S)
    assert repeat_tags(driver, TAGS[A_TAG], 1.036) == []
    assert repeat_tags(driver, TAGS[A_TAG], 1.041) == [A_READ]
    assert poll_tags(driver, TAGS[A_TAG], 1.05) == [A_READ]


def test_damaged_answer_is_asked_for_twice_at_most() -> None:
    driver = make_ready_driver()
    for begin in (1.0, 2.0):
        driver.on_tick(begin)
        driver.receive_data(ACK + damage(TAGS[A_TAG]), begin + 0.03)
        for n in (1, 2):
            assert driver.on_tick(begin + 0.03 + n * 0.01)[0] == NACK
            driver.receive_data(damage(TAGS[A_TAG]), begin + 0.034 + n * 0.01)
        assert driver.on_tick(begin + 0.065)[0] == b""
        assert poll_tags(driver, NONE, begin + 0.08) == []


def test_repeat_that_came_damaged_is_asked_for_again() -> None:
    driver = make_ready_driver()
    poll_tags(driver, TAGS[A_TAG], 1.0)
    assert driver.on_tick(1.03)[0] == NACK
    driver.receive_data(damage(TAGS[A_TAG]), 1.034)
    assert repeat_tags(driver, TAGS[A_TAG], 1.039) == [A_READ]


def test_damaged_acknowledgement_waits_for_the_answer() -> None:
    """The chip is looking for tags then, and would be disturbed."""
    driver = make_ready_driver()
    driver.on_tick(1.0)
    driver.receive_data(bytes.fromhex("0000FF01FF00"), 1.002)
    assert driver.on_tick(1.02)[0] == b""
    assert driver.receive_data(bytes.fromhex(TAGS[A_TAG]), 1.03) is not None
    assert repeat_tags(driver, TAGS[A_TAG], 1.031) == [A_READ]


def test_port_that_was_lost_between_two_mentions() -> None:
    driver = make_ready_driver()
    poll_tags(driver, TAGS[A_TAG], 1.0)
    assert driver.on_tick(1.03)[0] == NACK
    driver.on_port_opened()
    assert driver.on_tick(1.2)[0].startswith(WAKE_UP)
    assert driver.receive_data(bytes.fromhex(TAGS[A_TAG]), 1.21) == []
    assert driver.receive_data(bytes.fromhex(ACK_AND_SAM), 1.22) == []
    for n, answer in enumerate((FIRMWARE, RF_CONFIGURED)):
        driver.on_tick(1.23 + n * 0.01)
        driver.receive_data(bytes.fromhex(answer), 1.235 + n * 0.01)
    assert poll_tags(driver, TAGS[OTHER_TAG], 1.26) == []
    assert repeat_tags(driver, TAGS[OTHER_TAG], 1.3) == [OTHER_READ]


def test_silent_chip_is_lost_once_and_greeted_anew() -> None:
    driver = make_ready_driver()
    events: list[DeviceEvent] = []
    sent = b""
    for n in range(100):
        data, more = driver.on_tick(2 + n * 0.1)
        sent += data
        events += more
    assert [type(event) for event in events] == [DeviceLost]
    assert sent.count(WAKE_UP) > 5


def test_no_damaged_answer_makes_a_tag() -> None:
    """One byte in a hundred wrong, tags of one box: the sums alone let some through, the second mention none."""
    chance = random.Random(1)
    passed = 0
    driver = make_ready_driver()
    now = 10.0
    read: set[str] = set()
    there: set[str] = set()
    for n in range(15_000):
        uid = f"04{0xA035B2BC2B00 + n // 6 % 54:012X}"
        there.add(uid)
        answer = bytearray(build_response(0x4B, b"\x01" + build_target(1, uid)))
        for at in range(len(answer)):
            if chance.random() < 0.01:
                answer[at] ^= 1 << chance.randrange(8)
        passed += any(got != uid for item in decode_frames(bytes(answer)) for got in parse_uids(item[1:]))
        now += 0.4 if n % 6 == 0 else 0.05
        driver.on_tick(now)
        read |= {event.tag for event in driver.receive_data(bytes(answer), now + 0.03) if isinstance(event, TagRead)}
    assert read == there
    assert passed > 0


# Bytes of others, tests/drivers/vectors.jsonl.

find_vector = partial(device_vectors.find_vector, "pn532")


@pytest.mark.parametrize(
    ("meaning", "wanted"),
    [
        ("its answer", ["0332010607"]),
        ("SAMConfiguration answer", ["15"]),
        ("syntax error frame", []),
        ("NACK frame", []),
        ("wrong LCS", []),
        ("wrong DCS", []),
        ("InListPassiveTarget", ["4B0101004400070416C6C2D73881"]),
        ("the same with SAK 40", ["4B0101004440070416C6C2D73881"]),
    ],
)
def test_frames_of_others_are_judged(meaning: str, wanted: list[str]) -> None:
    assert [item.hex().upper() for item in decode_frames(find_vector(meaning))] == wanted


def test_tags_of_others_are_read() -> None:
    for meaning in ("InListPassiveTarget", "the same with SAK 40"):
        assert list(parse_uids(decode_frames(find_vector(meaning))[0][1:])) == ["0416C6C2D73881"]


def test_commands_are_as_others_send_them() -> None:
    assert build_frame(ONE_RETRY) == find_vector("RFConfiguration MaxRetries as nfcpy")
    assert find_vector("wake-up preamble") == WAKE_UP
    assert find_vector("GetFirmwareVersion behind ten zeros") == bytes(10) + build_frame(GET_FIRMWARE)
    assert find_vector("NACK frame") == NACK
    assert find_vector("SetSerialBaudrate 230400") == build_frame(bytes((0x10, 0x05)))


def ask_simulator(simulator: Pn532Simulator, clock: ManualClock, data: bytes) -> list[bytes]:
    simulator.receive_data(data)
    clock.advance(0.05)
    return [frame for _, frame in simulator.take_frames()]


def test_simulator_wakes_by_zeros_and_says_its_version_first(clock: ManualClock) -> None:
    """The start of nfcpy: version, SAM configuration, another speed."""
    simulator = Pn532Simulator(clock)
    assert ask_simulator(simulator, clock, build_frame(GET_FIRMWARE)) == [], "it sleeps"
    greeting = find_vector("GetFirmwareVersion behind ten zeros")
    for _ in range(2):
        assert ask_simulator(simulator, clock, greeting) == [bytes.fromhex("0000FF00FF00"), find_vector("its answer")]
    assert len(ask_simulator(simulator, clock, build_frame(bytes((0x4A, 1, 0))))) == 1, "no tag before SAM"
    assert ask_simulator(simulator, clock, build_frame(SAM_CONFIGURATION))[1:] == [find_vector("SAMConfiguration answ")]
    faster = find_vector("SetSerialBaudrate 230400")
    assert ask_simulator(simulator, clock, faster)[1:] == [build_response(0x11, b"")]
    assert simulator.baudrate == 115200, "it waits for an acknowledgement"
    assert ask_simulator(simulator, clock, bytes.fromhex("0000FF00FF00")) == []
    assert simulator.baudrate == 230400
    assert ask_simulator(simulator, clock, build_frame(b"\x10\x09"))[1:] == [find_vector("syntax error frame")]


@pytest.mark.parametrize(
    ("preamble", "hears"),
    [(b"\x55" + bytes(2), False), (b"\x55" + bytes(3), True), (bytes(7), False), (bytes(8), True), (b"\xff" * 9, True)],
)
def test_simulator_wakes_at_the_fifth_edge_and_takes_its_time(preamble: bytes, hears: bool, clock: ManualClock) -> None:
    """UM0701-02, 6.3.2.3: 55 has five rising edges, 00 and FF one; then the oscillator starts, here for 0.4 ms."""
    simulator = Pn532Simulator(clock)
    assert bool(ask_simulator(simulator, clock, preamble + build_frame(GET_FIRMWARE))) == hears
    assert ask_simulator(simulator, clock, build_frame(GET_FIRMWARE)), "what was lost has woken it"


def test_simulator_sleeps_when_told_to(clock: ManualClock) -> None:
    """PowerDown (UM0701-02, 7.2.11), as nfcpy leaves the chip."""
    simulator = make_configured_simulator(clock, 1)
    assert ask_simulator(simulator, clock, build_frame(b"\x16\xb0\x00"))[1:] == [build_response(0x17, b"\0")]
    assert ask_simulator(simulator, clock, build_frame(GET_FIRMWARE)) == []
    assert len(ask_simulator(simulator, clock, build_frame(GET_FIRMWARE))) == 2


def test_simulator_says_its_last_response_again(clock: ManualClock) -> None:
    """UM0701-02, 6.2.1.4; without an ACK, as a chip of firmware 1.6 does on I2C (log in esphome/issues #3281)."""
    simulator = make_configured_simulator(clock, 1)
    simulator.present(A_TAG)
    _, answer = ask_simulator(simulator, clock, build_frame(bytes((0x4A, 1, 0))))
    simulator.remove()
    for _ in range(2):
        assert ask_simulator(simulator, clock, NACK) == [answer]
    assert ask_simulator(simulator, clock, NACK[:3]) == []
    assert ask_simulator(simulator, clock, NACK[3:]) == [answer]
    assert ask_simulator(Pn532Simulator(clock), clock, WAKE_UP + NACK) == [], "it has said nothing yet"
    silent = make_configured_simulator(clock, 1, nack="silent")
    assert ask_simulator(silent, clock, NACK) == []
    assert ask_simulator(silent, clock, build_frame(GET_FIRMWARE))[1:] == [find_vector("its answer")]
    with pytest.raises(ValueError, match="there is no nack 'no'; there are repeat, silent"):
        Pn532Simulator(clock, nack="no")


def test_simulator_gives_up_what_another_command_overtakes(clock: ManualClock) -> None:
    simulator = make_configured_simulator(clock, 1)
    simulator.receive_data(build_frame(bytes((0x4A, 1, 0))))
    clock.advance(0.01)
    assert ask_simulator(simulator, clock, build_frame(GET_FIRMWARE)) == [ACK, ACK, find_vector("its answer")]


def test_simulator_gives_up_when_acknowledged(clock: ManualClock) -> None:
    """UM0701-02, 6.2.1.3: an ACK frame of the host ends what the chip is at."""
    simulator = make_configured_simulator(clock, 0xFF)
    assert len(ask_simulator(simulator, clock, build_frame(bytes((0x4A, 1, 0))))) == 1
    ask_simulator(simulator, clock, bytes.fromhex("0000FF00FF00"))
    simulator.present(Pn532Simulator.nth_tag(1))
    assert ask_simulator(simulator, clock, b"") == []


@pytest.mark.parametrize("wake_up_ms", [0.1, 2.0, 20.0])
def test_chip_that_wakes_slowly_is_greeted_again_and_no_loss(
    wake_up_ms: float, bench: Bench, clock: ManualClock
) -> None:
    """Up to 2 ms (UM0701-02, 6.3.2.3), longer than the preamble takes. It sleeps again when its power was gone."""
    driver = Pn532("seat4")
    port = open_port(f"sim://pn532/seat4?wake_up_ms={wake_up_ms}", driver, read_seconds=0)
    simulator = bench.find_simulator("seat4", Pn532Simulator)
    assert serve(driver, port, clock, 2.0) == [DeviceReady("seat4", "1.6")]
    ask_simulator(simulator, clock, build_frame(b"\x16\xb0\x00"))
    driver.on_port_opened()
    assert serve(driver, port, clock, 2.0) == [DeviceReady("seat4", "1.6")]


def count_tags(simulator: Pn532Simulator, clock: ManualClock, most: int, polls: int) -> list[int | None]:
    """Return how many tags each poll found, and `None` where only the acknowledgement came."""
    answers = [ask_simulator(simulator, clock, build_frame(bytes((0x4A, most, 0)))) for _ in range(polls)]
    return [frames[1][7] if len(frames) > 1 else None for frames in answers]


def make_configured_simulator(clock: ManualClock, retries: int, **keys: str) -> Pn532Simulator:
    simulator = Pn532Simulator(clock, **keys)
    ask_simulator(simulator, clock, WAKE_UP + build_frame(SAM_CONFIGURATION))
    ask_simulator(simulator, clock, build_frame(bytes((0x32, 5, 1, 0, retries))))
    return simulator


def test_simulator_alternates_when_asked_for_two(clock: ManualClock) -> None:
    """community.nxp.com/thread/481864."""
    simulator = make_configured_simulator(clock, 1, two_tags="alternating")
    assert count_tags(simulator, clock, 2, 2) == [0, 0]
    simulator.present(Pn532Simulator.nth_tag(1))
    assert count_tags(simulator, clock, 2, 4) == [1, None, 1, None]
    simulator.present(Pn532Simulator.nth_tag(2))
    assert count_tags(simulator, clock, 2, 6) == [2, 1, None, 2, 1, None]
    assert count_tags(simulator, clock, 1, 3) == [1, 1, 1]
    steady = make_configured_simulator(clock, 1)
    steady.present(Pn532Simulator.nth_tag(1))
    assert count_tags(steady, clock, 2, 3) == [1, 1, 1]
    with pytest.raises(ValueError, match="there is no two_tags 'both'; there are steady, alternating"):
        Pn532Simulator(clock, two_tags="both")


def test_simulator_that_may_try_only_once_misses_the_active_tag(clock: ManualClock) -> None:
    once, twice = (make_configured_simulator(clock, retries) for retries in (0, 1))
    for simulator in (once, twice):
        simulator.present(Pn532Simulator.nth_tag(1))
    assert count_tags(once, clock, 1, 4) == [1, 0, 1, 0]
    assert count_tags(twice, clock, 1, 4) == [1, 1, 1, 1]


@pytest.mark.parametrize("nack", ["repeat", "silent"])
@pytest.mark.parametrize(("tags", "lying_there", "longest"), [(1, 1, 0.15), (2, 1, 0.4), (2, 2, 0.6)])
def test_tag_that_lies_there_never_leaves(
    tags: Literal[1, 2], lying_there: int, longest: float, nack: str, bench: Bench, clock: ManualClock
) -> None:
    """`longest` is the longest time in seconds from its arrival to its first read, and between two reads."""
    driver = Pn532("seat4", tags=tags)
    port = open_port(f"sim://pn532/seat4?two_tags=alternating&nack={nack}", driver, read_seconds=0)
    assert serve(driver, port, clock, 1.0) == [DeviceReady("seat4", "1.6")]
    reads = {bench.reader("seat4").nth_tag(n): [clock() + 0.02] for n in range(lying_there)}  # its next tick
    for tag in reads:
        bench.reader("seat4").present(tag)
    for _ in range(950):
        for event in serve(driver, port, clock, 0.02):
            assert isinstance(event, TagRead)
            reads[event.tag].append(clock())
    gaps = [after - before for times in reads.values() for before, after in pairwise([*times, clock()])]
    assert max(gaps) <= longest
    assert longest < driver.absence_timeout_s


def test_adapter_that_holds_back_the_first_answer_is_no_loss() -> None:
    """A ttyUSB of a Raspberry Pi may take 1 s for the first data (nfcpy, `pn532.py`)."""
    driver = Pn532("seat4")
    for start in (0.0, 5.0):
        driver.on_port_opened()
        assert [event for n in range(55) for event in driver.on_tick(start + n * 0.02)[1]] == []
        assert driver.receive_data(bytes.fromhex(ACK_AND_SAM), start + 1.1) == []
        assert driver.on_tick(start + 1.12)[0] == build_frame(GET_FIRMWARE)


class TickedLine:
    """A driver that is ticked as at a live table, and the simulated chip at its other end."""

    def __init__(self, bench: Bench, clock: ManualClock, driver: Pn532, query: str = "") -> None:
        self.driver, self.clock = driver, clock
        self.port = open_port(f"sim://pn532/seat4{query}", driver, read_seconds=0)
        self.simulator = bench.find_simulator("seat4", Pn532Simulator)
        self.schedule = TickSchedule(driver)
        self.sent: list[bytes] = []

    def run(self, seconds: float, until: bytes = b"") -> list[DeviceEvent]:
        """Let time go by, or until something is sent; what the driver says meanwhile."""
        events: list[DeviceEvent] = []
        ends = self.clock() + seconds
        while self.clock() < ends and not (until and self.sent and self.sent[-1] == until):
            self.clock.advance(0.001)
            if data := self.port.read():
                events += self.driver.receive_data(data, self.clock())
                self.schedule.on_data_received(self.clock())
            if self.schedule.is_due(self.clock()):
                sent, more = self.driver.on_tick(self.clock())
                self.schedule.on_ticked(self.clock(), has_sent=bool(sent))
                self.port.write(sent)
                self.sent += [sent] if sent else []
                events += more
        return events


@pytest.mark.parametrize(
    ("keys", "query", "tag_count", "longest_s"),
    [
        ("1", "steady", 1, 0.07), ("1", "alternating", 1, 0.07), ("2", "steady", 2, 0.07),
        ("2", "alternating", 1, 0.07), ("2", "alternating", 2, 0.07), ("1", "steady&nack=silent", 1, 0.13),
        ("2", "alternating&nack=silent", 1, 0.6), ("2", "alternating&nack=silent", 2, 0.6),
    ],
)  # fmt: skip
def test_what_lies_there_is_read_in_time(
    keys: str, query: str, tag_count: int, longest_s: float, bench: Bench, clock: ManualClock
) -> None:
    """A shoe asks for one, a seat for two, and has them at once; later from a chip that knows no NACK."""
    line = TickedLine(bench, clock, Pn532("seat4", tags=1 if keys == "1" else 2), f"?two_tags={query}")
    assert list_states(line.run(1.0)) == [DeviceReady]
    tags = {line.simulator.nth_tag(number) for number in range(tag_count)}
    for tag in sorted(tags):
        line.simulator.present(tag)
    events = line.run(longest_s)
    assert set(list_tags(events)) == tags
    assert list_states(events) == []


def test_second_mention_comes_at_once(bench: Bench, clock: ManualClock) -> None:
    line = TickedLine(bench, clock, Pn532("seat4", tags=1))
    line.run(1.0)
    for number in range(5):
        assert NACK not in line.sent
        tag = line.simulator.nth_tag(number)
        line.simulator.present(tag)
        line.run(0.1, until=NACK)
        assert line.run(0.006) == [TagRead("seat4", tag)]
        line.simulator.remove()
        line.sent.clear()
        line.run(1.0)


def test_noise_while_the_chip_looks_makes_no_wrong_tag(bench: Bench, clock: ManualClock) -> None:
    """The NACK crosses the answer: the chip says the one before once more, and the driver finds its way back."""
    line = TickedLine(bench, clock, Pn532("seat4", tags=1))
    line.run(1.0)
    line.simulator.present(A_TAG)
    line.run(0.2)
    line.simulator.remove()
    line.simulator.present(OTHER_TAG)
    line.sent.clear()
    line.run(0.1, until=build_frame(bytes((0x4A, 1, 0))))
    line.run(0.006)
    events = list(line.driver.receive_data(b"\x12", clock()))
    line.schedule.on_data_received(clock())
    line.sent.clear()
    events += line.run(0.01, until=NACK)
    assert line.sent == [NACK]
    events += line.run(0.2)
    assert {event.tag for event in events if isinstance(event, TagRead)} <= {A_TAG, OTHER_TAG}
    assert OTHER_READ in events
    assert events[-1] == OTHER_READ
    assert not any(isinstance(event, DeviceLost) for event in events)
