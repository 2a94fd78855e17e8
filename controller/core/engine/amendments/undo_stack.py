"""What `undo` takes back: the entries since the last card, each with what had been entered before it."""

from collections.abc import Iterable

from controller.core.engine.amendments.hand_history import HandHistory
from controller.core.engine.output.hand_redaction import ShownCards, forget_hidden_cards
from controller.core.model.table_state import TableState
from controller.core.values.value import Value


class UndoStack(Value):
    """What had been entered before each entry that `undo` takes back, and what lies open of a hand that is over since.

    What was never shown is forgotten when somebody asks for the tables; before the next card, which drops them all,
    that is only who takes back the last award. To forget at once was 5 % of a replay.
    """

    histories: tuple[HandHistory, ...] = ()
    shown_cards: ShownCards | None = None

    @property
    def redacted_states(self) -> tuple[TableState, ...]:
        """The tables as far as they are known."""
        return self._redact(history.state for history in self.histories)

    @property
    def last_state(self) -> TableState:
        """The table to which `undo` leads, as far as it is known."""
        return self._redact((self.histories[-1].state,))[0]

    def _redact(self, states: Iterable[TableState]) -> tuple[TableState, ...]:
        return tuple(states) if self.shown_cards is None else forget_hidden_cards(states, self.shown_cards)

    def push(self, history: HandHistory, depth: int) -> "UndoStack":
        """One entry more, before which there was this history, of at most `depth`."""
        return UndoStack((*self.histories[1 - depth :], history), self.shown_cards)

    def drop_last(self) -> "UndoStack":
        """The last entry is taken back."""
        return UndoStack(self.histories[:-1], self.shown_cards)

    def end_hand(self, shown: ShownCards) -> "UndoStack":
        """The hand is over, with these cards lying open; what was forgotten when it was over before stays so."""
        return UndoStack(self.histories, shown if self.shown_cards is None else shown & self.shown_cards)
