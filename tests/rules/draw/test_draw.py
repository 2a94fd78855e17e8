"""The draw and lowball, one test a rule; each is named by the rule's id in the catalogue."""

from typing import Any

import pytest

from controller.core.play.showdown.evaluation import evaluate_hand
from controller.core.rules.games import Ranking
from tests.games.playing import first, said, steps, table
from tests.playing import ScriptedTable

DEALT = "card As 2c 5h 6s 2d 8h Kc 6h 7h 7c 8c 9c Ts Tc Th"
"""Seats 2, 3 and 1: A 6 K 7 T, 2 2 6 8 T, 5 8 7 9 T."""


def draw(played: ScriptedTable, seat: int, discard: int) -> dict[str, Any]:
    return played({"ev": "draw", "seat": seat, "discard": discard})


def asked(book: str, game: str, **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """Everybody is in, seat 2 is asked how many cards it exchanges."""
    played = table(book, game, "start", DEALT, **setup)
    while first(played.lines[-1])["step"] == "act":
        step = first(played.lines[-1])
        word = next(word for word in ("call", "check", "bet") if word in step["options"])
        if word == "check" and not played.lines[-1]["bets"]:
            word = "bet"
        played(f"act {step['seat']} {word}")
    assert steps(played.lines[-1]) == [("draw", 2)]
    return played


@pytest.mark.parametrize("game", ["draw-high", "lowball-a5"])
def test_R7_12_draw_6(game: str) -> None:
    """Five new cards: four at once, the fifth when all have drawn; the last player gets it after a burn.

    Covers: R7-11.lowball.10, R7-16.expl.9
    """
    played = asked("roberts-7", game, joker=False)
    assert [step[:2] for step in steps(draw(played, 2, 5))] == [("burn",)] + [("deal", 2)] * 4 + [("draw", 3)]
    played("card - - - - -")
    draw(played, 3, 0)
    plan = [step[:2] for step in steps(draw(played, 1, 5))]
    assert plan[:7] == [("deal", 1)] * 4 + [("burn",), ("deal", 1), ("deal", 2)]


def test_AU_11_3_a() -> None:
    """AU exchanges any number at once and burns nothing."""
    played = asked("casino-au", "draw-high")
    assert [step[:2] for step in steps(draw(played, 2, 5))] == [("deal", 2)] * 5 + [("draw", 3)]


@pytest.mark.parametrize(
    ("game", "clause"), [("draw-high", "R7-12.draw.7"), ("lowball-a5", "11, Rules of Lowball, rule 12")]
)
def test_R7_12_draw_7(game: str, clause: str) -> None:
    """The number may be changed until a card was dealt for it or somebody relied on it."""
    played = asked("roberts-7", game, joker=False)
    draw(played, 2, 3)
    assert [step[0] for step in steps(draw(played, 2, 1))] == ["burn", "deal", "draw"]
    played("card -")
    answer = draw(played, 2, 2)
    assert answer["error"]["code"] == "draw-fixed"
    played("card -")
    draw(played, 3, 0)
    assert draw(played, 2, 0)["error"]["code"] == "not-your-turn", clause


def test_R7_12_draw_4() -> None:
    """One later card exposed before the draw is kept; the first or second, or two, are a misdeal [R7-12.draw.3]."""
    played = table("roberts-7", "draw-high", "start", "card As 2c 5h")
    assert said(played("report exposed")) == [("exposed", "must-keep", 1, "R7-12.draw.4")]
    assert said(played("card 6s", "report exposed"))[0][1] == "misdeal"
    played = table("roberts-7", "draw-high", "start", "card As 2c")
    assert said(played("report exposed"))[0][1] == "misdeal"


def test_R7_12_jacks_1() -> None:
    """Nobody opens: the pot stays, the button moves, all ante again, three times at most."""
    played = table("roberts-7", "jacks-or-better")
    pots, buttons = [], []
    for _ in range(4):
        answer = played("start", DEALT)
        pots.append(answer["pots"][0]["amount"])
        buttons.append(answer["lamps"]["button"])
        for _ in range(3):
            answer = played(f"act {first(answer)['seat']} check")
        assert answer["phase"] == "idle"
        assert said(answer) == [("passed-out", "play-on", None, "R7-12.jacks.1")]
    assert (pots, buttons) == ([3, 6, 9, 9], [[1], [2], [3], [1]])
    assert sum(answer["stacks"].values()) + answer["pots"][0]["amount"] == 600


@pytest.mark.parametrize(("game", "raises"), [("lowball-a5", False), ("lowball-27", True), ("draw-high", True)])
def test_R7_11_a5_2(game: str, raises: bool) -> None:
    """Limit ace-to-five knows no check-raise."""
    played = asked("roberts-7", game, joker=False)
    for seat in (2, 3, 1):
        draw(played, seat, 0)
    played("act 2 check", "act 3 bet")
    assert ("raise" in first(played("act 1 call"))["options"]) is raises


@pytest.mark.parametrize(
    ("ranking", "better", "worse"),
    [
        (Ranking.LOW_A5, "joker 2d 3h 5c 7c", "2s 3d 4h 5c 7c"),
        (Ranking.LOW_A5, "As Ah 2c 3d 4h", "2s 2h Ac 3d 4h"),
        (Ranking.LOW_27, "9s 7c 5h 4d 2c", "6s 5c 4h 3d 2c"),
        (Ranking.LOW_27, "Ks 5c 4h 3d 2c", "As 5c 4h 3d 2c"),
        (Ranking.HIGH, "joker As Ah Ad Ac", "Ts Js Qs Ks As"),
        (Ranking.HIGH, "joker Kd Kh 2c 3c", "Qs Kd Kh 2c 3c"),
        (Ranking.HIGH, "joker 4s 5d 6h 7c", "As Ah Ad 6h 7c"),
        (Ranking.HIGH, "joker 2s 5s 9s Ks", "Qs 2s 5s 9s Ks"),
    ],
)
def test_R7_12_joker_2(ranking: Ranking, better: str, worse: str) -> None:
    """What a joker stands for, and what beats what [R7-11.a5.1, R7-11.27.1, R7-12.joker.3, R7-12.joker.4].

    Covers: R7-12.joker.3, R7-12.joker.4, R7-11.27.1, R7-11.a5.1, R7-11.a5.intro
    """
    found = [evaluate_hand(ranking, hand.split(), (), None) for hand in (better, worse)]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0] > found[1]


