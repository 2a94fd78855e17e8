"""Who is out of a tournament was knocked out by who won the last chip.

Covers: WSOP-T-39.a
"""

import random
from collections import Counter, defaultdict
from typing import Any

import pytest

from controller.core.engine.output import outcome_rendering
from controller.core.model.table_state import TableState
from controller.core.play.betting import pots
from controller.core.protocol.facts import DealBegan, EntryAmended, EntryTakenBack, HandBegan, HandOver, PotPushed
from controller.core.protocol.steps import AwardStep
from tests.core.arbitrary import Pick, WatchedTable, fitting, make_any_line, table_line
from tests.laws.blocks import list_blocks

QUICK_BLOCKS, TABLES_PER_BLOCK, EVENTS_PER_TABLE = 3, 14, 160


def make_tournament_line(pick: Pick) -> dict[str, Any]:
    """A tournament's table of any book and game, with short stacks among its players."""
    line = table_line(pick) | {"mode": "tournament"}
    for seat in line["seats"]:
        if "stack" in seat and pick(3) == 0:
            seat["stack"] = 1 + pick(20)
    return line


def next_line(watched: WatchedTable, pick: Pick) -> dict[str, Any]:
    state = watched.table.outcome.state
    odd = pick(30)
    if odd == 0:
        return make_any_line(watched.table, pick)
    if odd == 1:
        return {"ev": "undo"}
    if odd == 2 and not state.plan:
        return {"ev": "away", "seat": 1 + pick(10)}
    line = fitting(watched.table, pick)
    if odd in range(3, 9) and line["ev"] == "act":
        line = {"ev": "act", "seat": line["seat"], "do": "all-in"}
    return line


@pytest.mark.parametrize("block", list_blocks(QUICK_BLOCKS))
def test_who_is_out_was_knocked_out_by_those_who_won_the_pot_of_the_last_chip(block: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(seed).randrange
        watched = WatchedTable(make_tournament_line(pick))
        pushed: dict[int, Counter[int]] | None = defaultdict(Counter)
        for _ in range(EVENTS_PER_TABLE):
            before = watched.table.outcome.state
            outcome = watched.take(next_line(watched, pick))
            if outcome is None:
                continue
            if outcome.has_fact(HandBegan, DealBegan):
                pushed = defaultdict(Counter)
            if outcome.has_fact(EntryTakenBack, EntryAmended):
                pushed = None  # the facts of what was taken back were told
            for fact in outcome.facts:
                if isinstance(fact, PotPushed) and pushed is not None:
                    pushed[fact.pot_number] += Counter(fact.chips_by_seat)
            shown = outcome_rendering.render_outcome(outcome, 1).get("out", [])
            assert not shown or not outcome.state.plan, "nobody is out while the hand is on"
            if outcome.has_fact(HandOver) and before.setup.tracks_amounts:
                check_knockouts(before, outcome.state, shown, pushed, f"seed {seed}")
                seen["out"] += len(shown)
                seen["shared"] += sum(len(one["by"]) > 1 for one in shown)
                seen["several"] += len(shown) > 1
    assert block >= QUICK_BLOCKS or all(seen[what] for what in ("out", "several")), seen


def check_knockouts(
    before: TableState,
    after: TableState,
    shown: list[dict[str, Any]],
    pushed: dict[int, Counter[int]] | None,
    where: str,
) -> None:
    """Those who lost their last chip are named, each with who won it, by what was pushed of the pots."""
    hand = before.hand
    assert hand is not None
    chairs = after.seating.state_by_seat
    gone = {seat for seat in before.seating.state_by_seat if seat not in chairs} & set(hand.chips.stack_by_seat)
    assert [one["seat"] for one in shown] == sorted(gone), where
    paid, live = hand.chips.paid_earlier_by_seat, hand.betting.live_seats
    for one in shown:
        able = {seat for seat in live if paid.get(seat, 0) >= paid.get(one["seat"], 0)}
        assert one["by"], where
        assert one["seat"] not in one["by"], where
        assert len(set(one["by"])) == len(one["by"]), where
        assert all(chairs[seat].stack for seat in one["by"]), where
        shares = one.get("shares", [1, 2])
        assert min(shares) > 0, where
        assert len(set(shares)) > 1, f"{where}: equal shares go without saying"
        assert "shares" not in one or len(shares) == len(one["by"]), where
        if isinstance(before.plan.next_step, AwardStep) and pushed is not None:
            able_by_pot = [set(pot.seats) for pot in pots.build_pots(hand)]
            number = able_by_pot.index(able) if able else len(able_by_pot) - 1
            assert set(one["by"]) == set(+pushed[number]), f"{where}: {one} {pushed}"
