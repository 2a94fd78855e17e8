"""Hands are compared as PokerKit compares them, whatever was compared before."""

import random
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import EightOrBetterLowHand, Hand, RegularLowHand, StandardHighHand, StandardLowHand

from controller.core.play.showdown.evaluation import strength
from controller.core.rules.games import Ranking
from controller.core.values.cards import deck

KINDS: dict[Ranking, type[Hand]] = {
    Ranking.HIGH: StandardHighHand,
    Ranking.LOW_8: EightOrBetterLowHand,
    Ranking.LOW_A5: RegularLowHand,
    Ranking.LOW_27: StandardLowHand,
}
FIVE = st.lists(st.sampled_from(deck()), min_size=5, max_size=5, unique=True)


@pytest.mark.parametrize("ranking", list(KINDS))
@given(one=FIVE, other=FIVE)
def test_five_cards_against_five(ranking: Ranking, one: list[str], other: list[str]) -> None:
    ours = [strength(ranking, five, (), None) for five in (one, other)]
    theirs = [worth(KINDS[ranking], five) for five in (one, other)]
    assert [each is None for each in ours] == [each is None for each in theirs]
    if ours[0] is None or ours[1] is None or theirs[0] is None or theirs[1] is None:
        return
    assert (ours[0] > ours[1], ours[0] == ours[1]) == (theirs[0] > theirs[1], theirs[0] == theirs[1])


def test_what_hands_are_worth_is_remembered_in_little() -> None:
    """All of 7,462 kinds of hands, most of which come in 10,000 hands: once they filled 2 MB of it."""
    chance = random.Random(1)
    fives = [tuple(chance.sample(deck(), 5)) for _ in range(20_000)]
    strength(Ranking.HIGH, fives[0], (), None)
    tracemalloc.start()
    for five in fives:
        strength(Ranking.HIGH, five, (), None)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 250_000  # of which CPython keeps 160,000 for tuples to come


def worth(kind: type[Hand], five: list[str]) -> Hand | None:
    """The hand as PokerKit has it; `None` where five cards are none of that kind."""
    return kind("".join(five)) if kind.lookup.get_entry_or_none("".join(five)) else None


def test_two_jokers_make_no_hand() -> None:
    """A deck has one: of two the table asks, and until it is told the hand has no worth."""
    own = ("joker", "joker", "As", "Kd", "2c")
    assert all(strength(ranking, own, (), None) is None for ranking in Ranking)
