"""A card of a later street or of the draw went to a chair that has no hand, or the whole street one seat too far."""

import pytest

from tests.games.playing import first, said, steps, table
from tests.playing import ScriptedTable, play
from tests.rules.stud_deals import cards, checked, until, verbs

BOOKS = [("roberts-7", "R7-8.stud.13"), ("house-rules", "HR-stud.12")]


def fourth(book: str, *lines: str) -> ScriptedTable:
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


STREET = [*BOOKS, ("casino-au", "AU-19.1(c)")]


def street(book: str, cards: str, *lines: str) -> ScriptedTable:
    """Four players, of whom seat 2 folds to the bring-in; the burn and these cards of fourth street."""
    played = table(book, "stud-7", "start", "card" + " -" * 8 + " Ks Qs 2c Jh", seats=4)
    played("act 3 bring-in", "act 4 call", "act 1 call", "act 2 fold", f"card - {cards}", *lines)
    return played


@pytest.mark.parametrize(("book", "clause"), STREET)
@pytest.mark.parametrize("word", ["not-entitled", "extra-card"])
def test_R7_8_stud_13_a_card_at_the_place_of_a_player_who_folded(book: str, clause: str, word: str) -> None:
    """Noticed when all have one by the plan: those dealt since lie one seat short; one more came and goes back."""
    played = street(book, "Kd 3d", f"report {word} seat=2")
    assert said(played.lines[-1]) == [(word, "correct", 3, clause)]
    assert steps(played.lines[-1])[0] == ("move", "seat 2", "seat 3", 1)
    played = street(book, "Kd 3d 4d", "card 5d", f"report {word} seat=2")
    assert said(played.lines[-1]) == [(word, "correct", 3, clause)]
    assert steps(played.lines[-1])[:3] == [
        ("return", "seat 4", "stub", 1),
        ("move", "seat 2", "seat 3", 1),
        ("move", "seat 3", "seat 4", 1),
    ]
    answer = played("done 3")
    assert answer["up"] == {"1": ["Ks", "Kd"], "3": ["2c", "3d"], "4": ["Jh", "4d"]}
    assert (answer["phase"], answer["piles"]["muck"]) == ("bet", 3)


@pytest.mark.parametrize(("book", "clause"), STREET)
def test_AU_19_1_c_a_street_card_for_an_empty_chair(book: str, clause: str) -> None:
    """The chair lies between two players: the card that it got and all since are put where they belong.

    Covers: AU-19.1(c), AU-19.3
    """
    played = table(book, "stud-7", "start", "card" + " -" * 6 + " Ks 2c Jh", stacks={1: 200, 3: 200, 4: 200})
    played("act 3 bring-in", "act 4 call", "act 1 call", "card - Kd 3d 4d", "card 5d")
    answer = played("report not-entitled seat=2")
    assert said(answer) == [("not-entitled", "correct", 3, clause)]
    assert answer["piles"]["muck"] == 0
    assert played("done 3")["up"] == {"1": ["Ks", "Kd"], "3": ["2c", "3d"], "4": ["Jh", "4d"]}


@pytest.mark.parametrize(("book", "clause"), STREET)
def test_R7_8_stud_13_two_in_a_row_or_round_again(book: str, clause: str) -> None:
    """`nth` says that a seat got two in a row; without it the last card came to it after its own."""
    played = street(book, "Kd 3d 4d", "card 5d", "report extra-card seat=1 nth=5")
    assert said(played.lines[-1]) == [("extra-card", "correct", 3, clause)]
    assert played("done 3")["up"] == {"1": ["Ks", "Kd"], "3": ["2c", "3d"], "4": ["Jh", "4d"]}
    played = street(book, "Kd 3d 4d", "card 5d", "report extra-card seat=1")
    assert steps(played.lines[-1])[0] == ("return", "seat 1", "stub", 1)


@pytest.mark.parametrize("book", [book for book, _ in BOOKS])
def test_R7_8_stud_13_no_burn_on_a_street_with_a_boxed_card(book: str) -> None:
    """The boxed card is out of play and no card of the street: the others go back and come again."""
    played = street(book, "Kd")
    played({"ev": "card", "card": "9h", "face": "up"}, "done", "card 3d", "report no-burn")
    assert said(played.lines[-1])[0][:2] == ("no-burn", "correct")
    back = [step for step in steps(played.lines[-1]) if step[0] == "return"]
    assert [step[1] for step in back] == ["seat 4", "seat 3", "seat 1"]


def test_R7_3_irreg_7_a_boxed_card_is_no_card_when_the_stub_is_short() -> None:
    """It lies aside, a scrap of paper: without it there is not a card for each, and one is common [R7-8.stud.15]."""
    pack = (card for card in cards("stud-7") if card != "9h")
    played = table("roberts-7", "stud-7", "start", {"ev": "card", "card": "9h", "face": "up"}, "done", seats=8)
    until(played, pack, "fourth", folds=1)
    until(played, pack, "sixth")
    answer = checked(played)
    assert answer["piles"]["aside"] == 1
    assert "board" in verbs(answer)
    assert not [step for step in answer["next"] if step.get("from") == "aside"]


def test_HR_misdeals_2_a_wrong_seat_noticed_one_card_late() -> None:
    """Nobody has looked: the card is named by the seat it was for, and moved though another has been dealt since."""
    played = play("house-rules", "start", "card As Kd")
    answer = played({"ev": "report", "what": "wrong-seat", "seat": 4, "from": 2, "nth": 1})
    assert said(answer)[0][:3] == ("wrong-seat", "correct", 2)
    assert steps(answer)[0] == ("move", "seat 4", "seat 2", 1)
    assert played("done")["piles"]["seats"] == {"2": 1, "3": 1}


def test_premature_stud_cards_that_are_shuffled_back() -> None:
    """By a book that has them back in the stub: the burn stays; after the betting back, shuffle, cut, no burn."""
    rules = {"premature.stud.turn": "reshuffled"}
    played = table("roberts-7", "stud-7", "start", "card - - - - - - Ks Qs 2c", house=rules)
    answer = played("act 3 bring-in", "card - 4d", "report premature count=2")
    assert said(answer)[0][:2] == ("premature", "redeal-street")
    assert (steps(answer)[0], answer["piles"]["burn"]) == (("act", 1), 1)
    answer = played("act 1 call", "act 2 call")
    assert steps(answer)[0] == ("return", "seat 1", "stub", 1)
    assert [step[0] for step in steps(answer)][1:] == ["shuffle", "cut", "deal", "deal", "deal"]
