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


class Region(Generic[P, W]):
    """A flat machine over `rows`; `phase` is where it stands."""

    def __init__(self, rows: Iterable[Row[P, W]], initial: P) -> None:
        """Build the machine; every row's phases become transitions."""
        self.works: dict[tuple[str, P], W] = {}
        self.phase = initial
        self._arrived: P = initial
        self._work: Callable[[], P] = lambda: self.phase
        self.machine = Machine(
            model=self,
            states=type(initial),
            initial=initial,
            auto_transitions=False,
            send_event=True,
            model_attribute="phase",
            prepare_event=[self._run],
        )
        for row in rows:
            for phase in row.phases:
                assert (row.event, phase) not in self.works, f"two rows for {row.event} in {phase}"
                self.works[row.event, phase] = row.then
                for dest in row.to:
                    self.machine.add_transition(row.event, phase, dest, conditions=[self._leads_to(dest)])

    def take(self, event: str, work: Callable[[], P]) -> None:
        """Run `work`, which says at which phase it arrives, and move there."""
        self._work = work
        if not self.machine.events[event].trigger(self):
            raise Undeclared(f"{event} in {self.phase} arrived at {self._arrived}, which no row declares")

    def _run(self, data: EventData) -> None:  # noqa: ARG002 (called by transitions)
        self._arrived = self._work()

    def _leads_to(self, dest: P) -> Callable[[EventData], bool]:
        def arrived(data: EventData) -> bool:  # noqa: ARG001 (called by transitions)
            return self._arrived is dest

        return arrived
