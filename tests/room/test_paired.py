"""What is told of a table beside its uplink, from turns as a busy machine has them."""

import random

import pytest

from tests.room.paired import MIN_PAIRS, Pair, estimate_slowdown

ENTRIES = 20


def turns(seed: int, factor: float, pairs: int = 40, noise: float = 0.1) -> list[Pair]:
    """Pairs on a machine whose pace changes from turn to turn, and which stalls now and then."""
    chance = random.Random(seed)

    def turn(factor: float) -> list[float]:
        pace = chance.lognormvariate(0.0, noise)
        return [
            factor * pace * (0.001 + 0.002 * (place % 3)) * chance.uniform(0.9, 1.1)
            + (0.02 if chance.random() < 0.1 else 0.0)
            for place in range(ENTRIES)
        ]

    return [(turn(1.0), turn(factor)) for _ in range(pairs)]


@pytest.mark.parametrize("seed", range(20))
def test_a_table_that_is_as_fast_as_before_passes_on_a_busy_machine(seed: int) -> None:
    found = estimate_slowdown(turns(seed, 1.0, pairs=60))
    assert not found.slower
    assert found.can_tell, found


@pytest.mark.parametrize("seed", range(20))
def test_a_table_that_is_a_fifth_slower_is_found_on_a_busy_machine(seed: int) -> None:
    assert estimate_slowdown(turns(seed, 1.2, pairs=60, noise=0.07)).slower


def test_on_a_machine_that_is_too_busy_it_says_that_it_cannot_tell() -> None:
    wild = estimate_slowdown(turns(1, 1.0, noise=0.6))
    assert not wild.can_tell
    assert str(wild).endswith("CANNOT TELL")
    assert not estimate_slowdown(turns(1, 1.0, pairs=MIN_PAIRS - 1)).can_tell, "nor of a few pairs"
    assert estimate_slowdown(turns(1, 3.0, noise=0.6)).slower, "what is beyond doubt is said all the same"
