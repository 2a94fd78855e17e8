"""What was entered since the end of the hand before: the lines that an amendment can reach.

The table plays on from states, and forgets how it came there. To put a line right the hand is played again from its
entries, so they are kept: from the end of the hand before the last `start` on, until the next `start`. They hold what
the shoe read, face-down cards too, and nothing that the table says or writes is made of them but by playing them again.
"""

from typing import ClassVar

from controller.core.model.outcome import Outcome
from controller.core.model.table_state import TableState
from controller.core.protocol.events import (
    CardDealt,
    ChipMotion,
    DeviceChanged,
    Entry,
    HandStarted,
    PlayerActed,
    TimePassed,
)
from controller.core.protocol.facts import Fact
from controller.core.protocol.steps import ActStep, CardStep, DiscardStep, Step
from controller.core.rules.rulings import Ruling
from controller.core.values.value import Value, replace

MAX_ENTRIES = 1000
"""More entries than any hand has; of a table that stands longer without one only the newest can be put right."""


class AcceptedEntry(Value):
    """An entry that stands: its line, what it was, the plan that it met, what was ruled on it and happened with it.

    `last_serial`: the number of the last card that had left the shoe after it. `state_after`: the table after it;
    `None` for a fact that stands although what was entered before it has been taken back. `was_due`: the plan waited
    for it when it first came, which an amendment of what was entered before does not change.
    """

    hidden: ClassVar = frozenset({"state_after"})

    line: int
    event: Entry
    plan_before: tuple[Step, ...]
    rulings: tuple[Ruling, ...]
    last_serial: int
    state_after: TableState | None = None
    was_due: bool = True
    facts: tuple[Fact, ...] = ()

    @property
    def first_step(self) -> Step | None:
        """The step that was due when it came."""
        return self.plan_before[0] if self.plan_before else None


class AmendedEntry(Value):
    """An entry that an amendment put right: `original` is struck through, `replacement` took its place.

    `None`: nothing.
    `line`: its number, for an insertion that of the amendment. `at_line`: the line at whose place it stands.
    `was_face_up`: it was a card that lay open under the name that is struck through.
    """

    line: int
    at_line: int
    original: Entry | None
    replacement: Entry | None
    was_face_up: bool = False


class Amendment(Value):
    """What line `line` put right, and the rule by which it was."""

    line: int
    ruling: Ruling
    amended_entries: tuple[AmendedEntry, ...]


