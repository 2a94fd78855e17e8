"""SparkFun's library for Python against our simulated DE2120, at the speed that the library's examples use."""

from time import monotonic
from typing import Any

import pytest
import serial

from drivers.simulators.scanners.de2120_simulator import De2120Simulator
from tests.drivers.independent.pseudo_terminal import PATIENCE_S, PseudoTerminal

de2120_barcode_scanner: Any = pytest.importorskip(
    "de2120_barcode_scanner", reason="de2120-barcode-scanner is not installed (requirements/dev.txt)"
)

LINE_S = 0.3
"""The library reads up to LF, and the scanner ends with CR: so long it waits behind a code."""


def test_sparkfuns_library_reads_codes_twice() -> None:
    """It asks for the version with a byte 04 in place of D, and begins only with a scanner that acknowledges that."""
    simulator = De2120Simulator(monotonic, baudrate="115200")
    for _ in range(2):
        with (
            PseudoTerminal(simulator) as terminal,
            serial.Serial(terminal.path, 115200, timeout=PATIENCE_S) as port,
        ):
            scanner = de2120_barcode_scanner.DE2120BarcodeScanner(hard_port=port)
            assert scanner.begin()
            for repeat_interval in range(4):
                assert scanner.enable_continuous_read(repeat_interval)
            assert not scanner.send_command("NONSUCH")
            for code in ("D07-01", "D07-02", "D07-02"):
                simulator.present(code)
                port.timeout = LINE_S
                assert next(filter(None, iter(scanner.read_barcode, None))) == code + "\r"
                port.timeout = PATIENCE_S
            assert scanner.enable_manual_trigger()
