"""The smallest chip that plays: every amount that is offered can be paid, and every other is refused."""

import pytest

from tests.playing import play
from tests.rules.deals import dealt

BIG = {"structure": "no-limit", "small_blind": 50, "big_blind": 100}


@pytest.mark.parametrize("book", ["roberts-7", "fish-n-chips"])
def test_chips_smaller_than_the_smallest_of_the_game_do_not_play(book: str) -> None:
    """Smaller chips than the smallest used in antes or blinds do not play even in quantity.

    Covers: R7-3.betting.7, FC-3.betting.1
    """
    table = dealt(book, betting=BIG | {"chip": 25}, stacks=dict.fromkeys(range(1, 5), 2000))
    line = table("act 4 raise 260")
    assert (line["error"]["code"], "25" in line["error"]["message"]) == ("amount", True)
    assert "error" not in table("act 4 raise 275")


@pytest.mark.parametrize("book", ["roberts-7", "fish-n-chips"])
def test_what_is_offered_after_an_odd_all_in_can_be_paid(book: str) -> None:
    """Facing an all-in of 130 in chips of 25, the least raise is 250 and not 230; one's own odd stack always plays.

    Covers: R7-3.betting.7, FC-3.betting.1
    """
    table = play(
        book,
        "start",
        "card Ad 9c 6h 2s 3d Kc Ts 7d",
        "act 4 all-in",
        stacks={1: 2010, 2: 2000, 3: 215, 4: 130},
        betting=BIG | {"chip": 25},
    )
    step = table.lines[-1]["next"][0]
    assert (step["min_to"], step["max_to"]) == (250, 2010)
    assert "error" in table("act 1 raise 230")
    step = table("act 1 call", "act 2 call")["next"][0]
    assert (step["seat"], step["min_to"], step["max_to"]) == (3, 215, 215)
    assert "error" not in table("act 3 raise 215")


def test_a_pot_is_raised_to_what_can_be_paid() -> None:
    """The pot is 38 before a raise, the chip 5: 35 is the most.

    Covers: FC-3.betting.1, FC-9.intro
    """
    stakes = {"structure": "pot-limit", "small_blind": 5, "big_blind": 10, "chip": 5}
    table = play(
        "fish-n-chips", "start", "card Ad 9c 6h 2s 3d Kc Ts 7d", betting=stakes, stacks={1: 500, 2: 500, 3: 500, 4: 3}
    )
    step = table("act 4 all-in")["next"][0]
    assert (step["seat"], step["min_to"], step["max_to"]) == (1, 20, 35)
    assert "error" not in table("act 1 raise 35")


def test_a_bound_raise_out_of_turn_can_be_paid() -> None:
    """An all-in out of turn in pot-limit binds to the most that can be paid, whatever odd amount lies in the pot.

    Covers: FC-3.betting.1
    """
    stakes = {"structure": "pot-limit", "small_blind": 5, "big_blind": 10, "chip": 5}
    table = play(
        "fish-n-chips", "start", "card Ad 9c 6h 2s 3d Kc Ts 7d", betting=stakes, stacks={1: 500, 2: 500, 3: 500, 4: 3}
    )
    table("act 1 all-in", "act 4 call")
    if table.lines[-1]["next"][0]["step"] == "floor":
        table({"ev": "floor", "decide": "bind"})
    step = table.lines[-1]["next"][0]
    assert (step["options"], step["min_to"], step["max_to"]) == (["raise"], 35, 35)
    assert "error" not in table("act 1 raise 35")


def test_a_limit_raise_over_an_odd_all_in_has_one_size() -> None:
    """All-in for 16 over a bet of 10: the raise makes 26, and who makes it is given change.

    Covers: R7-3.betting.6#c, R7-3.betting.7
    """
    stakes = {"structure": "fixed-limit", "small_blind": 5, "big_blind": 10, "small_bet": 10, "big_bet": 20, "chip": 5}
    table = play(
        "roberts-7", "start", "card Ad 9c 6h 2s 3d Kc Ts 7d", betting=stakes, stacks={1: 500, 2: 500, 3: 500, 4: 16}
    )
    step = table("act 4 all-in")["next"][0]
    assert (step["min_to"], step["max_to"]) == (26, 26)
    assert table("act 1 raise")["bets"]["1"] == 26
