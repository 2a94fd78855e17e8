"""Draw high and jacks or better: short hands, antes of several deals, who opens, false openers."""

from typing import Any

import pytest

from tests.games.playing import first, table
from tests.playing import ScriptedTable

R7 = "roberts-7"
NOTHING = "card 3s 2c 5h Jd 2d 8h Kc 6h 7h 7c 8c 9c Ts Tc Th"
OPENERS = "card Js 2c 5h Jd 2d 8h Kc 6h 7h 7c 8c 9c Ts Tc Th"
"""Seat 2 has no openers either."""


def draw(played: ScriptedTable, seat: int, discard: int) -> dict[str, Any]:
    return played({"ev": "draw", "seat": seat, "discard": discard})


@pytest.mark.parametrize("when", ["in turn", "asked last"])
def test_R7_12_draw_13(when: str) -> None:
    """An all-in player declares the pot open: all callers come in for the full opening bet."""
    stacks: dict[int, int | None] = {1: 200, 2: 1, 3: 200, 4: 200}
    played = table(R7, "draw-high", "start", "card " + "- " * 20, stacks=stacks)
    if when == "asked last":
        answer = played("act 3 check", "act 4 check", "act 1 check")
        assert (first(answer)["seat"], first(answer)["options"]) == (2, ["check", "open"])
    answer = played("act 2 open")
    step = first(answer)
    assert (step["seat"], step["to_call"], step["min_to"]) == (3, 2, 4)
    answer = played("act 3 call", "act 4 call", "act 1 fold")
    assert answer["pots"] == [{"amount": 4, "seats": [2, 3, 4]}, {"amount": 4, "seats": [3, 4]}]
    for seat in (2, 3, 4):
        answer = draw(played, seat, 0)
    assert first(answer)["seat"] == 3


def test_R7_12_jacks_3_all_have_folded_to_the_opener() -> None:
    """Openers are proved to win the pot though nobody is left: shown, it is pushed."""
    played = table(R7, "jacks-or-better", "start", OPENERS, "act 2 bet", "act 3 fold", "act 1 fold")
    assert [step["step"] for step in played.lines[-1]["next"]] == ["show", "award"]
    assert played("show 2", "done")["stacks"] == {"1": 199, "2": 202, "3": 199}


def test_a_pot_that_may_be_opened_on_anything_has_no_false_opener() -> None:
    """Draw high is opened on any hand; and nobody but the opener can be false."""
    played = table(R7, "draw-high", "start", NOTHING, "act 2 bet")
    assert played("report false-openers")["error"]["code"] == "not-so"
    played = table(R7, "jacks-or-better", "start", NOTHING)
    assert played("report false-openers")["error"]["code"] == "not-so"
    assert played("act 2 bet", "report false-openers seat=3")["error"]["code"] == "not-so"
