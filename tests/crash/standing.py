"""How a table stands, as one text: the same after every start as at a table that was never interrupted."""

import json
from collections.abc import Mapping
from typing import Any

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.protocol import script_lines
from controller.runtime.journal.entry_result import handle_entry, list_shown_rulings
from controller.runtime.journal.recovery.journal_replay import RecoveredTable

Line = Mapping[str, Any]


def format_lasting_state(found: RecoveredTable) -> str:
    """Everything that a restart must bring back, hidden cards among it."""
    assert found.last_result is not None
    state, rulings = found.table.outcome.state, found.table.outcome.rulings
    hand = state.hand
    cards = (
        () if hand is None else [(place, list(pile)) for place, pile in sorted(hand.cards.piles.cards_by_place.items())]
    )
    whole = {
        "output": found.last_result.to_output_line(),
        "plan": repr(state.plan),
        "cards": repr(cards),
        "named": [one.card for _, pile in cards for one in pile],
        "down": sorted(state.faults),
        "clock": repr(state.time.clock),
        "chairs": repr(sorted(state.seating.state_by_seat.items())),
        "undo": [repr(history.state.plan) for history in found.table.histories[:-1]],
        "rulings": repr(rulings),
        "shown": [found.rulings, found.rulings_hand],
        "lost": sorted(found.lost_devices),
        "t": [found.table_time_s, state.time.time_s],
        "entries": found.entry_count,
    }
    return json.dumps(whole, sort_keys=True, default=repr)


class UninterruptedTable:
    """A table in memory that takes the events that were told, and never stops."""

    def __init__(self) -> None:
        self.lines: dict[int, Line] = {}
        self.digests: dict[int, str] = {}
        self.acknowledged = 0
        self.found = RecoveredTable(Table())
        self.hands = 0

    def copy_until(self, last: int) -> "UninterruptedTable":
        """Another that has taken the same events up to `last`."""
        other = UninterruptedTable()
        other.lines, other.acknowledged = dict(self.lines), self.acknowledged
        other.go_to(last)
        return other

    def go_to(self, last: int) -> list[str]:
        """Take the events up to `last`; say what was answered otherwise than the table did that was told them."""
        differ: list[str] = []
        for sequence in range(self.found.entry_count + 1, last + 1):
            line = self.lines[sequence]
            self._take(sequence, line)
            given = self.found.last_result
            assert given is not None
            if self.digests.get(sequence, given.compute_digest(given.to_output_line())) != given.compute_digest(
                given.to_output_line()
            ):
                differ.append(f"entry {sequence}, a {line['ev']}, was answered otherwise")
        for sequence in [number for number in self.lines if number > last]:
            del self.lines[sequence]
            self.digests.pop(sequence, None)
        return differ

    def _take(self, sequence: int, line: Line) -> None:
        found = self.found
        event = parse_table_line(line) if line["ev"] == "table" else script_lines.parse_line(line)
        given = handle_entry(found.table, event, sequence)
        found.add_entry(event, given, max(found.table_time_s, event.time_s or 0.0))
        if given.error is None and given.outcome.rulings:
            found.rulings = list_shown_rulings(given.to_output_line())
            found.rulings_hand = given.outcome.state.hand_count
        self.hands += line["ev"] == "start" and given.error is None
