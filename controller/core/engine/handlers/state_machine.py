"""Rows of a state machine, held by `transitions`; the only module that imports it.

A `TransitionRow` says which event may come in which phases, what is then done, and into which phases it may lead. The
work runs before anything moves; then the region moves to where the work arrived. An exception of the work, or an
arrival that no row declares, leaves everything as it was. `transitions` holds the rows and says which moves they
declare; it is asked once, because to trigger it costs 14 % of an event (`make bench`). Work that stays in its phase is
no transition.
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


class TransitionRow(Value, Generic[P, W]):
    """`event_name` (a name) in one of `phases` does `handler` and leads to one of `next_phases`."""

    event_name: str
    phases: tuple[P, ...]
    handler: W
    next_phases: tuple[P, ...]


class UndeclaredTransitionError(AssertionError):
    """Work arrived at a phase that its row does not declare: a mistake in the rows."""


class TransitionTable(Generic[P, W]):
    """A table of rows as one `transitions` machine, which any number of regions share: it holds no state of its own."""

    def __init__(self, rows: Iterable[TransitionRow[P, W]], phases: type[P]) -> None:
        """Build the machine; every row's phases become transitions."""
        self.handlers: dict[tuple[str, P], W] = {}
        self.self_transitions: set[tuple[str, P]] = set()
        self.machine = Machine(model=None, states=phases, initial=None, auto_transitions=False, model_attribute="phase")
        for row in rows:
            for phase in row.phases:
                assert (row.event_name, phase) not in self.handlers, f"two rows for {row.event_name} in {phase}"
                self.handlers[row.event_name, phase] = row.handler
                for dest in row.next_phases:
                    if dest is phase:
                        self.self_transitions.add((row.event_name, phase))
                    else:
                        self.machine.add_transition(row.event_name, phase, dest)
        self.transitions = frozenset(
            (name, phases[source], phases[move.dest])
            for name, event in self.machine.events.items()
            for source, moves in event.transitions.items()
            for move in moves
            if move.dest is not None
        )
        """What `transitions` holds: event, phase, the phase that it leads to."""


class Region(Generic[P, W]):
    """Where one concern stands among its phases."""

    def __init__(self, rows: TransitionTable[P, W], initial: P) -> None:
        """Stand at `initial`."""
        self.rows = rows
        self.phase = initial

    def move_to(self, event: str, arrived: P) -> None:
        """Move to where an event's handler has arrived; raises `UndeclaredTransitionError` where no row leads there."""
        move = (event, arrived) if arrived is self.phase else (event, self.phase, arrived)
        if move not in self.rows.self_transitions and move not in self.rows.transitions:
            raise UndeclaredTransitionError(f"{event} in {self.phase} arrived at {arrived}, which no row declares")
        self.phase = arrived
