"""What has a life moves by rows, which `transitions` holds and drives; the only module of the core that imports it.

A `TransitionRow` leads from a stage to a stage when all its conditions hold, and does its work on the model. The first
row that holds is taken. Conditions only look; work rewrites facts of the model only. A machine holds no state: whatever
has a `stage` can be its model. A move without a row is a mistake of ours: it raises `UndeclaredTransitionError`.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar, cast

from transitions import Event, Machine, Transition

from controller.core.values.value import Value

S = TypeVar("S", bound=Enum)

logging.getLogger("transitions").setLevel(logging.WARNING)


class StagedModel(Protocol):
    """What a machine moves: it says at which stage it is, and is told to which it has come."""

    stage: Any


M = TypeVar("M", bound=StagedModel)


class UndeclaredTransitionError(AssertionError):
    """A move that no row declares: a mistake of ours."""


class TransitionRow(Value, Generic[S, M]):
    """From `source` to `destination`, where `conditions` hold, by `work`; the same stage twice: it stays there."""

    source: S
    destination: S
    conditions: tuple[Callable[[M], bool], ...] = ()
    work: tuple[Callable[[M], None], ...] = ()


class _Move(Transition):
    """A row as the library holds it; it runs without the library's logging and call-backs, which cost more than it."""

    row: TransitionRow[Any, Any]

    def lead(self, model: StagedModel) -> bool:
        """Do the work and arrive, where the conditions hold; whether they do."""
        row = self.row
        for condition in row.conditions:
            if not condition(model):
                return False
        for work in row.work:
            work(model)
        model.stage = row.destination
        return True


class _Trigger(Event):
    """Takes the first row that holds, and calls nothing back before, after or on an error: there is none to call."""

    def trigger(self, model: StagedModel) -> Enum | None:  # type: ignore[override]  # where it leads, for a bool
        moves = cast("list[_Move]", self.transitions.get(model.stage.name, ()))
        return next((move.row.destination for move in moves if move.lead(model)), None)


class StateMachine(Machine, Generic[S, M]):
    """Rows as one machine for any number of models; each answers to the trigger under which it stands."""

    transition_cls = _Move
    event_cls = _Trigger

    def __init__(self, rows_by_trigger: Mapping[str, Iterable[TransitionRow[S, M]]], stages: type[S]) -> None:
        """Take the rows of a trigger and a stage in their order."""
        super().__init__(model=None, states=stages, initial=None, auto_transitions=False, model_attribute="stage")
        for trigger, rows in rows_by_trigger.items():
            for row in rows:
                self.add_transition(trigger, row.source, row.destination)
                cast("_Move", self.events[trigger].transitions[row.source.name][-1]).row = row

    def move(self, model: M, trigger: str) -> S:
        """Take the first row of the trigger and the model's stage that holds, and return the stage to which it leads.

        Raises `UndeclaredTransitionError` where none does.
        """
        arrived: Any = self.events[trigger].trigger(model)
        if arrived is None:
            raise UndeclaredTransitionError(f"no row leads on from {model.stage} by {trigger}")
        return cast("S", arrived)
