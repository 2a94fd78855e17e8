"""What a reader that only speaks has from its base: begun frames, their end, and when it wants to be ticked."""

from math import inf

import pytest

from drivers.contract.driver_interface import (
    ByteDriver,
    DeviceEvent,
    NoiseDropped,
    Signals,
    TagRead,
    TagReader,
    find_next_tick,
)
from drivers.readers.framing import NEED_DATA, Frame, NeedData, Noise
from drivers.readers.speaking_reader import SpeakingReader


class Letters(SpeakingReader[str]):
    """Says "<", a letter, ">" for a tag, and blanks between."""

    baudrate = 9600

    def __init__(self, name: str) -> None:
        super().__init__(name, 0.1, b" ")

    def _parse_frame(self, data: bytes) -> Frame[str] | Noise | NeedData:
        if data[:1] not in (b"<", b" "):
            return Noise("no frame start")
        if len(data) < 3:
            return NEED_DATA
        return Frame(3, chr(data[1])) if data[2:3] == b">" else Noise("no frame end")

    def _handle_frame(self, frame: str) -> list[DeviceEvent]:
        return [TagRead(self.name, f"{frame} at {self._now}")]


def test_it_is_a_reader_that_asks_and_shows_nothing() -> None:
    driver = Letters("shoe")
    assert isinstance(driver, ByteDriver)
    assert isinstance(driver, TagReader)
    assert driver.absence_timeout_s == 0.0
    assert (driver.on_port_opened(), driver.on_tick(1.0), driver.show_signals(Signals())) == (b"", (b"", []), b"")


@pytest.mark.parametrize("chunks", [[b"<A>"], [b"<", b"A", b">"]])
def test_a_frame_means_what_the_driver_says_at_its_time(chunks: list[bytes]) -> None:
    driver = Letters("shoe")
    events = [event for chunk in chunks for event in driver.receive_data(chunk, 3.0)]
    assert events == [TagRead("shoe", "A at 3.0")]


def test_it_is_ticked_only_for_the_end_of_a_begun_frame() -> None:
    driver = Letters("shoe")
    assert find_next_tick(driver, 1.0) == inf
    driver.receive_data(b"<A", 1.0)
    assert find_next_tick(driver, 1.0) == pytest.approx(1.1)
    driver.on_tick(1.2)
    assert driver.on_tick(1.3) == (b"", [NoiseDropped("shoe", 2, "frame broken off")])
    assert find_next_tick(driver, 1.3) == inf
    driver.receive_data(b" ", 2.0)
    assert find_next_tick(driver, 2.0) == inf  # an idle byte begins nothing


def test_a_frame_begun_before_the_port_was_lost_is_forgotten() -> None:
    driver = Letters("shoe")
    driver.receive_data(b"<A", 1.0)
    driver.on_port_opened()
    assert driver.receive_data(b"<B>", 1.01) == [TagRead("shoe", "B at 1.01")]
