"""Players who miss hands as a penalty: dealt in, posted for, killed after the deal (TDA 71, WSOP 113)."""

from typing import Any

import pytest

from tests.games.playing import table as any_table
from tests.playing import ScriptedTable, play

DEALT = "card Ad 9c Tc 5d 6c 4d Qh 6d"
TOURNAMENTS = ("tda-2024", "wsop-2024", "fish-n-chips")
CLAUSE = {"wsop-2024": "WSOP-T-113"}


def penalty(seat: int, **more: int) -> dict[str, Any]:
    return {"ev": "penalty", "seat": seat, **more}


def missed(played: ScriptedTable) -> list[int]:
    """The seats whose hands were killed on the last line."""
    return [r["seat"] for r in played.lines[-1]["rulings"] if r["verdict"] == "dead-hand"]


def over(played: ScriptedTable) -> dict[str, Any]:
    """All fold to one, who is given the pot."""
    while played.lines[-1]["next"][0]["step"] == "act":
        played(f"act {played.lines[-1]['next'][0]['seat']} fold")
    return played("done")


@pytest.mark.parametrize("book", TOURNAMENTS)
def test_TDA_71_C_one_missed_hand(book: str) -> None:
    """The blind is posted, the cards come, the hand is dead when all are complete; on the next hand the seat plays.

    Covers: TDA-71-C
    """
    played = play(book, penalty(3, hands=1), "start", mode="tournament")
    ruling = played.lines[1]["rulings"][0]
    assert (ruling["finding"], ruling["verdict"], ruling["cite"][0]) == (
        "penalty", "correct", CLAUSE.get(book, "TDA-71-C"),
    )  # fmt: skip
    assert played.lines[-1]["bets"] == {"2": 1, "3": 2}
    played(DEALT)
    assert (missed(played), played.lines[-1]["piles"]["muck"]) == ([3], 2)
    assert [step["seat"] for step in played.lines[-1]["next"]] == [4]
    over(played)
    assert played.lines[-1]["stacks"] == {"1": 200, "2": 202, "3": 198, "4": 200}
    played("start", DEALT)
    assert missed(played) == []


@pytest.mark.parametrize("book", ["tda-2024", "wsop-2024"])
def test_TDA_71_A_rounds_are_hands_for_all_at_the_table(book: str) -> None:
    """Two rounds at a table of four are eight hands, also when somebody has gone meanwhile.

    Covers: TDA-71-A WSOP-T-113
    """
    played = play(book, penalty(3, rounds=2), mode="tournament")
    assert "sits out 8 hands" in played.lines[-1]["rulings"][0]["text"]
    for number in range(9):
        played("start", "card" + " -" * (8 if number < 2 else 6))
        assert missed(played) == ([3] if number < 8 else [])
        over(played)
        if number == 1:
            played("leave 1")


def test_TDA_35_C_a_misdeal_and_its_new_deal_count_once() -> None:
    """Before and after the hand was killed.

    Covers: TDA-35-C TDA-35-C#penalty
    """
    played = play("tda-2024", penalty(3, hands=1), "start", "card Ad", "report exposed", "done 3", DEALT)
    assert missed(played) == [3]
    played({"ev": "floor", "decide": "misdeal"}, "done 3", DEALT)
    assert missed(played) == [3]
    over(played)
    played("start", DEALT)
    assert missed(played) == []


def test_TDA_71_C_the_bring_in_of_a_player_on_penalty_is_posted() -> None:
    played = any_table("tda-2024", "stud-7", penalty(1, hands=1), "start", seats=3)
    played("card 2c 3c 4c 5c 6c 7c 2d Jd Qd")
    assert (missed(played), played.lines[-1]["bets"]) == ([1], {"1": 2})
    assert played.lines[-1]["next"][0]["seat"] == 2


def test_a_penalty_given_after_the_deal_begins_with_the_next_hand_and_can_be_ended() -> None:
    played = play("tda-2024", "start", DEALT, penalty(3, hands=2))
    assert played.lines[-1]["piles"]["muck"] == 0
    over(played)
    played("start", DEALT)
    assert missed(played) == [3]
    over(played)
    played(penalty(3, hands=0), "start", DEALT)
    assert missed(played) == []


@pytest.mark.parametrize(
    ("line", "code"),
    [(penalty(9, hands=1), "empty-chair"), (penalty(3), "key-missing"), (penalty(3, hands=1, rounds=1), "key-missing")],
)
def test_a_penalty_that_says_nothing_is_refused(line: dict[str, Any], code: str) -> None:
    assert play("tda-2024", line).lines[-1]["error"]["code"] == code


def test_no_penalty_in_a_cash_game() -> None:
    assert play("roberts-7", penalty(3, hands=1)).lines[-1]["error"]["code"] == "not-ruled"


@pytest.mark.parametrize(("book", "clause"), [("tda-2024", "TDA-71-C"), ("wsop-2024", "WSOP-T-113")])
def test_TDA_71_A_what_is_left_of_a_penalty_goes_along_to_another_table(book: str, clause: str) -> None:
    """A round counted at a table of four is four hands, also at one of three; the one that was missed counts.

    Covers: TDA-71-A WSOP-T-113
    """
    old = play(book, penalty(3, rounds=1), "start", DEALT, mode="tournament")
    over(old)
    left = old("leave 3")["rulings"]
    assert [(r["finding"], r["verdict"], r["seat"], r["cite"][0]) for r in left] == [
        ("penalty", "play-on", 3, clause),
    ]  # fmt: skip
    assert "sits out 3 hands at the next table: enter them there (`penalty` with `hands`" in left[0]["text"]
    sits = {"ev": "sit", "seat": 5, "player": "Cleo", "stack": 198, "moved": True}
    new = play("tda-2024", sits, penalty(5, hands=3), seats=2, mode="tournament")
    killed = []
    for _ in range(4):
        new("start", "card - - - - - -")
        killed.append(5 in missed(new))
        over(new)
    assert killed == [True, True, True, False]


def test_who_has_no_penalty_left_leaves_without_a_word() -> None:
    played = play("tda-2024", penalty(3, hands=1), penalty(3, hands=0), "leave 3", "leave 4", mode="tournament")
    assert [line["rulings"] for line in played.lines[-2:]] == [[], []]
