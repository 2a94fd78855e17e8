"""The Starline reader: `$antenna,tag*check` CR LF five times a second for each card that lies there."""

import re
from functools import reduce
from operator import xor

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, TagRead
from drivers.readers.framing import NEED_DATA, Frame, NeedData, Noise
from drivers.readers.speaking_reader import SpeakingReader

MAX_LINE_BYTES = 16
"""Bytes of the longest line."""

LINE_PATTERN = re.compile(rb"\$([1-4]),([0-9A-F]{10})\*([0-9A-F]{2})")
LINE_TIMEOUT_S = 0.25
"""Seconds of silence after which a begun line will not be finished; a line takes 5 ms."""


def compute_check(content: bytes) -> int:
    """The check of what stands between dollar and star."""
    return reduce(xor, content, 0)


class Starline(SpeakingReader[tuple[str, str]]):
    """A Starline reader with `antennas` of them, called "1" to "4"."""

    baudrate = 38400
    absence_timeout_s = 1.1  # five lines lost in a row

    def __init__(self, name: str, *, antennas: int = 1) -> None:
        """Raise `DriverConfigError` where there cannot be so many."""
        if not 1 <= antennas <= 4:
            raise DriverConfigError(name, "antennas", f"it must be 1 to 4, not {antennas}")
        super().__init__(name, LINE_TIMEOUT_S)
        self.antennas = tuple(str(number) for number in range(1, antennas + 1))

    def _parse_frame(self, data: bytes) -> Frame[tuple[str, str]] | Noise | NeedData:
        if not data.startswith(b"$"):
            return Noise("no frame start")
        end = data.find(b"\r\n", 0, MAX_LINE_BYTES + 2)
        if end < 0:
            return Noise("no frame end") if len(data) > MAX_LINE_BYTES else NEED_DATA
        line = LINE_PATTERN.fullmatch(data[:end])
        if line is None:
            return Noise("no line of the reader")
        if compute_check(data[1 : end - 3]) != int(line[3], 16):
            return Noise("check wrong")
        return Frame(end + 2, (line[1].decode("ascii"), line[2].decode("ascii")))

    def _handle_frame(self, frame: tuple[str, str]) -> list[DeviceEvent]:
        antenna, tag = frame
        return [TagRead(self.name, tag, antenna)] if antenna in self.antennas else []
