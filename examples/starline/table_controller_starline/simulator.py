"""The far end of the wire of a Starline reader, for the simulation and for `tablectl check-driver`."""

from drivers.simulators.bench.simulator_interfaces import Clock
from table_controller_starline.reader import compute_check

REPEAT_INTERVAL_S = 0.2
"""How often the reader says what lies there."""


class StarlineSimulator:
    """Says each tag that lies there, five times a second from 10 ms after it came."""

    baudrate = 38400
    parity = "N"

    def __init__(self, clock: Clock) -> None:
        """Begin with nothing in the field."""
        self._clock = clock
        self._next_line_by_tag: dict[str, tuple[float, str]] = {}

    @staticmethod
    def nth_tag(number: int) -> str:
        """Return ten hexadecimal digits."""
        return f"04A1{0xB20000 + number:06X}"

    def present(self, tag: str, antenna: str | None = None) -> None:
        """Bring a tag into the field of an antenna, the first where none is named."""
        self._next_line_by_tag[tag] = (self._clock() + 0.01, antenna or "1")

    def remove(self, tag: str | None = None, antenna: str | None = None) -> None:
        """Take a tag, or all of them, out of the field."""
        self._next_line_by_tag = {each: due for each, due in self._next_line_by_tag.items() if tag not in (None, each)}

    def receive_data(self, data: bytes) -> None:
        """Ignore it: the reader has no ear."""

    def take_frames(self) -> list[tuple[float, bytes]]:
        """Return the lines sent by now."""
        now = self._clock()
        lines: list[tuple[float, bytes]] = []
        for tag, (at, antenna) in self._next_line_by_tag.items():
            while at <= now:
                content = f"{antenna},{tag}".encode("ascii")
                lines.append((at, b"$%s*%02X\r\n" % (content, compute_check(content))))
                at += REPEAT_INTERVAL_S  # noqa: PLW2901 (the next time of the same tag)
            self._next_line_by_tag[tag] = (at, antenna)
        return sorted(lines)
