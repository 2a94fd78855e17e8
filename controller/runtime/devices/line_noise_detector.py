"""Tells a line that is set to the wrong speed or parity from one that is merely noisy.

At the wrong speed bytes come whenever the device speaks, and never make a frame; on a noisy line good frames stand
between the bad ones. So: many bytes dropped and nothing understood since the port was opened.
"""

from dataclasses import dataclass

from drivers.contract.driver_interface import DeviceEvent, DeviceLost, EventsMissed, NoiseDropped

WRONG_SPEED_THRESHOLD_BYTES = 48
"""Bytes dropped in a row before it is said: three frames of the shortest reader."""


@dataclass(slots=True)
class _LineState:
    dropped_bytes: int = 0
    is_understood: bool = False
    is_reported: bool = False


class LineNoiseDetector:
    """Listens to what drivers make of their bytes."""

    def __init__(self) -> None:
        self._line_by_device: dict[str, _LineState] = {}

    def on_port_opened(self, device: str) -> None:
        """Begin anew: the port has just been opened."""
        self._line_by_device[device] = _LineState()

    def check_event(self, event: DeviceEvent) -> bool:
        """Take what a driver says; true once, when the line has become unbelievable."""
        line = self._line_by_device.setdefault(event.device, _LineState())
        if isinstance(event, NoiseDropped):
            line.dropped_bytes += event.byte_count
        elif not isinstance(event, DeviceLost | EventsMissed):
            line.is_understood = True
        if line.is_reported or line.is_understood or line.dropped_bytes < WRONG_SPEED_THRESHOLD_BYTES:
            return False
        line.is_reported = True
        return True
