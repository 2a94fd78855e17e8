"""Scanners of printed codes: the recorded frames of each, and what text may stand between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.contract.driver_interface import DeviceEvent, DeviceReady, NoiseDropped, TagRead
from drivers.ports.byte_port import open_port
from drivers.readers.framing import DroppedBytes, FrameDecoder
from drivers.scanners.barcode_scanner import BarcodeScanner
from drivers.scanners.de2120 import De2120
from drivers.scanners.gm65 import ASK_BAUD, ASK_INTERVAL, SAVE, WRITE_ZONE, Gm65, build_command
from drivers.scanners.gm65 import parse_frame as gm65_judge
from drivers.scanners.line_splitter import MAX_LINE_LENGTH, LineSplitter, normalize_code
from drivers.scanners.ssi import CMD_ACK, ENABLE_PACKETS, PARAM_SEND, Ssi, build_packet, parse_packet
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from tests.drivers.serving import list_tags, serve

# Plain lines.


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("AS", "AS"),
        (" 10h ", "10H"),
        ("]C0AS", "AS"),
        ("]C1ABC", "ABC"),
        ("]I04123", "4123"),
        ("]F04123", "4123"),
        ("]A7AIMID", "AIMID"),
        ("]E0", "]E0"),
        ("[C0AS", "[C0AS"),
    ],
)
def test_canonical_code(line: str, code: str) -> None:
    assert normalize_code(line) == code


@pytest.mark.parametrize("suffix", [b"\r", b"\n", b"\r\n", b"\t", b"\r\n\r\n"])
def test_any_suffix_ends_a_line(suffix: bytes) -> None:
    assert LineSplitter().feed(b"AS" + suffix + b"KH" + suffix) == ["AS", "KH"]


def test_padding_and_rubbish() -> None:
    assert LineSplitter().feed(b"\0\0A\0S\r") == ["AS"]
    assert LineSplitter().feed(b"A\x80S\rKH\r") == [DroppedBytes(3, "not printable"), "KH"]
    assert LineSplitter().feed(b"A" * 1000 + b"\rKH\r") == [DroppedBytes(1000, "longer than any code"), "KH"]


@given(st.lists(st.binary(max_size=300), max_size=8))
def test_lines_in_any_split(chunks: list[bytes]) -> None:
    lump, split = LineSplitter(), LineSplitter()
    whole = lump.feed(b"".join(chunks))
    assert whole == [item for chunk in chunks for item in split.feed(chunk)]
    assert all(len(item) <= MAX_LINE_LENGTH for item in whole if isinstance(item, str))


def test_line_without_suffix_ends_with_silence() -> None:
    driver = BarcodeScanner("shoe", ends="silence")
    assert driver.receive_data(b"A", 1.0) == []
    assert driver.receive_data(b"S", 1.02) == []
    assert driver.on_tick(1.04) == (b"", [])
    assert list_tags(driver.on_tick(1.10)[1]) == ["AS"]


def test_line_with_suffix_is_not_believed_without_it() -> None:
    driver = BarcodeScanner("shoe")
    driver.receive_data(b"AS", 1.0)
    assert driver.on_tick(1.1) == (b"", [])
    assert driver.on_tick(1.5) == (b"", [NoiseDropped("shoe", 2, "line broken off")])


def test_program_that_was_held_up_does_not_break_a_line() -> None:
    """The bytes came in time; the loop looked at them, and at the clock, half a second later."""
    for driver in (BarcodeScanner("shoe"), BarcodeScanner("shoe", ends="silence"), Gm65("shoe"), De2120("shoe")):
        driver.receive_data(b"A", 1.0)
        driver.on_tick(1.6)
        events = [*driver.receive_data(b"S\r", 1.01), *driver.on_tick(1.61)[1]]
        assert list_tags(events) == ["AS"]


def test_code_of_another_length_is_noise() -> None:
    driver = BarcodeScanner("shoe", length=2)
    assert driver.receive_data(b"AS\r10H\r", 1.0) == [
        TagRead("shoe", "AS"),
        NoiseDropped("shoe", 3, "not the length of a code"),
    ]


@pytest.mark.parametrize("url", ["suffix=lf", "suffix=tab", "suffix=crlf&prefix=]C0", "baudrate=115200&parity=E"])
def test_scanners_of_all_settings(url: str, bench: Bench, clock: ManualClock) -> None:
    driver = BarcodeScanner("shoe", baudrate=115200, parity="E") if "baud" in url else BarcodeScanner("shoe")
    port = open_port(f"sim://barcode/shoe?{url}", driver, read_seconds=0)
    bench.reader("shoe").present("D07-31")
    clock.advance(0.2)
    assert list_tags(driver.receive_data(port.read(), clock())) == ["D07-31"]


# SSI.

US = "07 F3 00 00 03 55 53 FE 5B"
RECORDED = {
    build_packet(CMD_ACK): "04 D0 04 00 FF 28",
    build_packet(CMD_ACK, source=0): "04 D0 00 00 FF 2C",
    build_packet(0xD1, b"\x01"): "05 D1 04 00 01 FF 25",
    build_packet(0xD1, b"\x06", source=0): "05 D1 00 00 06 FF 24",
    build_packet(PARAM_SEND, bytes.fromhex("FFEE019F01EC018A07F00000"), status=8): (
        "10 C6 04 08 FF EE 01 9F 01 EC 01 8A 07 F0 00 00 FA 22"
    ),
    build_packet(0xD2): "04 D2 04 00 FF 26",
    build_packet(0xE9, status=8): "04 E9 04 08 FF 07",
    build_packet(0xE4): "04 E4 04 00 FF 14",
    build_packet(0xE5): "04 E5 04 00 FF 13",
    build_packet(0xA3): "04 A3 04 00 FF 55",
    build_packet(PARAM_SEND, bytes.fromhex("008A08"), status=8): "07 C6 04 08 00 8A 08 FE 95",
    build_packet(0x80, bytes.fromhex("000620 0000FF".replace(" ", ""))): "0A 80 04 00 00 06 20 00 00 FF FE 4D",
    build_packet(0x80, bytes.fromhex("00082000 00F000F0".replace(" ", "")), source=0): (
        "0C 80 00 00 00 08 20 00 00 F0 00 F0 FD 6C"
    ),
    build_packet(PARAM_SEND, ENABLE_PACKETS): "07 C6 04 00 FF EE 01 FD 41",
    build_packet(0xF3, b"\x03AS", source=0): "07 F3 00 00 03 41 53 FE 6F",
    build_packet(0xF3, b"\x0310H", source=0): "08 F3 00 00 03 31 30 48 FE 59",
    build_packet(0xF3, b"\x03AS", source=0, status=1): "07 F3 00 01 03 41 53 FE 6E",
}


@pytest.mark.parametrize(
    ("made", "recorded"), RECORDED.items(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_ssi_packets_are_as_recorded(made: bytes, recorded: str) -> None:
    assert made == bytes.fromhex(recorded)


def make_ready_ssi(now: float = 0.0) -> Ssi:
    """A driver whose scanner has said that it sends packets."""
    driver = Ssi("shoe")
    driver.on_port_opened()
    driver.on_tick(now)
    driver.on_tick(now + 0.06)
    setting = build_packet(PARAM_SEND, ENABLE_PACKETS, source=0)
    assert driver.receive_data(setting, now + 0.1) == [DeviceReady("shoe")]
    return driver


def test_ssi_decode_is_read_and_acknowledged() -> None:
    driver = make_ready_ssi()
    assert list_tags(driver.receive_data(bytes.fromhex(US), 1.0)) == ["US"]
    assert driver.on_tick(1.01) == (bytes.fromhex("04 D0 04 00 FF 28"), [])
    assert driver.on_tick(1.02) == (b"", [])


def test_ssi_retransmission_is_no_second_card() -> None:
    driver = make_ready_ssi()
    first, again = bytes.fromhex("07F3000003 4153 FE6F"), bytes.fromhex("07F3000103 4153 FE6E")
    assert list_tags(driver.receive_data(first, 1.0)) == ["AS"]
    assert list_tags(driver.receive_data(again, 3.0)) == []
    assert driver.on_tick(3.0)[0] == build_packet(CMD_ACK) * 2
    assert list_tags(driver.receive_data(first, 5.0)) == ["AS"]
    assert list_tags(Ssi("other").receive_data(again, 1.0)) == ["AS"]


def test_ssi_resends_until_acknowledged(bench: Bench, clock: ManualClock) -> None:
    """The far end without an acknowledging driver: three packets, two of them marked."""
    driver = Ssi("shoe")
    port = open_port("sim://ssi/shoe", driver, read_seconds=0)
    port.write(driver.on_port_opened())
    assert serve(driver, port, clock, 0.5) == [DeviceReady("shoe")]
    bench.reader("shoe").present("D07-00")
    heard = b""
    for _ in range(60):
        clock.advance(0.1)
        heard += port.read()
    assert [item[3] for item in FrameDecoder(parse_packet).feed(heard) if isinstance(item, bytes)] == [0, 1, 1]
    assert len(list_tags(driver.receive_data(heard, clock()))) == 1


@pytest.mark.parametrize("bad", ["04 D1 00 01 FF 25", "07 F3 00 00 03 55 53 FE 5C", "03 F3 00"])
def test_ssi_bad_packets_are_noise(bad: str) -> None:
    driver = Ssi("shoe")
    events = [*driver.receive_data(bytes.fromhex(bad), 1.0), *driver.on_tick(1.1)[1], *driver.on_tick(2.0)[1]]
    assert sum(event.byte_count for event in events if isinstance(event, NoiseDropped)) == len(bytes.fromhex(bad))


# GM65.


@pytest.mark.parametrize(
    ("made", "recorded"),
    [
        (build_command(WRITE_ZONE, 0x0002, b"\x01"), "7E 00 08 01 00 02 01 02 DA"),
        (ASK_BAUD, "7E 00 07 01 00 2A 02 D8 0F"),
        (build_command(WRITE_ZONE, 0x002A, b"\x39\x01"), "7E 00 08 02 00 2A 39 01 A7 EA"),
        (build_command(SAVE, 0x0000, b"\x00"), "7E 00 09 01 00 00 00 DE C8"),
        (build_command(WRITE_ZONE, 0x00D9, b"\x55"), "7E 00 08 01 00 D9 55 D1 76"),
        (build_command(WRITE_ZONE, 0x0000, b"\xf5"), "7E 00 08 01 00 00 F5 CB 23"),
    ],
)
def test_gm65_commands_are_as_recorded(made: bytes, recorded: str) -> None:
    assert made == bytes.fromhex(recorded)


@pytest.mark.parametrize(("recorded", "data"), [("02 00 00 01 00 33 31", "00"), ("02 00 00 02 39 01 C1 4C", "39 01")])
def test_gm65_answers_are_as_recorded(recorded: str, data: str) -> None:
    assert FrameDecoder(gm65_judge).feed(bytes.fromhex(recorded)) == [bytes.fromhex(data)]


@pytest.mark.parametrize("split", [1, 2, 5, 100])
def test_gm65_answer_glued_to_a_code_is_cut_out(split: int) -> None:
    stream = bytes.fromhex("02 00 00 01 00 33 31 30 35 32 33 30 31 0D 0A")
    driver = Gm65("shoe")
    events: list[DeviceEvent] = []
    for at in range(0, len(stream), split):
        events += driver.receive_data(stream[at : at + split], 1.0)
    assert list_tags(events) == ["052301"]


def test_gm65_damaged_answer_spoils_the_line_it_stands_in() -> None:
    stream = bytes.fromhex("02 00 00 01 00 33 32 30 35 32 33 30 31 0D 0A")
    assert list_tags(Gm65("shoe").receive_data(stream, 1.0)) == []


def test_gm65_and_de2120_say_when_they_are_there() -> None:
    at_9600, written = bytes.fromhex("02000002 3901 C14C"), bytes.fromhex("02000001003331")
    for driver, asked, answers in (
        (Gm65("shoe"), ASK_INTERVAL, [at_9600, written, written, written]),
        (De2120("shoe"), b"^_^SCMCNT.", [b"\x06"]),
    ):
        events: list[DeviceEvent] = []
        for step, answer in enumerate(answers):
            data, _ = driver.on_tick(1.0 + step / 100)
            events += driver.receive_data(answer, 1.0 + step / 100)
        assert (data, events) == (asked, [DeviceReady("shoe")])
        assert driver.on_tick(2.0) == (b"", [])
        assert driver.on_tick(6.2) == (asked, [])
        lost = [event for n in range(400) for event in driver.on_tick(6.2 + n * 0.1)[1]]
        assert [type(event).__name__ for event in lost] == ["DeviceLost"]


def test_de2120_answer_among_text() -> None:
    driver = De2120("shoe")
    driver.on_tick(1.0)
    assert driver.receive_data(b"AS\r\x06KH\r", 1.1) == [
        TagRead("shoe", "AS"),
        DeviceReady("shoe"),
        TagRead("shoe", "KH"),
    ]
