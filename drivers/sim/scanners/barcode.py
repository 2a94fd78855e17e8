"""The far end of a scanner that sends plain lines."""

from drivers.sim.bench.twin import Clock
from drivers.sim.scanners.codes import SCAN_SECONDS, Scanner

SUFFIXES = {"cr": b"\r", "lf": b"\n", "crlf": b"\r\n", "tab": b"\t", "none": b""}


class BarcodeTwin(Scanner):
    """Sends prefix, code and suffix once for each card."""

    def __init__(
        self, clock: Clock, *, baudrate: str = "9600", parity: str = "N", suffix: str = "cr", prefix: str = ""
    ) -> None:
        super().__init__(clock)
        if suffix not in SUFFIXES:
            raise ValueError(f"there is no suffix {suffix!r}; there are {', '.join(SUFFIXES)}")
        self.baudrate = int(baudrate)
        self.parity = parity
        self._prefix = prefix.encode("ascii")
        self._suffix = SUFFIXES[suffix]

    def _scanned(self, code: str) -> None:
        self._say(self._prefix + code.encode("ascii") + self._suffix, SCAN_SECONDS)
