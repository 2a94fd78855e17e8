"""The button, the shuffle, the cut, cards put back and hands looked at, by the book's clauses."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play
from tests.rules.boards import BOOKS, error, piles, ruling
from tests.rules.deals import TWO_ACTED, again, dealt, plan

FOLDS = ("act 4 fold", "act 1 fold", "act 2 fold", "done")


def button(played: ScriptedTable) -> list[list[int]]:
    """Where button and blinds are."""
    lamps = played.lines[-1]["lamps"]
    return [lamps["button"], lamps["small_blind"], lamps["big_blind"]]


def button_out_of_position_is_a_misdeal(book: str, clause: str) -> None:
    """It belonged at seat 3: everything goes back and is dealt again from there; too late it is played out."""
    for lines in ((), ("act 4 raise 6",)):
        played = dealt(book, *lines, "report button-wrong seat=3")
        said = ruling(played, "button-wrong")
        assert (said["verdict"], said["cite"][0]) == ("misdeal", clause)
        assert button(played) == [[3], [4], [1]]
        assert played.lines[-1]["stacks"] == {"1": 198, "2": 200, "3": 200, "4": 199}
        assert plan(played)[:4] == [*again(8), "deal 4"]
        assert plan(played)[-2:] == ["deal 3", "act 2"]
    played = dealt(book, *TWO_ACTED, "report button-wrong seat=3")
    assert ruling(played, "button-wrong")["verdict"] == "play-on"
    assert (button(played)[0], plan(played)) == ([1], ["act 2"])


def button_of_the_last_hand_is_put_right(book: str, clause: str) -> None:
    """Seat 2 had the button when it was seat 1's turn: seat 1 has it next, then seat 2 is passed over."""
    folds = {
        2: ("act 1 fold", "act 2 fold", "act 3 fold", "done"),
        1: ("act 4 fold", "act 1 fold", "act 2 fold", "done"),
        3: ("act 2 fold", "act 3 fold", "act 4 fold", "done"),
        4: ("act 3 fold", "act 4 fold", "act 1 fold", "done"),
    }
    cards = "card Ad 9c Tc 5d 6c 4d Qh 6d"
    played = play(book, "start", cards, *folds[2], "report button-wrong hand=previous seat=1", button=2)
    said = ruling(played, "button-wrong")
    assert (said["verdict"], said["cite"][0], played.lines[-1]["phase"]) == ("correct", clause, "idle")
    had = [2]
    for _ in range(4):
        played("start")
        had += played.lines[-1]["lamps"]["button"]
        played(cards, *folds[had[-1]])
        assert "error" not in played.lines[-1]
    assert had == [2, 1, 3, 4, 1]


def late_complaint_of_the_shuffle_is_played_out(book: str, what: str, clause: str) -> None:
    """A misdeal before two players have acted, even with no card dealt; after that the hand is played out."""
    for lines in (("start",), ("start", "card Ad 9c"), ("start", "card Ad 9c Tc 5d 6c 4d Qh 6d", "act 4 raise 6")):
        played = play(book, *lines, f"report {what}")
        said = ruling(played, what)
        assert (said["verdict"], said["cite"][0]) == ("misdeal", clause)
        assert plan(played)[:4] == [*again(52 - played.lines[-1]["piles"]["stub"]), "deal 2"]
    played = dealt(book, *TWO_ACTED, f"report {what}")
    assert (ruling(played, what)["verdict"], plan(played)) == ("play-on", ["act 2"])


def test_R7_3_misdeals_1g() -> None:
    """A button out of position is a misdeal."""
    button_out_of_position_is_a_misdeal("roberts-7", "R7-3.misdeals.1g")


def test_HR_misdeals_1_7() -> None:
    """A button out of position is a misdeal."""
    button_out_of_position_is_a_misdeal("house-rules", "HR-misdeals.1.7")


def test_FC_3_misdeals_2g() -> None:
    """A button out of position is a misdeal."""
    button_out_of_position_is_a_misdeal("fish-n-chips", "FC-3.misdeals.2g")


def test_MP_3_misdeals_2_7() -> None:
    """A button out of position is a misdeal."""
    button_out_of_position_is_a_misdeal("maryport", "MP-3.misdeals.2.7")


