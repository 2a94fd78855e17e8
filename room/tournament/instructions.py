"""What tables are asked to enter, and their answers: a move is a `leave` at one and a `sit` at the other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from controller.core.tournament.tournament import TournamentError, parse_amount
from room.record.room_record import RecordLine
from room.tournament.tournament_state import (
    MAX_REMEMBERED,
    Instruction,
    InstructionStatus,
    PlayerMoved,
    RoomTournament,
    TableSeat,
)

TABLE_RELEASE_EVENT = "tournament-over"
"""The word by which a table is let go."""


def instruct_tables(
    event: RoomTournament, line: RecordLine, tables: Sequence[str], *lines: Mapping[str, Any]
) -> RoomTournament:
    """Each of the tables is to enter the lines, one after the other, and after what it has been told of their kind."""
    duties: list[Instruction] = []
    words = {str(one["ev"]) for one in lines}
    before = [duty for duty in event.instruction_by_number.values() if duty.event_name in words]
    for table in tables:
        needs = tuple(duty.number for duty in before if duty.table == table)
        for one in lines:
            duties.append(
                Instruction(
                    event.next_instruction_number + len(duties),
                    table,
                    one,
                    line.entered_by,
                    prerequisites=needs,
                    updated_at=line.entered_at,
                )
            )
            needs = (duties[-1].number,)
    return event.add_instructions(duties)


def send_away(event: RoomTournament, line: RecordLine, player: str, place: TableSeat) -> RoomTournament:
    """Who takes no part any more leaves the table, between hands."""
    table, seat = place
    leave = {"ev": "leave", "seat": seat}
    number = event.next_instruction_number
    return event.add_instructions(
        [Instruction(number, table, leave, line.entered_by, player, updated_at=line.entered_at)]
    )


def seat_players(event: RoomTournament, line: RecordLine, seats: Mapping[str, TableSeat], stack: int) -> RoomTournament:
    """Players come to their seats with a stack of their own; before the first hand once their table is halted."""
    duties: list[Instruction] = []
    halts = _find_pending_halts(event) if event.seating_by else {}
    moved: list[PlayerMoved] = []
    for player, (table, seat) in seats.items():
        number = event.next_instruction_number + len(duties)
        sit = {"ev": "sit", "seat": seat, "player": player, "stack": stack}
        needs = (*halts.get(table, ()), *_find_pending_leaves(event, (table, seat)))
        duties.append(Instruction(number, table, sit, line.entered_by, player, needs, updated_at=line.entered_at))
        moved.append(PlayerMoved(line.entered_at, player, None, (table, seat), number, str(line.content["do"])))
    event = event if line.content["do"] == "start" else replace(event, moves=(*event.moves, *moved)[-MAX_REMEMBERED:])
    return replace(
        event, seat_by_player={**event.seat_by_player, **seats}, freed_seats=_remaining_freed_seats(event, seats)
    ).add_instructions(duties)


def _find_pending_halts(event: RoomTournament) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for duty in event.instruction_by_number.values():
        if duty.event_name == "halt":
            found[duty.table] = (*found.get(duty.table, ()), duty.number)
    return found


def begin_play_at_tables(event: RoomTournament, line: RecordLine, tables: Sequence[str]) -> RoomTournament:
    """The timers start, and each table goes on that was halted until its players were seated.

    A table that has still to seat some goes on once it has; what it has refused holds it up no longer.
    """
    duties: list[Instruction] = []
    for table in tables:
        needs = tuple(
            duty.number
            for duty in event.instruction_by_number.values()
            if duty.table == table and duty.status is not InstructionStatus.REFUSED
        )
        for one, after in (({"ev": "timer", "set": "start"}, ()), ({"ev": "halt", "on": False}, needs)):
            number = event.next_instruction_number + len(duties)
            duties.append(Instruction(number, table, one, line.entered_by, "", after, updated_at=line.entered_at))
    return event.add_instructions(duties)


def _remaining_freed_seats(event: RoomTournament, seats: Mapping[str, TableSeat]) -> tuple[TableSeat, ...]:
    taken = set(seats.values())
    return tuple(seat for seat in event.freed_seats if seat not in taken and seat[0] in event.seat_count_by_table)


def move_players(
    event: RoomTournament, line: RecordLine, seats: Mapping[str, TableSeat], kind: str, *, halting: bool = False
) -> RoomTournament:
    """Players change seats: each leaves, then sits, once the new chair is empty; stack and penalty go along.

    `halting`: no hand begins meanwhile at the tables that they leave. Who keeps the seat stays. Raises
    `TournamentError`.
    """
    change = {player: to for player, to in seats.items() if event.seat_by_player.get(player) != to}
    _refuse_impossible_seats(event, change)
    cites = tuple(str(cite) for cite in line.content.get("cite", ()))
    sources = list(dict.fromkeys(event.seat_by_player[player][0] for player in change))
    busy = [*sources, *(to[0] for to in change.values() if to[0] not in sources)] if kind == "redraw" else sources
    duties: list[Instruction] = []

    def duty(table: str, what: Mapping[str, Any], player: str = "", needs: Sequence[int] = (), carries: int = 0) -> int:
        number = event.next_instruction_number + len(duties)
        duties.append(
            Instruction(number, table, what, line.entered_by, player, tuple(needs), carries, updated_at=line.entered_at)
        )
        return number

    halts = {table: duty(table, {"ev": "halt"}) for table in dict.fromkeys(busy)} if halting else {}
    leaves: dict[str, int] = {}
    vacated: dict[TableSeat, int] = {}
    for player in change:
        table, seat = event.seat_by_player[player]
        first = (*_find_pending_sits(event, player), *([halts[table]] if table in halts else []))
        leaves[player] = vacated[table, seat] = duty(table, {"ev": "leave", "seat": seat}, player, first)
    moved = []
    sits: dict[str, list[int]] = {}
    for player, (table, seat) in change.items():
        needs = {
            leaves[player],
            vacated.get((table, seat), leaves[player]),
            *_find_pending_leaves(event, (table, seat)),
        }
        sit = {"ev": "sit", "seat": seat, "player": player, "moved": True}
        sits.setdefault(table, []).append(duty(table, sit, player, sorted(needs), leaves[player]))
        moved.append(
            PlayerMoved(
                line.entered_at, player, event.seat_by_player[player], (table, seat), duties[-1].number, kind, cites
            )
        )
    for table in halts:
        if table in event.seat_count_by_table and (table in sits or event.seating_at(table)):
            gone = [number for player, number in leaves.items() if event.seat_by_player[player][0] == table]
            duty(table, {"ev": "halt", "on": False}, needs=[*gone, *sits.get(table, [])])
    event = replace(event, moves=(*event.moves, *moved)[-MAX_REMEMBERED:])
    return replace(
        event, seat_by_player={**event.seat_by_player, **change}, freed_seats=_remaining_freed_seats(event, change)
    ).add_instructions(duties)


def _refuse_impossible_seats(event: RoomTournament, change: Mapping[str, TableSeat]) -> None:
    """Refuse seats that are not there, or that somebody else has, and keeps; raises `TournamentError`."""
    stay = {place: player for player, place in event.seat_by_player.items() if player not in change}
    if len(set(change.values())) != len(change):
        raise TournamentError("two players cannot get the same seat.")
    for player, (table, seat) in change.items():
        if player not in event.seat_by_player:
            raise TournamentError(f"{player} has no seat in this event.")
        if table not in event.seat_count_by_table or not 1 <= seat <= event.seat_count_by_table[table]:
            raise TournamentError(
                f"there is no seat {seat} at table {table}; in play are {', '.join(event.seat_count_by_table)}."
            )
        if (table, seat) in stay:
            raise TournamentError(f"{stay[table, seat]} sits at table {table}, seat {seat}.")


def _find_pending_sits(event: RoomTournament, player: str) -> list[int]:
    """The `sit` that has not been entered yet: nobody leaves a chair before."""
    return [
        duty.number
        for duty in event.instruction_by_number.values()
        if duty.player == player and duty.event_name == "sit"
    ]


def _find_pending_leaves(event: RoomTournament, place: TableSeat) -> list[int]:
    """The `leave` that has not been entered yet: nobody sits in a chair before."""
    table, seat = place
    return [
        duty.number
        for duty in event.instruction_by_number.values()
        if duty.table == table and duty.event_name == "leave" and duty.script_line["seat"] == seat
    ]


def drop_play_instructions(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Nobody plays any more: what is open is dropped, but that tables go on, and that who was sent away leaves."""
    return _drop_instructions(event, line, [duty for duty in event.instruction_by_number.values()
                                            if not _is_releasing(event, duty)])  # fmt: skip


