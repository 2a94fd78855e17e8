"""Seat lamps on a string of WS2812 (or WS2812B) lights, by the MOSI line of an SPI bus at 2.4 MHz.

Every bit of a light's colour is three bits on the bus: a long pulse for 1, a short one for 0, 1.25 µs in all. The
colour goes green, red, blue, highest bit first. A line that stays low for 280 µs lets the whole string show what it
got; the line may idle high, so a low byte comes first.
"""

from collections.abc import Mapping, Sequence

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, Signals
from drivers.lamps.lamp_patterns import ROLES, LampAnimator, parse_outputs

REFRESH_INTERVAL_S = 0.5

LATCH_PAUSE = bytes(96)
"""320 µs of low line; newer WS2812B want 280."""

MAX_LIGHTS = 150
"""Lights whose frame still fits one transfer of the kernel (4096 bytes)."""

ONE_PULSE, ZERO_PULSE = 0b110, 0b100

DEFAULT_COLOUR_BY_ROLE: dict[str, str] = {
    "attention": "FF0000",
    "act": "00FF00",
    "deal": "0000FF",
    "button": "FFFFFF",
    "small_blind": "FF8000",
    "big_blind": "FFFF00",
    "middle_blind": "80FF00",
    "kill": "FF00FF",
    "winner_button": "00FFFF",
    "choice": "8000FF",
}
"""Colour of each role (red, green, blue) unless configured; the patterns of the lamp language tell roles apart too."""

DARK = (0, 0, 0)

Colour = tuple[int, int, int]


def encode_byte(byte: int) -> bytes:
    """Return the three bus bytes of one byte of colour."""
    bits = 0
    for n in range(7, -1, -1):
        bits = bits << 3 | (ONE_PULSE if byte >> n & 1 else ZERO_PULSE)
    return bits.to_bytes(3, "big")


ENCODED_BYTES = tuple(encode_byte(byte) for byte in range(256))


def build_frame(colours: Sequence[Colour]) -> bytes:
    """Return what goes over the bus for a string of lights."""
    return (
        b"\0"
        + b"".join(ENCODED_BYTES[green] + ENCODED_BYTES[red] + ENCODED_BYTES[blue] for red, green, blue in colours)
        + LATCH_PAUSE
    )


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
        if not 1 <= lights <= MAX_LIGHTS:
            raise DriverConfigError(name, "lights", f"it must be 1 to {MAX_LIGHTS}, not {lights}")
        if not 0 < brightness <= 1:
            raise DriverConfigError(name, "brightness", f"it must be more than 0 and at most 1, not {brightness:g}")
        self._colours = _scale_colours(name, {**DEFAULT_COLOUR_BY_ROLE, **(colours or {})}, brightness)
        users = parse_outputs(name, outputs, lights)
        self._lights = lights
        self._animator = LampAnimator(users)
        self._now = 0.0
        self._written_frame: bytes | None = None
        self._written_at = 0.0

    def on_port_opened(self) -> bytes:
        """Return all dark."""
        self._written_frame = build_frame([DARK] * self._lights)
        return self._written_frame

    def receive_data(self, data: bytes, now: float) -> Sequence[DeviceEvent]:
        """Return nothing: the lights say nothing."""
        return ()

    def on_tick(self, now: float) -> tuple[bytes, Sequence[DeviceEvent]]:
        """Go on with the patterns, and refresh the string."""
        self._now = now
        wanted = self._compute_frame()
        if wanted == self._written_frame and now - self._written_at < REFRESH_INTERVAL_S:
            return b"", ()
        return self._write(wanted), ()

    def show_signals(self, signals: Signals) -> bytes:
        """Light what the table says, at once."""
        self._animator.show(signals.lamps, self._now)
        return self._write(self._compute_frame())

    def _write(self, data: bytes) -> bytes:
        self._written_frame, self._written_at = data, self._now
        return data

    def _compute_frame(self) -> bytes:
        colours: list[Colour] = [DARK] * self._lights
        for light, role in self._animator.lit_outputs(self._now):
            colours[light] = self._colours[role]
        return build_frame(colours)


def _scale_colours(device: str, colours: Mapping[str, str], brightness: float) -> dict[str, Colour]:
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
