"""Hand for hand over tables: nobody deals the next hand before all have done theirs; the tables' own gates hold it.

Sources: TDA-RP-8, WSOP-T-126, FC-10.final#a. A table that plays hand for hand waits by itself after its hand
(`controller.core.play.deal.hand_for_hand`); the room says `go` to all of them at once, and only then.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from controller.core.tournament.event import EventError
from controller.core.values.counted import counted
from room.event.duties import told
from room.event.model import Duty, Event, Round
from room.event.standing import TableStanding
from room.record.lines import Line

MINUTE = 60.0
WORD = "hand-for-hand"


def began(event: Event, line: Line) -> Event:
    """The director announces it: the hands that are on are the first that are played together."""
    if event.rounds is not None:
        raise EventError("the tables play hand for hand already.")
    tables = _playing(event)
    event = told(event, line, tables, {"ev": WORD, "on": True})
    return replace(event, rounds=Round(1, dict.fromkeys(tables, 0)))


def ended(event: Event, line: Line) -> Event:
    """It is over; what waits goes on."""
    if event.rounds is None:
        raise EventError("the tables do not play hand for hand.")
    alone = (table for table in event.tables if _is_alone(event, table))  # one that was in it before waits there
    tables = tuple(dict.fromkeys((*event.rounds.tables, *alone)))
    return replace(told(event, line, tables, {"ev": WORD, "on": False}), rounds=None)


def joined(event: Event, line: Line) -> Event:
    """A table that could not play has players again, and plays hand for hand with the others from its next hand on.

    It is told that it is over first: from an earlier round it may wait for a word that the others had without it.
    """
    rounds = event.rounds
    new = [] if rounds is None else [table for table in _playing(event) if table not in rounds.tables]
    if rounds is None or not new:
        return event
    event = told(event, line, new, {"ev": WORD, "on": False}, {"ev": WORD, "on": True})
    return replace(event, rounds=replace(rounds, tables={**rounds.tables, **dict.fromkeys(new, 0)}))


def _is_alone(event: Event, table: str) -> bool:
    """Whether too few players for a hand sit at a table yet; who is on the way comes, maybe, from one that waits."""
    coming = {duty.player for duty in event.duties.values() if duty.table == table and duty.word == "sit"}
    return len(set(event.at_table(table).values()) - coming) < 2


def _playing(event: Event) -> tuple[str, ...]:
    return tuple(table for table, seats in event.by_table().items() if len(seats) > 1)


def gone_on(event: Event, line: Line) -> Event:
    """All tables have done their hand and deal the next one: `hands` has the last hand of each, as it was seen.

    Raises `EventError` where one has not, or somebody is still on the way to another seat.
    """
    rounds = event.rounds
    if rounds is None:
        raise EventError("the tables do not play hand for hand.")
    hands = line.what.get("hands")
    if not isinstance(hands, Mapping):
        raise EventError("`go` wants `hands`, the last hand of each table.")
    behind = [
        table
        for table, wanted in rounds.tables.items()
        if table in event.tables
        and table not in rounds.told
        and not _is_alone(event, table)
        and not 0 < wanted <= int(hands.get(table, 0))
    ]
    if behind:
        raise EventError(f"hand {rounds.number} is not over at {counted(len(behind), 'table')}: {', '.join(behind)}.")
    if moving(event):
        raise EventError("somebody is still on the way to another seat; the next hand waits for that.")
    tables = _playing(event)
    event = told(event, line, tables, {"ev": WORD, "go": True})
    return replace(event, rounds=Round(rounds.number + 1, dict.fromkeys(tables, 0)))


def turned_up(event: Event, line: Line) -> Event:
    """Tables with an all-in that was called show the hands and deal on [TDA-RP-8-F]; `tables` names them."""
    if event.rounds is None:
        raise EventError("the tables do not play hand for hand.")
    tables = [table for table in event.rounds.tables if table in line.what.get("tables", ())]
    waits = {duty.table for duty in event.duties.values() if duty.word == WORD}
    if not tables or waits & set(tables):
        raise EventError("no such table waits with an all-in, or it has been told already.")
    return told(event, line, tables, {"ev": WORD, "go": True})


def done_by_word(event: Event, line: Line) -> Event:
    """The floor says that a table, which the room does not reach, has done its hand and waits."""
    table, rounds = str(line.what.get("table", "")), event.rounds
    if rounds is None or table not in rounds.tables:
        raise EventError(f"table {table} does not play hand for hand.")
    return replace(event, rounds=replace(rounds, told=rounds.told | {table}))


def asked(event: Event, duty: Duty, what: Mapping[str, Any]) -> Event:
    """A table is being told: from what it shows follows which hand is its own of this round."""
    rounds = event.rounds
    if rounds is None or duty.word != WORD or "hand" not in what or duty.line.get("on") is False:
        return event
    idle = bool(what.get("idle"))
    if duty.line.get("go") and not idle and rounds.tables.get(duty.table):
        return event
    own = int(what["hand"]) + (1 if idle else 0)
    return replace(event, rounds=replace(rounds, tables={**rounds.tables, duty.table: own}))


def moving(event: Event) -> bool:
    """Whether somebody is on the way to another seat."""
    return any(duty.word in ("leave", "sit") for duty in event.duties.values())


@dataclass(frozen=True, slots=True)
class Waiting:
    """How far the tables are with a hand: `done`, `all_in` (called, hands face down), and who is still `behind`.

    `halted`: they begin theirs when players have come or gone, for whom other tables' all-in hands need not wait.
    """

    done: Mapping[str, int]
    all_in: tuple[str, ...]
    behind: tuple[str, ...]
    halted: tuple[str, ...] = ()


def waiting(event: Event, standings: Mapping[str, TableStanding]) -> Waiting:
    """See how far the tables are by how they stand."""
    done: dict[str, int] = {}
    all_in, behind, halted = [], [], []
    halts = {duty.table for duty in event.duties.values() if duty.word == "halt"}
    for table, own in (event.rounds.tables if event.rounds else {}).items():
        now = standings.get(table)
        if table not in event.tables and not _plays_its_last(event, table, now):
            continue
        if table in event.tables and _is_alone(event, table) and (now is None or now.idle):
            continue
        if event.rounds and table in event.rounds.told:
            done[table] = now.hand if now else 0
        elif now is not None and now.holds and now.idle and 0 < own <= now.hand:
            done[table] = now.hand
        elif now is not None and now.holds and not now.idle and own:
            all_in.append(table)
        elif now is not None and now.holds and table in halts:
            halted.append(table)
        else:
            behind.append(table)
    return Waiting(done, tuple(all_in), tuple(behind), tuple(halted))


def _plays_its_last(event: Event, table: str, now: TableStanding | None) -> bool:
    """Whether a table that has broken is in the hand yet after which its players leave."""
    leaving = any(duty.word == "leave" and duty.table == table for duty in event.duties.values())
    return leaving and (now is None or not now.idle)


def goes_on(event: Event, standings: Mapping[str, TableStanding]) -> Mapping[str, Any] | None:
    """What is to be entered now: the all-in hands of all tables at once, then the next hand; `None`: they wait."""
    if event.rounds is None:
        return None
    found = waiting(event, standings)
    if found.behind or any(duty.word == WORD for duty in event.duties.values()):
        return None
    if found.all_in:
        return {"do": "turn-up", "tables": list(found.all_in)}
    return None if moving(event) or found.halted or not found.done else {"do": "go", "hands": dict(found.done)}
