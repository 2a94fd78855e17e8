"""Readers that are asked, or stream: recorded frames, good and bad, and what is special to each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import ByteDriver, DeviceEvent, DeviceLost, DeviceReady, NoiseDropped, TagRead
from drivers.contract.driver_registry import build_driver
from drivers.ports.byte_port import open_port
from drivers.readers import cr95hf, feig, s6350, thingmagic
from drivers.readers.framing import FrameDecoder, FrameParser
from drivers.readers.iso15693 import crc16_mcrf4xx, crc16_x25
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.readers import cr95hf_simulator as sim_cr95hf
from drivers.simulators.readers import feig_simulator as sim_feig
from drivers.simulators.readers import thingmagic_simulator as sim_thingmagic
from tests.drivers.device_vectors import load_vectors
from tests.drivers.serving import PerfectCable, list_tags, serve


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (crc16_mcrf4xx(b"123456789"), 0x6F91),
        (crc16_x25(b"123456789"), 0x906E),
        (thingmagic.compute_crc(b"123456789"), 0xA69D),
    ],
)
def test_check_values(value: int, wanted: int) -> None:
    assert value == wanted


# FEIG.


@pytest.mark.parametrize(
    ("made", "recorded"),
    [
        (feig.build_request(0xFF, 0xB0, b"\x01\x00"), "07 FF B0 01 00 1C 56"),
        (feig.build_request(0xFF, 0x65), "05 FF 65 E5 CB"),
        (feig.build_request(0x12, 0x80, b"\x07"), "06 12 80 07 E5 80"),
        (feig.build_request(0xFF, 0xB0, b"\x01\x80"), "07 FF B0 01 80 14 D2"),
        (feig.build_request(0xFF, 0x69), "05 FF 69 89 01"),
        (sim_feig.build_answer(0xB0, 1), "06 00 B0 01 5C 63"),
        (sim_feig.build_answer(0x65, 0, bytes.fromhex("03030044530D30")), "0D 00 65 00 03 03 00 44 53 0D 30 33 09"),
    ],
)
def test_feig_frames_are_as_recorded(made: bytes, recorded: str) -> None:
    assert made == bytes.fromhex(recorded)


VERSION = "6500 03 03 00 44 53 0D 30"


@pytest.mark.parametrize(
    "recorded",
    ["0D 00 65 00 03 03 00 44 53 0D 30 33 09", "02 00 0F 00 65 00 03 03 00 44 53 0D 30 74 69"],
)
def test_feig_answers_standard_and_advanced(recorded: str) -> None:
    data = bytes.fromhex(recorded)
    assert FrameDecoder(feig.parse_frame).feed(data) == [bytes.fromhex(VERSION)]
    frames = FrameDecoder(feig.parse_frame)
    assert [item for byte in data for item in frames.feed(bytes((byte,)))] == [bytes.fromhex(VERSION)]


def test_feig_bad_checksum_is_noise() -> None:
    frames = FrameDecoder(feig.parse_frame)
    bad = bytes.fromhex("0D 00 65 00 03 03 00 44 53 0D 30 33 08")
    assert not any(isinstance(item, bytes) for item in frames.feed(bad) + frames.discard_partial())


@pytest.mark.parametrize(
    ("recorded", "tags"),
    [
        ("11 00 B0 00 01 03 00 E0 04 01 50 12 34 56 78 BA 40", ["E004015012345678"]),
        (
            "1B 00 B0 00 02 03 00 E0 04 01 50 12 34 56 78 03 00 E0 04 01 50 9A BC DE F0 1E 24",
            ["E004015012345678", "E00401509ABCDEF0"],
        ),
    ],
)
def test_feig_inventory(recorded: str, tags: list[str]) -> None:
    driver = feig.Feig("board")
    driver.on_tick(1.0)
    driver.receive_data(bytes.fromhex("0D 00 65 00 03 03 00 44 53 0D 30 33 09"), 1.1)
    assert driver.on_tick(1.2)[0] == bytes.fromhex("07 FF B0 01 00 1C 56")
    data = bytes.fromhex(recorded)
    assert driver.receive_data(data[:8], 1.3) == []
    assert list_tags(driver.receive_data(data[8:], 1.4)) == tags


def test_feig_type_a_tags_beside_iso15693() -> None:
    data = bytes.fromhex("03 04 00 00 04A035B2BC2B80 03 00 E004015012345678 04 04 00 04112233445566778899")
    assert list(feig.parse_tags(data)) == ["04A035B2BC2B80", "E004015012345678", "04112233445566778899"]


def test_feig_loses_no_tag_when_there_are_more_than_fit(bench: Bench, clock: ManualClock) -> None:
    driver = feig.Feig("board")
    port = open_port("sim://feig/board", driver, read_seconds=0)
    reader = bench.reader("board")
    there = {reader.nth_tag(n) for n in range(11)}
    for tag in there:
        reader.present(tag)
    assert set(list_tags(serve(driver, port, clock, 1.2))) == there


# TI S6350.

FOUR = (
    "01 35 00 00 00 00 60 41 82 00 00 00 00 80 14 C0 12 00 00 07 E0 00 00 B6 E7 53 13 00 00 07 E0 "
    "00 00 79 14 C0 12 00 00 07 E0 00 00 7F 14 C0 12 00 00 07 E0 C6 39"
)
FOUR_TAGS = ["E007000012C01480", "E00700001353E7B6", "E007000012C01479", "E007000012C0147F"]


def test_s6350_recorded_inventory() -> None:
    (data,) = FrameDecoder(s6350.parse_frame).feed(bytes.fromhex(FOUR))
    assert isinstance(data, bytes)
    assert list(s6350.parse_tags(data)) == FOUR_TAGS
    assert s6350.build_frame(data) == bytes.fromhex(FOUR)


def test_s6350_inventory_of_others_is_the_recorded_one() -> None:
    assert [vector.data for vector in load_vectors("s6350")] == [bytes.fromhex(FOUR)]


def test_s6350_request_has_the_layout_of_the_guide_and_an_error_is_a_sign_of_life() -> None:
    """Guide, page 28; answer 01 is "transponder not found"."""
    driver = s6350.S6350("muck")
    for start in (1.0, 2.0):
        driver.on_port_opened()
        assert driver.on_tick(start)[0] == bytes.fromhex("01 0D 00 00 00 00 60 11 06 01 00 7A 85")
        assert driver.receive_data(s6350.build_frame(b"\x01"), start + 0.1) == [DeviceReady("muck")]


def test_s6350_tag_counts_at_its_second_mention() -> None:
    driver = s6350.S6350("muck")
    for now, wanted in ((1.0, []), (1.2, FOUR_TAGS), (1.4, FOUR_TAGS)):
        driver.on_tick(now)
        assert list_tags(driver.receive_data(bytes.fromhex(FOUR), now + 0.1)) == wanted


@pytest.mark.parametrize("at", [0, 3, 6, 20, 51, 52])
def test_s6350_damaged_frame_is_noise(at: int) -> None:
    data = bytearray(bytes.fromhex(FOUR))
    data[at] ^= 0x10
    frames = FrameDecoder(s6350.parse_frame)
    assert not any(isinstance(item, bytes) for item in frames.feed(bytes(data)) + frames.discard_partial())


def test_s6350_bitmap_that_does_not_agree_gives_nothing() -> None:
    (data,) = FrameDecoder(s6350.parse_frame).feed(bytes.fromhex(FOUR))
    assert isinstance(data, bytes)
    assert list(s6350.parse_tags(b"\x01" + data[1:])) == []


# ThingMagic.

RECORD = (
    "FF 28 22 00 00 10 00 1B 01 FF 01 01 C4 11 0E 16 40 00 00 01 27 00 00 05 00 00 0F 00 80 30 00 "
    "00 00 00 00 00 00 00 00 00 00 15 45 E9 4A 56 1D"
)


@pytest.mark.parametrize(
    ("made", "recorded"),
    [
        (thingmagic.build_command(0x24, bytes.fromhex("03E80000000000 0300EE".replace(" ", ""))),
         "FF 0A 24 03 E8 00 00 00 00 00 03 00 EE 58 9D"),
        (thingmagic.build_command(0x03), "FF 00 03 1D 0C"),
        (sim_thingmagic.build_answer(0x22, 0x0400), "FF 00 22 04 00 84 E0"),
        (thingmagic.build_command(0x2F, thingmagic.STREAM), "FF 10 2F 00 00 01 22 00 00 05 07 22 10 00 1B 03 E8 01 "
            "FF DD 2B"),
        (thingmagic.build_command(0x2F, thingmagic.STOP), "FF 03 2F 00 00 02 5E 86"),
        (thingmagic.build_command(0x97, b"\x0d"), "FF 01 97 0D 4B B0"),
        (thingmagic.build_command(0x92, b"\x01\xf4"), "FF 02 92 01 F4 40 AD"),
        (thingmagic.build_command(0x93, thingmagic.GEN2), "FF 02 93 00 05 51 7D"),
        (sim_thingmagic.build_record(bytes.fromhex("000000000000000000001545")), RECORD),
    ],
)  # fmt: skip
def test_thingmagic_frames_are_as_recorded(made: bytes, recorded: str) -> None:
    assert made == bytes.fromhex(recorded)


def test_thingmagic_record_with_and_without_embedded_data() -> None:
    driver = thingmagic.ThingMagic("deck", region="europe")
    assert driver.receive_data(bytes.fromhex(RECORD), 1.0) == [TagRead("deck", "000000000000000000001545", antenna="1")]
    data = bytes.fromhex(RECORD)[5:-2]
    assert (
        thingmagic.parse_epc(data[:19] + b"\x00\x10" + data[21:22] + b"\xab\xcd" + data[22:])
        == "000000000000000000001545"
    )
    assert thingmagic.parse_epc(data[:19] + b"\x00\x10" + data[21:]) is None
    assert thingmagic.parse_epc(data[:-1]) is None


def test_thingmagic_stream_that_stops_is_lost_and_set_up_again(bench: Bench, clock: ManualClock) -> None:
    assert bench.devices() == ()
    driver = thingmagic.ThingMagic("deck", region="north-america")
    port = open_port("sim://thingmagic/deck", driver, read_seconds=0)
    seen: list[str] = []

    def run(seconds: float, heard: bool) -> None:
        for _ in range(round(seconds / 0.02)):
            clock.advance(0.02)
            data = port.read()
            events = [*driver.receive_data(data if heard else b"", clock())]
            out, more = driver.on_tick(clock())
            port.write(out)
            seen.extend(type(event).__name__ for event in [*events, *more])

    run(10, heard=True)
    assert seen == ["DeviceReady"]
    run(4, heard=False)
    run(4, heard=True)
    assert seen == ["DeviceReady", "DeviceLost", "DeviceReady"]


def test_thingmagic_names_the_antenna_that_heard_a_tag(bench: Bench, clock: ManualClock) -> None:
    driver = thingmagic.ThingMagic("table", region="europe", antenna_ports=[1, 3])
    assert driver.antennas == ("1", "3")
    simulator = bench.add_port("sim://thingmagic/table")
    tags = [sim_thingmagic.ThingMagicSimulator.nth_tag(number) for number in range(3)]
    for tag, antenna in zip(tags, ("1", "3", "2"), strict=True):
        bench.reader("table").present(tag, antenna)
    simulator.receive_data(driver.on_port_opened())
    events = serve(driver, PerfectCable(simulator), clock, 4.0)
    heard = {(event.tag, event.antenna) for event in events if isinstance(event, TagRead)}
    assert heard == {(tags[0], "1"), (tags[1], "3")}, "nobody listens at antenna 2"


def test_thingmagic_antennas_on_the_wire() -> None:
    """Layout of the Mercury API; the sums are computed."""
    assert thingmagic.build_command(0x91, thingmagic.encode_antenna_search([1]))[:5] == bytes.fromhex("FF 02 91 01 01")
    assert thingmagic.build_command(0x91, thingmagic.encode_antenna_search([1, 3]))[:8] == bytes.fromhex(
        "FF 05 91 02 01 01 03 03"
    )


@pytest.mark.parametrize("ports", [[], [0], [16], [1, 1]])
def test_thingmagic_refuses_antennas_that_cannot_be(ports: list[int]) -> None:
    with pytest.raises(DriverConfigError, match="numbers from 1 to 15, each once"):
        thingmagic.ThingMagic("table", region="europe", antenna_ports=ports)


def test_refusals_are_said_once_with_their_status() -> None:
    module = thingmagic.ThingMagic("deck", region="europe")
    stopped, refused = sim_thingmagic.build_answer(0x2F), sim_thingmagic.build_answer(0x0C, 0x0105)
    for now, wanted in ((1.0, [DeviceLost("deck", "it refuses opcode 0C with status 0105")]), (3.0, [])):
        assert module.on_tick(now)[0] == bytes.fromhex("FF 03 2F 00 00 02 5E 86")
        assert module.receive_data(stopped, now + 0.1) == []
        assert module.on_tick(now + 0.2)[0] == bytes.fromhex("FF 00 0C 1D 03")
        assert module.receive_data(refused, now + 0.3) == wanted
        assert module.on_tick(now + 0.4) == (b"", [])
    reader = feig.Feig("board")
    reader.on_tick(1.0)
    reader.receive_data(sim_feig.build_answer(0x65, 0), 1.1)
    reader.on_tick(1.2)
    (lost,) = reader.receive_data(sim_feig.build_answer(0xB0, 0x82), 1.3)
    assert isinstance(lost, DeviceLost)
    assert lost.reason == "it refuses command B0 with status 82; is scan mode or buffered read mode on?"


# CR95HF.


@pytest.mark.parametrize(
    ("recorded", "uid"),
    [
        ("80 0D 00 00 02 28 E0 6D 58 01 04 E0 D0 60 00", "E00401586DE02802"),
        ("80 0D 00 FF 70 5D 86 41 CE 59 02 E0 56 82 00", "E00259CE41865D70"),
        ("80 08 00 E1 40 40 01 DF 36 00", None),
        ("80 0D 00 00 02 28 E0 6D 58 01 04 E0 D0 61 00", None),
        ("80 0D 00 00 02 28 E0 6D 58 01 04 E0 D0 60 02", None),
    ],
)
def test_cr95hf_inventory(recorded: str, uid: str | None) -> None:
    (answer,) = FrameDecoder(cr95hf.parse_frame).feed(bytes.fromhex(recorded))
    assert isinstance(answer, bytes)
    assert cr95hf.parse_iso15693_uid(answer[1:]) == uid


def test_cr95hf_block_read_has_a_good_air_crc() -> None:
    assert crc16_x25(bytes.fromhex("00E1404001")) == 0x36DF


def test_cr95hf_simulator_answers_as_recorded() -> None:
    assert sim_cr95hf.build_inventory_answer("E00401586DE02802") == bytes.fromhex("800D00000228E06D580104E0D06000")


def test_cr95hf_greeting() -> None:
    driver = cr95hf.Cr95Hf("shoe")
    dialogue = [
        ("55", "55"),
        ("01 00", sim_cr95hf.IDENTITY.hex()),
        ("02 02 01 09", "00 00"),
        ("04 03 26 01 00", "87 00"),
    ]
    events: list[DeviceEvent] = []
    for n, (asked, answer) in enumerate(dialogue):
        assert driver.on_tick(n * 0.1)[0] == bytes.fromhex(asked)
        events += driver.receive_data(bytes.fromhex(answer), n * 0.1 + 0.05)
    assert events == [DeviceReady("shoe")]


@pytest.mark.parametrize("uid", ["04A035B2BC2B80", "9EB36E66"])
def test_cr95hf_type_a(uid: str, bench: Bench, clock: ManualClock) -> None:
    driver = cr95hf.Cr95Hf("shoe", protocol="iso14443a")
    port = open_port("sim://cr95hf/shoe", driver, read_seconds=0)
    bench.reader("shoe").present(uid)
    reads = list_tags(serve(driver, port, clock, 4.0))
    assert set(reads) == {uid}
    assert len(reads) > 5


# All.

JUDGES: dict[str, FrameParser[object]] = {
    "feig": feig.parse_frame,
    "s6350": s6350.parse_frame,
    "thingmagic": thingmagic.parse_frame,
    "cr95hf": cr95hf.parse_frame,
}


@pytest.mark.parametrize("name", JUDGES)
@given(chunks=st.lists(st.binary(max_size=60), max_size=10))
def test_any_split_gives_the_same_frames(name: str, chunks: list[bytes]) -> None:
    lump, split = FrameDecoder(JUDGES[name]), FrameDecoder(JUDGES[name])
    whole = [item for item in lump.feed(b"".join(chunks)) if not hasattr(item, "reason")]
    assert whole == [item for chunk in chunks for item in split.feed(chunk) if not hasattr(item, "reason")]


@pytest.mark.parametrize("name", ["feig", "s6350", "cr95hf", "thingmagic", "pn532"])
def test_device_that_never_answers_is_lost_once(name: str) -> None:
    keys = {"region": "europe"} if name == "thingmagic" else {}
    driver = build_driver(name, "x", keys)
    assert isinstance(driver, ByteDriver)
    driver.on_port_opened()
    events = [event for n in range(600) for event in driver.on_tick(n * 0.05)[1]]
    assert [type(event) for event in events] == [DeviceLost]
    assert not any(isinstance(event, NoiseDropped) for event in events)
