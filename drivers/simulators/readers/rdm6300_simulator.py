"""The far end of an RDM6300, ID-12LA or ID-20LA."""

import threading
from functools import reduce
from operator import xor

from drivers.simulators.bench.simulator_interfaces import Clock

REPEAT_INTERVAL_S = 0.065
"""How often an RDM6300 repeats the tag in its field (arduino12/rdm6300)."""

FIRST_READ_DELAY_S = 0.0655
"""How long the reader takes to read a tag that came into its field: twice the 64 bits of 64 periods of 125 kHz (EM4100
data sheet), because it comes upon the tag somewhere in its word."""

MAX_CATCH_UP_S = 1.0
"""How much of a long unobserved time is still sent."""


class Rdm6300Simulator:
    """Reads one tag at a time: with two in the field they talk over each other and nothing is sent.

    An `rdm6300` repeats the tag while it lies there; an `id-12la` or `id-20la` sends it once for each arrival.
    `checksum` is how the check is sent: as two `digits`, or as one `raw` byte, as some boards sold as RDM6300 do.
    """

    baudrate = 9600
    parity = "N"

    def __init__(self, clock: Clock, *, model: str = "rdm6300", checksum: str = "digits") -> None:
        if checksum not in ("digits", "raw"):
            raise ValueError(f"there is no checksum {checksum!r}; there are digits, raw")
        if model not in ("rdm6300", "id-12la", "id-20la"):
            raise ValueError(f"there is no model {model!r}; there are rdm6300, id-12la, id-20la")
        self._clock = clock
        self._repeats = model == "rdm6300"
        self._build_frame = build_raw_checksum_frame if checksum == "raw" else self._build_digit_frame
        self._field: list[str] = []
        self._next_frame_at: float | None = None
        self._queued_frames: list[tuple[float, bytes]] = []
        self._lock = threading.Lock()

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return a tag of customer 0x6F; tags of one box differ in their last digits, as real ones do."""
        return f"6F{0x007B3900 + number:08X}"

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag into the field: ten upper-case hexadecimal digits."""
        self._build_frame(tag)
        with self._lock:
            self._queue_due_frames()
            if tag not in self._field:
                self._field.append(tag)
                self._restart_read()

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag, or all, out of the field."""
        with self._lock:
            self._queue_due_frames()
            self._field = [] if tag is None else [other for other in self._field if other != tag]
            self._restart_read()

    def receive_data(self, data: bytes) -> None:
        """Ignore it: the reader has no ear."""

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the frames sent by now."""
        with self._lock:
            self._queue_due_frames()
            out, self._queued_frames = self._queued_frames, []
            return out

    def _restart_read(self) -> None:
        self._next_frame_at = self._clock() + FIRST_READ_DELAY_S if len(self._field) == 1 else None

    def _queue_due_frames(self) -> None:
        now = self._clock()
        if self._repeats and self._next_frame_at is not None:
            self._next_frame_at = max(self._next_frame_at, now - MAX_CATCH_UP_S)
        while self._next_frame_at is not None and self._next_frame_at <= now:
            self._queued_frames.append((self._next_frame_at, self._build_frame(self._field[0])))
            self._next_frame_at = self._next_frame_at + REPEAT_INTERVAL_S if self._repeats else None

    def _build_digit_frame(self, tag: str) -> bytes:
        return build_frame(tag, newline=not self._repeats)


def build_frame(tag: str, *, newline: bool) -> bytes:
    """Return the frame of a tag, with CR LF as the ID models send it. Raises `ValueError` for what is no tag."""
    check = f"{_compute_checksum(tag):02X}".encode("ascii")
    return b"\x02" + tag.encode("ascii") + check + (b"\r\n" if newline else b"") + b"\x03"


def build_raw_checksum_frame(tag: str) -> bytes:
    """Return the frame of 13 bytes in which the check is one raw byte. Raises `ValueError` for what is no tag."""
    check = bytes((_compute_checksum(tag),))
    return b"\x02" + tag.encode("ascii") + check + b"\x03"


def _compute_checksum(tag: str) -> int:
    if len(tag) != 10 or not set(tag) <= set("0123456789ABCDEF"):
        raise ValueError("a tag of this reader has ten upper-case hexadecimal digits")
    return reduce(xor, bytes.fromhex(tag))
