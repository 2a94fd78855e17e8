"""Undo: the table stands as it stood before what was taken back."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.evenings.oracles.standing import (
    Line,
    Page,
    Watcher,
    compare,
    count_entries,
    enters_several,
    find_word,
    find_words,
    get_line,
    is_overtaken,
    is_set_up_anew,
)
from tests.evenings.seen import Seen

COMPARED = (
    "hand",
    "phase",
    "street",
    "next",
    "lamps",
    "gate",
    "piles",
    "board",
    "boards",
    "up",
    "stacks",
    "pots",
    "bets",
)
"""What everybody sees of a table; its time and what was ruled on the last line come and go."""

FACTS = ("card", "seen", "time", "device", "call-floor")
"""Entries that nobody takes back: they happened."""


class UndoOracle(Watcher):
    """Keeps the state before each entry, and compares it where the entry is taken back."""

    name = "undo"

    def __init__(self) -> None:
        self.stack: list[tuple[str, Page | None]] = []
        """What may be taken back: its word, and the page before it; the newest last.

        Of a touch that entered several lines only the page before the first was seen.
        """

    def look(self, seen: Seen) -> Iterator[str]:
        """Compare where it is an undo; else keep what was before."""
        if not seen.before or not seen.after or is_set_up_anew(seen) or is_overtaken(seen):
            self.stack.clear()
            return
        words = find_words(seen)
        if not seen.taken:
            if enters_several(seen):
                self.stack.clear()  # nobody but the table knows how many of them stay
            return
        if seen.entry.get("do") == "fault":
            self.stack.clear()  # what it does to a device comes when the table hears of it
            return
        if not count_entries(seen):
            return  # a language, a call of the floor: no entry
        if words and all(line.get("ev") == "undo" for line in words):
            yield from self._compare(seen, len(words))
        elif find_word(seen) in FACTS or seen.way in ("device", "power"):
            # What came since may not be taken back with it: the stack below is of another table.
            self.stack.clear()
        else:
            name = ", ".join(str(line.get("ev")) for line in words)
            count = count_entries(seen) if enters_several(seen) else 1
            self.stack += [(name, seen.before), *[(name, None)] * (count - 1)]

    def _compare(self, seen: Seen, count: int) -> Iterator[str]:
        if len(self.stack) < count:
            self.stack.clear()
            return
        word, wanted = self.stack[-count]
        del self.stack[-count:]
        if wanted is not None:
            yield from compare_public(wanted, seen.after, f"{word} was taken back")


def compare_public(wanted: Page, found: Page, why: str) -> Iterator[str]:
    """Say what everybody sees differently on two pages that should show one table."""
    one, two = get_line(wanted), get_line(found)
    for key in compare(_select(one), _select(two)):
        yield f"{why}, and {key} is {two.get(key)} in place of {one.get(key)}"
    who, now = wanted.get("players") or {}, found.get("players") or {}
    for seat in compare(who, now):
        yield f"{why}, and seat {seat} is {now.get(seat)} in place of {who.get(seat)}"


def _select(line: Line) -> Mapping[str, Any]:
    return {key: line[key] for key in COMPARED if key in line}
