"""A bench with a clock that stands still until told, and signals with just the lamps and gate a test wants."""

from collections.abc import Callable, Iterator

import pytest

from controller.core.protocol.table_display import Lamps
from drivers.contract.driver_interface import Signals
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def bench(clock: ManualClock) -> Iterator[Bench]:
    with Bench(clock=clock) as bench:
        yield bench


@pytest.fixture
def signals() -> Callable[..., Signals]:
    """Make signals from the seats of each role."""

    def make(*, gate_open: bool = False, **lamps: tuple[int, ...]) -> Signals:
        return Signals(Lamps(**lamps), gate_open)

    return make
