"""Rows of a state machine, run by `transitions`; the only module that imports it.

A `Row` says which event may come in which phases, what is then done, and into which phases it may lead. The work runs
before anything moves; `transitions` then takes the one destination that the work arrived at. An exception of the work,
or an arrival that no row declares, leaves everything as it was. Work that stays in its phase is no transition: most
events are such, and an event must stay cheap.
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
        self.stays: set[tuple[str, P]] = set()
        self.machine = Machine(
            model=None, states=phases, initial=None, auto_transitions=False, send_event=True, model_attribute="phase"
        )
        arrivals = {phase: _leads_to(phase) for phase in phases}
        for row in rows:
            for phase in row.phases:
                assert (row.event, phase) not in self.works, f"two rows for {row.event} in {phase}"
                self.works[row.event, phase] = row.then
                for dest in row.to:
                    if dest is phase:
                        self.stays.add((row.event, phase))
                    else:
                        self.machine.add_transition(row.event, phase, dest, conditions=[arrivals[dest]])


class Region(Generic[P, W]):
    """Where one concern stands among its phases."""

    def __init__(self, rows: Rows[P, W], initial: P) -> None:
        """Stand at `initial`."""
        self.rows = rows
        self.phase = initial
        self.arrived = initial

    def take(self, event: str, work: Callable[[], P]) -> None:
        """Run `work`, which says at which phase it arrives, and move there."""
        arrived = work()
        if arrived is self.phase:
            declared = (event, arrived) in self.rows.stays
        else:
            self.arrived = arrived
            moves = self.rows.machine.events.get(event)
            declared = moves is not None and self.phase.name in moves.transitions and moves.trigger(self)
        if not declared:
            raise Undeclared(f"{event} in {self.phase} arrived at {arrived}, which no row declares")


def _leads_to(dest: Enum) -> Callable[[EventData], bool]:
    def arrived(data: EventData) -> bool:
        return getattr(data.model, "arrived", None) is dest

    return arrived
