"""Hand for hand over tables: nobody deals the next hand before all have done theirs; the tables' own gates hold it.

Sources: TDA-RP-8, WSOP-T-126, FC-10.final#a. A table that plays hand for hand waits by itself after its hand
(`controller.core.play.game_flow.tournament_holds`); the room says `go` to all of them at once, and only then.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from controller.core.tournament.tournament import TournamentError
from controller.core.values.plurals import pluralize
from room.record.room_record import RecordLine
from room.tournament.instructions import instruct_tables
from room.tournament.tournament_state import HandForHandRound, Instruction, RoomTournament
from room.tournament.tournament_table_view import TournamentTableView

SECONDS_PER_MINUTE = 60.0
HAND_FOR_HAND_EVENT = "hand-for-hand"


def begin_hand_for_hand(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """The director announces it: the hands that are on are the first that are played together."""
    if event.current_round is not None:
        raise TournamentError("the tables play hand for hand already.")
    tables = _list_dealable_tables(event)
    event = instruct_tables(event, line, tables, {"ev": HAND_FOR_HAND_EVENT, "on": True})
    return replace(event, current_round=HandForHandRound(1, dict.fromkeys(tables, 0)))


def end_hand_for_hand(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """It is over; what waits goes on."""
    if event.current_round is None:
        raise TournamentError("the tables do not play hand for hand.")
    alone = (
        table for table in event.seat_count_by_table if _is_alone(event, table)
    )  # one that was in it before waits there
    tables = tuple(dict.fromkeys((*event.current_round.target_hand_by_table, *alone)))
    return replace(instruct_tables(event, line, tables, {"ev": HAND_FOR_HAND_EVENT, "on": False}), current_round=None)


def join_returning_tables(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """A table that could not play has players again, and plays hand for hand with the others from its next hand on.

    It is told that it is over first: from an earlier round it may wait for a word that the others had without it.
    """
    rounds = event.current_round
    new = (
        []
        if rounds is None
        else [table for table in _list_dealable_tables(event) if table not in rounds.target_hand_by_table]
    )
    if rounds is None or not new:
        return event
    event = instruct_tables(
        event, line, new, {"ev": HAND_FOR_HAND_EVENT, "on": False}, {"ev": HAND_FOR_HAND_EVENT, "on": True}
    )
    return replace(
        event,
        current_round=replace(rounds, target_hand_by_table={**rounds.target_hand_by_table, **dict.fromkeys(new, 0)}),
    )


def _is_alone(event: RoomTournament, table: str) -> bool:
    """Whether too few players for a hand sit at a table yet; who is on the way comes, maybe, from one that waits."""
    coming = {
        duty.player for duty in event.instruction_by_number.values() if duty.table == table and duty.event_name == "sit"
    }
    return len(set(event.seating_at(table).values()) - coming) < 2


def _list_dealable_tables(event: RoomTournament) -> tuple[str, ...]:
    return tuple(table for table, seats in event.seating_by_table().items() if len(seats) > 1)


def release_next_hand(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """All tables have done their hand and deal the next one: `hands` has the last hand of each, as it was seen.

    Raises `TournamentError` where one has not, or somebody is still on the way to another seat.
    """
    rounds = event.current_round
    if rounds is None:
        raise TournamentError("the tables do not play hand for hand.")
    hands = line.content.get("hands")
    if not isinstance(hands, Mapping):
        raise TournamentError("`go` wants `hands`, the last hand of each table.")
    behind = [
        table
        for table, wanted in rounds.target_hand_by_table.items()
        if table in event.seat_count_by_table
        and table not in rounds.confirmed_tables
        and not _is_alone(event, table)
        and not 0 < wanted <= int(hands.get(table, 0))
    ]
    if behind:
        raise TournamentError(
            f"hand {rounds.number} is not over at {pluralize(len(behind), 'table')}: {', '.join(behind)}."
        )
    if is_player_moving(event):
        raise TournamentError("somebody is still on the way to another seat; the next hand waits for that.")
    tables = _list_dealable_tables(event)
    event = instruct_tables(event, line, tables, {"ev": HAND_FOR_HAND_EVENT, "go": True})
    return replace(event, current_round=HandForHandRound(rounds.number + 1, dict.fromkeys(tables, 0)))


def turn_up_hands(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Tables with an all-in that was called show the hands and deal on [TDA-RP-8-F]; `tables` names them."""
    if event.current_round is None:
        raise TournamentError("the tables do not play hand for hand.")
    tables = [table for table in event.current_round.target_hand_by_table if table in line.content.get("tables", ())]
    waits = {duty.table for duty in event.instruction_by_number.values() if duty.event_name == HAND_FOR_HAND_EVENT}
    if not tables or waits & set(tables):
        raise TournamentError("no such table waits with an all-in, or it has been told already.")
    return instruct_tables(event, line, tables, {"ev": HAND_FOR_HAND_EVENT, "go": True})


