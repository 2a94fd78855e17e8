"""What the house takes: no chip comes or goes, its account adds up, and undo gives all of it back."""

import random
from typing import Any

import pytest

from controller.core.engine.output import outcome_rendering
from controller.core.model.table_state import TableState
from controller.core.play.game_flow import house_account
from controller.core.protocol.facts import ChipsCollected, HandOver
from controller.core.protocol.steps import CollectStep
from tests.core.arbitrary import (
    Pick,
    WatchedTable,
    any_collection,
    chips,
    fitting,
    has_seating_changed,
    make_any_line,
    play_to_the_end,
    table_line,
)
from tests.laws.blocks import list_blocks

QUICK_BLOCKS, TABLES_PER_BLOCK, EVENTS_PER_TABLE = 1, 8, 160


def raked_line(pick: Pick) -> dict[str, Any]:
    """Any table of any book and game on which the house takes something."""
    return table_line(pick) | {"mode": "cash", "collection": any_collection(pick)}


def next_line(watched: WatchedTable, pick: Pick) -> dict[str, Any]:
    """What the plan waits for, now and then anything else, and what the house's money has of its own."""
    state = watched.table.outcome.state
    odd = pick(12)
    if odd == 0:
        return make_any_line(watched.table, pick)
    if odd == 1:
        return {"ev": "undo"}
    if odd == 2 and not state.plan:
        return {"ev": "collection", **any_collection(pick)}
    if odd == 3 or isinstance(state.plan.next_step, CollectStep):
        seats = [step.seat for step in state.plan.steps_of_type(CollectStep) if step.seat] or [1 + pick(10)]
        paid = pick(3) > 0
        return (
            {"ev": "collect", "seat": seats[pick(len(seats))], "paid": paid, "waiting": pick(3)}
            if pick(2)
            else {"ev": "done"}
        )
    line = fitting(watched.table, pick)
    return line | {"t": state.time.time_s + 30.0} if line["ev"] == "start" else line


def house(state: TableState) -> int:
    return house_account.count_session_chips(state)


@pytest.mark.parametrize("block", list_blocks(QUICK_BLOCKS))
def test_chips_of_table_and_house_are_conserved_and_the_account_adds_up(block: int) -> None:
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(seed).randrange
        watched = WatchedTable(raked_line(pick))
        for _ in range(EVENTS_PER_TABLE):
            before = watched.table.outcome.state
            line = next_line(watched, pick)
            outcome = watched.take(line)
            if outcome is None:
                continue
            check_money(before, outcome.state, f"seed {seed}: {line}")
            if outcome.has_fact(HandOver) and outcome.state.collection is not None:
                hand, account = outcome.state.hand, outcome.state.collection
                assert hand is not None
                assert account.last_hand_chips == hand.collection.taken_chips + account.last_charge_chips
        play_to_the_end(watched)


def check_money(before: TableState, after: TableState, where: str) -> None:
    """No chip comes or goes but with people, and the house has what its account says."""
    assert house(after) >= 0, where
    hand = after.hand
    if after.setup.tracks_amounts and hand is not None and not has_seating_changed(before, after):
        assert chips(after) == chips(before), where
    if hand is not None and hand.collection.taken_by_pot is not None and after.setup.tracks_amounts:
        assert (
            sum(hand.collection.taken_by_pot.values())
            <= sum(hand.chips.paid_earlier_by_seat.values()) + hand.chips.dead_chips
            or not hand.plan
        ), where


@pytest.mark.parametrize("block", list_blocks(QUICK_BLOCKS))
def test_the_house_is_told_of_what_it_takes_and_gives_back(block: int) -> None:
    """What the facts of a session say the house took is what its account has, but for what was taken back."""
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(f"told {seed}").randrange
        watched = WatchedTable(raked_line(pick))
        told = 0
        for _ in range(EVENTS_PER_TABLE):
            before = watched.table.outcome.state
            outcome = watched.take(fitting(watched.table, pick))
            if outcome is None:
                continue
            told += sum(fact.amount for fact in outcome.facts if isinstance(fact, ChipsCollected))
            assert house(outcome.state) <= told
            given_back = outcome.rulings or house(outcome.state) < house(before)
            told = house(outcome.state) if given_back else told
            assert house(outcome.state) == told, f"seed {seed}"
            shown = outcome_rendering.render_outcome(outcome, 1)
            assert shown.get("drop", {"session": told})["session"] == told


def test_nobody_knows_what_was_dropped_where_no_chips_are_counted() -> None:
    seats = [{"seat": seat} for seat in (1, 2, 3)]
    line = {
        "ev": "table",
        "rulebook": "roberts-7",
        "game": "holdem",
        "amounts": "untracked",
        "seats": seats,
        "button": 1,
    }
    line |= {"betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2}}
    watched = WatchedTable(line | {"mode": "cash", "collection": {"kind": "rake", "percent": 10}})
    acts = ((1, "raise"), (2, "call"), (3, "raise"), (1, "fold"), (2, "fold"))
    said: list[dict[str, Any]] = [{"ev": "start"}, *({"ev": "card", "card": None} for _ in range(6))]
    for each in (*said, *({"ev": "act", "seat": seat, "do": do} for seat, do in acts)):
        assert watched.take(each) is not None
    dropped = watched.take({"ev": "done"})
    assert dropped is not None
    assert [fact.amount for fact in dropped.facts if isinstance(fact, ChipsCollected)] == [0]
