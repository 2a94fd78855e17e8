"""Hands that are dead by what their players do. Seat 1 has the button, seat 4 opens."""

import pytest

from tests.playing import play

DOWN = "card" + " -" * 8
BOOKS = ("roberts-7", "house-rules", "fish-n-chips", "maryport", "casino-au")


@pytest.mark.parametrize("book", BOOKS)
def test_who_folds_facing_a_bet_is_out_of_the_hand(book: str) -> None:
    """The hand is dead: its cards are in the muck, it acts no more and wins nothing, its wagers stay.

    Covers: R7-3.dead.1a, HR-dead.1.1, FC-3.dead.1a, MP-3.dead.1.1
    """
    table = play(book, "start", DOWN, "act 4 call", "act 1 raise 10", "act 2 fold", "act 3 call")
    line = table("act 4 fold")
    assert (line["piles"]["muck"], line["piles"]["seats"]) == (4, {"1": 2, "3": 2})
    assert line["pots"] == [{"amount": 23, "seats": [1, 3]}]
    assert table("card - - - -", "act 4 call")["error"]["code"] == "no-live-hand"
    table("act 3 check")
    assert table.lines[-1]["next"][0]["seat"] == 1
    assert table("undo", "undo")["error"]["code"] == "nothing-to-undo"


@pytest.mark.parametrize("book", BOOKS)
def test_a_hand_thrown_forward_is_dead_though_it_faced_no_bet(book: str) -> None:
    """A player throws the hand forward and somebody behind acts because of it: it is dead, whoever had to act.

    Covers: R7-3.dead.1b, HR-dead.1.2, FC-3.dead.1b, MP-3.dead.1.2
    """
    table = play(book, "start", DOWN, "act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -")
    line = table("act 2 check", {"ev": "floor", "decide": "dead-hand", "seat": 3, "why": "thrown forward"})
    assert (line["rulings"][0]["verdict"], line["rulings"][0]["seat"]) == ("dead-hand", 3)
    assert (line["next"][0]["seat"], line["piles"]["muck"]) == (4, 2)
    line = table({"ev": "floor", "decide": "dead-hand", "seat": 2})
    assert (line["next"][0]["seat"], line["piles"]["muck"]) == (4, 4)
    assert "error" not in table("act 4 fold")
    assert table.lines[-1]["next"][0] == {"step": "award", "pot": 0, "seats": [1], "amounts": [8]}
