"""Missed and surplus burns, by the book's clauses."""

from tests.rules.boards import (
    before_flop,
    error,
    preflop,
)


def test_no_burn_needs_a_card() -> None:
    """Nothing has been dealt for a street yet, or its burn lies there already: refused, and nothing changes."""
    played = preflop("roberts-7")
    before = played.lines[-1]
    played("report no-burn")
    assert error(played) == "no-card"
    assert {**played.lines[-1], "line": 0, "error": 0, "rulings": 0} == {**before, "line": 0, "error": 0, "rulings": 0}
    played = before_flop("roberts-7")
    played("card 8h", "report double-burn")
    assert error(played) == "no-card"
    played("report double-burn count=1")
    assert error(played) == "value"
