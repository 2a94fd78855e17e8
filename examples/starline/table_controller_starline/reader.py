"""The Starline reader: `$antenna,tag*check` CR LF five times a second for each card that lies there."""

import re
from collections.abc import Sequence
from functools import reduce
from operator import xor

from drivers.contract.base import DeviceEvent, Signals, TagRead
from drivers.contract.errors import DriverConfigError
from drivers.readers.framing import MORE, Junk, More, Receiver, Whole, noise_or_events

LONGEST = 16
"""Bytes of the longest line."""

LINE = re.compile(rb"\$([1-4]),([0-9A-F]{10})\*([0-9A-F]{2})")
BROKEN_AFTER = 0.25
"""Seconds of silence after which a begun line will not be finished; a line takes 5 ms."""


def check_of(content: bytes) -> int:
    """The check of what stands between dollar and star."""
    return reduce(xor, content, 0)


class Starline:
    """A Starline reader with `antennas` of them, called "1" to "4"."""

    baudrate = 38400
    parity = "N"
    stopbits = 1.0
    gone_after = 1.1  # five lines lost in a row

    def __init__(self, name: str, *, antennas: int = 1) -> None:
        """Raise `DriverConfigError` where there cannot be so many."""
        if not 1 <= antennas <= 4:
            raise DriverConfigError(name, "antennas", f"it must be 1 to 4, not {antennas}")
        self.name = name
        self.antennas = tuple(str(number) for number in range(1, antennas + 1))
        self._receiver = Receiver(name, self._judge, BROKEN_AFTER)

    def hello(self) -> bytes:
        """Return nothing: the reader only speaks."""
        return b""

    def received(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Translate what the reader sent."""
        return noise_or_events(self._receiver.received(data, now), self._meant)

    def tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Notice broken-off lines; the reader is asked nothing."""
        return b"", noise_or_events(self._receiver.silent(now), self._meant)

    def perform(self, signals: Signals) -> bytes:
        """Return nothing: the reader shows nothing."""
        return b""

    def _judge(self, data: bytes) -> Whole[tuple[str, str]] | Junk | More:
        if not data.startswith(b"$"):
            return Junk("no frame start")
        end = data.find(b"\r\n", 0, LONGEST + 2)
        if end < 0:
            return Junk("no frame end") if len(data) > LONGEST else MORE
        line = LINE.fullmatch(data[:end])
        if line is None:
            return Junk("no line of the reader")
        if check_of(data[1 : end - 3]) != int(line[3], 16):
            return Junk("check wrong")
        return Whole(end + 2, (line[1].decode("ascii"), line[2].decode("ascii")))

    def _meant(self, line: tuple[str, str]) -> list[DeviceEvent]:
        antenna, tag = line
        return [TagRead(self.name, tag, antenna)] if antenna in self.antennas else []
