"""What one entry came to, and who hears of it: the one signature of everything that follows the table entry by entry.

Whoever wants to know what changed with the entry listens to `outcome.facts`; nobody is told how the table stood before.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from controller.core.engine.amendments.hand_history import HandHistory
from controller.core.model.outcome import Outcome
from controller.core.protocol.events import Event
from controller.core.protocol.facts import HandOver
from controller.core.protocol.table_error import Refused
from controller.runtime.journal.entry_result import EntryResult
from controller.runtime.staff.entry_signature import Signer


@dataclass(frozen=True)
class ProcessedEntry:
    """An entry that is in the journal and that the table has handled or refused.

    `told` is the event as it was entered, `event` what that meant at the table, with its second `time_s` of the table.
    `received_at` is when it came, in seconds of the loop's clock. `history`: what an amendment can reach after it.
    """

    told: Event = field(repr=False)
    event: Event = field(repr=False)
    source: str
    signer: Signer | None = field(repr=False)
    received_at: float
    time_s: float
    result: EntryResult = field(repr=False)
    history: HandHistory = field(repr=False)

    @property
    def entry_number(self) -> int:
        """Its number in the journal."""
        return self.result.entry_number

    @property
    def outcome(self) -> Outcome:
        """How the table stands after it; as before where it was refused."""
        return self.result.outcome

    @property
    def error(self) -> Refused | None:
        """Why the table did not take it."""
        return self.result.error

    @cached_property
    def output_line(self) -> Mapping[str, object]:
        """Its output line, made when somebody first wants it: the devices have been shown the outcome by then."""
        return self.result.to_output_line()

    @property
    def is_hand_over(self) -> bool:
        """Whether the hand that was on ended with it."""
        return self.error is None and self.outcome.has_fact(HandOver)


class EntryListener(Protocol):
    """Hears of every entry, in the loop's thread; `entry_listeners` says in which order."""

    def on_entry(self, processed: ProcessedEntry) -> None:
        """An entry is in the journal, and the table has handled or refused it."""
        ...
