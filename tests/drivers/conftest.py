"""A bench with a clock that stands still until told, and outcomes with just the lamps and gate a test wants."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.core.model.outcome import Outcome
from controller.core.protocol.display import Lamps
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
def outcome() -> Callable[..., Outcome]:
    """Make an outcome of which only lamps and gate matter."""

    def make(*, gate_open: bool = False, **lamps: tuple[int, ...]) -> Outcome:
        shown = Lamps(**lamps)
        return Outcome(cast(Any, SimpleNamespace(lamps=lambda: shown, gate_open=gate_open)))

    return make
