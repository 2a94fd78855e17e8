"""The sensors of a card shoe, each on a pin and any of them absent: card edge, face, lid.

A card passes the mouth in 30 to 300 ms, so the edge is believed after two samples (10 ms); the lid after ten (50 ms).
A card that stands in the mouth for `jam_seconds` is a jam.
"""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import (
    CardEdgeSensed,
    DeviceEvent,
    FaceSensed,
    LidMoved,
    Pins,
    ShoeJammed,
    Signals,
)
from drivers.panels.debouncer import Debouncer
from drivers.pins.gpio_header import check_pins

Level = Literal["high", "low"]

EDGE_SAMPLES = 2
LID_SAMPLES = 10
DEFAULT_JAM_S = 1.5


class ShoeSensors:
    """Sensors of a shoe.

    `edge_pin` sees a card in the mouth at `edge_level`; `face_pin` sees it lie face up at `face_level`; `lid_pin` is at
    `lid_open_level` while the lid is open: with a contact to ground that is closed with the lid, and "high", a cut
    wire reads as an open lid. The board pulls each pin away from its level, and the lid's towards it.
    """

    def __init__(
        self,
        name: str,
        *,
        edge_pin: int | None = None,
        edge_level: Level = "low",
        face_pin: int | None = None,
        face_level: Level = "low",
        lid_pin: int | None = None,
        lid_open_level: Level = "high",
        jam_seconds: float = DEFAULT_JAM_S,
    ) -> None:
        given = {"edge_pin": edge_pin, "face_pin": face_pin, "lid_pin": lid_pin}
        self._pins = {key: pin for key, pin in given.items() if pin is not None}
        if not self._pins:
            raise DriverConfigError(name, None, f"none of {', '.join(given)} is given; a shoe has at least one sensor")
        check_pins(name, self._pins)
        if jam_seconds <= 0:
            raise DriverConfigError(name, "jam_seconds", f"it must be more than 0, not {jam_seconds:g}")
        self.name = name
        self._active_level_by_key = {
            "edge_pin": edge_level == "high",
            "face_pin": face_level == "high",
            "lid_pin": lid_open_level == "high",
        }
        self._debouncer_by_key = {
            "edge_pin": Debouncer(EDGE_SAMPLES),
            "face_pin": Debouncer(EDGE_SAMPLES),
            "lid_pin": Debouncer(LID_SAMPLES),
        }
        self._jam_seconds = jam_seconds
        self._covered_since = 0.0
        self._jammed = False

    def pins_used(self) -> dict[str, int]:
        """Return the pins of the sensors there are."""
        return {key.removesuffix("_pin"): pin for key, pin in self._pins.items()}

    def start(self, pins: Pins) -> None:
        """Make every pin an input."""
        for key, pin in self._pins.items():
            pins.setup_input(pin, pull_up=self._active_level_by_key[key] == (key == "lid_pin"))

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Look at every sensor, the face before the edge that belongs to it."""
        events: list[DeviceEvent] = []
        for key in ("lid_pin", "face_pin", "edge_pin"):
            contact = self._debouncer_by_key[key]
            if key in self._pins and contact.sample(pins.read(self._pins[key]) == self._active_level_by_key[key]):
                events.append(self._make_event(key, contact.is_high, now))
        edge = self._debouncer_by_key["edge_pin"]
        if edge.is_high and not self._jammed and now - self._covered_since >= self._jam_seconds:
            self._jammed = True
            events.append(ShoeJammed(self.name))
        return events

    def show_signals(self, signals: Signals, pins: Pins) -> None:
        """Do nothing: sensors show nothing."""

    def stop(self, pins: Pins) -> None:
        """Do nothing: inputs are safe as they are."""

    def _make_event(self, key: str, high: bool, now: float) -> DeviceEvent:
        if key == "lid_pin":
            return LidMoved(self.name, high)
        if key == "face_pin":
            return FaceSensed(self.name, high)
        self._covered_since, self._jammed = now, False
        return CardEdgeSensed(self.name, high)
