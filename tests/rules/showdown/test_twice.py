"""Dealing twice: the rest of the board for each part of the pot."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play

HANDS = "card As Kd 7h 6h"
"""Heads-up, seat 2 (the big blind) gets the first and third card: As 7h against Kd 6h."""


def all_in(book: str = "roberts-7", stack: int = 11, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Two players, all-in before the flop."""
    played = play(book, "start", HANDS, stacks={1: stack, 2: stack}, **table)
    for _ in range(2):
        played(f"act {played.lines[-1]['next'][0]['seat']} all-in")
    return played


def twice(count: int = 2) -> dict[str, Any]:
    return {"ev": "twice", "count": count}


def steps(answer: dict[str, Any]) -> list[str]:
    return [step["step"] for step in answer["next"]]


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_the_rest_is_dealt_once_for_each_part_of_the_pot(book: str) -> None:
    """Two boards with burns of their own, no card used again, and half of the pot for each; the odd chip to the first.

    Covers: R7-14.nl.18#b, R7-2.proc.16#b, HR-nl.13#b
    """
    played = all_in(book, 11)
    answer = played(twice())
    assert [(ruling["finding"], ruling["cite"][0]) for ruling in answer["rulings"]] == [
        ("dealt-twice", "R7-14.nl.18" if book == "roberts-7" else "HR-nl.13")
    ]
    assert steps(answer) == ["burn", "board"] * 6 + ["show", "show"]
    assert [step["board"] for step in answer["next"] if step["step"] == "board"] == [1, 1, 1, 2, 2, 2]
    answer = played("card 2c Ad 9s 8d 3c Jc 4c 2d")
    assert (answer["street"], answer["boards"][1]) == ("flop", [])
    answer = played("card 5c Kc Ks 8c 3d Qd 4d 2h")
    assert answer["boards"] == [["Ad", "9s", "8d", "Jc", "2d"], ["Kc", "Ks", "8c", "Qd", "2h"]]
    assert answer["board"] == answer["boards"][0]
    assert answer["piles"]["board"] == 10
    assert answer["piles"]["burn"] == 6
    answer = played("show 1", "show 2")
    assert answer["next"] == [
        {"step": "award", "pot": 0, "seats": [2], "board": 1, "amounts": [11]},
        {"step": "award", "pot": 0, "seats": [1], "board": 2, "amounts": [11]},
    ]
    assert played("done 2")["stacks"] == {"1": 11, "2": 11}


def test_three_boards_divide_a_pot_that_three_does_not_go_into() -> None:
    """Twenty-two in three parts of whole chips: 8, 7 and 7."""
    played = all_in()
    played(twice(3), "card - Ad 9s 8d - Jc - 2d", "card - Kc Ks 8c - Qd - 2h", "card - 5c 5d 5h - 9c - 9h")
    answer = played("show 1", "show 2")
    assert [(step["board"], sum(step["amounts"])) for step in answer["next"]] == [(1, 8), (2, 7), (3, 7)]


def test_what_lies_there_already_belongs_to_both_boards() -> None:
    """All-in on the turn: only the river is dealt again."""
    played = play("roberts-7", "start", HANDS, "act 1 call", "act 2 check", stacks={1: 20, 2: 20})
    played("card - Ad 9s 8d", "act 2 check", "act 1 check", "card - Jc", "act 2 all-in", "act 1 call")
    assert steps(played(twice())) == ["burn", "board"] * 2 + ["show", "show"]
    answer = played("card - 2c - Kh")
    assert answer["boards"] == [["Ad", "9s", "8d", "Jc", "2c"], ["Ad", "9s", "8d", "Jc", "Kh"]]


