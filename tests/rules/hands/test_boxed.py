"""Boxed cards, rule by rule."""

import pytest

from tests.playing import ScriptedTable, play

SCRAP = {
    "roberts-7": ("R7-3.irreg.7", "aside"),
    "casino-au": ("AU-19.2", "muck"),
    "house-rules": ("HR-irreg.6", "stub-bottom"),
    "fish-n-chips": ("FC-3.irreg.7", "aside"),
    "maryport": ("MP-3.irreg.7", "aside"),
}
TWO = {
    "roberts-7": "R7-3.misdeals.1c",
    "house-rules": "HR-misdeals.1.3",
    "fish-n-chips": "FC-3.misdeals.2c",
    "maryport": "MP-3.misdeals.2.3",
}


def boxed(card: str) -> dict[str, object]:
    return {"ev": "card", "card": card, "face": "up"}


def to_the_flop(book: str) -> ScriptedTable:
    return play(book, "start", "card 2c 3c 4c 5c 6c 7c 8c 9c", "act 4 call", "act 1 call", "act 2 call", "act 3 check")


@pytest.mark.parametrize("book", SCRAP)
@pytest.mark.parametrize("dealt", [0, 1, 3, 7])
def test_a_boxed_card_is_scrapped_and_the_next_takes_its_place(book: str, dealt: int) -> None:
    """A boxed card goes where the book says and the step that it should have fulfilled comes again.

    Covers: R7-3.irreg.7, AU-19.2, HR-irreg.6, FC-3.irreg.7, MP-3.irreg.7
    """
    cards = ["2c", "3c", "4c", "5c", "6c", "7c", "8c"][:dealt]
    played = play(book, "start", *(f"card {card}" for card in cards))
    due = played.lines[-1]["next"]
    said = played(boxed("Kd"))
    cite, place = SCRAP[book]
    ruling = said["rulings"][0]
    assert (ruling["verdict"], ruling["cite"][0]) == ("scrap", cite)
    assert said["next"][0] | {"step": "return", "what": "boxed", "to": place} == said["next"][0]
    assert said["next"][1:] == due
    after = played("done")
    assert after["next"] == due
    assert after["piles"]["seats"] == {k: v for k, v in played.lines[-3]["piles"]["seats"].items() if v}


@pytest.mark.parametrize("book", SCRAP)
def test_a_boxed_turn_card_is_not_the_turn(book: str) -> None:
    """The same event under five books: the turn lies face up in the deck, and the next card is the turn."""
    played = to_the_flop(book)
    played("card Ts Js Qs Ks", "act 2 check", "act 3 check", "act 4 check", "act 1 check", "card 9s")
    said = played(boxed("Ad"))
    cite, place = SCRAP[book]
    assert said["rulings"][0]["cite"] == [cite]
    assert said["next"][0] | {"from": "board", "to": place} == said["next"][0]
    assert said["next"][1] == {"step": "board", "street": "turn", "n": 1}
    after = played("done", "card 2d")
    assert after["board"] == ["Js", "Qs", "Ks", "2d"]
    assert after["next"][0]["step"] == "act"


@pytest.mark.parametrize("book", SCRAP)
def test_the_second_card_of_a_flop_is_boxed(book: str) -> None:
    played = to_the_flop(book)
    said = played("card Ts Js", boxed("Ad"))
    assert said["next"][1] == {"step": "board", "street": "flop", "n": 2}
    assert played("done", "card Qs Ks")["board"] == ["Js", "Qs", "Ks"]


@pytest.mark.parametrize(("book", "cite"), TWO.items())
def test_two_boxed_cards_are_a_misdeal_until_two_have_acted(book: str, cite: str) -> None:
    """Two boxed cards before two players behind the blinds have acted: misdeal; later each is only scrapped.

    Covers: R7-3.misdeals.1c, HR-misdeals.1.3, FC-3.misdeals.2c, MP-3.misdeals.2.3
    """
    early = play(book, "start", "card 2c", boxed("Kd"), "done", "card 3c", boxed("Kh"))
    ruling = early.lines[-1]["rulings"][0]
    assert (ruling["verdict"], ruling["cite"][0]) == ("misdeal", cite)
    late = play(book, "start", "card 2c", boxed("Kd"), "done", "card 3c 4c 5c 6c 7c 8c 9c")
    late("act 4 call", "act 1 call", "act 2 call", "act 3 check")
    assert late(boxed("Kh"))["rulings"][0]["verdict"] == "scrap"


def test_AU_19_1_h__boxed() -> None:
    """Five boxed cards make the deck defective, even after substantial action: misdeal with all money back."""
    played = play("casino-au", "start")
    for card in ("Kd", "Kh", "Ks", "Kc"):
        assert played(boxed(card))["rulings"][0]["verdict"] == "scrap"
        played("done")
    played("card 2c 3c 4c 5c 6c 7c 8c 9c", "act 4 raise 6", "act 1 call", "act 2 fold", "act 3 fold")
    said = played(boxed("Qd"))
    assert (said["rulings"][0]["verdict"], said["rulings"][0]["cite"][0]) == ("misdeal", "AU-19.1(h)")
    assert said["stacks"] == {"1": 200, "2": 199, "3": 198, "4": 200}


@pytest.mark.parametrize("book", SCRAP)
def test_a_boxed_card_found_when_the_next_is_dealt_is_replaced_after_the_round(book: str) -> None:
    """The next card went to another player and is mixed in: served when the round is dealt (AU: at once)."""
    played = play(book, "start", "card 2c 3c 4c")
    said = played("report boxed seat=2 nth=1")
    cite, place = SCRAP[book]
    assert said["rulings"][0]["cite"] == [cite]
    assert said["next"][0] | {"from": "seat 2", "to": place} == said["next"][0]
    again = {"step": "deal", "seat": 2, "face": "down", "why": "replacement"}
    assert said["next"].index(again) == (1 if book == "casino-au" else len(said["next"]) - 2)


def test_a_card_is_not_boxed_twice() -> None:
    played = play("roberts-7", "start", "card 2c", boxed("Kd"))
    assert played("report boxed")["error"]["code"] == "already-ruled"


@pytest.mark.parametrize("book", SCRAP)
@pytest.mark.parametrize("sensed", [False, True])
def test_R7_3_irreg_7_a_boxed_card_that_left_when_none_was_due(book: str, sensed: bool) -> None:
    """Sensed, or said to be boxed: it is nobody's card, goes where the book has it, and the player acts."""
    cite, to = SCRAP[book]
    played = to_the_flop(book)
    answer = played("card Th Jh Qh Kh", "act 2 check", *([boxed("Ah")] if sensed else ["card Ah", "report boxed"]))
    assert [(ruling["verdict"], ruling["cite"][0]) for ruling in answer["rulings"]] == [("scrap", cite)]
    away = [] if to == "aside" else ["return"]
    assert [step["step"] for step in answer["next"]] == [*away, "act"]
    if away:
        assert (answer["next"][0]["from"], answer["next"][0]["to"]) == ("aside", to)
        played("done")
    assert played("act 3 check")["piles"]["aside"] == (1 if to == "aside" else 0)


@pytest.mark.parametrize("book", TWO)
def test_R7_3_misdeals_1c_the_second_when_none_is_due(book: str) -> None:
    """It counts among the two that are a misdeal."""
    played = play(book, "start", boxed("Ks"), "done", "card 2c 3c 4c 5c 6c 7c 8c 9c", "act 4 call")
    answer = played("card Ah", "report boxed")
    assert answer["rulings"][0]["verdict"] == "misdeal"
    assert TWO[book] in answer["rulings"][0]["cite"]
