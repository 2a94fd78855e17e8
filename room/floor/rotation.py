"""Dealers: who deals where and since when, who rests, and the next push. A fold of the stream `dealers:DAY`.

    {"do": "string", "tables": ["table-01", "table-02"]}        the order in which dealers go from table to table
    {"do": "deals", "table": "table-01", "dealer": "Ada"}       signed in there, or sent there
    {"do": "rests", "dealer": "Ada"} | {"do": "home", …}        on a break; gone home
    {"do": "push", "moves": [["Ada", "table-02", "Ben"], …]}    the next push, as `Rotation.push` has it, was done

What a table's record told has `at`, when it was so, and `journal` and `record`, by which it counts once. A push moves
everybody one table on: the first table gets whoever has rested longest, the last one's dealer rests.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from room.record.lines import Line

DOWN_SECONDS = 30 * 60.0
"""How long a dealer deals at one table."""

MOST_TABLES = 200
MOST_RESTING = 200
MOST_DEALERS = 400
"""Dealers of a day whose downs are counted, and journals that are read."""

Move = tuple[str, str, str | None]
"""Dealer, table, and whom they relieve."""


@dataclass(frozen=True, slots=True)
class Down:
    """Somebody who deals, or rests, since then (Unix seconds)."""

    dealer: str
    since: float


@dataclass(frozen=True, slots=True)
class Dealt:
    """What a dealer has done today: downs that have begun, and seconds of those that are over."""

    downs: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Rotation:
    """The `string` of tables, who deals at each, and who rests, the longest first.

    `read`: journal -> the last of its records that was taken.
    """

    string: tuple[str, ...] = ()
    dealing: Mapping[str, Down] = field(default_factory=dict)
    resting: tuple[Down, ...] = ()
    dealt: Mapping[str, Dealt] = field(default_factory=dict)
    read: Mapping[str, int] = field(default_factory=dict)

    def push(self) -> list[Move]:
        """The next push, in the order in which they go; it ends at a table without a dealer, which gets one.

        Where nobody rests the dealers of the string change places, and the last one's goes to the first table.
        """
        if self.resting:
            coming, moves = self.resting[0].dealer, []
            for table in self.string:
                there = self.dealing.get(table)
                moves.append((coming, table, there.dealer if there else None))
                if there is None:
                    break
                coming = there.dealer
            return moves
        tables = [table for table in self.string if table in self.dealing]
        if len(tables) < 2:
            return []
        who = [self.dealing[table].dealer for table in tables]
        return list(zip([who[-1], *who[:-1]], tables, who, strict=True))

    def over(self, now: float, down: float = DOWN_SECONDS) -> list[str]:
        """The tables whose dealers have been there too long, the longest first."""
        late = [(one.since, table) for table, one in self.dealing.items() if now - one.since >= down]
        return [table for _, table in sorted(late)]

    def since(self, dealer: str) -> float | None:
        """Since when somebody deals or rests."""
        return next((one.since for one in (*self.dealing.values(), *self.resting) if one.dealer == dealer), None)


def after(rotation: Rotation, line: Line) -> Rotation:
    """Take one line more; what does not fit changes nothing."""
    what = line.what
    at = what["at"] if isinstance(what.get("at"), int | float) and 0 <= what["at"] <= line.at else line.at
    match what:
        case {"journal": str(journal), "record": int(record)}:
            if record <= rotation.read.get(journal, 0):
                return rotation
            if journal not in rotation.read and len(rotation.read) >= MOST_DEALERS:
                return rotation
            rotation = replace(rotation, read={**rotation.read, journal: record})
        case _:
            pass
    match what:
        case {"do": "string", "tables": [*tables]} if _is_string(tables):
            return replace(rotation, string=tuple(str(table) for table in tables))
        case {"do": "deals", "table": str(table), "dealer": str(dealer)} if dealer:
            return _deals(rotation, table, dealer, at)
        case {"do": "rests", "dealer": str(dealer), **rest} if dealer and len(rotation.resting) < MOST_RESTING:
            here = rotation.dealing.get(str(rest["table"])) if "table" in rest else Down(dealer, at)
            if here is None or here.dealer != dealer or any(one.dealer == dealer for one in rotation.resting):
                return rotation
            return _rest(_without(rotation, dealer, at), dealer, at)
        case {"do": "home", "dealer": str(dealer)}:
            return _without(rotation, dealer, at)
        case {"do": "push", "moves": [*moves]} if moves and moves == _listed(rotation.push()):
            for dealer, table, _ in rotation.push():
                rotation = _deals(rotation, table, dealer, at)
            return rotation
        case _:
            return rotation


def word_of_push(rotation: Rotation) -> Mapping[str, Any]:
    """The word that does the next push."""
    return {"do": "push", "moves": _listed(rotation.push())}


def _deals(rotation: Rotation, table: str, dealer: str, at: float) -> Rotation:
    """Let somebody deal there since `at`; what a table tells late moves nobody who has moved on since."""
    there = rotation.dealing.get(table)
    if there is not None and there.dealer == dealer:
        return rotation
    if there is None and len(rotation.dealing) >= MOST_TABLES:
        return rotation
    if (rotation.since(dealer) or at) > at:
        return rotation if there is None or there.since > at else _relieved(rotation, table, at)
    if there is not None and there.since > at:
        away = _without(rotation, dealer, at)
        return _rest(_began(away, dealer), dealer, there.since)
    away = _without(rotation if there is None else _relieved(rotation, table, at), dealer, at)
    return _began(replace(away, dealing={**away.dealing, table: Down(dealer, at)}), dealer)


def _relieved(rotation: Rotation, table: str, at: float) -> Rotation:
    dealer = rotation.dealing[table].dealer
    return _rest(_without(rotation, dealer, at), dealer, at)


def _rest(rotation: Rotation, dealer: str, at: float) -> Rotation:
    resting = sorted((*rotation.resting, Down(dealer, at)), key=lambda one: one.since)
    return replace(rotation, resting=tuple(resting[:MOST_RESTING]))


def _began(rotation: Rotation, dealer: str) -> Rotation:
    done = rotation.dealt.get(dealer)
    if done is None and len(rotation.dealt) >= MOST_DEALERS:
        return rotation
    done = done or Dealt()
    return replace(rotation, dealt={**rotation.dealt, dealer: replace(done, downs=done.downs + 1)})


def _without(rotation: Rotation, dealer: str, at: float) -> Rotation:
    """Without somebody anywhere; a down that they had is over."""
    dealt = rotation.dealt
    for one in rotation.dealing.values():
        if one.dealer == dealer and dealer in dealt:
            done = dealt[dealer]
            dealt = {**dealt, dealer: replace(done, seconds=done.seconds + max(0.0, at - one.since))}
    dealing = {table: one for table, one in rotation.dealing.items() if one.dealer != dealer}
    resting = tuple(one for one in rotation.resting if one.dealer != dealer)
    return replace(rotation, dealing=dealing, resting=resting, dealt=dealt)


def _listed(moves: Sequence[Move]) -> list[list[str | None]]:
    return [list(move) for move in moves]


def _is_string(tables: Sequence[object]) -> bool:
    return (
        len(tables) <= MOST_TABLES and len(set(tables)) == len(tables) and all(isinstance(each, str) for each in tables)
    )
