"""What simulated readers that answer questions have in common: tags in a field, and answers with their times."""

import threading
from collections.abc import Mapping

from drivers.simulators.bench.simulator_interfaces import Clock


class PolledReaderSimulator:
    """Holds the tags in the field and what is to be said; a subclass says what it hears and which tags it can read."""

    baudrate: int

    def __init__(self, clock: Clock, baudrate: str = "") -> None:
        """Start with an empty field. Without a `baudrate` of its own it is set as its device in the table's file."""
        self._has_own_baudrate = bool(baudrate)
        if baudrate:
            self.baudrate = int(baudrate)
        self._clock = clock
        self._field: list[str] = []
        self._queued_frames: list[tuple[float, bytes]] = []
        self._lock = threading.RLock()

    def configure(self, keys: Mapping[str, object]) -> None:
        """Stand at the speed that the table's file says, as a reader that was set up for this table."""
        baudrate = keys.get("baudrate", self.baudrate)
        if isinstance(baudrate, int) and not self._has_own_baudrate:
            self.baudrate = baudrate

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return the UID of an ISO 15693 tag of NXP."""
        return f"E0040150{0x12345600 + number:08X}"

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag into the field."""
        self._check_tag(tag)
        with self._lock:
            if tag not in self._field:
                self._field.append(tag)
                self._on_tag_arrived(tag)

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag, or all, out of the field."""
        with self._lock:
            self._field = [] if tag is None else [other for other in self._field if other != tag]

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the frames sent by now."""
        with self._lock:
            now = self._clock()
            out = [item for item in self._queued_frames if item[0] <= now]
            self._queued_frames = [item for item in self._queued_frames if item[0] > now]
            return out

    def _check_tag(self, tag: str) -> None:
        if len(tag) != 16 or not tag.startswith("E0") or bytes.fromhex(tag).hex().upper() != tag:
            raise ValueError("a tag of this reader has sixteen upper-case hexadecimal digits that begin with E0")

    def _on_tag_arrived(self, tag: str) -> None:
        """Do nothing: a reader that is asked notices when it is asked."""

    def _queue_frame(self, data: bytes, after: float) -> None:
        self._queued_frames.append((self._clock() + after, data))
