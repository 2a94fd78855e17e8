import random

import pytest

from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady, TagRead
from drivers.readers.framing import FrameDecoder
from drivers.readers.pn532 import (
    ACK,
    GET_FIRMWARE,
    ONE_TRY,
    SAM_CONFIGURATION,
    WAKE_UP,
    Pn532,
    build_frame,
    parse_frame,
    parse_uids,
)
from drivers.simulators.readers.pn532_simulator import build_response, build_target

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
        (build_frame(ONE_TRY), "00 00 FF 06 FA D4 32 05 FF 01 00 F5 00"),
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
    for n, answer in enumerate((ACK_AND_SAM, FIRMWARE, RF_CONFIGURED)):
        driver.on_tick(n * 0.1)
        events = driver.receive_data(bytes.fromhex(answer), n * 0.1 + 0.01)
        assert list(events) == ([DeviceReady("seat4", "1.6")] if n == 2 else [])
    return driver


def poll_tags(driver: Pn532, answer: str, now: float) -> list[DeviceEvent]:
    assert driver.on_tick(now)[0] == bytes.fromhex("0000FF04FCD44A0200E000")
    return list(driver.receive_data(ACK + bytes.fromhex(answer), now + 0.03))


def test_tag_counts_at_its_second_mention() -> None:
    driver = make_ready_driver()
    assert poll_tags(driver, TWO, 1.0) == []
    assert poll_tags(driver, TWO, 1.1) == [TagRead("seat4", "047BCB51962280"), TagRead("seat4", "04A035B2BC2B80")]
    assert poll_tags(driver, NONE, 1.2) == []
    assert poll_tags(driver, TAGS["04A035B2BC2B80"], 2.5) == []


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
