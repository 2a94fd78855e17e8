"""Play that waits for the floor: hand for hand, the last hands of a day, a halted table.."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play
from tests.rules.deals import plan

TOURNAMENTS = ("tda-2024", "wsop-2024")
ON, GO, OFF = ({"ev": "hand-for-hand", **more} for more in ({"on": True}, {"go": True}, {"on": False}))
THREE: dict[int, int | None] = {1: 100, 2: 500, 3: 500}
SIX = "card 2h Ah Kc Qh As Kd"


def code(played: ScriptedTable) -> str | None:
    refused: dict[str, str] = played.lines[-1].get("error", {})
    return refused.get("code")


def over(played: ScriptedTable) -> ScriptedTable:
    """All fold to one, who is given the pot."""
    while played.lines[-1]["next"][0]["step"] == "act":
        played(f"act {played.lines[-1]['next'][0]['seat']} fold")
    played("done")
    return played


def called(book: str, *lines: str | dict[str, Any]) -> ScriptedTable:
    """Seat 1 is all-in before the flop, seat 3 calls."""
    return play(book, ON, "start", SIX, "act 1 all-in", "act 2 fold", "act 3 call", *lines, stacks=THREE)


@pytest.mark.parametrize("book", TOURNAMENTS)
def test_TDA_RP_8_F_an_all_in_that_was_called_waits(book: str) -> None:
    """Nothing is turned up, and the gate stays shut, until the floor says so.

    Covers: TDA-RP-8-F WSOP-T-126.g
    """
    played = called(book)
    assert (plan(played), played.lines[-1]["gate"], played.lines[-1]["phase"]) == (["hold"], "locked", "floor")
    for line in ("card 2c", "show 3", "muck 3", "done"):
        played(line)
        assert code(played) == "not-now"
    played(GO)
    assert (sorted(plan(played)[:2]), plan(played)[2:4]) == (["show 1", "show 3"], ["burn", "board flop 3"])


def test_TDA_RP_8_F_a_side_pot_waits_once_for_each_all_in() -> None:
    stacks: dict[int, int | None] = {1: 100, 2: 300, 3: 900, 4: 900}
    played = play("tda-2024", ON, "start", "card" + " -" * 8, stacks=stacks)
    played("act 4 call", "act 1 all-in", "act 2 call", "act 3 call", "act 4 call")
    assert plan(played) == ["hold"]
    played(GO)
    assert plan(played)[:3] == ["burn", "board flop 3", "act 2"]
    played("card - - - -", "act 2 check", "act 3 check", "act 4 check")
    assert plan(played)[0] == "burn"
    played("card - -", "act 2 all-in", "act 3 call", "act 4 fold")
    assert plan(played) == ["hold"]
    played(GO)
    assert plan(played)[0].startswith("show")


def test_nobody_waits_without_a_call_nor_without_hand_for_hand() -> None:
    played = play("tda-2024", ON, "start", SIX, "act 1 all-in", "act 2 fold", "act 3 fold", stacks=THREE)
    assert plan(played) == ["award [1]"]
    played = play("tda-2024", "start", SIX, "act 1 all-in", "act 2 fold", "act 3 call", stacks=THREE)
    assert plan(played)[0] == "show 3"


@pytest.mark.parametrize("book", TOURNAMENTS)
def test_TDA_RP_8_A_finish_the_current_hand_then_wait(book: str) -> None:
    """Covers: TDA-RP-8-A WSOP-T-126.a"""
    played = over(play(book, "start", "card" + " -" * 8, ON))
    assert (plan(played), played.lines[-1]["phase"]) == (["hold"], "idle")
    played("start")
    assert code(played) == "waits"
    played(GO, "start")
    assert played.lines[-1]["hand"] == 2
    played("card" + " -" * 8)
    over(played)("start")
    assert code(played) == "waits"
    played(OFF, "start")
    assert played.lines[-1]["hand"] == 3


@pytest.mark.parametrize(("book", "minutes"), [("tda-2024", 2), ("wsop-2024", 2), ("fish-n-chips", 0)])
def test_TDA_RP_8_B_a_hand_takes_two_minutes_of_the_level(book: str, minutes: int) -> None:
    """However long it takes; where the book lets the clock run on (FC 10), it takes its own time.

    Covers: TDA-RP-8-B WSOP-T-126.c
    """
    timed = {"ev": "timer", "set": "start", "t": 0}
    house = {"schedule": "T20000"}
    played = play(book, timed, "start", ON, "card" + " -" * 8, house=house, mode="tournament")
    before = played.lines[-1]["timer"]["left"]
    played({"ev": "time", "t": 600.0})
    over(played)
    assert before - played.lines[-1]["timer"]["left"] == (60 * minutes or 600)
    played(GO, "start")
    assert played.lines[-1]["timer"]["running"] is not bool(minutes)
    played(OFF)
    assert played.lines[-1]["timer"]["running"]


def test_the_hand_waits_no_more_when_hand_for_hand_is_over() -> None:
    played = called("tda-2024", OFF)
    assert plan(played)[0] == "show 3"


@pytest.mark.parametrize("line", [GO, OFF, {"ev": "hand-for-hand"}, {**ON, "go": True}])
def test_a_word_for_which_nothing_waits_is_refused(line: dict[str, Any]) -> None:
    assert code(play("tda-2024", line)) in ("nothing-waits", "key-missing")


def test_WSOP_T_125_the_last_hands_of_the_day() -> None:
    """So many begin, then none; nobody enters late, and who is moved there does.

    Covers: WSOP-T-125
    """
    played = play("wsop-2024", {"ev": "last-hands", "hands": 2}, "start", "card" + " -" * 8)
    over(played)("start", "card" + " -" * 8)
    over(played)
    assert plan(played) == ["hold"]
    played("start")
    assert code(played) == "last-hand"
    late = {"ev": "sit", "seat": 7, "player": "Late", "stack": 200}
    played(late)
    assert code(played) == "last-hand"
    played({**late, "moved": True}, {"ev": "last-hands"}, "start")
    assert played.lines[-1]["hand"] == 3


@pytest.mark.parametrize(("book", "clause"), [("tda-2024", "TDA-11-D"), ("wsop-2024", "WSOP-T-67")])
def test_TDA_11_D_play_halts_at_a_short_table(book: str, clause: str) -> None:
    """The hand is finished, no misdeal; the next waits until the floor waives or ends it.

    Covers: TDA-11-D WSOP-T-67
    """
    played = play(book, "start", "card" + " -" * 8, {"ev": "halt"})
    assert played.lines[-1]["rulings"][0]["cite"] == [clause]
    assert plan(played) == ["act 4"]
    over(played)("start")
    assert code(played) == "play-halted"
    played({"ev": "halt", "on": False}, "start")
    assert played.lines[-1]["hand"] == 2


@pytest.mark.parametrize("line", [ON, {"ev": "halt"}, {"ev": "last-hands", "hands": 3}])
def test_a_cash_game_waits_for_nobody(line: dict[str, Any]) -> None:
    assert code(play("roberts-7", line)) == "not-ruled"
