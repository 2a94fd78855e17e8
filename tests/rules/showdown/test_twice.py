"""Dealing twice: the rest of the board for each part of the pot."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play

HANDS = "card As Kd 7h 6h"
"""Heads-up, seat 2 (the big blind) gets the first and third card: As 7h against Kd 6h."""


def all_in(book: str = "roberts-7", stack: int = 11, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Two players, all-in before the flop."""
    played = play(book, "start", HANDS, stacks={1: stack, 2: stack}, **table)
    for _ in range(2):
        played(f"act {played.lines[-1]['next'][0]['seat']} all-in")
    return played


def twice(count: int = 2) -> dict[str, Any]:
    return {"ev": "twice", "count": count}


@pytest.mark.parametrize("book", ["casino-au", "fish-n-chips", "maryport"])
def test_a_book_that_allows_no_division_deals_once(book: str) -> None:
    """The text of these books gives players no such agreement."""
    assert all_in(book)(twice())["error"]["code"] == "twice-not-allowed"


def test_it_is_too_early_before_the_betting_is_over_and_too_late_without_cards_to_come() -> None:
    """Refused with everything as it was: before the all-in, in limit games, in the middle of a street, four times."""
    played = play("roberts-7", "start", HANDS, stacks={1: 20, 2: 20})
    assert played(twice())["error"]["code"] == "not-now"
    assert all_in()(twice(4))["error"]["code"] == "twice-not-allowed"
    played = all_in()
    assert played("card - Ad", twice())["error"]["code"] == "twice-not-now"
    assert "error" not in played("card 9s 8d", twice())
    assert played(twice())["error"]["code"] == "twice-agreed"
    limit = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
    played = play("roberts-7", "start", HANDS, "act 1 call", "act 2 check", stacks={1: 2, 2: 2}, betting=limit)
    assert played(twice())["error"]["code"] in ("twice-not-allowed", "not-now")
