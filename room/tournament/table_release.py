"""Tables are let go: when their event is over and paid out, closed or broken off, and when a table has broken.

A line that ends something names the tables that it lets go (`let_go`); the server adds them where the line is entered,
as it alone knows what other events use. So a line of an older version lets none go. A table that is not reached is let
go when it comes back: until then nobody else may use it.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from controller.core.tournament.tournament import TournamentError
from room.record.room_record import RecordLine
from room.tournament.instructions import TABLE_RELEASE_EVENT, drop_instructions_at
from room.tournament.tournament_state import Instruction, RoomTournament

LET_GO_KEY = "let_go"
WORDS_THAT_LET_GO = ("break", "redraw", "pay", "close")
"""Words that let tables go beside what they do."""


def find_tables_in_use(event: RoomTournament) -> frozenset[str]:
    """The tables that no other event may use: those in play until it is closed, and those not let go yet."""
    pending = {duty.table for duty in event.instruction_by_number.values()}
    is_done = bool(event.closed_by) or event.is_let_go
    return frozenset(pending if is_done else pending | set(event.seat_count_by_table))


def find_releasing_tables(event: RoomTournament) -> frozenset[str]:
    """The tables that have been told that they are let go, and have not entered it."""
    return frozenset(
        duty.table for duty in event.instruction_by_number.values() if duty.event_name == TABLE_RELEASE_EVENT
    )


def is_paid_out(event: RoomTournament) -> bool:
    """Whether all is played and every prize has been paid out."""
    return (
        event.is_over
        and event.progress is not None
        and all(event.is_paid_out(one.player, one.prize_cents) for one in event.progress.finishes() if one.prize_cents)
    )


def complete_line(
    what: Mapping[str, Any],
    event: RoomTournament | None,
    fold: Callable[[Mapping[str, Any]], RoomTournament | None],
    elsewhere: Collection[str],
) -> Mapping[str, Any]:
    """The line with the tables that it lets go, but for those that another event uses; raises `TournamentError`.

    `fold`: the event after a line. What a browser says of them counts for nothing.
    """
    bare = {key: found for key, found in what.items() if key != LET_GO_KEY}
    if event is None or what["do"] not in (*WORDS_THAT_LET_GO, "let-go"):
        return bare
    if what["do"] == "let-go":
        return {**bare, LET_GO_KEY: [table for table in event.held_tables if table not in elsewhere]}
    before, after = event, fold(bare)
    assert after is not None
    if after.closed_by or (what["do"] == "pay" and is_paid_out(after)):
        ended = set(after.held_tables)
    else:
        ended = (set(before.seat_count_by_table) - set(after.seat_count_by_table)) & set(after.held_tables)
    gone = [table for table in after.held_tables if table in ended - find_releasing_tables(after) - set(elsewhere)]
    return {**bare, LET_GO_KEY: gone} if gone else bare


def let_tables_go(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Each table that the line names is halted, and told that it is free; raises `TournamentError`.

    While others play on, a table that has broken is told so once all that it still has to enter is done.
    """
    wanted = line.content.get(LET_GO_KEY)
    if not wanted:
        return event
    tables = [str(table) for table in wanted] if isinstance(wanted, list) else []
    strange = [table for table in tables if table not in event.held_tables]
    if strange or not tables or len(set(tables)) != len(tables):
        raise TournamentError(
            f"`let_go` names tables that the event has, each once: {', '.join(event.held_tables) or 'none'}."
        )
    is_ended = bool(event.closed_by) or line.content["do"] in ("pay", "let-go")
    if is_ended:
        event = replace(drop_instructions_at(event, line, tables), is_let_go=True)
    duties: list[Instruction] = []

    def add_duty(table: str, what: Mapping[str, Any], needs: tuple[int, ...]) -> int:
        number = event.next_instruction_number + len(duties)
        duties.append(Instruction(number, table, what, line.entered_by, "", needs, updated_at=line.entered_at))
        return number

    for table in tables:
        needs = tuple(duty.number for duty in event.instruction_by_number.values() if duty.table == table)
        if is_ended:
            needs = (add_duty(table, {"ev": "halt"}, needs),)
        add_duty(table, {"ev": TABLE_RELEASE_EVENT}, needs)
    return event.add_instructions(duties)


def let_go_by_word(event: RoomTournament, line: RecordLine) -> RoomTournament:
    """Somebody lets tables of an event go that is over: once more, in their own name; or one of an older version.

    Raises `TournamentError`.
    """
    if not event.closed_by and not event.is_over:
        raise TournamentError("the tables of an event that is played are let go when it is over, or broken off.")
    if not line.content.get(LET_GO_KEY):
        raise TournamentError("the event has no table any more that it could let go.")
    return event  # what the line names is let go as by any line


def release_table(event: RoomTournament, table: str) -> RoomTournament:
    """A table has entered that it is free, or a person says that it is."""
    return replace(event, held_tables=tuple(one for one in event.held_tables if one != table))
