"""Rows of a state machine, run by `transitions`; the only module that imports it.

A `Row` says which event may come in which phases, what is then done, and into which phases it may lead. The work runs
before anything moves: `transitions` calls it once an event, then takes the one destination that the work arrived at. An
exception of the work, or an arrival that no row declares, leaves everything as it was.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from transitions import EventData, Machine

P = TypeVar("P", bound=Enum)
W = TypeVar("W")

logging.getLogger("transitions").setLevel(logging.WARNING)


@dataclass(frozen=True, slots=True)
class Row(Generic[P, W]):
    """`event` (a name) in one of `phases` does `then` and leads to one of `to`."""

    event: str
    phases: tuple[P, ...]
    then: W
    to: tuple[P, ...]


class Undeclared(AssertionError):
    """Work arrived at a phase that its row does not declare: a mistake in the rows."""


class Rows(Generic[P, W]):
    """A table of rows as one `transitions` machine, which any number of regions share: it holds no state of its own."""

    def __init__(self, rows: Iterable[Row[P, W]], phases: type[P]) -> None:
        """Build the machine; every row's phases become transitions."""
        self.works: dict[tuple[str, P], W] = {}
        self.machine = Machine(
            model=None,
            states=phases,
            initial=None,
            auto_transitions=False,
            send_event=True,
            model_attribute="phase",
            prepare_event=[_run],
        )
        arrivals = {phase: _leads_to(phase) for phase in phases}
        for row in rows:
            for phase in row.phases:
                assert (row.event, phase) not in self.works, f"two rows for {row.event} in {phase}"
                self.works[row.event, phase] = row.then
                # The likeliest arrival first: most events leave the table in the phase that they found.
                for dest in sorted(row.to, key=lambda to: to is not phase):
                    stays = dest is phase
                    self.machine.add_transition(
                        row.event, phase, None if stays else dest, conditions=[arrivals[dest]]
                    )


class Region(Generic[P, W]):
    """Where one concern stands among its phases."""

    def __init__(self, rows: Rows[P, W], initial: P) -> None:
        """Stand at `initial`."""
        self.rows = rows
        self.phase = initial
        self.arrived = initial
        self.work: Callable[[], P] = lambda: self.phase

    def take(self, event: str, work: Callable[[], P]) -> None:
        """Run `work`, which says at which phase it arrives, and move there."""
        self.work = work
        if not self.rows.machine.events[event].trigger(self):
            raise Undeclared(f"{event} in {self.phase} arrived at {self.arrived}, which no row declares")


def _run(data: EventData) -> None:
    """Do the work of the event, once, before any destination is tried."""
    region: Region[Enum, object] = data.model
    region.arrived = region.work()


def _leads_to(dest: Enum) -> Callable[[EventData], bool]:
    def arrived(data: EventData) -> bool:
        return data.model.arrived is dest  # type: ignore[no-any-return]  # transitions has no types

    return arrived
