"""Rows of WSOP 2024 and TDA 2024 whose remedy is carried out to its end: where the cards lie and the chips go."""

from typing import Any

import pytest

from tests.games.playing import table
from tests.playing import ScriptedTable, play
from tests.rules.books.test_wsop_other_rows import LIVE, TDA, THIRD, WSOP, due, first, over, report
from tests.rules.deals import plan


def before_seventh(book: str) -> ScriptedTable:
    """Eight at stud, of whom one folds to the bring-in; all others call and check to the end of sixth street."""
    played, cards, folded = table(book, "stud-7", "start", seats=8), _cards(), False
    while played.lines[-1]["street"] != "seventh":
        step = due(played)
        if step["step"] != "act":
            played({"ev": "card", "card": next(cards)})
            continue
        words = step["options"]
        folds = not folded and "bring-in" not in words
        word = "fold" if folds else next(word for word in ("bring-in", "check", "call") if word in words)
        folded |= folds
        played(f"act {step['seat']} {word}")
    return played


def _cards() -> Any:  # noqa: ANN401
    ranks, suits = "A23456789TJQK", "shdc"
    cards = [rank + suit for suit in suits for rank in ranks]
    return (cards[i * 17 % 52] for i in range(52))


@pytest.mark.parametrize(("book", "clause"), [(TDA, "TDA-RP-10-H"), (WSOP, "WSOP-L-228"), (LIVE, "WSOP-L-228")])
def test_TDA_RP_10_H_B_a_common_card_from_the_stub(book: str, clause: str) -> None:
    """Four cards for seven, seven with the burns: the top one is burned, the next is a common card, nothing is mixed.

    Covers: TDA-RP-10-H#B, WSOP-L-228
    """
    played = before_seventh(book)
    assert played.lines[-1]["piles"]["stub"] == 4
    assert first(played) == ("insufficient-cards", "correct", clause)
    assert plan(played) == ["burn", "board seventh 1"]
    piles = played("card -", "card Td")["piles"]
    assert (piles["stub"], piles["burn"], piles["board"]) == (2, 4, 1)


def test_WSOP_L_156_missed_blinds_are_posted_the_big_one_live() -> None:
    """Seat 3 missed both: two go before it, one goes dead to the pot; without a post it waits for the big blind.

    Covers: WSOP-L-156
    """
    for post in (True, False):
        played = play(LIVE, "away 3", "start", "card" + " -" * 6)
        over(played)("start", "card" + " -" * 6)
        answer = over(played)({"ev": "back", "seat": 3, "post": post}, "start")
        assert answer["bets"] == {"1": 1, "2": 2} | ({"3": 2} if post else {})
        assert sum(pot["amount"] for pot in answer["pots"]) == post
        assert ("deal 3" in plan(played)) == post


def fourth(*lines: str) -> ScriptedTable:
    """Three have called the bring-in at stud, by the live rules."""
    return table(LIVE, "stud-7", "start", THIRD, "act 1 bring-in", "act 2 call", "act 3 call", *lines)


def test_WSOP_L_226_a_last_card_that_was_looked_at_stays() -> None:
    """Two burns before seventh street, and seat 1 has looked: it must accept the card, the others are put right.

    Covers: WSOP-L-226
    """
    played = fourth()
    for cards in ("9s Kh Ah 5d", "9d Kc Ac 5h", "8s 8h 8d 8c"):
        played(f"card {cards}")
        while due(played)["step"] == "act":
            played(f"act {due(played)['seat']} check")
    played("card 3d 3h 3s 6d", report("looked", seat=1), "report double-burn")
    rulings = [(each["verdict"], each.get("seat"), each["cite"][0]) for each in played.lines[-1]["rulings"]]
    assert rulings == [("correct", None, "WSOP-L-226"), ("must-keep", 1, "WSOP-L-226")]
    assert not any("seat 1" in step for step in plan(played) if step.startswith("return"))