def drop_instructions_at(event: RoomTournament, line: RecordLine, tables: Sequence[str]) -> RoomTournament:
    """What is open at tables is dropped, whatever it is."""
    return _drop_instructions(
        event, line, [duty for duty in event.instruction_by_number.values() if duty.table in tables]
    )


def _drop_instructions(event: RoomTournament, line: RecordLine, duties: Sequence[Instruction]) -> RoomTournament:
    gone = {duty.number for duty in duties}
    kept = {number: duty for number, duty in event.instruction_by_number.items() if number not in gone}
    dropped = (replace(duty, status=InstructionStatus.DROPPED, updated_at=line.entered_at) for duty in duties)
    return replace(
        event,
        instruction_by_number=kept,
        finished_instructions=(*event.finished_instructions, *dropped)[-MAX_REMEMBERED:],
    )


def _is_releasing(event: RoomTournament, duty: Instruction) -> bool:
    return (
        duty.script_line.get("on") is False
        or duty.event_name == TABLE_RELEASE_EVENT
        or (duty.event_name == "leave" and duty.player not in event.seat_by_player)
    )


def find_due_instructions(event: RoomTournament) -> tuple[Instruction, ...]:
    """What can be asked of the tables now, in order; a table that has refused waits for a person."""
    return tuple(
        duty
        for duty in event.instruction_by_number.values()
        if duty.status in (InstructionStatus.OPEN, InstructionStatus.ASKED)
        and not any(number in event.instruction_by_number for number in duty.prerequisites)
    )


