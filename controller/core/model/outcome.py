"""What the table answers to an event: the same answer drives lamps, gate, display, record and replay."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from controller.core.model.table_state import TableState
from controller.core.protocol.facts import Fact, SeatActed
from controller.core.protocol.steps import Step
from controller.core.protocol.table_display import ClockDisplay, Lamps, Phase
from controller.core.rules.rulings import Ruling
from controller.core.values.value import Value


class LineChange(Value):
    """An entry that was put right: `old_line` and `new_line` are script lines, without a card that lies face down.

    `line`: of the entry; for an insertion the number of the amendment itself. `None`: it was none, it is none any more.
    `is_card_public`: a live table may name its card.
    """

    line: int
    old_line: Mapping[str, Any] | None
    new_line: Mapping[str, Any] | None
    is_card_public: bool = False


class AmendmentEffect(Value):
    """What an amendment changed: the entry that it names, `further_changes` of the same amendment, and what came of it.

    `before_line`: before which one an insertion stands. `resulting_act`: what the chips and words that were put right
    came to. `dropped_lines`: lines that went with it. `chip_change_by_seat`: seat -> what its stack has more
    or less than before. `lapsed_findings`: findings that no longer come. `withdrawn_rulings`: rulings that the hand had
    and has not any more, as they stood.
    """

    change: LineChange
    dropped_lines: tuple[int, ...]
    chip_change_by_seat: Mapping[int, int]
    lapsed_findings: tuple[str, ...]
    withdrawn_rulings: tuple[Ruling, ...] = ()
    before_line: int | None = None
    resulting_act: SeatActed | None = None
    further_changes: tuple[LineChange, ...] = ()


class Outcome(Value, gc=True, dict=True):
    """How the table stands after an event, what was ruled on it, what happened, and what it changed before."""

    state: TableState
    rulings: tuple[Ruling, ...] = ()
    amendment_effect: AmendmentEffect | None = None
    facts: tuple[Fact, ...] = ()
    """What happened with the event, in its order."""

    def has_fact(self, *kinds: type[Fact]) -> bool:
        """Whether one of these happened."""
        return any(isinstance(fact, kinds) for fact in self.facts)

    @property
    def plan(self) -> tuple[Step, ...]:
        """The steps that must now happen, in order; the first is due now."""
        return self.state.plan

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return self.state.phase

    @property
    def clock_display(self) -> ClockDisplay | None:
        """On whom the clock runs."""
        if self.state.time.clock is None:
            return None
        seat, until = self.state.time.clock
        return ClockDisplay(seat, until - self.state.setup.rulebook.clock.warning.value, until)

    @cached_property
    def gate_open(self) -> bool:
        """Whether the shoe may give a card: only when the first step wants one and nothing is amiss."""
        return self.state.gate_open

    @cached_property
    def lamps(self) -> Lamps:
        """Which seats are lit."""
        return self.state.find_lamps()
