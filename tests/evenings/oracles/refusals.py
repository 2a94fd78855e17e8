"""A refusal changes nothing: the table stands afterwards as it stood before.

Of a touch that enters several lines those before the refused one stay taken: only whether it is said is looked at.
"""

from collections.abc import Iterator

from tests.evenings.oracles.standing import (
    Page,
    Watcher,
    compare,
    enters_several,
    find_word,
    find_words,
    get_line,
)
from tests.evenings.seen import Seen

PAGE_MAY_CHANGE = (
    "number",  # publications are counted
    "entry",  # the journal counts a refusal of the table, too
    "refusal",  # why it was not taken
    "notices",  # repeated questions, devices that talk, what the office may do
    "sound",  # a refusal has a sound of its own
    "longest_delay",  # a measurement
    "simulation",  # how fast simulated people go
    "devices",  # a device may come or go at any time
    "remedy",  # counted anew from the next line
    "power_lost",  # a notice until anything is entered; the fault of a hand in play stays
)
LINE_MAY_CHANGE = (
    "line",  # lines are counted
    "error",  # why it was not taken
    "rulings",  # those of this line: none
    *("amended", "posted", "returned", "drop"),  # likewise: what the line before came to
    "timer",  # its time runs
    "clock",  # likewise
)


MAY_CHANGE_WITH_A_FAULT = ("phase", "gate", "for_floor", "besides", "wagers")
"""A fault may come at any time, by an entry of the program itself, and halts the table with it."""


class RefusalOracle(Watcher):
    """Compares the state before an entry that was not taken with the one after it."""

    name = "refusals"

    def look(self, seen: Seen) -> Iterator[str]:
        """Compare what a refusal must leave alone."""
        if seen.taken or seen.way == "power" or not get_line(seen.before) or not get_line(seen.after):
            return
        if enters_several(seen):
            if not is_said(seen):
                yield "not taken as a whole, and nobody is told why"
            return
        halts = MAY_CHANGE_WITH_A_FAULT if _list_faults(seen.before) != _list_faults(seen.after) else ()
        calls = ("floor_called",) if is_call(seen) else ()
        for key in compare(seen.before, seen.after, (*PAGE_MAY_CHANGE, *halts, *calls, "table", "faults")):
            yield f"refused, and {key} is another: {seen.before.get(key)} -> {seen.after.get(key)}"
        yield from _compare_faults(seen.before, seen.after)
        before, after = get_line(seen.before), get_line(seen.after)
        for key in compare(before, after, (*LINE_MAY_CHANGE, *halts)):
            yield f"refused, and {key} of the table is another: {before.get(key)} -> {after.get(key)}"
        if after.get("rulings") and after.get("rulings") != before.get("rulings"):
            yield f"refused, and it is ruled on: {after['rulings']}"
        if not is_said(seen):
            yield "not taken, and nobody is told why"


def is_call(seen: Seen) -> bool:
    """Whether somebody called the floor, or said that it has come: no entry of the table, which shows it."""
    return find_word(seen) == "call-floor" and int(seen.answer.get("status") or 200) < 300


def is_said(seen: Seen) -> bool:
    """Whether whoever entered it was told why it was not taken."""
    if seen.way in ("key", "device", "power") or not find_words(seen) or is_call(seen):
        return True  # a call of the floor is shown; the same once more changes nothing
    return bool(seen.answer.get("code") and seen.answer.get("message")) or bool(seen.after.get("refusal"))


def _list_faults(page: Page) -> list[str]:
    return sorted(fault["code"] for fault in page.get("faults") or ())


def _compare_faults(before: Page, after: Page) -> Iterator[str]:
    """A fault may come at any time, a latched one goes by nobody's refused word."""
    old = {fault["code"] for fault in before.get("faults") or () if fault.get("latched")}
    new = {fault["code"] for fault in after.get("faults") or ()}
    if old - new:
        yield f"refused, and the fault {sorted(old - new)} is over"
