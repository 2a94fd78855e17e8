"""Draw high and jacks or better: short hands, antes of several deals, who opens, false openers."""

from typing import Any

import pytest

from tests.games.playing import first, said, steps, table
from tests.playing import ScriptedTable

R7 = "roberts-7"
BLANK = "card " + "- " * 15
NOTHING = "card 3s 2c 5h Jd 2d 8h Kc 6h 7h 7c 8c 9c Ts Tc Th"
OPENERS = "card Js 2c 5h Jd 2d 8h Kc 6h 7h 7c 8c 9c Ts Tc Th"
"""Seat 2 has no openers either."""


def draw(played: ScriptedTable, seat: int, discard: int) -> dict[str, Any]:
    return played({"ev": "draw", "seat": seat, "discard": discard})


def drawing(book: str = R7, game: str = "draw-high", seats: int = 3, **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """Everybody is in, the first seat is asked how many cards it exchanges."""
    played = table(book, game, "start", "card " + "- " * (5 * seats), seats=seats, joker=False, **setup)
    while first(played.lines[-1])["step"] == "act":
        step = first(played.lines[-1])
        words = step["options"]
        played(f"act {step['seat']} " + ("call" if "call" in words else "bet" if "bet" in words else "check"))
    return played


def money(answer: dict[str, Any]) -> int:
    """All chips of the table."""
    pots = sum(pot["amount"] for pot in answer["pots"])
    return int(sum(answer["stacks"].values()) + pots + sum(answer["bets"].values()))


@pytest.mark.parametrize(("missing", "now"), [(1, True), (2, False)])
def test_R7_12_draw_5_b(missing: int, now: bool) -> None:
    """After action the button gets a missing fifth card at once; more than one, or another hand, on the draw."""
    played = table(R7, "draw-high", "start", BLANK, "act 2 bet")
    answer = played(f"report short-hand seat=1 count={missing}")
    assert said(answer) == [("short-hand", "correct" if now else "play-on", 1, "R7-12.draw.5")]
    assert (first(answer) == {"step": "deal", "seat": 1, "face": "down", "why": "missing"}) is now
    assert answer["piles"]["seats"]["1"] == 5 - missing
    played("undo")
    answer = played("report short-hand seat=3")
    assert said(answer) == [("short-hand", "play-on", 3, "R7-12.draw.5")]
    played("act 3 call", "act 1 call")
    draw(played, 2, 0)
    assert [step[:2] for step in steps(draw(played, 3, 1))] == [("burn",), ("deal", 3), ("deal", 3), ("draw", 1)]


@pytest.mark.parametrize("game", ["draw-high", "jacks-or-better"])
@pytest.mark.parametrize("report", ["short-hand", "extra-card"])
def test_R7_12_draw_5_c(report: str, game: str) -> None:
    """More or fewer than five cards after the draw is a fouled hand."""
    played = drawing(game=game)
    for seat in (2, 3, 1):
        draw(played, seat, 0)
    answer = played(f"report {report} seat=3")
    assert said(answer) == [(report, "dead-hand", 3, "R7-12.draw.5")]
    assert "3" not in answer["piles"]["seats"]


def test_a_hand_short_of_a_card_of_the_draw_is_completed_while_the_draw_is_on() -> None:
    """Its cards are still due, or it gets them before the others draw; afterwards it is fouled."""
    played = drawing()
    draw(played, 2, 2)
    played("card - -")
    assert said(played("report short-hand seat=2")) == [("short-hand", "play-on", 2, "R7-12.draw.6")]
    played("card -")
    answer = played("report short-hand seat=2")
    assert said(answer) == [("short-hand", "correct", 2, "R7-12.draw.5")]
    assert steps(answer)[:2] == [("deal", 2, "down", "missing"), ("draw", 3)]
    assert answer["piles"]["seats"]["2"] == 4


def test_an_extra_card_of_the_draw_goes_back_while_nobody_has_looked() -> None:
    """It belongs to the next player; looked at, it fouls the hand."""
    played = drawing()
    draw(played, 2, 1)
    played("card - -", "card -")
    answer = played("report extra-card seat=2")
    assert said(answer) == [("extra-card", "correct", 2, "AU-19.6")]
    assert steps(answer)[:2] == [("return", "seat 2", "stub", 1), ("draw", 3)]
    played("undo", "report looked seat=2")
    assert said(played("report extra-card seat=2"))[0][1] == "dead-hand"


def passed(played: ScriptedTable, deal: str = BLANK) -> dict[str, Any]:
    """A deal that nobody opens."""
    answer = played("start", deal)
    while first(answer)["step"] == "act":
        answer = played(f"act {first(answer)['seat']} check")
        if not answer["next"]:
            break
    return answer


def test_R7_12_draw_12() -> None:
    """A newcomer is dealt in at once for as many antes as lie in the pot for each player."""
    played = table(R7, "jacks-or-better")
    passed(played)
    passed(played)
    played({"ev": "sit", "seat": 4, "player": "Eve", "stack": 100})
    answer = played("start")
    assert answer["stacks"] == {"1": 197, "2": 197, "3": 197, "4": 97}
    assert answer["pots"] == [{"amount": 12, "seats": [1, 2, 3, 4]}]
    assert {step["seat"] for step in answer["next"] if step["step"] == "deal"} == {1, 2, 3, 4}


def test_a_player_who_missed_an_anted_deal_pays_that_ante_too() -> None:
    """Single or multiple: what the others have put in."""
    played = table(R7, "jacks-or-better", seats=4)
    passed(played, "card " + "- " * 20)
    played("away 4")
    passed(played)
    answer = played({"ev": "back", "seat": 4}, "start")
    assert answer["stacks"]["4"] == 197
    assert answer["pots"] == [{"amount": 12, "seats": [1, 2, 3, 4]}]


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
