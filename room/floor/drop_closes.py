"""What the tables dropped, day by day, and how the room closes a day: each chip is in one close, and none in two.

A fold of the stream `drop`:

    {"do": "excuse", "day": "2027-01-15", "table": "table-07", "why": "its box is locked up until Monday"}
    {"do": "close", "day": "2027-01-15", "taken": [["2027-01-15", "table-07", 412, 96, 0], …], "boxes": […],
     "excuses": [["table-07", "…", "Bo"]], "signed": {…}}

`taken` has what no close before has taken, up to that day: day, table, chips, hands, hands whose chips are unknown.
What a table tells later of a day that is closed is taken by the next close, under its own day, also where it is less
than before, as an amended hand gave some back. So all closes together come to what all tables dropped.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import Enum, unique
from typing import Any, NamedTuple, Self

from room.record.room_record import RecordLine

DROP_STREAM = "drop"

MAX_DAYS = 62
"""So many days before the last one closed are told apart; what is older is one sum a table."""

EARLIER = ""
"""The day of what is older than that."""

MIN_YEAR, MAX_YEAR = 1969, 2201
"""Years that a table's clock may show; one that was never set begins in 1970."""

MAX_REASON_LENGTH = 120
MAX_EXCUSES = 1000
"""Of days that are not closed."""


@unique
class ObstacleKind(Enum):
    """What stands in the way of a close. The values are the page's."""

    CLOSED = "closed"
    PASSED = "passed"
    AHEAD = "ahead"
    ORDER = "order"
    READING = "reading"
    UNCOUNTED = "uncounted"


_TEXT_BY_OBSTACLE = {
    ObstacleKind.CLOSED: "{day} is closed already, by {names}",
    ObstacleKind.PASSED: "{day} lies before the last close, of {names}; what is left goes into the next one",
    ObstacleKind.AHEAD: "{day} has not begun; today is {names}",
    ObstacleKind.ORDER: "{names} is not closed yet; close the days in their order",
    ObstacleKind.READING: "the room is still reading the record of {names}; try again in a moment",
    ObstacleKind.UNCOUNTED: "no box of {names} is counted; count it, or say why it is not",
}


class CloseObstacle(NamedTuple):
    """What stands in the way of the close of `day`; `names`: of whom or what."""

    kind: ObstacleKind
    day: str
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """The same in words."""
        return _TEXT_BY_OBSTACLE[self.kind].format(day=self.day, names=", ".join(self.names))


class DropTotal(NamedTuple):
    """What was dropped: chips that are known, hands, and how many of these have chips that nobody knows."""

    chips: int = 0
    hand_count: int = 0
    unknown_count: int = 0

    def plus(self, other: Self) -> "DropTotal":
        """Both together."""
        return DropTotal(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def minus(self, other: Self) -> "DropTotal":
        """What is left without the other."""
        return DropTotal(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))


NOTHING = DropTotal()

DayAndTable = tuple[str, str]
"""A day of the house, as 2027-01-15, and a table."""


@dataclass(frozen=True, slots=True)
class BoxExcuse:
    """Why a table's box is not counted, and who said so."""

    reason: str
    said_by: str


@dataclass(frozen=True, slots=True)
class DayClose:
    """A day that was closed by `closed_by`, at `closed_at` (Unix seconds); `number` is that of its line.

    `boxes` are as they were counted then; `signature` is the person's over the line (`close_signature`).
    """

    number: int
    day: str
    closed_at: float
    closed_by: str
    taken: Mapping[DayAndTable, DropTotal]
    boxes: Sequence[Mapping[str, Any]]
    excuse_by_table: Mapping[str, BoxExcuse]
    content: Mapping[str, Any] = field(repr=False)

    @property
    def total(self) -> DropTotal:
        """All that it took."""
        return add_up(self.taken.values())

    @property
    def late_total(self) -> DropTotal:
        """What of it is of days before, which were closed without it."""
        return add_up(taken for (day, _), taken in self.taken.items() if day != self.day)


