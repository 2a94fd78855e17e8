"""What players of a cash game agree on: bomb pots, and a newcomer who buys the button."""

from typing import Any

import pytest

from config import rulebook_file
from tests.games.playing import first
from tests.playing import NO_LIMIT, ScriptedTable, play

LIMIT = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
LIVE = "wsop-live-2024"
BOMB = {"ev": "start", "bomb_pot": 20}


def over(played: ScriptedTable) -> None:
    """Everybody folds to whoever is last."""
    while (step := first(played.lines[-1]))["step"] != "award":
        played("card -" if step["step"] in ("deal", "burn", "board") else f"act {step['seat']} fold")
    played("done")


def posted(answer: dict[str, Any]) -> tuple[list[int], dict[str, int], int]:
    """Where the button is, what lies before the seats, what lies in the pot."""
    return answer["lamps"]["button"], answer["bets"], sum(pot["amount"] for pot in answer["pots"])


def test_WSOP_L_27_the_button_does_not_advance() -> None:
    """The hand before had the button on seat 1: so has the bomb pot; the hand after it has seat 2's."""
    played = play(LIVE, "start")
    over(played)
    played(BOMB)
    assert posted(played.lines[-1])[0] == [1]
    over(played)
    assert posted(played("start")) == ([2], {"3": 1, "4": 2}, 0)


def test_WSOP_L_27_who_opts_out_loses_no_position() -> None:
    """Seat 3 is away for the hand, is not dealt in and owes nothing when it comes back."""
    played = play(LIVE, "start")
    over(played)
    answer = played({"ev": "away", "seat": 3}, BOMB)
    assert {step["seat"] for step in answer["next"] if step["step"] == "deal"} == {1, 2, 4}
    over(played)
    assert posted(played({"ev": "back", "seat": 3}, "start")) == ([2], {"3": 1, "4": 2}, 0)


@pytest.mark.parametrize("book", rulebook_file.list_rulebooks())
def test_every_book_lets_the_players_of_a_cash_game_agree(book: str) -> None:
    """No other book speaks of it; in a tournament nobody agrees on anything."""
    played = play(book, BOMB, mode="cash")
    assert posted(played.lines[-1]) == ([1], {}, 80)
    played = play(book, BOMB, mode="tournament")
    assert played.lines[-1]["error"]["code"] == "bomb-pot"
    played = play(book, BOMB, mode="cash", house={"people.bomb-pots": False})
    assert played.lines[-1]["error"]["code"] == "bomb-pot"


def bought(book: str = LIVE, **line: Any) -> ScriptedTable:  # noqa: ANN401
    """Seats 1, 3, 4, 5 play; after a hand with the button on 5 a newcomer sits in seat 2, where the button has passed.

    The next hand regularly has the button on seat 1, the small blind on seat 3 and the big blind on seat 4.
    """
    played = play(book, "start", stacks=dict.fromkeys((1, 3, 4, 5), 200), button=5, betting=NO_LIMIT)
    assert posted(played.lines[-1]) == ([5], {"1": 1, "3": 2}, 0)
    over(played)
    played({"ev": "sit", "seat": 2, "player": "New", "stack": 200, **line})
    return played


def test_WSOP_L_154_buying_the_button() -> None:
    """Between button and small blind: the big blind live, the small one dead; the button on the next hand.

    The blinds do not move: seats 3 and 4, who would have had them now, have them then.

    Covers: WSOP-L-154
    """
    played = bought(buys_button=True)
    answer = played("start")
    assert [(ruling["finding"], ruling["seat"], ruling["cite"]) for ruling in answer["rulings"]] == [
        ("buys-button", 2, ["WSOP-L-154"])
    ]
    assert posted(answer) == ([1], {"2": 2}, 1)
    assert {step["seat"] for step in answer["next"] if step["step"] == "deal"} == {1, 2, 3, 4, 5}
    assert answer["next"][-1] | {"seat": 3} == answer["next"][-1]
    over(played)
    assert posted(played("start")) == ([2], {"3": 1, "4": 2}, 0)
    over(played)
    assert posted(played("start")) == ([3], {"4": 1, "5": 2}, 0)


