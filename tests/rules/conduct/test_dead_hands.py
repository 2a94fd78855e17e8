"""Hands that are dead by what their players do. Seat 1 has the button, seat 4 opens."""

import pytest

from tests.playing import play
from tests.rules.deals import on_flop, plan

DOWN = "card" + " -" * 8
CHECKED = ("act 2 check", "act 3 check", "act 4 check", "act 1 check")
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


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("shown", [0, 1, 4])
def test_a_hand_dies_at_the_showdown_while_the_dealer_is_asked_something(book: str, shown: int) -> None:
    """The question stays, the others show and are paid: the hand has an end, whenever the floor decides."""
    table = on_flop(book, *CHECKED, "card 8c 3s", *CHECKED, "card 8d 3h", *CHECKED)
    for _ in range(shown):
        table(f"show {table.lines[-1]['next'][0]['seat']}")
    table("card 2d", {"ev": "floor", "decide": "dead-hand", "seat": 4})
    assert plan(table)[0] == "say"
    table("report put-back")
    while table.lines[-1]["next"][0]["step"] == "show":
        table(f"show {table.lines[-1]['next'][0]['seat']}")
    assert {step.split()[0] for step in plan(table)} == {"award"}
    while table.lines[-1]["next"]:
        table("done")
    assert table.lines[-1]["phase"] == "idle"
