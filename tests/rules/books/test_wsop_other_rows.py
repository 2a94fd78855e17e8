"""Rows of WSOP 2024 and TDA 2024 of stud, draw, people and tournaments: a case a row."""

from typing import Any

import pytest

from controller.core.play.showdown.evaluation import evaluate_hand
from controller.core.rules.games import Ranking
from tests.games.playing import table
from tests.playing import ScriptedTable, play

TDA, WSOP, LIVE = "tda-2024", "wsop-2024", "wsop-live-2024"
THIRD = "card 2c 3c 4c 5c 6c 7c 2d Jd Qd"
"""Upcards 2d, Jd, Qd: seat 1 brings it in."""


def report(what: str, **keys: object) -> dict[str, Any]:
    return {"ev": "report", "what": what, **keys}


def due(played: ScriptedTable) -> dict[str, Any]:
    assert "error" not in played.lines[-1], played.lines[-1]["error"]
    step: dict[str, Any] = played.lines[-1]["next"][0]
    return step


def first(played: ScriptedTable) -> tuple[str, str, str]:
    assert "error" not in played.lines[-1], played.lines[-1]["error"]
    ruling = played.lines[-1]["rulings"][0]
    return ruling["finding"], ruling["verdict"], ruling["cite"][0]


def refused(played: ScriptedTable) -> str:
    found: str = played.lines[-1]["error"]["code"]
    return found


def stud(book: str, *lines: str | dict[str, Any], game: str = "stud-7", **setup: Any) -> ScriptedTable:  # noqa: ANN401
    return table(book, game, "start", *lines, **setup)


def test_WSOP_L_281_deuce_to_seven_and_ace_to_five() -> None:
    """The ace is high only, straights and flushes count; the joker is the lowest card missing.

    Covers: WSOP-L-281 WSOP-L-277
    """
    seven, wheel = ("7s", "5h", "4d", "3c", "2s"), ("As", "2h", "3d", "4c", "5s")

    def beats(ranking: Ranking, hand: tuple[str, ...], other: tuple[str, ...]) -> bool:
        best, worse = evaluate_hand(ranking, hand, (), None), evaluate_hand(ranking, other, (), None)
        assert best is not None
        assert worse is not None
        return best > worse

    assert beats(Ranking.LOW_27, seven, wheel)
    assert beats(Ranking.LOW_A5, wheel, seven)


def over(played: ScriptedTable) -> ScriptedTable:
    while played.lines[-1]["next"][0]["step"] == "act":
        played(f"act {played.lines[-1]['next'][0]['seat']} fold")
    played("done")
    return played


EIGHT = "card" + " -" * 8


@pytest.mark.parametrize("book", [TDA, WSOP])
def test_TDA_RP_11_the_big_blind_ante(book: str) -> None:
    """The blind is reckoned first; it is not reduced by itself.

    Covers: TDA-RP-11 TDA-RP-11#full
    """
    betting = {"structure": "no-limit", "small_blind": 1, "big_blind": 2, "ante": 2, "ante_by": "big-blind"}
    played = play(book, "start", EIGHT, betting=betting, stacks={1: 200, 2: 200, 3: 3, 4: 200})
    assert (played.lines[-1]["bets"]["3"], played.lines[-1]["pots"][0]["amount"]) == (2, 1)
    assert play(book, "start", betting=betting).lines[-1]["pots"][0]["amount"] == 2
    assert refused(play(book, {"ev": "waive-antes"}, seats=2, betting=betting)) == "antes" if book == TDA else True
