"""A bench with a clock that stands still until told, and signals with just the lamps and gate a test wants."""

from collections.abc import Callable, Iterator

import pytest

from controller.core.protocol.display import Lamps
from drivers.contract.base import Signals
from drivers.sim.bench.bench import Bench
from drivers.sim.bench.clock import HandClock


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def bench(clock: HandClock) -> Iterator[Bench]:
    with Bench(clock=clock) as bench:
        yield bench


@pytest.fixture
def signals() -> Callable[..., Signals]:
    """Make signals from the seats of each role."""

    def make(*, gate_open: bool = False, **lamps: tuple[int, ...]) -> Signals:
        return Signals(Lamps(**lamps), gate_open)

    return make
