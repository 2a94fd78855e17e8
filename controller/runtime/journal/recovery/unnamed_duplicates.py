"""Tells of the cards of a journal that nobody showed which were duplicates: a script that names neither must say so."""

import json
from typing import Any

from controller.core.engine.amendments.hand_history import HandHistory, find_last_deal_lines
from controller.core.engine.handlers.misread_report import find_named_card
from controller.core.model.setup import AnyEvent
from controller.core.model.table_state import TableState
from controller.core.protocol.events import AmendmentMade, CardDealt, EntryUndone, Report
from controller.core.protocol.script_lines import format_line
from controller.core.protocol.steps import ReturnStep
from controller.core.protocol.vocabulary import ReportKind
from controller.core.values.piles import ALL
from controller.core.values.value import replace
from controller.runtime.journal.journal_reader import JournalEntry
from controller.runtime.journal.sealing.hand_reader import replace_line


class UnnamedDuplicates:
    """Follows the entries of a session, in their order, as a script without the hidden names plays them."""

    def __init__(self) -> None:
        self._unnamed_lines: set[int] = set()
        """Cards that left the shoe and have no name in the script."""
        self._told_lines: set[int] = set()
        """Those of them that the script calls duplicates."""

    def tell_duplicates(self, entry: JournalEntry, event: AnyEvent, history: HandHistory) -> JournalEntry:
        """The entry with `duplicate` on each card that it leaves unnamed; `history` is the table's after it."""
        if isinstance(event, CardDealt):
            return self._tell_of_card(entry, history)
        if isinstance(event, Report):
            return self._tell_of_misread(entry, event, history)
        if not isinstance(event, AmendmentMade | EntryUndone):
            return entry
        line: dict[str, Any] = json.loads(entry.script_line)
        changes = [line, *line.get("also", ())]
        for change in changes:
            to = change.get("to")
            if to is not None and to["ev"] == "card":
                self._note_name(change.get("line", entry.number), to["card"])
        within = {each.line for each in history.entries}
        found = {line for line in _find_duplicates(history) if line in self._unnamed_lines}
        changed = found ^ (self._told_lines & within)
        self._told_lines = (self._told_lines - within) | found
        if isinstance(event, EntryUndone) or not changed:
            return entry
        return replace_line(entry, _mark_cards(line, entry.number, changed, found, history))

    def _tell_of_card(self, entry: JournalEntry, history: HandHistory) -> JournalEntry:
        line: dict[str, Any] = json.loads(entry.script_line)
        self._note_name(entry.number, line["card"])
        if line["card"] is not None or entry.number not in _find_duplicates(history, last=1):
            return entry
        self._told_lines.add(entry.number)
        return replace_line(entry, {**line, "duplicate": True})

    def _tell_of_misread(self, entry: JournalEntry, event: Report, history: HandHistory) -> JournalEntry:
        """A `misread` that names no card, as the amendment of its card's line where it makes or ends a duplicate."""
        before = history.entries[-2].state_after if len(history.entries) > 1 else None
        line: dict[str, Any] = json.loads(entry.script_line)
        if event.kind is not ReportKind.MISREAD or line["card"] is not None or before is None or before.hand is None:
            return entry
        found = find_named_card(before.hand, event)
        serial = before.hand.cards.piles.dealt_count if found is None else found.placed_card.serial
        number = find_last_deal_lines(history.entries).get(serial, 0)
        is_duplicate = _takes_all_back(history.state)
        if number not in self._unnamed_lines or is_duplicate == _takes_all_back(before):
            return entry
        (self._told_lines.add if is_duplicate else self._told_lines.discard)(number)
        to = {"ev": "card", "card": None} | ({"duplicate": True} if is_duplicate else {})
        kept = {key: line[key] for key in ("t",) if key in line}
        return replace_line(entry, {"ev": "amend", **kept, "line": number, "to": to})

    def _note_name(self, number: int, card: str | None) -> None:
        if card is None:
            self._unnamed_lines.add(number)
        else:
            self._unnamed_lines.discard(number)


def _takes_all_back(state: TableState) -> bool:
    """Whether all cards of the hand go back into the deck."""
    step = state.plan.next_step_if(ReturnStep)
    return step is not None and step.source == ALL


def _find_duplicates(history: HandHistory, last: int = 0) -> set[int]:
    """The lines of cards that were ruled on as duplicates, among all entries of a history or the `last` ones."""
    return {
        each.line
        for each in history.entries[-last:]
        if isinstance(each.event, CardDealt)
        and any(ruling.finding == ReportKind.DUPLICATE.value for ruling in each.rulings)
    }


def _mark_cards(
    line: dict[str, Any], number: int, changed: set[int], duplicates: set[int], history: HandHistory
) -> dict[str, Any]:
    """An amendment that says of each unnamed card whose standing it changes whether it is a duplicate by now."""
    also = [_mark_card(change, number, duplicates) for change in line.get("also", ())]
    named = {change.get("line", number) for change in (line, *also)}
    for each in history.entries:
        if each.line in changed - named and isinstance(each.event, CardDealt):
            to = format_line(replace(each.event, card=None, is_duplicate=each.line in duplicates, time_s=None))
            also.append({"line": each.line, "to": to})
    return _mark_card(line, number, duplicates) | ({"also": also} if also else {})


def _mark_card(change: dict[str, Any], number: int, duplicates: set[int]) -> dict[str, Any]:
    to = change.get("to")
    if to is None or to["ev"] != "card" or change.get("line", number) not in duplicates or to["card"] is not None:
        return change
    return {**change, "to": {**to, "duplicate": True}}
