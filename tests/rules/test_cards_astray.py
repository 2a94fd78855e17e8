"""A card of a later street or of the draw went to a chair that has no hand, or the whole street one seat too far."""

import pytest

from tests.games.playing import first, said, steps, table
from tests.playing import Played
from tests.rules.stud_deals import verbs

BOOKS = [("roberts-7", "R7-8.stud.13"), ("house-rules", "HR-stud.12")]


def fourth(book: str, *lines: str) -> Played:
    """Three players, all in; fourth street is to be dealt."""
    return table(book, "stud-7", "start", "card - - - - - - Ks Qs 2c", "act 3 bring-in", "act 1 call", *lines)


@pytest.mark.parametrize(("book", "clause"), BOOKS)
def test_R7_8_stud_13_a_street_dealt_one_seat_too_far(book: str, clause: str) -> None:
    """A seat was passed over and got the last card: while nobody has acted all go to where they belong."""
    played = fourth(book, "act 2 call", "card - Kd 3d 4d")
    answer = played("report skipped seat=1")
    assert said(answer) == [("skipped", "correct", 1, clause)]
    assert answer["up"] == {"1": ["Ks", "4d"], "2": ["Qs", "Kd"], "3": ["2c", "3d"]}
    back = [(2, 1), (3, 2), (1, 3)]
    assert steps(answer)[:3] == [("move", f"seat {at}", f"seat {to}", 1) for at, to in back]
    answer = played("done 3")
    assert answer["up"] == {"1": ["Ks", "Kd"], "2": ["Qs", "3d"], "3": ["2c", "4d"]}
    assert (answer["phase"], first(answer)["seat"]) == ("bet", 1)
    assert said(played("act 1 check", "report skipped seat=1"))[0][1] == "dead-hand"


@pytest.mark.parametrize(("book", "clause"), BOOKS)
def test_R7_8_stud_13_a_card_before_an_empty_chair(book: str, clause: str) -> None:
    """A later card that went to nobody is moved to whom it belongs, and no hand counts one that it has not."""
    played = fourth(book, "act 2 call", "card - Kd 3d")
    answer = played("report not-entitled seat=7")
    assert said(answer) == [("not-entitled", "correct", 2, clause)]
    assert answer["piles"]["seats"] == {"1": 4, "2": 3, "3": 3, "7": 1}
    assert steps(answer)[0] == ("move", "seat 7", "seat 2", 1)
    assert steps(played("done"))[0] == ("deal", 3, "up")


@pytest.mark.parametrize(("report", "at"), [("wrong-seat seat=1", 1), ("not-entitled seat=7", 7)])
def test_a_card_of_the_draw_before_a_chair_without_a_hand(report: str, at: int) -> None:
    """Nobody who plays has looked at it: it goes to whom it belongs."""
    played = table("roberts-7", "draw-high", "start", seats=3)
    while first(played.lines[-1])["step"] != "draw":
        step = first(played.lines[-1])
        word = "fold" if step.get("seat") == 1 else "bet" if "bet" in step.get("options", ()) else "call"
        played("card -" if step["step"] == "deal" else f"act {step['seat']} {word}")
    played({"ev": "draw", "seat": 2, "discard": 2}, "card - -")
    answer = played(f"report {report}")
    assert said(answer)[0][:3] == (report.split(maxsplit=1)[0], "correct", at)
    assert answer["piles"]["seats"] == {"2": 3, "3": 5, str(at): 1}
    assert verbs(answer)[:3] == ["move", "deal", "draw"]
    assert "error" not in played("done", "card -", {"ev": "draw", "seat": 3, "discard": 0})