def confirm_hand_done(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """The floor says that a table, which the room does not reach, has done its hand and waits."""
    table, rounds = str(line.content.get("table", "")), event.current_round
    if rounds is None or table not in rounds.target_hand_by_table:
        raise TournamentError(f"table {table} does not play hand for hand.")
    return replace(event, current_round=replace(rounds, confirmed_tables=rounds.confirmed_tables | {table}))


def record_table_hand(event: RoomTournament, duty: Instruction, what: Mapping[str, Any]) -> RoomTournament:
    """A table is being told: from what it shows follows which hand is its own of this round."""
    rounds = event.current_round
    if (
        rounds is None
        or duty.event_name != HAND_FOR_HAND_EVENT
        or "hand" not in what
        or duty.script_line.get("on") is False
    ):
        return event
    idle = bool(what.get("idle"))
    if duty.script_line.get("go") and not idle and rounds.target_hand_by_table.get(duty.table):
        return event
    own = int(what["hand"]) + (1 if idle else 0)
    return replace(
        event, current_round=replace(rounds, target_hand_by_table={**rounds.target_hand_by_table, duty.table: own})
    )


def is_player_moving(event: RoomTournament) -> bool:
    """Whether somebody is on the way to another seat."""
    return any(duty.event_name in ("leave", "sit") for duty in event.instruction_by_number.values())


@dataclass(frozen=True, slots=True)
class RoundStatus:
    """How far the tables are with a hand; at `all_in_tables` a bet is called and the hands lie face down.

    `halted_tables`: they begin theirs when players have come or gone, for whom other tables' all-in hands need not
    wait.
    """

    finished_hand_by_table: Mapping[str, int]
    all_in_tables: tuple[str, ...]
    unfinished_tables: tuple[str, ...]
    halted_tables: tuple[str, ...] = ()


def assess_round(event: RoomTournament, standings: Mapping[str, TournamentTableView]) -> RoundStatus:
    """See how far the tables are by how they stand."""
    done: dict[str, int] = {}
    all_in, behind, halted = [], [], []
    halts = {duty.table for duty in event.instruction_by_number.values() if duty.event_name == "halt"}
    for table, own in (event.current_round.target_hand_by_table if event.current_round else {}).items():
        now = standings.get(table)
        if table not in event.seat_count_by_table and not _is_in_last_hand(event, table, now):
            continue
        if table in event.seat_count_by_table and _is_alone(event, table) and (now is None or now.is_idle):
            continue
        if event.current_round and table in event.current_round.confirmed_tables:
            done[table] = now.hand if now else 0
        elif now is not None and now.is_held and now.is_idle and 0 < own <= now.hand:
            done[table] = now.hand
        elif now is not None and now.is_held and not now.is_idle and own:
            all_in.append(table)
        elif now is not None and now.is_held and table in halts:
            halted.append(table)
        else:
            behind.append(table)
    return RoundStatus(done, tuple(all_in), tuple(behind), tuple(halted))


def _is_in_last_hand(event: RoomTournament, table: str, now: TournamentTableView | None) -> bool:
    """Whether a table that has broken is in the hand yet after which its players leave."""
    leaving = any(duty.event_name == "leave" and duty.table == table for duty in event.instruction_by_number.values())
    return leaving and (now is None or not now.is_idle)


def find_next_line(event: RoomTournament, standings: Mapping[str, TournamentTableView]) -> Mapping[str, Any] | None:
    """What is to be entered now: the all-in hands of all tables at once, then the next hand; `None`: they wait."""
    if event.current_round is None:
        return None
    found = assess_round(event, standings)
    if found.unfinished_tables or any(
        duty.event_name == HAND_FOR_HAND_EVENT for duty in event.instruction_by_number.values()
    ):
        return None
    if found.all_in_tables:
        return {"do": "turn-up", "tables": list(found.all_in_tables)}
    return (
        None
        if is_player_moving(event) or found.halted_tables or not found.finished_hand_by_table
        else {"do": "go", "hands": dict(found.finished_hand_by_table)}
    )
