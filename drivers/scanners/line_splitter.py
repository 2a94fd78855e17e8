"""What scanners of printed codes have in common: lines of text, AIM prefixes, canonical codes.

A code sent as plain text carries no check on its way: a bit flipped on the cable makes another text. What stands
against that is the deck, which knows every code printed on it, and a fixed `length`.
"""

from collections.abc import Sequence

from drivers.contract.driver_interface import DeviceEvent, NoiseDropped, TagRead
from drivers.readers.framing import DroppedBytes

MAX_LINE_LENGTH = 256
"""Characters of the longest line."""

PRINTABLE_BYTES = frozenset(range(0x20, 0x7F))
LINE_END_BYTES = frozenset(b"\r\n\t")


def normalize_code(line: str) -> str:
    """Return the canonical code of a scanned line: upper case, without blanks around it and without its AIM prefix.

    The prefix is "]", a letter for the symbology and a digit or letter for its options (ISO/IEC 15424).
    """
    text = line.strip()
    if len(text) > 3 and text[0] == "]" and text[1].isalpha() and text[2].isalnum():
        text = text[3:]
    return text.strip().upper()


class LineSplitter:
    """Cuts a stream into lines of printable text, which end with CR, LF, TAB or several of them.

    NULs are padding. A line with anything else in it, or longer than `MAX_LINE_LENGTH`, is dropped whole.
    """

    def __init__(self) -> None:
        """Start with nothing received."""
        self._line = bytearray()
        self._bad_byte_count = 0
        self._bad_reason = ""

    def feed(self, data: bytes) -> list[str | DroppedBytes]:
        """Take bytes; return whole lines and what had to be dropped."""
        found: list[str | DroppedBytes] = []
        for byte in data:
            if byte in LINE_END_BYTES:
                found += self.finish_line()
            elif self._bad_byte_count:
                self._bad_byte_count += 1
            elif byte in PRINTABLE_BYTES and len(self._line) < MAX_LINE_LENGTH:
                self._line.append(byte)
            elif byte != 0:
                self._bad_byte_count = len(self._line) + 1
                self._bad_reason = "not printable" if byte not in PRINTABLE_BYTES else "longer than any code"
                self._line.clear()
        return found

    def finish_line(self) -> list[str | DroppedBytes]:
        """End the line that was begun, if one was."""
        found: list[str | DroppedBytes] = []
        if self._bad_byte_count:
            found.append(DroppedBytes(self._bad_byte_count, self._bad_reason))
        elif self._line:
            found.append(self._line.decode("ascii"))
        self._bad_byte_count = 0
        self._line.clear()
        return found

    def discard_line(self) -> list[str | DroppedBytes]:
        """Drop the line that was begun, if one was."""
        found: list[str | DroppedBytes] = [
            item if isinstance(item, DroppedBytes) else DroppedBytes(len(item), "line broken off")
            for item in self.finish_line()
        ]
        return found


def translate_lines(device: str, found: Sequence[str | DroppedBytes], length: int | None) -> list[DeviceEvent]:
    """Say what lines mean: codes, of the one `length` if there is one, and noise."""
    events: list[DeviceEvent] = []
    for item in found:
        if isinstance(item, DroppedBytes):
            events.append(NoiseDropped(device, item.count, item.reason))
            continue
        code = normalize_code(item)
        if not code or (length is not None and len(code) != length):
            events.append(NoiseDropped(device, len(item), "not the length of a code"))
        else:
            events.append(TagRead(device, code))
    return events
