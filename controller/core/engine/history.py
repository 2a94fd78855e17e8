"""What was entered since the end of the hand before: the lines that an amendment can reach.

The table plays on from states, and forgets how it came there. To put a line right the hand is played again from its
entries, so they are kept: from the end of the hand before the last `start` on, until the next `start`. They hold what
the shoe read, face-down cards too, and nothing that the table says or writes is made of them but by playing them again.
"""

from dataclasses import dataclass, field, replace

from controller.core.model.state import State
from controller.core.protocol.events import Card, Device, Event, Start, Time
from controller.core.protocol.steps import Step
from controller.core.rules.rulings import Ruling

LONGEST = 1000
"""More entries than any hand has; of a table that stands longer without one only the newest can be put right."""


@dataclass(frozen=True, slots=True)
class Taken:
    """An entry that stands: its line, what it was, the plan that it met, what was ruled on it.

    `serial`: the number of the last card that had left the shoe after it.
    """

    line: int
    event: Event = field(repr=False)
    plan: tuple[Step, ...]
    rulings: tuple[Ruling, ...]
    serial: int

    @property
    def first(self) -> Step | None:
        """The step that was due when it came."""
        return self.plan[0] if self.plan else None


@dataclass(frozen=True, slots=True)
class History:
    """The table as it stood at `base`, after line `line`, and the entries since.

    `over`: the state in which the hand was over, and how many of the entries had been made by then. `moves`: steps that
    bring cards where an amendment found that they belong.
    """

    base: State = field(repr=False)
    line: int
    entries: tuple[Taken, ...] = ()
    over: tuple[State, int] | None = field(default=None, repr=False)
    moves: tuple[Step, ...] = ()

    def then(self, line: int, event: Event, before: State, after: State, rulings: tuple[Ruling, ...]) -> "History":
        """The history with one more entry; a `start` ends the reach of the hand before."""
        serial = after.hand.cards.piles.left if after.hand is not None else 0
        taken = Taken(line, event, before.plan, rulings, serial)
        if isinstance(event, Start) and self.over is not None:
            base, count = self.over
            last = max((each.line for each in self.entries[:count]), default=self.line)
            return History(base, last, (*self.entries[count:], taken))
        entries = (*self.entries, taken)
        over = self.over
        if after.plan:
            over = None
        elif before.plan:
            over = (after, len(entries))
        return History(self.base, self.line, entries, over, self.moves)

    def without(self, later: "History") -> "History":
        """What `undo` leads to: the entries before, and the facts that came after the one that it takes back."""
        known = {each.line for each in self.entries}
        facts = tuple(e for e in later.entries if isinstance(e.event, Time | Device) and e.line not in known)
        return replace(self, entries=(*self.entries, *facts)) if facts else self

    def shortened(self, base: State, count: int) -> "History":
        """The history without its oldest `count` entries, after which the table stood at `base`."""
        last = max(each.line for each in self.entries[:count])
        over = self.over
        if over is not None:
            over = (over[0], over[1] - count) if over[1] >= count else None
        return History(base, last, self.entries[count:], over, self.moves)

    def cards(self) -> dict[int, int]:
        """The cards of the deal that is on: their number -> the line on which they left the shoe."""
        return cards_of(self.entries)


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