def apply_answer(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """A table was asked, has entered or refused, or a person says what became of it; raises `TournamentError`.

    `asked` has what the table showed then: `seen`, `hand`, and of who leaves `stack` and `misses`. `entered` has the
    `entry` of the table's journal, or none where the effect was found there; `by-hand` is a person's word for it.
    """
    number = int(parse_amount(line.content, "duty"))
    duty = event.instruction_by_number.get(number)
    if duty is None:
        raise TournamentError(f"there is nothing open under number {number}.")
    what = line.content
    match what["do"]:
        case "asked":
            stack = None if what.get("stack") is None else int(parse_amount(what, "stack"))
            asked = replace(
                duty,
                status=InstructionStatus.ASKED,
                seen_entry=int(parse_amount(what, "seen")),
                seen_hand=int(parse_amount(what, "hand")),
                was_idle=bool(what.get("idle", True)),
                stack=stack,
                penalty_hands=int(what.get("misses") or 0),
                seen_level=int(what.get("level") or 0),
                reason="",
            )
            return replace(event, instruction_by_number={**event.instruction_by_number, number: asked})
        case "refused":
            refused = replace(
                duty, status=InstructionStatus.REFUSED, reason=str(what.get("message") or what.get("code") or "")
            )
            return replace(event, instruction_by_number={**event.instruction_by_number, number: refused})
        case "again":
            return replace(
                event,
                instruction_by_number={
                    **event.instruction_by_number,
                    number: replace(duty, status=InstructionStatus.OPEN, reason=""),
                },
            )
        case "by-hand" | "entered":
            if duty.event_name == "leave" and what.get("stack") is not None:
                duty = replace(duty, stack=int(parse_amount(what, "stack")), penalty_hands=int(what.get("misses") or 0))
            entry = what.get("entry")
            return _finish_instruction(
                event,
                replace(duty, status=InstructionStatus.ENTERED, answered_entry=None if entry is None else int(entry)),
                line,
            )
        case _:
            return _finish_instruction(event, replace(duty, status=InstructionStatus.DROPPED), line)


def _finish_instruction(event: RoomTournament, duty: Instruction, line: RecordLine) -> RoomTournament:
    """A duty is over: what needed it may follow, and a stack that has left a table goes to the next."""
    duties = {number: one for number, one in event.instruction_by_number.items() if number != duty.number}
    event = replace(
        event,
        instruction_by_number=duties,
        finished_instructions=(*event.finished_instructions, replace(duty, updated_at=line.entered_at))[
            -MAX_REMEMBERED:
        ],
    )
    if duty.event_name != "leave" or duty.status is InstructionStatus.DROPPED:
        return event
    for sit in [one for one in duties.values() if one.source_leave == duty.number]:
        stack = {} if duty.stack is None else {"stack": duty.stack}
        event = replace(
            event,
            instruction_by_number={
                **event.instruction_by_number,
                sit.number: replace(sit, script_line={**sit.script_line, **stack}),
            },
        )
        if duty.penalty_hands:
            penalty = {"ev": "penalty", "seat": sit.script_line["seat"], "hands": duty.penalty_hands}
            number = event.next_instruction_number
            event = event.add_instructions(
                [
                    Instruction(
                        number, sit.table, penalty, sit.signer, sit.player, (sit.number,), updated_at=line.entered_at
                    )
                ]
            )
    return event
