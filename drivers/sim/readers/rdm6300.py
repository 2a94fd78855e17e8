"""The far end of an RDM6300, ID-12LA or ID-20LA."""

import threading
from functools import reduce
from operator import xor

from drivers.sim.bench.twin import Clock

REPEAT_SECONDS = 0.065
"""How often an RDM6300 repeats the tag in its field."""

FIRST_SECONDS = 0.03
"""How long the reader takes to read a tag that came into its field."""

CATCH_UP_SECONDS = 1.0
"""How much of a long unobserved time is still sent."""


class Rdm6300Twin:
    """Reads one tag at a time: with two in the field they talk over each other and nothing is sent.

    An `rdm6300` repeats the tag while it lies there; an `id-12la` or `id-20la` sends it once for each arrival.
    """

    baudrate = 9600
    parity = "N"

    def __init__(self, clock: Clock, *, model: str = "rdm6300") -> None:
        if model not in ("rdm6300", "id-12la", "id-20la"):
            raise ValueError(f"there is no model {model!r}; there are rdm6300, id-12la, id-20la")
        self._clock = clock
        self._repeats = model == "rdm6300"
        self._field: list[str] = []
        self._next: float | None = None
        self._out: list[tuple[float, bytes]] = []
        self._lock = threading.Lock()

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return a tag of customer 0x6F; tags of one box differ in their last digits, as real ones do."""
        return f"6F{0x007B3900 + number:08X}"

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag into the field: ten upper-case hexadecimal digits."""
        frame_of(tag, newline=False)
        with self._lock:
            self._speak()
            if tag not in self._field:
                self._field.append(tag)
                self._listen_anew()

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag, or all, out of the field."""
        with self._lock:
            self._speak()
            self._field = [] if tag is None else [other for other in self._field if other != tag]
            self._listen_anew()

    def heard(self, data: bytes) -> None:
        """Ignore it: the reader has no ear."""

    def sent(self) -> list[tuple[float, bytes]]:
        """Return the frames sent by now."""
        with self._lock:
            self._speak()
            out, self._out = self._out, []
            return out

    def _listen_anew(self) -> None:
        self._next = self._clock() + FIRST_SECONDS if len(self._field) == 1 else None

    def _speak(self) -> None:
        now = self._clock()
        if self._repeats and self._next is not None:
            self._next = max(self._next, now - CATCH_UP_SECONDS)
        while self._next is not None and self._next <= now:
            self._out.append((self._next, frame_of(self._field[0], newline=not self._repeats)))
            self._next = self._next + REPEAT_SECONDS if self._repeats else None


def frame_of(tag: str, *, newline: bool) -> bytes:
    """Return the frame of a tag, with CR LF as the ID models send it. Raises `ValueError` for what is no tag."""
    if len(tag) != 10 or not set(tag) <= set("0123456789ABCDEF"):
        raise ValueError("a tag of this reader has ten upper-case hexadecimal digits")
    check = reduce(xor, bytes.fromhex(tag))
    return b"\x02" + f"{tag}{check:02X}".encode("ascii") + (b"\r\n" if newline else b"") + b"\x03"
