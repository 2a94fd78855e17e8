"""Is a table slower beside something than without it? Told from pairs of turns, with what chance may have done.

Both turns of a pair meet the same moments of the machine, in an order that is drawn. The pairs are drawn anew, with
repetition, many times over (the bootstrap): between `low` and `high` lie nineteen of twenty of the medians.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import median

LIMIT = 1.1
"""So many times as long an entry may take beside something."""

WIDEST = 0.15
"""An interval wider than this says nothing about a limit of a tenth."""

DRAWS = 1000
MIN_PAIRS = 20
"""Pairs; of fewer the bootstrap says too little."""

Pair = tuple[Sequence[float], Sequence[float]]
"""What the entries of a turn took without it, and the same entries beside it, in order and in seconds."""


@dataclass(frozen=True, slots=True)
class SlowdownEstimate:
    """How many times as long an entry takes beside it: the median of the pairs, and where it lies beyond doubt."""

    measured: float
    low: float
    high: float
    pairs: int

    @property
    def slower(self) -> bool:
        """Whether it is slower than it may be, beyond doubt."""
        return self.low > LIMIT

    @property
    def can_tell(self) -> bool:
        """Whether the interval is narrow enough to say anything."""
        return self.pairs >= MIN_PAIRS and self.high - self.low <= WIDEST

    def __str__(self) -> str:
        verdict = f"SLOWER than {LIMIT}" if self.slower else "" if self.can_tell else "CANNOT TELL"
        return f"{self.measured:.3f} ({self.low:.3f} to {self.high:.3f}, {self.pairs} pairs) {verdict}".rstrip()


def estimate_slowdown(pairs: Sequence[Pair]) -> SlowdownEstimate:
    """Tell from the pairs; the same pairs always tell the same."""
    chance = random.Random(len(pairs))
    ratios = [median(log(one / other) for other, one in zip(*pair, strict=True)) for pair in pairs]
    drawn = sorted(median(chance.choices(ratios, k=len(ratios))) for _ in range(DRAWS))
    low, high = drawn[DRAWS // 40], drawn[-DRAWS // 40 - 1]
    measured, low, high = (round(exp(value), 3) for value in (median(ratios), low, high))
    return SlowdownEstimate(measured, low, high, len(pairs))
