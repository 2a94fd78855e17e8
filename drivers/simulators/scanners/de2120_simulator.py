"""The far end of a DE2120 scanner."""

import re

from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.scanners.scanner_simulator import SCAN_DELAY_S, ScannerSimulator

ANSWER_DELAY_S = 0.02
COMMANDS = ("SCMCNT", "SCMMAN", "SCAN", "SLEEP", "DSPYFW", "CIDENA1", "CIDENA0", "POR232")
MAX_COMMAND_LENGTH = 16


class De2120Simulator(ScannerSimulator):
    """Sends code and CR for each card once it was set to continuous reading; acknowledges the commands it knows."""

    baudrate = 115200
    parity = "N"

    def __init__(self, clock: Clock, *, prefix: str = "") -> None:
        super().__init__(clock)
        self._prefix = prefix.encode("ascii")
        self._received_text = ""
        self._is_continuous = False

    def receive_data(self, data: bytes) -> None:
        """Obey commands."""
        with self._lock:
            self._received_text = (self._received_text + data.decode("ascii", errors="replace"))[-MAX_COMMAND_LENGTH:]
            while found := re.search(r"\^_\^([A-Z0-9]+)\.", self._received_text):
                self._received_text = self._received_text[found.end() :]
                self._is_continuous = found[1] == "SCMCNT" or (self._is_continuous and found[1] != "SCMMAN")
                self._queue_frame(b"\x06" if found[1] in COMMANDS else b"\x15", ANSWER_DELAY_S)

    def _send_code(self, code: str) -> None:
        if self._is_continuous:
            self._queue_frame(self._prefix + code.encode("ascii") + b"\r", SCAN_DELAY_S)
