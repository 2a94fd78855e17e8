"""Hands that are dead by what their players do. Seat 1 has the button, seat 4 opens."""

import pytest

from tests.rules.deals import on_flop, plan

CHECKED = ("act 2 check", "act 3 check", "act 4 check", "act 1 check")
BOOKS = ("roberts-7", "house-rules", "fish-n-chips", "maryport", "casino-au")


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
