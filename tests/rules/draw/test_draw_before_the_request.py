"""Draw and lowball: cards that leave the shoe before a player has asked for them, and the burn of the fifth card."""

import pytest

from tests.games.playing import first, said, table
from tests.playing import ScriptedTable
from tests.rules.stud_deals import verbs


def drawing(game: str) -> ScriptedTable:
    """Three players, all in; seat 2 is asked first."""
    played = table("roberts-7", game, "start")
    while (step := first(played.lines[-1]))["step"] != "draw":
        words = step.get("options", ())
        word = next((word for word in ("check", "call", "bet") if word in words), "fold")
        word = "bet" if game == "draw-high" and "bet" in words else word
        played("card -" if step["step"] == "deal" else f"act {step['seat']} {word}")
    return played


@pytest.mark.parametrize("game", ["draw-high", "lowball-a5"])
def test_R7_12_draw_6_burned_before_the_request(game: str) -> None:
    """A card that leaves before the first request is the burn of the draw, which needs no other.

    Covers: R7-11.lowball.10
    """
    played = drawing(game)
    answer = played("card -", "report premature")
    assert said(answer)[0][:2] == ("premature", "play-on")
    assert (answer["piles"]["burn"], answer["piles"]["aside"], first(answer)["step"]) == (1, 0, "draw")
    assert verbs(played({"ev": "draw", "seat": 2, "discard": 1}))[:2] == ["deal", "draw"]
    played = drawing(game)
    played({"ev": "draw", "seat": 2, "discard": 0}, "card -")
    assert said(played("report premature"))[0][:2] == ("premature", "play-on")
    assert played("card -", "report premature")["error"]["code"] == "not-so"


@pytest.mark.parametrize("game", ["draw-high", "lowball-a5"])
def test_a_card_given_before_the_request_goes_back(game: str) -> None:
    """Nobody has looked at it: the hand lives, and the card comes when it is asked for."""
    played = drawing(game)
    played("card - -", "report premature count=1")
    assert first(played.lines[-1])["step"] == "say"
    answer = played("report extra-card seat=2")
    assert said(answer) == [("extra-card", "correct", 2, "AU-19.6")]
    assert verbs(answer)[:2] == ["return", "draw"]
    answer = played("done", {"ev": "draw", "seat": 2, "discard": 1}, "card -")
    assert (answer["piles"]["seats"]["2"], first(answer)["seat"]) == (5, 3)


@pytest.mark.parametrize("looked", [False, True])
def test_R7_12_draw_6_no_burn_before_the_fifth(looked: bool) -> None:
    """The last player draws five and gets the fifth without a burn: it is the burn, unless that player has looked.

    Covers: R7-3.irreg.15#a
    """
    played = drawing("lowball-a5")
    played(*({"ev": "draw", "seat": seat, "discard": count} for seat, count in ((2, 0), (3, 1))), "card - -")
    played({"ev": "draw", "seat": 1, "discard": 5}, "card - - - - -")
    if looked:
        answer = played("report looked seat=1", "report no-burn")
        assert (said(answer)[0][1:], first(answer)["step"]) == (("play-on", 1, "R7-3.irreg.15"), "act")
        assert (answer["piles"]["burn"], answer["piles"]["seats"]["1"]) == (1, 5)
        return
    answer = played("report no-burn")
    assert said(answer) == [("no-burn", "correct", 1, "R7-3.irreg.15")]
    assert verbs(answer)[:3] == ["return", "deal", "act"]
    answer = played("done", "card -")
    assert (answer["piles"]["burn"], answer["piles"]["seats"]["1"], first(answer)["step"]) == (2, 5, "act")
