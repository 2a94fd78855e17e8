"""What scanners of printed codes have in common: lines of text, AIM prefixes, canonical codes.

A code sent as plain text carries no check on its way: a bit flipped on the cable makes another text. What stands
against that is the deck, which knows every code printed on it, and a fixed `length`.
"""

from collections.abc import Sequence

from drivers.contract.base import DeviceEvent, Noise, TagRead
from drivers.readers.framing import Dropped

LONGEST = 256
"""Characters of the longest line."""

PRINTABLE = frozenset(range(0x20, 0x7F))
ENDS = frozenset(b"\r\n\t")


def code_of(line: str) -> str:
    """Return the canonical code of a scanned line: upper case, without blanks around it and without its AIM prefix.

    The prefix is "]", a letter for the symbology and a digit or letter for its options (ISO/IEC 15424).
    """
    text = line.strip()
    if len(text) > 3 and text[0] == "]" and text[1].isalpha() and text[2].isalnum():
        text = text[3:]
    return text.strip().upper()


class Lines:
    """Cuts a stream into lines of printable text, which end with CR, LF, TAB or several of them.

    NULs are padding. A line with anything else in it, or longer than `LONGEST`, is dropped whole.
    """

    def __init__(self) -> None:
        """Start with nothing received."""
        self._line = bytearray()
        self._bad = 0
        self._why = ""

    def feed(self, data: bytes) -> list[str | Dropped]:
        """Take bytes; return whole lines and what had to be dropped."""
        found: list[str | Dropped] = []
        for byte in data:
            if byte in ENDS:
                found += self.end()
            elif self._bad:
                self._bad += 1
            elif byte in PRINTABLE and len(self._line) < LONGEST:
                self._line.append(byte)
            elif byte != 0:
                self._bad = len(self._line) + 1
                self._why = "not printable" if byte not in PRINTABLE else "longer than any code"
                self._line.clear()
        return found

    def end(self) -> list[str | Dropped]:
        """End the line that was begun, if one was."""
        found: list[str | Dropped] = []
        if self._bad:
            found.append(Dropped(self._bad, self._why))
        elif self._line:
            found.append(self._line.decode("ascii"))
        self._bad = 0
        self._line.clear()
        return found

    def break_off(self) -> list[str | Dropped]:
        """Drop the line that was begun, if one was."""
        found: list[str | Dropped] = [
            item if isinstance(item, Dropped) else Dropped(len(item), "line broken off") for item in self.end()
        ]
        return found


def told(device: str, found: Sequence[str | Dropped], length: int | None) -> list[DeviceEvent]:
    """Say what lines mean: codes, of the one `length` if there is one, and noise."""
    events: list[DeviceEvent] = []
    for item in found:
        if isinstance(item, Dropped):
            events.append(Noise(device, item.count, item.why))
            continue
        code = code_of(item)
        if not code or (length is not None and len(code) != length):
            events.append(Noise(device, len(item), "not the length of a code"))
        else:
            events.append(TagRead(device, code))
    return events
