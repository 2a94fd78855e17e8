"""What is taken back never was: the table stands as before the entry, also behind an amendment and what it moves."""

import random

import pytest

from controller.core.protocol.script_lines import parse_line
from tests.core.arbitrary import WatchedTable, fitting, make_any_line, table_line
from tests.core.test_amend_any_story import render_without_rulings
from tests.laws.blocks import list_blocks

QUICK_BLOCKS, TABLES_PER_BLOCK, EVENTS_PER_TABLE = 3, 12, 90


@pytest.mark.parametrize("block", list_blocks(QUICK_BLOCKS))
def test_undo_leads_to_the_table_before_the_entry(block: int) -> None:
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(seed).randrange
        watched = WatchedTable(table_line(pick))
        for _ in range(EVENTS_PER_TABLE):
            table = watched.table
            stood, depth = table.outcome, len(table.histories)
            before = stood.state
            line = make_any_line(table, pick) if pick(3) == 0 else fitting(table, pick)
            if watched.take(line) is None or len(table.histories) <= depth or pick(2):
                continue
            is_over = bool(before.plan) and not table.outcome.state.plan
            assert watched.take({"ev": "undo"}) is not None
            back = table.outcome.state
            shown = render_without_rulings(table.outcome)
            assert is_over or shown == render_without_rulings(stood), f"seed {seed}: {line}"
            assert back.plan == before.plan, f"seed {seed}: {line}"
            assert back.undo.is_floor_decision == before.undo.is_floor_decision, f"seed {seed}: {line}"
            assert back.seating == before.seating
            assert is_over or back.hand == before.hand, f"seed {seed}: {line}"


def test_a_copy_of_a_table_takes_back_the_same_and_leaves_the_other_as_it_is() -> None:
    pick = random.Random(1).randrange
    table = WatchedTable(table_line(pick)).table
    before = table.outcome
    for seat in list(before.state.seating.state_by_seat)[:2]:
        table.handle(parse_line({"ev": "away", "seat": seat}))
    copy, stood = table.copy(), table.outcome
    for _ in range(2):
        copy.handle(parse_line({"ev": "undo"}))
    assert copy.outcome.state.seating == before.state.seating
    assert table.outcome is stood
    assert len(table.histories) == 3
