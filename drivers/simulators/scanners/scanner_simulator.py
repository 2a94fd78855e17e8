"""What simulated scanners have in common: a card with a printed code passes the window and is read once."""

import threading
from collections.abc import Mapping

from drivers.simulators.bench.simulator_interfaces import Clock

SCAN_DELAY_S = 0.03
"""How long a scanner takes to decode."""


class ScannerSimulator:
    """Puts frames on the wire at their time; a subclass says what the frame of a code is."""

    baudrate = 9600
    parity = "N"

    def __init__(self, clock: Clock, baudrate: str = "") -> None:
        """Start with an empty window. Without a `baudrate` of its own it is set as its device in the table's file."""
        self._has_own_baudrate = bool(baudrate)
        if baudrate:
            self.baudrate = int(baudrate)
        self._clock = clock
        self._queued_frames: list[tuple[float, bytes]] = []
        self._lock = threading.RLock()

    def configure(self, keys: Mapping[str, object]) -> None:
        """Stand at the speed that the table's file says, as a scanner that was set up for this table."""
        baudrate = keys.get("baudrate", self.baudrate)
        if isinstance(baudrate, int) and not self._has_own_baudrate:
            self.baudrate = baudrate

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return the code on a card: a deck's number and the card's."""
        return f"D07-{number:02d}"

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a code before the window: upper-case printable text."""
        if not tag or not tag.isascii() or not tag.isprintable() or tag != tag.upper().strip():
            raise ValueError("a code is upper-case printable text without blanks around it")
        with self._lock:
            self._send_code(tag)

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Do nothing: a scanner that reads once does not notice."""

    def receive_data(self, data: bytes) -> None:
        """Ignore it, unless a subclass listens."""

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the frames sent by now."""
        with self._lock:
            now = self._clock()
            self._queued_frames.sort(key=lambda item: item[0])
            out = [item for item in self._queued_frames if item[0] <= now]
            self._queued_frames = [item for item in self._queued_frames if item[0] > now]
            return out

    def _send_code(self, code: str) -> None:
        raise NotImplementedError

    def _queue_frame(self, data: bytes, after: float) -> None:
        self._queued_frames.append((self._clock() + after, data))
