"""Dealers: who deals where and since when, who rests, and the next push. A fold of the stream `dealers:DAY`.

    {"do": "string", "tables": ["table-01", "table-02"]}        the order in which dealers go from table to table
    {"do": "deals", "table": "table-01", "dealer": "Ada"}       signed in there, or sent there
    {"do": "rests", "dealer": "Ada"} | {"do": "home", …}        on a break; gone home
    {"do": "push", "moves": [["Ada", "table-02", "Ben"], …]}    the next push, as `DealerRotation.plan_next_push` has
    it, was done

What a table's record told has `at`, when it was so, and `journal` and `record`, by which it counts once. A push moves
everybody one table on: the first table gets whoever has rested longest, the last one's dealer rests.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from room.record.room_record import RecordLine

DOWN_DURATION_S = 30 * 60.0
"""How long a dealer deals at one table."""

MAX_TABLES = 200
MAX_RESTING = 200
MAX_DEALERS = 400
"""Dealers of a day whose downs are counted, and journals that are read."""

DealerMove = tuple[str, str, str | None]
"""Dealer, table, and whom they relieve."""


@dataclass(frozen=True, slots=True)
class DealerStint:
    """Somebody who deals, or rests, since then (Unix seconds)."""

    dealer: str
    started_at: float


@dataclass(frozen=True, slots=True)
class DealerTotals:
    """What a dealer has done today: downs that have begun, and seconds of those that are over."""

    down_count: int = 0
    dealt_s: float = 0.0


@dataclass(frozen=True, slots=True)
class DealerRotation:
    """The `table_string` of tables, who deals at each, and who rests, the longest first.

    `last_record_by_journal`: journal -> the last of its records that was taken.
    """

    table_string: tuple[str, ...] = ()
    stint_by_table: Mapping[str, DealerStint] = field(default_factory=dict)
    resting_stints: tuple[DealerStint, ...] = ()
    totals_by_dealer: Mapping[str, DealerTotals] = field(default_factory=dict)
    last_record_by_journal: Mapping[str, int] = field(default_factory=dict)

    def plan_next_push(self) -> list[DealerMove]:
        """The next push, in the order in which they go; it ends at a table without a dealer, which gets one.

        Where nobody rests the dealers of the string change places, and the last one's goes to the first table.
        """
        if self.resting_stints:
            coming, moves = self.resting_stints[0].dealer, []
            for table in self.table_string:
                there = self.stint_by_table.get(table)
                moves.append((coming, table, there.dealer if there else None))
                if there is None:
                    break
                coming = there.dealer
            return moves
        tables = [table for table in self.table_string if table in self.stint_by_table]
        if len(tables) < 2:
            return []
        who = [self.stint_by_table[table].dealer for table in tables]
        return list(zip([who[-1], *who[:-1]], tables, who, strict=True))

    def find_overdue_tables(self, now: float, down: float = DOWN_DURATION_S) -> list[str]:
        """The tables whose dealers have been there too long, the longest first."""
        late = [(one.started_at, table) for table, one in self.stint_by_table.items() if now - one.started_at >= down]
        return [table for _, table in sorted(late)]

    def find_stint_start(self, dealer: str) -> float | None:
        """Since when somebody deals or rests."""
        return next(
            (one.started_at for one in (*self.stint_by_table.values(), *self.resting_stints) if one.dealer == dealer),
            None,
        )


def apply_dealer_line(rotation: DealerRotation, line: RecordLine) -> DealerRotation:
    """Take one line more; what does not fit changes nothing."""
    what = line.content
    at = (
        what["at"]
        if isinstance(what.get("at"), int | float) and 0 <= what["at"] <= line.entered_at
        else line.entered_at
    )
    match what:
        case {"journal": str(journal), "record": int(record)}:
            if record <= rotation.last_record_by_journal.get(journal, 0):
                return rotation
            if journal not in rotation.last_record_by_journal and len(rotation.last_record_by_journal) >= MAX_DEALERS:
                return rotation
            rotation = replace(rotation, last_record_by_journal={**rotation.last_record_by_journal, journal: record})
        case _:
            pass
    match what:
        case {"do": "string", "tables": [*tables]} if _is_table_string(tables):
            return replace(rotation, table_string=tuple(str(table) for table in tables))
        case {"do": "deals", "table": str(table), "dealer": str(dealer)} if dealer:
            return _start_dealing(rotation, table, dealer, at)
        case {"do": "rests", "dealer": str(dealer), **rest} if dealer and len(rotation.resting_stints) < MAX_RESTING:
            here = rotation.stint_by_table.get(str(rest["table"])) if "table" in rest else DealerStint(dealer, at)
            if here is None or here.dealer != dealer or any(one.dealer == dealer for one in rotation.resting_stints):
                return rotation
            return _start_rest(_remove_dealer(rotation, dealer, at), dealer, at)
        case {"do": "home", "dealer": str(dealer)}:
            return _remove_dealer(rotation, dealer, at)
        case {"do": "push", "moves": [*moves]} if moves and moves == _moves_to_json(rotation.plan_next_push()):
            for dealer, table, _ in rotation.plan_next_push():
                rotation = _start_dealing(rotation, table, dealer, at)
            return rotation
        case _:
            return rotation


def make_push_line(rotation: DealerRotation) -> Mapping[str, Any]:
    """The word that does the next push."""
    return {"do": "push", "moves": _moves_to_json(rotation.plan_next_push())}


def _start_dealing(rotation: DealerRotation, table: str, dealer: str, at: float) -> DealerRotation:
    """Let somebody deal there since `at`; what a table tells late moves nobody who has moved on since."""
    there = rotation.stint_by_table.get(table)
    if there is not None and there.dealer == dealer:
        return rotation
    if there is None and len(rotation.stint_by_table) >= MAX_TABLES:
        return rotation
    if (rotation.find_stint_start(dealer) or at) > at:
        return rotation if there is None or there.started_at > at else _relieve_dealer(rotation, table, at)
    if there is not None and there.started_at > at:
        away = _remove_dealer(rotation, dealer, at)
        return _start_rest(_add_down(away, dealer), dealer, there.started_at)
    away = _remove_dealer(rotation if there is None else _relieve_dealer(rotation, table, at), dealer, at)
    return _add_down(replace(away, stint_by_table={**away.stint_by_table, table: DealerStint(dealer, at)}), dealer)


def _relieve_dealer(rotation: DealerRotation, table: str, at: float) -> DealerRotation:
    dealer = rotation.stint_by_table[table].dealer
    return _start_rest(_remove_dealer(rotation, dealer, at), dealer, at)


def _start_rest(rotation: DealerRotation, dealer: str, at: float) -> DealerRotation:
    resting = sorted((*rotation.resting_stints, DealerStint(dealer, at)), key=lambda one: one.started_at)
    return replace(rotation, resting_stints=tuple(resting[:MAX_RESTING]))


def _add_down(rotation: DealerRotation, dealer: str) -> DealerRotation:
    done = rotation.totals_by_dealer.get(dealer)
    if done is None and len(rotation.totals_by_dealer) >= MAX_DEALERS:
        return rotation
    done = done or DealerTotals()
    return replace(
        rotation, totals_by_dealer={**rotation.totals_by_dealer, dealer: replace(done, down_count=done.down_count + 1)}
    )


def _remove_dealer(rotation: DealerRotation, dealer: str, at: float) -> DealerRotation:
    """Without somebody anywhere; a down that they had is over."""
    dealt = rotation.totals_by_dealer
    for one in rotation.stint_by_table.values():
        if one.dealer == dealer and dealer in dealt:
            done = dealt[dealer]
            dealt = {**dealt, dealer: replace(done, dealt_s=done.dealt_s + max(0.0, at - one.started_at))}
    dealing = {table: one for table, one in rotation.stint_by_table.items() if one.dealer != dealer}
    resting = tuple(one for one in rotation.resting_stints if one.dealer != dealer)
    return replace(rotation, stint_by_table=dealing, resting_stints=resting, totals_by_dealer=dealt)


def _moves_to_json(moves: Sequence[DealerMove]) -> list[list[str | None]]:
    return [list(move) for move in moves]


def _is_table_string(tables: Sequence[object]) -> bool:
    return (
        len(tables) <= MAX_TABLES and len(set(tables)) == len(tables) and all(isinstance(each, str) for each in tables)
    )
