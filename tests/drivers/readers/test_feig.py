"""What is special to FEIG's readers: kinds of tags beside cards; bytes of others (tests/drivers/vectors.jsonl)."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.contract.driver_interface import DeviceEvent, DeviceLost
from drivers.ports.byte_port import open_port
from drivers.readers.feig import (
    INVENTORY,
    SIZE_BY_KIND,
    VERSION,
    Feig,
    build_request,
    measure_tag,
    parse_frame,
    parse_tags,
)
from drivers.readers.framing import FrameDecoder
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from tests.drivers import device_vectors
from tests.drivers.device_vectors import load_vectors
from tests.drivers.serving import list_tags, serve

find_vector = partial(device_vectors.find_vector, "feig")
CARD = "03 00 E0 04 01 50 12 34 56 78"


def decode_frames(data: bytes) -> list[bytes]:
    frames = FrameDecoder(parse_frame)
    return [item for item in frames.feed(data) + frames.discard_partial() if isinstance(item, bytes)]


@pytest.mark.parametrize(
    ("meaning", "wanted"),
    [
        ("version answer", ["65000303 0044530D30"]),
        ("wrong CRC", []),
        ("noise round a good frame", ["65000303 0044530D30"]),
        ("inventory, 14443A TR-INFO 24", ["B000 010424FFAA998877665544332211"]),
        ("inventory, SR176", ["B000 020AFF1122334455667788 03FF8877665544332211"]),
    ],
)
def test_answers_of_others_are_judged(meaning: str, wanted: list[str]) -> None:
    assert decode_frames(find_vector(meaning)) == [bytes.fromhex(text) for text in wanted]


def test_requests_are_as_others_send_them() -> None:
    """Long requests have advanced frames there; here a standard frame says the same, and all requests are short."""
    assert build_request(0xFF, 0x65) == find_vector("software version")
    for meaning, address, body in (("the same, advanced frame", 0xFF, b"\x65"), ("the same, adv", 0x12, b"\x80\x07")):
        advanced = [vector.data for vector in load_vectors("feig") if vector.meaning.startswith(meaning)]
        assert next(data for data in advanced if data[3] == address)[3:-2] == bytes((address,)) + body


def test_tag_with_a_uid_of_ten_bytes() -> None:
    data = decode_frames(find_vector("inventory, 14443A TR-INFO 24"))[0][2:]
    assert list(parse_tags(data)) == ["AA998877665544332211"]


def test_tag_of_another_kind_hides_nothing() -> None:
    """The vector has a UID that is no ISO 15693 one behind its SR176; so one of a card stands there instead."""
    data = decode_frames(find_vector("inventory, SR176"))[0][2:]
    assert measure_tag(data[1:]) == 10
    assert list(parse_tags(data[:11] + bytes.fromhex(CARD))) == ["E004015012345678"]


STRANGERS = {
    "I-Code 1": "00 FF 88 77 66 55 44 33 22 11",
    "ISO 14443 B": "05 FF FF FF FF FF 11 22 33 44",
    "I-Code EPC": "06 88 77 66 55 44 33 22 11",
    "I-Code UID": "07 FF FF FF FF FF FF FF FF FF FF FF FF FF FF 55 44 33 22 11",
    "Jewel": "08 00 00 01 3C 11 22 33 44",
    "ISO 18000-3M3": "09 FF 05 55 44 33 22 11",
    "SR176": "0A FF 11 22 33 44 55 66 77 88",
    "SRIxx": "0B FF 11 22 33 44 55 66 77 88",
    "FeliCa": "0D FF 11 22 33 44 55 66 77 88 99 AA BB CC DD EE FF 00",
    "Innovatron": "10 11 22 33 44 55 66 77 88 FF FF 03 AA BB CC",
    "Innovatron without more": "10 11 22 33 44 55 66 77 88 FF FF 00",
    "EPC Class 1 Gen 2": "84 FF 05 55 44 33 22 11",
}
"""Entries as the tests of Amarok79/InlayTester.Drivers.FeigReader lay them out."""


@pytest.mark.parametrize("stranger", STRANGERS.values(), ids=STRANGERS)
def test_cards_behind_a_tag_of_any_kind_are_read(stranger: str) -> None:
    tags = ["E004015012345678", "04A035B2BC2B80", "E004015012345678"]
    cards = f"{CARD} {stranger} 04 00 00 04 A0 35 B2 BC 2B 80 {stranger} {CARD}"
    assert list(parse_tags(bytes.fromhex(f"06 {stranger} {cards}"))) == tags
    assert list(parse_tags(bytes.fromhex(f"02 {CARD} {stranger}")[:-1])) == tags[:1], "cut off"


def test_tag_of_no_known_kind_ends_the_list() -> None:
    assert list(parse_tags(bytes.fromhex(f"03 {CARD} AD 11 22 33 {CARD}"))) == ["E004015012345678"]


@given(st.binary(max_size=80))
def test_any_inventory_is_values(data: bytes) -> None:
    for tag in parse_tags(data):
        assert tag == tag.upper()
        assert len(tag) in (14, 16, 20)


def test_kinds_of_a_fixed_size_are_those_of_the_library() -> None:
    assert set(SIZE_BY_KIND) == {0x00, 0x03, 0x05, 0x06, 0x07, 0x08, 0x0A, 0x0B, 0x0D}


@pytest.mark.parametrize("cards", [0, 1, 4, 5])
def test_simulated_stranger_hides_no_card(cards: int, bench: Bench, clock: ManualClock) -> None:
    driver = Feig("board")
    port = open_port("sim://feig/board?stranger=0AFF1122334455667788", driver, read_seconds=0)
    there = {bench.reader("board").nth_tag(n) for n in range(cards)}
    for tag in there:
        bench.reader("board").present(tag)
    assert set(list_tags(serve(driver, port, clock, 1.2))) == there


def test_what_refuses_to_go_on_with_a_list_is_asked_from_its_beginning() -> None:
    """A reader that starts anew between two pieces of a list has forgotten it."""

    driver = Feig("shoe")
    driver.on_port_opened()
    asked: list[bytes] = []
    lost = 0
    for n in range(1500):
        now = 1.0 + n * 0.02
        data, events = driver.on_tick(now)
        more: list[DeviceEvent] = list(events)
        if data:
            asked.append(data)
            if VERSION in data[2:4]:
                more += driver.receive_data(build_request(0, VERSION, bytes.fromhex("0003030044530D30")), now)
            elif data[-3] == 0x80:
                more += driver.receive_data(build_request(0, INVENTORY, b"\x81"), now)
            else:
                more += driver.receive_data(build_request(0, INVENTORY, b"\x94" if len(asked) < 3 else b"\x01"), now)
        lost += sum(isinstance(event, DeviceLost) for event in more)
    assert lost == 1
    assert asked[-1][-3] == 0
