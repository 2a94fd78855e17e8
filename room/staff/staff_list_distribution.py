"""Which list of staff is the newest, which table has which, and where one is still owed: a fold of the stream `staff`.

    {"do": "list", "number": 7, "people": ["Ada", …]}           the room signed a list
    {"do": "held", "table": "table-07", "number": 7, "own": []}  a table has it; `own`: names that it has given itself
    {"do": "owed", "table": "table-09", "why": "…"}              a table has not the newest, and why

What a table answers is written when it is news, so that the stream grows with changes and not with time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from room.record.room_record import RecordLine

STAFF_STREAM = "staff"


@dataclass(frozen=True, slots=True)
class HeldList:
    """What a table has: the `number` of its list, the names that it keeps for people of its own, and what is owed.

    `owed_since`: Unix seconds from which on the newest list is owed there; `reason`: what kept it from being taken.
    """

    number: int = 0
    own_names: tuple[str, ...] = ()
    owed_since: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Distribution:
    """The newest list and where it is, by the last word of each table."""

    number: int = 0
    people: tuple[str, ...] = ()
    signed_at: float = 0.0
    held_list_by_table: Mapping[str, HeldList] = field(default_factory=dict)

    def find_owing_tables(self, tables: Iterable[str]) -> tuple[str, ...]:
        """Those of `tables` that have not the newest list, in order: whoever was withdrawn may still be in there."""
        return tuple(
            sorted(table for table in tables if self.held_list_by_table.get(table, HeldList()).number < self.number)
        )


def apply_staff_line(spread: Distribution, line: RecordLine) -> Distribution:
    """Take one line more; what an older or newer program wrote and this one does not know changes nothing."""
    match line.content:
        case {"do": "list", "number": int(number), "people": [*people]} if number > spread.number:
            return replace(spread, number=number, people=tuple(str(name) for name in people), signed_at=line.entered_at)
        case {"do": "held", "table": str(table), "number": int(number), "own": [*own]}:
            held = HeldList(number, tuple(str(name) for name in own))
            return replace(spread, held_list_by_table={**spread.held_list_by_table, table: held})
        case {"do": "owed", "table": str(table), "why": str(why)}:
            before = spread.held_list_by_table.get(table, HeldList())
            owed = replace(before, owed_since=before.owed_since or line.entered_at, reason=why)
            return replace(spread, held_list_by_table={**spread.held_list_by_table, table: owed})
        case _:
            return spread


def is_news(spread: Distribution, what: Mapping[str, Any]) -> bool:
    """Whether a word about a table says anything that is not known."""
    before = spread.held_list_by_table.get(str(what["table"]))
    match what:
        case {"do": "held", "number": int(number), "own": [*own]}:
            return before is None or (before.number, before.own_names, before.owed_since) != (number, tuple(own), None)
        case {"do": "owed", "why": str(why)}:
            return before is None or before.owed_since is None or before.reason != why
        case _:
            return False
