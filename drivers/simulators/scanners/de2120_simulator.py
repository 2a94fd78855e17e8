"""The far end of a DE2120 scanner."""

import re
from collections.abc import Mapping

from drivers.scanners.de2120 import DEFAULT_BAUDRATE
from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.scanners.scanner_simulator import SCAN_DELAY_S, ScannerSimulator

ANSWER_DELAY_S = 0.02
VERSION_DELAY_S = 0.43
"""How long it takes to tell its version (SparkFun's library)."""

KNOWN_COMMANDS = re.compile(
    r"SCM(CNT|MAN|MDH)|SCAN|SLEEP|DSPYFW|DEFALT|CIDENA[01]|POR(232|KBD|HID|VIC)|232BAD[2-9]|CNTALW[0-3]|\x04SPYFW"
)
"""Those of SparkFun's library that matter here; the last is how its port to Python asks for the version."""

BAUDRATE_BY_COMMAND = {
    f"232BAD{number}": baudrate
    for number, baudrate in enumerate((1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200), 2)
} | {"DEFALT": DEFAULT_BAUDRATE}

MAX_COMMAND_LENGTH = 16


class De2120Simulator(ScannerSimulator):
    """Sends code and CR for each card once it was set to continuous reading; acknowledges the commands it knows.

    It stands at 9600 baud, as one that has been used with SparkFun's library, unless the table's file is known.
    """

    def __init__(self, clock: Clock, *, baudrate: str = "", prefix: str = "", version: str = "V1.0.0") -> None:
        super().__init__(clock, baudrate)
        self._prefix = prefix.encode("ascii")
        self._version = version.encode("ascii")
        self._received_text = ""
        self._is_continuous = False

    def configure(self, keys: Mapping[str, object]) -> None:
        """Stand at the speed that its driver takes."""
        super().configure({"baudrate": DEFAULT_BAUDRATE, **keys})

    def receive_data(self, data: bytes) -> None:
        """Obey commands."""
        with self._lock:
            self._received_text = (self._received_text + data.decode("ascii", errors="replace"))[-MAX_COMMAND_LENGTH:]
            while found := re.search(r"\^_\^([\x04A-Z0-9]+)\.", self._received_text):
                self._received_text = self._received_text[found.end() :]
                self._obey(found[1])

    def _obey(self, command: str) -> None:
        if not KNOWN_COMMANDS.fullmatch(command):
            self._queue_frame(b"\x15", ANSWER_DELAY_S)
            return
        self._is_continuous = command == "SCMCNT" or (self._is_continuous and command not in ("SCMMAN", "DEFALT"))
        self.baudrate = BAUDRATE_BY_COMMAND.get(command, self.baudrate)
        if command == "DSPYFW":
            self._queue_frame(b"\x06" + self._version + b"\r", VERSION_DELAY_S)
        else:
            self._queue_frame(b"\x06", ANSWER_DELAY_S)

    def _send_code(self, code: str) -> None:
        if self._is_continuous:
            self._queue_frame(self._prefix + code.encode("ascii") + b"\r", SCAN_DELAY_S)
