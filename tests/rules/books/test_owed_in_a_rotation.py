"""Blinds that were missed are owed still when a game without blinds has been played meanwhile."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play

BLINDS = {"structure": "fixed-limit", "small_blind": 2, "big_blind": 4, "small_bet": 4, "big_bet": 8}
THREE = {"structure": "fixed-limit", "blinds": [1, 2, 4], "small_bet": 4, "big_bet": 8}
STUD = {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 4, "big_bet": 8}
ANTES = {"structure": "fixed-limit", "ante": 1, "small_bet": 4, "big_bet": 8}
WITHOUT_BLINDS = [
    ("stud-7", STUD, 1),
    ("stud-7", STUD, 2),
    ("razz", STUD, 1),
    ("stud-8", STUD, 1),
    ("draw-high", ANTES, 1),
]


def finish(played: ScriptedTable) -> None:
    """Everybody folds, or checks; the hand is over."""
    while played.lines[-1]["phase"] != "idle":
        step = played.lines[-1]["next"][0]
        if step["step"] in ("deal", "burn", "board"):
            number = len(played.lines)
            played({"ev": "card", "card": "23456789TJQKA"[number % 13] + "shdc"[number % 4]})
        elif step["step"] == "act":
            do = next(word for word in ("fold", "bring-in", "check") if word in step["options"])
            played({"ev": "act", "seat": step["seat"], "do": do})
        else:
            played("done")
        assert "error" not in played.lines[-1], played.lines[-1]


def hand(played: ScriptedTable, *lines: dict[str, Any] | str) -> dict[str, Any]:
    """A hand from its start to its end, after what people do; what the table says to its start."""
    answer = played(*lines, "start")
    assert "error" not in answer, answer
    finish(played)
    return answer


def dealt(answer: dict[str, Any]) -> set[int]:
    """Who gets cards."""
    return {step["seat"] for step in answer["next"] if step["step"] == "deal"}


def find_next_big_blind(blinds: dict[str, Any]) -> int:
    """The seat that has the big blind on the second hand, seat 1 having the button on the first."""
    return len(blinds.get("blinds", (2, 4))) + 2


def away_for_its_blinds(
    book: str, game: str, stakes: dict[str, Any], hands: int, blinds: dict[str, Any]
) -> ScriptedTable:
    """The seat due for the big blind is away while all blinds pass it; then a game without blinds is due."""
    begun = find_next_big_blind(blinds) - 2
    rotation = [{"game": "holdem", "betting": blinds, "hands": begun + 1}]
    rotation += [{"game": game, "betting": stakes, "hands": hands}]
    played = play(book, seats=6, betting=blinds, rotation=rotation, button_rule="dead")
    hand(played)
    played(f"away {begun + 2}")
    for _ in range(begun):
        assert begun + 2 not in dealt(hand(played))
    return played


@pytest.mark.parametrize(("game", "stakes", "hands"), WITHOUT_BLINDS)
@pytest.mark.parametrize("book", ["roberts-7", "wsop-live-2024"])
@pytest.mark.parametrize(("blinds", "live", "dead"), [(BLINDS, 4, 2), (THREE, 4, 3)])
def test_a_game_without_blinds_settles_none(
    book: str, game: str, stakes: dict[str, Any], hands: int, blinds: dict[str, Any], live: int, dead: int
) -> None:
    """Who is back plays the game of antes; then posts what was missed, or waits for the big blind.

    Covers: R7-4.blinds.8, R7-4.blinds.10, WSOP-L-156
    """
    seat = find_next_big_blind(blinds)
    for posts in (True, False):
        played = away_for_its_blinds(book, game, stakes, hands, blinds)
        played({"ev": "back", "seat": seat, "post": posts})
        for _ in range(hands):
            assert seat in dealt(hand(played)), "it antes as everybody does"
        seen = [hand(played) for _ in range(3)]
        if posts:
            first = next(answer for answer in seen if seat in dealt(answer))
            assert (first["bets"][str(seat)], sum(pot["amount"] for pot in first["pots"])) == (live, dead)
        else:
            came = [answer for answer in seen if seat in dealt(answer)]
            assert all(answer["lamps"]["big_blind"] == [seat] for answer in came[:1])
            assert seat not in dealt(seen[0])


def test_who_goes_away_again_and_is_back_for_the_game_of_antes_alone_owes_as_before() -> None:
    """Twice away, twice back, in two rounds of stud: what was missed is posted once, when it can be.

    Covers: R7-4.blinds.10
    """
    played = away_for_its_blinds("roberts-7", "stud-7", STUD, 2, BLINDS)
    hand(played, {"ev": "back", "seat": 4, "post": True})
    assert 4 not in dealt(hand(played, "away 4"))
    answer = hand(played, {"ev": "back", "seat": 4, "post": True})
    while 4 not in dealt(answer):
        answer = hand(played)
    assert (answer["bets"]["4"], sum(pot["amount"] for pot in answer["pots"])) == (4, 2)
    assert hand(played)["bets"].get("4", 0) == 0
