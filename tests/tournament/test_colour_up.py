"""Colour-up by race and by rounding."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.rulebook_file import load_rulebook
from controller.core.rules.questions.house.tournament_rules import OddChipExchange
from controller.core.tournament.colour_up import (
    ColourUpError,
    colour_up_stacks,
    count_odd_chips,
    plan_big_stack_purchases,
    race_deal_order,
)
from controller.core.values.cards import build_deck

RACE, UP = OddChipExchange.RACE, OddChipExchange.ROUND_UP


def test_FC_10_play_2b() -> None:
    """Four 1000s become one 5000."""
    rule = load_rulebook("fish-n-chips").tournament.odd_chips.value
    assert colour_up_stacks(rule, {1: 4000}, 1000, 5000).stack_by_seat == {1: 5000}


def test_MP_7_tourn_11() -> None:
    """Three 100s become a 500, six become a 1000."""
    rule = load_rulebook("maryport").tournament.odd_chips.value
    assert colour_up_stacks(rule, {1: 300, 2: 600}, 100, 500).stack_by_seat == {1: 500, 2: 1000}


def test_FC_10_play_2a() -> None:
    """What makes whole chips is changed directly."""
    assert colour_up_stacks(UP, {1: 2500, 2: 35}, 5, 25).stack_by_seat == {1: 2500, 2: 50}


def test_FC_10_play_2c() -> None:
    """Six 500s: the big stack takes six for three 1000s; of seven it leaves one."""
    six, seven = plan_big_stack_purchases({1: 6, 2: 7, 3: 40}, big=3, need=2)
    assert (six.chips_taken, six.chips_given, six.odd_chips) == (6, 3, 0)
    assert (seven.chips_taken, seven.chips_given, seven.odd_chips) == (6, 3, 1)


def test_FC_10_play_2d() -> None:
    """Then everybody's odd chips are changed, and the big stack's."""
    assert colour_up_stacks(UP, {1: 3000, 2: 3500, 3: 26_500}, 500, 1000).stack_by_seat == {1: 3000, 2: 4000, 3: 27_000}


def test_R7_15_tourn_10() -> None:
    """A card a chip, clockwise from seat 1, each seat all its own first; the highest card takes the first chip."""
    stacks = {3: 1075, 5: 1050, 8: 1075}
    odd = count_odd_chips(stacks, 25, 100)
    assert odd == {3: 3, 5: 2, 8: 3}
    assert race_deal_order(odd) == (3, 3, 3, 5, 5, 8, 8, 8)
    found = colour_up_stacks(RACE, stacks, 25, 100, ("2c", "3c", "Kh", "Ks", "4c", "5c", "6c", "7c"))
    assert found.awarded_by_seat == {5: 1, 3: 1}
    assert found.stack_by_seat == {3: 1100, 5: 1100, 8: 1000}


def test_R7_15_tourn_10_nobody_is_eliminated() -> None:
    """Who would have no chip left gets one before anybody else is awarded one."""
    found = colour_up_stacks(RACE, {1: 25, 2: 1075, 3: 1000}, 25, 100, ("2c", "As", "Ks", "Qs"))
    assert found.stack_by_seat == {1: 100, 2: 1000, 3: 1000}


@pytest.mark.parametrize(("odd", "chips"), [((3, 3), 2), ((3, 2), 1), ((1, 0), 0), ((2, 0), 1)])
def test_R7_15_tourn_10_leftover(odd: tuple[int, int], chips: int) -> None:
    """What is left over is worth a chip to the highest remaining card when it is half of one or more."""
    stacks = {seat: 1000 + 25 * count for seat, count in enumerate(odd, start=1)}
    cards = sorted(build_deck())[: sum(odd)]
    assert sum(colour_up_stacks(RACE, stacks, 25, 100, cards).awarded_by_seat.values()) == chips


@given(
    st.dictionaries(st.integers(1, 9), st.integers(1, 400), min_size=2, max_size=9),
    st.permutations(sorted(build_deck())),
)
def test_race_keeps_everybody_in_and_loses_less_than_a_chip(chips: dict[int, int], cards: list[str]) -> None:
    stacks = {seat: 25 * count for seat, count in chips.items()}
    odd = count_odd_chips(stacks, 25, 100)
    found = colour_up_stacks(RACE, stacks, 25, 100, cards[: sum(odd.values())])
    assert all(stack > 0 and stack % 100 == 0 for stack in found.stack_by_seat.values())
    gained = sum(found.stack_by_seat.values()) - sum(stacks.values())
    saved = sum(1 for stack in stacks.values() if stack < 100)
    assert -50 < gained <= max(50, 100 * saved)


def test_refusals() -> None:
    for old, new in ((25, 25), (25, 60), (0, 5)):
        with pytest.raises(ColourUpError):
            count_odd_chips({1: 100}, old, new)
    with pytest.raises(ColourUpError, match="seat 1"):
        count_odd_chips({1: 103}, 25, 100)
    with pytest.raises(ColourUpError, match="2 different cards"):
        colour_up_stacks(RACE, {1: 150, 2: 100}, 25, 100, ("As", "As"))
