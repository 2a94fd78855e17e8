"""The box that the drop goes into, as it was opened and counted: what should be in it, what was, and by whom.

A count is a record of the journal (`drop-box`, docs/journal.md), no entry: it changes nothing at the table, and is the
same to every later program. It says how far the table's account had come, so that the next box begins there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from controller.core.protocol.table_error import Refused

BOX_RECORD_KIND = "drop-box"
"""The kind of the record, and what the line that is signed has as its `ev`."""

MAX_REASON_LENGTH = 200
MAX_COUNTED_CHIPS = 10**12


@dataclass(frozen=True, slots=True)
class BoxCount:
    """One count. `counter` counted, `watcher` watched: names of two people; `counted_at` by the table's clock (UTC).

    `reason`: why it takes the place of the one before, empty for the first count of a box.
    """

    counted_at: str
    counted_chips: int
    counter: str
    watcher: str
    reason: str = ""

    def to_json(self) -> dict[str, object]:
        """Write it as pages and files have it."""
        return {
            "at": self.counted_at,
            "counted": self.counted_chips,
            "counter": self.counter,
            "watcher": self.watcher,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class DropBox:
    """A box that was counted, `number` from 1, when session `session` of the journal had taken `account_chips`.

    `expected_chips`: what should have been in it, `None` where nobody knows. `counts`: the first count and what
    corrected it, in order.
    """

    number: int
    session: int
    account_chips: int
    expected_chips: int | None
    counts: tuple[BoxCount, ...]

    @property
    def standing_count(self) -> BoxCount:
        """The count that holds."""
        return self.counts[-1]

    @property
    def difference(self) -> int | None:
        """What there was too much, or too little where it is below 0; `None` where nobody knows what should be."""
        return None if self.expected_chips is None else self.standing_count.counted_chips - self.expected_chips

    def to_json(self) -> dict[str, object]:
        """Write it as pages and files have it."""
        return {
            "box": self.number,
            "expected": self.expected_chips,
            "difference": self.difference,
            **self.standing_count.to_json(),
            "before": [count.to_json() for count in self.counts[:-1]],
        }


def collect_boxes(bodies: Iterable[Mapping[str, Any]]) -> tuple[DropBox, ...]:
    """The boxes that records of the kind `drop-box` tell of, in order; raises `KeyError` for what is none."""
    found: dict[int, DropBox] = {}
    for body in bodies:
        line, (counter, watcher) = body["line"], body["by"]
        count = BoxCount(
            str(body["wall"]), line["counted"], str(counter["name"]), str(watcher["name"]), line.get("reason", "")
        )
        known = found.get(line["box"])
        found[line["box"]] = (
            DropBox(line["box"], body["session"], body["account"], line["expected"], (count,))
            if known is None
            else replace(known, counts=(*known.counts, count))
        )
    return tuple(found[number] for number in sorted(found))


def make_count_line(box: int, expected: int | None, counted: object, reason: str = "") -> dict[str, object]:
    """The line that both sign; raises `Refused` (`value`) for what nobody can have counted, or says nothing."""
    if type(counted) is not int or not 0 <= counted <= MAX_COUNTED_CHIPS:
        raise Refused("value", "What was counted is a whole number of chips, from 0.")
    if len(reason) > MAX_REASON_LENGTH:
        raise Refused("value", f"The reason is too long: {MAX_REASON_LENGTH} signs at most.")
    line: dict[str, object] = {"ev": BOX_RECORD_KIND, "box": box, "expected": expected, "counted": counted}
    return line | ({"reason": reason} if reason else {})


def check_people(counter: str, watcher: str) -> None:
    """One counts and another watches; raises `Refused` (`value`)."""
    if not watcher.strip():
        raise Refused("value", "A second person of the staff watches the count: say who.")
    if counter.strip().casefold() == watcher.strip().casefold():
        raise Refused("value", "Whoever counts the box cannot watch as well: a second person of the staff watches.")


def check_count(line: Mapping[str, object], boxes: Iterable[DropBox], *, is_hand_on: bool) -> None:
    """Whether a count can be written down now; raises `Refused` (`not-now`, `value`).

    A hand's drop goes into the box when the hand is over, so a box is counted between hands. A correction names the box
    whose count it takes the place of, and may come at any time.
    """
    numbers = {box.number: box for box in boxes}
    number, following = line["box"], len(numbers) + 1
    if "reason" in line:
        box = numbers.get(number) if isinstance(number, int) else None
        if box is None:
            raise Refused("value", f"Box {number} was not counted: there is nothing to correct.")
        if box.expected_chips != line["expected"]:
            raise Refused("value", f"What should have been in box {number} does not change with a correction.")
        return
    if number != following:
        raise Refused("not-now", f"Box {number} was counted already; the next is box {following}.")
    if is_hand_on:
        raise Refused("not-now", "A hand is on, and its drop goes into the box when it is over: count it then.")
