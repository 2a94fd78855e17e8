"""Dealers: who deals where and since when, who rests, and the next push. A fold of the stream `dealers:DAY`.

    {"do": "string", "tables": ["table-01", "table-02"]}        the order in which dealers go from table to table
    {"do": "deals", "table": "table-01", "dealer": "Ada"}       signed in there (the table's record says so)
    {"do": "rests", "dealer": "Ada"} | {"do": "home", …}        on a break; gone home

A push moves everybody one table on: the first table gets whoever has rested longest, the last one's dealer rests.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from room.record.lines import Line

DOWN_SECONDS = 30 * 60.0
"""How long a dealer deals at one table."""

MOST_TABLES = 200
MOST_RESTING = 200


@dataclass(frozen=True, slots=True)
class Down:
    """Somebody who deals, or rests, since then (Unix seconds)."""

    dealer: str
    since: float


@dataclass(frozen=True, slots=True)
class Rotation:
    """The `string` of tables, who deals at each, and who rests, the longest first."""

    string: tuple[str, ...] = ()
    dealing: Mapping[str, Down] = field(default_factory=dict)
    resting: tuple[Down, ...] = ()

    def push(self) -> list[tuple[str, str, str | None]]:
        """The next push: dealer, table, and whom they relieve, in the order in which they go.

        Where nobody rests the string is pushed from its second table on, and the first keeps its dealer.
        """
        coming = self.resting[0].dealer if self.resting else None
        moves: list[tuple[str, str, str | None]] = []
        for table in self.string:
            there = self.dealing.get(table)
            if coming is not None:
                moves.append((coming, table, there.dealer if there else None))
            coming = there.dealer if there else coming if not moves else None
        return moves

    def over(self, now: float, down: float = DOWN_SECONDS) -> list[str]:
        """The tables whose dealers have been there too long, the longest first."""
        late = [(one.since, table) for table, one in self.dealing.items() if now - one.since >= down]
        return [table for _, table in sorted(late)]


def after(rotation: Rotation, line: Line) -> Rotation:
    """Take one line more; what does not fit changes nothing."""
    match line.what:
        case {"do": "string", "tables": [*tables]} if _is_string(tables):
            return replace(rotation, string=tuple(str(table) for table in tables))
        case {"do": "deals", "table": str(table), "dealer": str(dealer)} if dealer:
            there = rotation.dealing.get(table)
            if there is not None and there.dealer == dealer:
                return rotation
            if there is None and len(rotation.dealing) >= MOST_TABLES:
                return rotation
            away = _without(rotation, dealer)
            resting = away.resting if there is None else (*away.resting, Down(there.dealer, line.at))
            return replace(away, dealing={**away.dealing, table: Down(dealer, line.at)}, resting=resting[:MOST_RESTING])
        case {"do": "rests", "dealer": str(dealer)} if dealer and len(rotation.resting) < MOST_RESTING:
            if any(one.dealer == dealer for one in rotation.resting):
                return rotation
            away = _without(rotation, dealer)
            return replace(away, resting=(*away.resting, Down(dealer, line.at)))
        case {"do": "home", "dealer": str(dealer)}:
            return _without(rotation, dealer)
        case _:
            return rotation


def _without(rotation: Rotation, dealer: str) -> Rotation:
    dealing = {table: one for table, one in rotation.dealing.items() if one.dealer != dealer}
    return replace(rotation, dealing=dealing, resting=tuple(one for one in rotation.resting if one.dealer != dealer))


def _is_string(tables: Sequence[object]) -> bool:
    return (
        len(tables) <= MOST_TABLES and len(set(tables)) == len(tables) and all(isinstance(each, str) for each in tables)
    )
