"""What `undo` takes back: the entries since the last card, each with what had been entered before it."""

from typing import NamedTuple

from controller.core.engine.amendments.hand_history import HandHistory
from controller.core.engine.output.hand_redaction import ShownCards, find_proven_cards, forget_hidden_cards
from controller.core.model.table_state import TableState
from controller.core.values.value import Value


class UndoEntry(NamedTuple):
    """What had been entered before an entry, and what lies open of its hand if that is over since."""

    history: HandHistory
    shown_cards: ShownCards | None = None

    @property
    def state(self) -> TableState:
        """The table before the entry, as far as it is known: what lay open then, all have seen."""
        state = self.history.state
        if self.shown_cards is None or state.hand is None:
            return state
        return forget_hidden_cards((state,), self.shown_cards | find_proven_cards(state.hand))[0]


class UndoStack(Value):
    """The entries that `undo` takes back, the last one last.

    What was never shown is forgotten when somebody asks for the tables; before the next card, which drops them all,
    that is only who takes back the last award. To forget at once was 5 % of a replay.
    """

    entries: tuple[UndoEntry, ...] = ()

    @property
    def histories(self) -> tuple[HandHistory, ...]:
        """What had been entered before each of them."""
        return tuple(entry.history for entry in self.entries)

    def push(self, history: HandHistory, depth: int) -> "UndoStack":
        """One entry more, before which there was this history, of at most `depth`."""
        return UndoStack((*self.entries[1 - depth :], UndoEntry(history)))

    def end_hand(self, shown: ShownCards) -> "UndoStack":
        """The hand is over, with these cards lying open; what was forgotten when it was over before stays so."""
        return UndoStack(
            tuple(
                UndoEntry(entry.history, shown if entry.shown_cards is None else shown & entry.shown_cards)
                for entry in self.entries
            )
        )
