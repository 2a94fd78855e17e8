"""Readers that somebody built himself: their lines, what stands between them, and what their boards say unasked."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, NoiseDropped, TagRead, find_next_tick
from drivers.contract.driver_registry import build_driver
from drivers.ports.byte_port import open_port
from drivers.readers.lines import MAX_ABSENCE_S, MAX_LINE_BYTES, LineReader, compute_checksum
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock

UID4, UID7, UID10 = "0456C8B2", "047BCB51962280", "0102030405060708090A"
ISO15693_UID = "E00401501234AB00"

ESP32_BOOT_LOG = b"""ets Jun  8 2016 00:22:57\r
\r
rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r
configsip: 0, SPIWP:0xee\r
clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00\r
mode:DIO, clock div:1\r
load:0x3fff0030,len:1184\r
entry 0x400805e4\r
"""
"""What an ESP32 says at each reset (Espressif, esptool documentation, Boot Mode Selection, section Boot Log)."""

ESP8266_BOOT_LOG = b"""ets Jan  8 2013,rst cause:4, boot mode:(3,6)\r
wdt reset\r
load 0x40100000, len 29344, room 16\r
tail 0\r
chksum 0x08\r
csum 0x08\r
"""
"""What an ESP8266 says at 74880 baud, here at a speed that both know (pastebin.com/Z4z4J7Pj)."""


def build_once(**keys: object) -> LineReader:
    made = build_driver("lines", "home", {"repeats": False, **keys})
    assert isinstance(made, LineReader)
    return made


def read(events: list[DeviceEvent]) -> list[tuple[str | None, str]]:
    return [(event.antenna, event.tag) for event in events if isinstance(event, TagRead)]


def noise(events: list[DeviceEvent]) -> list[tuple[int, str]]:
    return [(event.byte_count, event.reason) for event in events if isinstance(event, NoiseDropped)]


@pytest.mark.parametrize(
    ("line", "tag"),
    [
        (b"1 0456C8B2\n", UID4),
        (b"1 0456c8b2\r\n", UID4),
        (b"1 04:56:C8:B2\r", UID4),
        (b"1 04-56-c8-b2\n", UID4),
        (b"1 04 56 C8 B2 \r\n", UID4),
        (b"\n\r\n1   04 56 C8 B2\n", UID4),
        (b"an-antenna-of_16    01 02 03 04 05 06 07 08 09 0A\n", UID10),
        (b"1 047BCB51962280\n", UID7),
        (b"1 04 7B CB 51 96 22 80\n", UID7),
        (b"1 0102030405060708090A\n", UID10),
        (b"1 e00401501234ab00\n", ISO15693_UID),
    ],
)
def test_a_line_is_an_antenna_and_a_uid(line: bytes, tag: str) -> None:
    events = list(build_once(antennas=["1", "an-antenna-of_16"]).receive_data(line, 1.0))
    assert read(events) == [("an-antenna-of_16" if tag == UID10 and b" 02" in line else "1", tag)]
    assert len(events) == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"0456C8B2", "no antenna and UID"),
        (b"1 4 56 C8 B2", "no antenna and UID"),
        (b"1 0456C8B", "no antenna and UID"),
        (b"1 04:56-C8:B2", "no antenna and UID"),
        (b"1 04:56C8B2", "no antenna and UID"),
        (b"1: 0456C8B2", "no antenna and UID"),
        (b"1 0456C8G2", "no antenna and UID"),
        (b"1 0456C8B2 extra", "no antenna and UID"),
        (b"1 0456C8", "no antenna and UID"),
        (b"1 0456C8B201", "not the length of a UID"),
        (b"1 040456C8B2010203", "not the length of a UID"),
        (b"1 0102030405060708090A0B", "no antenna and UID"),
        (b" 1 0456C8B2", "no antenna and UID"),
        (b"2 0456C8B2", "an antenna that the file does not name"),
        (b"1 0456C8B2*00", "wrong checksum"),
        (b"1 0456C8B2*0", "no antenna and UID"),
        (b"Card found!", "no antenna and UID"),
        (b"1 0456\x80C8B2", "no antenna and UID"),
        (b"\t1 0456C8B2", "no antenna and UID"),
        (b"1 0456C8B2\0", "no antenna and UID"),
    ],
)
def test_every_other_line_is_noise_and_shows_no_tag(line: bytes, reason: str) -> None:
    driver = build_once()
    assert list(driver.receive_data(line + b"\n", 1.0)) == [NoiseDropped("home", len(line), reason)]
    assert read(list(driver.receive_data(b"1 " + UID7.encode() + b"\n", 1.0))) == [("1", UID7)]


def test_a_line_that_never_ends_is_bounded() -> None:
    driver = build_once()
    dropped = 0
    for _ in range(100):
        events = list(driver.receive_data(b"1 0456C8B2 " * 20, 1.0))
        assert {reason for _, reason in noise(events)} == {"longer than any line"}
        dropped += sum(count for count, _ in noise(events))
    assert dropped == 22000 - MAX_LINE_BYTES
    events = list(driver.receive_data(b"\n1 0456C8B2\n", 1.0))
    assert noise(events) == [(MAX_LINE_BYTES, "no antenna and UID")]
    assert read(events) == [("1", UID4)]


@pytest.mark.parametrize("rubbish", [b" ", b"\0", b"x", b"*", b"-", b"0 "])
@pytest.mark.parametrize("line", [b"1 0456C8B2", b"an-antenna-of_16    01 02 03 04 05 06 07 08 09 0A *00 "])
def test_the_end_of_a_line_too_long_is_no_line(rubbish: bytes, line: bytes) -> None:
    assert len(line) < MAX_LINE_BYTES
    driver = build_once(antennas=["1", "an-antenna-of_16", "6"])
    stream = b"x" + rubbish * 200 + line + b"\n"
    assert not read(list(driver.receive_data(stream, 1.0)))


@pytest.mark.parametrize(
    ("text", "check"),
    [  # worked sentences: Wikipedia, "NMEA 0183"; gpsinformation.org/dale/nmea.htm
        ("GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,", 0x47),
        ("GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1", 0x39),
        ("GPGLL,4916.45,N,12311.12,W,225444,A,", 0x1D),
    ],
)
def test_the_checksum_is_that_of_nmea(text: str, check: int) -> None:
    assert compute_checksum(text) == check


@pytest.mark.parametrize("text", ["1 0456C8B2", "1 04:56:c8:b2", "1  04 56 C8 B2"])
def test_a_checksum_is_held(text: str) -> None:
    check = compute_checksum(text)
    driver = build_once(checksum="required")
    assert read(list(driver.receive_data(f"{text}*{check:02X}\r\n{text}*{check:02x}\n".encode(), 1.0))) == [
        ("1", UID4),
        ("1", UID4),
    ]
    assert noise(list(driver.receive_data(f"{text}*{check ^ 1:02X}\r\n".encode(), 1.0))) == [
        (len(text) + 3, "wrong checksum")
    ]


def test_a_line_without_its_checksum_is_noise_where_it_is_required() -> None:
    assert noise(list(build_once(checksum="required").receive_data(b"1 0456C8B2\n", 1.0))) == [(10, "no checksum")]


@given(st.integers(0, 12), st.integers(0, 7))
def test_one_flipped_bit_in_a_line_with_a_checksum_makes_no_other_tag(at: int, bit: int) -> None:
    line = bytearray(f"1 {UID4}*{compute_checksum(f'1 {UID4}'):02X}\n".encode())
    line[at] ^= 1 << bit
    assert set(read(list(build_once().receive_data(bytes(line), 1.0)))) <= {("1", UID4)}


@pytest.mark.parametrize("log", [ESP32_BOOT_LOG, ESP8266_BOOT_LOG], ids=["esp32", "esp8266"])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_what_a_board_says_at_its_start_is_noise(log: bytes, size: int) -> None:
    driver = build_once(antennas=["entry", "load", "tail", "csum", "1"])
    events = [event for at in range(0, len(log), size) for event in driver.receive_data(log[at : at + size], 1.0)]
    assert not read(events)
    assert sum(count for count, _ in noise(events)) == len(log) - log.count(b"\r") - log.count(b"\n")


def test_a_tag_that_is_repeated_counts_at_its_second_mention_at_one_antenna() -> None:
    driver = LineReader("home", antennas=["1", "2"])
    assert driver.receive_data(b"1 0456C8B2\n", 1.0) == []
    assert driver.receive_data(b"2 0456C8B2\n", 1.1) == []
    assert read(list(driver.receive_data(b"1 0456C8B2\n", 1.2))) == [("1", UID4)]
    assert read(list(driver.receive_data(b"1 0456C8B2\n", 1.3))) == [("1", UID4)]
    assert driver.receive_data(b"1 0456C8B2\n", 2.0) == []  # it was away


def test_two_tags_at_one_antenna_both_count() -> None:
    driver = LineReader("home")
    lines = b"1 0456C8B2\n1 047BCB51962280\n"
    assert driver.receive_data(lines, 1.0) == []
    assert read(list(driver.receive_data(lines, 1.1))) == [("1", UID4), ("1", UID7)]


def test_a_mention_before_the_port_was_lost_does_not_count() -> None:
    driver = LineReader("home")
    driver.receive_data(b"1 0456C8B2\n1 04", 1.0)
    assert driver.on_port_opened() == b""
    assert driver.receive_data(b"1 0456C8B2\n", 1.1) == []
    assert read(list(driver.receive_data(b"1 0456C8B2\n", 1.2))) == [("1", UID4)]


def test_ever_other_tags_are_not_kept() -> None:
    driver = LineReader("home", absence_seconds=MAX_ABSENCE_S)
    for number in range(20_000):
        assert driver.receive_data(f"1 {number:08X}\n".encode(), 1.0) == []
    assert len(driver._confirmer._reads_by_tag) <= 256


def test_a_line_broken_off_is_noise_after_a_silence() -> None:
    driver = build_once()
    assert driver.receive_data(b"1 0456", 1.0) == []
    assert find_next_tick(driver, 1.0) == pytest.approx(1.5)
    driver.on_tick(1.6)
    assert driver.on_tick(1.65) == (b"", [NoiseDropped("home", 6, "frame broken off")])
    assert find_next_tick(driver, 1.65) == float("inf")
    assert driver.receive_data(b"1 0456", 3.0) == []
    assert list(driver.receive_data(b"1 0456C8B2\n", 4.0)) == [
        NoiseDropped("home", 6, "frame broken off"),
        TagRead("home", UID4, "1"),
    ]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("antennas", [], "each once"),
        ("antennas", ["1", "1"], "each once"),
        ("antennas", ["seat 1"], "letters, digits"),
        ("antennas", ["a" * 17], "letters, digits"),
        ("antennas", [1, True], "a list"),
        ("antennas", [str(n) for n in range(33)], "at most 32"),
        ("baudrate", 300, "1200 to 2000000"),
        ("absence_seconds", -0.1, "from 0 to 10"),
        ("absence_seconds", 10.5, "from 0 to 10"),
        ("absence_seconds", float("nan"), "from 0 to 10"),
        ("absence_seconds", 0, "more than 0"),
        ("repeats", "yes", "true or false"),
        ("checksum", "none", "'optional' or 'required'"),
    ],
)
def test_bad_keys_are_refused(key: str, value: object, words: str) -> None:
    with pytest.raises(DriverConfigError, match=words) as refusal:
        build_driver("lines", "home", {key: value})
    assert str(refusal.value).startswith(f"device 'home', key {key!r}: ")


def test_antennas_may_be_numbers() -> None:
    driver = build_driver("lines", "home", {"antennas": [1, 2], "repeats": False})
    assert isinstance(driver, LineReader)
    assert driver.antennas == ("1", "2")
    assert read(list(driver.receive_data(b"2 0456C8B2\n", 1.0))) == [("2", UID4)]


def test_how_long_a_tag_must_be_away() -> None:
    assert LineReader("home").absence_timeout_s == 0.5
    assert LineReader("home", repeats=False).absence_timeout_s == 0.0
    assert LineReader("home", repeats=False, absence_seconds=1).absence_timeout_s == 1.0


# The far end.


@pytest.mark.parametrize("form", ["upper", "lower", "colons", "dashes", "blanks"])
@pytest.mark.parametrize("extra", ["line_end=crlf", "line_end=cr&checksum=yes", "board=esp32", "board=esp8266"])
def test_the_driver_reads_what_boards_send(bench: Bench, clock: ManualClock, form: str, extra: str) -> None:
    driver = LineReader("home", antennas=["1", "seat-4"])
    url = f"sim://lines/home?form={form}&{extra}"
    port = open_port(url, driver, read_seconds=0)
    bench.add_port(url, {"antennas": ["1", "seat-4"]})
    reader = bench.reader("home")
    clock.advance(1.0)
    driver.receive_data(port.read(), clock())
    reader.present(UID7, "seat-4")
    reader.present(UID4)
    found: list[tuple[str | None, str]] = []
    for _ in range(40):
        clock.advance(0.02)
        found += read(list(driver.receive_data(port.read(), clock())))
    assert set(found) == {("seat-4", UID7), ("1", UID4)}
    reader.remove(UID4)
    clock.advance(0.2)
    driver.receive_data(port.read(), clock())
    clock.advance(0.5)
    assert set(read(list(driver.receive_data(port.read(), clock())))) == {("seat-4", UID7)}


def test_a_board_that_says_each_card_build_once(bench: Bench, clock: ManualClock) -> None:
    driver = build_once()
    url = "sim://lines/home"
    port = open_port(url, driver, read_seconds=0)
    bench.add_port(url, {"repeats": False})
    reader = bench.reader("home")
    found: list[tuple[str | None, str]] = []
    for tag in (UID4, UID7, UID4):
        reader.present(tag)
        clock.advance(1.0)
        found += read(list(driver.receive_data(port.read(), clock())))
        reader.remove()
    assert found == [("1", UID4), ("1", UID7), ("1", UID4)]


def test_the_far_end_refuses_what_no_board_says(bench: Bench) -> None:
    bench.add_port("sim://lines/home")
    reader = bench.reader("home")
    for tag, antenna in (("04", None), (UID4.lower() + "ab", None), (UID4, "9")):
        with pytest.raises(ValueError, match=r"UID|antenna"):
            reader.present(tag, antenna)
    for query in ("form=morse", "line_end=none", "board=z80", "checksum=maybe"):
        with pytest.raises(ValueError, match="there is no"):
            bench.add_port(f"sim://lines/other?{query}")


# The page.


def test_the_sketch_has_ten_lines_and_says_what_the_driver_reads() -> None:
    page = Path(__file__).parents[3] / "docs" / "hardware" / "home-made-reader.md"
    sketch = page.read_text(encoding="utf-8").split("```cpp\n")[1].split("```")[0]
    assert len(sketch.splitlines()) == 10
    for call in ("PICC_IsNewCardPresent()", "PICC_ReadCardSerial()", "uid.uidByte[i]", "uid.size", "< 16"):
        assert call in sketch