@dataclass(frozen=True, slots=True)
class DropCloses:
    """The closes so far, the newest. `taken`: what all of them took, days before `oldest_day` as `EARLIER`."""

    taken: Mapping[DayAndTable, DropTotal] = field(default_factory=dict)
    closes: tuple[DayClose, ...] = ()
    oldest_day: str = EARLIER
    excuse_by_day_and_table: Mapping[DayAndTable, BoxExcuse] = field(default_factory=dict)

    @property
    def last_closed_day(self) -> str:
        """The day that was closed last; before the first close the empty text, which comes before every day."""
        return self.closes[-1].day if self.closes else ""

    def find_close(self, day: str) -> DayClose | None:
        """The close of a day."""
        return next((one for one in self.closes if one.day == day), None)

    def compute_untaken(self, dropped: Mapping[DayAndTable, DropTotal], upto: str) -> dict[DayAndTable, DropTotal]:
        """What no close has taken of `dropped`, all that tables dropped, up to a day; what is 0 is left out."""
        now: dict[DayAndTable, DropTotal] = {}
        for (day, table), amount in dropped.items():
            if day <= upto:
                key = (self._fold_day(day), table)
                now[key] = now.get(key, NOTHING).plus(amount)
        return {
            key: left
            for key in sorted({*now, *(key for key in self.taken if key[0] <= upto)})
            if (left := now.get(key, NOTHING).minus(self.taken.get(key, NOTHING))) != NOTHING
        }

    def find_obstacle(self, day: str, today: str, dropped: Mapping[DayAndTable, DropTotal]) -> "CloseObstacle | None":
        """Why a day cannot be closed now, whatever its boxes are; `None` where it can."""
        closed = self.find_close(day)
        if closed is not None:
            return CloseObstacle(ObstacleKind.CLOSED, day, (closed.closed_by,))
        if day <= self.last_closed_day:
            return CloseObstacle(ObstacleKind.PASSED, day, (self.last_closed_day,))
        if day > today:
            return CloseObstacle(ObstacleKind.AHEAD, day, (today,))
        earlier = min((found for found, _ in dropped if self.last_closed_day < found < day), default=None)
        if not self.closes or earlier is None:  # the first close takes whatever was before it
            return None
        return CloseObstacle(ObstacleKind.ORDER, day, (earlier,))

    def _fold_day(self, day: str) -> str:
        return day if day >= self.oldest_day else EARLIER


def add_up(sums: Iterable[DropTotal]) -> DropTotal:
    """All of them together."""
    total = NOTHING
    for each in sums:
        total = total.plus(each)
    return total


def is_day(text: str) -> bool:
    """Whether a text is a day of a house, as 2027-01-15."""
    try:
        day = date.fromisoformat(text)
        return day.isoformat() == text and MIN_YEAR <= day.year < MAX_YEAR
    except ValueError:
        return False


def make_close_line(
    day: str,
    untaken: Mapping[DayAndTable, DropTotal],
    boxes: Sequence[Mapping[str, Any]],
    excuse_by_table: Mapping[str, BoxExcuse],
) -> dict[str, Any]:
    """The word that closes a day, before it is signed."""
    return {
        "do": "close", "day": day, "taken": [[*key, *amount] for key, amount in sorted(untaken.items())],
        "boxes": [dict(box) for box in boxes],
        "excuses": [[table, one.reason, one.said_by] for table, one in sorted(excuse_by_table.items())],
    }  # fmt: skip


def apply_drop_line(closes: DropCloses, line: RecordLine) -> DropCloses:
    """Take one line more; what does not fit changes nothing."""
    match line.content:
        case {"do": "excuse", "day": str(day), "table": str(table), "why": str(why)} if (
            is_day(day) and day > closes.last_closed_day and 0 < len(why) <= MAX_REASON_LENGTH
        ):
            known = {**closes.excuse_by_day_and_table, (day, table): BoxExcuse(why, line.entered_by)}
            return closes if len(known) > MAX_EXCUSES else replace(closes, excuse_by_day_and_table=known)
        case {"do": "close", "day": str(day), "taken": [*rows], "boxes": [*boxes], "excuses": [*excuses]} if (
            is_day(day) and day > closes.last_closed_day
        ):
            taken = {(str(of), str(table)): DropTotal(*map(int, amount)) for of, table, *amount in rows}
            said = {str(table): BoxExcuse(str(why), str(by)) for table, why, by in excuses}
            close = DayClose(line.number, day, line.entered_at, line.entered_by, taken, boxes, said, line.content)
            return _add_close(closes, close)
        case _:
            return closes


def _add_close(closes: DropCloses, close: DayClose) -> DropCloses:
    oldest = max(closes.oldest_day, (date.fromisoformat(close.day) - timedelta(MAX_DAYS)).isoformat())
    taken: dict[DayAndTable, DropTotal] = {}
    for (day, table), amount in (*closes.taken.items(), *close.taken.items()):
        key = (day if day >= oldest else EARLIER, table)
        taken[key] = taken.get(key, NOTHING).plus(amount)
    return DropCloses(
        {key: amount for key, amount in taken.items() if amount != NOTHING},
        (*closes.closes, close)[-MAX_DAYS:],
        oldest,
        {key: one for key, one in closes.excuse_by_day_and_table.items() if key[0] > close.day},
    )
