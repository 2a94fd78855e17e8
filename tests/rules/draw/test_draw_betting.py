"""Draw and lowball: antes that stop, draws out of turn, the pot that may be wagered."""

import pytest

from tests.games.playing import first, table
from tests.playing import ScriptedTable


def passed(played: ScriptedTable) -> str:
    """Deal a hand, all check; what is said of it."""
    answer = played("start", {"ev": "time"})
    while answer["next"]:
        step = first(answer)
        answer = played("card -" if step["step"] == "deal" else f"act {step['seat']} check")
    text: str = answer["rulings"][0]["text"]
    return text


def test_R7_12_jacks_1_antes_stop() -> None:
    """After the third deal in a row that nobody opened no more antes are promised, and none is posted."""
    played = table("roberts-7", "jacks-or-better")
    assert ["all ante again" in passed(played) for _ in range(4)] == [True, True, False, False]
    assert played.lines[-1]["pots"] == [{"amount": 9, "seats": [1, 2, 3]}]


def test_a_draw_before_the_cards_of_the_last_one_says_so() -> None:
    """The cards that are due come before the next player draws."""
    played = table("roberts-7", "draw-high", "start")
    while first(played.lines[-1])["step"] != "draw":
        step = first(played.lines[-1])
        word = "bet" if "bet" in step.get("options", ()) else "call"
        played("card -" if step["step"] == "deal" else f"act {step['seat']} {word}")
    played({"ev": "draw", "seat": 2, "discard": 1})
    error = played({"ev": "draw", "seat": 3, "discard": 1})["error"]
    assert error["message"] == "seat 3 is not to draw: the cards due come next."


@pytest.mark.parametrize(("game", "most"), [("lowball-a5", 7), ("lowball-27", 7), ("omaha", 8)])
def test_R7_14_pl_5_speaks_of_games_with_a_board(game: str, most: int) -> None:
    """The small blind counts as the big one in money games of hold'em and Omaha; at lowball the pot is what lies there.

    Covers: R7-14.intro
    """
    betting = {"structure": "pot-limit", "small_blind": 1, "big_blind": 2}
    played = table("roberts-7", game, "start", seats=4, betting=betting)
    while first(played.lines[-1])["step"] == "deal":
        played("card -")
    assert first(played.lines[-1])["max_to"] == most


@pytest.mark.parametrize("read", ["- - - -", "2c 3c 4c 5c"])
def test_R7_11_lowball_1b_unread(read: str) -> None:
    """Two cards exposed at once are a misdeal, of whatever ranks they are and whether or not anything read them."""
    played = table("roberts-7", "lowball-a5", "start", f"card {read}")
    answer = played("report exposed count=2")
    assert [(r["verdict"], r["cite"]) for r in answer["rulings"]] == [("misdeal", ["R7-11.lowball.1b"])]
    played = table("roberts-7", "lowball-a5", "start", f"card {read}", "report looked seat=1")
    assert played("report exposed count=2", {"ev": "time"})["phase"] == "deal"