def test_WSOP_L_154_the_big_blind_alone_lets_the_button_pass() -> None:
    """At limit a newcomer may post the big blind there: the button then goes to who has just had the small blind."""
    played = play(LIVE, "start", stacks=dict.fromkeys((1, 3, 4, 5), 200), button=5, betting=LIMIT)
    over(played)
    answer = played({"ev": "sit", "seat": 2, "player": "New", "stack": 200, "post": True}, "start")
    assert posted(answer) == ([1], {"2": 2, "3": 1, "4": 2}, 0)
    over(played)
    assert posted(played("start"))[0] == [3]


def moved_in(book: str, seat: int) -> dict[str, Any]:
    """Four play at limit, the next button is on seat 2; Eve comes from the must-move game with less than a buy-in."""
    played = play(book, "start", stacks=dict.fromkeys((1, 2, 5, 8), 200), button=1, betting=LIMIT)
    over(played)
    return played({"ev": "sit", "seat": seat, "player": "Eve", "stack": 9, "must_move": True}, "start")


def dealt_in(answer: dict[str, Any]) -> set[int]:
    return {step["seat"] for step in answer["next"] if step["step"] == "deal"}


def test_WSOP_L_97_from_the_must_move_game() -> None:
    """In any place but those of the small blind and the button, without a post; there the player waits.

    The button is on seat 2, the small blind on 5, the big blind on 8. Under R7 such a player is a new one.

    Covers: WSOP-L-97, R7-2.seating.11
    """
    answer = moved_in(LIVE, 9)
    assert (posted(answer), 9 in dealt_in(answer)) == (([2], {"5": 1, "8": 2}, 0), True)
    for seat in (3, 4):
        answer = moved_in(LIVE, seat)
        assert (posted(answer), seat in dealt_in(answer)) == (([2], {"5": 1, "8": 2}, 0), False)
        assert [(ruling["finding"], ruling["cite"]) for ruling in answer["rulings"]] == [("entry", ["WSOP-L-97"])]
    answer = moved_in(LIVE, 6)
    assert (posted(answer), 6 in dealt_in(answer)) == (([2], {"5": 1, "6": 2}, 0), True)
    assert 9 not in dealt_in(moved_in("roberts-7", 9))


@pytest.mark.parametrize("betting", [NO_LIMIT, LIMIT])
def test_WSOP_L_156_coming_back_as_the_straddle(betting: dict[str, Any]) -> None:
    """Seat 3 missed both blinds: it waits until it is under the gun, puts four in live, and acts last.

    Covers: WSOP-L-156
    """
    played = play(LIVE, {"ev": "away", "seat": 3}, "start", betting=betting)
    over(played)
    played("start")
    over(played)
    answer = played({"ev": "back", "seat": 3, "straddle": True}, "start")
    assert answer["bets"] == {"1": 1, "2": 2, "3": 4}
    assert (answer["pots"], answer["next"][-1]["seat"], answer["next"][-1]["to_call"]) == ([], 4, 4)
    answer = played("card - - - - - - - -", "act 4 call", "act 1 call", "act 2 fold")
    assert (first(answer)["seat"], "check" in first(answer)["options"]) == (3, True)
    played("act 3 check", "card - - - -")
    played("act 1 fold", "act 3 check", "act 4 fold", "done")
    assert posted(played("start")) == ([1], {"2": 1, "3": 2}, 0)


def test_nobody_comes_back_as_a_straddle_elsewhere() -> None:
    """Not under other books; not while the seat is in another place than under the gun."""
    played = play("roberts-7", {"ev": "away", "seat": 3}, "start")
    over(played)
    assert played({"ev": "back", "seat": 3, "straddle": True})["error"]["code"] == "value"
    played = play(LIVE, {"ev": "away", "seat": 3}, "start", seats=6)
    over(played)
    answer = played({"ev": "back", "seat": 3, "straddle": True}, "start")
    assert 3 not in {step["seat"] for step in answer["next"] if step["step"] == "deal"}


def test_nobody_buys_the_button_elsewhere() -> None:
    """Not in other books, not in a tournament, and not where another place is free: there the newcomer waits."""
    assert bought("roberts-7", buys_button=True).lines[-1]["error"]["code"] == "value"
    played = play(LIVE, "start", stacks=dict.fromkeys((1, 3, 4, 5), 200), button=5)
    over(played)
    answer = played({"ev": "sit", "seat": 7, "player": "New", "stack": 200, "buys_button": True}, "start")
    assert 7 not in {step["seat"] for step in answer["next"] if step["step"] == "deal"}
    assert posted(answer) == ([1], {"3": 1, "4": 2}, 0)
