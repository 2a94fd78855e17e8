"""What was dropped: the rows of the hands are the table's own account, whatever was taken back, amended, ruled."""

import json
import random
from itertools import pairwise

import pytest

from controller.core.model.table_state import TableState
from controller.core.play.game_flow import house_account
from controller.core.protocol.facts import ChipsCollected, EntryAmended, HandOver
from controller.records.drop import DropGrouping, DropRecorder, DropRow, sum_drop
from tests.core.arbitrary import WatchedTable, fitting
from tests.laws.blocks import list_blocks
from tests.laws.test_collection import next_line, raked_line

QUICK_BLOCKS, TABLES_PER_BLOCK, EVENTS_PER_TABLE = 4, 12, 200
STARTED_AT = "2026-01-31T21:59:30.000+00:00"
DEALER = {"name": "Ada", "role": "dealer"}


def count_chips(rows: tuple[DropRow, ...]) -> int:
    return sum(row.amount or 0 for row in rows)


def check_rows(recorder: DropRecorder, state: TableState, where: str) -> None:
    """The rows say what the account says, and every way to sum them up too."""
    account = state.collection
    if account is None:
        assert not recorder.rows, where
        return
    rows = recorder.rows
    assert all(one.hand < other.hand for one, other in pairwise(rows)), where
    if not state.setup.tracks_amounts:
        assert all(row.amount is None or row.kind == "none" for row in rows), where
        assert recorder.open_chips is None or state.setup.collection is None
        return
    open_chips = house_account.count_session_chips(state) - account.settled_chips
    assert count_chips(rows) == account.settled_chips, where
    assert recorder.open_chips == open_chips, where
    assert all((chips or 0) >= 0 for row in rows for chips in row.amount_by_kind.values()), where
    for grouping in DropGrouping:
        sums = sum_drop(rows, grouping)
        assert sum(each.chips or 0 for each in sums) == account.settled_chips, f"{where}: {grouping}"
        assert grouping is DropGrouping.KIND or sum(each.hand_count for each in sums) == len(rows)
    assert [DropRow.from_json(json.loads(json.dumps(row.to_json()))) for row in rows] == list(rows)


@pytest.mark.parametrize("block", list_blocks(QUICK_BLOCKS))
def test_the_rows_of_a_table_are_its_account(block: int) -> None:
    seen = {"hands": 0, "chips": 0, "back": 0, "amended": 0}
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(seed).randrange
        watched = WatchedTable(raked_line(pick), is_looked_at=False)
        recorder = DropRecorder(1)
        recorder.receive_outcome(watched.table.outcome, watched.table.history, STARTED_AT)
        for _ in range(EVENTS_PER_TABLE):
            before = watched.table.outcome.state
            line = next_line(watched, pick)
            outcome = watched.take(line)
            if outcome is None:
                continue
            told = recorder.receive_outcome(outcome, watched.table.history, STARTED_AT, DEALER)
            assert told is None or told == recorder.rows[-1]
            check_rows(recorder, outcome.state, f"seed {seed}: {line}")
            seen["back"] += line["ev"] == "undo" and before.collection != outcome.state.collection
            seen["amended"] += outcome.has_fact(EntryAmended)
        seen["hands"] += len(recorder.rows)
        seen["chips"] += count_chips(recorder.rows)
    assert block >= QUICK_BLOCKS or all(seen.values()), seen


@pytest.mark.parametrize("block", list_blocks(2))
def test_who_paid_for_time_is_who_the_table_told_of(block: int) -> None:
    """Nothing is taken back here, so that each charge that was told of stands in a row, or will."""
    for seed in range(2000 + block * TABLES_PER_BLOCK, 2000 + (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(seed).randrange
        line = raked_line(pick) | {"collection": {"kind": "time", "fee": 1 + pick(9), "minutes": 1}}
        watched = WatchedTable(line, is_looked_at=False)
        recorder, paid, told = DropRecorder(1), set[int](), []
        for _ in range(EVENTS_PER_TABLE):
            step = fitting(watched.table, pick)
            if step["ev"] == "start":
                step["t"] = watched.table.outcome.state.time.time_s + 61.0
            outcome = watched.take(step)
            if outcome is None:
                continue
            recorder.receive_outcome(outcome, watched.table.history, STARTED_AT)
            paid |= {
                fact.seat
                for fact in outcome.facts
                if isinstance(fact, ChipsCollected) and fact.seat is not None and fact.amount and not fact.is_button_fee
            }
            if outcome.has_fact(HandOver):
                told.append(tuple(sorted(paid)))
                paid = set()
        assert [row.paying_seats for row in recorder.rows] == told
        assert all(bool(row.paying_seats) == bool(row.amount) for row in recorder.rows if row.amount is not None)
