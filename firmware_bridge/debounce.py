"""How the board settles its inputs: integrators with hysteresis, as in the firmware's `tb_inputs.c`."""

from dataclasses import dataclass
from typing import Final

from firmware_bridge import limits
from firmware_bridge.messages import KeyAction

HELD_SCANS: Final = limits.HELD_MS // limits.SCAN_MS
STUCK_SCANS: Final = limits.STUCK_MS // limits.SCAN_MS


class Sensor:
    """A level debounced by an integrator with hysteresis: it turns when all of `samples` agree."""

    def __init__(self, on: bool, samples: int) -> None:
        self.on = on
        self._samples = samples
        self._level = samples if on else 0

    def moved(self, raw: bool) -> bool:
        """Take one sample; true when the debounced level turned."""
        level = self._level = min(self._level + 1, self._samples) if raw else max(self._level - 1, 0)
        now = level > 0 if self.on else level == self._samples
        turned = now != self.on
        self.on = now
        return turned


@dataclass(slots=True)
class KeySwitch:
    """One key: its integrator, what it is, and for how many scans it has been down."""

    level: int = 0
    action: KeyAction = KeyAction.UP
    scans: int = 0

    @classmethod
    def at_start(cls, raw: bool) -> "KeySwitch":
        """A key as the board finds it: one that is down already is stuck, for nobody pressed it."""
        return cls(limits.KEY_SAMPLES, KeyAction.STUCK) if raw else cls()

    def scan(self, raw: bool) -> KeyAction | None:
        """Take one sample; what the key did, if anything."""
        self.level = min(self.level + 1, limits.KEY_SAMPLES) if raw else max(self.level - 1, 0)
        did = self._did()
        self.action = self.action if did is None else did
        return did

    def _did(self) -> KeyAction | None:
        if self.action is KeyAction.UP:
            self.scans = 0
            return KeyAction.DOWN if self.level == limits.KEY_SAMPLES else None
        if self.level == 0:
            return KeyAction.UP
        if self.action is KeyAction.STUCK:
            return None
        self.scans += 1
        marks = {HELD_SCANS: KeyAction.HELD, STUCK_SCANS: KeyAction.STUCK}
        return marks.get(self.scans)
