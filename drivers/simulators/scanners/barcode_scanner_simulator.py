"""The far end of a scanner that sends plain lines."""

from drivers.simulators.bench.simulator_interfaces import Clock
from drivers.simulators.scanners.scanner_simulator import SCAN_DELAY_S, ScannerSimulator

SUFFIXES = {"cr": b"\r", "lf": b"\n", "crlf": b"\r\n", "tab": b"\t", "none": b""}


class BarcodeScannerSimulator(ScannerSimulator):
    """Sends prefix, code and suffix once for each card."""

    def __init__(
        self, clock: Clock, *, baudrate: str = "", parity: str = "N", suffix: str = "cr", prefix: str = ""
    ) -> None:
        super().__init__(clock, baudrate)
        if suffix not in SUFFIXES:
            raise ValueError(f"there is no suffix {suffix!r}; there are {', '.join(SUFFIXES)}")
        self.parity = parity
        self._prefix = prefix.encode("ascii")
        self._suffix = SUFFIXES[suffix]

    def _send_code(self, code: str) -> None:
        self._queue_frame(self._prefix + code.encode("ascii") + self._suffix, SCAN_DELAY_S)
