"""The plan of a hand: the physical steps that must now happen, in order."""

from typing import Self

from controller.core.protocol.steps import Step


class Plan(tuple[Step, ...]):
    """The steps still to come, the first due now, with the verbs by which play and remedies rewrite it.

    It is a value: each verb gives a new plan.
    """

    __slots__ = ()

    def first(self, *steps: Step) -> Self:
        """Put steps before all others: they are due at once."""
        return type(self)((*steps, *self))

    def then(self, *steps: Step) -> Self:
        """Put steps after all others."""
        return type(self)((*self, *steps))

    def done(self) -> Self:
        """The plan once its first step has happened."""
        return type(self)(self[1:])

    def without_last(self) -> Self:
        """The plan without its last step."""
        return type(self)(self[:-1])


NO_STEPS = Plan()