def test_R7_3_irreg_1() -> None:
    """A button wrong on the previous hand is put right so that each has every position once."""
    button_of_the_last_hand_is_put_right("roberts-7", "R7-3.irreg.1")


def test_HR_irreg_1() -> None:
    """A button wrong on the previous hand is put right so that each has every position once."""
    button_of_the_last_hand_is_put_right("house-rules", "HR-irreg.1")


def test_FC_3_irreg_1() -> None:
    """A button wrong on the previous hand is put right so that each has every position once."""
    button_of_the_last_hand_is_put_right("fish-n-chips", "FC-3.irreg.1")


def test_MP_3_irreg_1() -> None:
    """A button wrong on the previous hand is put right so that each has every position once."""
    button_of_the_last_hand_is_put_right("maryport", "MP-3.irreg.1")


def test_AU_19_1_b_() -> None:
    """A deck not shuffled or cut is a misdeal before substantial action; after it the hand is played out."""
    late_complaint_of_the_shuffle_is_played_out("casino-au", "not-shuffled", "AU-19.1(b)")


def test_AU_19_1_a_() -> None:
    """Cards exposed in cutting are a misdeal; unlike (b) the clause sets no end to it."""
    for lines in (("start",), ("start", "card Ad 9c"), ("start", "card Ad 9c Tc 5d 6c 4d Qh 6d", *TWO_ACTED[-2:])):
        played = play("casino-au", *lines, "report exposed-cutting")
        said = ruling(played, "exposed-cutting")
        assert (said["verdict"], said["cite"][0]) == ("misdeal", "AU-19.1(a)")
        assert played.lines[-1]["stacks"] == {"1": 200, "2": 199, "3": 198, "4": 200}


@pytest.mark.parametrize("what", ["not-shuffled", "exposed-cutting"])
def test_HR_shuffle_5(what: str) -> None:
    """A complaint about shuffle or cut is taken before a player has looked or betting has started."""
    played = dealt("house-rules", f"report {what}")
    assert (ruling(played, what)["verdict"], ruling(played, what)["cite"]) == ("misdeal", ["HR-shuffle.5"])
    for line in ("report looked seat=1", "act 4 call"):
        played = dealt("house-rules", line, f"report {what}")
        assert (ruling(played, what)["verdict"], ruling(played, what)["cite"]) == ("play-on", ["HR-shuffle.5"])


@pytest.mark.parametrize("book", ["roberts-7", "fish-n-chips", "maryport"])
def test_books_without_a_word_on_the_shuffle(book: str) -> None:
    """They fall back on the only clause that there is, and say so."""
    played = dealt(book, "report not-shuffled")
    said = ruling(played, "not-shuffled")
    assert (said["verdict"], said["cite"]) == ("misdeal", ["AU-19.1(b)"])
    assert "by default" in said["text"]


def test_AU_1_1_substantial() -> None:
    """Two players acting on their hands are substantial action, a blind's act among them."""
    played = play("casino-au", "start", "card Ad 9c Tc 5d 6c 4d", "act 1 raise 6", "report not-shuffled", seats=3)
    assert ruling(played, "not-shuffled")["verdict"] == "misdeal"
    played = play("casino-au", "start", "card Ad 9c Tc 5d 6c 4d", "act 1 raise 6", "act 2 call", seats=3)
    played("report not-shuffled")
    assert ruling(played, "not-shuffled")["verdict"] == "play-on"


@pytest.mark.parametrize("book", BOOKS)
def test_a_late_button_is_put_right_on_the_next_hand(book: str) -> None:
    """The deal is played out; the seat that should have had the button has it next, then the next that has not."""
    played = dealt(book, *TWO_ACTED, "report button-wrong seat=3")
    assert [said["verdict"] for said in played.lines[-1]["rulings"]] == ["play-on", "correct"]
    played("act 2 fold", "act 3 raise 9", "act 4 fold", "act 1 fold", "done", "start")
    assert button(played) == [[3], [4], [1]]


