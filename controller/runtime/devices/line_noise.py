"""Tells a line that is set to the wrong speed or parity from one that is merely noisy.

At the wrong speed bytes come whenever the device speaks, and never make a frame; on a noisy line good frames stand
between the bad ones. So: many bytes dropped and nothing understood since the port was opened.
"""

from dataclasses import dataclass

from drivers.contract.base import DeviceEvent, DeviceLost, EventsMissed, Noise

ENOUGH = 48
"""Bytes dropped in a row before it is said: three frames of the shortest reader."""


@dataclass(slots=True)
class _Line:
    dropped: int = 0
    understood: bool = False
    told: bool = False


class LineNoise:
    """Listens to what drivers make of their bytes."""

    def __init__(self) -> None:
        self._lines: dict[str, _Line] = {}

    def opened(self, device: str) -> None:
        """Begin anew: the port has just been opened."""
        self._lines[device] = _Line()

    def heard(self, event: DeviceEvent) -> bool:
        """Take what a driver says; true once, when the line has become unbelievable."""
        line = self._lines.setdefault(event.device, _Line())
        if isinstance(event, Noise):
            line.dropped += event.dropped
        elif not isinstance(event, DeviceLost | EventsMissed):
            line.understood = True
        if line.told or line.understood or line.dropped < ENOUGH:
            return False
        line.told = True
        return True
