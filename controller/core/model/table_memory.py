"""How a table stands, as far as a start takes it up and a snapshot writes it down."""

from controller.core.model.outcome import Outcome
from controller.core.model.table_state import TableState, TableUndo
from controller.core.rules.rulings import Ruling
from controller.core.values.value import Value, replace


class TableMemory(Value):
    """How a table stands after an entry, and what was ruled on that entry.

    What can be amended and taken back is no part of it: a start plays the entries again that came since.
    """

    state: TableState
    rulings: tuple[Ruling, ...] = ()


def make_resting_memory(outcome: Outcome) -> TableMemory:
    """A table between two hands, which shows the last one and can neither take it back nor deal it again."""
    return TableMemory(replace(outcome.state, state_before_last_hand=None, undo=TableUndo()), outcome.rulings)


def is_same_at_rest(one: TableState, other: TableState) -> bool:
    """Whether two tables between two hands have the same seats and stacks, button, debts, tournament, game, time.

    That is all their states but the hand that is over and what can be taken back: a program that rules on that hand in
    other words, and to the same chips, has changed nothing that the next hand begins with.
    """
    return _forget_hand(one) == _forget_hand(other)


def _forget_hand(state: TableState) -> TableState:
    return replace(state, hand=None, state_before_last_hand=None, undo=TableUndo())
