"""What is different in a tournament, a test a rule."""

from typing import Any

import pytest

from config.table_line import parse_table_line
from controller.core.protocol.table_error import Refused
from tests.people.hands import at, hand, over, receiving, sit
from tests.playing import ScriptedTable, play

R7, HR, AU, FC, MP = "roberts-7", "house-rules", "casino-au", "fish-n-chips", "maryport"


def table(book: str, seats: int = 6, **keys: Any) -> ScriptedTable:  # noqa: ANN401 (keys of the table line)
    return play(book, seats=seats, mode="tournament", **keys)


T2000 = {"structure": "no-limit", "small_blind": 5, "big_blind": 10, "chip": 5}


def test_level_without_schedule() -> None:
    """A table without a schedule has no levels, and an unknown schedule is refused with the known ones."""
    assert table(FC)({"ev": "level"})["error"]["code"] == "no-schedule"
    line = {"ev": "table", "rulebook": FC, "game": "holdem", "betting": T2000, "button": 1}
    line |= {"seats": [{"seat": 1, "stack": 9}, {"seat": 2, "stack": 9}], "house": {"schedule": "T1"}}
    with pytest.raises(Refused, match="T2000, T20000"):
        parse_table_line(line)


def broke(level: int) -> ScriptedTable:
    """FC, level `level` + 1: seat 3 goes all-in with the big blind and loses."""
    played = at(FC, *range(1, 5), stack=2000, betting=T2000, house={"schedule": "T2000"})
    played(*[{"ev": "level"}] * level)
    played({"ev": "stack", "seat": 3, "stack": 5})
    hand(played)
    for card in ("As", "2c", "4c", "5d", "Ad", "7h", "4h", "5h"):
        played(f"card {card}")
    played("act 4 fold", "act 1 fold", "act 2 call", "show 2", "show 3", "card 8s 9s Jd Qd 8c Kh 6s 2d")
    assert played.lines[-1]["next"][0]["seats"] == [2]
    over(played)
    return played


def later(played: ScriptedTable, hands: int) -> ScriptedTable:
    """So many hands later, the level having risen right after the loss."""
    played({"ev": "level"})
    for _ in range(hands):
        hand(played)
    if hands:
        over(played)
    return played


def test_FC_10_rebuy_4_a() -> None:
    """On the level of the loss; after its last hand within two hands.

    Covers: FC-10.rebuy.4(a)
    """
    rebuy = sit(3, "A3", 2000)
    for hands in (0, 1, 2):
        assert "error" not in later(broke(0), hands)(rebuy)
    assert later(broke(0), 3)(rebuy)["error"]["code"] == "rebuy"
    played = broke(0)
    hand(played)
    over(played)
    played({"ev": "level"})
    hand(played)
    over(played)
    assert played(rebuy)["error"]["code"] == "rebuy"


def test_FC_10_rebuy_4_d() -> None:
    """Hands sat out before a rebuy: all blinds missed are posted on the first hand back.

    Covers: FC-10.rebuy.4(d)
    """
    played = at(FC, 1, 2, 3, 4, 5, stack=2000, betting=T2000)
    played({"ev": "stack", "seat": 4, "stack": 5})
    hand(played)
    for card in ("2c", "4c", "As", "5d", "6d", "3h", "4h", "Ad", "5h", "6h"):
        played(f"card {card}")
    played("act 4 all-in", "act 5 fold", "act 1 fold", "act 2 call", "act 3 check")
    while played.lines[-1]["phase"] != "idle":
        step = played.lines[-1]["next"][0]
        word = step["step"]
        if word in ("burn", "board"):
            played("card -")
        elif word == "act":
            played(f"act {step['seat']} check")
        elif word == "show":
            played({"ev": "show", "seat": step["seat"]})
        elif word == "award" and "amounts" not in step:
            played({"ev": "won", "seat": 2, "pot": step["pot"]})
        else:
            played("done")
        assert "error" not in played.lines[-1], played.lines[-1]
    assert "4" not in played.lines[-1]["stacks"]
    for _ in range(2):
        hand(played)
    over(played)
    answer = hand(played, sit(4, "A4", 2000))
    assert 4 in receiving(answer)
    assert (answer["bets"]["4"], sum(pot["amount"] for pot in answer["pots"])) == (10, 5)
