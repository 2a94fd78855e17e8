"""What a live straddle costs, and who can pay it, under every book."""

import pytest

from config import rulebook_file
from tests.playing import play

BLINDS = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
STRADDLE = 4
"""Twice the big blind [R7-14.nl.15]."""


@pytest.mark.parametrize("book", rulebook_file.list_rulebooks())
@pytest.mark.parametrize("stack", range(1, 8))
def test_a_straddle_is_for_whoever_has_all_of_it(book: str, stack: int) -> None:
    played = play(book, betting=BLINDS, stacks={1: 50, 2: 50, 3: 50, 4: stack}, button=1, mode="cash")
    before = played("start")
    under_the_gun = 4
    answer = played({"ev": "act", "seat": under_the_gun, "do": "straddle"})
    if not rulebook_file.load_rulebook(book).betting.straddle_big_bet.value:
        assert answer["error"]["code"] == "straddle-not-allowed"
        assert "no straddle here" in answer["error"]["message"]
    elif stack < STRADDLE:
        assert answer["error"]["message"] == f"a straddle is {STRADDLE}; seat {under_the_gun} has {stack}."
        assert {**answer, "error": None, "line": 0} == {**before, "error": None, "line": 0, "rulings": []}
    else:
        assert "error" not in answer
        assert answer["bets"] == {"2": 1, "3": 2, "4": STRADDLE}
        assert answer["stacks"] == {**before["stacks"], str(under_the_gun): stack - STRADDLE}
