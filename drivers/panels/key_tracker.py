"""What a set of keys says, from sampled levels: debounced presses, long presses, stuck keys.

Contacts bounce, usually for less than 5 ms, and long cables pick up spikes. So edges are not believed: a key has
changed when `SETTLE_SAMPLES` samples more say so than not (20 ms at the rate of
`drivers.contract.driver_interface.SAMPLE_INTERVAL_S`).
"""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_interface import DeviceEvent, KeyFreed, KeyPressed, KeyStuck
from drivers.panels.debouncer import Debouncer

SETTLE_SAMPLES = 4
"""How many more samples must say "down" than "up" for a key to be down, and the other way round."""

MIN_REPRESS_INTERVAL_S = 0.2
"""A second press of a key this soon after the first is a trembling finger."""

DEFAULT_HOLD_S = 0.8
"""How long a key that must be held is held, unless configured."""

DEFAULT_STUCK_S = 10.0
"""A key down longer than this is stuck, unless configured."""

MAX_PRESSES_PER_MINUTE = 80
"""No person presses a key as often, not even for each of 52 cards: a contact that is wet or loose does."""

MINUTE_S = 60.0

CHATTER_REST_S = 10.0
"""So long a key that pressed itself must be up before it counts again."""


@dataclass(slots=True)
class _KeyState:
    debouncer: Debouncer = field(default_factory=lambda: Debouncer(SETTLE_SAMPLES))
    seen_up: bool = False
    stuck: bool = False
    reported: bool = False
    down_since: float = 0.0
    pressed_at: float = float("-inf")
    recent_presses: deque[float] = field(default_factory=deque, repr=False)
    """When it was pressed within the last minute."""
    last_down_at: float | None = None
    """When a key that presses itself was down last; `None` for one that does not."""


def check_hold_keys(device: str, hold: Sequence[str], names: Collection[str]) -> frozenset[str]:
    """The keys that count when they are held; raises `DriverConfigError` for one that there is not."""
    for name in hold:
        if name not in names:
            raise DriverConfigError(device, "hold", f"there is no key {name!r}; there are {', '.join(names)}")
    return frozenset(hold)


class KeyTracker:
    """Debounces named keys and tells presses from long presses and from stuck keys.

    A key in `hold` is reported only when it has been down for `hold_seconds`. A key that is down from the start, or
    for `stuck_seconds`, is stuck and says nothing more until it comes up;
    one that presses itself, until it rests.
    """

    def __init__(
        self,
        device: str,
        names: Sequence[str],
        *,
        hold: Sequence[str] = (),
        hold_seconds: float = DEFAULT_HOLD_S,
        stuck_seconds: float = DEFAULT_STUCK_S,
    ) -> None:
        self._hold_keys = check_hold_keys(device, hold, names)
        if not 0 < hold_seconds < stuck_seconds:
            text = f"it must lie between 0 and stuck_seconds ({stuck_seconds:g}), not {hold_seconds:g}"
            raise DriverConfigError(device, "hold_seconds", text)
        self._device = device
        self._hold_seconds = hold_seconds
        self._stuck_seconds = stuck_seconds
        self._state_by_key = {name: _KeyState() for name in names}
        self._active_keys = set(names)
        """Keys of which a sample that is up may still say something; seldom any."""

    def sample(self, down: Mapping[str, bool], now: float) -> list[DeviceEvent]:
        """Take one sample of every key; `now` is monotonic seconds."""
        events: list[DeviceEvent] = []
        for name, key in self._state_by_key.items():
            if down[name] or name in self._active_keys:
                events += self._sample_key(name, key, down[name], now)
                is_at_rest = key.seen_up and key.debouncer.is_settled_low and key.last_down_at is None
                (self._active_keys.discard if is_at_rest else self._active_keys.add)(name)
        return events

    def _sample_key(self, name: str, key: _KeyState, down: bool, now: float) -> list[DeviceEvent]:
        contact = key.debouncer
        changed = contact.sample(down)
        key.seen_up = key.seen_up or (contact.is_known and not contact.is_settled_high)
        if key.last_down_at is not None:
            return self._wait_for_rest(name, key, down, now)
        if changed and contact.is_high:
            key.down_since, key.reported = now, False
            key.stuck = not key.seen_up
            return [KeyStuck(self._device, name)] if key.stuck else self._report_down_key(name, key, now)
        if changed:
            freed, key.stuck = key.stuck, False
            return [KeyFreed(self._device, name)] if freed else []
        return self._report_down_key(name, key, now) if contact.is_high and not key.stuck else []

    def _wait_for_rest(self, name: str, key: _KeyState, down: bool, now: float) -> list[DeviceEvent]:
        """Mask a key that presses itself until it has been up for `CHATTER_REST_S`."""
        if down:
            key.last_down_at = now
        if key.last_down_at is None or now - key.last_down_at < CHATTER_REST_S:
            return []
        key.last_down_at, key.stuck = None, False
        key.recent_presses.clear()
        return [KeyFreed(self._device, name)]

    def _report_down_key(self, name: str, key: _KeyState, now: float) -> list[DeviceEvent]:
        """Say what a key that is down and not stuck means now."""
        events: list[DeviceEvent] = []
        must_hold = name in self._hold_keys
        if not key.reported and (not must_hold or now - key.down_since >= self._hold_seconds):
            key.reported = True
            if now - key.pressed_at >= MIN_REPRESS_INTERVAL_S:
                events.append(self._report_press(name, key, now))
            key.pressed_at = now
        if not key.stuck and now - key.down_since >= self._stuck_seconds:
            key.stuck = True
            events.append(KeyStuck(self._device, name))
        return events

    def _report_press(self, name: str, key: _KeyState, now: float) -> DeviceEvent:
        """A press, or that the key presses itself and is masked."""
        while key.recent_presses and now - key.recent_presses[0] >= MINUTE_S:
            key.recent_presses.popleft()
        key.recent_presses.append(now)
        if len(key.recent_presses) <= MAX_PRESSES_PER_MINUTE:
            return KeyPressed(self._device, name, held=name in self._hold_keys)
        key.last_down_at, key.stuck = now, True
        return KeyStuck(self._device, name)
