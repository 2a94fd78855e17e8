"""How a table stands, as one text: the same after every start as at a table that was never interrupted."""

import json
from collections.abc import Mapping
from typing import Any

from config.setup import open_table
from controller.core.engine.table import Table
from controller.core.protocol import script
from controller.core.protocol.events import Device
from controller.core.protocol.vocabulary import Status
from controller.runtime.journal.recovery.recovery import Recovered
from controller.runtime.loop.ruling import answer

Line = Mapping[str, Any]


def stands(found: Recovered) -> str:
    """Everything that a restart must bring back, hidden cards among it."""
    assert found.last is not None
    kept = found.table.kept()
    state, rulings, undo = kept.state, kept.rulings, kept.entries
    hand = state.hand
    cards = () if hand is None else [(place, list(pile)) for place, pile in sorted(hand.cards.piles.out.items())]
    whole = {
        "output": found.last.output(),
        "plan": repr(state.plan),
        "cards": repr(cards),
        "named": [one.card for _, pile in cards for one in pile],
        "down": sorted(state.down),
        "clock": repr(state.time.clock),
        "chairs": repr(sorted(state.seating.chairs.items())),
        "undo": [repr(entry.plan) for entry in undo],
        "rulings": repr(rulings),
        "shown": [found.rulings, found.ruled_in],
        "lost": sorted(found.lost),
        "t": [found.t, state.time.t],
        "entries": found.entries,
    }
    return json.dumps(whole, sort_keys=True, default=repr)


class Uninterrupted:
    """A table in memory that takes the events that were told, and never stops."""

    def __init__(self) -> None:
        self.lines: dict[int, Line] = {}
        self.digests: dict[int, str] = {}
        self.acknowledged = 0
        self.found = Recovered(Table())
        self.hands = 0

    def copy_until(self, last: int) -> "Uninterrupted":
        """Another that has taken the same events up to `last`."""
        other = Uninterrupted()
        other.lines, other.acknowledged = dict(self.lines), self.acknowledged
        other.go_to(last)
        return other

    def go_to(self, last: int) -> list[str]:
        """Take the events up to `last`; say what was answered otherwise than the table did that was told them."""
        differ: list[str] = []
        for sequence in range(self.found.entries + 1, last + 1):
            line = self.lines[sequence]
            self._take(sequence, line)
            given = self.found.last
            assert given is not None
            if self.digests.get(sequence, given.digest(given.output())) != given.digest(given.output()):
                differ.append(f"entry {sequence}, a {line['ev']}, was answered otherwise")
        for sequence in [number for number in self.lines if number > last]:
            del self.lines[sequence]
            self.digests.pop(sequence, None)
        return differ

    def _take(self, sequence: int, line: Line) -> None:
        found = self.found
        event = open_table(line) if line["ev"] == "table" else script.read(line)
        given = answer(found.table, event, sequence)
        found.entries, found.last, found.t = sequence, given, max(found.t, event.t or 0.0)
        if isinstance(event, Device) and event.status is Status.LOST:
            found.lost.add(event.id)
        if isinstance(event, Device) and event.status is Status.BACK:
            found.lost.discard(event.id)
        rulings = given.output().get("rulings")
        if given.error is None and given.outcome.rulings and isinstance(rulings, list):
            found.rulings, found.ruled_in = tuple(rulings), given.outcome.state.number
        self.hands += line["ev"] == "start" and given.error is None