@pytest.mark.parametrize("book", BOOKS)
def test_the_last_button_reported_before_the_first_card(book: str) -> None:
    """No card of the new hand is out: it begins anew at the right button, without a step."""
    played = dealt(book, *FOLDS, "start")
    assert button(played)[0] == [2]
    played("report button-wrong hand=previous seat=4")
    assert ruling(played, "button-wrong")["verdict"] == "correct"
    assert button(played) == [[4], [1], [2]]
    assert played.lines[-1]["hand"] == 2
    assert played.lines[-1]["bets"] == {"1": 1, "2": 2}
    assert plan(played)[0] == "deal 1"


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("report button-wrong hand=previous seat=2",), "no-hand"),
        (("start", "report button-wrong"), "key-missing"),
        (("start", "report button-wrong seat=1"), "right-button"),
        (("start", "report button-wrong seat=8"), "empty-chair"),
        (("start", "report button-wrong seat=88"), "no-such-seat"),
        (("start", "report looked seat=2"), "no-card"),
        (("start", "report looked"), "key-missing"),
        (("start", "report put-back"), "too-late"),
        (("start", "report misread"), "key-missing"),
        (("start", {"ev": "report", "what": "misread", "card": "As"}), "no-card"),
    ],
)
def test_procedure_refused(lines: tuple[str, ...], code: str) -> None:
    """A report that does not fit changes nothing."""
    assert error(play("roberts-7", *lines)) == code


@pytest.mark.parametrize("book", BOOKS)
def test_put_back_a_card_that_was_not_due(book: str) -> None:
    """The card goes back on the stub unused; with two, the other one is still asked about."""
    played = dealt(book, "card 7h", "report put-back")
    assert ruling(played, "put-back")["verdict"] == "play-on"
    assert (plan(played), piles(played, "stub", "aside")) == (["act 4"], {"stub": 44, "aside": 0})
    played("card 7h 8h", "report put-back")
    assert (plan(played)[0], piles(played, "stub", "aside")) == ("say", {"stub": 43, "aside": 1})
    played("report put-back")
    assert (plan(played), piles(played, "stub", "aside")) == (["act 4"], {"stub": 44, "aside": 0})


@pytest.mark.parametrize("book", BOOKS)
def test_put_back_a_card_that_was_due(book: str) -> None:
    """Its step comes again; after an act it is too late to say so."""
    played = play(book, "start", "card Ad 9c", "report put-back")
    assert ruling(played, "put-back")["verdict"] == "correct"
    assert plan(played)[:2] == ["deal 3", "deal 4"]
    assert piles(played, "stub") == {"stub": 51}
    played("card 9c Tc 5d 6c 4d Qh 6d", "report put-back")
    assert plan(played) == ["deal 1", "act 4"]
    played("card 6d", "act 4 call", "report put-back")
    assert error(played) == "too-late"


def test_looked_changes_nothing_by_itself() -> None:
    """It is taken while cards are asked about, too."""
    played = dealt("house-rules", "card 7h")
    before = plan(played)
    played("report looked seat=2")
    assert (played.lines[-1]["rulings"], plan(played)) == ([], before)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("card", [{"card": "Ks", "face": "up"}, {"card": "joker"}, {"card": "Ad"}, {"foreign": True}])
def test_put_back_hides_no_finding(book: str, card: dict[str, Any]) -> None:
    """A boxed card, a joker, a card that is there twice or of another deck stays found."""
    played = play(book, "start", "card Ad", {"ev": "card", "card": None, **card})
    assert played.lines[-1]["rulings"]
    was = played.lines[-1]["next"]
    played("report put-back")
    assert error(played) == "already-ruled"
    assert played.lines[-1]["next"] == was


@pytest.mark.parametrize("book", BOOKS)
def test_put_back_a_card_that_left_face_up_and_was_not_due(book: str) -> None:
    """It is a scrap of paper whatever was meant with it, and does not go unfound because somebody put it back."""
    played = dealt(book, {"ev": "card", "card": "7h", "face": "up"})
    assert ruling(played, "boxed")["verdict"] == "scrap"
    played("report put-back")
    assert error(played) == "already-ruled"


@pytest.mark.parametrize("book", [book for book in BOOKS if book != "casino-au"])
def test_put_back_a_card_that_was_asked_about_before_a_joker_came(book: str) -> None:
    """The joker has been ruled on; the question is about the card before it, which can still go back."""
    played = dealt(book, "card 7h joker", "report put-back")
    assert ruling(played, "put-back")["verdict"] == "play-on"
    assert (piles(played, "aside", "stub"), plan(played)[0]) == ({"aside": 1, "stub": 44}, "act 4")
