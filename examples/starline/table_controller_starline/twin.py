"""The far end of the wire of a Starline reader, for the simulation and for `tablectl check-driver`."""

from drivers.sim.bench.twin import Clock
from table_controller_starline.reader import check_of

EVERY_SECONDS = 0.2
"""How often the reader says what lies there."""


class StarlineTwin:
    """Says each tag that lies there, five times a second from 10 ms after it came."""

    baudrate = 38400
    parity = "N"

    def __init__(self, clock: Clock) -> None:
        """Begin with nothing in the field."""
        self._clock = clock
        self._due: dict[str, tuple[float, str]] = {}

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return ten hexadecimal digits."""
        return f"04A1{0xB20000 + number:06X}"

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag into the field of an antenna, the first where none is named."""
        self._due[tag] = (self._clock() + 0.01, antenna or "1")

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag, or all of them, out of the field."""
        self._due = {each: due for each, due in self._due.items() if tag not in (None, each)}

    def heard(self, data: bytes) -> None:
        """Ignore it: the reader has no ear."""

    def sent(self) -> list[tuple[float, bytes]]:
        """Return the lines sent by now."""
        now = self._clock()
        lines: list[tuple[float, bytes]] = []
        for tag, (at, antenna) in self._due.items():
            while at <= now:
                content = f"{antenna},{tag}".encode("ascii")
                lines.append((at, b"$%s*%02X\r\n" % (content, check_of(content))))
                at += EVERY_SECONDS  # noqa: PLW2901 (the next time of the same tag)
            self._due[tag] = (at, antenna)
        return sorted(lines)
