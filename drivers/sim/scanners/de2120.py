"""The far end of a DE2120 scanner."""

import re

from drivers.sim.bench.twin import Clock
from drivers.sim.scanners.codes import SCAN_SECONDS, Scanner

ANSWER_SECONDS = 0.02
COMMANDS = ("SCMCNT", "SCMMAN", "SCAN", "SLEEP", "DSPYFW", "CIDENA1", "CIDENA0", "POR232")
LONGEST_COMMAND = 16


class De2120Twin(Scanner):
    """Sends code and CR for each card once it was set to continuous reading; acknowledges the commands it knows."""

    baudrate = 115200
    parity = "N"

    def __init__(self, clock: Clock, *, prefix: str = "") -> None:
        super().__init__(clock)
        self._prefix = prefix.encode("ascii")
        self._heard = ""
        self._continuous = False

    def heard(self, data: bytes) -> None:
        """Obey commands."""
        with self._lock:
            self._heard = (self._heard + data.decode("ascii", errors="replace"))[-LONGEST_COMMAND:]
            while found := re.search(r"\^_\^([A-Z0-9]+)\.", self._heard):
                self._heard = self._heard[found.end() :]
                self._continuous = found[1] == "SCMCNT" or (self._continuous and found[1] != "SCMMAN")
                self._say(b"\x06" if found[1] in COMMANDS else b"\x15", ANSWER_SECONDS)

    def _scanned(self, code: str) -> None:
        if self._continuous:
            self._say(self._prefix + code.encode("ascii") + b"\r", SCAN_SECONDS)
