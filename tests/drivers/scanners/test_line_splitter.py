"""What every driver that cuts lines owes: nothing of a line outlasts the port that it came through."""

from collections.abc import Callable
from pathlib import Path

import pytest

import drivers
from drivers.contract.driver_interface import ByteDriver, TagRead
from drivers.scanners.barcode_scanner import BarcodeScanner
from drivers.scanners.de2120 import De2120
from drivers.scanners.gm65 import Gm65
from drivers.scanners.keyboard_scanner import EVENT_STRUCT, KeyboardScanner
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.scanners.keyboard_scanner_simulator import KeyboardScannerSimulator


def encode_text(text: str) -> bytes:
    return text.encode("ascii")


def encode_key_strokes(text: str) -> bytes:
    """What a keyboard gives for a text; CR is Enter."""
    clock = ManualClock()
    keyboard = KeyboardScannerSimulator(clock)
    keyboard.present(text.strip() or "X")
    clock.advance(10.0)
    frames = [data for _, data in keyboard.take_frames()]
    if not text.endswith("\r"):
        frames = frames[:-2]
    return b"".join(frames if text.strip() else frames[2:])


DRIVERS: dict[str, tuple[Callable[[], ByteDriver], Callable[[str], bytes]]] = {
    "barcode_scanner": (lambda: BarcodeScanner("shoe"), encode_text),
    "barcode_scanner, by silence": (lambda: BarcodeScanner("shoe", ends="silence"), encode_text),
    "de2120": (lambda: De2120("shoe"), encode_text),
    "gm65": (lambda: Gm65("shoe"), encode_text),
    "keyboard_scanner": (lambda: KeyboardScanner("shoe"), encode_key_strokes),
}


def read_codes(driver: ByteDriver, data: bytes, now: float) -> list[str]:
    return [event.tag for event in driver.receive_data(data, now) if isinstance(event, TagRead)]


def test_each_driver_that_cuts_lines_is_held_to_it() -> None:
    modules = Path(drivers.__file__).parent.rglob("*.py")
    users = {path.stem for path in modules if "LineSplitter()" in path.read_text(encoding="utf-8")}
    assert users == {name.partition(",")[0] for name in DRIVERS}


@pytest.mark.parametrize(("make", "encode"), DRIVERS.values(), ids=DRIVERS)
@pytest.mark.parametrize("first", ["AH1", "A" * 300, "\r"])
def test_half_a_line_does_not_outlast_its_port(
    make: Callable[[], ByteDriver], encode: Callable[[str], bytes], first: str
) -> None:
    driver = make()
    for n in range(3):  # the second time, and the third
        now = 1.0 + n * 0.02
        driver.on_port_opened()
        driver.receive_data(encode(first), now)
        driver.on_port_opened()
        assert read_codes(driver, encode("AH10043\r"), now + 0.01) == ["AH10043"]


@pytest.mark.parametrize("cut", range(1, EVENT_STRUCT.size))
def test_half_a_key_event_does_not_outlast_its_port(cut: int) -> None:
    driver = KeyboardScanner("shoe")
    driver.receive_data(encode_key_strokes("AH10043\r")[:cut], 1.0)
    driver.on_port_opened()
    assert driver.receive_data(encode_key_strokes("AH10043\r"), 1.01) == [TagRead("shoe", "AH10043")]


@pytest.mark.parametrize("half", ["02", "02 00", "02 00 00 01 00", "02 00 00 02 39 01 C1"])
def test_half_an_answer_of_a_gm65_does_not_outlast_its_port(half: str) -> None:
    driver = Gm65("shoe")
    driver.receive_data(bytes.fromhex(half), 1.0)
    driver.on_port_opened()
    assert driver.receive_data(b"AH10043\r", 1.01) == [TagRead("shoe", "AH10043")]
