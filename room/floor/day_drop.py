"""A day's drop in the room: what the tables gave, by table, shift, game, dealer and hour, and the boxes counted.

Pure: made of what the tables' records came to. What nobody knows is not 0: it is counted as hands whose chips are
unknown, and a box of such hands has no difference.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import time as time_of_day

from controller.records.drop import DEFAULT_SHIFT_STARTS
from room.floor.drop_closes import (
    NOTHING,
    BoxExcuse,
    CloseObstacle,
    DropCloses,
    DropTotal,
    ObstacleKind,
    add_up,
)

FORGETTING_S = 60.0
"""A table that was not heard for so long is away."""


@dataclass(frozen=True, slots=True)
class DropCell:
    """What hands of a table, game and dealer gave within a quarter of an hour from `starts_at` on (Unix seconds)."""

    table: str
    game: str
    dealer: str
    starts_at: float
    total: DropTotal


@dataclass(frozen=True, slots=True)
class CountedBox:
    """A box that was counted at a table; `key` names it, `expected` is what should be in it, `None` unknown.

    `reason`: why it was counted again, where that is so.
    """

    key: str
    table: str
    counted_at: float
    counted: int
    expected: int | None
    counted_by: str
    watched_by: str
    reason: str = ""

    @property
    def difference(self) -> int | None:
        """What is too much in it, or less than 0; `None` where nobody knows what should be there."""
        return None if self.expected is None else self.counted - self.expected

    def to_json(self) -> dict[str, object]:
        """Write it as a close keeps it and the page has it."""
        return {
            "key": self.key, "table": self.table, "at": self.counted_at, "counted": self.counted,
            "expected": self.expected, "difference": self.difference, "counted_by": self.counted_by,
            "watched_by": self.watched_by, "reason": self.reason,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """How far a table's record is known: `told_until` (Unix seconds), and whether the table `has_ended` there.

    `fault`: why the room cannot read on; `is_behind`: it has not read on yet.
    """

    table: str
    told_until: float
    has_ended: bool = False
    fault: str = ""
    is_behind: bool = False


@dataclass(frozen=True, slots=True)
class DayDrop:
    """A day of the house, from `begins_at` to before `ends_at` (Unix seconds), as the tables' records say now."""

    day: str
    begins_at: float
    ends_at: float
    cells: Sequence[DropCell] = ()
    span_by_table: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Table -> when the first and the last of its hands were over."""
    later_boxes: Sequence[CountedBox] = ()
    """Boxes that were counted since the day began, in order."""
    records: Sequence[ReadRecord] = ()

    @property
    def total(self) -> DropTotal:
        """All that was dropped."""
        return add_up(cell.total for cell in self.cells)

    @property
    def boxes(self) -> list[CountedBox]:
        """The boxes in which chips of the day lay, and whatever else was counted on it."""
        found = []
        uncounted = dict(self.span_by_table)
        for box in self.later_boxes:
            span = uncounted.get(box.table)
            if span is not None and span[0] <= box.counted_at:
                found.append(box)
                if span[1] <= box.counted_at:
                    del uncounted[box.table]
            elif box.counted_at < self.ends_at:
                found.append(box)
        return found

    def sum_by(self, find_label: Callable[[DropCell], str]) -> list[tuple[str, DropTotal]]:
        """The day by a label of its parts, in the order of the labels' first hands."""
        sums: dict[str, DropTotal] = {}
        for cell in sorted(self.cells, key=lambda cell: cell.starts_at):
            label = find_label(cell)
            sums[label] = sums.get(label, NOTHING).plus(cell.total)
        return list(sums.items())

    def find_uncounted_tables(self) -> list[str]:
        """Tables with hands that lie in no box that was counted, and those whose record the room cannot read."""
        counted = {
            table for table, (_, last) in self.span_by_table.items()
            if any(box.table == table and box.counted_at >= last for box in self.later_boxes)
        }  # fmt: skip
        broken = {record.table for record in self.records if record.fault and record.told_until >= self.begins_at}
        return sorted((set(self.span_by_table) - counted) | broken)

    def find_behind_tables(self) -> list[str]:
        """Tables whose records the room is still reading: what they dropped is not known yet."""
        return sorted({record.table for record in self.records if record.is_behind})

    def find_away_tables(self, heard_at_by_table: Mapping[str, float], now: float) -> list[ReadRecord]:
        """Tables that are not heard, and whose record ends in the middle of it: they may tell more of this day."""
        return [
            record for record in self.records
            if not record.has_ended and record.told_until < self.ends_at
            and now - heard_at_by_table.get(record.table, 0.0) > FORGETTING_S
        ]  # fmt: skip

    def find_obstacle(self, closes: DropCloses) -> CloseObstacle | None:
        """Why the day cannot be closed as its records and boxes are; `None` where it can."""
        if behind := self.find_behind_tables():
            return CloseObstacle(ObstacleKind.READING, self.day, tuple(behind))
        excuses = find_excuses(closes, self.day)
        missing = tuple(table for table in self.find_uncounted_tables() if table not in excuses)
        return CloseObstacle(ObstacleKind.UNCOUNTED, self.day, missing) if missing else None


def find_excuses(closes: DropCloses, day: str) -> dict[str, BoxExcuse]:
    """Why boxes of a day are not counted, by table."""
    closed = closes.find_close(day)
    if closed is not None:
        return dict(closed.excuse_by_table)
    return {table: one for (of, table), one in closes.excuse_by_day_and_table.items() if of == day}


def find_new_boxes(closes: DropCloses, boxes: Iterable[CountedBox]) -> list[CountedBox]:
    """The boxes that are in no close yet, or were corrected since."""
    known = {box["key"]: box["counted"] for close in closes.closes for box in close.boxes}
    return [box for box in boxes if known.get(box.key) != box.counted]


def format_hour(at: float) -> str:
    """The hour in which a moment lies, by the machine's own time, as `21:00`."""
    return time.strftime("%H:00", time.localtime(at))


def format_shift(at: float, starts: Sequence[time_of_day] = DEFAULT_SHIFT_STARTS) -> str:
    """The shift in which a moment lies, as `14:00-22:00`, by the machine's own time."""
    local = time.localtime(at)
    ordered = sorted(starts)
    begun = [start for start in ordered if start <= time_of_day(local.tm_hour, local.tm_min)]
    place = len(begun) - 1  # before the first one it is the last of the day before
    return f"{ordered[place]:%H:%M}-{ordered[(place + 1) % len(ordered)]:%H:%M}"
