"""What a set of keys says, from sampled levels: debounced presses, long presses, stuck keys.

Contacts bounce, usually for less than 5 ms, and long cables pick up spikes. So edges are not believed: a key has
changed when `SETTLED` samples more say so than not (20 ms at the rate of `drivers.contract.base.SAMPLE_SECONDS`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from drivers.contract.base import DeviceEvent, KeyFreed, KeyPressed, KeyStuck
from drivers.contract.errors import DriverConfigError
from drivers.panels.debounce import Debounced

SETTLED = 4
"""How many more samples must say "down" than "up" for a key to be down, and the other way round."""

REPRESS_SECONDS = 0.2
"""A second press of a key this soon after the first is a trembling finger."""

HOLD_SECONDS = 0.8
"""How long a key that must be held is held, unless configured."""

STUCK_SECONDS = 10.0
"""A key down longer than this is stuck, unless configured."""


@dataclass(slots=True)
class _Key:
    contact: Debounced = field(default_factory=lambda: Debounced(SETTLED))
    seen_up: bool = False
    stuck: bool = False
    told: bool = False
    down_since: float = 0.0
    pressed_at: float = float("-inf")


class Keys:
    """Debounces named keys and tells presses from long presses and from stuck keys.

    A key in `hold` is reported only when it has been down for `hold_seconds`. A key that is down from the start, or
    for `stuck_seconds`, is stuck and says nothing more until it comes up.
    """

    def __init__(
        self,
        device: str,
        names: Sequence[str],
        *,
        hold: Sequence[str] = (),
        hold_seconds: float = HOLD_SECONDS,
        stuck_seconds: float = STUCK_SECONDS,
    ) -> None:
        for name in hold:
            if name not in names:
                raise DriverConfigError(device, "hold", f"there is no key {name!r}; there are {', '.join(names)}")
        if not 0 < hold_seconds < stuck_seconds:
            text = f"it must lie between 0 and stuck_seconds ({stuck_seconds:g}), not {hold_seconds:g}"
            raise DriverConfigError(device, "hold_seconds", text)
        self._device = device
        self._hold = frozenset(hold)
        self._hold_seconds = hold_seconds
        self._stuck_seconds = stuck_seconds
        self._keys = {name: _Key() for name in names}
        self._moving = set(names)
        """Keys of which a sample that is up may still say something; seldom any."""

    def sampled(self, down: Mapping[str, bool], now: float) -> list[DeviceEvent]:
        """Take one sample of every key; `now` is monotonic seconds."""
        events: list[DeviceEvent] = []
        for name, key in self._keys.items():
            if down[name] or name in self._moving:
                events += self._sampled(name, key, down[name], now)
                (self._moving.discard if key.seen_up and key.contact.rests_low else self._moving.add)(name)
        return events

    def _sampled(self, name: str, key: _Key, down: bool, now: float) -> list[DeviceEvent]:
        contact = key.contact
        changed = contact.sampled(down)
        key.seen_up = key.seen_up or (contact.known and not contact.sure_high)
        if changed and contact.high:
            key.down_since, key.told = now, False
            key.stuck = not key.seen_up
            return [KeyStuck(self._device, name)] if key.stuck else self._held_down(name, key, now)
        if changed:
            freed, key.stuck = key.stuck, False
            return [KeyFreed(self._device, name)] if freed else []
        return self._held_down(name, key, now) if contact.high and not key.stuck else []

    def _held_down(self, name: str, key: _Key, now: float) -> list[DeviceEvent]:
        """Say what a key that is down and not stuck means now."""
        events: list[DeviceEvent] = []
        must_hold = name in self._hold
        if not key.told and (not must_hold or now - key.down_since >= self._hold_seconds):
            key.told = True
            if now - key.pressed_at >= REPRESS_SECONDS:
                events.append(KeyPressed(self._device, name, held=must_hold))
            key.pressed_at = now
        if now - key.down_since >= self._stuck_seconds:
            key.stuck = True
            events.append(KeyStuck(self._device, name))
        return events
