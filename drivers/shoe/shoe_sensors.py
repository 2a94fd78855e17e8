"""The sensors of a card shoe, each on a pin and any of them absent: card edge, face, lid.

A card passes the mouth in 30 to 300 ms, a thrown one in 10. Where the pins tell edges with their time, edge and face
are believed once they have been so for 8 ms more than otherwise, however late the program looks: two cards 10 ms apart
are two, and a beam into which a lamp flickers (100 or 120 Hz: 5 ms at most) sees none. Where they tell none, two
samples (10 ms) decide; the lid takes ten (50 ms). A card that stands in the mouth for `jam_seconds` is a jam.
"""

from collections.abc import Sequence
from typing import Literal

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import (
    CardEdgeSensed,
    DeviceEvent,
    EventsMissed,
    FaceSensed,
    LidMoved,
    Pins,
    ShoeJammed,
    Signals,
)
from drivers.panels.debouncer import Debouncer
from drivers.pins.gpio_header import check_pins
from drivers.shoe.level_sensor import LevelChange, LevelSensor

Level = Literal["high", "low"]

EDGE_SETTLE_S = 0.008
EDGE_SAMPLES = 2
LID_SAMPLES = 10
MIN_SAMPLED_COVER_S = 0.030
"""What is covered for so long is seen by samples even where one in twenty comes 20 ms late."""
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
        self._sensor_by_key = {
            key: LevelSensor(
                self._pins[key], self._active_level_by_key[key], settle_s=EDGE_SETTLE_S, settle_samples=EDGE_SAMPLES
            )
            for key in ("face_pin", "edge_pin")  # at one moment the face comes before the edge that belongs to it
            if key in self._pins
        }
        self.min_sampled_s = MIN_SAMPLED_COVER_S if self._sensor_by_key else 0.0
        self._lid = Debouncer(LID_SAMPLES)
        self._jam_seconds = jam_seconds
        self._covered_since = 0.0
        self._jammed = False

    @property
    def is_sampled(self) -> bool:
        """Whether a beam has no edges."""
        return not all(sensor.is_watched for sensor in self._sensor_by_key.values())

    def pins_used(self) -> dict[str, int]:
        """Return the pins of the sensors there are."""
        return {key.removesuffix("_pin"): pin for key, pin in self._pins.items()}

    def start(self, pins: Pins) -> None:
        """Make every pin an input, and have the edges of beams kept."""
        if "lid_pin" in self._pins:
            pins.setup_input(self._pins["lid_pin"], pull_up=self._active_level_by_key["lid_pin"])
        for key, sensor in self._sensor_by_key.items():
            sensor.start(pins, pull_up=not self._active_level_by_key[key])

    def sample(self, pins: Pins, now: float) -> Sequence[DeviceEvent]:
        """Look at every sensor; what beams saw is told in its order."""
        events: list[DeviceEvent] = []
        if "lid_pin" in self._pins and self._lid.sample(
            pins.read(self._pins["lid_pin"]) == self._active_level_by_key["lid_pin"]
        ):
            events.append(LidMoved(self.name, self._lid.is_high))
        seen: list[tuple[str, LevelChange]] = []
        for key, sensor in self._sensor_by_key.items():
            changes, is_flooded = sensor.sample(pins, now)
            seen += [(key, change) for change in changes]
            if is_flooded:
                text = f"the sensor on pin {sensor.pin} flickers faster than it can be followed; clean the beam"
                events.append(EventsMissed(self.name, text))
        events += [self._make_event(key, change) for key, change in sorted(seen, key=lambda one: one[1].at)]
        edge = self._sensor_by_key.get("edge_pin")
        if edge and edge.is_resting_active and not self._jammed and now - self._covered_since >= self._jam_seconds:
            self._jammed = True
            events.append(ShoeJammed(self.name))
        return events

    def show_signals(self, signals: Signals, pins: Pins) -> None:
        """Do nothing: sensors show nothing."""

    def stop(self, pins: Pins) -> None:
        """Do nothing: inputs are safe as they are."""

    def _make_event(self, key: str, change: LevelChange) -> DeviceEvent:
        if key == "face_pin":
            return FaceSensed(self.name, change.is_active, change.at)
        self._covered_since, self._jammed = change.at, False
        return CardEdgeSensed(self.name, change.is_active, change.at)
