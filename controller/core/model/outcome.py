"""What the table answers to an event: the same answer drives lamps, gate, display, record and replay."""

from dataclasses import dataclass
from functools import cached_property

from controller.core.model.state import State
from controller.core.protocol.display import Lamps, Phase, TimeCalled
from controller.core.protocol.steps import Step
from controller.core.rules.rulings import Ruling


@dataclass(frozen=True)
class Outcome:
    """How the table stands after an event, and what was ruled on it."""

    state: State
    rulings: tuple[Ruling, ...] = ()

    @property
    def plan(self) -> tuple[Step, ...]:
        """The steps that must now happen, in order; the first is due now."""
        return self.state.plan

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return self.state.phase

    @property
    def time_called(self) -> TimeCalled | None:
        """On whom the clock runs."""
        if self.state.clock is None:
            return None
        seat, until = self.state.clock
        return TimeCalled(seat, until - self.state.setup.rulebook.clock.warning.value, until)

    @cached_property
    def gate_open(self) -> bool:
        """Whether the shoe may give a card: only when the first step wants one and nothing is amiss."""
        return self.state.gate_open

    @cached_property
    def lamps(self) -> Lamps:
        """Which seats are lit."""
        return self.state.lamps()
