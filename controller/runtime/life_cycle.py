"""What has a life outside the core: a table of rows, run by `transitions`; the only module here that imports it.

A `Move` says what may happen in which state, where that leads and what it tells. A subject (anything with a `state`)
is moved by `LifeCycle.move`; its life holds no state of its own, so any number of subjects share it. Where no row
leads on, the move is refused and the subject stays as it was: this is checked here and nowhere else.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from transitions import EventData, Machine, MachineError, Transition

S = TypeVar("S", bound=Enum)
T = TypeVar("T")

logging.getLogger("transitions").setLevel(logging.WARNING)


@dataclass(frozen=True, slots=True)
class Move(Generic[S, T]):
    """A row: `trigger` in the state `source` leads to `dest`.

    `condition` names the question that the subject must answer with yes, with what the trigger was given; among rows
    of the same trigger and source the first that holds is taken. `tells` is what comes of it.
    """

    trigger: str
    source: S
    dest: S
    condition: str = ""
    tells: T | None = None


class Subject(Protocol[S]):
    """What has a life."""

    state: S


class UndeclaredMoveError(AssertionError):
    """No row leads on from here: a mistake of the program."""


class _MoveTransition(Transition):
    """A row as the library runs it; without its call-backs and log lines, which cost more than the move itself."""

    def __init__(self, *parts: Any, row: Move[Any, Any]) -> None:  # noqa: ANN401 - the library's
        super().__init__(*parts)
        self.row = row

    def execute(self, event_data: EventData) -> bool:
        """Move the model if the row's condition holds."""
        row, model = self.row, event_data.model
        if row.condition and not getattr(model, row.condition)(*event_data.args):
            return False
        setattr(model, event_data.machine.model_attribute, row.dest)
        event_data.kwargs["told"].append(row.tells)
        return True


class _MoveMachine(Machine):
    transition_cls = _MoveTransition


class LifeCycle(Generic[S, T]):
    """The rows of one kind of life."""

    def __init__(self, moves: Iterable[Move[S, T]], states: type[S]) -> None:
        self.moves, self.states = tuple(moves), tuple(states)
        self._machine = _MoveMachine(model=None, states=states, initial=None, auto_transitions=False)
        for row in self.moves:
            self._machine.add_transition(row.trigger, row.source, row.dest, conditions=row.condition or None, row=row)

    def move(self, subject: Subject[S], trigger: str, *given: object) -> T | None:
        """Let `trigger` happen to a subject; return what its row tells.

        Raises `UndeclaredMoveError` where no row leads on; the subject is as before then.
        """
        event = self._machine.events.get(trigger)
        told: list[T | None] = []
        try:
            moved = event is not None and event.trigger(subject, *given, told=told)
        except MachineError:
            moved = False
        if not moved:
            raise UndeclaredMoveError(f"{trigger} in {subject.state}, for which there is no row")
        return told[0]
