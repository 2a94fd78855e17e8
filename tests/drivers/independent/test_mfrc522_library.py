"""The library mfrc522 0.0.7 from PyPI (pimylifeup/MFRC522-python) drives the simulated chip.

Nobody of this project wrote it: what it makes of the simulated chip says whether the simulated chip is one.
"""

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from drivers.readers.rc522 import append_crc
from drivers.simulators.readers.rc522_chip import Rc522Chip

TRANSFER_S = 40e-6
"""One call of spidev from Python, at the least."""

CLASSIC, NTAG = "11223344", "04A035B2BC2B01"


class Bus:
    """`spidev.SpiDev`, with the chip at its end and a time that goes on with each transfer."""

    def __init__(self, chip: Rc522Chip) -> None:
        self.chip, self.now = chip, 1.0
        self.opened: tuple[int, int] | None = None
        self.max_speed_hz = 0

    def open(self, bus: int, device: int) -> None:
        self.opened = (bus, device)

    def xfer2(self, values: list[int]) -> list[int]:
        self.now += TRANSFER_S
        return list(self.chip.transfer(bytes(value & 0xFF for value in values), self.now))

    def close(self) -> None:
        self.opened = None


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bus]:
    made = Bus(Rc522Chip())
    made.chip.transfer(b"\xee\x00", 0.9)
    spidev, package, gpio = ModuleType("spidev"), ModuleType("RPi"), ModuleType("RPi.GPIO")
    spidev.SpiDev = lambda: made  # type: ignore[attr-defined]
    for name, value in {"OUT": 0, "getmode": lambda: None, "setmode": int, "cleanup": dict}.items():
        setattr(gpio, name, value)
    gpio.setup = gpio.output = lambda _pin, _level: None  # type: ignore[attr-defined]
    package.GPIO = gpio  # type: ignore[attr-defined]
    for name, module in {"spidev": spidev, "RPi": package, "RPi.GPIO": gpio}.items():
        monkeypatch.setitem(sys.modules, name, module)
    yield made
    for name in [name for name in sys.modules if name.partition(".")[0] == "mfrc522"]:
        del sys.modules[name]  # it holds on to the bus of this test


@pytest.fixture
def reader(bus: Bus) -> Any:
    library = pytest.importorskip("mfrc522", reason="mfrc522==0.0.7 is not installed (pip install --no-deps)")
    made = library.MFRC522()
    bus.now += 0.1
    return made


def test_it_finds_no_tag_in_an_empty_field(reader: Any) -> None:
    assert reader.MFRC522_Request(reader.PICC_REQIDL) == (reader.MI_ERR, 0)


def test_it_reads_a_uid_of_four_bytes(reader: Any, bus: Bus) -> None:
    bus.chip.present(CLASSIC, bus.now - 1)
    assert reader.MFRC522_Request(reader.PICC_REQIDL) == (reader.MI_OK, 16)
    status, said = reader.MFRC522_Anticoll()
    assert (status, bytes(said).hex().upper()) == (reader.MI_OK, CLASSIC + "44")
    assert reader.MFRC522_SelectTag(said) == 0x08


def test_it_reads_the_first_level_of_seven_bytes(reader: Any, bus: Bus) -> None:
    """It knows no second level: it gives the cascade tag and three bytes, and a SAK that says that more follows."""
    bus.chip.present(NTAG, bus.now - 1)
    assert reader.MFRC522_Request(reader.PICC_REQIDL) == (reader.MI_OK, 16)
    status, said = reader.MFRC522_Anticoll()
    assert (status, bytes(said).hex().upper()) == (reader.MI_OK, "8804A03519")
    assert reader.MFRC522_SelectTag(said) & 0x04


def test_it_sees_a_card_every_second_time(reader: Any, bus: Bus) -> None:
    """Known of this library: it halts no card, and one that is ready only falls back at the next request."""
    bus.chip.present(CLASSIC, bus.now - 1)
    seen = []
    for _ in range(6):
        status, _ = reader.MFRC522_Request(reader.PICC_REQIDL)
        seen.append(status == reader.MI_OK and reader.MFRC522_Anticoll()[0] == reader.MI_OK)
    assert seen == [True, False] * 3


def test_two_cards_at_once_make_no_uid(reader: Any, bus: Bus) -> None:
    """It resolves no collision: the chip reports one, and its exclusive or does not come out."""
    bus.chip.present(CLASSIC, bus.now - 1)
    bus.chip.present("A1223355", bus.now - 1)
    assert reader.MFRC522_Request(reader.PICC_REQIDL) == (reader.MI_OK, 16)
    status, _ = reader.MFRC522_Anticoll()
    assert status == reader.MI_ERR


@pytest.mark.parametrize("data", [b"\x00\x00", b"\x12\x34", b"\x93\x70\x11\x22\x33\x44\x44"])
def test_its_checksum_is_that_of_the_chip_and_ours(reader: Any, data: bytes) -> None:
    assert data + bytes(reader.CalulateCRC(list(data))) == append_crc(data)
