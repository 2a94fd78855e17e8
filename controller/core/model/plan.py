"""The plan of a hand: the physical steps that must now happen, in order."""

from typing import Self, TypeVar, overload

from controller.core.protocol.steps import Board, Burn, Deal, Discard, Planned, Step
from controller.core.values.value import replace

A = TypeVar("A", bound=Planned)
B = TypeVar("B", bound=Planned)


class Plan(tuple[Step, ...]):
    """The steps still to come, the first due now, with the verbs by which play and remedies rewrite it.

    It is a value: each verb gives a new plan. Where a verb takes a step of the plan, it means that very one.
    """

    __slots__ = ()

    @property
    def now(self) -> Step | None:
        """The first step, which must happen now."""
        return self[0] if self else None

    def due(self, kind: type[A]) -> A | None:
        """The first step, where it is of this kind."""
        if self:
            step = self[0]
            if isinstance(step, kind):
                return step
        return None

    def has(self, *kinds: type[Planned]) -> bool:
        """Whether a step of one of these kinds is still to come."""
        return any(isinstance(step, kinds) for step in self)

    @overload
    def every(self, kind: type[A], /) -> tuple[A, ...]: ...
    @overload
    def every(self, kind: type[A], other: type[B], /) -> tuple[A | B, ...]: ...
    def every(self, *kinds: type[Planned]) -> tuple[Planned, ...]:
        """The steps of one kind, or of two."""
        return tuple(step for step in self if isinstance(step, kinds))

    def next(self, kind: type[A]) -> A | None:
        """The first of the steps of a kind."""
        for step in self:
            if isinstance(step, kind):
                return step
        return None

    def first(self, *steps: Step) -> Self:
        """Put steps before all others: they are due at once."""
        return type(self)((*steps, *self))

    def then(self, *steps: Step) -> Self:
        """Put steps after all others."""
        return type(self)((*self, *steps))

    def before(self, step: Step | None, *steps: Step) -> Self:
        """Insert steps before one of the plan; without it they come last."""
        place = len(self) if step is None else self._place(step)
        return type(self)((*self[:place], *steps, *self[place:]))

    def done(self) -> Self:
        """The plan once its first step has happened."""
        return type(self)(self[1:])

    def without_last(self) -> Self:
        """The plan without its last step."""
        return type(self)(self[:-1])

    def without(self, *kinds: type[Planned]) -> Self:
        """The plan without the steps of these kinds."""
        return type(self)([step for step in self if not isinstance(step, kinds)])

    def less(self, *steps: Planned) -> Self:
        """The plan without these steps of it."""
        return type(self)(step for step in self if not any(step is each for each in steps))

    def replaced(self, step: Planned, *by: Step) -> Self:
        """Put these steps in the place of one, which falls away."""
        place = self._place(step)
        return type(self)((*self[:place], *by, *self[place + 1 :]))

    def instead(self, *steps: Step) -> Self:
        """Put these steps in the place of all."""
        return type(self)(steps)

    def served(self, step: Planned, cards: int = 1) -> Self:
        """The plan once so many cards have left the shoe for a step, which may want more."""
        match step:
            case Board(n=n) if n > cards:
                return self.replaced(step, step.less(cards))
            case Discard(count=count) if count > cards:
                return self.replaced(step, replace(step, count=count - cards))
            case _:
                return self.done() if self[0] is step else self.replaced(step)

    def once_more(self, step: Deal | Burn | Board, *, after_ruled: bool = False) -> Self:
        """A card is due once more for a step, first or behind the `ruled` ones; it joins its street's board cards."""
        following = self.now if not after_ruled else next((each for each in self if not each.ruled), None)
        if isinstance(step, Board):
            if isinstance(following, Board) and following.of == step.of:
                return self.replaced(following, replace(following, n=following.n + 1))
            step = replace(step, n=1)
        return self.first(step) if following is self.now else self.before(following, step)

    def parted(self, step: Planned) -> tuple[Self, Self]:
        """What comes before a step, and the rest from it on."""
        place = self._place(step)
        return type(self)(self[:place]), type(self)(self[place:])

    def _place(self, step: Planned) -> int:
        return [each is step for each in self].index(True)


NO_STEPS = Plan()
