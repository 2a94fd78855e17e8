"""Hands with too many cards or too few, by the book's clauses."""

from typing import Any

import pytest

from tests.playing import play
from tests.rules.boards import BOOKS, ruling
from tests.rules.deals import TWO_ACTED, dealt, plan

TRACKED_OR_NOT: tuple[dict[str, Any], ...] = (
    {"stacks": {1: 90, 2: 90}},
    {"stacks": {1: None, 2: None}, "amounts": "untracked"},
)
ANTES = {"structure": "no-limit", "small_blind": 1, "big_blind": 2, "ante": 1}

RELEASE = {"ev": "floor", "decide": "release"}


def test_AU_19_1_f__ii_gives_dead_money_back_too() -> None:
    """The big blind has posted the ante of the table, which is no part of its bet: a forced bet like any other."""
    antes = ANTES | {"ante": 2, "ante_by": "big-blind"}
    played = dealt("casino-au", *TWO_ACTED, betting=antes)
    before = played.lines[-1]
    assert before["stacks"]["3"] < 198
    played("report short-hand seat=3")
    answer = played.lines[-1]
    assert answer["stacks"]["3"] == 200
    kept = sum(answer["stacks"].values()) + sum(answer["bets"].values()) + sum(pot["amount"] for pot in answer["pots"])
    assert kept == 800


@pytest.mark.parametrize("book", BOOKS)
def test_heads_up_and_untracked(book: str) -> None:
    """With two players the window closes when both have acted; amounts are not needed."""
    first, second = (2, 1) if book == "casino-au" else (1, 2)
    early = {"roberts-7": "correct", "maryport": "correct", "fish-n-chips": "correct", "casino-au": "correct"}
    for table in TRACKED_OR_NOT:
        played = play(book, "start", "card Ad 9c Tc 5d", "report short-hand seat=1", **table)
        assert ruling(played, "short-hand")["verdict"] == early.get(book, "misdeal")
        played = play(book, "start", "card Ad 9c Tc 5d", f"act {first} call", f"act {second} check", **table)
        played("card 8h 2s 4s Qd", "report short-hand seat=1")
        assert ruling(played, "short-hand")["verdict"] == "dead-hand"
        if plan(played)[0] == "floor":
            played(RELEASE)
        assert plan(played) == ["award [2]"]


def test_a_wrong_count_is_remembered_at_the_next_start() -> None:
    """The deck is counted before the next deal, once."""
    lines = (*TWO_ACTED, "report short-hand seat=4", "act 2 fold", "act 3 raise 9", "act 1 fold", "done", "start")
    played = dealt("roberts-7", *lines)
    assert ruling(played, "count-mismatch")["verdict"] == "play-on"
    assert plan(played)[0] == "deal 3"
