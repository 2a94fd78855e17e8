"""The plan of a hand: the physical steps that must now happen, in order."""

from typing import Self, TypeVar, overload

from controller.core.protocol.steps import BoardStep, BurnStep, DealStep, DiscardStep, PlannedStep, Step
from controller.core.values.value import replace

A = TypeVar("A", bound=PlannedStep)
B = TypeVar("B", bound=PlannedStep)


class Plan(tuple[Step, ...]):
    """The steps still to come, the first due now, with the verbs by which play and remedies rewrite it.

    It is a value: each verb gives a new plan. Where a verb takes a step of the plan, it means that very one.
    """

    __slots__ = ()

    @property
    def next_step(self) -> Step | None:
        """The first step, which must happen now."""
        return self[0] if self else None

    def next_step_if(self, kind: type[A]) -> A | None:
        """The first step, where it is of this kind."""
        if self:
            step = self[0]
            if isinstance(step, kind):
                return step
        return None

    def has_step(self, *kinds: type[PlannedStep]) -> bool:
        """Whether a step of one of these kinds is still to come."""
        return any(isinstance(step, kinds) for step in self)

    @overload
    def steps_of_type(self, kind: type[A], /) -> tuple[A, ...]: ...
    @overload
    def steps_of_type(self, kind: type[A], other: type[B], /) -> tuple[A | B, ...]: ...
    def steps_of_type(self, *kinds: type[PlannedStep]) -> tuple[PlannedStep, ...]:
        """The steps of one kind, or of two."""
        return tuple(step for step in self if isinstance(step, kinds))

    def find_step(self, kind: type[A]) -> A | None:
        """The first of the steps of a kind."""
        for step in self:
            if isinstance(step, kind):
                return step
        return None

    def find_step_before(self, kind: type[A], end: type[PlannedStep]) -> A | None:
        """The first of the steps of a kind that comes before any of kind `end`."""
        for step in self:
            if isinstance(step, kind):
                return step
            if isinstance(step, end):
                return None
        return None

    def prepend(self, *steps: Step) -> Self:
        """Put steps before all others: they are due at once."""
        return type(self)((*steps, *self))

    def append(self, *steps: Step) -> Self:
        """Put steps after all others."""
        return type(self)((*self, *steps))

    def insert_before(self, step: Step | None, *steps: Step) -> Self:
        """Insert steps before one of the plan; without it they come last."""
        place = len(self) if step is None else self._find_index(step)
        return type(self)((*self[:place], *steps, *self[place:]))

    def drop_first(self) -> Self:
        """The plan once its first step has happened."""
        return type(self)(self[1:])

    def drop_last(self) -> Self:
        """The plan without its last step."""
        return type(self)(self[:-1])

    def drop_types(self, *kinds: type[PlannedStep]) -> Self:
        """The plan without the steps of these kinds."""
        return type(self)([step for step in self if not isinstance(step, kinds)])

    def drop_steps(self, *steps: PlannedStep) -> Self:
        """The plan without these steps of it."""
        return type(self)(step for step in self if not any(step is each for each in steps))

    def replace_step(self, step: PlannedStep, *by: Step) -> Self:
        """Put these steps in the place of one, which falls away."""
        place = self._find_index(step)
        return type(self)((*self[:place], *by, *self[place + 1 :]))

    def replace_all(self, *steps: Step) -> Self:
        """Put these steps in the place of all."""
        return type(self)(steps)

    def use_cards(self, step: PlannedStep, cards: int = 1) -> Self:
        """The plan once so many cards have left the shoe for a step, which may want more."""
        match step:
            case BoardStep(count=n) if n > cards:
                return self.replace_step(step, step.reduce(cards))
            case DiscardStep(count=count) if count > cards:
                return self.replace_step(step, replace(step, count=count - cards))
            case _:
                return self.drop_first() if self[0] is step else self.replace_step(step)

    def repeat_step(self, step: DealStep | BurnStep | BoardStep, *, after_ruled: bool = False) -> Self:
        """A card is due once more for a step, first or behind the `ruled` ones; it joins its street's board cards."""
        following = self.next_step if not after_ruled else next((each for each in self if not each.is_ruled), None)
        if isinstance(step, BoardStep):
            if isinstance(following, BoardStep) and following.street_index == step.street_index:
                return self.replace_step(following, replace(following, count=following.count + 1))
            step = replace(step, count=1)
        return self.prepend(step) if following is self.next_step else self.insert_before(following, step)

    def split_at(self, step: PlannedStep) -> tuple[Self, Self]:
        """What comes before a step, and the rest from it on."""
        place = self._find_index(step)
        return type(self)(self[:place]), type(self)(self[place:])

    def _find_index(self, step: PlannedStep) -> int:
        return [each is step for each in self].index(True)


NO_STEPS = Plan()
