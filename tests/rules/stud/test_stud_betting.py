"""Stud: the forced bet and its completion in structures other than fixed limit, and where amounts are not tracked."""

from typing import Any

import pytest

from tests.games.playing import first, table
from tests.playing import ScriptedTable

DEALT = "card - - - - - - - - Ks Qs 2c 7d"


def third(book: str = "roberts-7", **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """Four players, third street dealt; seat 3 has the low card."""
    return table(book, "stud-7", "start", DEALT, seats=4, **setup)


@pytest.mark.parametrize("structure", ["no-limit", "pot-limit"])
def test_R7_14_nl_2_bring_in(structure: str) -> None:
    """The minimum bet is the minimum bring-in, which the low card may make by its own word."""
    played = third(betting={"structure": structure, "ante": 1, "bring_in": 2})
    assert {"bring-in", "bet"} <= set(first(played.lines[-1])["options"])
    assert first(played.lines[-1])["min_to"] == 2
    answer = played("act 3 bring-in")
    assert answer["bets"] == {"3": 2}
    assert (first(answer)["to_call"], first(answer)["min_to"]) == (2, 4)


@pytest.mark.parametrize("structure", ["fixed-limit", "no-limit"])
def test_R7_8_stud_6_untracked(structure: str) -> None:
    """A completion is a full bet where amounts are not tracked, too: three raises follow it in limit."""
    betting = {"structure": structure, "ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10}
    played = third(amounts="untracked", stacks=dict.fromkeys((1, 2, 3, 4)), betting=betting)
    played("act 3 bring-in", "act 4 complete")
    for seat in (1, 2, 3):
        assert "raise" in first(played.lines[-1])["options"], seat
        played(f"act {seat} raise")
    assert ("raise" in first(played.lines[-1])["options"]) == (structure == "no-limit")


def test_R7_3_betting_6_untracked() -> None:
    """Who faces an all-in of less than the completion may complete it; the forced bet has still to match it."""
    played = third(amounts="untracked", stacks=dict.fromkeys((1, 2, 3, 4)))
    played("act 3 bring-in", {"ev": "act", "seat": 4, "do": "all-in", "full": False})
    assert first(played.lines[-1])["options"] == ["fold", "call", "complete", "all-in"]
    assert first(played("act 1 call", "act 2 call"))["seat"] == 3
    assert "raise" in first(played("undo", "act 2 complete"))["options"]
