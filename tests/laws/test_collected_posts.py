"""What the house takes of hands with dead posts, kills, straddles, long side pots and more boards than one."""

import random
from collections import Counter
from typing import Any

import pytest

from config import rulebook_file
from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import ActStep, BoardStep, BurnStep, DealStep
from controller.core.protocol.table_error import Refused
from tests.core.arbitrary import Pick
from tests.laws import test_collection_table
from tests.laws.blocks import list_blocks
from tests.laws.house_oracle import HouseOracle

KINDS: tuple[dict[str, Any], ...] = (
    {"kind": "rake", "percent": 10, "cap": 40},
    {"kind": "rake", "percent": 7.5, "step": 2},
    {"kind": "hand", "fee": 5},
)
LIMIT = {"structure": "fixed-limit", "small_blind": 2, "big_blind": 4, "small_bet": 4, "big_bet": 8}
NO_LIMIT = {"structure": "no-limit", "small_blind": 2, "big_blind": 4}
TABLES_PER_BLOCK, HANDS_PER_TABLE, MAX_LINES = 40, 9, 900
WANTED = {"dead", "kill", "straddle", "sides", "boards"}


def open_table(pick: Pick) -> dict[str, Any]:
    """A cash table of five at hold'em: no limit, or limit with kill pots."""
    books = rulebook_file.list_rulebooks()
    seats = [{"seat": seat, "stack": (400, 300, 15, 40, 90)[pick(5)]} for seat in range(2, 7)]
    line: dict[str, Any] = {
        "ev": "table",
        "rulebook": books[pick(len(books))],
        "mode": "cash",
        "seats": seats,
        "button": 2,
    }
    line |= {"game": "holdem", "collection": KINDS[pick(len(KINDS))]}
    if pick(3) == 0:
        return line | {"betting": LIMIT, "house": {"kill": ("full", "half")[pick(2)]}}
    return line | {"betting": NO_LIMIT}


def list_lines(table: Table, pick: Pick) -> list[dict[str, Any]]:
    """What may be tried until one is taken: posts between hands, straddles, boards, or what the plan waits for."""
    state, seat = table.outcome.state, 2 + pick(5)
    usual = test_collection_table.find_line(table, pick)
    if not state.plan:
        back = [{"ev": "back", "seat": each, "post": True} for each in range(2, 7)]
        gone = [{"ev": "away", "seat": seat}] if pick(4) == 0 else []
        return [*(back if pick(3) == 0 else ()), *gone, {"ev": "start"}]
    step = state.plan[0]
    if isinstance(step, ActStep):
        bold = {"ev": "act", "seat": step.seat, "do": ("all-in", "call")[pick(2)]}
        return [bold, usual] if pick(2) else [usual]
    if isinstance(step, DealStep) and pick(4) == 0:
        return [*({"ev": "act", "seat": each, "do": "straddle"} for each in range(2, 7)), usual]
    if isinstance(step, BurnStep | BoardStep) and pick(3) == 0:
        return [{"ev": "twice", "count": 2}, usual]
    return [usual]


def play_hands(seed: int) -> Counter[str]:
    """Play the hands of a table; returns with what the hands were that gave something."""
    pick = random.Random(seed).randrange
    line, table, begun = open_table(pick), Table(), 0
    oracle = HouseOracle(line, outcome_rendering.render_outcome(table.handle(parse_table_line(line)), 1))
    for number in range(2, MAX_LINES):
        for said in list_lines(table, pick):
            try:
                outcome = table.handle(parse_line(said))
            except Refused:
                continue
            begun += said["ev"] == "start"
            oracle.see(said, outcome_rendering.render_outcome(outcome, number), has_button=True)
            break
        if begun > HANDS_PER_TABLE:
            break
    return oracle.reckoned_with


@pytest.mark.parametrize("block", list_blocks(1))
def test_the_house_takes_what_is_due_with_posts_kills_straddles_sides_and_boards(block: int) -> None:
    found: Counter[str] = Counter()
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        try:
            found += play_hands(seed)
        except AssertionError as error:
            raise AssertionError(f"table {seed}: {error}") from error
    assert block or found.keys() >= WANTED, found
