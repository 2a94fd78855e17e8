"""Bit errors, drops, duplicates, splits: no event lost, none twice, none invented."""

import pytest

from tests.wire.bench import SimulatorEnd
from tests.wire.campaign import campaign


@pytest.mark.parametrize("bit_errors", [1e-4, 1e-3])
def test_every_key_arrives_once(bit_errors: float) -> None:
    bench = campaign(SimulatorEnd(), bit_errors, events=3_000)
    assert bench.link.counters.resent > 0
    assert bench.link.counters.noise > 0


def test_a_line_with_one_wrong_bit_in_ten_thousand_never_goes_down() -> None:
    assert campaign(SimulatorEnd(), 1e-4, events=3_000, seed=7).link.counters.downs == 0


@pytest.mark.slow
@pytest.mark.parametrize("bit_errors", [1e-4, 1e-3])
def test_every_one_of_a_hundred_thousand(bit_errors: float) -> None:
    """More than the event numbers' 16 bits: they wrap on the way."""
    bench = campaign(SimulatorEnd(), bit_errors, events=100_000, seed=11)
    assert bench.link.counters.events >= 100_000
