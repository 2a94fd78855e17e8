"""How the board settles its inputs: integrators with hysteresis, as in the firmware's `tb_inputs.c`."""

from dataclasses import dataclass
from typing import Final

from firmware_bridge import limits
from firmware_bridge.wire_messages import KeyAction

HELD_SCANS: Final = limits.HELD_MS // limits.SCAN_MS
STUCK_SCANS: Final = limits.STUCK_MS // limits.SCAN_MS


class DebouncedSensor:
    """A level debounced by an integrator with hysteresis: it turns when all of `samples` agree."""

    def __init__(self, on: bool, samples: int) -> None:
        self.is_on = on
        self._samples = samples
        self._integrator = samples if on else 0

    def sample(self, raw: bool) -> bool:
        """Take one sample; true when the debounced level turned."""
        level = self._integrator = min(self._integrator + 1, self._samples) if raw else max(self._integrator - 1, 0)
        now = level > 0 if self.is_on else level == self._samples
        turned = now != self.is_on
        self.is_on = now
        return turned


@dataclass(slots=True)
class DebouncedKey:
    """One key: its integrator, what it is, and for how many scans it has been down."""

    integrator: int = 0
    action: KeyAction = KeyAction.UP
    scans_down: int = 0

    @classmethod
    def from_first_sample(cls, raw: bool) -> "DebouncedKey":
        """A key as the board finds it: one that is down already is stuck, for nobody pressed it."""
        return cls(limits.KEY_SAMPLES, KeyAction.STUCK) if raw else cls()

    def sample(self, raw: bool) -> KeyAction | None:
        """Take one sample; what the key did, if anything."""
        self.integrator = min(self.integrator + 1, limits.KEY_SAMPLES) if raw else max(self.integrator - 1, 0)
        did = self._next_action()
        self.action = self.action if did is None else did
        return did

    def _next_action(self) -> KeyAction | None:
        if self.action is KeyAction.UP:
            self.scans_down = 0
            return KeyAction.DOWN if self.integrator == limits.KEY_SAMPLES else None
        if self.integrator == 0:
            return KeyAction.UP
        if self.action is KeyAction.STUCK:
            return None
        self.scans_down += 1
        marks = {HELD_SCANS: KeyAction.HELD, STUCK_SCANS: KeyAction.STUCK}
        return marks.get(self.scans_down)
