"""What was entered since the end of the hand before: the lines that an amendment can reach.

The table plays on from states, and forgets how it came there. To put a line right the hand is played again from its
entries, so they are kept: from the end of the hand before the last `start` on, until the next `start`. They hold what
the shoe read, face-down cards too, and nothing that the table says or writes is made of them but by playing them again.
"""

from typing import ClassVar

from controller.core.model.state import State
from controller.core.protocol.events import (
    Act,
    Card,
    Device,
    Entry,
    Motion,
    Start,
    Time,
)
from controller.core.protocol.steps import Act as ActStep
from controller.core.protocol.steps import Discard, FromShoe, Step
from controller.core.rules.rulings import Ruling
from controller.core.values.value import Value, replace

LONGEST = 1000
"""More entries than any hand has; of a table that stands longer without one only the newest can be put right."""


class Taken(Value):
    """An entry that stands: its line, what it was, the plan that it met, what was ruled on it.

    `serial`: the number of the last card that had left the shoe after it. `after`: the table after it; `None` for a
    fact that stands although what was entered before it has been taken back. `was_due`: the plan waited for it when it
    first came, which an amendment of what was entered before does not change.
    """

    hidden: ClassVar = frozenset({"after"})

    line: int
    event: Entry
    plan: tuple[Step, ...]
    rulings: tuple[Ruling, ...]
    serial: int
    after: State | None = None
    was_due: bool = True

    @property
    def first(self) -> Step | None:
        """The step that was due when it came."""
        return self.plan[0] if self.plan else None


class Struck(Value):
    """An entry that an amendment put right: `was` is struck through, `now` took its place; `None`: nothing.

    `line`: its number, for an insertion that of the amendment. `at`: the line at whose place it stands. `faces_up`: it
    was a card that lay open under the name that is struck through.
    """

    line: int
    at: int
    was: Entry | None
    now: Entry | None
    faces_up: bool = False


class Amendment(Value):
    """What line `line` put right, and the rule by which it was."""

    line: int
    ruling: Ruling
    struck: tuple[Struck, ...]


class History(Value):
    """The table as it stood at `base`, after line `line`, and the entries since.

    `over`: the state in which the hand was over, and how many of the entries had been made by then. `moves`: steps that
    bring cards where an amendment found that they belong; only the first `sound` entries were played without them.
    `amendments`: what was put right of all this, the oldest first.
    """

    hidden: ClassVar = frozenset({"base", "over"})

    base: State
    line: int
    entries: tuple[Taken, ...] = ()
    over: tuple[State, int] | None = None
    moves: tuple[Step, ...] = ()
    sound: int | None = None
    amendments: tuple[Amendment, ...] = ()

    def then(self, line: int, event: Entry, before: State, after: State, rulings: tuple[Ruling, ...]) -> "History":
        """The history with one more entry; a `start` ends the reach of the hand before."""
        serial = after.hand.cards.piles.left if after.hand is not None else 0
        plan = before.plan
        taken = Taken(line, event, plan, rulings, serial, after, is_due(event, plan.now))
        if isinstance(event, Start) and self.over is not None:
            base, count = self.over
            last = max((each.line for each in self.entries[:count]), default=self.line)
            kept = (*self.entries[count:], taken)
            return History(base, last, kept, amendments=_of_these(self.amendments, last, kept))
        entries = self.entries + (taken,)  # noqa: RUF005 (the longest tuple there is: twice as fast)
        over = self.over
        if after.plan:
            over = None
        elif before.plan:
            over = (after, len(entries))
        return replace(self, entries=entries, over=over)

    def put_right(self, amendment: Amendment, moves: tuple[Step, ...]) -> "History":
        """The history with an amendment of its entries, after which the plan begins with `moves`."""
        amendments = (*self.amendments[1 - LONGEST :], amendment)
        return replace(self, moves=moves, sound=len(self.entries) if moves else None, amendments=amendments)

    def upto(self, count: int) -> "History":
        """The history as it was after its first `count` entries, or fewer where how the table then stood is not known.

        Of an amendment nothing is known by then.
        """
        count = count if self.sound is None else min(count, self.sound)
        while count and self.entries[count - 1].after is None:
            count -= 1
        entries = self.entries[:count]
        over: tuple[State, int] | None = None
        for number, each in enumerate(entries, start=1):
            if each.after is None or each.after.plan:
                over = None
            elif each.plan:
                over = (each.after, number)
        return History(self.base, self.line, entries, over)

    @property
    def state(self) -> State:
        """How the table stood after the last of the entries."""
        after = self.entries[-1].after if self.entries else self.base
        assert after is not None
        return after

    def without(self, later: "History") -> "History":
        """What `undo` leads to: the entries before, and the facts that came after the one that it takes back."""
        known = {each.line for each in self.entries}
        facts = (each for each in later.entries if isinstance(each.event, Time | Device) and each.line not in known)
        standing = tuple(replace(each, after=None) for each in facts)
        return replace(self, entries=(*self.entries, *standing)) if standing else self

    def shortened(self) -> "History":
        """The history without its older half, whose end becomes its beginning."""
        count = len(self.entries) // 2
        while count < len(self.entries) and self.entries[count - 1].after is None:
            count += 1
        base = self.entries[count - 1].after
        assert base is not None
        over = self.over
        if over is not None:
            over = (over[0], over[1] - count) if over[1] >= count else None
        last = max(each.line for each in self.entries[:count])
        entries = self.entries[count:]
        within = self.sound is None or self.sound >= count
        return History(
            base,
            last,
            entries,
            over,
            self.moves if within else (),
            self.sound - count if within and self.sound is not None else None,
            _of_these(self.amendments, last, entries),
        )

    def cards(self) -> dict[int, int]:
        """The cards of the deal that is on: their number -> the line on which they left the shoe."""
        return cards_of(self.entries)


def is_due(event: Entry, first: Step | None) -> bool:
    """Whether a card leaves the shoe when one is due, or an act is made in turn; anything else is always due."""
    if isinstance(event, Card):
        return isinstance(first, (FromShoe, Discard))
    return not isinstance(event, (Act, Motion)) or (isinstance(first, ActStep) and first.seat == event.seat)


def cards_of(entries: tuple[Taken, ...]) -> dict[int, int]:
    """The cards of the last deal among these entries: their number -> the line on which they left the shoe."""
    lines: dict[int, int] = {}
    last = 0
    for each in entries:
        if isinstance(each.event, Card):
            if each.serial <= last:
                lines.clear()
            last = each.serial
            lines[each.serial] = each.line
    return lines


def _of_these(amendments: tuple[Amendment, ...], last: int, entries: tuple[Taken, ...]) -> tuple[Amendment, ...]:
    """The amendments of what came after line `last`, or is among these entries."""
    lines = {each.line for each in entries}
    return tuple(each for each in amendments if any(struck.at > last or struck.line in lines for struck in each.struck))
