"""Rebuys and add-ons announced before the deal."""

import pytest

from tests.people.hands import at, hand, over, rulings
from tests.playing import ScriptedTable

FC, R7, MP = "fish-n-chips", "roberts-7", "maryport"
STAKES = {"structure": "no-limit", "small_blind": 5, "big_blind": 10}


def table(book: str, stack: int = 200) -> ScriptedTable:
    return at(book, 1, 2, 3, 4, stack=stack, betting=STAKES, mode="tournament")


@pytest.mark.parametrize(
    ("book", "cite"), [(R7, "R7-15.tourn.33"), (MP, "MP-7.tourn.28"), (FC, "FC-10.rebuy.4"), ("house-rules", "R7-15")]
)
def test_R7_15_tourn_33(book: str, cite: str) -> None:
    """Announced before the cards: played behind, and to be paid.

    Covers: R7-15.tourn.33, MP-7.tourn.28, FC-10.rebuy.3, FC-10.rebuy.4(c)
    """
    played = table(book)
    answer = played({"ev": "buy", "seat": 4, "chips": 500})
    ruling = rulings(answer, "playing-behind")[0]
    assert (ruling["verdict"], ruling["seat"]) == ("bind", 4)
    assert ruling["cite"][0].startswith(cite)
    assert answer["stacks"]["4"] == 700


def test_after_the_riffle() -> None:
    """The short blind of one who then announces an add-on is made full, the hand keeps its number and its button."""
    played = table(FC)
    played({"ev": "stack", "seat": 3, "stack": 4})
    first = hand(played)
    assert first["bets"] == {"2": 5, "3": 4}
    answer = played({"ev": "buy", "seat": 3, "chips": 500})
    assert answer["bets"] == {"2": 5, "3": 10}
    assert answer["stacks"]["3"] == 494
    assert (answer["hand"], answer["lamps"]["button"]) == (first["hand"], first["lamps"]["button"])
    played({"ev": "undo"})
    assert played.lines[-1]["bets"] == {"2": 5, "3": 4}
    played({"ev": "buy", "seat": 3, "chips": 500}, {"ev": "buy", "seat": 3, "chips": 500})
    assert played.lines[-1]["stacks"]["3"] == 994
    over(played)
    assert sum(played.lines[-1]["stacks"].values()) == 3 * 200 + 4 + 1000


def test_a_rebuy_after_the_riffle() -> None:
    """One who lost the last chip is dealt into the hand that is about to be dealt.

    Covers: FC-10.rebuy.4(b)
    """
    played = table(FC)
    hand(played)
    played.table.outcome.state.hand_in_play.chips.stack_by_seat[4] = 0
    over(played)
    assert "4" not in played.lines[-1]["stacks"]
    assert 4 not in {step.get("seat") for step in hand(played)["next"]}
    answer = played({"ev": "buy", "seat": 4, "chips": 300})
    assert 4 in {step.get("seat") for step in answer["next"] if step["step"] == "deal"}


def test_too_late_or_not_at_all() -> None:
    played = table(FC)
    assert played({"ev": "buy", "seat": 9, "chips": 5})["error"]["code"] == "empty-chair"
    hand(played)
    played("card As")
    answer = played({"ev": "buy", "seat": 4, "chips": 500})
    assert answer["error"]["code"] == "buy"
    assert "next hand" in answer["error"]["message"]
    cash = at(R7, 1, 2, 3)
    assert cash({"ev": "buy", "seat": 2, "chips": 5})["error"]["code"] == "buy"
