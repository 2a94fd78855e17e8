"""Readers that somebody built himself: a microcontroller that says a line of text for each tag.

A line is ANTENNA UID, and CR, LF or both: the name of the antenna, blanks, the hexadecimal digits of the UID, with
":", "-" or a blank between all bytes or none. A line may end with a checksum, "*" and two hexadecimal digits: the
exclusive or of all characters before the "*", as in NMEA 0183 (which leaves out the "$" that no line of these has). It
is held where it is there. A line is taken or dropped as a whole: behind noise the end of "12 …" would be "2 …". No
line of this form has `MAX_LINE_BYTES`, so that the last bytes of a longer one are none either.

A UID has 4, 7 or 10 bytes (ISO/IEC 14443-3, 6.5.4), or 8 that begin with E0 (ISO/IEC 15693-3, 4.1).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import xor
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, NoiseDropped, TagRead
from drivers.readers.framing import NEED_DATA, Frame, NeedData, Noise, Padding, TagConfirmer
from drivers.readers.speaking_reader import SpeakingReader

ANTENNA_PATTERN = re.compile("[A-Za-z0-9_-]{1,16}")
LINE_PATTERN = re.compile(
    r"(?P<antenna>[A-Za-z0-9_-]{1,16}) {1,4}"
    r"(?P<uid>[0-9A-Fa-f]{2}(?P<separator>[-: ]?)[0-9A-Fa-f]{2}(?:(?P=separator)[0-9A-Fa-f]{2}){2,8}) ?"
)
CHECKED_LINE_PATTERN = re.compile(r"(?P<text>[^*]*)\*(?P<check>[0-9A-Fa-f]{2}) ?")

LINE_END_PATTERN = re.compile(rb"[\r\n]")
LINE_END_BYTES = b"\r\n"

MAX_LINE_BYTES = 64
"""Bytes of the longest line; the longest good one has 54."""

UID_DIGITS = frozenset((8, 14, 20))
ISO15693_DIGITS = 16
ISO15693_PREFIX = "E0"

DEFAULT_BAUDRATE = 115200
MIN_BAUDRATE, MAX_BAUDRATE = 1200, 2_000_000
MAX_ANTENNAS = 32

LINE_TIMEOUT_S = 0.5
"""Seconds of silence after which a line was broken off; a line takes 40 ms at 9600 baud."""

REQUIRED_MENTIONS = 2
"""How often a repeating reader says a tag before it counts (docs/decisions/0005)."""

DEFAULT_ABSENCE_S = 0.5
"""Seconds without a line after which a tag has left the field of a repeating reader."""

MAX_ABSENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class TagLine:
    """A whole line: what it says, or why it says no tag."""

    byte_count: int
    fault: str = ""
    antenna: str = ""
    tag: str = field(default="", repr=False)
    has_checksum: bool = False


class LineReader(SpeakingReader[TagLine]):
    """A reader that says a line for each tag; reports every read, of a repeating one from the second mention on.

    `antennas` are the names that its lines begin with. `repeats` says whether it says a tag over and over while it lies
    there, or once for each arrival. `absence_seconds` is how long a tag must stay unread before it has left: 0.5 for a
    reader that repeats and 0 for one that does not, unless given. With `checksum = "required"` a line without is noise.
    """

    def __init__(
        self,
        name: str,
        *,
        antennas: Sequence[str] | Sequence[int] = ("1",),
        baudrate: int = DEFAULT_BAUDRATE,
        repeats: bool = True,
        absence_seconds: float | None = None,
        checksum: Literal["optional", "required"] = "optional",
    ) -> None:
        if not MIN_BAUDRATE <= baudrate <= MAX_BAUDRATE:
            raise DriverConfigError(name, "baudrate", f"it must be {MIN_BAUDRATE} to {MAX_BAUDRATE}, not {baudrate}")
        if absence_seconds is None:
            absence_seconds = DEFAULT_ABSENCE_S if repeats else 0.0
        if not 0 <= absence_seconds <= MAX_ABSENCE_S:
            text = f"it must be seconds from 0 to {MAX_ABSENCE_S:g}, not {absence_seconds}"
            raise DriverConfigError(name, "absence_seconds", text)
        if repeats and absence_seconds == 0:
            text = "it must be more than 0 with a reader that repeats, and more than the time between two of its lines"
            raise DriverConfigError(name, "absence_seconds", text)
        super().__init__(name, LINE_TIMEOUT_S, LINE_END_BYTES)
        self.baudrate = baudrate
        self.antennas = _read_antennas(name, antennas)
        self.absence_timeout_s = float(absence_seconds)
        self._needs_checksum = checksum == "required"
        self._required_mentions = REQUIRED_MENTIONS if repeats else 1
        self._confirmer = self._make_confirmer()

    def on_port_opened(self) -> bytes:
        """Return nothing; what the reader said before is forgotten."""
        self._confirmer = self._make_confirmer()
        return super().on_port_opened()

    def _make_confirmer(self) -> TagConfirmer:
        return TagConfirmer(self._required_mentions, self.absence_timeout_s)

    def _parse_frame(self, data: bytes) -> Frame[TagLine] | Padding | Noise | NeedData:
        return parse_line(data)

    def _handle_frame(self, frame: TagLine) -> list[DeviceEvent]:
        fault = frame.fault
        if not fault and frame.antenna not in self.antennas:
            fault = "an antenna that the file does not name"
        if not fault and self._needs_checksum and not frame.has_checksum:
            fault = "no checksum"
        if fault:
            return [NoiseDropped(self.name, frame.byte_count, fault)]
        is_confirmed = self._confirmer.confirm(f"{frame.antenna} {frame.tag}", self._now)
        return [TagRead(self.name, frame.tag, frame.antenna)] if is_confirmed else []


def parse_line(data: bytes) -> Frame[TagLine] | Padding | Noise | NeedData:
    """Judge what may be a line; one that says no tag is dropped as a whole. No reason shows a digit of it."""
    if data[0] in LINE_END_BYTES:
        return Padding(1)
    end = LINE_END_PATTERN.search(data, 0, MAX_LINE_BYTES + 1)
    if end is None:
        return Noise("longer than any line") if len(data) > MAX_LINE_BYTES else NEED_DATA
    size = end.start()
    line = data[:size].decode("ascii", "replace")
    checked = CHECKED_LINE_PATTERN.fullmatch(line)
    text = checked["text"] if checked else line
    found = LINE_PATTERN.fullmatch(text)
    if found is None:
        return Frame(size, TagLine(size, "no antenna and UID"))
    if checked is not None and compute_checksum(text) != int(checked["check"], 16):
        return Frame(size, TagLine(size, "wrong checksum"))
    tag = re.sub("[-: ]", "", found["uid"]).upper()
    if len(tag) not in UID_DIGITS and not (len(tag) == ISO15693_DIGITS and tag.startswith(ISO15693_PREFIX)):
        return Frame(size, TagLine(size, "not the length of a UID"))
    return Frame(size, TagLine(size, "", found["antenna"], tag, checked is not None))


def compute_checksum(text: str) -> int:
    """Return the exclusive or of all characters, as NMEA 0183 has it."""
    return reduce(xor, text.encode("ascii"), 0)


def _read_antennas(device: str, antennas: Sequence[str] | Sequence[int]) -> tuple[str, ...]:
    """Return the names of antennas as lines have them; raises `DriverConfigError` for what can be no name."""
    names = tuple(str(antenna) for antenna in antennas)
    if not names or len(names) > MAX_ANTENNAS or len(set(names)) < len(names):
        text = f"it must be the names that the lines begin with, each once and at most {MAX_ANTENNAS}"
        raise DriverConfigError(device, "antennas", text)
    for name in names:
        if not ANTENNA_PATTERN.fullmatch(name):
            text = f'it must be names of up to 16 letters, digits, "-" and "_", not {name!r}'
            raise DriverConfigError(device, "antennas", text)
    return names
