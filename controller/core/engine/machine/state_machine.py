"""Rows of a state machine, held by `transitions`; the only module that imports it.

A `Row` says which event may come in which phases, what is then done, and into which phases it may lead. The work runs
before anything moves; then the region moves to where the work arrived. An exception of the work, or an arrival that no
row declares, leaves everything as it was. `transitions` holds the rows and says which moves they declare; it is asked
once, because to trigger it costs 14 % of an event (`make bench`). Work that stays in its phase is no transition.
"""

import logging
from collections.abc import Iterable
from enum import Enum
from typing import Generic, TypeVar

from transitions import Machine

from controller.core.values.value import Value

P = TypeVar("P", bound=Enum)
W = TypeVar("W")

logging.getLogger("transitions").setLevel(logging.WARNING)


class Row(Value, Generic[P, W]):
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
        self.machine = Machine(model=None, states=phases, initial=None, auto_transitions=False, model_attribute="phase")
        for row in rows:
            for phase in row.phases:
                assert (row.event, phase) not in self.works, f"two rows for {row.event} in {phase}"
                self.works[row.event, phase] = row.then
                for dest in row.to:
                    if dest is phase:
                        self.stays.add((row.event, phase))
                    else:
                        self.machine.add_transition(row.event, phase, dest)
        self.moves = frozenset(
            (name, phases[source], phases[move.dest])
            for name, event in self.machine.events.items()
            for source, moves in event.transitions.items()
            for move in moves
            if move.dest is not None
        )
        """What `transitions` holds: event, phase, the phase that it leads to."""


class Region(Generic[P, W]):
    """Where one concern stands among its phases."""

    def __init__(self, rows: Rows[P, W], initial: P) -> None:
        """Stand at `initial`."""
        self.rows = rows
        self.phase = initial

    def take(self, event: str, arrived: P) -> None:
        """Move to where the work of an event has arrived; raises `Undeclared` where no row leads there."""
        move = (event, arrived) if arrived is self.phase else (event, self.phase, arrived)
        if move not in self.rows.stays and move not in self.rows.moves:
            raise Undeclared(f"{event} in {self.phase} arrived at {arrived}, which no row declares")
        self.phase = arrived
