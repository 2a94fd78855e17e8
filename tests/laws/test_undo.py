"""What is taken back never was: the table stands as before the entry, also behind an amendment and what it moves."""

import random

import pytest

from tests.core.arbitrary import WatchedTable, fitting, make_any_line, table_line

BLOCKS, TABLES_PER_BLOCK, EVENTS_PER_TABLE = 4, 12, 90


@pytest.mark.parametrize("block", range(BLOCKS))
def test_undo_leads_to_the_table_before_the_entry(block: int) -> None:
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(seed).randrange
        watched = WatchedTable(table_line(pick))
        for _ in range(EVENTS_PER_TABLE):
            table = watched.table
            before, depth = table.outcome.state, len(table.histories)
            line = make_any_line(table, pick) if pick(3) == 0 else fitting(table, pick)
            if watched.take(line) is None or len(table.histories) <= depth or pick(2):
                continue
            is_over = bool(before.plan) and not table.outcome.state.plan
            assert watched.take({"ev": "undo"}) is not None
            back = table.outcome.state
            assert back.plan == before.plan, f"seed {seed}: {line}"
            assert back.undo.is_floor_decision == before.undo.is_floor_decision, f"seed {seed}: {line}"
            assert back.seating == before.seating
            assert is_over or back.hand == before.hand, f"seed {seed}: {line}"
