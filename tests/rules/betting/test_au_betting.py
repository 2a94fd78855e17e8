"""The casino rules on wagers: what a check keeps, what an all-in opens; named by the rule's id."""

from typing import Any

import pytest

from tests.games.playing import first, table
from tests.playing import ScriptedTable, play

AU = "casino-au"
LIMIT = {"structure": "fixed-limit", "small_blind": 5, "big_blind": 10, "small_bet": 10, "big_bet": 20}
NO_LIMIT = {"structure": "no-limit", "small_blind": 5, "big_blind": 10}


def flop(book: str = AU, behind: int = 14, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Four players see the flop; seat 4 had `behind` before the hand."""
    stacks: dict[int, int | None] = {1: 300, 2: 300, 3: 300, 4: behind}
    played = play(book, "start", "card 2s 3s 4s 5s 6s 7s 8s 9s", stacks=stacks, **table)
    played("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - 2c 3c 4c")
    return played


@pytest.mark.parametrize(
    ("betting", "behind", "word", "least"),
    [(LIMIT, 14, "complete", 10), (LIMIT, 16, "raise", 16), (NO_LIMIT, 14, "raise", 14), (NO_LIMIT, 16, "raise", 16)],
)
def test_AU_1_1_check(betting: dict[str, Any], behind: int, word: str, least: int) -> None:
    """A check retains all rights: who checked may complete or raise an opening all-in of less than a bet.

    Covers: AU-1.1#check, AU-10.2#a
    """
    played = flop(betting=betting, behind=behind)
    answer = played("act 2 check", "act 3 check", "act 4 all-in", "act 1 call")
    assert word in first(answer)["options"]
    assert (first(answer)["seat"], first(answer)["min_to"]) == (2, least)
    answer = played("act 2 call")
    assert word in first(answer)["options"]
    played(f"act 3 {word} {least}")
    assert "error" not in played.lines[-1]


def test_AU_10_2_c_the_excess_over_a_call_lets_nobody_raise() -> None:
    """Who has called is only faced with the excess of an all-in: no raise."""
    played = flop(betting=NO_LIMIT, behind=27)
    answer = played("act 2 check", "act 3 bet 10", "act 4 all-in", "act 1 call", "act 2 call")
    assert (first(answer)["seat"], first(answer)["options"]) == (3, ["fold", "call"])


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "maryport"])
def test_elsewhere_a_check_is_an_act(book: str) -> None:
    """The other books let nobody who has checked raise an all-in of less than a bet [R7-14.nl.4#b, HR-nl.3#b]."""
    played = flop(book, betting=NO_LIMIT)
    answer = played("act 2 check", "act 3 check", "act 4 all-in", "act 1 call")
    assert first(answer)["options"] == ["fold", "call"]


def test_AU_19_1_f_i_the_hand_that_completed_is_dead() -> None:
    """Its wager goes back, so that the bring-in stands alone: the next may complete it, not raise it by a bet.

    Covers: AU-19.1(f)(i)
    """
    dealt = "card 2s 3s 4s 5s 6s 7s 8s 9s Ts"
    played = table(AU, "stud-7", "start", dealt, "act 1 bring-in", "act 2 complete", "report extra-card seat=2")
    played({"ev": "floor", "decide": "release"})
    act = first(played.lines[-1])
    assert (act["seat"], act["options"], act["to_call"], act["min_to"]) == (3, ["fold", "call", "complete"], 2, 5)


UNTRACKED: dict[str, Any] = {"amounts": "untracked", "stacks": dict.fromkeys((1, 2, 3, 4))}
DEALT = "card 2s 3s 4s 5s 6s 7s 8s 9s"


def test_AU_19_1_f_i_a_wager_that_went_back_is_none_where_amounts_are_untracked() -> None:
    """Nobody calls a bet that was returned with its hand; one that was called stands with the caller's chips.

    Covers: AU-19.1(f)(i)
    """
    played = play(AU, "start", DEALT, **UNTRACKED)
    played("act 4 raise", "report extra-card seat=4", "act 1 call", "act 2 call")
    assert "check" in first(played.lines[-1])["options"]
    limped = ("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - 2c 3c 4c", "act 2 bet")
    played = play(AU, "start", DEALT, *limped, "report short-hand seat=2", **UNTRACKED)
    assert first(played.lines[-1])["options"] == ["fold", "check", "bet", "all-in"]
    played = play(AU, "start", DEALT, *limped, "act 3 call", "report short-hand seat=2", **UNTRACKED)
    assert first(played.lines[-1])["options"] == ["fold", "call", "raise", "all-in"]


@pytest.mark.parametrize(("book", "order"), [(AU, [1, 2, 3]), ("roberts-7", [2, 3, 1])])
def test_AU_16_5_d_all_in_before_the_last_round(book: str, order: list[int]) -> None:
    """The player who was called shows first, also when that was on an earlier round; elsewhere who would have opened.

    Covers: AU-16.5(d)
    """
    stacks: dict[int, int | None] = {1: 50, 2: 50, 3: 50}
    played = play(book, "start", "card 2s 3s 4s 5s 6s 7s", stacks=stacks)
    played("act 1 all-in", "act 2 call", "act 3 call", "card - 2c 3c 4c - 5c - 7c")
    assert [step["seat"] for step in played.lines[-1]["next"]] == order


def test_AU_16_5_d_a_bet_that_nobody_called() -> None:
    """The bet on the flop drove out the third player: who was called before it by the all-in player shows first."""
    stacks: dict[int, int | None] = {1: 20, 2: 90, 3: 90}
    played = play(AU, "start", "card 2s 3s 4s 5s 6s 7s", stacks=stacks)
    played("act 1 all-in", "act 2 call", "act 3 call", "card - 2c 3c 4c", "act 2 bet 10", "act 3 fold")
    answer = played("card - 5c - 7c")
    assert [step["seat"] for step in answer["next"]] == [1, 2]
