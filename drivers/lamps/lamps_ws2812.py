"""Seat lamps on a string of WS2812 (or WS2812B) lights, by the MOSI line of an SPI bus at 2.4 MHz.

Every bit of a light's colour is three bits on the bus: a long pulse for 1, a short one for 0, 1.25 µs in all. The
colour goes green, red, blue, highest bit first. A line that stays low for 280 µs lets the whole string show what it
got; the line may idle high, so a low byte comes first.
"""

from collections.abc import Mapping, Sequence

from drivers.contract.base import DeviceEvent, Signals
from drivers.contract.errors import DriverConfigError
from drivers.lamps.lamp_language import ROLES, LampShow
from drivers.lamps.lamps_595 import users_of_outputs

REFRESH_SECONDS = 0.5

LATCH = bytes(96)
"""320 µs of low line; newer WS2812B want 280."""

LONGEST = 150
"""Lights whose frame still fits one transfer of the kernel (4096 bytes)."""

ONE, ZERO = 0b110, 0b100

COLOURS: dict[str, str] = {
    "attention": "FF0000",
    "act": "00FF00",
    "deal": "0000FF",
    "button": "FFFFFF",
    "small_blind": "FF8000",
    "big_blind": "FFFF00",
    "kill": "FF00FF",
    "winner_button": "00FFFF",
    "choice": "8000FF",
}
"""Colour of each role (red, green, blue) unless configured; the patterns of the lamp language tell roles apart too."""

DARK = (0, 0, 0)

Colour = tuple[int, int, int]


def spread(byte: int) -> bytes:
    """Return the three bus bytes of one byte of colour."""
    bits = 0
    for n in range(7, -1, -1):
        bits = bits << 3 | (ONE if byte >> n & 1 else ZERO)
    return bits.to_bytes(3, "big")


SPREAD = tuple(spread(byte) for byte in range(256))


def frame(colours: Sequence[Colour]) -> bytes:
    """Return what goes over the bus for a string of lights."""
    return b"\0" + b"".join(SPREAD[green] + SPREAD[red] + SPREAD[blue] for red, green, blue in colours) + LATCH


class LampsWs2812:
    """Lamps on a string of WS2812.

    `lights` is the length of the string; `outputs` says which light shows a role at a seat: role -> seat -> light, 0
    nearest the board. Roles may share a light: then the more urgent role shows. `colours` is role -> RRGGBB;
    `brightness` scales them, 0 to 1.
    """

    baudrate = 2_400_000
    parity = "N"
    stopbits = 1.0

    def __init__(
        self,
        name: str,
        *,
        lights: int,
        outputs: Mapping[str, Mapping[str, int]],
        colours: Mapping[str, str] | None = None,
        brightness: float = 0.3,
    ) -> None:
        self.name = name
        if not 1 <= lights <= LONGEST:
            raise DriverConfigError(name, "lights", f"it must be 1 to {LONGEST}, not {lights}")
        if not 0 < brightness <= 1:
            raise DriverConfigError(name, "brightness", f"it must be more than 0 and at most 1, not {brightness:g}")
        self._colours = _scaled(name, {**COLOURS, **(colours or {})}, brightness)
        users = users_of_outputs(name, outputs, lights)
        self._lights = lights
        self._show = LampShow(users)
        self._now = 0.0
        self._written: bytes | None = None
        self._written_at = 0.0

    def hello(self) -> bytes:
        """Return all dark."""
        self._written = frame([DARK] * self._lights)
        return self._written

    def received(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Return nothing: the lights say nothing."""
        return ()

    def tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Go on with the patterns, and refresh the string."""
        self._now = now
        wanted = self._wanted()
        if wanted == self._written and now - self._written_at < REFRESH_SECONDS:
            return b"", ()
        return self._write(wanted), ()

    def perform(self, signals: Signals) -> bytes:
        """Light what the table says, at once."""
        self._show.show(signals.lamps, self._now)
        return self._write(self._wanted())

    def _write(self, data: bytes) -> bytes:
        self._written, self._written_at = data, self._now
        return data

    def _wanted(self) -> bytes:
        colours: list[Colour] = [DARK] * self._lights
        for light, role in self._show.lit(self._now):
            colours[light] = self._colours[role]
        return frame(colours)


def _scaled(device: str, colours: Mapping[str, str], brightness: float) -> dict[str, Colour]:
    scaled: dict[str, Colour] = {}
    for role, text in colours.items():
        key = f"colours.{role}"
        if role not in ROLES:
            raise DriverConfigError(device, key, f"there is no such role; there are {', '.join(ROLES)}")
        try:
            red, green, blue = bytes.fromhex(text) if len(text) == 6 else b""
        except ValueError:
            text_wanted = f"a colour has six hexadecimal digits, RRGGBB, not {text!r}"
            raise DriverConfigError(device, key, text_wanted) from None
        scaled[role] = (round(red * brightness), round(green * brightness), round(blue * brightness))
    return scaled
