"""Is one table slower than another that played beside it? By turns, a round each, so that both meet the same moments.

A p99 of a busy machine is chance for the most part. How much of it is, the rounds tell: they are drawn anew, with
repetition, many times over (the bootstrap), and what holds in nineteen of twenty draws is beyond doubt.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles

DRAWS = 400
DOUBT = DRAWS // 20

Round = tuple[Sequence[float], Sequence[float]]
"""Samples of the old table and of the young one, in seconds."""


@dataclass(frozen=True, slots=True)
class Slower:
    """By which factor the old table's p99 is that of the young one: as measured, and at least, beyond doubt."""

    measured: float
    at_least: float


def compare(rounds: Sequence[Round]) -> Slower:
    """Compare the p99s of all rounds."""
    chance = random.Random(len(rounds))
    drawn = sorted(_ratio(chance.choices(rounds, k=len(rounds))) for _ in range(DRAWS))
    return Slower(round(_ratio(rounds), 3), round(drawn[DOUBT], 3))


def at_99(samples: Sequence[float]) -> float:
    """Return the p99; 0 where there are no samples."""
    return quantiles(samples, n=100, method="inclusive")[98] if len(samples) > 1 else (*samples, 0.0)[0]


def _ratio(rounds: Sequence[Round]) -> float:
    old = at_99([sample for each in rounds for sample in each[0]])
    young = at_99([sample for each in rounds for sample in each[1]])
    return old / young if young else 1.0