def test_R7_12_joker_2_is_no_wild_card() -> None:
    """A joker with a king is an ace, not a second king."""
    assert evaluate_hand(Ranking.HIGH, ["joker", "Ks", "2d", "3h", "7c"], (), None) == evaluate_hand(
        Ranking.HIGH, ["As", "Ks", "2d", "3h", "7c"], (), None
    )


@pytest.mark.parametrize("looked", [False, True])
def test_AU_19_6_a_whole_draw_to_the_wrong_player(looked: bool) -> None:
    """Both cards of one draw went to another: moved, or kept where they were looked at, and the next ones come."""
    played = table("casino-au", "draw-high", "start", "card" + " -" * 15, seats=3)
    while first(played.lines[-1])["step"] == "act":
        step = first(played.lines[-1])
        played(f"act {step['seat']} {'call' if 'call' in step['options'] else 'check'}")
    seat = first(played.lines[-1])["seat"]
    played({"ev": "draw", "seat": seat, "discard": 2}, "card - -")
    at = first(played.lines[-1])["seat"]
    played(*([f"report looked seat={at}"] if looked else []))
    answer = played(f"report wrong-seat seat={at} count=2")
    assert (answer["rulings"][0]["verdict"], answer["rulings"][0]["cite"][0]) == (
        "must-keep" if looked else "correct",
        "AU-19.6",
    )
    assert (answer["piles"]["seats"][str(seat)], answer["piles"]["seats"][str(at)]) == (3, 7)
    assert [step["step"] for step in answer["next"][:3]] == [*(["deal"] if looked else ["move"]) * 2, "draw"]
    played(*(["card - -"] if looked else ["done 2"]))
    answer = played({"ev": "draw", "seat": at, "discard": 2 if looked else 0})
    assert answer["piles"]["seats"] == {"1": 5, "2": 5, "3": 5}
