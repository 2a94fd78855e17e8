"""Stud with nobody left to bet: a wrong burn is put right until the pot is pushed, streets later too."""

import pytest

from tests.playing import ScriptedTable, play

STUD = {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 4, "big_bet": 8}
STREETS = ("fourth", "fifth", "sixth", "seventh")


def run_out(book: str, cards: int) -> ScriptedTable:
    """Both are all-in on third street; so many cards have come since."""
    played = play(
        book, "start", "card 9s 9d Ts 8d 7d Jd", game="stud-7", betting=STUD, button=None, stacks={1: 3, 3: 3}
    )
    while (step := played.lines[-1]["next"][0])["step"] == "act":
        do = next(word for word in ("bring-in", "call", "all-in") if word in step["options"])
        played({"ev": "act", "seat": step["seat"], "do": do})
    deal_on(played, "2s 3s 4s 5s 6s 7s 8s Qs Ks As 2h 3h"[: cards * 3])
    return played


def deal_on(played: ScriptedTable, cards: str) -> None:
    """Show and carry out what is asked between these cards."""
    for card in cards.split():
        carry_out(played)
        played(f"card {card}")
        assert "error" not in played.lines[-1], played.lines[-1]


def carry_out(played: ScriptedTable) -> None:
    """Show, and confirm what goes back."""
    while played.lines[-1]["next"] and (step := played.lines[-1]["next"][0])["step"] in ("show", "return"):
        played(f"show {step['seat']}" if step["step"] == "show" else "done")
        assert "error" not in played.lines[-1], played.lines[-1]


@pytest.mark.parametrize("cards", [6, 9, 12])
@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "tda-2024", "wsop-2024", "wsop-live-2024"])
def test_cards_since_a_wrong_burn_come_anew(book: str, cards: int) -> None:
    """Every street before the last one dealt, no burn (a card fewer left) or two: all comes again in its place
    [R7-8.stud.13, HR-stud.12, WSOP-L-122, WSOP-L-226].
    """
    dealt = cards // 3
    for named in range(dealt - 1):
        for what, burned in (("no-burn", 0), ("double-burn", 1)):
            played = run_out(book, cards - (1 - burned))
            carry_out(played)
            answer = played(f"report {what} street={STREETS[named]}")
            assert [ruling["verdict"] for ruling in answer["rulings"]] == ["correct"], (named, answer)
            carry_out(played)
            piles = played.lines[-1]["piles"]
            assert piles["burn"] == named + burned
            assert set(piles["seats"].values()) == {3 + named}
            assert piles["stub"] == 46 - 3 * named - burned
            fresh = [rank + "c" for rank in "23456789TJQKA"] + ["4h", "5h"]
            deal_on(played, " ".join(fresh[: 12 - 3 * named - burned]))
            carry_out(played)
            assert played.lines[-1]["piles"]["seats"] == {"1": 7, "3": 7}
            assert played.lines[-1]["piles"]["burn"] == 4
            assert {step["step"] for step in played.lines[-1]["next"]} == {"award"}, played.lines[-1]["next"]
            while played.lines[-1]["next"]:
                assert "error" not in played("done")
            assert sum(played.lines[-1]["stacks"].values()) == 6
