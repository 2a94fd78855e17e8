"""A report while the remedy of another one is under way: the plan stays one that people can carry out."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import CardStep
from controller.core.protocol.table_error import Refused
from tests.core.arbitrary import (
    WatchedTable,
    a_card,
    a_report,
    iter_obedient_answers,
    play_to_the_end,
    table_line,
)
from tests.laws.blocks import list_blocks

QUICK_BLOCKS = 3
TABLES_PER_BLOCK = 8
FORKS_PER_TABLE = 12
REPORTS_PER_FORK = 3
MAX_EVENTS_BEFORE_FORK = 45


@pytest.mark.parametrize("block", list_blocks(QUICK_BLOCKS))
def test_a_remedy_that_is_interrupted_can_be_carried_out(block: int) -> None:
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        chance = random.Random(seed)
        line = table_line(chance.randrange)
        for _ in range(FORKS_PER_TABLE):
            watched = _play_obediently(line, chance.randrange(MAX_EVENTS_BEFORE_FORK))
            for trouble in _iter_troubles(watched.table, chance):
                watched.take(trouble)
            play_to_the_end(watched)


def _play_obediently(line: dict[str, Any], length: int) -> WatchedTable:
    watched = WatchedTable(line)
    watched.take({"ev": "start"})
    for _ in range(length):
        if not watched.table.outcome.state.plan:
            watched.take({"ev": "start"})
        elif not any(watched.take(answer) is not None for answer in iter_obedient_answers(watched.table.outcome)):
            break
    return watched


def _iter_troubles(table: Table, chance: random.Random) -> Iterator[dict[str, Any]]:
    """Several reports one after another, with a boxed card first where a card is due."""
    if table.outcome.state.plan.next_step_if(CardStep) and chance.randrange(2):
        yield {"ev": "card", "card": a_card(table.outcome.state, chance.randrange), "face": "up"}
    for _ in range(REPORTS_PER_FORK):
        for _ in range(30):
            report = a_report(table.outcome.state, chance.randrange)
            if _is_taken(table, report):
                yield report
                break


def _is_taken(table: Table, line: dict[str, Any]) -> bool:
    try:
        table.copy().handle(parse_line(line))
    except Refused:
        return False
    return True