class HandHistory(Value):
    """The table as it stood at `base_state`, after line `base_line`, and the entries since.

    `hand_end`: the state in which the hand was over, and how many of the entries had been made by then.
    `corrective_moves`: steps that bring cards where an amendment found that they belong; only the first
    `sound_entry_count` entries were played without them. `amendments`: what was put right of all this, the oldest
    first. `standing_state`: the table after an amendment or an `undo`, as long as nothing was entered since.
    """

    hidden: ClassVar = frozenset({"base_state", "hand_end", "standing_state"})

    base_state: TableState
    base_line: int
    entries: tuple[AcceptedEntry, ...] = ()
    hand_end: tuple[TableState, int] | None = None
    corrective_moves: tuple[Step, ...] = ()
    sound_entry_count: int | None = None
    amendments: tuple[Amendment, ...] = ()
    standing_state: TableState | None = None

    def append_entry(self, line: int, event: Entry, before: TableState, outcome: Outcome) -> "HandHistory":
        """The history with one more entry, from `before` to `outcome`; a `start` ends the reach of the hand before."""
        after = outcome.state
        serial = after.hand.cards.piles.dealt_count if after.hand is not None else 0
        plan = before.plan
        due = is_due(event, plan.next_step)
        taken = AcceptedEntry(line, event, plan, outcome.rulings, serial, after, due, outcome.facts)
        if isinstance(event, HandStarted) and self.hand_end is not None:
            base, count = self.hand_end
            last = max((each.line for each in self.entries[:count]), default=self.base_line)
            kept = (*self.entries[count:], taken)
            return HandHistory(base, last, kept, amendments=_select_amendments(self.amendments, last, kept))
        entries = self.entries + (taken,)  # noqa: RUF005 (the longest tuple there is: twice as fast)
        over = self.hand_end
        if after.is_hand_on:
            over = None
        elif before.is_hand_on:
            over = (after, len(entries))
        return replace(self, entries=entries, hand_end=over, standing_state=None)

    def add_amendment(self, amendment: Amendment, moves: tuple[Step, ...]) -> "HandHistory":
        """The history with an amendment of its entries, after which the plan begins with `moves`."""
        amendments = (*self.amendments[1 - MAX_ENTRIES :], amendment)
        return replace(
            self, corrective_moves=moves, sound_entry_count=len(self.entries) if moves else None, amendments=amendments
        )

    def cut_after(self, count: int) -> "HandHistory":
        """The history as it was after its first `count` entries, or fewer where how the table then stood is not known.

        Of an amendment nothing is known by then.
        """
        count = count if self.sound_entry_count is None else min(count, self.sound_entry_count)
        while count and self.entries[count - 1].state_after is None:
            count -= 1
        entries = self.entries[:count]
        over: tuple[TableState, int] | None = None
        for number, each in enumerate(entries, start=1):
            if each.state_after is None or each.state_after.is_hand_on:
                over = None
            elif each.plan_before:
                over = (each.state_after, number)
        return HandHistory(self.base_state, self.base_line, entries, over)

    @property
    def state(self) -> TableState:
        """How the table stands after all this."""
        if self.standing_state is not None:
            return self.standing_state
        after = self.entries[-1].state_after if self.entries else self.base_state
        assert after is not None
        return after

    def add_later_facts(self, later: "HandHistory") -> "HandHistory":
        """What `undo` leads to: the entries before, and the facts that came after the one that it takes back."""
        known = {each.line for each in self.entries}
        facts = (
            each
            for each in later.entries
            if isinstance(each.event, (TimePassed, DeviceChanged)) and each.line not in known
        )
        standing = tuple(replace(each, state_after=None) for each in facts)
        return replace(self, entries=(*self.entries, *standing)) if standing else self

    def drop_older_half(self) -> "HandHistory":
        """The history without its older half, whose end becomes its beginning."""
        count = len(self.entries) // 2
        while count < len(self.entries) and self.entries[count - 1].state_after is None:
            count += 1
        base = self.entries[count - 1].state_after
        assert base is not None
        over = self.hand_end
        if over is not None:
            over = (over[0], over[1] - count) if over[1] >= count else None
        last = max(each.line for each in self.entries[:count])
        entries = self.entries[count:]
        within = self.sound_entry_count is None or self.sound_entry_count >= count
        return HandHistory(
            base,
            last,
            entries,
            over,
            self.corrective_moves if within else (),
            self.sound_entry_count - count if within and self.sound_entry_count is not None else None,
            _select_amendments(self.amendments, last, entries),
        )

    def find_card_lines(self) -> dict[int, int]:
        """The cards of the deal that is on: their number -> the line on which they left the shoe."""
        return find_last_deal_lines(self.entries)


def is_due(event: Entry, first: Step | None) -> bool:
    """Whether a card leaves the shoe when one is due, or an act is made in turn; anything else is always due."""
    if isinstance(event, CardDealt):
        return isinstance(first, (CardStep, DiscardStep))
    return not isinstance(event, (PlayerActed, ChipMotion)) or (isinstance(first, ActStep) and first.seat == event.seat)


def find_last_deal_lines(entries: tuple[AcceptedEntry, ...]) -> dict[int, int]:
    """The cards of the last deal among these entries: their number -> the line on which they left the shoe."""
    lines: dict[int, int] = {}
    last = 0
    for each in entries:
        if isinstance(each.event, CardDealt):
            if each.last_serial <= last:
                lines.clear()
            last = each.last_serial
            lines[each.last_serial] = each.line
    return lines


def _select_amendments(
    amendments: tuple[Amendment, ...], last: int, entries: tuple[AcceptedEntry, ...]
) -> tuple[Amendment, ...]:
    """The amendments of what came after line `last`, or is among these entries."""
    lines = {each.line for each in entries}
    return tuple(
        each
        for each in amendments
        if any(struck.at_line > last or struck.line in lines for struck in each.amended_entries)
    )
