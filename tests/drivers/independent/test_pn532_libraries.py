"""nfcpy and Adafruit's library against our simulated PN532, each with what it imports and never calls left empty."""

import sys
from collections.abc import Iterator
from time import monotonic
from types import ModuleType
from typing import Any

import pytest
import serial

from drivers.simulators.readers.pn532_simulator import Pn532Simulator
from tests.drivers.independent.pseudo_terminal import PATIENCE_S, PseudoTerminal

TAGS = ("04A035B2BC2B80", "9EB36E66")
"""A sticker with seven bytes and a card with four."""


@pytest.fixture
def simulator() -> Pn532Simulator:
    return Pn532Simulator(monotonic)


@pytest.fixture
def terminal(simulator: Pn532Simulator) -> Iterator[PseudoTerminal]:
    with PseudoTerminal(simulator) as terminal:
        yield terminal


def put_module(monkeypatch: pytest.MonkeyPatch, name: str, **contents: object) -> None:
    module = ModuleType(name)
    vars(module).update(contents)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture
def nfc(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The package without USB and without the ciphers of single kinds of tag."""
    put_module(monkeypatch, "usb1")
    put_module(monkeypatch, "pyDes", triple_des=None, CBC=None)
    pytest.importorskip("nfc.clf.pn532", reason="nfcpy is not installed (requirements/alone.txt)")
    return sys.modules["nfc"]


def connect_by_nfcpy(nfc: Any, terminal: PseudoTerminal) -> Any:
    """Let it go on when the chip has heard it: what is still under way would be heard at the speed that comes next."""

    class Transport(nfc.clf.transport.TTY):  # type: ignore[misc]
        written_bytes = terminal.heard_bytes

        def write(self, frame: bytes) -> None:
            super().write(frame)
            self.written_bytes += len(frame)
            terminal.wait_until_heard(self.written_bytes)

        def read(self, timeout: float) -> bytearray:
            """Be as patient as a busy machine wants; `timeout` is in milliseconds."""
            frame: bytearray = super().read(max(timeout, PATIENCE_S * 1000))
            return frame

    return nfc.clf.pn532.init(Transport(terminal.path))


def test_nfcpy_reads_cards_and_comes_back(nfc: Any, simulator: Pn532Simulator, terminal: PseudoTerminal) -> None:
    """Its first words are ten zeros and GetFirmwareVersion; it goes on at 921600 and leaves the chip asleep."""
    for _ in range(2):
        device = connect_by_nfcpy(nfc, terminal)
        assert device.chipset_name == "PN532v1.6"
        assert simulator.baudrate == 921600
        for tag in TAGS:
            for _ in range(2):
                assert device.sense_tta(nfc.clf.RemoteTarget("106A")) is None
                simulator.present(tag)
                for _ in range(2):
                    target = device.sense_tta(nfc.clf.RemoteTarget("106A"))
                    assert target.sdd_res.hex().upper() == tag
                simulator.remove()
        device.close()
        assert simulator.baudrate == 115200


@pytest.fixture
def adafruit(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The package without the pins of a board."""
    put_module(monkeypatch, "busio", UART=None)
    put_module(monkeypatch, "circuitpython_typing", ReadableBuffer=bytes)
    put_module(monkeypatch, "digitalio", Direction=None, DigitalInOut=int)
    put_module(monkeypatch, "micropython", const=lambda value: value)
    return pytest.importorskip(
        "adafruit_pn532.uart", reason="adafruit-circuitpython-pn532 is not installed (requirements/alone.txt)"
    )


def test_adafruits_library_reads_cards(adafruit: Any, simulator: Pn532Simulator, terminal: PseudoTerminal) -> None:
    """It leaves the number of tries as it is at power-on, so that the chip waits for a card for ever."""
    for _ in range(2):
        with serial.Serial(terminal.path, 115200, timeout=2) as port:  # an acknowledgement may come in pieces
            chip = adafruit.PN532_UART(port)
            assert tuple(chip.firmware_version) == (0x32, 1, 6, 7)
            assert chip.read_passive_target(timeout=2) is None  # the chip has so long to acknowledge, too
            for tag in TAGS:
                simulator.present(tag)
                for _ in range(2):
                    assert chip.read_passive_target(timeout=PATIENCE_S).hex().upper() == tag
                simulator.remove()
            chip.power_down()
