"""A table that is let go from its tournament is as one that was set up anew: in its state, and in all that follows."""

import random
from typing import Any

import pytest

from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.model.table_state import TableState, TableUndo
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.core.values.value import replace
from tests.core.arbitrary import Pick, WatchedTable, fitting, make_any_line, play_to_the_end, table_line

OVER = {"ev": "tournament-over"}
BLOCKS, TABLES_PER_BLOCK, EVENTS_PER_TABLE, EVENTS_AFTER = 4, 10, 120, 40
HOLDS: tuple[dict[str, Any], ...] = (
    {"ev": "halt"}, {"ev": "hand-for-hand", "on": True}, {"ev": "last-hands", "hands": 1}, {"ev": "break"},
    {"ev": "timer", "set": "start"}, {"ev": "level"}, {"ev": "penalty", "seat": 1, "hands": 3}, {"ev": "waive-antes"},
    {"ev": "sit", "seat": 9, "player": "Late", "stack": 500}, {"ev": "colour-up", "chip": 5, "to": 25},
)  # fmt: skip


def tournament_line(pick: Pick) -> dict[str, Any]:
    """Any table of any book and game, of a tournament; most have a schedule."""
    line = {key: what for key, what in table_line(pick).items() if key not in ("collection", "choice")} | {
        "mode": "tournament"
    }
    return line if not pick(4) else line | {"house": {**line.get("house", {}), "schedule": "T2000"}}


def next_line(watched: WatchedTable, pick: Pick) -> dict[str, Any]:
    """What the plan waits for, now and then anything else, and what a tournament leaves at a table."""
    match pick(8):
        case 0:
            return make_any_line(watched.table, pick)
        case 1 | 2:
            return HOLDS[pick(len(HOLDS))]
        case _:
            return fitting(watched.table, pick)


def forget_what_stays(state: TableState) -> TableState:
    """The table but for what a table keeps: its time, the number of its hand, what can be taken back."""
    bare = replace(state, time=replace(state.time, time_s=0.0), hand_count=0, undo=TableUndo(), faults=())
    return replace(bare, opening_setup=replace(state.opening_setup, players=()))


def begin_anew(line: dict[str, Any]) -> Table:
    """A table of the same line at which nobody sits yet."""
    return WatchedTable(line | {"seats": []}).table


@pytest.mark.parametrize("block", range(BLOCKS))
def test_a_table_that_was_let_go_is_as_one_that_was_set_up_anew(block: int) -> None:
    freed = 0
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(seed).randrange
        line = tournament_line(pick)
        watched = WatchedTable(line)
        for _ in range(EVENTS_PER_TABLE):
            watched.take(next_line(watched, pick))
        play_to_the_end(watched)
        table = watched.table
        if table.outcome.state.is_hand_on:
            with pytest.raises(Refused) as refused:
                table.handle(parse_line(OVER))
            assert refused.value.code == "not-now", "a hand is on"
            continue
        before = table.outcome.state
        cleared = table.handle(parse_line(OVER))
        fresh = begin_anew(line)
        assert forget_what_stays(cleared.state) == forget_what_stays(fresh.outcome.state), f"seed {seed}"
        assert (cleared.state.hand_count, cleared.state.time.time_s) == (before.hand_count, before.time.time_s)
        table.handle(parse_line(OVER))
        assert forget_what_stays(table.outcome.state) == forget_what_stays(fresh.outcome.state), "the second time"
        assert_plays_alike(table, fresh, f"seed {seed}", pick)
        freed += 1
    assert freed, "no table came to rest"


def assert_plays_alike(table: Table, fresh: Table, where: str, pick: Pick) -> None:
    """Another tournament at both: the same lines have the same answers, but for the number of the hand."""
    players: list[dict[str, Any]] = [
        {"ev": "sit", "seat": seat, "player": f"Q{seat}", "stack": 2000} for seat in (2, 3, 5)
    ]
    for table_line_ in [*players, {"ev": "timer", "set": "start"}, {"ev": "start"}]:
        assert answer(table, table_line_) == answer(fresh, table_line_), f"{where}: {table_line_}"
    for _ in range(EVENTS_AFTER):
        following = fitting(fresh, pick)
        assert answer(table, following) == answer(fresh, following), f"{where}: {following}"


def answer(table: Table, line: dict[str, Any]) -> dict[str, Any]:
    """What a table says to a line, without line number and number of the hand; the table's own second goes along."""
    begins = table.outcome.state.hand_count
    try:
        shown = outcome_rendering.render_outcome(table.handle(parse_line(line)), 1)
    except Refused as why:
        shown = outcome_rendering.render_outcome(table.outcome, 1, why)
    return {**shown, "hand": table.outcome.state.hand_count - begins}
