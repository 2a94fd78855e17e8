"""What tables are asked to enter, and their answers: a move is a `leave` at one and a `sit` at the other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from controller.core.tournament.event import EventError, amount_of
from room.event.model import KEPT, Duty, Event, How, Moved, Seat
from room.record.lines import Line


def told(event: Event, line: Line, tables: Sequence[str], *lines: Mapping[str, Any]) -> Event:
    """Each of the tables is to enter the lines, one after the other, and after what it has been told of their kind."""
    duties: list[Duty] = []
    words = {str(one["ev"]) for one in lines}
    before = [duty for duty in event.duties.values() if duty.word in words]
    for table in tables:
        needs = tuple(duty.number for duty in before if duty.table == table)
        for one in lines:
            duties.append(Duty(event.next_duty + len(duties), table, one, line.by, needs=needs, at=line.at))
            needs = (duties[-1].number,)
    return event.asks(duties)


def seated(event: Event, line: Line, seats: Mapping[str, Seat], stack: int) -> Event:
    """Players come to their seats with a stack of their own."""
    duties: list[Duty] = []
    moved: list[Moved] = []
    for player, (table, seat) in seats.items():
        number = event.next_duty + len(duties)
        sit = {"ev": "sit", "seat": seat, "player": player, "stack": stack}
        duties.append(Duty(number, table, sit, line.by, player, at=line.at))
        moved.append(Moved(line.at, player, None, (table, seat), number, str(line.what["do"])))
    event = event if line.what["do"] == "start" else replace(event, moved=(*event.moved, *moved)[-KEPT:])
    return replace(event, seats={**event.seats, **seats}, free=_still_free(event, seats)).asks(duties)


def _still_free(event: Event, seats: Mapping[str, Seat]) -> tuple[Seat, ...]:
    taken = set(seats.values())
    return tuple(seat for seat in event.free if seat not in taken and seat[0] in event.tables)


def changed_seats(event: Event, line: Line, seats: Mapping[str, Seat], kind: str, *, halting: bool = False) -> Event:
    """Players change seats: each leaves, then sits, once the new chair is empty; stack and penalty go along.

    `halting`: no hand begins meanwhile at the tables that they leave. Who keeps the seat stays. Raises `EventError`.
    """
    change = {player: to for player, to in seats.items() if event.seats.get(player) != to}
    _can_be(event, change)
    cites = tuple(str(cite) for cite in line.what.get("cite", ()))
    sources = list(dict.fromkeys(event.seats[player][0] for player in change))
    busy = [*sources, *(to[0] for to in change.values() if to[0] not in sources)] if kind == "redraw" else sources
    duties: list[Duty] = []

    def duty(table: str, what: Mapping[str, Any], player: str = "", needs: Sequence[int] = (), carries: int = 0) -> int:
        number = event.next_duty + len(duties)
        duties.append(Duty(number, table, what, line.by, player, tuple(needs), carries, at=line.at))
        return number

    halts = {table: duty(table, {"ev": "halt"}) for table in dict.fromkeys(busy)} if halting else {}
    leaves: dict[str, int] = {}
    vacated: dict[Seat, int] = {}
    for player in change:
        table, seat = event.seats[player]
        first = (*_sitting(event, player), *([halts[table]] if table in halts else []))
        leaves[player] = vacated[table, seat] = duty(table, {"ev": "leave", "seat": seat}, player, first)
    moved = []
    sits: dict[str, list[int]] = {}
    for player, (table, seat) in change.items():
        needs = {leaves[player], vacated.get((table, seat), leaves[player]), *_leaving(event, (table, seat))}
        sit = {"ev": "sit", "seat": seat, "player": player, "moved": True}
        sits.setdefault(table, []).append(duty(table, sit, player, sorted(needs), leaves[player]))
        moved.append(Moved(line.at, player, event.seats[player], (table, seat), duties[-1].number, kind, cites))
    for table in halts:
        if table in event.tables and (table in sits or event.at_table(table)):
            gone = [number for player, number in leaves.items() if event.seats[player][0] == table]
            duty(table, {"ev": "halt", "on": False}, needs=[*gone, *sits.get(table, [])])
    event = replace(event, moved=(*event.moved, *moved)[-KEPT:])
    return replace(event, seats={**event.seats, **change}, free=_still_free(event, change)).asks(duties)


def _can_be(event: Event, change: Mapping[str, Seat]) -> None:
    """Refuse seats that are not there, or that somebody else has, and keeps; raises `EventError`."""
    stay = {place: player for player, place in event.seats.items() if player not in change}
    if len(set(change.values())) != len(change):
        raise EventError("two players cannot get the same seat.")
    for player, (table, seat) in change.items():
        if player not in event.seats:
            raise EventError(f"{player} has no seat in this event.")
        if table not in event.tables or not 1 <= seat <= event.tables[table]:
            raise EventError(f"there is no seat {seat} at table {table}; in play are {', '.join(event.tables)}.")
        if (table, seat) in stay:
            raise EventError(f"{stay[table, seat]} sits at table {table}, seat {seat}.")


def _sitting(event: Event, player: str) -> list[int]:
    """The `sit` that has not been entered yet: nobody leaves a chair before."""
    return [duty.number for duty in event.duties.values() if duty.player == player and duty.word == "sit"]


def _leaving(event: Event, place: Seat) -> list[int]:
    """The `leave` that has not been entered yet: nobody sits in a chair before."""
    table, seat = place
    return [
        duty.number
        for duty in event.duties.values()
        if duty.table == table and duty.word == "leave" and duty.line["seat"] == seat
    ]


def without_play(event: Event, line: Line) -> Event:
    """Nobody plays any more: what is open is dropped, but that tables go on, and that who was sent away leaves."""
    kept = {number: duty for number, duty in event.duties.items() if _frees(duty)}
    dropped = (replace(duty, how=How.DROPPED, at=line.at) for duty in event.duties.values() if not _frees(duty))
    return replace(event, duties=kept, done=(*event.done, *dropped)[-KEPT:])


def _frees(duty: Duty) -> bool:
    return duty.line.get("on") is False or (duty.word == "leave" and not duty.player)


def due(event: Event) -> tuple[Duty, ...]:
    """What can be asked of the tables now, in order; a table that has refused waits for a person."""
    return tuple(
        duty
        for duty in event.duties.values()
        if duty.how in (How.OPEN, How.ASKED) and not any(number in event.duties for number in duty.needs)
    )


def answered(event: Event, line: Line) -> Event:
    """A table was asked, has entered or refused, or a person says what became of it; raises `EventError`.

    `asked` has what the table showed then: `seen`, `hand`, and of who leaves `stack` and `misses`. `entered` has the
    `entry` of the table's journal, or none where the effect was found there; `by-hand` is a person's word for it.
    """
    number = int(amount_of(line.what, "duty"))
    duty = event.duties.get(number)
    if duty is None:
        raise EventError(f"there is nothing open under number {number}.")
    what = line.what
    match what["do"]:
        case "asked":
            stack = None if what.get("stack") is None else int(amount_of(what, "stack"))
            asked = replace(
                duty,
                how=How.ASKED,
                seen=int(amount_of(what, "seen")),
                hand=int(amount_of(what, "hand")),
                idle=bool(what.get("idle", True)),
                stack=stack,
                misses=int(what.get("misses") or 0),
                level=int(what.get("level") or 0),
                why="",
            )
            return replace(event, duties={**event.duties, number: asked})
        case "refused":
            refused = replace(duty, how=How.REFUSED, why=str(what.get("message") or what.get("code") or ""))
            return replace(event, duties={**event.duties, number: refused})
        case "again":
            return replace(event, duties={**event.duties, number: replace(duty, how=How.OPEN, why="")})
        case "by-hand" | "entered":
            if duty.word == "leave" and what.get("stack") is not None:
                duty = replace(duty, stack=int(amount_of(what, "stack")), misses=int(what.get("misses") or 0))
            entry = what.get("entry")
            return _over(event, replace(duty, how=How.ENTERED, entry=None if entry is None else int(entry)), line)
        case _:
            return _over(event, replace(duty, how=How.DROPPED), line)


def _over(event: Event, duty: Duty, line: Line) -> Event:
    """A duty is over: what needed it may follow, and a stack that has left a table goes to the next."""
    duties = {number: one for number, one in event.duties.items() if number != duty.number}
    event = replace(event, duties=duties, done=(*event.done, replace(duty, at=line.at))[-KEPT:])
    if duty.word != "leave" or duty.how is How.DROPPED:
        return event
    for sit in [one for one in duties.values() if one.carries == duty.number]:
        stack = {} if duty.stack is None else {"stack": duty.stack}
        event = replace(event, duties={**event.duties, sit.number: replace(sit, line={**sit.line, **stack})})
        if duty.misses:
            penalty = {"ev": "penalty", "seat": sit.line["seat"], "hands": duty.misses}
            number = event.next_duty
            event = event.asks([Duty(number, sit.table, penalty, sit.by, sit.player, (sit.number,), at=line.at)])
    return event
