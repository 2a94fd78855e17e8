"""Hands of arbitrary tables with arbitrary collections: no chip comes or goes, hands add up to the session.

Hands are undone, amended, killed, misdealt and voided meanwhile, terms change, people come and go; a start from what
was written down, or a replay of all lines, gives the same table.
"""

import random
from typing import Any

import pytest

from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.model.setup import TableOpened
from controller.core.model.table_state import TableState
from controller.core.play.game_flow import house_account
from controller.core.protocol.facts import HandReopened
from controller.core.protocol.script_lines import format_line, parse_line
from controller.core.protocol.steps import CollectStep
from controller.core.protocol.table_error import Refused
from controller.runtime.journal.entry_result import INTERNAL_FAULT_CODE
from tests.core.arbitrary import (
    Pick,
    a_card,
    an_amendment,
    any_collection,
    between_hands,
    chips,
    fitting,
    make_any_line,
    table_line,
)
from tests.laws.blocks import list_blocks
from tests.laws.house_oracle import HouseOracle
from tests.laws.test_restart import RecordedTable, describe

TABLES_PER_BLOCK, HANDS_PER_TABLE, MAX_LINES = 10, 4, 700
MOVING_LINES = ("sit", "leave", "stack", "buy", "undo", "amend")
"""With these chips come and go, or have never come and gone."""


def find_line(table: Table, pick: Pick) -> dict[str, Any]:
    """What the plan waits for, and now and then what puts a hand of raked pots or paid seats to the test."""
    state = table.outcome.state
    odd = pick(40)
    if odd == 0:
        return {"ev": "undo"}
    if odd == 1:
        return an_amendment(table, pick)
    if odd == 2:
        return make_any_line(table, pick)
    if odd == 3 and state.plan and pick(3) == 0:
        decide = ("dead-hand", "misdeal", "void", "play-on")[pick(4)]
        return {"ev": "floor", "decide": decide} | ({"seat": 1 + pick(10)} if decide == "dead-hand" else {})
    if odd == 3 and not state.plan:
        return {"ev": "collection", **any_collection(pick)}
    if odd in (4, 5) and not state.plan:
        return between_hands(state, pick)
    asked = [step.seat for step in state.plan.steps_of_type(CollectStep) if step.seat]
    if asked and pick(2):
        line = {"ev": "collect", "seat": asked[pick(len(asked))], "paid": bool(pick(3))}
        return line | ({"waiting": pick(3)} if pick(2) else {})
    line = fitting(table, pick)
    if line["ev"] == "card" and pick(50):
        return {"ev": "card", "card": a_card(state, pick)}
    return line


def has_anybody_left(state: TableState) -> bool:
    """Whether somebody who was dealt in has left with its chips: the hand may still be dealt again without."""
    return state.hand is not None and any(s not in state.seating.state_by_seat for s in state.hand.dealing_order)


class HouseLedger:
    """What each hand gave, as the answers to the starts say it."""

    def __init__(self) -> None:
        self.drop_by_hand: dict[int, int] = {}

    def forget(self, hand: int) -> None:
        """What this hand and later ones gave is another, or not known yet."""
        self.drop_by_hand = {each: chips for each, chips in self.drop_by_hand.items() if each < hand}

    def check_start(self, state: TableState, answer: dict[str, Any]) -> None:
        """The hands that are over add up to the session but for the fee of the one that begins."""
        if "drop" not in answer:
            return
        self.drop_by_hand[answer["hand"] - 1] = answer["drop"]["hand"]
        over = sum(chips for hand, chips in self.drop_by_hand.items() if hand < answer["hand"])
        fee = sum(post["amount"] for post in answer.get("posted", ()))
        assert answer["drop"]["session"] - fee == over
        assert answer["drop"]["session"] == house_account.count_session_chips(state)


def play_hands(seed: int) -> int:
    """Play the hands of a table; returns how many have begun."""
    pick = random.Random(seed).randrange
    line = table_line(pick) | {"mode": "cash", "collection": any_collection(pick)}
    recorded, ledger, begun, now = RecordedTable(parse_table_line(line)), HouseLedger(), 0, 0.0
    oracle = HouseOracle(line, outcome_rendering.render_outcome(recorded.found.table.outcome, 1))
    for number in range(2, MAX_LINES):
        table = recorded.found.table
        before = table.outcome.state
        said = find_line(table, pick)
        if said["ev"] == "start":
            if begun == HANDS_PER_TABLE:
                break
            now += 40.0 * pick(4)
            said["t"] = max(now, before.time.time_s)
        try:
            event = parse_line(said)
        except Refused:
            continue
        given = recorded.take(event)
        assert given.error is None or given.error.code != INTERNAL_FAULT_CODE, said
        if given.outcome is None or given.error is not None:
            begun += said["ev"] == "start"
            assert table.outcome.state is before
            continue
        after, answer = given.outcome.state, outcome_rendering.render_outcome(given.outcome, number)
        if after.setup.tracks_amounts and said["ev"] not in MOVING_LINES and not has_anybody_left(before):
            assert chips(after) == chips(before), said
        assert min(answer.get("stacks", {}).values(), default=0) >= 0
        assert all(pot["amount"] >= 0 for pot in answer.get("pots", ()))
        if said["ev"] in ("amend", "undo") or given.outcome.has_fact(HandReopened):
            ledger.forget(after.hand_count)
        if said["ev"] == "start":
            begun += 1
            ledger.check_start(after, answer)
        oracle.see(said, answer, has_button=after.setup.game.has_button)
        if pick(60) == 0:
            other = recorded.restart()
            assert describe(other) == describe(recorded)
            recorded = other
    check_replay(line, recorded)
    return begun


def check_replay(line: dict[str, Any], recorded: RecordedTable) -> None:
    """All lines, as a journal has them, played from the first, give the same table and the same account."""
    other = RecordedTable(parse_table_line(line))
    for event in recorded.events[1:]:
        assert not isinstance(event, TableOpened)
        other.take(parse_line(format_line(event)))
    assert other.found.table.outcome.state == recorded.found.table.outcome.state


@pytest.mark.parametrize("block", list_blocks(1))
def test_chips_are_conserved_and_hands_add_up_through_undo_amendment_and_restart(block: int) -> None:
    begun = 0
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        try:
            begun += play_hands(seed)
        except AssertionError as error:
            raise AssertionError(f"table {seed}: {error}") from error
    assert block or begun >= 2 * TABLES_PER_BLOCK, f"{begun} hands have begun"
