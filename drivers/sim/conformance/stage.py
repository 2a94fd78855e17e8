"""The bench of a check: far ends, and a time that only the check moves."""

from collections.abc import Iterator
from contextlib import contextmanager

from controller.core.protocol.display import Lamps
from drivers.contract.base import (
    Signals,
)
from drivers.sim.bench.bench import Bench
from drivers.sim.bench.clock import HandClock


@contextmanager
def on_the_bench() -> Iterator[tuple[Bench, HandClock]]:
    """A bench whose time only the check moves."""
    clock = HandClock()
    with Bench(clock=clock) as bench:
        yield bench, clock


def signals_of(*, gate_open: bool = False, **lamps: tuple[int, ...]) -> Signals:
    """What a table shows with these lamps."""
    return Signals(Lamps(**lamps), gate_open)