def test_a_side_pot_is_divided_too_and_unread_hands_are_named_board_by_board() -> None:
    """Where nobody read the cards the dealer names a winner for each board of each pot."""
    played = play("roberts-7", "start", "card - - - - - -", stacks={1: 4, 2: 10, 3: 10})
    played("act 1 all-in", "act 2 all-in", "act 3 all-in", twice(), "card - - - - - - - - - - - - - - - -")
    played("show 1", "show 2", "show 3")
    won = {"ev": "won", "seat": 2, "pot": 1}
    assert played(won)["error"]["code"] == "no-such-board"
    played(won | {"board": 1}, {"ev": "won", "seat": 3, "pot": 1, "board": 2})
    answer = played({"ev": "won", "seat": 1, "board": 1}, {"ev": "won", "seat": 1, "board": 2})
    assert [(step["pot"], step["board"], step["seats"], step["amounts"]) for step in answer["next"]] == [
        (1, 1, [2], [6]),
        (1, 2, [3], [6]),
        (0, 1, [1], [6]),
        (0, 2, [1], [6]),
    ]
    assert played("done 4")["stacks"] == {"1": 12, "2": 6, "3": 6}


def test_a_winner_named_late_pays_no_board_again() -> None:
    """The first board's part is pushed; naming the other board's winner leaves it so."""
    played = play("roberts-7", "start", "card - - - -", stacks={1: 10, 2: 10})
    played("act 1 all-in", "act 2 all-in", twice(), "card - - - - - - - - - - - - - - - -", "show 1", "show 2")
    played({"ev": "won", "seat": 1, "board": 1}, "done")
    answer = played({"ev": "won", "seat": 2, "board": 2})
    assert [(step["board"], step["amounts"]) for step in answer["next"]] == [(2, [10])]
    assert played("done")["stacks"] == {"1": 10, "2": 10}


def test_a_burn_error_on_the_second_board_is_put_right_there() -> None:
    """The second board's flop is one like any other: without a burn it is shuffled back and dealt again."""
    played = all_in()
    played(twice(), "card - Ad 9s 8d - Jc - 2d", "card 3c Kc Ks 8c")
    answer = played("report no-burn")
    assert answer["rulings"][0]["verdict"] == "redeal-board"
    assert answer["next"][0] == {"step": "return", "what": "board", "from": "board", "to": "stub", "count": 4}
    answer = played("done 3", "card Qs Qh Tc - 4s - 5s")
    assert answer["boards"][0] == ["Ad", "9s", "8d", "Jc", "2d"]
    assert answer["boards"][1] == ["Qs", "Qh", "Tc", "4s", "5s"]


def test_undo_takes_the_agreement_back() -> None:
    """No card has left since: the rest is dealt once again."""
    played = all_in()
    played(twice())
    answer = played("undo")
    assert steps(answer) == ["burn", "board"] * 3 + ["show", "show"]
    assert "boards" not in answer


@pytest.mark.parametrize("book", ["casino-au", "fish-n-chips", "maryport"])
def test_a_book_that_allows_no_division_deals_once(book: str) -> None:
    """The text of these books gives players no such agreement."""
    assert all_in(book)(twice())["error"]["code"] == "twice-not-allowed"


def test_it_is_too_early_before_the_betting_is_over_and_too_late_without_cards_to_come() -> None:
    """Refused with everything as it was: before the all-in, in limit games, in the middle of a street, four times."""
    played = play("roberts-7", "start", HANDS, stacks={1: 20, 2: 20})
    assert played(twice())["error"]["code"] == "not-now"
    assert all_in()(twice(4))["error"]["code"] == "twice-not-allowed"
    played = all_in()
    assert played("card - Ad", twice())["error"]["code"] == "twice-not-now"
    assert "error" not in played("card 9s 8d", twice())
    assert played(twice())["error"]["code"] == "twice-agreed"
    limit = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
    played = play("roberts-7", "start", HANDS, "act 1 call", "act 2 check", stacks={1: 2, 2: 2}, betting=limit)
    assert played(twice())["error"]["code"] in ("twice-not-allowed", "not-now")
