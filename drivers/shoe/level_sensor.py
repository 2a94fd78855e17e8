"""A beam or contact on one pin, debounced by the edges that the kernel tells, or by samples where it tells none."""

from dataclasses import dataclass

from drivers.contract.driver_interface import EdgePins, Pins
from drivers.panels.debouncer import Debouncer

MAX_LATE_SAMPLES = 10
"""So many samples in a row that contradict the edges (50 ms), and no edge came: it is lost, and the level counts."""

MAX_PROMPT_GAP_S = 0.0075
"""A sample that comes later after the one before was held up, and so may be the thread that brings the edges."""

FLOOD_REST_S = 1.0
"""A flood of edges is told once, until none has been missed for so long."""


@dataclass(frozen=True, slots=True)
class LevelChange:
    """The level is believed to be another from `at` on, in monotonic seconds."""

    is_active: bool
    at: float


class EdgeDebouncer:
    """A level that changes only when it has been so for `settle_s` more than otherwise, by edges with their time.

    It is the `Debouncer` of infinitely many samples: time at one level counts up, at the other down, between 0 and
    `settle_s`, and the belief changes at either end. So neither a bounce nor a lamp's flicker is a change.
    """

    def __init__(self, settle_s: float) -> None:
        """Start at the low end."""
        self._settle_s = settle_s
        self._counted_s = 0.0
        self._at = float("-inf")
        self.level = False
        """The level since the last edge."""
        self.is_high = False
        """The level that is believed."""

    def apply_edge(self, level: bool, at: float) -> LevelChange | None:
        """Take an edge; return what is believed anew by what was before it."""
        change = self.settle(at)
        if at > self._at:
            elapsed_s = at - self._at
            moved_s = self._counted_s + (elapsed_s if self.level else -elapsed_s)
            self._counted_s = min(max(moved_s, 0.0), self._settle_s)
            self._at = at
        self.level = level
        return change

    def settle(self, now: float) -> LevelChange | None:
        """Let the level last until `now`; return what is believed anew. Edges that come later may still be older."""
        missing_s = self._settle_s - self._counted_s if self.level else self._counted_s
        if self.level == self.is_high or now - self._at < missing_s:
            return None
        self.is_high = self.level
        self._counted_s = self._settle_s if self.level else 0.0
        self._at += missing_s
        return LevelChange(self.is_high, self._at)


class LevelSensor:
    """Whether `pin` is at its active level.

    With edges it is believed after `settle_s`, however late they are taken; the level says how it stands at the start,
    and after an edge was lost. Without them it is believed after `settle_samples`.
    """

    def __init__(self, pin: int, active_level: bool, *, settle_s: float, settle_samples: int) -> None:
        self.pin = pin
        self._active_level = active_level
        self._by_edges = EdgeDebouncer(settle_s)
        self._by_samples = Debouncer(settle_samples)
        self.is_watched = False
        """Whether the edges of its pin are kept, since it was started."""
        self._is_first = True
        self._late_samples = 0
        self._last_level = False
        self._sampled_at = float("-inf")
        self._flooded_until = float("-inf")

    @property
    def is_active(self) -> bool:
        """What is believed."""
        return self._by_edges.is_high if self.is_watched else self._by_samples.is_high

    @property
    def is_resting_active(self) -> bool:
        """Whether it is believed, and nothing contradicts it at this moment."""
        return self.is_active and self._last_level

    def start(self, pins: Pins, *, pull_up: bool) -> None:
        """Make the pin an input, and have its edges kept where that can be had."""
        pins.setup_input(self.pin, pull_up=pull_up)
        self.is_watched = isinstance(pins, EdgePins) and pins.watch_edges(self.pin)

    def sample(self, pins: Pins, now: float) -> tuple[list[LevelChange], bool]:
        """Look at the pin; return what is believed anew, in its order, and whether a flood began that is to be told."""
        if not self.is_watched:
            self._last_level = pins.read(self.pin) == self._active_level
            changed = self._by_samples.sample(self._last_level)
            return ([LevelChange(self._by_samples.is_high, now)] if changed else []), False
        assert isinstance(pins, EdgePins)
        batch = pins.take_edges(self.pin)
        self._last_level = level = pins.read(self.pin) == self._active_level
        edges = [(edge.is_high == self._active_level, edge.at) for edge in batch.edges]
        if batch.has_overflowed or (self._is_first and not edges):
            edges = [(level, now)]
        elif edges or level == self._by_edges.level:
            self._late_samples = 0
        else:
            self._late_samples += 1
            if self._late_samples > MAX_LATE_SAMPLES:
                edges = [(level, now)]
        self._is_first = False
        changes = [self._by_edges.apply_edge(*edge) for edge in edges]
        before, self._sampled_at = self._sampled_at, now
        if level == self._by_edges.level:  # else an edge is on its way, and silence means nothing
            changes.append(self._by_edges.settle(now if now - before <= MAX_PROMPT_GAP_S else before))
        is_new_flood = batch.has_overflowed and now >= self._flooded_until
        if batch.has_overflowed:
            self._flooded_until = now + FLOOD_REST_S
        return [change for change in changes if change is not None], is_new_flood
