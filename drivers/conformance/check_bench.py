"""The bench of a check: far ends, and a time that only the check moves."""

from collections.abc import Iterator
from contextlib import contextmanager

from controller.core.protocol.table_display import Lamps
from drivers.contract.driver_interface import Signals
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock


@contextmanager
def open_bench() -> Iterator[tuple[Bench, ManualClock]]:
    """A bench whose time only the check moves."""
    clock = ManualClock()
    with Bench(clock=clock) as bench:
        yield bench, clock


def make_signals(*, gate_open: bool = False, **lamps: tuple[int, ...]) -> Signals:
    """What a table shows with these lamps."""
    return Signals(Lamps(**lamps), gate_open)
