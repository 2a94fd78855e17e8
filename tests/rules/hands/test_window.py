"""Until when a misdeal can be called, where players are in the hand who will not act."""

from typing import Any

import pytest

from tests.playing import play
from tests.rules.boards import ruling
from tests.rules.deals import DEALT

BOXED = {"ev": "card", "card": "2h", "face": "up"}


def away(*seats: int) -> list[dict[str, Any]]:
    """Players who leave the table before the deal."""
    return [{"ev": "away", "seat": seat} for seat in seats]


@pytest.mark.parametrize("absent", [(1, 4), (4,), (1,)])
def test_FC_3_misdeals_1_absent_players_do_not_keep_it_open(absent: tuple[int, ...]) -> None:
    """The hands of absent players are dead before they act: two others acting in turn close the window."""
    played = play("fish-n-chips", *away(*absent), "start", DEALT)
    played(*(f"act {seat} call" for seat in (4, 1) if seat not in absent), "act 2 call", "act 3 check", "card 8h")
    played(BOXED, "done", {**BOXED, "card": "3h"})
    assert ruling(played, "boxed")["verdict"] == "scrap"


def test_FC_3_misdeals_1_one_act_is_not_enough() -> None:
    """Only the small blind has acted, two players being absent: a second boxed card is a misdeal."""
    played = play("fish-n-chips", *away(1, 4), "start", BOXED, "done", DEALT, "act 2 call", "report exposed seat=3")
    assert ruling(played, "exposed")["verdict"] == "replace"
    played("card 7s", "done", "report button-wrong seat=2")
    assert ruling(played, "button-wrong")["verdict"] == "misdeal"


def test_FC_3_misdeals_1_two_behind_the_blinds_are_still_waited_for() -> None:
    """Nobody is absent: the blinds do not count, and one player behind them has acted."""
    played = play("fish-n-chips", "start", DEALT, "act 4 call", "report button-wrong seat=2")
    assert ruling(played, "button-wrong")["verdict"] == "misdeal"
